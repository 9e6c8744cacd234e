import { parseDecimal, parseInteger } from '../../base/number.ts';
import type { Routine } from '../time/routine.ts';
import type { Attempt } from '../network/network.ts';
import type { Response, Speech } from '../network/sockets.ts';
import type { FileEntry } from '../programs/file-tree.ts';
import type { CommandRun, Result, Shell } from './shell-state.ts';
import { resolvePath } from './shell.ts';

/** Commands of BusyBox (and curl) that speak to the network, with the words they fail with. */
export function netCommands(): readonly (readonly [string, CommandRun])[] {
  return [
    ['nc', netcat],
    ['wget', wget],
    ['curl', curl],
    ['nslookup', nslookup],
    ['getent', getent],
    ['dig', digRecords],
    ['httpd', httpd],
    ['ping', ping],
    ['pg_isready', ready(5432)],
    ['redis-cli', ready(6379)],
    ['mysqladmin', ready(3306)],
  ];
}

function* netcat(args: readonly string[], shell: Shell): Routine<Result> {
  const [host = '', port = ''] = args.filter((arg, index) => !arg.startsWith('-') && !/^-[a-z]*[eipqsw]$/.test(args[index - 1] ?? ''));
  const listens = args.some((arg) => /^-[a-z]*l/.test(arg));
  if (listens) {
    const at = portIn(args[args.findIndex((arg) => /^-[a-z]*p$/.test(arg)) + 1] ?? host);
    return yield* serve(
      shell,
      { address: '', port: at, program: 'nc: bind', foreground: true },
      { kind: 'tcp', respond: () => OK, changesIn: () => undefined },
    );
  }
  const datagrams = args.some((arg) => /^-[a-z]*u/.test(arg));
  const timeout = timeoutOf(args, /^-[a-z]*w(\d*)$/) ?? 120_000;
  const attempt = yield* shell.process.connect(host, portIn(port), timeout, datagrams ? 'UDP' : 'TCP');
  if (attempt.ok) return yield* say(attempt, datagrams, shell);
  // A scan keeps still about closed ports without -v, but not about names. Source: busybox networking/nc_bloaty.c, libbb/xconnect.c.
  const scans = args.some((arg) => /^-[a-z]*z/.test(arg)) && !args.some((arg) => /^-[a-z]*v/.test(arg));
  if (attempt.trouble === 'no such host' || attempt.trouble === 'dns timeout') shell.errors(`nc: bad address '${host}'\n`);
  else if (!scans) shell.errors(`nc: ${host} (${attempt.ip ?? host}:${port}): ${said(attempt.trouble)}\n`);
  return { code: 1 };
}

/** Sends what is typed or piped, and prints the answer. Whoever speaks HTTP does not understand it. */
function* say(attempt: Extract<Attempt, { ok: true }>, datagrams: boolean, shell: Shell): Routine<Result> {
  const { kind, respond } = attempt.socket.speech;
  if (shell.input === '' || (attempt.socket.port === 0 && !datagrams)) return { code: 0 };
  if (kind === 'http')
    shell.output('HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request');
  if (kind !== 'tcp') return { code: 0 };
  const { body, afterMilliseconds } = respond(shell.input);
  yield* shell.process.sleep(afterMilliseconds);
  shell.output(body);
  return { code: 0 };
}

function* wget(args: readonly string[], shell: Shell): Routine<Result> {
  const url =
    args.find((arg) => arg.startsWith('http') || (/^[\w.-]+(:\d+)?(\/|$)/.test(arg) && !/^\d+$/.test(arg) && !arg.startsWith('-'))) ?? '';
  const { host, port, path } = urlOf(url);
  const answer = yield* shell.process.request(host, port, path, timeoutOf(args, /^-T(\d*)$/) ?? 900_000);
  if (!answer.ok) {
    shell.errors(wgetTrouble(host, answer));
    return { code: 1 };
  }
  const status = answer.response?.status ?? 200;
  if (status >= 400) {
    shell.errors(`wget: server returned error: HTTP/1.1 ${status} ${STATUS[status] ?? ''}\n`);
    return { code: 1 };
  }
  if (args.some((arg) => /^-q?O-?$/.test(arg)) && !args.includes('/dev/null')) shell.output(`${answer.response?.body ?? ''}\n`);
  return { code: 0 };
}

