import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../base/json.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { ControlRoutes } from './control.ts';
import { openControl } from './control.ts';
import type { Run } from './run-folder.ts';
import { checkKubeconfigFile, makeRunFolder, removeRun, writePrivate } from './run-folder.ts';
import type { Serving, ServingOptions } from './serve.ts';
import { startServing } from './serve.ts';
import { controlTime } from './time-control.ts';

export interface ServedRunOptions extends ServingOptions {
  /** The folder of all runs (runsFolder). */
  readonly runs: string;
  /** The scenario or preset, as it was asked for. */
  readonly scenario: string;
  readonly seed: number | string;
  /** Where else the kubeconfig is to lie than in the run's folder; a file that is not podcheck's is refused. */
  readonly kubeconfigFile?: string;
  /** What the run can be told or asked beside `status`, `time` and `stop`. */
  readonly control?: ControlRoutes;
  /** Kept in `run.json` for whoever finds the run. */
  readonly about?: JsonObject;
  /** Called when the run is told to stop. */
  readonly stop?: () => void;
}

/** A cluster that is served, with what others find it by. */
export interface ServedRun extends Serving {
  readonly run: Run;
  /** The run's own folder: `run.json`, `audit.jsonl`, and the kubeconfig if it lies nowhere else. */
  readonly folder: string;
  /** Takes the run's files away at once: for a process that is being ended. */
  clean(): void;
}

/** Serves a cluster and enters it among the runs, so that `podcheck sim time` and all others find it. */
export async function startRun(options: ServedRunOptions): Promise<ServedRun> {
  const { runs, scenario, seed, about, kubeconfigFile } = options;
  if (kubeconfigFile !== undefined) checkKubeconfigFile(kubeconfigFile);
  const { id, folder } = await makeRunFolder(runs);
  const kubeconfig = kubeconfigFile ?? join(folder, 'kubeconfig');
  const log = createWriteStream(join(folder, 'audit.jsonl'), { flags: 'a', mode: 0o600 });
  // Where the log cannot be written (a full disk), the cluster is served all the same.
  log.on('error', () => undefined);
  const clean = (): void => {
    removeRun(folder);
    rmSync(kubeconfig, { force: true });
  };
  const audit = (entry: AuditEntry): void => {
    log.write(`${JSON.stringify(entry)}\n`);
    options.audit?.(entry);
  };
  try {
    const serving = await startServing({ ...options, audit });
    const control = await openControl(routesOf(id, serving, options), randomBytes(24).toString('base64url'));
    const { port, token } = control;
    const run: Run = { id, pid: process.pid, url: serving.url, kubeconfig, scenario, seed, started: new Date((options.wall ?? Date.now)()).toISOString(), control: { port, token }, ...(about === undefined ? {} : { about }) };
    writePrivate(kubeconfig, serving.kubeconfig);
    writePrivate(join(folder, 'run.json'), `${JSON.stringify(run, undefined, 2)}\n`);
    const close = async (): Promise<void> => {
      control.close();
      await serving.close();
      await new Promise<void>((resolve) => void log.end(() => resolve()));
      clean();
    };
    return { ...serving, run, folder, clean, close };
  } catch (error) {
    log.destroy();
    clean();
    throw error;
  }
}

function routesOf(id: string, { clock, cluster, url }: Serving, { control = {}, scenario, stop }: ServedRunOptions): ControlRoutes {
  return {
    status: () => ({ id, scenario, url, steps: cluster.steps, speed: String(clock.state().speed), paused: clock.state().paused }),
    time: (body) => controlTime(clock, body),
    stop: () => {
      // After the answer is on its way.
      setTimeout(() => stop?.(), 20);
      return { id };
    },
    ...control,
  };
}
