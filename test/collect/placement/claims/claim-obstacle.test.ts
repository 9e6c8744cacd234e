import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { judgeClaim } from '../../../../src/collect/placement/claims/claim-obstacle.ts';
import { readEvent } from '../../../../src/collect/events/events.ts';
import type { ClaimSpec } from '../../../../src/collect/placement/claims/claim-spec.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { shippedRules } from '../../../../src/catalog/bundled-data.ts';
import { vocabularyOf } from '../../../../src/collect/survey/vocabulary.ts';

const vocabulary = vocabularyOf(await shippedRules());

/** What the words of the volume controller about a class say. */
function toldOf(name: string) {
  return [vocabulary.read('claim', `storageclass.storage.k8s.io "${name}" not found`, 'event')?.fields ?? {}];
}

const CLAIM: KubeObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'db-data', namespace: 'shop', uid: 'uid-1' },
  status: { phase: 'Pending' },
};
const SPEC: ClaimSpec = {
  class: 'manual',
  requested: 1024n ** 3n * 1_000_000_000n,
  requestedText: '1Gi',
  accessModes: ['ReadWriteOnce'],
  selector: [],
  volumeMode: 'Filesystem',
  volumeName: undefined,
};

function volume(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { ...metadata, name },
    spec: { storageClassName: 'manual', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
    status: { phase: 'Available' },
  };
}

function obstacleOf(volumes: readonly KubeObject[], more: Partial<Parameters<typeof judgeClaim>[0]> = {}): string {
  const judged = judgeClaim({
    claim: CLAIM,
    spec: SPEC,
    volumes: { ok: true, value: volumes },
    storageClass: { ok: false, why: 'absent', detail: 'StorageClass/manual does not exist' },
    driver: undefined,
    events: [],
    told: [],
    eventsWhole: true,
    ageSeconds: 600,
    dumped: false,
    refused: false,
    ...more,
  });
  return judged.nearest === undefined ? judged.obstacle : `${judged.obstacle} ${judged.nearest.volume.metadata.name}`;
}

