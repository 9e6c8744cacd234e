import { asNumber, dig } from '../base/json.ts';
import type { Failure } from '../simulator/index.ts';
import { warningHeaders } from '../simulator/index.ts';
import type { Exchange } from './exchange.ts';
import { isOpen } from './exchange.ts';
import type { TimeShift } from './time-shift.ts';

/** Sends a whole answer and gives its code. */
export function sendText(exchange: Exchange, code: number, contentType: string, text: string | Uint8Array): number {
  const { response, method } = exchange;
  if (!isOpen(exchange)) return code;
  response.statusCode = code;
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', Buffer.byteLength(text));
  // A client that still sends would otherwise be listened to until it has sent all.
  if (!exchange.request.complete && exchange.request.httpVersionMajor === 1) response.shouldKeepAlive = false;
  response.end(method === 'HEAD' ? undefined : text);
  return code;
}

/** A refusal as the Status it is; where there is no answer at all, the connection breaks, as it would. */
export function sendFailure(exchange: Exchange, refused: Failure, shift?: TimeShift): number {
  if (refused.code === 0) {
    exchange.socket.destroy();
    return 0;
  }
  const retry = asNumber(dig(refused.status, 'details', 'retryAfterSeconds'));
  if (retry !== undefined && (refused.code === 429 || refused.code >= 500)) exchange.response.setHeader('retry-after', String(retry));
  for (const header of warningHeaders(refused.warnings ?? [])) exchange.response.appendHeader('warning', header);
  const text = JSON.stringify(refused.status);
  return sendText(exchange, refused.code, 'application/json', `${shift?.refusedToWall(text) ?? text}\n`);
}
