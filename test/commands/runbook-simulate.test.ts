import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ran } from '../support/command-line.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

/** Shop/web asks for more than the node has; lab/probe is well, and names what nobody saved. */
const SAVED = `
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
  - { apiVersion: v1, kind: Namespace, metadata: { name: lab } }
  - apiVersion: v1
    kind: Node
    metadata: { name: worker-1, labels: { kubernetes.io/hostname: worker-1 } }
    status:
      capacity: { cpu: "4", memory: 8Gi, pods: "110" }
      allocatable: { cpu: "4", memory: 8Gi, pods: "110" }
      conditions: [{ type: Ready, status: "True" }]
  - apiVersion: v1
    kind: Pod
    metadata: { name: web, namespace: shop, uid: w1, creationTimestamp: "2026-11-20T09:00:00Z" }
    spec: { containers: [{ name: web, image: "shop/web:1", resources: { requests: { cpu: "9" } } }] }
    status:
      phase: Pending
      conditions:
        - { type: PodScheduled, status: "False", reason: Unschedulable, message: "0/1 nodes are available: 1 Insufficient cpu." }
  - apiVersion: v1
    kind: Pod
    metadata: { name: till, namespace: shop, uid: t1, creationTimestamp: "2026-11-20T09:00:00Z" }
    spec: { nodeName: worker-1, containers: [{ name: till, image: "shop/till:1" }] }
    status:
      phase: Running
      podIP: 10.128.0.7
      conditions: [{ type: Ready, status: "False" }]
      containerStatuses:
        - name: till
          image: shop/till:1
          ready: false
          restartCount: 7
          state: { waiting: { reason: CrashLoopBackOff, message: back-off 5m0s restarting failed container } }
          lastState: { terminated: { exitCode: 137, reason: OOMKilled } }
  - apiVersion: v1
    kind: Pod
    metadata: { name: probe, namespace: lab, uid: p1, creationTimestamp: "2026-11-20T09:00:00Z" }
    spec: { nodeName: worker-9, serviceAccountName: prober, containers: [{ name: probe, image: "lab/probe:1" }] }
    status: { phase: Running, conditions: [{ type: Ready, status: "True" }] }
`;

function simulated(playbook: string, target: string): Promise<Ran> {
  const folder = folderWith({ 'saved.yaml': SAVED });
  const words = ['runbook', 'run', playbook, target, '--from', join(folder, 'saved.yaml'), '--simulate'];
  return podcheck([...words, '--journal', join(folder, 'journal')]);
}

describe('a simulated run for one workload', () => {
  it('says that it would not fix it, which step is by hand, and how it began', async () => {
    const { code, out } = await simulated('scheduling', 'Pod/shop/web');
    expect(out).toContain('The playbook would not fix it: it makes no change here. The run is complete.');
    expect(out).toContain('The manual step make-room is needed: Lower requests');
    expect(out).toContain('At the start: scheduling/insufficient-resource');
    expect(code).toBe(1);
  });

  it('speaks of nothing in other namespaces', async () => {
    const { out, err } = await simulated('scheduling', 'Pod/shop/web');
    expect(err).toContain('note: Pod/*: not read');
    expect(out + err).not.toMatch(/prober|probe|worker-9|till/);
  });

  it('decides nothing where the clone does not show the cause', async () => {
    const { code, out } = await simulated('image-pull', 'Pod/shop/till');
    expect(out).toContain('Not known whether the changes would fix it. The run was aborted.');
    expect(out).toMatch(/the simulated clone does not reproduce it:[^]*\(containers\/oom-killed\)/);
    expect(code).toBe(3);
  });
});
