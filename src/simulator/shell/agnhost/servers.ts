import { formatInstant } from '../../../base/instant.ts';
import { parseInteger } from '../../../base/number.ts';
import type { Caller, Response, Speech } from '../../network/sockets.ts';
import type { Routine } from '../../time/routine.ts';
import type { Result, Shell } from '../shell-state.ts';
import { flag, flagsOf } from './flags.ts';
import { answerReview } from './webhook.ts';
import { dial, parametersOf } from './dial.ts';

/** The servers of agnhost. Source: test/images/agnhost/{netexec,serve-hostname,test-webserver,liveness,porter,nettest,grpc-health-checking}. */
export function* netexec(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = flagsOf(args);
  const given = (name: string, otherwise: number): number => parseInteger(flag(flags, name)) ?? otherwise;
  const [http, udp, delay] = [given('http-port', 8080), given('udp-port', 8081), given('delay-shutdown', 0)];
  const addresses = flag(flags, 'udp-listen-addresses', '').split(',');
  const override = flag(flags, 'http-override');
  let terminating = false;
  const ready = (): boolean => !terminating;
  const answer = (path: string, caller: Caller): Response =>
    answerNetexec(override === '' ? path : override, caller, { http, ready, shell });
  if (udp > 0)
    for (const address of addresses)
      shell.process.listen(
        address,
        udp,
        spoken('tcp', (text, caller) => datagram(text, caller, udp, shell)),
      );
  const secure = flag(flags, 'tls-cert-file') !== '';
  const trouble = shell.process.listen('', http, spoken(secure ? 'https' : 'http', answer));
  if (trouble !== undefined) return failed(shell, `listen tcp :${http}: bind: address already in use`);
  shell.output(`Started HTTP server on port ${http}\n`);
  shell.process.onTerminate({ kind: 'notice' });
  yield* shell.process.idle(0);
  terminating = true;
  if (delay > 0) yield* shell.process.sleep(delay * 1000);
  return { code: 0 };
}

interface Netexec {
  readonly http: number;
  readonly ready: () => boolean;
  readonly shell: Shell;
}

function answerNetexec(path: string, caller: Caller, { http, ready, shell }: Netexec): Response {
  const { process } = shell;
  const ask = parametersOf(path);
  shell.output(`GET ${path}\n`);
  switch ((path.split('?')[0] ?? path).toLowerCase()) {
    case '/hostname':
      return text(process.hostname);
    case '/clientip':
      return text(`${caller.ip}:${caller.port}`);
    case '/serverport':
      return text(String(http));
    case '/echo':
      return { ...text(ask('msg')), status: parseInteger(ask('code')) ?? 200 };
    case '/healthz':
      return text('');
    case '/readyz':
      return ready() ? text('ok') : { ...text('shutting down'), status: 503 };
    case '/dial':
      return dial(ask, process);
    case '/redirect':
      return { ...text(''), status: parseInteger(ask('code')) ?? 302, headers: { location: ask('location') } };
    case '/header':
      return text('');
    case '/shutdown':
    case '/exit':
      process.quit(parseInteger(ask('code')) ?? 0);
      return text('');
    default:
      return text(`NOW: ${formatInstant(process.clock())}`);
  }
}

function datagram(text_: string, caller: Caller, port: number, { process }: Shell): Response {
  const received = text_.trim().toLowerCase();
  if (received === 'hostname') return text(process.hostname);
  if (received.startsWith('echo ')) return text(received.slice('echo '.length));
  if (received === 'clientip') return text(`${caller.ip}:${caller.port}`);
  return text(received === 'serverport' ? String(port) : '');
}

export function* serveHostname(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = flagsOf(args);
  const port = parseInteger(flag(flags, 'port', '9376')) ?? 0;
  const kind = flag(flags, 'tcp') === 'true' || flag(flags, 'udp') === 'true' ? ('tcp' as const) : ('http' as const);
  shell.output(`Serving on port ${port}.\n`);
  // It waits a minute for its pod to be deleted.
  return yield* serving(
    shell,
    port,
    spoken(kind, () => text(shell.process.hostname)),
    60_000,
  );
}

/** A webhook server: it decides by the path that it is asked on. */
export function* webhook(args: readonly string[], shell: Shell): Routine<Result> {
  const port = parseInteger(flag(flagsOf(args), 'port', '443')) ?? 0;
  return yield* serving(
    shell,
    port,
    spoken('https', (path, { body = '' }) => answerReview(path, body)),
  );
}

