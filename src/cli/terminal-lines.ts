import type { Interface } from 'node:readline';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Typing } from '../commands/typed-lines.ts';
import { heedInterruption } from './interruption.ts';
import type { Streams } from './streams.ts';

/** Lines typed at a terminal. Between two questions the terminal is as it was, so that Ctrl-C reaches the program. */
export function typingAt({ stdin, stderr }: Streams): Typing | undefined {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  return {
    line: (question) => heedInterruption(() => ask(question, { stdin, stderr }, false)),
    hidden: (question) => heedInterruption(() => ask(question, { stdin, stderr }, true)),
    block: () => heedInterruption(() => readBlock({ stdin, stderr })),
  };
}

/** Lets the program know of Ctrl-C before the question is given up. */
function passOn(reader: Interface): void {
  process.once('SIGINT', () => reader.close());
  process.kill(process.pid, 'SIGINT');
}

const BLOCK_LINES = 5000;

function readBlock({ stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = createInterface({ input: stdin, output: stderr, terminal: true });
    const lines: string[] = [];
    reader.once('close', () => resolve(lines.length === 0 ? undefined : lines.join('\n')));
    reader.once('SIGINT', () => {
      passOn(reader);
    });
    reader.on('line', (line) => {
      if (line.trim() === '.' || lines.length >= BLOCK_LINES) reader.close();
      else lines.push(line);
    });
  });
}

function ask(question: string, { stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'>, hides: boolean): Promise<string | undefined> {
  return new Promise((resolve) => {
    let silent = false;
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!silent) stderr.write(chunk);
        done();
      },
    });
    const reader = createInterface({ input: stdin, output, terminal: true });
    let answer: string | undefined;
    reader.once('close', () => {
      if (hides) stderr.write('\n');
      resolve(answer);
    });
    // With the terminal in hand, readline gets Ctrl-C: it is passed on as if nobody had.
    reader.once('SIGINT', () => {
      passOn(reader);
    });
    reader.question(question, (line) => {
      answer = line;
      reader.close();
    });
    silent = hides;
  });
}
