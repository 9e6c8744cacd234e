import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { FactKind } from '../../../src/model/fact-kinds.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, objectOf, podWith } from '../../support/collected.ts';
import { proofs } from '../proofs.ts';

const READY = { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago(500) }] };
const UNREADY = { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(500) }] };
const WEB = { app: 'web' };

function labelled(pod: KubeObject, labels: JsonObject = WEB): KubeObject {
  return { ...pod, metadata: { ...pod.metadata, labels } };
}

const running = (status: JsonObject = READY): KubeObject =>
  labelled(podWith('web-1', {}, { ready: status === READY, state: { running: { startedAt: ago(900) } } }, { status }));
const node = (conditions: readonly JsonObject[], spec: JsonObject = {}): KubeObject =>
  objectOf('Node', 'worker-1', { spec, status: { conditions: [...conditions], allocatable: { cpu: '1', pods: '9' } } });
const nodeService = (spec: JsonObject, service = 'kubelet'): KubeObject =>
  objectOf('NodeService', `s-${service}`, { spec: { node: 'worker-1', service, ...spec } });
const LINES = ['first', 'E0114 second', 'third', 'E0114 fourth'];
const waiting = (spec: JsonObject = {}): KubeObject =>
  objectOf('Pod', 'web-1', {
    spec: { containers: [{ name: 'web' }], ...spec },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', lastTransitionTime: ago(9) }] },
  });
const untried = objectOf('Pod', 'web-1', { spec: { containers: [] }, status: { phase: 'Pending' } });
const claim = (spec: JsonObject = {}): KubeObject =>
  objectOf('PersistentVolumeClaim', 'till', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    status: { phase: 'Pending' },
  });
const using = waiting({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'till' } }] });

describe('what a fact about a place rests on', () => {
  it.each<readonly [FactKind, readonly KubeObject[], readonly string[]]>([
    [
      'node',
      [
        node(
          [
            { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'no network' },
            { type: 'DiskPressure', status: 'True' },
          ],
          { unschedulable: true, taints: [{ key: 'team', value: 'data', effect: 'NoSchedule' }] },
        ),
      ],
      [
        'Node/worker-1 | Node/worker-1 status | Ready=False KubeletNotReady no network DiskPressure=True unschedulable taints: team=data:NoSchedule',
      ],
    ],
    ['node', [node([{ type: 'Ready', status: 'True' }])], ['Node/worker-1 | Node/worker-1 status | Ready=True']],
    [
      'node',
      [running(UNREADY), objectOf('Node', 'worker-2', { status: {} })],
      [
        'Node/worker-2 | Node/worker-2 status | Ready=?',
        'Node/worker-1 | Node/worker-1 | node worker-1 is not among the 1 nodes of the cluster; Pod/shop/web-1 ran there',
      ],
    ],
    [
      'node-use',
      [running(UNREADY), node([{ type: 'Ready', status: 'Unknown' }])],
      ['Pod/shop/web-1 | Pod/shop/web-1 | node: worker-1, ready: false'],
    ],
    [
      'node-trouble',
      [node([{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'no network' }])],
      ['Node/worker-1 | Node/worker-1 status | Ready=False KubeletNotReady: no network'],
    ],
    [
      'node-service',
      [nodeService({ active: 'failed', sub: 'dead', lines: LINES })],
      ['Node/worker-1 | systemctl status kubelet on worker-1 | kubelet.service Active: failed (dead)\nE0114 second\nthird\nE0114 fourth'],
    ],
    [
      'node-service',
      [nodeService({ active: 'active', lines: LINES })],
      ['Node/worker-1 | systemctl status kubelet on worker-1 | kubelet.service Active: active'],
    ],
    [
      'node-service',
      [nodeService({ active: 'active', lines: LINES, seen: 'journal' })],
      ['Node/worker-1 | journal of kubelet on worker-1 | E0114 second\nE0114 fourth'],
    ],
    [
      'node-service',
      [nodeService({ active: 'unknown', lines: LINES })],
      ['Node/worker-1 | journal of kubelet on worker-1 | E0114 second\nthird\nE0114 fourth'],
    ],
    [
      'control-plane',
      [untried, nodeService({ active: 'failed', lines: LINES, seen: 'journal' }, 'kube-scheduler')],
      ['Node/worker-1 | journal of kube-scheduler on worker-1 | E0114 fourth'],
    ],
    [
      'missing-scheduler',
      [nodeService({ active: 'failed', lines: LINES }, 'kube-scheduler')],
      ['Node/worker-1 | systemctl status kube-scheduler on worker-1 | kube-scheduler.service Active: failed\nthird\nE0114 fourth'],
    ],
    [
      'unscheduled',
      [objectOf('Pod', 'web-1', { spec: { schedulerName: 'shop', schedulingGates: [{ name: 'a' }] }, status: { phase: 'Pending' } })],
      [
        'Pod/shop/web-1 | Pod/shop/web-1 status | Pending, for 120m, no event or condition of a scheduler, schedulerName: shop, schedulingGates: a',
      ],
    ],
    [
      'node-fit',
      [waiting({ nodeSelector: { disk: 'fast' } }), node([])],
      ['Pod/shop/web-1 | Node/worker-1 | its labels do not match the nodeSelector'],
    ],
    [
      'fit-summary',
      [waiting({ nodeSelector: { disk: 'fast' } }), node([])],
      ['Pod/shop/web-1 | Pod/shop/web-1 and its nodes | worker-1: its labels do not match the nodeSelector'],
    ],
    [
      'claim',
      [using, claim({ storageClassName: 'fast', volumeName: 'pv-1' })],
      [
        'PersistentVolumeClaim/shop/till | PersistentVolumeClaim/shop/till status | phase: Pending, class: fast, requests: 1Gi, access modes: ReadWriteOnce, volume: pv-1',
      ],
    ],
    [
      'claim',
      [using, claim({ storageClassName: '' })],
      [
        'PersistentVolumeClaim/shop/till | PersistentVolumeClaim/shop/till status | phase: Pending, class: <none>, requests: 1Gi, access modes: ReadWriteOnce',
      ],
    ],
    ['claim-use', [using], ['Pod/shop/web-1 | Pod/shop/web-1 | volume data uses claim till']],
    [
      'claim-volume',
      [
        using,
        claim({ storageClassName: 'fast' }),
        objectOf('PersistentVolume', 'pv-1', {
          spec: { storageClassName: 'fast', capacity: { storage: '1Mi' }, accessModes: ['ReadWriteOnce'] },
          status: { phase: 'Available' },
        }),
      ],
      ['PersistentVolume/pv-1 | PersistentVolume/pv-1 | capacity: 1Mi, access modes: ReadWriteOnce, class: fast, status: Available'],
    ],
    [
      'runtime-class',
      [waiting({ runtimeClassName: 'gvisor' }), objectOf('RuntimeClass', 'gvisor', { handler: 'runsc' })],
      ['RuntimeClass/gvisor | RuntimeClass/gvisor | handler: runsc'],
    ],
  ])('%s %#', async (kind, objects, expected) => {
    expect(await proofs(kind, ...objects)).toEqual(expected);
  });
});
