import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { ConnectionError } from '../connection/connection-error.ts';
import { ConnectionFailure, connectionError } from '../connection/connection-error.ts';
import type { Answer, ExchangeRequest } from './exchange.ts';
import { answerOf, requestOptions } from './exchange.ts';

/** How a stream of lines ended: the server closed it, answered something else, or the connection failed. */
export type StreamEnd =
  | { readonly how: 'closed' }
  | { readonly how: 'refused'; readonly answer: Answer }
  | { readonly how: 'failed'; readonly error: ConnectionError };

export interface StreamListener {
  /** The server has accepted the request. */
  readonly opened: () => void;
  /** One line, without its end. */
  readonly line: (text: string) => void;
}

/** An object of etcd has 1.5 MiB at most, and its JSON may be a few times as long: a longer line is no event. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** Sends one request whose answer goes on, and gives its lines to the listener as they come. Never rejects. */
export function eventStream(asked: ExchangeRequest, listener: StreamListener): Promise<StreamEnd> {
  return new Promise((resolve) => {
    // Events come as they happen: compressed they would wait for each other.
    const request = httpRequest(requestOptions({ ...asked, headers: { ...asked.headers, 'Accept-Encoding': 'identity' } }));
    const idle = setTimeout(
      () => request.destroy(new ConnectionFailure('timeout', `${asked.server.host} sent nothing for ${asked.limits.idleSeconds} s.`)),
      asked.limits.idleSeconds * 1000,
    );
    const finish = (end: StreamEnd): void => {
      clearTimeout(idle);
      resolve(end);
      request.destroy();
    };
    const fail = (error: unknown): void => finish({ how: 'failed', error: connectionError(error, asked.server.host) });
    request.on('error', fail);
    let answered = false;
    request.on('response', (response) => {
      answered = true;
      // A late error must not end the process.
      response.on('error', fail);
      if (response.statusCode !== 200) {
        answerOf(response, asked, () => idle.refresh()).then((answer) => finish({ how: 'refused', answer }), fail);
        return;
      }
      listener.opened();
      readLines(response, listener, () => idle.refresh()).then(() => finish({ how: 'closed' }), fail);
    });
    // What has come is still to be read.
    request.on('close', () => {
      if (!answered) finish({ how: 'closed' });
    });
    request.end();
  });
}

async function readLines(response: IncomingMessage, { line }: StreamListener, onBytes: () => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    onBytes();
    const text = decoder.write(chunk);
    const end = text.lastIndexOf('\n');
    if (end < 0) rest += text;
    else {
      for (const one of `${rest}${text.slice(0, end)}`.split('\n')) if (one !== '') line(one);
      rest = text.slice(end + 1);
    }
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new ConnectionFailure('too-large', `An event of the watch is longer than ${MAX_LINE_CHARACTERS} characters.`);
  }
}
