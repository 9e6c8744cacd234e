import { parseInteger } from '../../base/number.ts';
import { withoutTail } from '../../base/text.ts';

/** A file's path in quotes or bare: `/data/x`, 'dump.rdb', "./app". Every part is bounded, so that no line takes long. */
const QUOTED = /(?<!\w)['"`‘“]([^'"`’”\n]{1,300})['"`’”]/g;
/** Go's way to tell of a call to the system. Source: Go io/fs (PathError), os (LinkError). */
const PATH_ERROR =
  /\b(?:open|openat|read|write|mkdir|l?stat|access|chmod|chown|unlink|remove|readlink|fork\/exec) (?!error: )([^\s:'"]{1,300}): /;
/** Values that loggers put into quotes: times, and whole messages. */
const NO_NAME = /^\d{4}-\d\d-\d\d[T ]|: /;
const ABSOLUTE = /(?:^|[\s'"`‘“(=:[])(\/[\w@%+=:,./~-]{1,300})/;
const NAMED_FILE =
  /(?:file|directory|open|read|write|create|mkdir|stat|access) (?:the )?(?:\w{1,12} )?['"`‘“]?([\w./@+-]{1,200}\.\w{1,12})\b/i;

/** A shell that complains of what a script does. */
const SHELL = /^(?:\/\S{1,100}|\w{0,5}sh): (?:(?:line )?\d{1,6}: )?(?=.{0,300}\/)/;
/** What a shell complains of. */
const RELATIVE = /^([\w.@+-]{1,100}\/[\w./@+-]{1,200}): /;

/** The file or directory that a log line names: an absolute path before a name, and a name before what is only quoted. */
export function pathIn(whole: string): string | undefined {
  const line = whole.replace(SHELL, '');
  const found =
    ABSOLUTE.exec(line)?.[1] ?? NAMED_FILE.exec(line)?.[1] ?? PATH_ERROR.exec(line)?.[1] ?? RELATIVE.exec(line)?.[1] ?? quotedIn(line);
  return found === undefined ? undefined : withoutTail(found, '.:,');
}

function quotedIn(line: string): string | undefined {
  for (const [, quoted = ''] of line.matchAll(QUOTED)) if (!NO_NAME.test(quoted)) return quoted;
  return undefined;
}

/** `port 8080`, `:::8080`, `[::]:8080`, `0.0.0.0:8080`, `localhost:8080`, ` :8080`, `('0.0.0.0', 8080)`. */
const PORTS = [/\bport:? (\d{1,5})\b/i, /(?::::|\]:|[\d*]:|localhost:| :)(\d{2,5})\b(?![.:]\d)/, /', (\d{2,5})\)/, /:(\d{1,5})(?!\d)/];

/** Hours, minutes and seconds. */
const TIME = /(?<![\d.:[])\d{1,2}:\d\d:\d\d(?![\d:])/g;

/** The port that a log line names. */
export function portIn(whole: string): number | undefined {
  const line = whole.replaceAll(TIME, '');
  return parseInteger(PORTS.map((pattern) => pattern.exec(line)?.[1]).find((port) => port !== undefined));
}
