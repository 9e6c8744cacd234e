import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { isThere } from './built-program.ts';

/** The first browser of this family that is installed; undefined without one. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => isThere(name, ['--version']));

/** A tab of a headless browser, spoken to by the DevTools protocol over two pipes: no port is opened. */
export interface Tab {
  readonly send: (method: string, parameters?: object) => Promise<Record<string, unknown>>;
  /** The value of an expression in the page. */
  readonly value: (expression: string) => Promise<unknown>;
  /** What the browser complained about: refused styles, scripts, requests. */
  readonly complaints: readonly string[];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly entry?: { readonly text: string }; readonly targetInfo?: object };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Opens a file in a browser of its own, which ends with the test. */
export async function openPage(file: string): Promise<Tab> {
  return openAddress(`file://${file}`);
}

/** The same with any address. `before` is done before the page is asked for. */
export async function openAddress(url: string, before: (tab: Tab['send']) => Promise<unknown> = async () => undefined): Promise<Tab> {
  const profile = mkdtempSync(join(tmpdir(), 'podcheck-chromium-'));
  const child = spawn(
    CHROMIUM ?? '',
    ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // Told by word, it ends its own processes first: a killed one leaves them writing into the profile.
    void send('Browser.close');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  });
  const { send, complaints } = speak(child);
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const tab = (method: string, parameters: object = {}): Promise<Record<string, unknown>> => send(method, parameters, String(sessionId));
  await tab('Log.enable');
  await tab('Page.enable');
  await before(tab);
  await tab('Page.navigate', { url });
  const value = async (expression: string): Promise<unknown> => {
    const { result } = await tab('Runtime.evaluate', { expression, returnByValue: true });
    return (result as { readonly value?: unknown }).value;
  };
  while ((await value('document.readyState + location.protocol')) !== `complete${new URL(url).protocol}`)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return { send: tab, value, complaints };
}

type Send = (method: string, parameters?: object, sessionId?: string) => Promise<Record<string, unknown>>;

function speak(child: ChildProcess): { readonly send: Send; readonly complaints: readonly string[] } {
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  let [rest, next] = ['', 1];
  output.setEncoding('utf8').on('data', (text: string) => {
    const pieces = (rest + text).split('\0');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      const message = JSON.parse(piece) as Message;
      if (message.method === 'Log.entryAdded') complaints.push(message.params?.entry?.text ?? '');
      if (message.id !== undefined) waiting.get(message.id)?.(message);
    }
  });
  const send: Send = (method, params, sessionId) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result ?? {}) : reject(new Error(`${method}: ${error.message}`)),
      );
      input.write(`${JSON.stringify({ id, method, params: params ?? {}, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    });
  return { send, complaints };
}
