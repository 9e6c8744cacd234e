import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../../src/collect/events/events.ts';
import type { ClaimJudgement, ClaimSurroundings } from '../../../../src/collect/placement/claims/claim-obstacle.ts';
import { judgeClaim } from '../../../../src/collect/placement/claims/claim-obstacle.ts';
import type { ClaimSpec } from '../../../../src/collect/placement/claims/claim-spec.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { objectOf } from '../../../support/collected.ts';

const NAME = 'disk.csi.example';
const CLAIM = objectOf('PersistentVolumeClaim', 'db-data', { status: { phase: 'Pending' } });
const SPEC: ClaimSpec = {
  class: 'fast',
  requested: 1024n ** 3n * 1_000_000_000n,
  requestedText: '1Gi',
  accessModes: ['ReadWriteOnce'],
  selector: [],
  volumeMode: 'Filesystem',
  volumeName: undefined,
};

function judged(around: Partial<ClaimSurroundings>): ClaimJudgement {
  return judgeClaim({
    claim: CLAIM,
    spec: SPEC,
    volumes: { ok: true, value: [] },
    storageClass: { ok: true, value: objectOf('StorageClass', 'fast', { provisioner: NAME }) },
    driver: undefined,
    events: [],
    told: [],
    eventsWhole: true,
    ageSeconds: 600,
    dumped: false,
    refused: false,
    ...around,
  });
}

function obstacleOf(around: Partial<ClaimSurroundings>): string {
  return judged(around).obstacle;
}

describe('what a claim waits for whose volumes a provisioner makes', () => {
  const storageClass = { ok: true, value: objectOf('StorageClass', 'fast', { provisioner: NAME }) } as const;
  const late = { ok: true, value: { ...storageClass.value, volumeBindingMode: 'WaitForFirstConsumer' } } as const;
  const unseen = { ok: false, why: 'not-collected', detail: '' } as const;
  const absent = { ok: false, why: 'absent', detail: '' } as const;
  const said = (reason: string, component = '', message = ''): ReturnType<typeof readEvent> =>
    readEvent({ apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, reason, message, source: { component } });
  const ASKED = said('ExternalProvisioning');
  const annotated = (annotations: Readonly<Record<string, string>>): KubeObject => ({
    ...CLAIM,
    metadata: { ...CLAIM.metadata, annotations },
  });

  it.each<[string, Partial<ClaimSurroundings>, string]>([
    ['a moment', {}, 'waiting'],
    ['a provisioner that was asked long ago', { events: [ASKED] }, 'provisioner'],
    ['one that was asked ten seconds ago', { events: [ASKED], ageSeconds: 10 }, 'provisioner'],
    ['one that was asked just now', { events: [ASKED], ageSeconds: 9 }, 'waiting'],
    ['one that was asked nobody knows when', { events: [ASKED], ageSeconds: undefined }, 'waiting'],
    ['one that was not installed', { driver: absent }, 'provisioner'],
    ['one that was not installed yet', { driver: absent, ageSeconds: 9 }, 'waiting'],
    ['one that was not installed nobody knows since when', { driver: absent, ageSeconds: undefined }, 'waiting'],
    ['one of which nothing was seen', { driver: unseen }, 'waiting'],
    ['one that may not be looked for', { driver: { ok: false, why: 'forbidden', detail: '' } }, 'waiting'],
    ['one that is installed', { driver: { ok: true, value: CLAIM } }, 'waiting'],
    ['one that may have spoken', { driver: absent, eventsWhole: false }, 'unknown'],
    ['one that failed', { events: [said('ProvisioningFailed', NAME), ASKED] }, 'provisioning-failed'],
    [
      'one that failed when it had begun',
      { events: [said('Provisioning'), said('ProvisioningFailed')], driver: absent },
      'provisioning-failed',
    ],
    ['one that has begun', { events: [said('Provisioning'), ASKED] }, 'waiting'],
    ['one that has spoken', { events: [said('Retrying', `${NAME}_pod-1`), ASKED] }, 'waiting'],
    ['one while another has spoken', { events: [said('Retrying', `other.${NAME}`), ASKED] }, 'provisioner'],
    ['its first pod', { storageClass: late, driver: absent }, 'waiting'],
    ['one, having its first pod', { storageClass: late, driver: absent, events: [ASKED] }, 'provisioner'],
    [
      'one, having a node',
      { storageClass: late, driver: absent, claim: annotated({ 'volume.kubernetes.io/selected-node': 'worker-1' }) },
      'provisioner',
    ],
    [
      'a volume by hand',
      { storageClass: { ok: true, value: { ...storageClass.value, provisioner: 'kubernetes.io/no-provisioner' } } },
      'no-volume',
    ],
    ['the volume that it names', { driver: absent, spec: { ...SPEC, volumeName: 'pv-1' } }, 'no-volume'],
    ['nothing, being lost', { claim: { ...CLAIM, status: { phase: 'Lost' } } }, 'lost'],
  ])('is %s', (_, around, expected) => {
    expect(obstacleOf(around)).toBe(expected);
  });

  it.each(['volume.kubernetes.io/storage-provisioner', 'volume.beta.kubernetes.io/storage-provisioner'])('is named in %s', (key) => {
    const around = { claim: annotated({ [key]: NAME }), storageClass: unseen, driver: absent };
    expect(obstacleOf(around)).toBe('provisioner');
    expect(obstacleOf({ ...around, told: [{ class: 'fast' }] })).toBe('class-not-found');
    expect(obstacleOf({ ...around, told: [{ class: 'other' }] })).toBe('provisioner');
    expect(obstacleOf({ ...around, told: [{ class: 'other' }, { class: 'fast' }] })).toBe('class-not-found');
    expect(obstacleOf({ ...around, storageClass, told: [{ class: 'fast' }] })).toBe('provisioner');
  });

  it('is that of its class, else what the claim has of a newer cluster before that of an older one', () => {
    const newer = { 'volume.kubernetes.io/storage-provisioner': 'new.example' };
    const claim = annotated({ ...newer, 'volume.beta.kubernetes.io/storage-provisioner': 'old.example' });
    expect(judged({ claim }).provisioner).toBe(NAME);
    expect(judged({ claim, storageClass: unseen }).provisioner).toBe('new.example');
  });

  it('is named by those that record its events, the last best', () => {
    const by = (...events: readonly ReturnType<typeof said>[]): string | undefined =>
      judged({ volumes: unseen, storageClass: unseen, events }).provisioner;
    expect(by(said('Provisioning', 'a.example_pod-1_uid'), said('Provisioning', 'shop.example/b_pod-1'), said('Other', 'kubelet'))).toBe(
      'shop.example/b',
    );
    const told = [{ provisioner: 'first.example' }, { provisioner: NAME }, {}];
    expect(judged({ volumes: unseen, storageClass: unseen, told }).provisioner).toBe(NAME);
    expect(by(said('Other', 'persistentvolume-controller'), said('Other', 'disk_pod-1'), said('Other'))).toBeUndefined();
  });

  it('is told in the last words of a failure', () => {
    const events = [said('ProvisioningFailed', NAME, 'first'), said('ProvisioningFailed', NAME, 'last'), said('Other', NAME, 'other')];
    const messageOf = (some: readonly ReturnType<typeof said>[]): string | undefined => judged({ volumes: unseen, events: some }).message;
    expect(messageOf(events)).toBe('last');
    expect(messageOf([said('Other', NAME, 'other')])).toBeUndefined();
  });
});
