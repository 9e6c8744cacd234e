import { PassThrough } from 'node:stream';
import { run } from '../../src/cli/run.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line inside the test, as a shell would with pipes on all sides and an environment of its own. */
export async function podcheck(
  argv: readonly string[],
  given: { readonly stdin?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const [out, err] = [collected(stdout), collected(stderr)];
  stdin.end(given.stdin ?? '');
  const code = await run(
    argv,
    { stdin, stdout, stderr, env: { HOME: '/nonexistent', KUBECONFIG: '/nonexistent/config', ...given.env } },
    new AbortController().signal,
  );
  stdout.end();
  stderr.end();
  return { code, out: await out, err: await err };
}

async function collected(stream: PassThrough): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
