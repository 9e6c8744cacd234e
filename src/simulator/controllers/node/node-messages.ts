/**
 * Words of the node controllers. Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go, util/node/controller_utils.go,
 * tainteviction/taint_eviction.go, podgc/gc_controller.go.
 */
export const NODE_WORDS = {
  stopped: { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
  never: { reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' },
  registered: (node: string) =>
    ({ type: 'Normal', reason: 'RegisteredNode', message: `Node ${node} event: Registered Node ${node} in Controller` }) as const,
  removing: (node: string) =>
    ({ type: 'Normal', reason: 'RemovingNode', message: `Node ${node} event: Removing Node ${node} from Controller` }) as const,
  notReady: (node: string) => ({ type: 'Normal', reason: 'NodeNotReady', message: `Node ${node} status is now: NodeNotReady` }) as const,
  podNotReady: { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' } as const,
  marking: (pod: string) => ({ type: 'Normal', reason: 'TaintManagerEviction', message: `Marking for deletion Pod ${pod}` }) as const,
  cancelling: (pod: string) => ({ type: 'Normal', reason: 'TaintManagerEviction', message: `Cancelling deletion of Pod ${pod}` }) as const,
  byTaint: { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' },
  byGarbage: { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' },
  outOfService: { reason: 'DeletionByPodGC', message: 'PodGC: node is out-of-service' },
} as const;

export const NOT_READY = 'node.kubernetes.io/not-ready';
export const UNREACHABLE = 'node.kubernetes.io/unreachable';