function wgetTrouble(host: string, attempt: Extract<Attempt, { ok: false }>): string {
  if (attempt.trouble === 'no such host' || attempt.trouble === 'dns timeout') return `wget: bad address '${host}'\n`;
  if (attempt.trouble === 'i/o timeout') return 'wget: download timed out\n';
  return `wget: can't connect to remote host (${attempt.ip ?? host}): ${said(attempt.trouble)}\n`;
}

function* curl(args: readonly string[], shell: Shell): Routine<Result> {
  const { host, port, path } = urlOf(args.find((arg) => /^(https?:\/\/|[\w.-]+(:\d+)?\/|localhost)/.test(arg)) ?? '');
  const answer = yield* shell.process.request(host, port, path, timeoutOf(args, /^(?:-m|--max-time|--connect-timeout)(\d*)$/) ?? 120_000);
  if (!answer.ok) {
    const dns = answer.trouble === 'no such host' || answer.trouble === 'dns timeout';
    const code = dns ? 6 : answer.trouble === 'i/o timeout' ? 28 : 7;
    shell.errors(
      `curl: (${code}) ${dns ? `Could not resolve host: ${host}` : code === 28 ? 'Connection timed out' : `Failed to connect to ${host} port ${port}: ${said(answer.trouble)}`}\n`,
    );
    return { code };
  }
  const status = answer.response?.status ?? 200;
  if (status >= 400 && args.some((arg) => /^-[a-zA-Z]*f/.test(arg) || arg === '--fail')) {
    shell.errors(`curl: (22) The requested URL returned error: ${status}\n`);
    return { code: 22 };
  }
  writeOut(args, answer.response?.body ?? '', status, shell);
  return { code: 0 };
}

/** The body, and what `-w '%{http_code}'` asks for. */
function writeOut(args: readonly string[], body: string, status: number, shell: Shell): void {
  if (!args.includes('/dev/null')) shell.output(`${body}\n`);
  const at = args.findIndex((arg) => arg === '-w' || arg === '--write-out');
  if (at >= 0) shell.output((args[at + 1] ?? '').replaceAll('%{http_code}', String(status)).replaceAll('\\n', '\n'));
}

function* nslookup(args: readonly string[], shell: Shell): Routine<Result> {
  const name = args.find((arg) => !arg.startsWith('-')) ?? '';
  const found = yield* shell.process.resolve(name);
  if (found.ok) {
    shell.output(`Name:\t${name}\nAddress: ${found.ips[0] ?? ''}\n`);
    return { code: 0 };
  }
  shell.errors(
    found.trouble === 'timeout' ? ';; connection timed out; no servers could be reached\n\n' : `** server can't find ${name}: NXDOMAIN\n\n`,
  );
  return { code: 1 };
}

/** Source: bind9 bin/dig, as far as its answers go. */
function* digRecords(args: readonly string[], shell: Shell): Routine<Result> {
  const [name = '', type = 'A'] = args.filter((arg) => !/^[-+@]/.test(arg));
  const found = yield* shell.process.lookUp(name, type);
  if (found === undefined) {
    shell.output(';; connection timed out; no servers could be reached\n');
    return { code: 9 };
  }
  const short = args.includes('+short');
  for (const value of found) shell.output(short ? `${value}\n` : `${name.replace(/\.?$/, '.')}\t30\tIN\t${type}\t${value}\n`);
  return { code: 0 };
}

function* getent(args: readonly string[], shell: Shell): Routine<Result> {
  const name = args[1] ?? '';
  const hosts = shell.process.files.read('/etc/hosts', shell.process.user);
  const own = (typeof hosts === 'string' ? hosts : '').split('\n').find((line) => line.split(/\s+/).slice(1).includes(name));
  if (own !== undefined && args[0] === 'hosts') {
    shell.output(`${own}\n`);
    return { code: 0 };
  }
  const found = yield* shell.process.resolve(name);
  if (found.ok) shell.output(`${found.ips[0] ?? ''}  ${name}\n`);
  return { code: found.ok ? 0 : 2 };
}

function* ping(args: readonly string[], shell: Shell): Routine<Result> {
  const host = args.findLast((arg) => !arg.startsWith('-')) ?? '';
  const found = yield* shell.process.resolve(host);
  if (!found.ok) shell.errors(`ping: bad address '${host}'\n`);
  return { code: found.ok ? 0 : 1 };
}

