import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { asNumber, asText, dig } from '../base/json.ts';
import { systemReason, systemTrouble } from '../base/system-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { readBoundedSync } from '../files/read-bounded.ts';
import { stateFolder } from '../files/state-folder.ts';
import type { ControlAddress } from './control.ts';
import { askControl } from './control.ts';
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
  readonly control: ControlAddress;
  /** What else there is to know of it. */
  readonly about?: JsonObject;
}

/** `$XDG_STATE_HOME/podcheck/runs`. */
export function runsFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return stateFolder('runs', env, home);
}

/** A new folder for a run, which only its user can read. What runs left behind that are no more is taken away first. */
export async function makeRunFolder(runs: string): Promise<{ readonly id: string; readonly folder: string }> {
  try {
    makeFolder(runs);
    await cleanStale(runs);
    const id = randomBytes(4).toString('hex');
    const folder = join(runs, id);
    mkdirSync(folder, { mode: 0o700 });
    return { id, folder };
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `cannot save the run in ${runs}: ${systemReason(error)}`,
      'set XDG_STATE_HOME to a writable folder',
    );
  }
}

/** Files only their user can read. Throws a PodcheckError that names the file where it cannot be written. */
export function writePrivate(file: string, text: string): void {
  try {
    const opened = openSync(file, 'w', 0o600);
    try {
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot write ${file}: ${systemReason(error)}`, systemTrouble(error)?.hint);
  }
}

/** Refuses a file that is there and was not written by podcheck: a kubeconfig of somebody's own is never touched. */
export function checkKubeconfigFile(file: string): void {
  if (!existsSync(file)) return;
  let text: string;
  try {
    text = readBoundedSync(file).toString('utf8');
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot write the kubeconfig to ${file}: ${systemReason(error)}`);
  }
  if (text !== '' && !text.startsWith(KUBECONFIG_MARK))
    throw new PodcheckError(
      'bad-input',
      `${file} exists and was not written by podcheck`,
      'choose another file: podcheck never overwrites your own kubeconfig',
    );
}

/** The runs that are being served, the last started first. */
export async function liveRuns(runs: string): Promise<readonly Run[]> {
  const live: Run[] = [];
  for (const id of entriesOf(runs)) {
    const run = readRun(join(runs, id));
    if (run !== undefined && (await isServed(run))) live.push(run);
  }
  return live.toSorted((a, b) => (a.started < b.started ? 1 : -1));
}

export function removeRun(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** What a run left that was ended without being asked. */
async function cleanStale(runs: string): Promise<void> {
  for (const id of entriesOf(runs)) {
    const run = readRun(join(runs, id));
    if (run === undefined || (await isServed(run))) continue;
    if (existsSync(run.kubeconfig) && readBoundedSync(run.kubeconfig).toString('utf8').startsWith(KUBECONFIG_MARK))
      rmSync(run.kubeconfig, { force: true });
    removeRun(join(runs, id));
  }
}

/** Another process may have got the number of one that ended: only the run itself knows its token. */
async function isServed(run: Run): Promise<boolean> {
  if (!isAlive(run.pid)) return false;
  if (run.pid === process.pid) return true;
  try {
    return (await askControl(run.control, 'status', {}, PING_MILLISECONDS))['id'] === run.id;
  } catch (error) {
    // Busy is not gone.
    return reasonOf(error).includes('in time');
  }
}

const PING_MILLISECONDS = 2000;

function entriesOf(runs: string): readonly string[] {
  return existsSync(runs) ? readdirSync(runs).toSorted() : [];
}

function readRun(folder: string): Run | undefined {
  let value: Json;
  try {
    value = JSON.parse(readBoundedSync(join(folder, 'run.json')).toString('utf8')) as Json;
  } catch {
    // A run that is just being made, or something else's folder: left alone.
    return undefined;
  }
  const pid = asNumber(dig(value, 'pid'));
  const [id, url, kubeconfig] = [asText(dig(value, 'id')), asText(dig(value, 'url')), asText(dig(value, 'kubeconfig'))];
  const [port, token] = [asNumber(dig(value, 'control', 'port')), asText(dig(value, 'control', 'token'))];
  if (pid === undefined || id === undefined || url === undefined || kubeconfig === undefined || port === undefined || token === undefined)
    return undefined;
  return { ...(value as unknown as Run), pid, id, url, kubeconfig, control: { port, token } };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
