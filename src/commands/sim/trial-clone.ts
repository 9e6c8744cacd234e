import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Gap } from '../../model/fact.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { CloneRemark, Cluster } from '../../simulator/index.ts';
import { assumedPrograms } from './assumed-programs.ts';
import { cloneOf } from './clone-source.ts';
import type { PlacedDocument } from './manifest-scenario.ts';
import { wantedObjects } from './manifest-scenario.ts';
import { optionSeed } from './scenario-named.ts';
import { commandWord, namespaceFlag } from '../../model/placeholders.ts';

/** A clone in which manifests are tried: it has what they name where nobody looked for it. */
export interface TrialClone {
  readonly cluster: Cluster;
  /** What was not read, and what was taken to be there. */
  readonly gaps: readonly Gap[];
  readonly leftOut: readonly CloneRemark[];
}

export async function trialClone(
  reader: ClusterReader,
  documents: readonly PlacedDocument[],
  {
    namespace,
    seed,
    trace,
  }: { readonly namespace: string | undefined; readonly seed: string | undefined; readonly trace?: (line: string) => void },
): Promise<TrialClone> {
  const { clone, gaps } = await cloneOf(reader, {
    seed: optionSeed(seed),
    wanted: wantedObjects(documents, namespace),
    ...(trace === undefined ? {} : { trace }),
  });
  for (const fault of assumedPrograms(documents.map(({ object }) => object))) clone.cluster.inject(fault);
  const assumed = clone.assumed.map(({ about, why }): Gap => ({
    kind: 'reference',
    about,
    reason: `assumed to exist: ${why}`,
    needs: lookAt(about),
  }));
  return { cluster: clone.cluster, gaps: [...gaps, ...assumed], leftOut: clone.leftOut };
}

/** What would show it. A node that stands in has a name that no cluster knows. */
function lookAt({ kind, namespace, name }: ObjectRef): string {
  return kind === 'Node'
    ? 'kubectl get nodes -o yaml'
    : `kubectl${namespaceFlag(namespace)} get ${kind.toLowerCase()} ${commandWord(name)} -o yaml`;
}
