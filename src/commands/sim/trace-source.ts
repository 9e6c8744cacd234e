import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseDuration } from '../../base/duration.ts';
import { PodcheckError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-error.ts';
import { readBounded } from '../../files/read-bounded.ts';
import { traceTime } from '../../report/simulation/trace-words.ts';
import type { RecordedTrace } from '../../simulator/index.ts';
import { endOf, readTrace } from '../../simulator/index.ts';
import type { CommandContext } from '../context.ts';

/** A longer text does not fit into one string. */
const LIMIT_BYTES = 512 * 1024 * 1024;
/** Of a pipe or a device, whose size says nothing. */
const PIPE_BYTES = 64 * 1024 * 1024;

/** The trace in a file, as `podcheck sim run --trace FILE` writes it. */
export async function openTrace(path: string, context: CommandContext): Promise<RecordedTrace> {
  return readTrace(await textOf(path, context), path);
}

async function textOf(path: string, context: CommandContext): Promise<string> {
  const file = resolve(context.workingFolder, path);
  try {
    const { size } = await stat(file);
    if (size > LIMIT_BYTES)
      throw new PodcheckError(
        'bad-input',
        `${path} is too large: ${Math.round(size / 1024 / 1024)} MB; the limit is ${LIMIT_BYTES / 1024 / 1024} MB`,
        'record a smaller cluster or a shorter run',
      );
    return (await readBounded(file, Math.max(size, PIPE_BYTES))).toString('utf8');
  } catch (error) {
    if (error instanceof PodcheckError) throw error;
    throw new PodcheckError(
      'bad-input',
      `cannot read the trace ${path}: ${systemReason(error)}`,
      'record a trace with `podcheck sim run SCENARIO --trace FILE`',
    );
  }
}

/** `--at 42s`: milliseconds since the beginning of a trace that `at` stands for; undefined when it was not given. */
export function timeInTrace(at: string | undefined, trace: RecordedTrace): number | undefined {
  if (at === undefined) return undefined;
  const seconds = parseDuration(at);
  if (seconds === undefined || seconds < 0)
    throw new PodcheckError('usage', `--at: "${at}" is not a valid time after the start`, 'for example --at 42s or --at 1m30s');
  const t = trace.up + seconds * 1000;
  const last = endOf(trace) - trace.start;
  if (t > last)
    throw new PodcheckError(
      'usage',
      `--at ${at} is after the end of ${trace.file} at ${traceTime(last - trace.up)}`,
      'leave out --at to see the end',
    );
  return t;
}
