import { createServer } from 'node:http';
import type { ServerOptions } from 'node:https';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { listen } from './kube-server.ts';

export interface ProxyServer {
  readonly port: number;
  /** `host:port` of the tunnels asked for, and the credentials that came with them. */
  readonly asked: { readonly target: string; readonly credentials: string }[];
  close(): void;
}

/** An HTTP proxy that only tunnels, or answers with a status; behind TLS where it is given a certificate. Names are taken for loopback. */
export async function httpProxy(refuseWith?: string, tls?: ServerOptions): Promise<ProxyServer> {
  const asked: ProxyServer['asked'] = [];
  const server = tls === undefined ? createServer() : createSecureServer(tls);
  const sockets = tracked(server);
  server.on('connect', (request, client: Socket) => {
    const target = request.url ?? '';
    asked.push({ target, credentials: request.headers['proxy-authorization'] ?? '' });
    if (refuseWith !== undefined) return void client.end(`HTTP/1.1 ${refuseWith}\r\n\r\n`);
    tunnel(client, Number(target.split(':').at(-1)), () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
  });
  return { port: await listen(server), asked, close: closing(server, sockets) };
}

/** A SOCKS5 proxy (RFC 1928) that asks for a user and password when it is given some. */
export async function socksProxy(login?: string, reply = 0): Promise<ProxyServer> {
  const asked: ProxyServer['asked'] = [];
  const server = createTcpServer((client) => {
    let credentials = '';
    client.once('data', (greeting) => {
      if (login === undefined) return negotiated();
      if (!greeting.subarray(2).includes(2)) return void client.end(Buffer.from([5, 0xff]));
      client.write(Buffer.from([5, 2]));
      client.once('data', (given) => {
        const userLength = given[1] ?? 0;
        credentials = `${given.subarray(2, 2 + userLength).toString()}:${given.subarray(3 + userLength).toString()}`;
        client.write(Buffer.from([1, credentials === login ? 0 : 1]));
        client.once('data', connectTo);
      });
    });
    function negotiated(): void {
      client.write(Buffer.from([5, 0]));
      client.once('data', connectTo);
    }
    function connectTo(request: Buffer): void {
      const port = request.readUInt16BE(request.length - 2);
      asked.push({ target: `${hostIn(request)}:${port}`, credentials });
      const answer = Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
      if (reply !== 0) return void client.end(answer);
      tunnel(client, port, () => client.write(answer));
    }
  });
  const sockets = tracked(server);
  return { port: await listen(server), asked, close: closing(server, sockets) };
}

function hostIn(request: Buffer): string {
  const address = request.subarray(4, -2);
  if (request[3] === 1) return [...address].join('.');
  return request[3] === 3 ? address.subarray(1).toString() : address.toString('hex');
}

function tunnel(client: Socket, port: number, ready: () => void): void {
  const upstream = connect(port, '127.0.0.1', () => {
    ready();
    client.pipe(upstream).pipe(client);
  });
  upstream.on('error', () => client.destroy());
  upstream.on('close', () => client.destroy());
  client.on('error', () => upstream.destroy());
  client.on('close', () => upstream.destroy());
}

function tracked(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function closing(server: Server, sockets: Set<Socket>): () => void {
  return () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
}
