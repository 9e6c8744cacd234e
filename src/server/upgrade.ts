import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest } from '../simulator/apiserver/failures.ts';
import type { ApiSurroundings } from './api.ts';

/** Requests that ask for another protocol on their connection: exec, attach and port-forward do. */
export function answerUpgrade(_request: IncomingMessage, { socket }: { readonly socket: Socket; readonly head: Buffer }, _around: ApiSurroundings, _failed: (error: unknown) => void): void {
  const status = JSON.stringify(badRequest('this connection cannot be upgraded').status);
  socket.end(`HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(status)}\r\nconnection: close\r\n\r\n${status}`);
}
