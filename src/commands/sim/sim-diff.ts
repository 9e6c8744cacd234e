import type { TraceDiffReport } from '../../report/simulation/trace-diff-text.ts';
import { traceDiffJson, traceDiffText } from '../../report/simulation/trace-diff-text.ts';
import { compareTraces } from '../../simulator/index.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { openTrace } from './trace-source.ts';

/** Where two traces first differ and what followed from it. Exits as `diff` does: 0 for the same, 1 for different traces. */
export async function runSimDiff(a: string, b: string, options: OutputOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'sim diff');
  const [one, other] = [await openTrace(a, context), await openTrace(b, context)];
  const divergence = compareTraces(one, other);
  const report: TraceDiffReport = { a, b, ...divergence };
  context.write(
    format === 'json' || format === 'yaml'
      ? await dataText(traceDiffJson(report), format)
      : traceDiffText(report, context.look, format === 'wide'),
  );
  return divergence.first === undefined && divergence.beginnings.length === 0 ? EXIT.healthy : EXIT.causeFound;
}
