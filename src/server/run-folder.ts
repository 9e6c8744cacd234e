import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { asNumber, asText, dig } from '../base/json.ts';
import { KUBECONFIG_MARK } from './kubeconfig.ts';

/** A served cluster as others find it: `run.json` in the run's folder. */
export interface Run {
  readonly id: string;
  readonly pid: number;
  readonly url: string;
  readonly kubeconfig: string;
  /** The scenario or preset. */
  readonly scenario: string;
  readonly seed: number | string;
  /** When it was started, RFC 3339. */
  readonly started: string;
}

/** `$XDG_STATE_HOME/podcheck/runs`. */
export function runsFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const state = env['XDG_STATE_HOME'];
  return join(state === undefined || state === '' ? join(home, '.local', 'state') : state, 'podcheck', 'runs');
}

/** A new folder for a run, which only its user can read. What runs left behind that are no more is taken away first. */
export function makeRunFolder(runs: string): { readonly id: string; readonly folder: string } {
  try {
    mkdirSync(runs, { recursive: true, mode: 0o700 });
    cleanStale(runs);
    const id = randomBytes(4).toString('hex');
    const folder = join(runs, id);
    mkdirSync(folder, { mode: 0o700 });
    return { id, folder };
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot keep the run in ${runs}: ${reasonOf(error)}`, 'set XDG_STATE_HOME to a folder that can be written to');
  }
}

/** Files only their user can read. */
export function writePrivate(file: string, text: string): void {
  const opened = openSync(file, 'w', 0o600);
  try {
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

/** Refuses a file that is there and was not written by podcheck: a kubeconfig of somebody's own is never touched. */
export function checkKubeconfigFile(file: string): void {
  if (!existsSync(file)) return;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot write the kubeconfig to ${file}: ${reasonOf(error)}`);
  }
  if (text !== '' && !text.startsWith(KUBECONFIG_MARK)) throw new PodcheckError('bad-input', `${file} is there already and is not podcheck's`, 'name another file: a kubeconfig of your own is never touched');
}

/** The runs whose process is alive, the last started first. */
export function liveRuns(runs: string): readonly Run[] {
  return entriesOf(runs).flatMap((id) => {
    const run = readRun(join(runs, id));
    return run !== undefined && isAlive(run.pid) ? [run] : [];
  }).toSorted((a, b) => (a.started < b.started ? 1 : -1));
}

export function removeRun(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function cleanStale(runs: string): void {
  for (const id of entriesOf(runs)) {
    const run = readRun(join(runs, id));
    if (run === undefined || isAlive(run.pid)) continue;
    if (existsSync(run.kubeconfig) && readFileSync(run.kubeconfig, 'utf8').startsWith(KUBECONFIG_MARK)) rmSync(run.kubeconfig, { force: true });
    removeRun(join(runs, id));
  }
}

function entriesOf(runs: string): readonly string[] {
  return existsSync(runs) ? readdirSync(runs).toSorted() : [];
}

function readRun(folder: string): Run | undefined {
  let value: Json;
  try {
    value = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Json;
  } catch {
    // A run that is just being made, or something else's folder: left alone.
    return undefined;
  }
  const pid = asNumber(dig(value, 'pid'));
  const [id, url, kubeconfig] = [asText(dig(value, 'id')), asText(dig(value, 'url')), asText(dig(value, 'kubeconfig'))];
  if (pid === undefined || id === undefined || url === undefined || kubeconfig === undefined) return undefined;
  return { ...(value as unknown as Run), pid, id, url, kubeconfig };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
