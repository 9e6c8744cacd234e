import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Json } from '../../src/base/json.ts';
import { asText, dig } from '../../src/base/json.ts';
import { kubeconfigText } from '../../src/server/kubeconfig.ts';
import { AUTHORITY, listen, servingOptions } from './kube-server.ts';

/**
 * What goes wrong with a request. Without `forwards` the server never hears of it; with it the server carries it out, and only the answer
 * is lost, cut or another.
 */
export interface Fault {
  readonly forwards?: boolean;
  /**
   * `reset` the connection, send half of the body and then reset (`cut`), say nothing (`hang`) or nothing to the purpose (`drip`), or
   * answer like this, or with what is made of the server's answer.
   */
  readonly answer: 'reset' | 'cut' | 'hang' | 'drip' | FaultyAnswer | ((answer: ServerAnswer) => FaultyAnswer);
}

export interface ServerAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface FaultyAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ProxiedRequest {
  /** Counts from 0. */
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly isDryRun: boolean;
  /** Whoever asks may give each look a name of its own. */
  readonly userAgent: string;
}

export interface FaultyProxy {
  /** Of somebody who takes the proxy for the cluster. */
  readonly kubeconfig: string;
  readonly seen: readonly ProxiedRequest[];
  close(): Promise<void>;
}

/** Stands before the cluster of a kubeconfig, with its credentials, and lets requests go wrong where `faultOf` says so at the time. */
export async function faultyProxy(kubeconfig: string, faultOf: (request: ProxiedRequest) => Fault | undefined): Promise<FaultyProxy> {
  const config = JSON.parse(kubeconfig.slice(kubeconfig.indexOf('{'))) as Json;
  const pem = (...path: readonly (string | number)[]): string => Buffer.from(asText(dig(config, ...path)) ?? '', 'base64').toString();
  const upstream: Upstream = {
    agent: new Agent({ keepAlive: true }),
    url: asText(dig(config, 'clusters', 0, 'cluster', 'server')) ?? '',
    ca: pem('clusters', 0, 'cluster', 'certificate-authority-data'),
    cert: pem('users', 0, 'user', 'client-certificate-data'),
    key: pem('users', 0, 'user', 'client-key-data'),
  };
  const seen: ProxiedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(servingOptions(), (request, response) => {
    const path = request.url ?? '/';
    const one = {
      index: seen.length,
      method: request.method ?? 'GET',
      path,
      isDryRun: path.includes('dryRun='),
      userAgent: request.headers['user-agent'] ?? '',
    };
    seen.push(one);
    void pass(request, response, upstream, faultOf(one)).catch(() => request.socket.destroy());
  });
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  const port = await listen(server);
  return {
    kubeconfig: kubeconfigText({
      url: `https://127.0.0.1:${port}`,
      authority: AUTHORITY.cert,
      user: 'eve',
      credential: { token: 'a-token' },
    }),
    seen,
    close: async () => {
      upstream.agent.destroy();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Upstream {
  readonly agent: Agent;
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

async function pass(request: IncomingMessage, response: ServerResponse, upstream: Upstream, fault: Fault | undefined): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const ask = (): Promise<ServerAnswer> => forwarded(request, Buffer.concat(chunks), upstream);
  if (fault === undefined) {
    const { status, body, headers } = await ask();
    response.writeHead(status, headers).end(body);
    return;
  }
  const { answer, forwards } = fault;
  if (answer === 'drip') return drip(response);
  const needsAnswer = answer === 'cut' || typeof answer === 'function';
  const heard = forwards === true || needsAnswer ? await ask() : { status: 500, body: Buffer.alloc(0), headers: {} };
  if (answer === 'hang') return;
  if (answer === 'reset') return void request.socket.destroy();
  if (answer === 'cut') return cutOff(heard, request, response);
  const { status, body = '', headers = {} } = typeof answer === 'function' ? answer(heard) : answer;
  response.writeHead(status, headers).end(body);
}

/** Half of the answer. */
function cutOff({ body }: ServerAnswer, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length + 1) });
  response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
}

/** Something always comes, and never the end. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.once('close', () => clearInterval(timer));
}

function forwarded(request: IncomingMessage, body: Buffer, { agent, url, ca, cert, key }: Upstream): Promise<ServerAnswer> {
  return new Promise((resolve, reject) => {
    const {
      authorization: _authorization,
      host: _host,
      connection: _connection,
      'accept-encoding': _encoding,
      ...headers
    } = request.headers;
    const sent = httpsRequest(`${url}${request.url ?? '/'}`, { method: request.method, headers, ca, cert, key, agent }, (answer) => {
      const parts: Buffer[] = [];
      answer
        .on('data', (part: Buffer) => parts.push(part))
        .on('error', reject)
        .on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            body: Buffer.concat(parts),
            headers: { 'content-type': answer.headers['content-type'] ?? 'application/json' },
          }),
        );
    });
    sent.on('error', reject).end(body);
  });
}
