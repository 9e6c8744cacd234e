import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A door before a port: bytes pass as they are, until it is closed. */
export interface TcpDoor {
  readonly port: number;
  /** Ends all connections, and lets nobody in from now on. */
  shut(): void;
  open(): void;
  /** Ends all connections; new ones can be opened. */
  drop(): void;
}

export async function tcpDoor(port: number): Promise<TcpDoor> {
  const sockets = new Set<Socket>();
  let isShut = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (isShut) return void socket.destroy();
    const inner = connect(port, '127.0.0.1');
    keep(inner);
    socket.pipe(inner).pipe(socket);
    socket.once('close', () => inner.destroy());
    inner.once('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    drop();
    server.close();
    await once(server, 'close');
  });
  return {
    port: (server.address() as AddressInfo).port,
    drop,
    shut: () => {
      isShut = true;
      drop();
    },
    open: () => void (isShut = false),
  };
}