/** Clients that ask the server of their own pod whether it is there. */
function ready(standardPort: number): CommandRun {
  return function* ask(args, shell) {
    const host = args.includes('-h') ? (args[args.indexOf('-h') + 1] ?? '127.0.0.1') : '127.0.0.1';
    const given = args.includes('-p') ? portIn(args[args.indexOf('-p') + 1]) : 0;
    const attempt = yield* shell.process.connect(host, given > 0 ? given : standardPort, 3000);
    if (!attempt.ok) shell.errors(`${said(attempt.trouble)}\n`);
    return { code: attempt.ok ? 0 : 2 };
  };
}

/**
 * BusyBox's web server: files below its folder, and CGI programs of which the `Status:` line is read. It handles no SIGTERM: as process 1
 * it is killed.
 */
function* httpd(args: readonly string[], shell: Shell): Routine<Result> {
  const unknown = args.find((arg) => arg.startsWith('--'));
  if (unknown !== undefined) {
    shell.errors(`httpd: unrecognized option '${unknown}'\n`);
    return { code: 1 };
  }
  const given = args[args.indexOf('-p') + 1] ?? '80';
  const [address, port] =
    args.includes('-p') && given.includes(':')
      ? [given.split(':')[0] ?? '', portIn(given.split(':')[1])]
      : ['', args.includes('-p') ? portIn(given) : 80];
  const folder = resolvePath(shell, args.includes('-h') ? (args[args.indexOf('-h') + 1] ?? '.') : '.');
  const respond = (path: string): Response => respondFrom(shell, folder, path.split('?')[0] ?? path);
  const foreground = args.includes('-f');
  return yield* serve(shell, { address, port, program: 'httpd: bind', foreground }, { kind: 'http', respond, changesIn: () => undefined });
}

interface Serving {
  readonly address: string;
  readonly port: number;
  /** Begins the words of a failure. */
  readonly program: string;
  readonly foreground: boolean;
}

function* serve(shell: Shell, { address, port, program, foreground }: Serving, speech: Speech): Routine<Result> {
  const trouble = shell.process.listen(address, port, speech);
  if (trouble !== undefined) {
    shell.errors(`${program}: ${trouble}\n`);
    return { code: 1 };
  }
  while (foreground) yield* shell.process.idle(0);
  return { code: 0 };
}

function respondFrom(shell: Shell, folder: string, path: string): Response {
  const { files } = shell.process;
  const wanted = `${folder}${path}`;
  const entry = files.entry(wanted);
  const found = entry?.type === 'directory' ? files.entry(`${wanted.replace(/\/$/, '')}/index.html`) : entry;
  if (found?.type !== 'file') return { status: 404, body: 'The requested URL was not found', afterMilliseconds: 1 };
  return path.startsWith('/cgi-bin/') ? cgi(found) : { status: 200, body: found.content.trimEnd(), afterMilliseconds: 1 };
}

function cgi(entry: Extract<FileEntry, { type: 'file' }>): Response {
  const status = /Status: (\d{3})/.exec(entry.content.slice(0, 2000))?.[1];
  return { status: parseInteger(status) ?? 200, body: '', afterMilliseconds: 2 };
}

function urlOf(url: string): { readonly host: string; readonly port: number; readonly path: string } {
  const match = /^(?:(https?):\/\/)?(?:[^@/]*@)?(\[[^\]]*\]|[^:/?]*)(?::(\d+))?(\/[^#]*)?/.exec(url);
  const [, scheme, host = '', port, path = '/'] = match ?? [];
  return { host: host.replace(/[[\]]/g, ''), port: port === undefined ? (scheme === 'https' ? 443 : 80) : portIn(port), path };
}

/** 0, where nothing listens, for what is no port. */
function portIn(text: string | undefined): number {
  return parseInteger(text) ?? 0;
}

function timeoutOf(args: readonly string[], option: RegExp): number | undefined {
  const at = args.findIndex((arg) => option.test(arg));
  if (at < 0) return undefined;
  const inside = option.exec(args[at] ?? '')?.[1];
  const seconds = parseDecimal(inside === undefined || inside === '' ? args[at + 1] : inside);
  return seconds === undefined ? undefined : seconds * 1000;
}

function said(trouble: string): string {
  return (
    { 'connection refused': 'Connection refused', 'i/o timeout': 'Connection timed out', 'no route to host': 'No route to host' }[
      trouble
    ] ?? trouble
  );
}

const OK: Response = { status: 200, body: '', afterMilliseconds: 1 };
const STATUS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
