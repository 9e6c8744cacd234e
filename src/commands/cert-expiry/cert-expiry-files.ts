import { fileFindings } from '../../certificates/files.ts';
import type { Gathered } from './cert-expiry-sources.ts';
import type { CommandContext } from '../context.ts';

/** Files of a node: whoever runs this stands on it, or has copied them. */
export async function gatherFiles(paths: readonly string[], context: CommandContext, say: (step: string) => void): Promise<Gathered> {
  say('reading files');
  const absent = 'not checked: only files are read';
  return {
    findings: [await fileFindings(paths, context.workingFolder)],
    now: context.clock(),
    source: paths.join(', '),
    absent: { kubeconfig: absent, served: absent, api: absent, metadata: absent, nodes: absent },
  };
}
