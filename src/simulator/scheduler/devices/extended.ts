import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, asTextMap, dig } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { DeviceLedger } from './ledger.ts';

/** A claim for what a pod asks for as extended resources, and which request of it is for what. */
export interface ExtendedClaim {
  readonly claim: KubeObject;
  readonly mappings: readonly JsonObject[];
}

/** Device classes by the extended resources of the pod they stand for; undefined when there are none. */
export function extendedClasses({ spec: { requests } }: PodInfo, ledger: DeviceLedger): ReadonlyMap<string, string> | undefined {
  if (requests.scalar.size === 0 || !ledger.hasClasses) return undefined;
  const classes = [...requests.scalar].flatMap(([resource, amount]): (readonly [string, string])[] => {
    const name = amount > 0 ? ledger.classFor(resource) : undefined;
    return name === undefined ? [] : [[resource, name]];
  });
  return classes.length === 0 ? undefined : new Map(classes);
}

/**
 * The claim a pod needs on a node for those of its extended resources that no device plugin offers there. It is made when the pod
 * is bound; until then it has a name no claim can have.
 * Source: pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go (preFilterExtendedResources,
 * filterExtendedResources).
 */
export function extendedClaim(
  { pod, uid, namespace }: PodInfo,
  { allocatable }: NodeInfo,
  classes: ReadonlyMap<string, string> | undefined,
): ExtendedClaim | undefined {
  const needed = [...(classes ?? [])]
    .filter(([resource]) => (allocatable.scalar.get(resource) ?? 0) === 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (needed.length === 0) return undefined;
  const found = needed.map(([resource, className]) => requestsFor(pod, resource, className));
  const metadata = {
    name: IN_MEMORY,
    namespace,
    uid: `${IN_MEMORY}${uid}`,
    generateName: `${pod.metadata.name}-extended-resources-`,
    annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid, controller: true }],
  };
  const requests = found
    .flatMap(({ requests: own }) => own)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, className, count }) => ({ name, exactly: { deviceClassName: className, allocationMode: 'ExactCount', count } }));
  return {
    claim: { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec: { devices: { requests } } },
    mappings: found.flatMap(({ mappings }) => mappings),
  };
}

const IN_MEMORY = '<extended-resources>';

/** The claim as it is sent to the API server. */
export function toBeMade({ apiVersion, kind, spec, metadata }: KubeObject): KubeObject {
  const { namespace, generateName, annotations, ownerReferences } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { namespace, generateName, annotations, ownerReferences } as unknown as KubeObject['metadata'],
    spec,
  };
}

interface Request {
  readonly name: string;
  readonly className: string;
  readonly count: number;
}

/**
 * Init containers end before the others begin, and use the devices of those; what they need beyond that they share. Source:
 * createRequestsAndMappings.
 */
function requestsFor(
  pod: KubeObject,
  resource: string,
  className: string,
): { readonly requests: readonly Request[]; readonly mappings: readonly JsonObject[] } {
  const init = asList(dig(pod, 'spec', 'initContainers'));
  const all = [...init, ...asList(dig(pod, 'spec', 'containers'))];
  const isShort = (container: Json, index: number): boolean => index < init.length && dig(container, 'restartPolicy') !== 'Always';
  const lasting = all.map((container, index) => (isShort(container, index) ? undefined : requestOf(container, index, resource, className)));
  const mappings = lasting.flatMap((request, index) => (request === undefined ? [] : [mapping(all[index], resource, request.name)]));
  let most: Request | undefined;
  const shared: Json[] = [];
  for (const [index, container] of all.entries()) {
    const wanted = isShort(container, index) ? requestOf(container, index, resource, className) : undefined;
    if (wanted === undefined) continue;
    let had = 0;
    for (const other of lasting.slice(index)) {
      if (other === undefined || had >= wanted.count) continue;
      had += other.count;
      mappings.push(mapping(container, resource, other.name));
    }
    if (had >= wanted.count) continue;
    shared.push(container);
    if (most === undefined || most.count < wanted.count - had) most = { ...wanted, count: wanted.count - had };
  }
  if (most !== undefined) for (const container of shared) mappings.push(mapping(container, resource, most.name));
  return { requests: [...(most === undefined ? [] : [most]), ...lasting.filter((one) => one !== undefined)], mappings };
}

/** Named by the place of the container and that of the resource among its requests. */
function requestOf(container: Json, index: number, resource: string, className: string): Request | undefined {
  const asked = asTextMap(dig(container, 'resources', 'requests'));
  const count = parseInteger(asked[resource]) ?? 0;
  return count > 0
    ? { name: `container-${index}-request-${Object.keys(asked).toSorted().indexOf(resource)}`, className, count }
    : undefined;
}

function mapping(container: Json | undefined, resourceName: string, requestName: string): JsonObject {
  return { containerName: asText(dig(container, 'name')) ?? '', resourceName, requestName };
}
