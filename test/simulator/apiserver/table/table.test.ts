import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { asList, dig } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { readJsonPath } from '../../../../src/simulator/apiserver/table/json-path.ts';
import { printerFor, tableOf } from '../../../../src/simulator/apiserver/table/table.ts';

const NOW = Date.UTC(2026, 10, 20, 9, 10, 0);
const MADE = '2026-11-20T09:00:00Z';

function row(key: string, object: JsonObject): readonly Json[] {
  const whole = {
    apiVersion: 'v1',
    kind: 'Thing',
    ...object,
    metadata: { name: 'web', namespace: 'shop', creationTimestamp: MADE, ...(object['metadata'] as JsonObject | undefined) },
  } as KubeObject;
  const table = tableOf(printerFor(key), whole, { version: 'v1', includeObject: 'None', now: NOW, columns: true });
  const [first] = asList(table['rows']);
  expect(asList(table['columnDefinitions'])).toHaveLength(asList(dig(first, 'cells')).length);
  return asList(dig(first, 'cells'));
}

const ran = (more: JsonObject): JsonObject => ({ name: 'web', ready: true, restartCount: 0, state: { running: {} }, ...more });

describe('the row of a pod', () => {
  it('says what its containers wait for, how they ended, and when they were started again', () => {
    const spec = { containers: [{ name: 'web' }], nodeName: 'worker-1' };
    const status = (one: JsonObject): JsonObject => ({
      spec,
      status: { phase: 'Running', podIPs: [{ ip: '10.0.0.7' }], containerStatuses: [ran(one)] },
    });
    expect(row('pods', status({}))).toEqual(['web', '1/1', 'Running', '0', '10m', '10.0.0.7', 'worker-1', '<none>', '<none>']);
    expect(
      row(
        'pods',
        status({
          ready: false,
          restartCount: 3,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { finishedAt: '2026-11-20T09:09:30Z' } },
        }),
      ).slice(1, 4),
    ).toEqual(['0/1', 'CrashLoopBackOff', '3 (30s ago)']);
    expect(row('pods', status({ ready: false, state: { terminated: { exitCode: 0, signal: 9 } } }))[2]).toBe('Signal:9');
  });

  it('counts sidecars and tells how far the init containers have come', () => {
    const spec = { initContainers: [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'migrate' }], containers: [{ name: 'web' }] };
    const running = { name: 'proxy', started: true, ready: true, restartCount: 0, state: { running: {} } };
    expect(
      row('pods', {
        spec,
        status: { phase: 'Pending', initContainerStatuses: [running, { name: 'migrate', restartCount: 0, state: { running: {} } }] },
      }).slice(1, 3),
    ).toEqual(['1/2', 'Init:1/2']);
    expect(
      row('pods', {
        spec,
        status: {
          phase: 'Pending',
          initContainerStatuses: [running, { name: 'migrate', restartCount: 0, state: { terminated: { exitCode: 1, reason: 'Error' } } }],
        },
      })[2],
    ).toBe('Init:Error');
  });

  it('says Terminating while it is deleted and SchedulingGated while it is held back', () => {
    expect(row('pods', { metadata: { deletionTimestamp: MADE }, status: { phase: 'Running' } })[2]).toBe('Terminating');
    expect(
      row('pods', { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] } })[2],
    ).toBe('SchedulingGated');
  });
});

describe('the rows of other kinds', () => {
  it('read as the real server writes them', () => {
    expect(
      row('services', {
        spec: {
          type: 'NodePort',
          clusterIP: '10.96.0.9',
          ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }],
          selector: { app: 'web' },
        },
      }),
    ).toEqual(['web', 'NodePort', '10.96.0.9', '<none>', '80:30080/TCP', '10m', 'app=web']);
    expect(row('services', { spec: { type: 'LoadBalancer', clusterIP: '10.96.0.9', ports: [] } }).slice(3, 5)).toEqual([
      '<pending>',
      '<none>',
    ]);
    expect(
      row('jobs.batch', { spec: { completions: 3 }, status: { succeeded: 1, startTime: '2026-11-20T09:08:00Z' } }).slice(1, 5),
    ).toEqual(['Running', '1/3', '2m', '10m']);
    expect(row('cronjobs.batch', { spec: { schedule: '*/5 * * * *', suspend: false }, status: {} }).slice(1, 7)).toEqual([
      '*/5 * * * *',
      '<none>',
      'False',
      0,
      '<none>',
      '10m',
    ]);
    expect(
      row('nodes', {
        metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } },
        spec: { unschedulable: true },
        status: { conditions: [{ type: 'Ready', status: 'Unknown' }], nodeInfo: {} },
      }).slice(1, 3),
    ).toEqual(['NotReady,SchedulingDisabled', 'control-plane']);
    expect(
      row('horizontalpodautoscalers.autoscaling', {
        spec: {
          scaleTargetRef: { kind: 'Deployment', name: 'web' },
          minReplicas: 1,
          maxReplicas: 4,
          metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
        },
      }).slice(1, 6),
    ).toEqual(['Deployment/web', 'cpu: <unknown>/80%', '1', 4, 0]);
    expect(
      row('endpointslices.discovery.k8s.io', {
        addressType: 'IPv4',
        ports: [{ port: 8080 }],
        endpoints: ['1', '2', '3', '4'].map((last) => ({ addresses: [`10.0.0.${last}`] })),
      }).slice(2, 4),
    ).toEqual(['8080', '10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...']);
    expect(
      row('certificatesigningrequests.certificates.k8s.io', {
        spec: { signerName: 'kubernetes.io/kubelet-serving', username: 'system:node:worker-1' },
        status: { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'x' },
      }).slice(2),
    ).toEqual(['kubernetes.io/kubelet-serving', 'system:node:worker-1', '<none>', 'Approved,Issued']);
    expect(
      row('persistentvolumeclaims', {
        spec: { volumeName: 'pv-1', storageClassName: 'fast', volumeMode: 'Filesystem' },
        status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
      }),
    ).toEqual(['web', 'Bound', 'pv-1', '1Gi', 'RWO', 'fast', '<unset>', '10m', 'Filesystem']);
    expect(
      row('events', {
        involvedObject: { kind: 'Pod', name: 'web-1' },
        type: 'Warning',
        reason: 'BackOff',
        message: 'Back-off\n',
        firstTimestamp: MADE,
        lastTimestamp: '2026-11-20T09:09:00Z',
        count: 4,
        source: { component: 'kubelet', host: 'worker-1' },
      }),
    ).toEqual(['60s', 'Warning', 'BackOff', 'pod/web-1', '', 'kubelet, worker-1', 'Back-off', '10m', 4, 'web']);
    expect(row('somethings.shop.example', {})).toEqual(['web', '10m']);
  });
});

describe('a JSON path of a printer column', () => {
  const object = { spec: { hosts: ['a', 'b'], 'dotted.name': 1 }, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  it('finds fields, members and what fits a filter', () => {
    expect(readJsonPath(object, '.spec.hosts[1]')).toEqual(['b']);
    expect(readJsonPath(object, '.spec.hosts[*]')).toEqual(['a', 'b']);
    expect(readJsonPath(object, '.spec.dotted\\.name')).toEqual([1]);
    expect(readJsonPath(object, '.status.conditions[?(@.type=="Ready")].status')).toEqual(['True']);
  });
  it('finds nothing where it is not understood', () => {
    expect(readJsonPath(object, '..hosts')).toEqual([]);
    expect(readJsonPath(object, '.spec.nothing.at.all')).toEqual([]);
  });
});
