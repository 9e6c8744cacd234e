import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';

const CREATING = { state: { waiting: { reason: 'ContainerCreating' } } };

/** A pod on worker-1 none of whose containers has started. */
function waiting(volumes: readonly JsonObject[], spec: JsonObject = {}, status: JsonObject = {}): KubeObject {
  return podWith('web-1', {}, CREATING, { spec: { volumes: [...volumes], ...spec }, status: { phase: 'Pending', ...status } });
}

const DATA = { name: 'data', persistentVolumeClaim: { claimName: 'till' } };
const BOUND = objectOf('PersistentVolumeClaim', 'till', { spec: { volumeName: 'pv-1' } });

function disk(spec: JsonObject): KubeObject {
  return objectOf('PersistentVolume', 'pv-1', { spec });
}

const CSI_DISK = disk({ csi: { driver: 'disk.shop.example' } });
const DRIVER = objectOf('CSIDriver', 'disk.shop.example', { spec: {} });

describe('a volume that a pod waits for', () => {
  it.each<readonly [JsonObject, object]>([
    [
      { name: 'settings', configMap: { name: 'web' } },
      { volumeKind: 'configMap', nfs: false },
    ],
    [
      { name: 'settings', nfs: { server: 'files', path: '/' } },
      { volumeKind: 'nfs', nfs: true },
    ],
    [
      { name: 'settings', csi: { driver: 'secrets-store.csi.k8s.io' } },
      { volumeKind: 'csi', driver: 'secrets-store.csi.k8s.io', nfs: false },
    ],
  ])('is named with what it is of: %j', async (volume, fields) => {
    expect(await collected('waiting-volume', [waiting([volume])])).toEqual([{ volume: 'settings', ...fields }]);
  });

  it('has the PersistentVolume, the driver and the type that its claim is bound to', async () => {
    const claimed = { volume: 'data', volumeKind: 'persistentVolumeClaim' };
    const bound = { ...claimed, persistentVolume: 'pv-1' };
    expect(await collected('waiting-volume', [waiting([DATA]), BOUND, disk({ nfs: { server: 'files' } })])).toEqual([
      { ...bound, nfs: true },
    ]);
    expect(await collected('waiting-volume', [waiting([DATA]), objectOf('PersistentVolumeClaim', 'till', { spec: {} }), CSI_DISK])).toEqual(
      [{ ...claimed, nfs: false }],
    );
    const other = { name: 'more', persistentVolumeClaim: { claimName: 'archive' } };
    expect(await collected('waiting-volume', [waiting([other, DATA]), BOUND, CSI_DISK])).toEqual([
      { ...claimed, volume: 'more', nfs: false },
      { ...bound, driver: 'disk.shop.example', nfs: false },
    ]);
  });

  it('has a driver that is there, that is not, or of which it is not known', async () => {
    const objects = [waiting([DATA]), BOUND, CSI_DISK];
    const driverExists = async (more: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1] = {}): Promise<unknown> =>
      factsIn(await evidenceOf([...objects, ...more], around), 'waiting-volume')[0]?.['driverExists'];
    expect(await driverExists([DRIVER])).toBe(true);
    expect(await driverExists([], { none: ['CSIDriver'] })).toBe(false);
    expect(await driverExists([], { refused: ['CSIDriver'] })).toBeUndefined();
    expect(await driverExists([])).toBeUndefined();
  });

  it('is told of no pod that runs, is deleted, or has no node yet', async () => {
    const volumes = [{ name: 'settings', configMap: { name: 'web' } }];
    const running = podWith('web-1', {}, { state: { running: {} } }, { spec: { volumes } });
    const leaving = { ...waiting(volumes), metadata: { ...waiting(volumes).metadata, deletionTimestamp: '2026-01-14T08:00:00Z' } };
    const begun = { name: 'till', ready: true, restartCount: 0, state: { running: {} } };
    const begins = waiting(volumes, {}, { initContainerStatuses: [begun] });
    const bare = objectOf('Pod', 'web-1', { spec: { volumes, nodeName: 'worker-1' }, status: {} });
    for (const pod of [running, leaving, waiting(volumes, { nodeName: undefined as never }), bare, begins])
      expect(await collected('waiting-volume', [pod])).toEqual([]);
  });
});

