import type { Json } from '../../../base/json.ts';
import { asTextMap, dig, digAt } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { OBSERVED, refOf, shows } from '../../../model/kube-object.ts';
import type { Scene } from '../../survey/scene.ts';
import { isDeclared, manifestsOf } from '../../request/answers/manifests.ts';
import { templateOf } from '../../objects/workloads.ts';

/**
 * A pod's spec as far as it can be known: from the pod itself, else from the template that made it, else from the manifest of its workload.
 */
export interface PodView {
  readonly pod: KubeObject;
  /** A field of the spec; `known: false` when no source shows it, so that a missing value proves nothing. */
  readonly field: (...path: readonly string[]) => { readonly value: Json | undefined; readonly known: boolean };
}

/** Sees pods through the templates of their workloads where the pods' own source is silent (a `describe` shows no affinity). */
export async function podViewer(scene: Scene): Promise<(pod: KubeObject) => PodView> {
  const manifests = await manifestsOf(scene);
  return (pod) => {
    const owner = scene.workloadOf(refOf(pod)) ?? refOf(pod);
    return viewOf(pod, scene.workload(owner), manifests.findLast(({ ref }) => isDeclared(owner, ref))?.object);
  };
}

/** The view of one pod with the workload and the manifest it came from, where they are known. */
export function viewOf(pod: KubeObject, workload?: KubeObject, manifest?: Json): PodView {
  return {
    pod,
    field: (...path) => {
      const own = digAt(pod['spec'], path);
      if (own !== undefined || pod[OBSERVED] === undefined || shows(pod, ['spec', ...path].join('.'))) return { value: own, known: true };
      const spec = workload === undefined ? undefined : digAt(templateOf(workload), ['spec', ...path]);
      if (workload !== undefined && (spec !== undefined || shows(workload, ['spec', 'template', 'spec', ...path].join('.'))))
        return { value: spec, known: true };
      if (manifest === undefined) return { value: undefined, known: false };
      return { value: digAt(podOf(manifest), ['spec', ...path]), known: true };
    },
  };
}

/** The pod a manifest describes: itself, or its template. */
function podOf(manifest: Json): Json | undefined {
  switch (dig(manifest, 'kind')) {
    case 'Pod':
      return manifest;
    case 'CronJob':
      return dig(manifest, 'spec', 'jobTemplate', 'spec', 'template');
    default:
      return dig(manifest, 'spec', 'template');
  }
}

export function nodeSelectorOf(view: PodView): { readonly labels: Readonly<Record<string, string>>; readonly known: boolean } {
  const { value, known } = view.field('nodeSelector');
  return { labels: asTextMap(value), known };
}
