import type { ServedResource } from '../resources.ts';

/** A kind in a group and version. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The kind a subresource speaks; that of the object itself where none is named. */
export function kindOfSubresource(resource: ServedResource, subresource: string): GroupVersionKind {
  const special = KINDS[`${resource.plural}/${subresource}`] ?? KINDS[`*/${subresource}`];
  return special ?? { group: resource.group, version: resource.version, kind: resource.kind };
}

export function verbsOfSubresource(subresource: string): readonly string[] {
  return VERBS[subresource] ?? ['get', 'patch', 'update'];
}

const CORE = { group: '', version: 'v1' };

const KINDS: Readonly<Record<string, GroupVersionKind>> = {
  '*/scale': { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  'pods/binding': { ...CORE, kind: 'Binding' },
  'pods/eviction': { group: 'policy', version: 'v1', kind: 'Eviction' },
  'pods/exec': { ...CORE, kind: 'PodExecOptions' },
  'pods/attach': { ...CORE, kind: 'PodAttachOptions' },
  'pods/portforward': { ...CORE, kind: 'PodPortForwardOptions' },
  'pods/proxy': { ...CORE, kind: 'PodProxyOptions' },
  'nodes/proxy': { ...CORE, kind: 'NodeProxyOptions' },
  'services/proxy': { ...CORE, kind: 'ServiceProxyOptions' },
  'serviceaccounts/token': { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
};

const VERBS: Readonly<Record<string, readonly string[]>> = {
  binding: ['create'],
  eviction: ['create'],
  token: ['create'],
  finalize: ['update'],
  log: ['get'],
  exec: ['create', 'get'],
  attach: ['create', 'get'],
  portforward: ['create', 'get'],
  proxy: ['create', 'delete', 'get', 'patch', 'update'],
};
