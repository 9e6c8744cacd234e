import { parseInteger } from '../../base/number.ts';
import { withoutTail } from '../../base/text.ts';

/** A file's path in quotes or bare: `/data/x`, 'dump.rdb', "./app". Every part is bounded, so that no line takes long. */
const QUOTED = /(?<!\w)['"`‘“]([^'"`’”\n]{1,300})['"`’”]/;
const ABSOLUTE = /(?:^|[\s'"`‘“(=:[])(\/[\w@%+=:,./~-]{1,300})/;
const NAMED_FILE =
  /(?:file|directory|open|read|write|create|mkdir|stat|access) (?:the )?(?:\w{1,12} )?['"`‘“]?([\w./@+-]{1,200}\.\w{1,12})\b/i;

/** The file or directory that a log line names: an absolute path before a name, and a name before what is only quoted. */
export function pathIn(line: string): string | undefined {
  const found = ABSOLUTE.exec(line)?.[1] ?? NAMED_FILE.exec(line)?.[1] ?? QUOTED.exec(line)?.[1];
  return found === undefined ? undefined : withoutTail(found, '.:,');
}

/** `port 8080`, `:::8080`, `[::]:8080`, `0.0.0.0:8080`, `localhost:8080`, ` :8080`, `('0.0.0.0', 8080)`. */
const PORTS = [/\bport:? (\d{1,5})\b/i, /(?::::|\]:|[\d*]:|localhost:| :)(\d{2,5})\b(?![.:]\d)/, /', (\d{2,5})\)/, /:(\d{1,5})(?!\d)/];

/** The port that a log line names. */
export function portIn(line: string): number | undefined {
  return parseInteger(PORTS.map((pattern) => pattern.exec(line)?.[1]).find((port) => port !== undefined));
}
