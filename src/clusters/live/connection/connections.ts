import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Instant } from '../../../base/instant.ts';
import { ConnectionFailure } from './connection-error.ts';
import type { Grant } from '../kubeconfig/credentials.ts';
import type { LiveConfig } from '../kubeconfig/live-config.ts';
import type { Dial } from './socket.ts';
import { openSocket } from './socket.ts';

/** The connection to one server: one agent for as long as the client certificate stays the same. */
export class Connections {
  opened = 0;
  /** The last attempt to connect, when it failed. */
  failure: { readonly error: unknown; readonly at: Instant } | undefined;
  readonly #config: LiveConfig;
  readonly #timeoutSeconds: number;
  readonly #clock: () => Instant;
  #closed = false;
  readonly #sockets = new Set<Socket>();
  #current: { readonly cert: string | undefined; readonly agent: Agent } | undefined;

  constructor(config: LiveConfig, timeoutSeconds: number, clock: () => Instant) {
    this.#config = config;
    this.#timeoutSeconds = timeoutSeconds;
    this.#clock = clock;
  }

  agentFor(grant: Grant): Agent {
    if (this.#current === undefined || this.#current.cert !== grant.cert) {
      this.#current?.agent.destroy();
      this.#current = { cert: grant.cert, agent: this.#agent(grant) };
    }
    return this.#current.agent;
  }

  /** For good: whoever asks for a connection afterwards gets an error. */
  close(): void {
    this.#closed = true;
    this.#current?.agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  #agent({ cert, key }: Grant): Agent {
    const { server, proxy, ca, tlsServerName, insecureSkipTlsVerify } = this.#config;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const dial: Dial = {
      server,
      ...(proxy === undefined ? {} : { proxy }),
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
      ...(tlsServerName === undefined ? {} : { serverName: tlsServerName }),
      insecureSkipTlsVerify,
      timeoutSeconds: this.#timeoutSeconds,
    };
    // The agent waits for the callback; what it is given is connected and its certificate checked.
    agent.createConnection = (_options, done) => {
      void this.#connect(dial, done);
      return undefined;
    };
    return agent;
  }

  async #connect(dial: Dial, done: ((error: Error | null, socket: Duplex) => void) | undefined): Promise<void> {
    let socket: Socket;
    try {
      socket = await this.#opened(dial);
    } catch (error) {
      this.failure = { error, at: this.#clock() };
      done?.(error instanceof Error ? error : new Error(String(error)), NO_SOCKET);
      return;
    }
    this.opened += 1;
    this.failure = undefined;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    done?.(null, socket);
  }

  async #opened(dial: Dial): Promise<Socket> {
    const socket = this.#closed ? undefined : await openSocket(dial);
    if (socket !== undefined && !this.#closed) return socket;
    socket?.destroy();
    throw new ConnectionFailure('aborted', `The connection to ${dial.server.host} was canceled.`);
  }
}

/** Node wants a socket beside the error too, and does not look at it. */
const NO_SOCKET = new Duplex();
