import { describe, expect, it } from 'vitest';
import { podcheck } from '../../../support/command-line.ts';

/** A pod that wants a node with an NVMe disk, and the only node with these labels. */
function cluster(labels: string): string {
  return `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Node
    metadata: { name: worker-7, labels: { kubernetes.io/hostname: worker-7${labels} } }
    spec: {}
    status: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" }, conditions: [{ type: Ready, status: "True" }] }
  - apiVersion: v1
    kind: Pod
    metadata: { name: ledger, namespace: till, creationTimestamp: "2026-11-20T09:00:00Z" }
    spec: { schedulerName: default-scheduler, nodeSelector: { disktype: nvme }, containers: [{ name: ledger, image: "till/ledger:1" }] }
    status:
      phase: Pending
      conditions: [{ type: PodScheduled, status: "False", reason: Unschedulable, lastTransitionTime: "2026-11-20T09:00:01Z", message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector." }]
`;
}

async function commandsFor(labels: string): Promise<readonly string[]> {
  const { out } = await podcheck(['diagnose', 'pod/ledger', '-n', 'till', '--from', '-', '-o', 'json'], { stdin: cluster(labels) });
  const { causes } = JSON.parse(out) as {
    readonly causes: readonly { readonly rule: string; readonly fix: readonly { readonly run?: string }[] }[];
  };
  expect(causes[0]?.rule).toBe('scheduling/node-selector-mismatch');
  return causes[0]?.fix.flatMap(({ run }) => run ?? []) ?? [];
}

describe('the label that a pod wants of its node', () => {
  it('is given to a node where no node has its key', async () => {
    expect(await commandsFor('')).toContain('kubectl label node worker-7 disktype=nvme');
  });

  it('is given to none where nodes have it with another value: it tells what they are', async () => {
    expect((await commandsFor(', disktype: ssd')).filter((command) => command.startsWith('kubectl label'))).toEqual([]);
  });
});