describe('what stands between a claim and a volume', () => {
  it('is the one thing that keeps the nearest volume from it', () => {
    expect(obstacleOf([volume('pv-1', { capacity: { storage: '500Mi' } })])).toBe('capacity pv-1');
    expect(obstacleOf([volume('pv-1', { accessModes: ['ReadOnlyMany'] })])).toBe('access-mode pv-1');
    expect(obstacleOf([volume('pv-1', { volumeMode: 'Block' })])).toBe('volume-mode pv-1');
    expect(obstacleOf([volume('pv-1', { storageClassName: 'other' })])).toBe('class pv-1');
    expect(obstacleOf([volume('pv-1', { claimRef: { namespace: 'shop', name: 'cache-data' } })])).toBe('reserved pv-1');
  });

  it('is no volume that a claim of another namespace uses, where no class joins them', () => {
    const used = volume('pv-1', { storageClassName: '', claimRef: { namespace: 'till', name: 'cache-data' } });
    const near = volume('pv-1', { storageClassName: '', claimRef: { namespace: 'shop', name: 'cache-data' } });
    const spec = { ...SPEC, class: '' };
    expect(obstacleOf([used], { spec })).toBe('no-volume pv-1');
    expect(obstacleOf([near], { spec })).toBe('reserved pv-1');
    expect(obstacleOf([{ ...used, status: { phase: 'Released' } }], { spec })).toBe('reserved pv-1');
    expect(obstacleOf([used], { spec: { ...spec, volumeName: 'pv-1' } })).toBe('reserved pv-1');
  });

  it('is the provisioner whose words alone were kept', () => {
    const unseen = { ok: false, why: 'not-collected', detail: '' } as const;
    const around = { volumes: unseen, storageClass: unseen };
    expect(obstacleOf([], { ...around, told: [{ obstacle: 'provisioning-failed' }] })).toBe('provisioning-failed');
    expect(obstacleOf([], { ...around, told: [{ obstacle: 'class-not-found' }] })).toBe('unknown');
  });

  it('is preferably something the author of the claim can put right', () => {
    const taken = volume('pv-1', { claimRef: { namespace: 'shop', name: 'cache-data' } });
    expect(obstacleOf([taken, volume('pv-2', { capacity: { storage: '500Mi' } })])).toBe('capacity pv-2');
  });

  it('is the lack of a volume when each has several faults', () => {
    expect(obstacleOf([volume('pv-1', { capacity: { storage: '500Mi' }, accessModes: ['ReadOnlyMany'] })])).toBe('no-volume pv-1');
    expect(obstacleOf([], { spec: { ...SPEC, class: '' }, storageClass: undefined })).toBe('no-volume');
  });

  it('is the class only when nothing else of that class exists', () => {
    expect(obstacleOf([])).toBe('class-not-found');
    expect(obstacleOf([volume('pv-1', { capacity: { storage: '500Mi' }, accessModes: ['ReadOnlyMany'] })])).toBe('no-volume pv-1');
  });

  it('is never a volume that a provisioner made for another claim', () => {
    const made = volume(
      'pv-1',
      { claimRef: { namespace: 'shop', name: 'cache-data' } },
      { annotations: { 'pv.kubernetes.io/provisioned-by': 'disk.csi.example' } },
    );
    expect(obstacleOf([made])).toBe('class-not-found');
  });

  it('is nobody when a volume fits: the binder only needs a moment', () => {
    expect(obstacleOf([volume('pv-1')])).toBe('waiting pv-1');
  });

  it('is the place of the volume when the scheduler found none to bind', () => {
    expect(obstacleOf([volume('pv-1')], { refused: true })).toBe('node-affinity pv-1');
  });

  it('is not guessed from a class that could not be read', () => {
    const unread = { ok: false as const, why: 'forbidden' as const, detail: 'forbidden' };
    expect(obstacleOf([], { storageClass: unread, volumes: unread })).toBe('unknown');
  });

  it('is the class without volumes seen only where these would be in the dump, or where nobody makes them by hand', () => {
    const unread = { ok: false as const, why: 'not-collected' as const, detail: 'persistentvolumes were not collected' };
    const absent = { ok: false as const, why: 'absent' as const, detail: 'no such class' };
    expect(obstacleOf([], { storageClass: absent, volumes: unread })).toBe('unknown');
    expect(obstacleOf([], { storageClass: absent, volumes: unread, dumped: true })).toBe('class-not-found');
    const standard = { storageClass: absent, volumes: unread, spec: { ...SPEC, class: 'standard' } };
    expect(obstacleOf([], { ...standard, told: toldOf('standard') })).toBe('class-not-found');
    expect(obstacleOf([], { ...standard })).toBe('unknown');
    expect(obstacleOf([], { storageClass: absent, volumes: unread, told: toldOf('manual') })).toBe('unknown');
  });

  it('is no volume where the only one is that of a sibling, as it should be', () => {
    const second = { ...CLAIM, metadata: { ...CLAIM.metadata, name: 'db-data-1' } };
    const heldBy = (name: string, namespace = 'shop'): KubeObject => volume('pv-1', { claimRef: { namespace, name } });
    expect(obstacleOf([heldBy('db-data-0')], { claim: second })).toBe('no-volume pv-1');
    expect(obstacleOf([heldBy('till-data-0')], { claim: second })).toBe('reserved pv-1');
    expect(obstacleOf([heldBy('db-data-0', 'till')], { claim: second })).toBe('reserved pv-1');
    expect(obstacleOf([heldBy('db-data-0')])).toBe('reserved pv-1');
  });

  it('is what keeps it from a volume though it waited for its consumer before', () => {
    const waited = readEvent({ apiVersion: 'v1', kind: 'Event', metadata: { name: 'db-data.1' }, reason: 'WaitForFirstConsumer' });
    const unread = { ok: false as const, why: 'not-collected' as const, detail: 'persistentvolumes were not collected' };
    expect(obstacleOf([volume('pv-1')], { refused: true, events: [waited] })).toBe('node-affinity pv-1');
    expect(obstacleOf([volume('pv-1', { capacity: { storage: '500Mi' } })], { events: [waited] })).toBe('capacity pv-1');
    expect(obstacleOf([], { volumes: unread, storageClass: unread, events: [waited], refused: true })).toBe('no-volume');
    expect(obstacleOf([], { volumes: unread, storageClass: unread, events: [waited] })).toBe('waiting');
  });

  it('is that its volume was lost, whatever else is', () => {
    const lost = { ...CLAIM, status: { phase: 'Lost' } };
    expect(obstacleOf([volume('pv-1')], { claim: lost })).toBe('lost');
  });

  it('is not told of volumes that are only partly seen, unless one of those fits', () => {
    const some = (...value: readonly KubeObject[]): string => obstacleOf([], { volumes: { ok: true, value, partial: 'cut' } });
    expect(some()).toBe('unknown');
    expect(some(volume('pv-1', { capacity: { storage: '500Mi' } }))).toBe('unknown');
    expect(some(volume('pv-1'))).toBe('waiting pv-1');
  });

  it('is the class only where the claim names one', () => {
    for (const name of ['', undefined]) expect(obstacleOf([], { spec: { ...SPEC, class: name } })).toBe('no-volume');
    expect(obstacleOf([], { storageClass: { ok: false, why: 'forbidden', detail: '' } })).toBe('no-volume');
  });

  it('waits for its first consumer without blame', () => {
    const late: KubeObject = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'manual' },
      provisioner: 'disk.csi.example',
      volumeBindingMode: 'WaitForFirstConsumer',
    };
    expect(obstacleOf([], { storageClass: { ok: true, value: late } })).toBe('waiting');
  });
});

