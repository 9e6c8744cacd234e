import { PassThrough } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import { run } from '../../src/cli/run.ts';
import type { AttackResult } from './attack-case.ts';

/** What the worker is asked to do: a command line of which every `{dir}` is replaced. */
export interface Order {
  readonly argv: readonly string[];
  readonly stdin: string | Uint8Array;
  readonly env: Readonly<Record<string, string>>;
}

parentPort?.on('message', (order: Order) => void perform(order).then((result) => parentPort?.postMessage(result, [])));

async function perform({ argv, stdin, env }: Order): Promise<AttackResult> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env };
  const [out, err] = [collected(streams.stdout), collected(streams.stderr)];
  streams.stdin.end(stdin);
  const begun = performance.now();
  const code = await run(argv, streams, new AbortController().signal);
  const milliseconds = performance.now() - begun;
  streams.stdout.end();
  streams.stderr.end();
  return { code, out: await out, err: await err, milliseconds, megabytes: Math.round(process.memoryUsage().rss / 1_048_576) };
}

async function collected(stream: PassThrough): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
