import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { PodcheckError } from '../base/errors.ts';
import { formatMilliseconds } from '../base/instant.ts';
import type { JsonObject } from '../base/json.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { Control, ControlRoutes } from './control.ts';
import { openControl } from './control.ts';
import type { Run } from './run-folder.ts';
import { checkKubeconfigFile, makeRunFolder, removeRun, writePrivate } from './run-folder.ts';
import type { Place, Serving, ServingOptions } from './serve.ts';
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
  /** When it is raised, the process is about to be ended: the run's files are taken away at once. */
  readonly interrupted?: AbortSignal;
  /** Told of the run once its files are there and clients can connect, which may be before the cluster is there. */
  readonly announce?: (run: Run) => void;
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
  const { runs, scenario, seed, about, kubeconfigFile, interrupted } = options;
  if (kubeconfigFile !== undefined) checkKubeconfigFile(kubeconfigFile);
  const { id, folder } = await makeRunFolder(runs);
  const kubeconfig = kubeconfigFile ?? join(folder, 'kubeconfig');
  const log = createWriteStream(join(folder, 'audit.jsonl'), { flags: 'a', mode: 0o600 });
  // Where the log cannot be written (a full disk), the cluster is served all the same.
  // It is there (or is not) before anything else: opened later, it would come back into a folder that is being removed.
  await new Promise<void>((resolve) => log.once('open', () => resolve()).on('error', () => resolve()));
  const clean = (): void => {
    removeRun(folder);
    rmSync(kubeconfig, { force: true });
  };
  interrupted?.addEventListener('abort', clean);
  const audit = (entry: AuditEntry): void => {
    log.write(`${JSON.stringify(entry)}\n`);
    options.audit?.(entry);
  };
  let control: Control | undefined;
  let run: Run | undefined;
  const opened = async ({ url, kubeconfig: text }: Place): Promise<void> => {
    control = await openControl(
      routesOf(id, () => served, options),
      randomBytes(24).toString('base64url'),
    );
    const { port, token } = control;
    run = {
      id,
      pid: process.pid,
      url,
      kubeconfig,
      scenario,
      seed,
      started: formatMilliseconds((options.wall ?? Date.now)()),
      control: { port, token },
      ...(about === undefined ? {} : { about }),
    };
    writePrivate(kubeconfig, text);
    writePrivate(join(folder, 'run.json'), `${JSON.stringify(run, undefined, 2)}\n`);
    options.announce?.(run);
  };
  let served: Serving | undefined;
  try {
    const serving = await startServing({ ...options, audit, opened });
    served = serving;
    assert(run !== undefined, 'a run is registered as soon as its port is open');
    const close = async (): Promise<void> => {
      control?.close();
      await serving.close();
      await new Promise<void>((resolve) => void log.end(() => resolve()));
      clean();
      interrupted?.removeEventListener('abort', clean);
    };
    return { ...serving, run, folder, clean, close };
  } catch (error) {
    control?.close();
    log.destroy();
    clean();
    interrupted?.removeEventListener('abort', clean);
    throw error;
  }
}

function routesOf(id: string, served: () => Serving | undefined, { control = {}, scenario, stop }: ServedRunOptions): ControlRoutes {
  return {
    status: () => ({ id, scenario, ...statusOf(served()) }),
    time: (body) => {
      const { clock } = served() ?? {};
      if (clock === undefined) throw new PodcheckError('bad-input', 'the cluster is still starting', 'try again in a few seconds');
      return controlTime(clock, body);
    },
    stop: () => {
      // After the answer is on its way.
      setTimeout(() => stop?.(), 20);
      return { id };
    },
    ...control,
  };
}

function statusOf(serving: Serving | undefined): JsonObject {
  if (serving === undefined) return {};
  const { clock, cluster, url } = serving;
  return { url, steps: cluster.steps, speed: String(clock.state().speed), paused: clock.state().paused };
}
