import { describe, expect, test } from 'vitest';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { condition, container, events, fault, logsOf, machineRoom, podOn, put, shell } from './machine-room.ts';

const MOUNT = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };

function withVolume(source: object, script = 'sleep 3600') {
  return podOn('web', shell(script, MOUNT), { volumes: [{ name: 'data', ...source }] });
}

describe('a volume that cannot be mounted', () => {
  test('for want of its ConfigMap is tried again after growing waits, as one event, and no image is pulled', () => {
    const cluster = machineRoom();
    put(cluster, withVolume({ configMap: { name: 'settings' } }));
    const times: number[] = [];
    const start = cluster.now();
    cluster.store.subscribe('events', ({ object }) => object['reason'] === 'FailedMount' && times.push(cluster.now() - start));
    cluster.advance(40_000);
    expect(events(cluster, 'web')).toEqual([
      `Warning FailedMount ×${times.length} MountVolume.SetUp failed for volume "data" : configmap "settings" not found`,
    ]);
    const gaps = times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 500) / 2);
    expect(gaps.slice(0, 6)).toEqual([0.5, 1, 2, 4, 8, 16]);
    expect(dig(container(cluster, 'web'), 'state', 'waiting')).toEqual({ reason: 'ContainerCreating' });
    expect(condition(cluster, 'web', 'PodReadyToStartContainers')).toBe('False');
    put(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { mode: 'fast' } });
    cluster.advance(60_000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
  });

  test.each([
    ['a Secret', { secret: { secretName: 'db' } }, 'secret "db" not found'],
    [
      'a key of a ConfigMap',
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'mode', path: 'mode' }] } },
      'configmap references non-existent config key: mode',
    ],
    [
      'two sources at once',
      { projected: { sources: [{ secret: { name: 'a' } }, { configMap: { name: 'b' } }] } },
      '[secret "a" not found, configmap "b" not found]',
    ],
    [
      'a socket on the machine',
      { hostPath: { path: '/run/agent.sock', type: 'Socket' } },
      'hostPath type check failed: /run/agent.sock is not a socket file',
    ],
  ])('for want of %s says so', (_, source, message) => {
    const cluster = machineRoom();
    put(cluster, withVolume(source));
    cluster.advance(1000);
    expect(events(cluster, 'web')[0]).toContain(`MountVolume.SetUp failed for volume "data" : ${message}`);
  });

  test('for want of its claim says so at every sync', () => {
    const cluster = machineRoom();
    put(cluster, withVolume({ persistentVolumeClaim: { claimName: 'orders' } }));
    // The first poll finds what the loop before it has met: 300 ms after the sync has begun.
    cluster.advance(400);
    expect(events(cluster, 'web')[0]).toBe(
      'Warning FailedMount ×1 Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC shop/orders: failed to fetch PVC from API server: persistentvolumeclaims "orders" not found',
    );
  });
});

test('what is optional may be missing', () => {
  const cluster = machineRoom();
  put(cluster, withVolume({ configMap: { name: 'settings', optional: true } }));
  cluster.advance(3000);
  expect(condition(cluster, 'web', 'Ready')).toBe('True');
});

test('the files of a ConfigMap are those its containers read, and show a change within two minutes', () => {
  const cluster = machineRoom({
    objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' }, data: { mode: 'fast' } }],
  });
  put(cluster, withVolume({ configMap: { name: 'settings' } }, 'while true; do cat /data/mode; echo; sleep 30; done'));
  cluster.advance(5000);
  put(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { mode: 'slow' } });
  cluster.advance(125_000);
  expect(logsOf(cluster, 'web')[0]).toBe('fast');
  expect(logsOf(cluster, 'web').at(-2)).toBe('slow');
});

test('a ConfigMap mounted over a file keeps the container from starting', () => {
  const cluster = machineRoom({
    objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' }, data: { passwd: 'x' } }],
  });
  put(
    cluster,
    podOn('web', shell('sleep 9', { volumeMounts: [{ name: 'data', mountPath: '/etc/passwd' }] }), {
      volumes: [{ name: 'data', configMap: { name: 'settings' } }],
    }),
  );
  cluster.advance(3000);
  expect(textOf(dig(container(cluster, 'web'), 'lastState', 'terminated', 'message'))).toMatch(
    /error mounting ".*\/volumes\/kubernetes.io~configmap\/data" to rootfs at "\/etc\/passwd": mount src=.*: not a directory$/,
  );
});

