import type { ApiRequest, Success } from '../simulator/apiserver/request.ts';
import type { Cluster } from '../simulator/cluster.ts';
import type { Exchange } from './exchange.ts';
import { sendText } from './send.ts';

export interface LogCall {
  readonly request: ApiRequest;
  readonly answer: Success;
  readonly cluster: Cluster;
}

/** The lines of a container as they are. */
export function followLog(exchange: Exchange, { answer }: LogCall): number {
  const lines = answer.lines ?? [];
  return sendText(exchange, 200, 'text/plain', lines.map((line) => `${line}\n`).join(''));
}
