import type { Socket } from 'node:net';
import { ConnectionFailure } from './connection-error.ts';

/**
 * Reads exact amounts from a socket during a proxy's handshake. In the protocols that follow the client speaks first, so
 * nothing of the server can be among the bytes that were not taken.
 */
export class SocketBytes {
  readonly #socket: Socket;
  #held = Buffer.alloc(0);
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #onData = (chunk: Buffer): void => {
    this.#held = Buffer.concat([this.#held, chunk]);
    this.#wake?.();
  };
  readonly #onError = (error: Error): void => this.#fail(error);
  readonly #onEnd = (): void => this.#fail(new ConnectionFailure('proxy', 'The proxy closed the connection.'));

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData).on('error', this.#onError).on('end', this.#onEnd).on('close', this.#onEnd);
  }

  /** The next `length` bytes. */
  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) await this.#more();
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** The text up to and including a mark, which must come within `limit` bytes. */
  async until(mark: string, limit: number): Promise<string> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at >= 0) return (await this.take(at + mark.length)).toString('latin1');
      if (this.#held.length > limit) throw new ConnectionFailure('proxy', `The proxy's response is longer than ${limit} bytes.`);
      await this.#more();
    }
  }

  /** Stops listening and leaves the socket flowing, as those who take it over expect it. */
  release(): void {
    this.#socket.off('data', this.#onData).off('error', this.#onError).off('end', this.#onEnd).off('close', this.#onEnd);
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#error !== undefined) return reject(this.#error);
      this.#wake = () => {
        this.#wake = undefined;
        if (this.#error === undefined) resolve();
        else reject(this.#error);
      };
    });
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#wake?.();
  }
}
