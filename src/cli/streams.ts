import { fstatSync } from 'node:fs';
import { PodcheckError } from '../base/errors.ts';
import { systemReason } from '../base/system-error.ts';

/** What cli needs of the process: a test gives others. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Listens for what goes wrong with an output. A reader that goes away (`podcheck … | head`) is no error: what is written then is lost
 * in silence, and the exit code stands. The function that comes back waits until all is written, and gives any other error: a full disk.
 */
export function watchOutput(stream: NodeJS.WritableStream): () => Promise<Error | undefined> {
  let refused: NodeJS.ErrnoException | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') refused ??= error;
  });
  return async () => {
    // The error of a write is told after it, in a later turn.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    return refused;
  };
}

/** The pieces of stdin. Throws a PodcheckError where it cannot be read. */
export async function* pieces(stdin: Streams['stdin']): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // Node takes a folder for a stream without content.
    if (stdin === process.stdin && fstatSync(0).isDirectory()) throw new Error('is a directory');
    yield* stdin as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `stdin cannot be read: ${systemReason(error)}`,
      'Pipe kubectl output into podcheck, or give a file.',
    );
  }
}
