import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { JsonObject } from '../base/json.ts';
import { asText } from '../base/json.ts';
import type { Credential, ExecInput, ExecRefusal, ExecRequest, ExecWish, Impersonation } from '../simulator/index.ts';
import { internalError } from '../simulator/index.ts';
import type { ApiSurroundings } from './api.ts';
import { impersonationOf } from './credential.ts';
import { LineEditor } from './line-editor.ts';
import type { RoutedRequest } from './route.ts';
import { isTrue } from './route.ts';
import { handshakeOf, WebSocketEnd } from './websocket.ts';

/** Sent where the connection was to be upgraded: a Status, or what a kubelet says in plain text. */
export type UpgradeRefusal = { readonly code: number; readonly status: JsonObject } | { readonly code: number; readonly text: string };

export interface ExecCall {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly credential: Credential;
  readonly routed: RoutedRequest;
  readonly query: URLSearchParams;
}

const [STDIN, STDOUT, STDERR, ERROR, CLOSE] = [0, 1, 2, 3, 255];
/** Source: staging/src/k8s.io/apimachinery/pkg/util/remotecommand/constants.go, staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/websocket.go. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io', 'channel.k8s.io', 'base64.channel.k8s.io', ''];

/** Begins `kubectl exec` or `kubectl attach` over a WebSocket; a refusal is given back to be sent. */
export function answerExec(call: ExecCall, around: ApiSurroundings): UpgradeRefusal | undefined {
  const handshake = handshakeOf(call.request, PROTOCOLS);
  if (!handshake.ok) return { code: 400, text: handshake.why };
  const wish = wishOf(call);
  if (wish.command.length === 0 && wish.attach !== true)
    return { code: 400, text: 'you must specify at least one command for the container' };
  const impersonation = impersonationOf(call.request);
  if (!impersonation.ok) return { code: impersonation.code, status: impersonation.status };
  const session = around.nextSession();
  const stream = new ExecStream(session, wish, around, handshake.protocol);
  const refused = around.cluster.exec({ session, does: 'begin', request: execRequestOf(call, impersonation.as), wish }, stream.sink);
  if (refused !== undefined && refused.kind !== 'not-started') return refusalOf(refused);
  call.socket.write(handshake.answer);
  stream.attach(new WebSocketEnd(call.socket, call.head, stream.events, handshake.protocol));
  if (refused !== undefined) stream.fail(internalError(`error executing command in container: ${refused.message}`).status);
  around.clock.wrote();
  return undefined;
}

function wishOf({ query, routed }: ExecCall): ExecWish {
  const streams = { stdin: isTrue(query.get('stdin')), tty: isTrue(query.get('tty')) };
  if (routed.subresource === 'attach') return { command: [], attach: true, ...streams };
  return { command: query.getAll('command').slice(0, MAX_WORDS), ...streams };
}

const MAX_WORDS = 1000;

function execRequestOf({ routed, credential, query }: ExecCall, impersonate: Impersonation | undefined): ExecRequest {
  return {
    credential,
    ...(impersonate === undefined ? {} : { impersonate }),
    namespace: routed.namespace ?? '',
    pod: routed.name ?? '',
    container: query.get('container') ?? undefined,
  };
}

function refusalOf(refused: Exclude<ExecRefusal, { readonly kind: 'not-started' }>): UpgradeRefusal {
  // The kubelet's own answer is no Status. Source: pkg/kubelet/server/server.go (getExec).
  if (refused.kind !== 'refused') return { code: 500, text: refused.message };
  return { code: refused.failure.code, status: refused.failure.status };
}

/** One command and the WebSocket of who runs it. */
class ExecStream {
  readonly #session: number;
  readonly #wish: ExecWish;
  readonly #around: ApiSurroundings;
  readonly #protocol: string;
  readonly #release: () => void;
  readonly #decoder = new StringDecoder('utf8');
  readonly #editor: LineEditor | undefined;
  #end: WebSocketEnd | undefined;
  #over = false;

  constructor(session: number, wish: ExecWish, around: ApiSurroundings, protocol: string) {
    this.#session = session;
    this.#protocol = protocol;
    this.#wish = wish;
    this.#around = around;
    // A command that nobody types into takes its time even while time is paused.
    this.#release = wish.stdin || wish.attach === true ? (): void => undefined : around.clock.occupy();
    this.#editor = wish.tty
      ? new LineEditor({
          echo: (text) => this.#end?.send(STDOUT, text),
          line: (text) => this.#do({ does: 'send', text }),
          interrupt: () => this.#do({ does: 'interrupt' }),
          end: () => this.#do({ does: 'end-input' }),
        })
      : undefined;
  }

  get sink(): Parameters<ApiSurroundings['cluster']['exec']>[1] & object {
    return {
      output: (text) => this.#end?.send(STDOUT, this.#shown(text)),
      errors: (text) => this.#end?.send(this.#wish.tty ? STDOUT : STDERR, this.#shown(text)),
      ended: (code) => this.#ended(code),
    };
  }

  get events(): { readonly message: (bytes: Buffer) => void; readonly closed: () => void } {
    return { message: (bytes) => this.#message(bytes), closed: () => this.#closed() };
  }

  /** Before v5 the first message is empty: it says that the connection stands. */
  attach(end: WebSocketEnd): void {
    this.#end = end;
    if (!this.#protocol.startsWith('v5')) end.send(STDOUT, '');
  }

  /** The command could not be started. */
  fail(status: JsonObject): void {
    this.#over = true;
    this.#release();
    // Before v4 only failures are told, in words.
    if (this.#protocol.startsWith('v')) this.#end?.send(ERROR, JSON.stringify(status));
    else if (status['status'] !== 'Success') this.#end?.send(ERROR, String(asText(status['message'])));
    this.#end?.close(1000);
  }

  /** Source: staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/exec.go. */
  #ended(code: number): void {
    if (this.#over) return;
    const failed: JsonObject = {
      metadata: {},
      status: 'Failure',
      message: `command terminated with non-zero exit code: exit status ${code}`,
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
    };
    this.fail(code === 0 ? { metadata: {}, status: 'Success' } : failed);
  }

  #message(bytes: Buffer): void {
    const [channel] = bytes;
    const rest = bytes.subarray(1);
    if (channel === CLOSE && rest[0] === STDIN) this.#do({ does: 'end-input' });
    // Sizes of the window (channel 4) are of no use to a shell that knows lines only.
    if (channel !== STDIN || rest.length === 0) return;
    const text = this.#decoder.write(rest);
    if (this.#editor === undefined) this.#do({ does: 'send', text });
    else this.#editor.type(text);
  }

  #do(input: { readonly does: 'send'; readonly text: string } | { readonly does: 'end-input' | 'interrupt' | 'kill' }): void {
    if (this.#over) return;
    const { cluster, clock } = this.#around;
    const exec: ExecInput = { session: this.#session, ...input };
    cluster.exec(exec);
    clock.nudge();
  }

  #closed(): void {
    this.#release();
    if (this.#over) return;
    this.#do({ does: 'kill' });
    this.#over = true;
  }

  #shown(text: string): string {
    return this.#wish.tty ? text.replace(/\r?\n/g, '\r\n') : text;
  }
}
