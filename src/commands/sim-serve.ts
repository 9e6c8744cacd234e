import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import { printable } from '../base/text.ts';
import type { Speed } from '../server/clock.ts';
import { checkKubeconfigFile, makeRunFolder, removeRun, runsFolder, writePrivate } from '../server/run-folder.ts';
import { startServing } from '../server/serve.ts';
import type { Cluster } from '../simulator/cluster.ts';
import { createCluster } from '../simulator/cluster.ts';
import { isPresetName } from '../simulator/presets.ts';
import { playScenario } from '../simulator/scenario/play.ts';
import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';
import { optionSeed, scenarioNamed } from './scenario-named.ts';

export interface SimServeOptions {
  readonly seed?: string;
  readonly speed?: string;
  readonly port?: string;
  readonly listen?: string;
  readonly kubeconfig?: string;
}

/** Serves a simulated cluster as the Kubernetes API until it is interrupted. */
export async function runSimServe(word: string | undefined, options: SimServeOptions, context: CommandContext): Promise<ExitCode> {
  const [speed, port, seed] = [optionSpeed(options.speed ?? '1'), optionPort(options.port), optionSeed(options.seed)];
  const wished = options.kubeconfig === undefined ? undefined : resolve(context.workingFolder, options.kubeconfig);
  if (wished !== undefined) checkKubeconfigFile(wished);
  const cluster = await clusterOf(word ?? 'three-nodes', seed);
  const { id, folder } = makeRunFolder(runsFolder(context.env, context.homeFolder));
  const kubeconfig = wished ?? join(folder, 'kubeconfig');
  const clean = (): void => {
    removeRun(folder);
    rmSync(kubeconfig, { force: true });
  };
  context.signal.addEventListener('abort', clean);
  try {
    const serving = await startServing({ cluster, speed, port, ...(options.listen === undefined ? {} : { listen: options.listen }), wall: context.clock });
    writePrivate(kubeconfig, serving.kubeconfig);
    writePrivate(join(folder, 'run.json'), `${JSON.stringify({ id, pid: process.pid, url: serving.url, kubeconfig, scenario: word ?? 'three-nodes', seed, started: new Date(context.clock()).toISOString() }, undefined, 2)}\n`);
    context.write(`${printable(word ?? 'three-nodes')} is served at ${serving.url}\n\n  export KUBECONFIG=${printable(kubeconfig)}\n  kubectl get pods -A\n\nCtrl-C ends it.\n`);
    await interruption(context.signal);
    await serving.close();
    return EXIT.interrupted;
  } finally {
    clean();
    context.signal.removeEventListener('abort', clean);
  }
}

/** A scenario as far as it goes by itself, or a preset's empty cluster. */
async function clusterOf(word: string, seed: number | string): Promise<Cluster> {
  if (isPresetName(word)) return createCluster({ seed, preset: word });
  return playScenario(await scenarioNamed(word), { seed }).cluster;
}

function optionSpeed(text: string): Speed {
  if (text === 'max') return 'max';
  const speed = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && speed > 0 && speed <= 10_000) return speed;
  throw new PodcheckError('usage', `--speed "${text}" is no speed`, 'virtual seconds to a second, as 1 or 10, or max');
}

function optionPort(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new PodcheckError('usage', `--port "${text}" is no port`, '0 to 65535; 0 takes any free one');
}

function interruption(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

