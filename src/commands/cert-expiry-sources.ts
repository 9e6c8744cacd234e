import { readFile } from 'node:fs/promises';
import type { KubeconfigParts } from '../certificates/kubeconfig.ts';
import { kubeconfigSightings } from '../certificates/kubeconfig.ts';
import { inventory } from '../certificates/inventory.ts';
import type { Sighting } from '../certificates/sighting.ts';
import type { LoadedKubeconfig } from '../clusters/live/kubeconfig-files.ts';
import type { CertificateReport, CertificateTier } from '../model/certificate.ts';
import type { CertExpiryOptions } from './cert-expiry.ts';
import type { CommandContext } from './context.ts';
import { givenTime } from './open-evidence.ts';

/** Looks wherever was asked for, and joins what was found. */
export async function certificateReport(options: CertExpiryOptions, within: number | undefined, context: CommandContext, _say: (step: string) => void): Promise<CertificateReport> {
  const { loadKubeconfig } = await import('../clusters/live/kubeconfig-files.ts');
  const config = await loadKubeconfig(options.kubeconfig, context);
  const parts = partsOf(config, options);
  const sightings: readonly Sighting[] = await kubeconfigSightings(parts, { tier: 'kubeconfig', clientRole: 'kubeconfig-client', readFile: textOrError });
  const tiers: readonly CertificateTier[] = [{ id: 'kubeconfig', state: 'CHECKED', asked: true, found: sightings.length }];
  return inventory(sightings, tiers, { now: givenTime(options.now) ?? context.clock(), within, source: parts.file });
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
