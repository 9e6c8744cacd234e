import { StringDecoder } from 'node:string_decoder';
import type { JsonObject } from '../base/json.ts';
import { asText } from '../base/json.ts';
import type { ExecInput, ExecRefusal, ExecRequest, ExecWish, Impersonation } from '../simulator/index.ts';
import { internalError } from '../simulator/index.ts';
import type { ApiSurroundings } from './api.ts';
import { impersonationOf } from './credential.ts';
import { LineEditor } from './line-editor.ts';
import { isTrue } from './route.ts';
import type { SpdyStream } from './spdy-connection.ts';
import { handshakeOfSpdy, isSpdy, speakSpdy } from './spdy-upgrade.ts';
import type { UpgradeCall, UpgradeRefusal } from './upgrade-call.ts';
import { refusalOf, refusedUpgrade } from './upgrade-call.ts';
import { handshakeOf, WebSocketEnd } from './websocket.ts';

const [STDIN, STDOUT, STDERR, ERROR, CLOSE] = [0, 1, 2, 3, 255];
/** Source: staging/src/k8s.io/apimachinery/pkg/util/remotecommand/constants.go, staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/websocket.go. */
const SPDY_PROTOCOLS = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'];
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io', 'channel.k8s.io', 'base64.channel.k8s.io', ''];

/** Begins `kubectl exec` or `kubectl attach`; a refusal is given back to be sent. */
export function answerExec(call: UpgradeCall, around: ApiSurroundings): UpgradeRefusal | undefined {
  return isSpdy(call.request) ? overSpdy(call, around) : overWebSocket(call, around);
}

function overWebSocket(call: UpgradeCall, around: ApiSurroundings): UpgradeRefusal | undefined {
  const handshake = handshakeOf(call.request, PROTOCOLS);
  if (!handshake.ok) return { code: 400, text: handshake.why };
  const wish = wishOf(call);
  if (isEmpty(wish)) return NO_COMMAND;
  const stream = new ExecStream(around, wish, handshake.protocol);
  const refused = stream.begin(call);
  if (refused?.kind === 'refused') return refusalOf(refused.failure);
  if (refused?.kind === 'no-container') return { code: 500, text: refused.message };
  call.socket.write(handshake.answer);
  stream.attach(new WebSocketEnd(call.socket, call.head, stream.events, handshake.protocol));
  if (refused !== undefined) stream.failToStart(refused);
  around.clock.wrote();
  return undefined;
}

/** The command begins when the client has opened all streams that it asks for. Source: cri-streaming, pkg/streaming/remotecommand/httpstream.go. */
function overSpdy(call: UpgradeCall, around: ApiSurroundings): UpgradeRefusal | undefined {
  const wish = wishOf(call);
  if (isEmpty(wish)) return NO_COMMAND;
  const refused = refusedUpgrade(call, around);
  if (refused !== undefined) return refused;
  const handshake = handshakeOfSpdy(call.request, SPDY_PROTOCOLS);
  if (!handshake.ok) return handshake.refusal;
  call.socket.write(handshake.answer);
  const stream = new ExecStream(around, wish, handshake.protocol);
  const opened: (SpdyStream | undefined)[] = [];
  const end = speakSpdy(call.socket, call.head, {
    opened: (one) => {
      const channel = CHANNELS.indexOf(one.headers.get('streamtype') ?? '');
      // Sizes of a window come in one of their own.
      if (channel < 0) return one.listen({ data: () => undefined, ended: () => undefined });
      opened[channel] = one;
      if (!channelsOf(call, wish).every((each) => opened[each] !== undefined)) return;
      stream.attach({
        send: (to, text) => opened[to]?.write(Buffer.from(text)),
        close: () => {
          for (const open of opened) open?.end();
          end.close();
        },
      });
      const trouble = stream.begin(call);
      opened[STDIN]?.listen({
        data: (bytes) => stream.events.message(Buffer.concat([Buffer.from([STDIN]), bytes])),
        ended: () => stream.events.message(Buffer.from([CLOSE, STDIN])),
      });
      if (trouble !== undefined) stream.failToStart(trouble);
      around.clock.wrote();
    },
    closed: stream.events.closed,
  });
  return undefined;
}

