import { without } from '../../base/lists.ts';

/** What a listening program says to those who connect. */
export interface Speech {
  readonly kind: 'http' | 'https' | 'grpc' | 'tcp';
  readonly respond: (path: string, caller?: Caller) => Response;
  /** Milliseconds until it may answer otherwise by itself; undefined when it will not. */
  readonly changesIn: () => number | undefined;
}

/** Who asks, and what is sent beside the path. */
export interface Caller {
  readonly ip: string;
  readonly port: number;
  readonly method?: string;
  readonly body?: string;
}

export interface Response {
  readonly status: number;
  readonly body: string;
  readonly afterMilliseconds: number;
  /** Of HTTP, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Socket {
  /** Empty for every address of its network namespace. */
  readonly address: string;
  /** 0 for a program of which nothing is known: it takes every port. */
  readonly port: number;
  readonly speech: Speech;
}

/** The listening sockets of one network namespace: a pod's, or a machine's own. */
export class NetworkNamespace {
  readonly ip: string;
  /** The machine it is on. */
  readonly node: string;
  /** The pod it is of; undefined for a machine's own. */
  readonly pod: { readonly namespace: string; readonly name: string } | undefined;
  /** Few, if any: sets of its own for each pod would be larger than all that they hold. */
  #sockets: readonly Socket[] = NONE;
  #listeners: readonly (() => void)[] = NONE;
  #changes = 0;

  constructor(ip: string, node: string, pod?: { readonly namespace: string; readonly name: string }) {
    this.ip = ip;
    this.node = node;
    this.pod = pod;
  }

  /** Opens a socket; the trouble when the port is taken. */
  open(address: string, port: number, speech: Speech): Socket | 'Address already in use' {
    for (const socket of this.#sockets) {
      if (port !== 0 && socket.port === port && (socket.address === '' || address === '' || socket.address === address))
        return 'Address already in use';
    }
    const socket: Socket = { address, port, speech };
    this.#sockets = this.#sockets.concat(socket);
    this.changed();
    return socket;
  }

  close(socket: Socket): void {
    if (!this.#sockets.includes(socket)) return;
    this.#sockets = without(this.#sockets, socket);
    this.changed();
  }

  /** Who listens on the port for connections to this address of it. */
  at(address: string, port: number): Socket | undefined {
    let every: Socket | undefined;
    for (const socket of this.#sockets) {
      if (socket.address !== '' && socket.address !== '0.0.0.0' && socket.address !== '::' && socket.address !== address) continue;
      if (socket.port === port) return socket;
      if (socket.port === 0) every = socket;
    }
    return every;
  }

  /** Counts what may change how those inside answer: sockets, files. */
  get changes(): number {
    return this.#changes;
  }

  changed(): void {
    this.#changes++;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners = this.#listeners.concat(listener);
    return () => void (this.#listeners = without(this.#listeners, listener));
  }
}

const NONE: readonly never[] = [];
