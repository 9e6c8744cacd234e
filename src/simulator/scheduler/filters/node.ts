import type { NodeInfo } from '../node-info.ts';
import { tolerates } from '../tolerations.ts';
import type { FilterPlugin, Rejection } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';

/** Source: pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go. */
export const NODE_UNSCHEDULABLE: FilterPlugin = {
  name: 'NodeUnschedulable',
  byClass: true,
  prepare: ({ spec }) => {
    if (tolerates(spec.tolerations, CORDON)) return undefined;
    return { filter: (node) => (node.unschedulable ? UNSCHEDULABLE : undefined) };
  },
};

/** Source: pkg/scheduler/framework/plugins/nodename/node_name.go. */
export const NODE_NAME: FilterPlugin = {
  name: 'NodeName',
  prepare: ({ nodeName }) => (nodeName === '' ? undefined : { filter: (node) => (node.name === nodeName ? undefined : OTHER_NAME) }),
};

/** Source: pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go. */
export const TAINT_TOLERATION: FilterPlugin = {
  name: 'TaintToleration',
  byClass: true,
  prepare: ({ spec }) => ({ filter: (node) => (hasUntoleratedTaint(node, spec.tolerations) ? TAINTED : undefined) }),
};

/** Source: pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go. */
export const NODE_AFFINITY: FilterPlugin = {
  name: 'NodeAffinity',
  prepare: ({ spec }) => {
    const { nodeMatcher, pinned } = spec;
    if (nodeMatcher === undefined) return undefined;
    if (pinned?.size === 0) return { rejection: { plugin: 'NodeAffinity', resolvable: false, reasons: [WORDS.nodeAffinityConflict] } };
    return {
      ...(pinned === undefined ? {} : { nodes: pinned }),
      filter: (node) => (nodeMatcher(node.labels, node.name) ? undefined : OTHER_LABELS),
    };
  },
};

/** Source: pkg/scheduler/framework/plugins/nodeports/node_ports.go. */
export const NODE_PORTS: FilterPlugin = {
  name: 'NodePorts',
  prepare: ({ spec }) => {
    const { ports } = spec;
    if (ports.length === 0) return undefined;
    return {
      filter: (node) => {
        for (const other of node.pods.values()) {
          for (const used of other.spec.ports) {
            if (ports.some((port) => port.port === used.port && port.protocol === used.protocol && sameAddress(port.ip, used.ip)))
              return PORTS_TAKEN;
          }
        }
        return undefined;
      },
    };
  },
};

export function hasUntoleratedTaint({ taints }: NodeInfo, tolerations: Parameters<typeof tolerates>[0]): boolean {
  return taints.some((taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(tolerations, taint));
}

const CORDON = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };
const UNSCHEDULABLE: Rejection = { plugin: 'NodeUnschedulable', resolvable: false, reasons: [WORDS.unschedulable] };
const OTHER_NAME: Rejection = { plugin: 'NodeName', resolvable: false, reasons: [WORDS.nodeName] };
const TAINTED: Rejection = { plugin: 'TaintToleration', resolvable: false, reasons: [WORDS.taints] };
const OTHER_LABELS: Rejection = { plugin: 'NodeAffinity', resolvable: false, reasons: [WORDS.nodeAffinity] };
const PORTS_TAKEN: Rejection = { plugin: 'NodePorts', resolvable: true, reasons: [WORDS.ports] };

function sameAddress(a: string, b: string): boolean {
  return a === b || a === '0.0.0.0' || b === '0.0.0.0';
}
