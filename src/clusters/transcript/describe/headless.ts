import type { Line } from '../clean-lines.ts';

/**
 * Keys at the left margin that only the describe of a pod or of a node has, in the order it prints them. Source:
 * staging/src/k8s.io/kubectl/pkg/describe/describe.go.
 */
const POD_KEYS =
  /^(?:Priority|Service Account|Node|Start Time|Status|IP|IPs|Controlled By|Controllers|Init Containers|Containers|Readiness Gates|Conditions|Volumes|QoS Class|QoS Tier|Node-Selectors|Tolerations):(?:\s|$)/;
const NODE_KEYS =
  /^(?:Roles|CreationTimestamp|Taints|Unschedulable|Lease|Conditions|Addresses|Capacity|Allocatable|System Info|PodCIDR|Non-terminated Pods|Allocated resources):(?:\s|$)/;

/** Whether a describe without its first lines may begin on a line that has lost its indentation. */
export function mayGoOnDescribe(text: string): boolean {
  return POD_KEYS.test(text) || NODE_KEYS.test(text);
}

const CONTAINERS = /^(?:Init )?Containers:\s*$/;
/** Marks that only one kind has. */
const OF_POD = /^\s+(?:PodScheduled|ContainersReady|Initialized|PodReadyToStartContainers)\s+(?:True|False)\b|^QoS (?:Class|Tier):\s/;
const OF_NODE =
  /^\s+(?:MemoryPressure|DiskPressure|PIDPressure)\s+(?:True|False|Unknown)\b|^(?:Non-terminated Pods|System Info|Allocatable):/;

/** The kind whose describe goes on in these lines; undefined where nothing tells, so that lines of another text are no describe. */
export function kindOfHeadless(lines: readonly Line[]): 'Pod' | 'Node' | undefined {
  if (lines.some(({ text }) => OF_NODE.test(text))) return 'Node';
  if (lines.some(({ text }) => OF_POD.test(text))) return 'Pod';
  const containers = lines.findIndex(({ text }) => CONTAINERS.test(text));
  const hasState = lines.slice(containers + 1).some(({ text }) => /^\s{2,12}(?:State|Image|Container ID):/.test(text));
  return containers >= 0 && hasState ? 'Pod' : undefined;
}
