import { withoutTail } from '../../base/text.ts';
import { parseInteger } from '../../base/number.ts';
import type { WordOf } from '../survey/fact-sink.ts';

/** What kind of trouble a log line tells of, if it is one that many programs have in common. */
export interface LogClass {
  readonly class: WordOf<'log', 'class'>;
  /** The file, directory or program it is about. */
  readonly path?: string;
  /** The port it is about. */
  readonly port?: number;
}

interface Wording {
  readonly class: LogClass['class'];
  readonly test: RegExp;
  /** A line that also fits this is about something else. */
  readonly unless?: RegExp;
  /** Find the path: the first group that takes part, of the first that fits. */
  readonly path?: readonly RegExp[];
  readonly port?: readonly RegExp[];
}

/** A file's path in quotes or bare: `/data/x`, 'dump.rdb', "./app". Every part is bounded, so that no line takes long. */
const QUOTED = /(?<!\w)['"`‘“]([^'"`’”\n]{1,300})['"`’”]/;
const ABSOLUTE = /(?:^|[\s'"`‘“(=:[])(\/[\w@%+=:,./~-]{1,300})/;
const NAMED_FILE = /(?:file|directory|open|read|write|create|mkdir|stat|access) (?:the )?(?:\w{1,12} )?['"`‘“]?([\w./@+-]{1,200}\.\w{1,12})\b/i;
const ANY_PATH = [ABSOLUTE, NAMED_FILE, QUOTED];

/**
 * Wordings of the Linux kernel's errors (errno), of shells and of the programs most images are built on. The first that fits
 * counts: the more particular ones stand first.
 */
const WORDINGS: readonly Wording[] = [
  { class: 'exec-format', test: /exec format error/i, path: [/exec (\/?[\w./@+-]{1,300}): exec format error/i] },
  { class: 'interpreter-missing', test: /(?:^|: |\s)exec (?:\/|\.)[\w./@+-]{1,300}: no such file or directory|bad interpreter: no such file/i, path: [/exec (\/?[\w./@+-]{1,300}): no such|: ([\w./@+-]{1,300}): bad interpreter/i] },
  { class: 'interpreter-missing', test: /^\/?(?:usr\/bin\/)?env: (?:can't execute )?['"‘`]?[\w./@+-]{1,100}['"’`]?: no such file or directory/i, path: [/env: (?:can't execute )?['"‘`]?([\w./@+-]{1,100})/i] },
  { class: 'command-not-found', test: /: (?:line )?\d{0,6}:? ?[\w./@+-]{1,200}: (?:command )?not found$|: command not found|: applet not found|^[\w/.-]{1,60}: (?:\d{1,6}: )?[\w./@+-]{1,200}: not found$/i, path: [/(?<![\w./@+-])([\w./@+-]{1,200}): (?:command |applet )?not found/i] },
  { class: 'address-in-use', test: /address already in use|EADDRINUSE|address in use|port \d{1,5} (?:is|was) already in use|only one usage of each socket address/i, port: [/\bport:? (\d{1,5})\b/i, /(?::::|\]:|[\d*]:|localhost:| :)(\d{2,5})\b(?![.:]\d)/, /', (\d{2,5})\)/] },
  { class: 'read-only-filesystem', test: /read-only file ?system|EROFS/i, path: ANY_PATH },
  { class: 'no-space', test: /no space left on device|ENOSPC|disk quota exceeded|EDQUOT/i, path: [ABSOLUTE] },
  {
    class: 'permission-denied',
    test: /permission denied|operation not permitted|\bEACCES\b|\bEPERM\b|AccessDeniedException|access is denied/i,
    // Refusals by a database, an API or a socket to bind are no matter of file permissions.
    unless: /for user|to database|for (?:relation|table|schema)|publickey|\bbind\b|rpc error|code = PermissionDenied|HTTP|SQLSTATE|sysctl|setns|ptrace|socket/i,
    path: ANY_PATH,
  },
  { class: 'bind-denied', test: /(?:bind|listen)\b.{0,120}(?:permission denied|EACCES|operation not permitted)|(?:permission denied|EACCES).{0,60}(?:bind|listen|0\.0\.0\.0:|\[::\]:)/i, port: [/:(\d{1,5})(?!\d)/] },
  { class: 'out-of-memory', test: /OutOfMemoryError|out of memory|cannot allocate memory|ENOMEM|std::bad_alloc|MemoryError|heap limit Allocation failed/i },
  { class: 'child-killed', test: /signal: killed|(?:by|on|with) signal 9\b|\b(?:exit(?:ed)?(?: with)?(?: code| status)?|status|exit[ _-]?code)[ :=]{1,3}137\b|^killed$/i },
  { class: 'file-missing', test: /no such file or directory|ENOENT|FileNotFoundError|FileNotFoundException|NoSuchFileException|cannot find (?:the )?file/i, unless: /\.sock\b|socket/i, path: ANY_PATH },
];

/** The class of a line as `plainLine` gives it; undefined for a line that fits none. */
export function classifyLine(line: string): LogClass | undefined {
  for (const { class: name, test, unless, path, port } of WORDINGS) {
    if (!test.test(line) || unless?.test(line) === true) continue;
    const [foundPath, foundPort] = [firstGroup(path, line), parseInteger(firstGroup(port, line))];
    return { class: name, ...(foundPath === undefined ? {} : { path: foundPath }), ...(foundPort === undefined ? {} : { port: foundPort }) };
  }
  return undefined;
}

function firstGroup(patterns: readonly RegExp[] | undefined, line: string): string | undefined {
  for (const pattern of patterns ?? []) {
    const found = pattern.exec(line)?.slice(1).find((group) => group !== undefined);
    if (found !== undefined) return withoutTail(found, '.:,');
  }
  return undefined;
}
