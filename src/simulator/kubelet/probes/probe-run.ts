import { asList, asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import type { ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import type { Attempt } from '../../network/network.ts';
import type { Routine } from '../../time/routine.ts';
import { costOf } from '../runtime/container-process.ts';
import { goDuration } from '../pods/pod-fields.ts';
import type { Container } from '../runtime/runtime-container.ts';
import type { NodeRuntime } from '../runtime/runtime.ts';

/** `steady` says that it comes out the same until something in the pod changes. */
export type ProbeOutcome =
  | { readonly kind: 'success'; readonly steady: boolean }
  | { readonly kind: 'failure' | 'unknown'; readonly output: string; readonly steady: boolean };

export interface ProbeTarget {
  readonly host: ComponentHost;
  readonly runtime: NodeRuntime;
  readonly container: Container;
}

/** One run of a probe. Source: pkg/probe/{http,tcp,exec,grpc}, pkg/kubelet/prober/prober.go. */
export function* runProbe(probe: JsonObject, target: ProbeTarget): Routine<ProbeOutcome> {
  const timeout = (asNumber(probe['timeoutSeconds']) ?? 1) * 1000;
  const { httpGet, tcpSocket, exec, grpc } = probe;
  if (isJsonObject(exec)) return yield* runExec(asList(exec['command']).map(String), target, timeout);
  if (isJsonObject(httpGet)) return yield* runHttp(httpGet, target, timeout);
  if (isJsonObject(tcpSocket)) return yield* runTcp(tcpSocket, target, timeout);
  return yield* runGrpc(isJsonObject(grpc) ? grpc : {}, target, timeout);
}

function* runExec(argv: readonly string[], { runtime, container }: ProbeTarget, timeout: number): Routine<ProbeOutcome> {
  const result = yield* runtime.exec(container, argv, timeout);
  const steady = !ASKS_OTHERS.test(argv.join(' ')) || /localhost|127\.0\.0\.1/.test(argv.join(' '));
  if (result.kind === 'failed') return { kind: 'unknown', output: result.message, steady };
  if (result.kind === 'timeout')
    return { kind: 'failure', output: `command timed out: "${argv.join(' ')}" timed out after ${goDuration(timeout)}`, steady };
  return result.code === 0 ? { kind: 'success', steady } : { kind: 'failure', output: result.stdout + result.stderr, steady };
}

const ASKS_OTHERS = /\b(?:nc|wget|curl|nslookup|getent|ping|date)\b/;

function addressOf(get: JsonObject, host: string, port: number): { readonly scheme: string; readonly path: string; readonly url: string } {
  const scheme = (asText(get['scheme']) ?? 'HTTP').toLowerCase();
  const path = asText(get['path']) ?? '/';
  return { scheme, path, url: `${scheme}://${host}:${port}${path.startsWith('/') ? '' : '/'}${path}` };
}

function* runHttp(get: JsonObject, target: ProbeTarget, timeout: number): Routine<ProbeOutcome> {
  const port = portOf(get['port'], target.container);
  if (typeof port === 'string') return { kind: 'unknown', output: port, steady: true };
  const [host, own] = hostOf(get, target);
  const { scheme, path, url } = addressOf(get, host, port);
  const attempt = connect(target, host, port);
  yield* sleep(target.host, costOf(attempt, timeout), 'probe');
  const failed = (why: string, steady = own): ProbeOutcome => ({ kind: 'failure', output: `Get "${url}": ${why}`, steady });
  if (!attempt.ok) return failed(dialTrouble(attempt, host, port, timeout));
  const { kind, respond, changesIn } = attempt.socket.speech;
  if (scheme === 'https' && kind !== 'https') return failed('http: server gave HTTP response to HTTPS client');
  if (scheme === 'http' && kind === 'https') return { kind: 'failure', output: 'HTTP probe failed with statuscode: 400', steady: own };
  if (kind === 'tcp' || kind === 'grpc') return failed('EOF');
  const response = respond(path);
  if (response.afterMilliseconds > timeout) {
    yield* sleep(target.host, timeout, 'probe');
    return failed('context deadline exceeded (Client.Timeout exceeded while awaiting headers)', own && changesIn() === undefined);
  }
  yield* sleep(target.host, response.afterMilliseconds, 'probe');
  const steady = own && changesIn() === undefined;
  const good = response.status >= 200 && response.status < 400;
  return good ? { kind: 'success', steady } : { kind: 'failure', output: `HTTP probe failed with statuscode: ${response.status}`, steady };
}

function* runTcp(socket: JsonObject, target: ProbeTarget, timeout: number): Routine<ProbeOutcome> {
  const port = portOf(socket['port'], target.container);
  if (typeof port === 'string') return { kind: 'unknown', output: port, steady: true };
  const [host, own] = hostOf(socket, target);
  const attempt = connect(target, host, port);
  yield* sleep(target.host, costOf(attempt, timeout), 'probe');
  if (attempt.ok) return { kind: 'success', steady: own };
  return {
    kind: 'failure',
    output: attempt.trouble === 'i/o timeout' ? `dial tcp ${host}:${port}: i/o timeout` : dialTrouble(attempt, host, port, timeout),
    steady: own,
  };
}

function* runGrpc(grpc: JsonObject, target: ProbeTarget, timeout: number): Routine<ProbeOutcome> {
  const port = asNumber(grpc['port']) ?? 0;
  const [host, own] = hostOf(grpc, target);
  const attempt = connect(target, host, port);
  if (!attempt.ok || (attempt.socket.speech.kind !== 'grpc' && attempt.socket.port !== 0)) {
    yield* sleep(target.host, timeout, 'probe');
    return {
      kind: 'failure',
      output: `timeout: failed to connect service "${host}:${port}" within ${goDuration(timeout)}: context deadline exceeded`,
      steady: own,
    };
  }
  const response = attempt.socket.speech.respond(asText(grpc['service']) ?? '');
  yield* sleep(target.host, Math.min(timeout, response.afterMilliseconds), 'probe');
  const steady = own && attempt.socket.speech.changesIn() === undefined;
  if (response.afterMilliseconds > timeout)
    return { kind: 'failure', output: `timeout: health rpc did not complete within ${goDuration(timeout)}`, steady };
  return response.status === 200
    ? { kind: 'success', steady }
    : { kind: 'failure', output: 'service unhealthy (responded with "NOT_SERVING")', steady };
}

/** The number a port stands for; Go's error when its name is none the container declares. */
function portOf(port: Json | undefined, container: Container): number | string {
  if (typeof port === 'number') return port;
  const name = asText(port) ?? '';
  for (const declared of asList(container.settings.spec['ports']))
    if (dig(declared, 'name') === name) return asNumber(dig(declared, 'containerPort')) ?? 0;
  return /^\d+$/.test(name) ? (parseInteger(name) ?? 0) : `strconv.Atoi: parsing "${name}": invalid syntax`;
}

function hostOf(action: JsonObject, { runtime, container }: ProbeTarget): readonly [string, boolean] {
  const given = asText(action['host']);
  const ip = runtime.sandboxOf(container.podUid)?.netns.ip ?? '';
  return given === undefined || given === '' ? [ip, true] : [given, false];
}

/** The kubelet asks from its machine, past all policies. */
function connect({ host, runtime, container }: ProbeTarget, name: string, port: number): Attempt {
  const netns = runtime.sandboxOf(container.podUid)?.netns;
  if (netns !== undefined && netns.ip === name) {
    const socket = netns.at(name, port);
    return socket === undefined
      ? { ok: false, trouble: 'connection refused', ip: name, why: 'nothing listens' }
      : { ok: true, ip: name, port, socket, netns, via: [] };
  }
  return host.world.datacenter.network.reach({ node: runtime.node, netns: runtime.netns, pod: undefined }, name, port);
}

function dialTrouble(attempt: Extract<Attempt, { ok: false }>, host: string, port: number, timeout: number): string {
  if (attempt.trouble === 'connection refused') return `dial tcp ${host}:${port}: connect: connection refused`;
  if (attempt.trouble === 'no such host') return `dial tcp: lookup ${host}: no such host`;
  if (attempt.trouble === 'no route to host' && timeout >= 3000) return `dial tcp ${host}:${port}: connect: no route to host`;
  return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
}
