import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-error.ts';
import { printable } from '../../base/text.ts';
import { commandWord } from '../../model/placeholders.ts';
import { isPresetName } from '../../model/preset.ts';
import { POLICY } from '../../page/page-html.ts';
import { serveFiles } from '../../server/serve-files.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { pageFiles } from './page-files.ts';
import { scenarioNamed } from './scenario-named.ts';

/** Writes the playground as a folder that any static web server can serve. A folder with other files is left alone. */
export async function runSimPage({ output }: { readonly output?: string }, context: CommandContext): Promise<ExitCode> {
  if (output === undefined)
    throw new PodcheckError(
      'usage',
      'sim page needs a folder to write',
      'podcheck sim page -o FOLDER; `podcheck sim serve --page` needs none',
    );
  const folder = resolve(context.workingFolder, output);
  const files = await pageFiles(context.version ?? '');
  try {
    makeReady(folder, output);
    for (const [path, text] of files) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  } catch (error) {
    if (error instanceof PodcheckError) throw error;
    throw new PodcheckError('usage', `cannot write ${printable(output)}: ${systemReason(error)}`, 'choose another folder with -o');
  }
  context.write(
    `${printable(output)} has the playground: ${files.size} files. Serve it with any web server, for example\n\n  python3 -m http.server -d ${commandWord(output, 'folder')}\n`,
  );
  return EXIT.healthy;
}

/** Parts of an earlier page go, so that none stays that nobody needs. */
function makeReady(folder: string, output: string): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there !== undefined && !there.isDirectory())
    throw new PodcheckError('usage', `${printable(output)} is not a folder`, 'choose another one with -o');
  const names = there === undefined ? [] : readdirSync(folder);
  if (names.some((name) => !PARTS.includes(name)))
    throw new PodcheckError('usage', `${printable(output)} has other files in it`, 'choose a new or empty folder with -o');
  for (const part of PARTS) rmSync(join(folder, part), { recursive: true, force: true });
}

const PARTS: readonly string[] = ['index.html', 'page.css', 'page', 'chunks', 'data'];

export interface PlaygroundOptions {
  readonly seed?: string;
  readonly listen?: string;
  readonly shell?: boolean;
  readonly detach?: boolean;
  readonly steadyTimes?: boolean;
}

/** `sim serve --page`: serves the playground until Ctrl-C. */
export async function servePlayground(
  word: string | undefined,
  options: PlaygroundOptions,
  port: number,
  context: CommandContext,
): Promise<ExitCode> {
  if (word !== undefined && !isPresetName(word) && /\.ya?ml$/.test(word))
    throw new PodcheckError('usage', '--page takes the ID of a scenario, not a file', '`podcheck sim list` lists the IDs');
  if (word === undefined && options.seed !== undefined)
    throw new PodcheckError('usage', '--seed needs a scenario', 'name one: podcheck sim serve healthy/deployment --page --seed 7');
  if (options.shell === true || options.detach === true || options.steadyTimes === true)
    throw new PodcheckError(
      'usage',
      '--page cannot be used with --shell, --detach or --steady-times',
      'the page has its own console and clock',
    );
  const id = word === undefined ? '' : isPresetName(word) ? `clusters/${word}` : (await scenarioNamed(word)).id;
  const fragment = id === '' ? '' : `#${id}${options.seed === undefined ? '' : `@${options.seed}`}`;
  const files = await pageFiles(context.version ?? '');
  const listen = options.listen ?? '127.0.0.1';
  const served = await serveFiles(files, { port, listen, headers: { 'content-security-policy': POLICY } }).catch((error: unknown) => {
    throw new PodcheckError(
      'usage',
      `cannot listen on ${printable(listen)}:${port}: ${systemReason(error)}`,
      'choose another --port or --listen',
    );
  });
  context.write(
    `The playground is served at ${printable(served.url)}${printable(encodeURI(fragment))}\nIt runs in the browser and sends nothing anywhere. Stop it with Ctrl-C.\n`,
  );
  await new Promise<void>((done) => {
    if (context.signal.aborted) done();
    context.signal.addEventListener('abort', () => done(), { once: true });
  });
  await served.close();
  return EXIT.interrupted;
}