test('a CSI driver that fails is quoted until it works', () => {
  const cluster = machineRoom({
    objects: [
      { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disks.example' }, spec: { attachRequired: false } },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'disk-1' },
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: { driver: 'disks.example', volumeHandle: 'd1' } },
      },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'orders', namespace: 'shop' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'disk-1' },
      },
    ],
  });
  const claim = { group: '', version: 'v1', resource: 'persistentvolumeclaims', namespace: 'shop', name: 'orders' };
  cluster.request({ verb: 'patch', ...claim, subresource: 'status', patch: { type: 'merge', body: { status: { phase: 'Bound' } } } });
  fault(cluster, 'storage', 'disks.example', { stage: 'rpc error: code = Internal desc = disk is damaged' });
  put(cluster, withVolume({ persistentVolumeClaim: { claimName: 'orders' } }));
  cluster.advance(1000);
  expect(events(cluster, 'web')[0]).toContain(
    'MountVolume.MountDevice failed for volume "disk-1" : rpc error: code = Internal desc = disk is damaged',
  );
  fault(cluster, 'storage', 'disks.example', {});
  cluster.advance(5000);
  expect(condition(cluster, 'web', 'Ready')).toBe('True');
});

describe('a part of a volume', () => {
  const paths = (subPathExpr: string, value: string) =>
    podOn(
      'web',
      shell('echo one > /part/file; cat /data/orders/file; id', {
        env: [{ name: 'PART', value }],
        volumeMounts: [
          { name: 'data', mountPath: '/part', subPathExpr },
          { name: 'data', mountPath: '/data' },
        ],
      }),
      { volumes: [{ name: 'data', emptyDir: {} }], securityContext: { runAsUser: 1001, runAsGroup: 2002 }, restartPolicy: 'Never' },
    );

  test('can be named by a variable, is made when it is not there, and shows what is written', () => {
    const cluster = machineRoom();
    put(cluster, paths('$(PART)', 'orders'));
    cluster.advance(20_000);
    expect(logsOf(cluster, 'web')).toEqual(['one', 'uid=1001 gid=2002 groups=2002']);
  });

  test.each([
    ['/orders', 'error SubPath `/orders` must not be an absolute path'],
    ['..', "unable to provision SubPath `..`: must not contain '..'"],
  ])('cannot be %s', (value, message) => {
    const cluster = machineRoom();
    put(cluster, paths('$(PART)', value));
    cluster.advance(20_000);
    expect(dig(container(cluster, 'web'), 'state', 'waiting')).toEqual({ reason: 'CreateContainerConfigError', message });
  });
});

test('a volume shows an optional ConfigMap that is made later', () => {
  const cluster = machineRoom();
  put(cluster, withVolume({ configMap: { name: 'settings', optional: true } }, 'until cat /data/mode; do sleep 5; done'));
  cluster.advance(20_000);
  expect(condition(cluster, 'web', 'Ready')).toBe('True');
  put(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { mode: 'fast' } });
  cluster.advance(120_000);
  expect(logsOf(cluster, 'web')).toContain('fast');
});

test('what one pod writes to a directory of the machine is there for another that runs already', () => {
  const cluster = machineRoom();
  const volumes = [{ name: 'data', hostPath: { path: '/var/shop', type: 'DirectoryOrCreate' } }];
  put(cluster, podOn('reader', shell('sleep 20; cat /data/price', MOUNT), { volumes, restartPolicy: 'Never' }));
  cluster.advance(10_000);
  put(cluster, podOn('writer', shell('echo 3.99 > /data/price', MOUNT), { volumes, restartPolicy: 'Never' }));
  cluster.advance(60_000);
  expect(logsOf(cluster, 'reader')).toEqual(['3.99']);
});