/** By their numbers. Source: staging/src/k8s.io/api/core/v1/types.go (StreamType). */
const CHANNELS: readonly string[] = ['stdin', 'stdout', 'stderr', 'error'];

function channelsOf({ query }: UpgradeCall, { stdin, tty }: ExecWish): readonly number[] {
  return [
    ERROR,
    ...(stdin ? [STDIN] : []),
    ...(isTrue(query.get('stdout')) ? [STDOUT] : []),
    ...(isTrue(query.get('stderr')) && !tty ? [STDERR] : []),
  ];
}

function isEmpty({ command, attach }: ExecWish): boolean {
  return command.length === 0 && attach !== true;
}

const NO_COMMAND: UpgradeRefusal = { code: 400, text: 'you must specify at least one command for the container' };

function wishOf({ query, routed }: UpgradeCall): ExecWish {
  const streams = { stdin: isTrue(query.get('stdin')), tty: isTrue(query.get('tty')) };
  if (routed.subresource === 'attach') return { command: [], attach: true, ...streams };
  return { command: query.getAll('command').slice(0, MAX_WORDS), ...streams };
}

const MAX_WORDS = 1000;

function execRequestOf({ request, routed, credential, query }: UpgradeCall, impersonate: Impersonation | undefined): ExecRequest {
  return {
    credential,
    ...(impersonate === undefined ? {} : { impersonate }),
    namespace: routed.namespace ?? '',
    pod: routed.name ?? '',
    container: query.get('container') ?? undefined,
    ...(request.method === 'POST' ? { posted: true } : {}),
  };
}

/** Where what a command writes is sent to. */
interface ExecEnd {
  readonly send: (channel: number, text: string | Uint8Array) => void;
  readonly close: (code: number) => void;
}

/** One command and the connection of who runs it. */
class ExecStream {
  readonly #session: number;
  readonly #wish: ExecWish;
  readonly #around: ApiSurroundings;
  readonly #protocol: string;
  readonly #release: () => void;
  readonly #decoder = new StringDecoder('utf8');
  readonly #editor: LineEditor | undefined;
  #end: ExecEnd | undefined;
  #over = false;

  constructor(around: ApiSurroundings, wish: ExecWish, protocol: string) {
    this.#session = around.nextSession();
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

  begin(call: UpgradeCall): ExecRefusal | undefined {
    const impersonation = impersonationOf(call.request);
    if (!impersonation.ok) return { kind: 'refused', failure: impersonation };
    return this.#around.cluster.exec(
      { session: this.#session, does: 'begin', request: execRequestOf(call, impersonation.as), wish: this.#wish },
      {
        output: (text) => this.#end?.send(STDOUT, this.#shown(text)),
        errors: (text) => this.#end?.send(this.#wish.tty ? STDOUT : STDERR, this.#shown(text)),
        ended: (code) => this.#ended(code),
      },
    );
  }

  get events(): { readonly message: (bytes: Buffer) => void; readonly closed: () => void } {
    return { message: (bytes) => this.#message(bytes), closed: () => this.#closed() };
  }

  /** Before v5 the first message is empty: it says that the connection stands. */
  attach(end: ExecEnd): void {
    this.#end = end;
    if (!this.#protocol.startsWith('v5')) end.send(STDOUT, '');
  }

  failToStart(refused: ExecRefusal): void {
    if (refused.kind === 'refused') this.#fail(refused.failure.status);
    else this.#fail(internalError(`error executing command in container: ${refused.message}`).status);
  }

  #fail(status: JsonObject): void {
    this.#over = true;
    this.#release();
    // Before v4 only failures are told, in words.
    if (/^v[45]/.test(this.#protocol)) this.#end?.send(ERROR, JSON.stringify(status));
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
    this.#fail(code === 0 ? { metadata: {}, status: 'Success' } : failed);
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
