import { dirname, resolve } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { asText } from '../../base/json.ts';
import { printable } from '../../base/text.ts';
import { askControl } from '../../server/control.ts';
import type { Run } from '../../server/run-folder.ts';
import { liveRuns, runsFolder } from '../../server/run-folder.ts';
import { speedOf } from '../../server/time-control.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { optionMilliseconds } from './scenario-named.ts';

export interface RunOptions {
  /** Which run, by the beginning of its id. */
  readonly run?: string;
  readonly kubeconfig?: string;
}

/** Asks for the time of a served cluster, or changes how it passes. */
export async function runSimTime(words: readonly string[], options: RunOptions, context: CommandContext): Promise<ExitCode> {
  const body = wishOf(words);
  const run = await runNamed(options, context);
  const answer = await askControl(run.control, 'time', body);
  const [now, speed] = [asText(answer['now']) ?? '', asText(answer['speed']) ?? ''];
  context.write(
    `${printable(now)}, ${answer['paused'] === true ? 'paused' : speed === 'max' ? 'maximum speed' : `${printable(speed)} virtual second${speed === '1' ? '' : 's'} per second`}\n`,
  );
  return EXIT.healthy;
}

/** Ends a served cluster. */
export async function runSimStop(options: RunOptions, context: CommandContext): Promise<ExitCode> {
  const run = await runNamed(options, context);
  await askControl(run.control, 'stop');
  context.write(`stopped ${printable(run.scenario)} at ${printable(run.url)}\n`);
  return EXIT.healthy;
}

/** The run that is meant among all that are served. */
async function runNamed(options: RunOptions, context: CommandContext): Promise<Run> {
  const runs = await liveRuns(runsFolder(context.env, context.homeFolder));
  if (runs.length === 0) throw new PodcheckError('not-found', 'no simulated cluster is running', 'start one with `podcheck sim serve`');
  return runAmong(runs, options, context);
}

/** The run that is meant: the one named, the one KUBECONFIG is of, or the only one. */
export function runAmong(runs: readonly Run[], options: RunOptions, context: CommandContext): Run {
  const wanted = options.run ?? context.env['PODCHECK_RUN'];
  if (wanted !== undefined) {
    const found = runs.find(({ id }) => id.startsWith(wanted));
    if (found === undefined) throw new PodcheckError('not-found', `no run ${wanted}`, `running: ${named(runs)}`);
    return found;
  }
  const files = [options.kubeconfig ?? '', ...(context.env['KUBECONFIG'] ?? '').split(':')]
    .filter((file) => file !== '')
    .map((file) => resolve(context.workingFolder, file));
  // The trainee's files of a drill are in the folder of its run.
  const own = runs.find(({ kubeconfig }) =>
    files.some((file) => file === kubeconfig || file.startsWith(`${dirname(kubeconfig)}/trainee/`)),
  );
  if (own !== undefined) return own;
  const [only, ...more] = runs;
  if (only === undefined || more.length > 0)
    throw new PodcheckError('usage', `several runs: ${named(runs)}`, 'choose one with --run, or set KUBECONFIG to its kubeconfig');
  return only;
}

function named(runs: readonly Run[]): string {
  return runs.map(({ id, scenario }) => `${id} (${scenario})`).join(', ');
}

function wishOf([what, amount, ...more]: readonly string[]): JsonObject {
  if (more.length > 0) throw new PodcheckError('usage', `unexpected arguments: ${more.join(' ')}`, USAGE);
  switch (what) {
    case undefined:
      return {};
    case 'pause':
    case 'resume':
      return { do: what };
    case 'speed':
      return { do: what, speed: String(speedOf(amount ?? '')) };
    case 'advance':
      if (amount === undefined) throw new PodcheckError('usage', 'advance needs a duration', USAGE);
      return { do: what, milliseconds: optionMilliseconds('advance', amount) ?? 0 };
    default:
      throw new PodcheckError('usage', `unknown action "${what}"`, USAGE);
  }
}

const USAGE = 'podcheck sim time [pause | resume | speed N | advance 10m]';
