import type { Json } from '../../base/json.ts';
import { asList, asObject, dig, digAt, isJsonObject } from '../../base/json.ts';
import { withFields, withPath } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/** Without the fields of features that are off. Source: the strategies' dropDisabledFields, pkg/features/kube_features.go. */
export function withoutDisabled(key: string, object: KubeObject): KubeObject {
  const path = POD_SPECS[key];
  const pods = path === undefined ? object : withoutStopSignals(withoutProjections(withoutSchedulingGroup(object, path), path), path);
  if (path !== undefined) return key === 'statefulsets.apps' ? withPathUnset(pods, MAX_UNAVAILABLE) : pods;
  const fields = DISABLED[key];
  const spec = object['spec'];
  if (fields === undefined || !isJsonObject(spec)) return object;
  return withFields(object, { spec: withFields(spec, Object.fromEntries(fields.map((field) => [field, undefined]))) });
}

/** Of the gate MaxUnavailableStatefulSet, which is off by default. */
const MAX_UNAVAILABLE: readonly string[] = ['spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable'];

function withoutSchedulingGroup(object: KubeObject, path: readonly string[]): KubeObject {
  return withPathUnset(object, [...path, 'schedulingGroup']);
}

function withPathUnset(object: KubeObject, path: readonly string[]): KubeObject {
  return digAt(object, path) === undefined ? object : withPath(object, path, undefined);
}

/** Sources of projected volumes whose gates are off. Source: pkg/api/pod/util.go (dropDisabledFields). */
function withoutProjections(object: KubeObject, path: readonly string[]): KubeObject {
  const volumes = asList(digAt(object, [...path, 'volumes']));
  const isOff = (source: Json): boolean => dig(source, 'podCertificate') !== undefined || dig(source, 'clusterTrustBundle') !== undefined;
  if (!volumes.some((volume) => asList(dig(volume, 'projected', 'sources')).some(isOff))) return object;
  const without = volumes.map((volume) => {
    const sources = asList(dig(volume, 'projected', 'sources'));
    if (!sources.some(isOff)) return volume;
    return withPath(
      asObject(volume),
      ['projected', 'sources'],
      sources.map((one) => withFields(asObject(one), { podCertificate: undefined, clusterTrustBundle: undefined })),
    );
  });
  return withPath(object, [...path, 'volumes'], without);
}

/** Of the gate ContainerStopSignals; a lifecycle of nothing else goes along. Source: the same (dropContainerStopSignals). */
function withoutStopSignals(object: KubeObject, path: readonly string[]): KubeObject {
  let result = object;
  for (const field of ['containers', 'initContainers', 'ephemeralContainers']) {
    const containers = asList(digAt(object, [...path, field]));
    if (!containers.some((container) => dig(container, 'lifecycle', 'stopSignal') !== undefined)) continue;
    const without = containers.map((container) => {
      const { stopSignal, ...lifecycle } = asObject(dig(container, 'lifecycle'));
      if (stopSignal === undefined) return container;
      return withFields(asObject(container), { lifecycle: Object.keys(lifecycle).length === 0 ? undefined : lifecycle });
    });
    result = withPath(result, [...path, field], without);
  }
  return result;
}

/** Where pods and what makes some have them. */
const POD_SPECS: Readonly<Record<string, readonly string[]>> = {
  pods: ['spec'],
  podtemplates: ['template', 'spec'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ...Object.fromEntries(
    ['replicationcontrollers', 'replicasets.apps', 'deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch'].map((key) => [
      key,
      ['spec', 'template', 'spec'],
    ]),
  ),
};

/** Of the spec. */
const DISABLED: Readonly<Record<string, readonly string[]>> = {
  'leases.coordination.k8s.io': ['preferredHolder', 'strategy'],
  'csidrivers.storage.k8s.io': ['preventPodSchedulingIfMissing'],
};