describe('the words about a volume that was not seen', () => {
  const unseen = { ok: false, why: 'not-collected', detail: '' } as const;
  const around = (...obstacles: readonly (string | undefined)[]): Partial<Parameters<typeof judgeClaim>[0]> => ({
    volumes: unseen,
    storageClass: unseen,
    told: obstacles.map((obstacle) => (obstacle === undefined ? {} : { obstacle })) as never,
  });
  const told = (...obstacles: readonly (string | undefined)[]): string => obstacleOf([], around(...obstacles));

  it.each(['reserved', 'capacity', 'class', 'volume-mode', 'access-mode', 'provisioning-failed', 'no-volume'])('tell of %s', (obstacle) => {
    expect(told(obstacle)).toBe(obstacle);
    expect(told(undefined, obstacle, undefined)).toBe(obstacle);
  });

  it('tell of nothing else, and what is amiss with the volume first', () => {
    expect(told('deleting')).toBe('unknown');
    expect(told()).toBe('unknown');
    expect(told('provisioning-failed', 'capacity', 'reserved', 'no-volume')).toBe('reserved');
    expect(told('no-volume', 'provisioning-failed')).toBe('provisioning-failed');
    expect(told('class', 'capacity', undefined)).toBe('capacity');
    expect(obstacleOf([], { ...around('no-volume', 'capacity'), refused: true })).toBe('capacity');
  });

  it('do not name a class where others have its volumes, or it is none', () => {
    const made = volume(
      'pv-1',
      { claimRef: { namespace: 'shop', name: 'x' } },
      { annotations: { 'pv.kubernetes.io/provisioned-by': 'd' } },
    );
    const faulty = volume('pv-2', { capacity: { storage: '1Mi' }, accessModes: ['ReadOnlyMany'] });
    expect(obstacleOf([made, { ...faulty, spec: { ...(faulty['spec'] as JsonObject), storageClassName: 'other' } }])).toBe(
      'class-not-found',
    );
    expect(obstacleOf([made, faulty])).toBe('no-volume pv-2');
    expect(obstacleOf([faulty], { spec: { ...SPEC, class: undefined }, storageClass: undefined })).toBe('no-volume pv-2');
    expect(obstacleOf([], { storageClass: unseen })).toBe('no-volume');
    expect(obstacleOf([], { storageClass: unseen, told: [{ class: 'manual' }] })).toBe('class-not-found');
  });
});
