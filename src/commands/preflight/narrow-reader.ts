import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig, digAt } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { Nano } from '../../base/quantity.ts';
import { formatQuantity, parseQuantity } from '../../base/quantity.ts';
import type { ClusterReader, ListRead } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { podRequests } from '../../simulator/index.ts';
import { podSpecPath } from './cause-place.ts';

/** From so many pods on a cluster is narrowed before it is cloned: a clone starts each of them. */
const NARROWED_FROM = 500;

/**
 * A cluster without what cannot concern manifests: workloads of namespaces to which nothing is applied. What their pods request is
 * taken from what their nodes have, so that as much is free as before. One node of each size keeps a pod that stands for all of its
 * own, so that it is still known how large nodes are. Undefined where pods of other namespaces may matter by more than their room.
 */
export async function narrowedReader(reader: ClusterReader, wanted: readonly KubeObject[]): Promise<ClusterReader | undefined> {
  const [pods, nodes] = [await reader.list('Pod', {}), await reader.list('Node', {})];
  if (!pods.ok || !nodes.ok || pods.value.length < NARROWED_FROM) return undefined;
  const classes = await reader.list('PriorityClass', {});
  if (mayMeetOthers(wanted, classes)) return undefined;
  const near = await namespacesNear(reader, wanted);
  const isNear = ({ metadata }: KubeObject): boolean => near.has(metadata.namespace ?? '');
  const far = new Map<string, KubeObject[]>();
  for (const pod of pods.value) {
    const node = asText(dig(pod, 'spec', 'nodeName'));
    if (node === undefined || isNear(pod) || hasEnded(pod)) continue;
    const same = far.get(node);
    if (same === undefined) far.set(node, [pod]);
    else same.push(pod);
  }
  const { left, standing } = folded(nodes.value, far);
  const kept = [...pods.value.filter(isNear), ...standing];
  const list = async (kind: string, scope: Parameters<ClusterReader['list']>[1]): Promise<ListRead> => {
    if (kind === 'Node') return { ...nodes, value: left };
    if (kind === 'Pod')
      return { ...pods, value: kept.filter(({ metadata }) => scope.namespace === undefined || metadata.namespace === scope.namespace) };
    const read = await reader.list(kind, scope);
    return LOCAL.has(kind) && read.ok ? { ...read, value: read.value.filter(isNear) } : read;
  };
  return { ...reader, list };
}

/** Kinds whose objects matter in their own namespace only. */
const LOCAL: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicationController',
  'Service',
  'Endpoints',
  'EndpointSlice',
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'ControllerRevision',
  'ServiceAccount',
  'Secret',
]);

/** Whether manifests may push others away, keep away from them, or need something of a node that others hold beside its room. */
function mayMeetOthers(wanted: readonly KubeObject[], classes: ListRead): boolean {
  const hasDefault = classes.ok && classes.value.some((one) => one['globalDefault'] === true);
  return (
    hasDefault ||
    wanted.some((document) => {
      const spec = digAt(document, podSpecPath(document));
      const terms = JSON.stringify(dig(spec, 'affinity') ?? null);
      const ports = asList(dig(spec, 'containers')).flatMap((container) => asList(dig(container, 'ports')));
      return (
        document.kind === 'PriorityClass' ||
        document.kind === 'PersistentVolumeClaim' ||
        (document.kind === 'Service' && /nodePort"|clusterIP"/.test(JSON.stringify(document['spec'] ?? null))) ||
        dig(spec, 'priorityClassName') !== undefined ||
        dig(spec, 'hostNetwork') === true ||
        dig(spec, 'resourceClaims') !== undefined ||
        asList(dig(spec, 'volumes')).some(
          (volume) => dig(volume, 'persistentVolumeClaim') !== undefined || dig(volume, 'ephemeral') !== undefined,
        ) ||
        dig(document, 'spec', 'volumeClaimTemplates') !== undefined ||
        /namespaces"|namespaceSelector"/.test(terms) ||
        ports.some((port) => dig(port, 'hostPort') !== undefined)
      );
    })
  );
}

/** Where manifests go, and where those are who are asked about them: webhooks and aggregated APIs. */
async function namespacesNear(reader: ClusterReader, wanted: readonly KubeObject[]): Promise<ReadonlySet<string>> {
  const near = new Set(wanted.map(({ metadata }) => metadata.namespace ?? 'default'));
  for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'APIService', 'CustomResourceDefinition']) {
    const read = await reader.list(kind, {});
    for (const object of read.ok ? read.value : [])
      for (const namespace of [
        ...asList(object['webhooks']).map((webhook) => dig(webhook, 'clientConfig', 'service', 'namespace')),
        dig(object, 'spec', 'service', 'namespace'),
        dig(object, 'spec', 'conversion', 'webhook', 'clientConfig', 'service', 'namespace'),
      ])
        if (typeof namespace === 'string') near.add(namespace);
  }
  return near;
}

function hasEnded(pod: KubeObject): boolean {
  return /^(?:Succeeded|Failed)$/.test(asText(dig(pod, 'status', 'phase')) ?? '');
}

interface Folded {
  readonly left: readonly KubeObject[];
  readonly standing: readonly KubeObject[];
}

function folded(nodes: readonly KubeObject[], far: ReadonlyMap<string, readonly KubeObject[]>): Folded {
  const sizes = new Set<string>();
  const standing: KubeObject[] = [];
  const left = nodes.map((node) => {
    const { name } = node.metadata;
    const pods = far.get(name) ?? [];
    const allocatable = asObject(dig(node, 'status', 'allocatable'));
    const size = JSON.stringify(allocatable);
    const isFirst = !sizes.has(size);
    sizes.add(size);
    if (pods.length === 0) return node;
    const used = requestsOf(pods);
    if (!isFirst) return withAllocatable(node, lessened(allocatable, used.set('pods', pieces(pods.length))));
    standing.push(standIn(name, used));
    return withAllocatable(node, lessened(allocatable, new Map([['pods', pieces(pods.length - 1)]])));
  });
  return { left, standing };
}

function pieces(count: number): Nano {
  return parseQuantity(count) ?? 0n;
}

function requestsOf(pods: readonly KubeObject[]): Map<string, Nano> {
  const sum = new Map<string, Nano>();
  for (const pod of pods)
    for (const [resource, amount] of podRequests(pod, 'requests')) sum.set(resource, (sum.get(resource) ?? 0n) + amount);
  return sum;
}

function lessened(allocatable: JsonObject, used: ReadonlyMap<string, Nano>): JsonObject {
  return Object.fromEntries(
    Object.entries(allocatable).map(([resource, amount]): readonly [string, Json | undefined] => {
      const [has, taken] = [parseQuantity(amount), used.get(resource)];
      if (has === undefined || taken === undefined || taken === 0n) return [resource, amount];
      return [resource, formatQuantity(has > taken ? has - taken : 0n, 'decimal')];
    }),
  );
}

function withAllocatable(node: KubeObject, allocatable: JsonObject): KubeObject {
  return withFields(node, { status: { ...asObject(node['status']), allocatable } });
}

/** A pod that runs and requests as much as those it stands for. */
function standIn(node: string, used: ReadonlyMap<string, Nano>): KubeObject {
  const requests = Object.fromEntries([...used].map(([resource, amount]) => [resource, formatQuantity(amount, 'decimal')]));
  const name = `pods-of-${node}`.slice(0, 250);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'kube-system', uid: name },
    spec: { nodeName: node, containers: [{ name: 'pods', image: 'registry.k8s.io/pause:3.10', resources: { requests } }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
