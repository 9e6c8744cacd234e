import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import { parseInteger } from '../../base/number.ts';
import { printable } from '../../base/text.ts';
import type { Scenario } from '../../model/scenario.ts';
import { announced, isAwaited, launchDetached } from '../../server/launch.ts';
import { isOnPath, openShell } from '../../server/open-shell.ts';
import type { Run } from '../../server/run-folder.ts';
import { runsFolder } from '../../server/run-folder.ts';
import type { FutureCluster } from '../../server/serve.ts';
import type { ServedRun } from '../../server/served-run.ts';
import { startRun } from '../../server/served-run.ts';
import { speedOf } from '../../server/time-control.ts';
import { createCluster, DEFAULT_START, METRICS_SERVICE, playScenario } from '../../simulator/index.ts';
import { isPresetName } from '../../model/preset.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { optionSeed, scenarioNamed } from './scenario-named.ts';
import { servePlayground } from './sim-page.ts';

export interface SimServeOptions {
  readonly seed?: string;
  readonly speed?: string;
  readonly steadyTimes?: boolean;
  readonly port?: string;
  /** An address other than 127.0.0.1. */
  readonly listen?: string;
  readonly kubeconfig?: string;
  readonly shell?: boolean;
  readonly detach?: boolean;
  /** The playground: the cluster runs in the browser. */
  readonly page?: boolean;
}

/** Serves a simulated cluster as the Kubernetes API until it is interrupted, told to stop, or its shell is closed. */
export async function runSimServe(word: string | undefined, options: SimServeOptions, context: CommandContext): Promise<ExitCode> {
  const [scenario, speed, port, seed] = [
    word ?? 'three-nodes',
    speedOf(options.speed ?? '1'),
    optionPort(options.port),
    optionSeed(options.seed),
  ];
  if (options.page === true) return servePlayground(word, options, port, context);
  if (options.shell === true && options.detach === true)
    throw new PodcheckError(
      'usage',
      '--shell and --detach cannot be used together',
      'leave out --detach: the cluster stops when the shell exits',
    );
  if (options.detach === true && !isAwaited(context.env)) return detached(scenario, options, context);
  const ended = new AbortController();
  const early = options.shell !== true && !isAwaited(context.env);
  const heed = context.heedInterruption ?? ((work) => work());
  return heed(async () => {
    const served = await startRun({
      cluster: await clusterOf(scenario, seed),
      ...(early ? { announce: (run: Run) => announce(run, options, context) } : {}),
      speed,
      port,
      seed,
      scenario,
      wall: context.clock,
      steadyTimes: options.steadyTimes === true,
      runs: runsFolder(context.env, context.homeFolder),
      stop: () => ended.abort(),
      interrupted: context.signal,
      failed: (error) => context.note(`${printable(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`),
      ...(options.listen === undefined ? {} : { listen: options.listen }),
      ...(options.kubeconfig === undefined ? {} : { kubeconfigFile: resolve(context.workingFolder, options.kubeconfig) }),
    });
    try {
      return await attend(served, options, { context, ended: ended.signal });
    } finally {
      await served.close();
    }
  });
}

interface Around {
  readonly context: CommandContext;
  readonly ended: AbortSignal;
}

async function attend(served: ServedRun, options: SimServeOptions, { context, ended }: Around): Promise<ExitCode> {
  const { run } = served;
  if (isAwaited(context.env)) {
    context.write(`${JSON.stringify({ id: run.id, url: run.url, kubeconfig: run.kubeconfig })}\n`);
    await interruption([context.signal, ended]);
    return EXIT.healthy;
  }
  if (options.shell === true) {
    warnOfOthers(run, options, context);
    if (!isOnPath('kubectl', context.env)) context.note('warning: kubectl is not installed; podcheck works in the shell\n');
    context.write(
      `${printable(run.scenario)} is served at ${run.url}. In this shell, kubectl and podcheck use it; stop it with \`exit\`.\n`,
    );
    await openShell({ env: context.env, kubeconfig: run.kubeconfig, run: run.id, ended });
    return EXIT.healthy;
  }
  await interruption([context.signal, ended]);
  return context.signal.aborted ? EXIT.interrupted : EXIT.healthy;
}

/** Said as soon as clients can connect: while somebody reads it, or starts kubectl, the cluster comes up. */
function announce(run: Run, options: SimServeOptions, context: CommandContext): void {
  warnOfOthers(run, options, context);
  context.write(
    `${printable(run.scenario)} is served at ${run.url}\n\n  export KUBECONFIG=${printable(run.kubeconfig)}\n  kubectl get pods -A\n\nStop it with Ctrl-C.\n`,
  );
}

function warnOfOthers({ url }: Run, { listen }: SimServeOptions, context: CommandContext): void {
  if (listen !== undefined && !LOOPBACK.test(listen))
    context.note(`warning: ${printable(url)} can be reached from other machines; the kubeconfig gives full access to it\n`);
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** The same once more as a process of its own. */
async function detached(scenario: string, options: SimServeOptions, context: CommandContext): Promise<ExitCode> {
  const { seed, speed, port, listen, kubeconfig } = options;
  const words = Object.entries({ seed, speed, port, listen, kubeconfig }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const steady = options.steadyTimes === true ? ['--steady-times'] : [];
  const run = await launchDetached(['sim', 'serve', '--detach', ...steady, ...words, '--', scenario], context.env);
  context.write(
    `${printable(scenario)} is served at ${printable(announced(run, 'url'))}\n\n  export KUBECONFIG=${printable(announced(run, 'kubeconfig'))}\n  kubectl get pods -A\n\nStop it with \`podcheck sim stop\`.\n`,
  );
  return EXIT.healthy;
}

/** A scenario as far as it goes by itself, or a preset's empty cluster with a metrics server, so that `kubectl top` has an answer. */
async function clusterOf(word: string, seed: number | string): Promise<FutureCluster> {
  const from = DEFAULT_START;
  const surroundings = { tokenSecret: randomBytes(32).toString('hex') };
  if (isPresetName(word))
    return { from, until: from + HOUR, make: () => createCluster({ seed, preset: word, objects: [METRICS_SERVICE] }, surroundings) };
  const scenario = await scenarioNamed(word);
  return { from, until: from + HOUR + atMost(scenario), make: () => playScenario(scenario, { seed, surroundings }).cluster };
}

const HOUR = 3_600_000;

/** How long it waits on its own account, in milliseconds; whatever it waits for beside takes minutes. */
function atMost({ steps, untilMilliseconds = 0 }: Scenario): number {
  let milliseconds = untilMilliseconds;
  for (const step of steps) milliseconds += (step.atMilliseconds ?? 0) + (step.do === 'wait' ? (step.milliseconds ?? 0) : 0);
  return milliseconds;
}

function optionPort(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? parseInteger(text) : undefined;
  if (port !== undefined && port <= 65_535) return port;
  throw new PodcheckError('usage', `--port: "${text}" is not a valid port`, 'give a number from 0 to 65535; 0 means any free port');
}

function interruption(signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some(({ aborted }) => aborted)) resolve();
    for (const signal of signals) signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