describe('a volume that is not attached', () => {
  const silent = (seconds: number, ...more: readonly KubeObject[]): Promise<readonly unknown[]> =>
    unattached(waiting([DATA]), seconds, ...more);
  const unattached = (pod: KubeObject, seconds: number, ...more: readonly KubeObject[]): Promise<readonly unknown[]> =>
    collected('unattached-volume', [
      pod,
      scheduled(pod, seconds),
      BOUND,
      ...(more.some(({ kind }) => kind === 'PersistentVolume') ? [] : [CSI_DISK]),
      ...more,
    ]);
  const scheduled = (pod: KubeObject, seconds: number): KubeObject =>
    eventOn(pod, 'Scheduled', 'Successfully assigned shop/web-1 to worker-1', seconds, { type: 'Normal' });
  const attachment = (name: string, spec: JsonObject, status: JsonObject): KubeObject =>
    objectOf('VolumeAttachment', name, {
      spec: { nodeName: 'worker-1', source: { persistentVolumeName: 'pv-1' }, ...spec },
      status,
    });
  const WAITS = {
    volume: 'data',
    driver: 'disk.shop.example',
    detail: 'nothing was heard of the attachment of PersistentVolume pv-1 for 30s',
    seconds: 30,
  };

  it('is told once nothing was heard for half a minute after the pod got its node', async () => {
    expect(await silent(30)).toEqual([WAITS]);
    expect(await silent(29)).toEqual([]);
    expect(await collected('unattached-volume', [waiting([DATA]), BOUND, CSI_DISK])).toEqual([]);
  });

  it('is not told where something was said since, or once the sandbox is there', async () => {
    const pod = waiting([DATA]);
    expect(await silent(60, eventOn(pod, 'FailedMount', 'Unable to attach or mount volumes', 20))).toEqual([]);
    expect(await silent(60, eventOn(pod, 'FailedScheduling', '0/3 nodes are available', 90))).toMatchObject([{ seconds: 60 }]);
    const conditions = [{ type: 'PodReadyToStartContainers', status: 'True' }];
    expect(await unattached(waiting([DATA], {}, { conditions }), 60)).toEqual([]);
    const before = [{ type: 'PodReadyToStartContainers', status: 'False' }];
    expect(await unattached(waiting([DATA], {}, { conditions: before }), 60)).toHaveLength(1);
  });

  it('is told by its attachment to another node, whatever was said and forgotten', async () => {
    const conditions = [{ type: 'PodScheduled', status: 'True', lastTransitionTime: ago(7200) }];
    const pod = waiting([DATA], {}, { conditions });
    const disk = (mode: string): KubeObject => ({ ...CSI_DISK, spec: { ...(CSI_DISK['spec'] as JsonObject), accessModes: [mode] } });
    const told = async (mode: string, ...more: readonly KubeObject[]): Promise<unknown> =>
      (await collected('unattached-volume', [pod, BOUND, disk(mode), ...more])).map((fields) => fields['elsewhere']);
    const there = attachment('a', { nodeName: 'worker-9' }, { attached: true });
    expect(await told('ReadWriteOnce', there)).toEqual(['worker-9']);
    expect(await told('ReadWriteOnce', there, eventOn(pod, 'FailedMount', 'Unable to attach or mount volumes', 20))).toEqual(['worker-9']);
    expect(await told('ReadWriteMany', there)).toEqual([]);
    expect(await told('ReadWriteOnce', attachment('a', { nodeName: 'worker-9' }, { attached: false }))).toEqual([]);
    expect(await told('ReadWriteOnce', there, attachment('b', {}, { attached: false }))).toEqual([]);
    expect(await told('ReadWriteOnce', there, attachment('b', {}, { attached: true }))).toEqual([]);
  });

  it('is of a driver whose volumes are attached', async () => {
    expect(await silent(60, disk({ nfs: { server: 'files' } }))).toEqual([]);
    const driver = (spec: JsonObject): KubeObject => ({ ...DRIVER, spec });
    expect(await silent(60, driver({ attachRequired: false }))).toEqual([]);
    expect(await silent(60, driver({ attachRequired: true }))).toHaveLength(1);
    expect(await silent(60, driver({}))).toHaveLength(1);
  });

  it('is told with what the attacher answered, of this volume on this node', async () => {
    const attachError = { message: 'rpc error: code = NotFound' };
    expect(await silent(30, attachment('a', {}, { attached: false, attachError }))).toEqual([
      { ...WAITS, error: attachError.message, detail: attachError.message },
    ]);
    expect(await silent(30, attachment('a', {}, { attached: true }))).toEqual([]);
    const elsewhere = attachment('a', { nodeName: 'worker-2' }, { attached: true });
    const another = attachment('b', { source: { persistentVolumeName: 'pv-2' } }, { attached: true });
    expect(await silent(30, elsewhere, another)).toEqual([WAITS]);
  });

  it('is attached where another pod of its node runs with the claim', async () => {
    const ready = [{ type: 'PodReadyToStartContainers', status: 'True' }];
    const running = (spec: JsonObject = {}, conditions: readonly JsonObject[] = ready): KubeObject =>
      podWith(
        'web-0',
        {},
        { ready: true, state: { running: {} } },
        { spec: { volumes: [DATA], ...spec }, status: { conditions: [...conditions] } },
      );
    expect(await silent(30, running())).toEqual([]);
    expect(await silent(30, running({ volumes: [{ name: 'tmp', emptyDir: {} }, DATA] }))).toEqual([]);
    const till = { name: 'data', persistentVolumeClaim: { claimName: 'archive' } };
    for (const other of [running({ nodeName: 'worker-2' }), running({ volumes: [till] }), running({}, [])])
      expect(await silent(30, other)).toEqual([WAITS]);
  });
});
