import { isWorkloadKind } from '../../model/workload-kinds.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, controllerOf, labelsOf } from '../../model/kube-object.ts';

/**
 * What writes this object again, in words: `Prometheus/main`, `Helm release web`. A change that is made to the object alone lasts until
 * then. Undefined where nothing tells of it. Sources: the tracking of Argo CD (docs/user-guide/resource_tracking.md), Flux
 * (kustomize-controller and helm-controller), Helm (pkg/action/validate.go), OLM and the addon manager (cluster/addons/addon-manager).
 */
export function managedBy(object: KubeObject): string | undefined {
  const owner = controllerOf(object);
  // A static pod belongs to its node, whose file of it no server writes.
  if (owner !== undefined && !isWorkloadKind(owner.kind) && owner.kind !== 'Node') return `${owner.kind}/${owner.name}`;
  const [labels, annotations] = [labelsOf(object), annotationsOf(object)];
  for (const [key, words] of TRACKS) {
    const name = (annotations[key] ?? labels[key])?.split(':')[0];
    if (name !== undefined && name !== '') return `${words} ${name}`;
  }
  return labels['addonmanager.kubernetes.io/mode'] === 'Reconcile' ? 'the addon manager' : undefined;
}

/** Labels and annotations whose value names what an object is made from; what makes a release of Helm comes before the release. */
const TRACKS = [
  ['argocd.argoproj.io/tracking-id', 'Argo CD application'],
  ['argocd.argoproj.io/instance', 'Argo CD application'],
  ['helm.toolkit.fluxcd.io/name', 'HelmRelease'],
  ['kustomize.toolkit.fluxcd.io/name', 'Kustomization'],
  ['olm.owner', 'ClusterServiceVersion'],
  ['meta.helm.sh/release-name', 'Helm release'],
] as const;
