import { describe, expect, it } from 'vitest';
import { fieldOf, objectIn, read, refsIn } from '../../support/transcripts.ts';

describe('the describe of a node', () => {
  const node = read(`$ kubectl describe node worker-1
Name:               worker-1
Roles:              worker
Labels:             disk=ssd
                    kubernetes.io/hostname=worker-1
Annotations:        <none>
CreationTimestamp:  Tue, 10 Nov 2026 12:00:00 +0000
Taints:             dedicated=front:NoSchedule
                    node.kubernetes.io/unreachable:NoExecute
Unschedulable:      true
Lease:
  HolderIdentity:  worker-1
  AcquireTime:     <unset>
  RenewTime:       Fri, 20 Nov 2026 11:58:00 +0000
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------    -----------------                 ------------------                ------              -------
  Ready            Unknown   Fri, 20 Nov 2026 11:57:00 +0000   Fri, 20 Nov 2026 11:59:00 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
Addresses:
  InternalIP:  192.168.0.11
Capacity:
  cpu:     4
  memory:  8Gi
Allocatable:
  cpu:     3900m
  memory:  7Gi
System Info:
  Kubelet Version:            v1.31.2
PodCIDR:                      10.0.1.0/24
Non-terminated Pods:          (2 in total)
  Namespace                   Name       CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
  ---------                   ----       ------------  ----------  ---------------  -------------  ---
  shop                        web-1      250m (6%)     500m (12%)  64Mi (0%)        1Gi (14%)      24h
  kube-system                 proxy-abc  0 (0%)        0 (0%)      0 (0%)           0 (0%)         9d
Allocated resources:
  Resource           Requests   Limits
  --------           --------   ------
  cpu                250m (6%)  500m (12%)
Events:
  Type    Reason        Age   From             Message
  ----    ------        ----  ----             -------
  Normal  NodeNotReady  60s   node-controller  Node worker-1 status is now: NodeNotReady
`);

  it('is the node, with its lease', () => {
    expect(objectIn(node, 'Node/worker-1')).toMatchObject({
      spec: {
        unschedulable: true,
        taints: [
          { key: 'dedicated', value: 'front', effect: 'NoSchedule' },
          { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
        ],
      },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: 'Unknown',
            reason: 'NodeStatusUnknown',
            message: 'Kubelet stopped posting node status.',
            lastHeartbeatTime: '2026-11-20T11:57:00Z',
            lastTransitionTime: '2026-11-20T11:59:00Z',
          },
        ],
        allocatable: { cpu: '3900m', memory: '7Gi' },
        addresses: [{ type: 'InternalIP', address: '192.168.0.11' }],
        nodeInfo: { kubeletVersion: 'v1.31.2' },
      },
    });
    expect(fieldOf(node, 'Lease/kube-node-lease/worker-1', 'spec.renewTime')).toBe('2026-11-20T11:58:00Z');
  });

  it('tells what runs on it and what that requests, but makes no targets of these pods', async () => {
    expect(refsIn(node)).not.toContain('Pod/kube-system/proxy-abc');
    const on = await node.reader.list('Pod', { fieldSelector: 'spec.nodeName=worker-1' });
    expect(on).toMatchObject({
      ok: true,
      value: [
        {
          metadata: { name: 'web-1', namespace: 'shop' },
          spec: { nodeName: 'worker-1', resources: { requests: { cpu: '250m', memory: '64Mi' } } },
        },
        { metadata: { name: 'proxy-abc' } },
      ],
    });
    expect(on).not.toHaveProperty('partial');
  });

  it('has its events in the namespace default, as the node controller writes them', async () => {
    const events = await node.reader.list('Event', {
      namespace: 'default',
      fieldSelector: 'involvedObject.kind=Node,involvedObject.name=worker-1',
    });
    expect(events).toMatchObject({ ok: true, value: [{ reason: 'NodeNotReady', involvedObject: { kind: 'Node', name: 'worker-1' } }] });
    expect(events).not.toHaveProperty('partial');
  });
});

describe('conditions of a node that stand alone', () => {
  const TITLES =
    '  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message';
  const RULE =
    '  ----             ------    -----------------                 ------------------                ------              -------';
  const READY =
    '  Ready            Unknown   Fri, 20 Nov 2026 11:50:00 +0000   Fri, 20 Nov 2026 11:51:00 +0000   NodeStatusUnknown   Kubelet stopped posting node status.';

  it('are of a node without a name, or of the one above them', () => {
    for (const [above, name] of [
      ['', '<node>'],
      ['Our till is gone:', '<node>'],
      ['Name:  worker-2', 'worker-2'],
    ] as const) {
      const seen = read(`${above}\n${TITLES}\n${RULE}\n${READY}\nWhat now?\n`);
      expect(fieldOf(seen, `Node/${name}`, 'status.conditions')).toMatchObject([
        { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
      ]);
    }
  });

  it('may be one row, with tabs as kubectl of old printed them', () => {
    const text =
      '  DiskPressure \t\tTrue \tFri, 20 Nov 2026 11:50:00 +0000 \tFri, 20 Nov 2026 11:51:00 +0000 \tKubeletHasDiskPressure \t\tkubelet has disk pressure\n';
    expect(fieldOf(read(text), 'Node/<node>', 'status.conditions')).toMatchObject([{ type: 'DiskPressure', status: 'True' }]);
  });

  it('are no titles without rows', () => {
    expect(refsIn(read(`${TITLES}\n${RULE}\n`))).toEqual([]);
  });
});
