import { preflightJson } from '../../report/preflight/preflight-json.ts';
import { preflightText as textOf } from '../../report/preflight/preflight-text.ts';
import type { Preflight } from '../../report/preflight/preflight.ts';
import type { CommandContext } from '../context.ts';
import type { FormatOf } from '../formats.ts';
import { dataText } from '../output-format.ts';

/** A preflight in the format that was asked for. */
export async function preflightText(preflight: Preflight, format: FormatOf<'preflight'>, context: CommandContext): Promise<string> {
  switch (format) {
    case 'text':
    case 'wide':
      return textOf(preflight, context.look, format === 'wide');
    case 'json':
    case 'yaml':
      return dataText(preflightJson(preflight), format);
    case 'html':
      return (await import('../../report/preflight/preflight-page.ts')).preflightPage(preflight);
    default: {
      const { preflightChecks } = await import('../../report/preflight/preflight-checks.ts');
      const { pipelineText } = await import('../pipeline-text.ts');
      return pipelineText(preflightChecks(preflight), format, preflight.at, context);
    }
  }
}
