import { readFile } from 'node:fs/promises';
import type { KubeconfigParts } from '../certificates/kubeconfig.ts';
import { kubeconfigSightings } from '../certificates/kubeconfig.ts';
import { findings } from '../certificates/tier-findings.ts';
import type { LoadedKubeconfig } from '../clusters/live/kubeconfig-files.ts';
import { loadKubeconfig } from '../clusters/live/kubeconfig-files.ts';
import type { CertExpiryOptions } from './cert-expiry.ts';
import type { Gathered } from './cert-expiry-sources.ts';
import type { CommandContext } from './context.ts';

/** A running cluster: its kubeconfig, what its API server serves, and what it answers. */
export async function gatherLive(options: CertExpiryOptions, context: CommandContext, say: (step: string) => void): Promise<Gathered> {
  say('reading the kubeconfig');
  const config = await loadKubeconfig(options.kubeconfig, context);
  const parts = partsOf(config, options);
  const sightings = await kubeconfigSightings(parts, { tier: 'kubeconfig', clientRole: 'kubeconfig-client', readFile: textOrError });
  return { findings: [findings('kubeconfig', sightings, 1, [])], now: context.clock(), source: parts.file, absent: {} };
}

/** The clusters and users of the chosen context, or of all. */
function partsOf(config: LoadedKubeconfig, options: CertExpiryOptions): KubeconfigParts {
  const context = config.contexts.get(options.context ?? config.currentContext ?? '');
  const isChosen = (name: string, given: string | undefined, named: string | undefined): boolean => options.allContexts === true || name === (given ?? named);
  return {
    file: config.files.join(', '),
    clusters: [...config.clusters.values()].filter(({ name }) => isChosen(name, options.cluster, context?.cluster)),
    users: [...config.users.values()].filter(({ name }) => isChosen(name, options.user, context?.user)).map((user) => ({ ...user, exec: user.exec?.command })),
  };
}

async function textOrError(path: string): Promise<string | Error> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
