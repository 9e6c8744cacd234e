import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ClaimSpec } from '../../../../src/collect/placement/claims/claim-spec.ts';
import { candidatesFor, describeVolume, sidesOf } from '../../../../src/collect/placement/claims/volume-match.ts';
import { parseQuantity } from '../../../../src/base/quantity.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { objectOf } from '../../../support/collected.ts';

const CLAIM = objectOf('PersistentVolumeClaim', 'data', {}, { uid: 'data-1' });
const SPEC = {
  class: 'fast',
  requested: parseQuantity('10Gi'),
  requestedText: '10Gi',
  accessModes: ['ReadWriteOnce'],
  volumeMode: 'Filesystem',
  selector: [{ key: 'disk', operator: 'in', values: ['ssd'] }],
} as unknown as ClaimSpec;

function volume(name: string, spec: JsonObject = {}, metadata: JsonObject = {}, phase = 'Available'): KubeObject {
  return objectOf(
    'PersistentVolume',
    name,
    {
      spec: { storageClassName: 'fast', capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], ...spec },
      status: { phase },
    },
    { labels: { disk: 'ssd' }, ...metadata },
  );
}

function obstacles(one: KubeObject, claim = CLAIM): readonly string[] | undefined {
  return candidatesFor(claim, SPEC, [one])[0]?.obstacles;
}

const kept = (ref: JsonObject): JsonObject => ({ claimRef: ref });

describe('a volume for a claim', () => {
  it.each<readonly [string, KubeObject, readonly string[]]>([
    ['that has all it wants', volume('a'), []],
    ['of another class', volume('a', { storageClassName: 'slow' }), ['class']],
    [
      'of a class in an annotation',
      volume('a', { storageClassName: undefined }, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'fast' } }),
      [],
    ],
    ['of no class', volume('a', { storageClassName: undefined }), ['class']],
    ['that is larger', volume('a', { capacity: { storage: '11Gi' } }), []],
    ['that is too small', volume('a', { capacity: { storage: '9Gi' } }), ['capacity']],
    ['with another access mode', volume('a', { accessModes: ['ReadOnlyMany'] }), ['access-mode']],
    ['with another mode', volume('a', { volumeMode: 'Block' }), ['volume-mode']],
    ['without the label', volume('a', {}, { labels: {} }), ['selector']],
    ['that is being deleted', volume('a', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), ['deleting']],
    ['kept for it', volume('a', kept({ namespace: 'shop', name: 'data' })), []],
    ['kept for it in any namespace', volume('a', kept({ name: 'data' })), []],
    ['kept for its namesake', volume('a', kept({ namespace: 'till', name: 'data' })), ['reserved']],
    ['kept for another', volume('a', kept({ namespace: 'shop', name: 'other' })), ['reserved']],
    ['kept for one before it', volume('a', kept({ namespace: 'shop', name: 'data', uid: 'data-0' })), ['reserved']],
    ['bound to it', volume('a', kept({ namespace: 'shop', name: 'data', uid: 'data-1' }), {}, 'Bound'), []],
    ['bound to nobody known', volume('a', {}, {}, 'Bound'), ['reserved']],
    [
      'kept for one before it of which no more is known',
      volume('a', kept({ namespace: 'shop', name: 'data' }), {}, 'Released'),
      ['reserved'],
    ],
    ['that was released', volume('a', {}, {}, 'Released'), ['reserved']],
    ['that failed', volume('a', {}, {}, 'Failed'), ['reserved']],
    ['with two obstacles', volume('a', { volumeMode: 'Block', capacity: { storage: '1Gi' } }), ['capacity', 'volume-mode']],
  ])('%s', (_, one, expected) => {
    expect(obstacles(one)).toEqual(expected);
  });

  it('that a provisioner made for another is none', () => {
    const made = { annotations: { 'pv.kubernetes.io/provisioned-by': 'csi' } };
    expect(obstacles(volume('a', kept({ namespace: 'shop', name: 'other' }), made))).toBeUndefined();
    expect(obstacles(volume('a', {}, made))).toEqual([]);
  });

  it('comes first with the fewest obstacles, then with those that the claim can put right', () => {
    const all = [
      volume('reserved', {}, {}, 'Bound'),
      volume('class', { storageClassName: 'slow' }),
      volume('mode', { volumeMode: 'Block' }),
      volume('selector', {}, { labels: {} }),
      volume('access', { accessModes: ['ReadOnlyMany'] }),
      volume('small', { capacity: { storage: '1Gi' } }),
      volume('two', { volumeMode: 'Block', capacity: { storage: '1Gi' } }),
      volume('fits'),
    ];
    expect(candidatesFor(CLAIM, SPEC, all).map(({ volume: one }) => one.metadata.name)).toEqual([
      'fits',
      'small',
      'access',
      'selector',
      'mode',
      'class',
      'reserved',
      'two',
    ]);
    expect(candidatesFor(CLAIM, { ...SPEC, volumeName: 'mode' }, all).map(({ volume: one }) => one.metadata.name)).toEqual(['mode']);
  });

  it('is told with what it has and what the claim wants', () => {
    const odd = volume(
      'a',
      {
        storageClassName: '',
        capacity: { storage: '1Gi' },
        volumeMode: 'Block',
        accessModes: ['ReadOnlyMany'],
        ...kept({ namespace: 'till', name: 'b' }),
      },
      { labels: {} },
    );
    const sides = (['class', 'capacity', 'access-mode', 'volume-mode', 'selector', 'reserved', 'deleting'] as const).map((obstacle) => {
      const { has, wants } = sidesOf(obstacle, SPEC, odd);
      return `${has ?? '-'} | ${wants ?? '-'}`;
    });
    expect(sides).toEqual([
      '"" | fast',
      '1Gi | 10Gi',
      'ReadOnlyMany | ReadWriteOnce',
      'Block | Filesystem',
      'no labels | disk=ssd',
      'claim till/b | -',
      'being deleted | -',
    ]);
    expect(sidesOf('reserved', SPEC, volume('a', {}, {}, 'Released')).has).toBe('Released');
    expect(sidesOf('class', { ...SPEC, class: '' }, volume('a'))).toEqual({ has: 'fast', wants: '""' });
    expect(sidesOf('selector', SPEC, volume('a')).has).toBe('disk=ssd');
    expect(describeVolume(odd)).toBe('capacity: 1Gi, access modes: ReadOnlyMany, class: <none>, status: Available, claim: till/b');
    expect(describeVolume(volume('a'))).toBe(
      'capacity: 10Gi, access modes: ReadWriteOnce, ReadOnlyMany, class: fast, status: Available, labels: disk=ssd',
    );
  });
});
