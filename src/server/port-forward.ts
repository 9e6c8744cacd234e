import { parseInteger } from '../base/number.ts';
import { badRequest } from '../simulator/index.ts';
import type { ApiSurroundings } from './api.ts';
import type { Ends } from './pod-connection.ts';
import { PodConnection } from './pod-connection.ts';
import type { SpdyStream, SpdyWire } from './spdy-connection.ts';
import { SpdyConnection } from './spdy-connection.ts';
import { handshakeOfSpdy, isSpdy, speakSpdy } from './spdy-upgrade.ts';
import type { UpgradeCall, UpgradeRefusal } from './upgrade-call.ts';
import { refusalOf, refusedUpgrade } from './upgrade-call.ts';
import { handshakeOf, WebSocketEnd } from './websocket.ts';

/** Source: cri-streaming, pkg/streaming/portforward/{constants,websocket}.go. */
const PROTOCOLS = ['portforward.k8s.io'];
const TUNNEL = 'SPDY/3.1+portforward.k8s.io';
const CHANNELS = ['', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io'];

/**
 * Begins `kubectl port-forward`: over SPDY, over SPDY in a WebSocket (kubectl 1.31 and later), or over the channels of a WebSocket; a
 * refusal is given back to be sent.
 */
export function answerPortForward(call: UpgradeCall, around: ApiSurroundings): UpgradeRefusal | undefined {
  const refused = refusedUpgrade(call, around);
  if (refused !== undefined) return refused;
  const forwarder = new Forwarder(call, around);
  if (isSpdy(call.request)) {
    const handshake = handshakeOfSpdy(call.request, PROTOCOLS);
    if (!handshake.ok) return handshake.refusal;
    call.socket.write(handshake.answer);
    speakSpdy(call.socket, call.head, forwarder.streams());
    return undefined;
  }
  const handshake = handshakeOf(call.request, [TUNNEL, ...CHANNELS]);
  if (!handshake.ok) return { code: 400, text: handshake.why };
  if (handshake.protocol !== TUNNEL) return overChannels(call, forwarder, handshake);
  tunnel(call, forwarder, handshake.answer);
  return undefined;
}

/** Frames of SPDY as messages. Source: staging/src/k8s.io/apiserver/pkg/util/proxy/streamtunnel.go. */
function tunnel({ socket, head }: UpgradeCall, forwarder: Forwarder, answer: string): void {
  socket.write(answer);
  // What came with the handshake is read when all is in place.
  socket.unshift(head);
  const end = new WebSocketEnd(socket, NOTHING, { message: (bytes) => connection.take(bytes), closed: () => connection.ended() });
  const wire: SpdyWire = { write: (bytes) => end.send(undefined, bytes), end: () => end.close(1000) };
  const connection = new SpdyConnection(wire, forwarder.streams());
}

const NOTHING = Buffer.alloc(0);

/** Two channels for each port, data and error, that begin with the port. Source: cri-streaming, pkg/streaming/portforward/websocket.go. */
function overChannels(
  { socket, head, query }: UpgradeCall,
  forwarder: Forwarder,
  { answer, protocol }: { readonly answer: string; readonly protocol: string },
): UpgradeRefusal | undefined {
  const given = query.getAll('ports').flatMap((text) => text.split(','));
  if (given.length === 0) return { code: 400, text: 'query parameter "port" is required' };
  const wrong = given.find((text) => portOf(text) === undefined);
  if (wrong !== undefined && /^\d+$/.test(wrong)) return { code: 400, text: `port "${wrong}" must be > 0` };
  if (wrong !== undefined) return refusalOf(badRequest(`cannot convert to []int32: strconv.ParseUint: parsing "${wrong}": invalid syntax`));
  socket.write(answer);
  socket.unshift(head);
  const open: PodConnection[] = [];
  const events = {
    message: (bytes: Buffer) => open[(bytes[0] ?? 0) / 2]?.receive(bytes.subarray(1)),
    closed: (): void => {
      for (const connection of open) connection.close();
    },
  };
  const end = new WebSocketEnd(socket, NOTHING, events, protocol);
  for (const [index, text] of given.entries()) {
    const port = portOf(text) ?? 0;
    const [data, error] = [index * 2, index * 2 + 1];
    for (const channel of [data, error]) end.send(channel, Buffer.from([port & 255, port >> 8]));
    const ends = {
      write: (bytes: Uint8Array): void => end.send(data, bytes),
      failed: (why: string): void => end.send(error, why),
      end: (): void => {
        left--;
        if (left === 0) end.close(1000);
      },
    };
    open.push(forwarder.connect(port, ends));
  }
  let left = open.length;
  for (const connection of open) connection.begin();
  return undefined;
}

/** Undefined for what is no port. */
function portOf(text: string): number | undefined {
  const port = parseInteger(text) ?? 0;
  return port > 0 && port < 65_536 ? port : undefined;
}

/** Connects streams of a client to ports of its pod. */
class Forwarder {
  readonly #call: UpgradeCall;
  readonly #around: ApiSurroundings;

  constructor(call: UpgradeCall, around: ApiSurroundings) {
    this.#call = call;
    this.#around = around;
  }

  connect(port: number, ends: Ends): PodConnection {
    return new PodConnection(this.#call, this.#around, port, ends);
  }

  /** Streams come in pairs of one request: what fails is told in one of them. Source: the same, portforward/httpstream.go. */
  streams(): { readonly opened: (stream: SpdyStream) => void; readonly closed: () => void } {
    const waiting = new Map<string, SpdyStream>();
    const open = new Set<PodConnection>();
    return {
      opened: (stream) => {
        const { headers, id } = stream;
        const isError = headers.get('streamtype') === 'error';
        const port = portOf(headers.get('port') ?? '');
        if (port === undefined || !['data', 'error'].includes(headers.get('streamtype') ?? '')) return stream.reset();
        // Old clients number nothing, and open the two one after the other.
        const request = headers.get('requestid') ?? String(isError ? id : id - 2);
        const other = waiting.get(request);
        if (other === undefined) return void waiting.set(request, stream);
        waiting.delete(request);
        const [data, error] = isError ? [other, stream] : [stream, other];
        const connection = this.connect(port, {
          write: (bytes) => data.write(bytes),
          failed: (why) => error.write(Buffer.from(why)),
          end: () => {
            data.end();
            error.end();
            open.delete(connection);
          },
        });
        open.add(connection);
        data.listen({ data: (bytes) => connection.receive(bytes), ended: () => connection.ended() });
        connection.begin();
      },
      closed: () => {
        for (const connection of open) connection.close();
      },
    };
  }
}
