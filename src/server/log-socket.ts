import type { ApiSurroundings } from './api.ts';
import { followLog } from './follow-log.ts';
import type { UpgradeCall, UpgradeRefusal } from './upgrade-call.ts';
import { refusalOf, requestOf } from './upgrade-call.ts';
import { handshakeOf, WebSocketEnd } from './websocket.ts';

/** What is sent is the log as it is, or each part of it in base64. Source: staging/src/k8s.io/streaming/pkg/httpstream/wsstream/stream.go. */
const PROTOCOLS = ['', 'binary.k8s.io', 'base64.binary.k8s.io'];
const PART_BYTES = 2048;
const MAX_UNREAD = 1_048_576;

/** The log of a container over a WebSocket; a refusal is given back to be sent. */
export function answerLogSocket(call: UpgradeCall, { cluster, shift }: ApiSurroundings): UpgradeRefusal | undefined {
  const asked = requestOf(call);
  if (!asked.ok) return refusalOf(asked);
  const { ok: _, log = {}, ...rest } = asked;
  const request = { ...rest, log: log.sinceTime === undefined ? log : { ...log, sinceTime: shift.instantToVirtual(log.sinceTime) } };
  const answer = cluster.server.peek({ ...request, verb: 'get' });
  if (!answer.ok) return refusalOf(answer);
  const handshake = handshakeOf(call.request, PROTOCOLS);
  if (!handshake.ok) return { code: 403, text: '' };
  const { socket, head } = call;
  socket.write(handshake.answer);
  const closed: (() => void)[] = [];
  const end = new WebSocketEnd(
    socket,
    head,
    {
      message: () => undefined,
      closed: () => {
        for (const listener of closed) listener();
      },
    },
    handshake.protocol,
  );
  // An empty message says that the connection stands.
  end.send(undefined, '');
  followLog(
    { request, answer, cluster, shift },
    {
      write: (bytes) => {
        for (let at = 0; at < bytes.length; at += PART_BYTES) end.send(undefined, bytes.subarray(at, at + PART_BYTES));
      },
      end: () => end.close(1000),
      takes: () => !socket.destroyed && socket.writableLength < MAX_UNREAD,
      whenClosed: (listener) => void closed.push(listener),
    },
  );
  return undefined;
}