/** Files, of which only the folder itself is ever asked for. */
export function* testWebserver(args: readonly string[], shell: Shell): Routine<Result> {
  const port = parseInteger(flag(flagsOf(args), 'port', '80')) ?? 0;
  const answer = (path: string): Response => {
    const entry = shell.process.files.entry(path.split('?')[0] ?? path);
    if (entry === undefined) return { ...text('404 page not found\n'), status: 404 };
    return text(entry.type === 'file' ? entry.content : '<pre>\n</pre>\n');
  };
  return yield* serving(shell, port, spoken('http', answer));
}

/** It is well for ten seconds. */
export function* liveness(_args: readonly string[], shell: Shell): Routine<Result> {
  const started = shell.process.now();
  const age = (): number => (shell.process.now() - started) / 1000;
  const answer = (path: string): Response => {
    const [bare, ask] = [path.split('?')[0], parametersOf(path)];
    if (bare === '/redirect') return { ...text(''), status: 302, headers: { location: ask('loc') } };
    if (bare !== '/healthz') return text(`${age()}s`);
    return age() > LIVES_SECONDS ? { ...text(`error: ${age()}`), status: 500 } : text('ok');
  };
  const changesIn = (): number | undefined => (age() > LIVES_SECONDS ? undefined : (LIVES_SECONDS - age()) * 1000 + 1);
  return yield* serving(shell, 8080, { kind: 'http', respond: answer, changesIn });
}

const LIVES_SECONDS = 10;

/** Servers that its environment asks for, which say what stands there. */
export function* porter(args: readonly string[], shell: Shell): Routine<Result> {
  const json = flag(flagsOf(args), 'json-response') === 'true';
  for (const [name, value] of shell.process.env) {
    const [, kind, port] = /^SERVE_(TCP_|UDP_|SCTP_|TLS_|)PORT_(\d+)$/.exec(name) ?? [];
    if (port === undefined) continue;
    const answer = (_path: string, { method = 'GET' }: Caller): Response =>
      json ? { ...text(JSON.stringify({ Method: method, Body: value })), headers: { 'content-type': 'application/json' } } : text(value);
    const speaks = kind === 'TLS_' ? 'https' : kind === 'UDP_' || kind === 'SCTP_' ? 'tcp' : 'http';
    shell.process.listen('', parseInteger(port) ?? 0, spoken(speaks, answer));
  }
  shell.process.onTerminate({ kind: 'exit', code: 143, afterMilliseconds: 1 });
  for (;;) yield* shell.process.idle(0);
}

export function* grpcHealth(args: readonly string[], shell: Shell): Routine<Result> {
  const flags = flagsOf(args);
  const started = shell.process.now();
  const delay = (parseInteger(flag(flags, 'delay-unhealthy-sec', '-1')) ?? -1) * 1000;
  const unhealthy = (): boolean => delay >= 0 && shell.process.now() - started >= delay;
  const changesIn = (): number | undefined => (delay < 0 || unhealthy() ? undefined : started + delay - shell.process.now() + 1);
  const port = parseInteger(flag(flags, 'port', '5000')) ?? 0;
  const answer = (service: string): Response => ({
    ...text(''),
    status: unhealthy() || (service !== '' && service !== flag(flags, 'service')) ? 503 : 200,
  });
  return yield* serving(shell, port, { kind: 'grpc', respond: answer, changesIn });
}

function* serving(shell: Shell, port: number, speech: Speech, lingers = 1): Routine<Result> {
  const trouble = shell.process.listen('', port, speech);
  if (trouble !== undefined) return failed(shell, `listen tcp :${port}: bind: address already in use`);
  shell.process.onTerminate({ kind: 'exit', code: 0, afterMilliseconds: lingers });
  for (;;) yield* shell.process.idle(0);
}

function failed(shell: Shell, message: string): Result {
  shell.errors(`${message}\n`);
  return { code: 1 };
}

function spoken(kind: Speech['kind'], respond: (path: string, caller: Caller) => Response): Speech {
  return { kind, respond: (path, caller) => respond(path, caller ?? NOBODY), changesIn: () => undefined };
}

const NOBODY: Caller = { ip: '', port: 0 };

function text(body: string): Response {
  return { status: 200, body, afterMilliseconds: 1 };
}
