import { spawn } from 'node:child_process';
import { printable, printableUpTo } from '../../../base/text.ts';
import { ConnectionFailure } from '../connection/connection-error.ts';
import type { CredentialOptions } from './credentials.ts';
import { killProcessTree } from './kill-process-tree.ts';
import type { ExecEntry } from './kubeconfig-entries.ts';

/** How a plugin is run. */
export interface PluginRun extends Pick<CredentialOptions, 'onPluginText' | 'pluginSeconds' | 'signal'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly interactive: boolean;
}

const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_ERROR_CHARACTERS = 600;
/** A plugin that asks a person something gets longer. */
const [TIMEOUT_SECONDS, INTERACTIVE_TIMEOUT_SECONDS] = [60, 300];

/** What the plugin wrote to its standard output, within bounds of time and size. Rejects with a ConnectionFailure that names it. */
export function pluginOutput(exec: ExecEntry, { env, interactive, onPluginText, pluginSeconds, signal }: PluginRun): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) throw pluginFailure(exec, 'it was interrupted');
    const seconds = pluginSeconds ?? (interactive ? INTERACTIVE_TIMEOUT_SECONDS : TIMEOUT_SECONDS);
    const child = spawn(exec.command, exec.args, {
      env,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
      detached: isGroup(interactive),
    });
    const output: Buffer[] = [];
    let [bytes, errors, problem] = [0, '', undefined as string | undefined];
    const listenNoMore = (): void => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const giveUp = (why: string): void => {
      problem ??= why;
      killProcessTree(child, isGroup(interactive));
      listenNoMore();
    };
    const interrupted = (): void => giveUp('it was interrupted');
    let timer = setTimeout(() => giveUp(`it did not answer within ${seconds} s`), seconds * 1000);
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupted);
    };
    signal?.addEventListener('abort', interrupted, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) giveUp(`it wrote more than ${MAX_OUTPUT_BYTES} bytes`);
      else output.push(chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-MAX_ERROR_CHARACTERS);
      if (interactive) onPluginText?.(printable(text));
    });
    child.on('error', (error) => {
      settle();
      reject(startFailure(exec, error));
    });
    // What it leaves behind may hold its output open for ever.
    child.on('exit', () => {
      clearTimeout(timer);
      timer = setTimeout(listenNoMore, LEFT_BEHIND_MILLISECONDS);
    });
    child.on('close', (code, ended) => {
      settle();
      if (code === 0 && problem === undefined) return resolve(Buffer.concat(output).toString('utf8'));
      const how = code === null ? `it was terminated by ${ended ?? 'a signal'}` : `it exited with code ${code}`;
      const said = errors.trim() === '' ? '' : `: ${printable(errors.trim())}`;
      reject(pluginFailure(exec, `${problem ?? how}${said}`));
    });
  });
}

/** How long after its end a plugin's output may still come. */
const LEFT_BEHIND_MILLISECONDS = 1000;

/** In a group of its own a plugin can be ended with all its children; one that asks a person has to stay in that of the terminal. */
function isGroup(interactive: boolean): boolean {
  return !interactive && process.platform !== 'win32';
}

function startFailure(exec: ExecEntry, error: Error): ConnectionFailure {
  const missing = 'code' in error && error.code === 'ENOENT';
  const words = missing ? 'executable not found' : error.message;
  const hint = exec.installHint === undefined ? '' : `. ${printableUpTo(exec.installHint.trim(), MAX_ERROR_CHARACTERS)}`;
  return pluginFailure(exec, `${words}${hint}`);
}

/** A failure to get credentials, which names the plugin. */
export function pluginFailure(exec: ExecEntry, words: string): ConnectionFailure {
  return new ConnectionFailure('credentials', `The credential plugin ${exec.command} returned no credentials: ${words}`);
}
