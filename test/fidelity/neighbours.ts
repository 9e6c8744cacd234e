import type { Instant } from '../../src/base/instant.ts';
import { formatInstant, parseInstant } from '../../src/base/instant.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { asObject } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { leaseBeat } from '../../src/simulator/components/heartbeats.ts';
import type { ForeignChange, Recording } from './recording.ts';
import type { Setups, UnmannedNode } from './setups.ts';

/** Something that others did on the cluster of a recording. */
export interface Happening {
  readonly at: Instant;
  happen(cluster: Cluster): void;
}

/**
 * What the neighbours of a recording did on the cluster they shared, in the order of time: the nodes without a machine that it lists,
 * the volumes its watch saw come, change and go, and statuses that were written by hand. Nodes and volumes make the scheduler look
 * again at what it could not place. The waits that its kubelet drew are told like what neighbours do.
 */
export function happeningsOf(recording: Recording, setups: Setups, start: Instant): readonly Happening[] {
  const nodes = listedNodes(recording, setups).map(({ at, node }): Happening => ({
    at: Math.max(at, start),
    happen: (cluster) => addNode(cluster, node),
  }));
  const volumes = recording.foreign.map((change): Happening => ({
    at: change.type === 'INITIAL' ? start : change.at - WATCH_MILLISECONDS,
    happen: (cluster) => changeVolume(cluster, change),
  }));
  const written = recording.written.map(({ at, pod }): Happening => ({
    at: at - WATCH_MILLISECONDS,
    happen: (cluster) => writeStatus(cluster, pod),
  }));
  const waits = recording.waits.map(({ from, factor }): Happening => ({
    at: Math.max(start, from - WAIT_LEAD_MILLISECONDS),
    happen: (cluster) => {
      for (const { name } of setups.machines)
        cluster.inject({ fault: 'part', part: 'machine', what: name, with: { backOffFactor: factor } });
    },
  }));
  return [...nodes, ...volumes, ...written, ...waits].sort((a, b) => a.at - b.at);
}

/** Before the start, for the container may have ended when the watch tells of it. */
const WAIT_LEAD_MILLISECONDS = 500;

/** From a change until the recorder heard of it. */
const WATCH_MILLISECONDS = 1;

function changeVolume(cluster: Cluster, { type, object }: ForeignChange): void {
  const { name } = object.metadata;
  const address = { group: '', version: 'v1', resource: 'persistentvolumes' };
  const body: JsonObject = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec: asObject(object['spec']) };
  if (type === 'INITIAL' || type === 'ADDED') cluster.request({ verb: 'create', ...address, body });
  if (type === 'MODIFIED')
    cluster.request({ verb: 'patch', ...address, name, patch: { type: 'merge', body: { spec: asObject(object['spec']) } } });
  if (type !== 'DELETED') {
    cluster.request({
      verb: 'patch',
      ...address,
      name,
      subresource: 'status',
      patch: { type: 'merge', body: { status: asObject(object['status']) } },
    });
    // Its finalizer keeps it until the volume is let go.
    if (type === 'MODIFIED' && object.metadata['deletionTimestamp'] !== undefined) cluster.request({ verb: 'delete', ...address, name });
    return;
  }
  cluster.request({ verb: 'patch', ...address, name, patch: { type: 'merge', body: { metadata: { finalizers: null } } } });
  cluster.request({ verb: 'delete', ...address, name });
}

function writeStatus(cluster: Cluster, { metadata, status }: KubeObject): void {
  const { name, namespace = '' } = metadata;
  const body: JsonObject = { status: asObject(status) };
  cluster.request({
    verb: 'patch',
    group: '',
    version: 'v1',
    resource: 'pods',
    namespace,
    name,
    subresource: 'status',
    patch: { type: 'merge', body },
  });
}

/** The nodes without a machine that a recording lists, and when they came. */
function listedNodes(recording: Recording, setups: Setups): readonly { readonly at: Instant; readonly node: UnmannedNode }[] {
  const created = new Map(
    recording.objects
      .filter(({ kind }) => kind === 'Node')
      .map(({ metadata }) => [metadata.name, parseInstant(metadata['creationTimestamp'])]),
  );
  return setups.unmanned.flatMap((node) => {
    const at = created.get(node.name);
    return at === undefined ? [] : [{ at, node }];
  });
}

function addNode(cluster: Cluster, node: UnmannedNode): void {
  const { name, taints } = node;
  cluster.heartbeats.begin(leaseBeat('kube-node-lease', name), 10_000, () => true);
  cluster.request({ verb: 'create', group: '', version: 'v1', resource: 'nodes', body: nodeObject(node, cluster.now()) });
  // Nodes are made with the taint of one that is not ready; whoever made these took it away.
  cluster.request({
    verb: 'patch',
    group: '',
    version: 'v1',
    resource: 'nodes',
    name,
    patch: { type: 'merge', body: { spec: { taints } } },
  });
}

/** A node as its kubelet would report it, without a kubelet. */
function nodeObject({ name, labels, taints, capacity }: UnmannedNode, at: number): JsonObject {
  const time = formatInstant(at);
  const conditions = READY_CONDITIONS.map(([type, status, reason, message]) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  }));
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', ...labels } },
    spec: taints.length === 0 ? {} : { taints },
    status: {
      capacity,
      allocatable: capacity,
      conditions,
      addresses: [{ type: 'Hostname', address: name }],
      nodeInfo: { kubeletVersion: 'v1.36.3', operatingSystem: 'linux', architecture: 'amd64' },
    },
  };
}

/** Source: pkg/kubelet/nodestatus/setters.go. */
const READY_CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;
