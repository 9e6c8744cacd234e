import type { Line } from '../clean-lines.ts';
import type { CodeBlock } from '../code-block.ts';
import { unframed } from './log-frame.ts';
import { isLogHeading } from './log-heading.ts';
import { isUnnamedServer, otherServer } from './other-server.ts';

/** Lines of a block that are kept as a program's log. */
const MAX_LINES = 2000;
const MAX_LENGTH = 16_384;

/**
 * Lines that a program wrote: a block of code that the words before it call a log or that contains a line no person writes, and such lines
 * outside a block. `isUnread` tells which lines are part of nothing else. Empty for none.
 */
export function programLines(lines: readonly Line[], isUnread: (line: Line) => boolean, block: CodeBlock | undefined): readonly Line[] {
  const unread = lines.filter((line) => line.text.trim() !== '' && isUnread(line));
  const timed = unread.filter(({ text }) => TIMED.test(text));
  const isLog = isCode(lines, block) && (timed.length > 1 || unread.some((line) => spokenIn(line) !== undefined));
  const called = linesCalledLog(lines, block);
  const isTimed = timed.some((line) => spokenIn(line) !== undefined);
  const kept = unread.flatMap((line) =>
    isLog || called.has(line.number) || (isTimed && TIMED.test(line.text))
      ? ABOUT_CLIENTS.test(line.text)
        ? []
        : [line]
      : (spokenIn(line) ?? []),
  );
  const own = new Map(kept.map((line) => [line.number, line]));
  const told = own.size === 0 ? [] : unread.flatMap((line) => own.get(line.number) ?? (CONNECTS.test(line.text) ? line : []));
  return told.slice(-MAX_LINES).map(({ number, text }) => ({ number, text: text.slice(0, MAX_LENGTH) }));
}

/** What a program also says in plain words, and what ends its trouble. */
const CONNECTS = /^.{0,200}\b(?:connected|established)\b/i;

/** Whether lines are a block of code that is not what somebody typed in a shell. */
function isCode(lines: readonly Line[], block: CodeBlock | undefined): boolean {
  return block !== undefined && !OF_A_SHELL.test(lines[0]?.text ?? '');
}

/** Numbers of the lines that a person calls a log: a block of code after such words, and what stands below such a heading up to a gap. */
export function linesCalledLog(lines: readonly Line[], block: CodeBlock | undefined): ReadonlySet<number> {
  const called = new Set<number>();
  const isCalled = isCode(lines, block) && LOG_WORD.test(block?.intro ?? '');
  let under: 'heading' | 'line' | 'gap' | undefined;
  for (const { number, text } of lines) {
    if (under === 'gap' && text.trim() !== '') under = /^\s/.test(text) || isProgram(text) ? 'line' : undefined;
    if (isLogHeading(text)) under = 'heading';
    else if (text.trim() === '') under = under === 'line' ? 'gap' : under;
    else if (under !== undefined || isCalled) {
      called.add(number);
      if (under !== undefined) under = 'line';
    }
  }
  return called;
}

const LOG_WORD =
  /\b(?:logs?|logged|stdout|stderr|traceback|output of the (?:pod|container))\b|日志|日誌|로그|ログ|логи?\b|\bregistros?\b|\bjournaux\b/i;
