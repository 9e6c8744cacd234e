import { scanJson } from '../../report/diagnosis/scan-json.ts';
import { scanText } from '../../report/diagnosis/scan-text.ts';
import scanSchema from '../../report/schemas/scan.v1.json' with { type: 'json' };
import { scanned } from '../diagnose/scan.ts';
import { sourceFlags } from '../diagnose/source-flags.ts';
import type { Tool } from './tool.ts';
import { NAMESPACE, optionsOf } from './tool.ts';

/** All that is not well in a namespace, or in the whole cluster where the server was started for it. */
export const SCAN: Tool = {
  name: 'scan',
  title: 'All unhealthy workloads, grouped by cause',
  description: 'Lists all unhealthy objects of a namespace, or of the cluster if the server was started with -A. Each cause is one entry.',
  input: { type: 'object', additionalProperties: false, properties: { namespace: NAMESPACE } },
  output: scanSchema,
  answer: async (words, options, context) => {
    const asked = optionsOf(options, words);
    const { result } = await scanned(asked, context, () => undefined);
    return { data: scanJson(result), text: scanText(result, context.look, false, { flags: sourceFlags(asked), notes: [] }) };
  },
};