const OF_A_SHELL = /^\s*(?:[$#%>❯➜] |\S{1,60}@\S{1,60}[:~$#\s])/u;

/** A line as its program wrote it, where no person writes such lines; a piece of inline code as well. */
function spokenIn(line: Line): Line | undefined {
  const text = line.text.trim().replace(/^> /, '');
  if (ABOUT_CLIENTS.test(text)) return undefined;
  const pieces = text.includes('`') ? text.split('`').filter((_, index) => index % 2 === 1) : [];
  for (const piece of [...pieces, text]) if (isProgram(piece)) return { number: line.number, text: piece.replace(EMPHASIS, '$1') };
  return undefined;
}

/** A time at the beginning of a line, without a level. Source: Go log/log.go (LstdFlags). */
const TIMED = /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S{0,16} /;

/** Marks around a line that a person put in italics or bold type. */
const EMPHASIS = /^[_*]{1,3}(\S.*\S)[_*]{1,3}$/;

function isProgram(text: string): boolean {
  const bare = text.replace(EMPHASIS, '$1');
  if (bare.length > MAX_LENGTH) return false;
  const frame = unframed(bare);
  return (
    (frame.isLog && frame.program === undefined) ||
    beginsSo(bare, frame.text) ||
    otherServer(bare) === 'of a program' ||
    (EXPIRED.test(bare) && isUnnamedServer(bare)) ||
    tellsErrno(bare)
  );
}

/** What Go says of an expired certificate, and what a person adds of the server that was called. */
const EXPIRED = /\bx509: certificate has expired or is not yet valid(?:: current time |.{1,300}\bhttps:\/\/)/;

/** The beginning of a line, or of what stands behind its time. */
function beginsSo(bare: string, unstamped: string): boolean {
  return STAMPED.test(bare) || LAST_WORDS.test(bare) || LAST_WORDS.test(unstamped);
}

/** Whether a line is of a log, whoever wrote it; `loosely` also what only ends with the words of an error number. */
export function beginsLog(text: string, loosely = true): boolean {
  if (text.length > MAX_LENGTH || text.trim() === '') return false;
  const frame = unframed(text);
  return frame.isLog || beginsSo(text, frame.text) || (loosely && tellsErrno(text));
}

/** Whether a line ends with the words of an error number, as a program writes it. */
export function tellsErrno(text: string): boolean {
  return (
    OF_NODE.test(text) ||
    (ERRNO.test(text) && !ABOUT_CLIENTS.test(text) && [OF_PROGRAM, OF_CALL, OF_ADDRESS].some((begin) => begin.test(text)))
  );
}

/** How programs on Node begin errors of the network, and of their own, at the left margin as kubectl does. */
const OF_NODE =
  /^\s*Error: (?:(?:connect|listen) E[A-Z]{4,20}\b|getaddrinfo E|E[A-Z]{3,12}: |Cannot find module |[Mm]issing required environment variable)/;

/** A time and a level at the beginning, in either order, as loggers print them; an entry in JSON behind the name of its container. */
const STAMPED =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S{0,16}(?: {1,8}|\t)(?:\S{1,30} ){0,3}\[?(?:WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|PANIC|error|erro|fatal|emerg|crit|E|F)\b|\[?(?:ERROR|FATAL|CRITICAL|SEVERE)\]?[: ] ?\[?\d{4}-\d\d-\d\d|[a-z0-9][a-z0-9-]{0,62} \{"(?:level|lvl|severity|ts|time|timestamp|msg)":|[a-z0-9][a-z0-9-]{0,40} {1,2}\d\d:\d\d:\d\d\.\d\d (?:WARN|ERROR) {1,2}==> |\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d\] (?:WARNING|ERROR|ALERT): |\d{1,9}:[MCSX] \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d{3} #)/;
/** What runtimes of languages and well-known programs print when they cannot go on. */
const LAST_WORDS =
  /^(?:panic: |#? {0,2}A fatal error has been detected by the Java|APPLICATION FAILED TO START$|plugin\/[a-z0-9]{2,30}: |fatal error: |FATAL ERROR: [A-Z]|node:internal\/|goroutine \d{1,9} \[|Traceback \(most recent call last\)|Exception in thread "|Caused by: [\w.$]{3,200}(?:Exception|Error)\b|[\w.]{1,100}(?:Error|Exception): \S|nginx: \[emerg\] |(?:FATAL|DETAIL):  |Error: Cannot find module |exec \S{1,200}: |standard_init_linux\.go:|runtime: goroutine |Segmentation fault|Aborted \(core dumped\)|Terminating due to java\.lang\.|Unhandled [Ee]xception[.:]? |(?:.{0,200}: )?SQLSTATE\[|PHP (?:Fatal|Parse) error: |In \w{1,60}\.php line \d|\S{1,200}\.rb:\d{1,6}:in |ERROR: \[\d{1,3}\] bootstrap checks failed|bootstrap check failure \[|\[\d{1,2}\]: (?:max (?:virtual memory areas|file descriptors|number of threads|size virtual memory) |the default discovery settings )|bundler: |Bundler::\w{3,60}: |terminate called after throwing|(?:ERROR|FATAL|SEVERE)\b.{1,300}[\w.$ ](?:Exception|Error): )/;
/** What the C library says of an error number, at the end of a line. */
const ERRNO =
  /: (?:(?:\[Errno \d{1,3}\] )?permission denied|operation not permitted|no such file or directory|read-only file system|no space left on device|(?:bind: )?address already in use|exec format error|(?:command )?not found|cannot allocate memory|connection refused|i\/o timeout|no route to host|network is unreachable|connection reset by peer|tls handshake timeout|no such host|is a directory|not a directory)[\s.)'"_*]{0,6}$/i;
/** What stands before it is a program's name, a call of the system, or a word for an error. */
const OF_PROGRAM = /^(?:\S{1,30} )?[\w./+-]{1,100}(?:\[\d{1,9}\])?: /;
const OF_CALL =
  /^(?:\S{1,30} )?\(?(?:open|mkdir|stat|lstat|chdir|chown|chmod|unlink|rename|link|exec|listen|bind|dial|read|write|fork)\b|^(?:error|fatal|failed|cannot|could not|can't|unable)\b/i;
const OF_ADDRESS = /\b(?:open|mkdir|stat|lstat|chown|chmod|unlink|rename|listen tcp|dial tcp|dial udp) [\w./:@[\]-]{1,200}: /i;
/** Whether a line is of a program that people run on their own machine. */
export function isAboutClients(text: string): boolean {
  return ABOUT_CLIENTS.test(text);
}

/** Programs that people run on their own machine, with their own files, and those that the kubelet runs. */
const ABOUT_CLIENTS =
  /^(?:-?(?:ba|z|da)?sh: (?:line \d{1,4}: )?)?(?:\/usr\/(?:local\/)?s?bin\/)?(?:kubectl|helm|sudo|kubeadm|minikube|docker|podman|ssh|scp|oc|make|git|brew|apt|yum|snap)\b|\.kube\/|k3s\.yaml|docker\.sock|\/etc\/kubernetes\/|kubeconfig|containerd\.sock|localhost:8080|^error: .{0,300}https?:\/\/[^\s"]{1,300}\/(?:apis?|openapi|version)\b|^kustomize build failed: |\baccumulating resources\b|^\[(?:preflight|(?:ERROR|WARNING) [\w.-]{2,100}|kubelet-\w+|wait-control-plane)\]|^(?:unable to retrieve container logs for |failed to try resolving symlinks in path )|\b(?:u?mount|mount\.\w{2,10}|fsck|mkfs)(?:\.\w{2,10})?: |^\s*(?:\w{2,20} )?create mode /i;
