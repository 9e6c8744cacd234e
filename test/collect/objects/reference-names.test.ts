import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { NamedReference } from '../../../src/collect/objects/reference-names.ts';
import { namesIn, onlyPlace } from '../../../src/collect/objects/reference-names.ts';

function names(spec: JsonObject, shows = true): readonly NamedReference[] {
  return namesIn(spec, () => shows);
}

/** A pod spec whose one container mounts a volume. */
function volume(source: JsonObject, mount: JsonObject = { volumeMounts: [{ name: 'data' }] }): JsonObject {
  return { volumes: [{ name: 'data', ...source }], containers: [{ name: 'web', ...mount }] };
}

const VOLUME = { volume: 'data', optional: false };

describe('names in the spec of a pod', () => {
  it.each<readonly [string, JsonObject, readonly object[]]>([
    [
      'a pull secret',
      { imagePullSecrets: [{ name: '' }, { name: 'regcred' }] },
      [{ refKind: 'Secret', refName: 'regcred', via: 'imagePullSecret', optional: false, at: '/imagePullSecrets/1/name' }],
    ],
    [
      'a ConfigMap',
      volume({ configMap: { name: 'a' } }),
      [{ refKind: 'ConfigMap', refName: 'a', via: 'volume', ...VOLUME, at: '/volumes/0/configMap/name' }],
    ],
    [
      'a Secret',
      volume({ secret: { secretName: 'a', optional: true } }),
      [{ refKind: 'Secret', refName: 'a', via: 'volume', volume: 'data', optional: true, at: '/volumes/0/secret/secretName' }],
    ],
    [
      'keys',
      volume({ configMap: { name: 'a', items: [{ key: 'x' }, { key: 'y' }] } }),
      ['x', 'y'].map((key, index) => ({
        refKind: 'ConfigMap',
        refName: 'a',
        via: 'volume',
        ...VOLUME,
        key,
        at: '/volumes/0/configMap/name',
        keyAt: `/volumes/0/configMap/items/${String(index)}/key`,
      })),
    ],
    [
      'a claim',
      volume({ persistentVolumeClaim: { claimName: 'a' } }),
      [{ refKind: 'PersistentVolumeClaim', refName: 'a', via: 'claim', ...VOLUME, at: '/volumes/0/persistentVolumeClaim/claimName' }],
    ],
    [
      'a driver',
      volume({ csi: { driver: 'a' } }),
      [{ refKind: 'CSIDriver', refName: 'a', via: 'csi', ...VOLUME, at: '/volumes/0/csi/driver' }],
    ],
    [
      'projected ones',
      volume({ projected: { sources: [{ secret: { name: 'a' } }, { configMap: { name: 'b' } }] } }),
      [
        { refKind: 'Secret', refName: 'a', via: 'projected', ...VOLUME, at: '/volumes/0/projected/sources/0/secret/name' },
        { refKind: 'ConfigMap', refName: 'b', via: 'projected', ...VOLUME, at: '/volumes/0/projected/sources/1/configMap/name' },
      ],
    ],
    ['a block device', volume({ configMap: { name: 'a' } }, { volumeDevices: [{ name: 'data' }] }), [{ refName: 'a' }]],
    ['a volume that nobody mounts', volume({ configMap: { name: 'a' } }, {}), []],
    [
      'a whole environment',
      { initContainers: [{ name: 'wait', envFrom: [{ configMapRef: { name: 'a' } }, { secretRef: { name: 'b', optional: true } }] }] },
      [
        {
          refKind: 'ConfigMap',
          refName: 'a',
          via: 'envFrom',
          container: 'wait',
          optional: false,
          at: '/initContainers/0/envFrom/0/configMapRef/name',
        },
        {
          refKind: 'Secret',
          refName: 'b',
          via: 'envFrom',
          container: 'wait',
          optional: true,
          at: '/initContainers/0/envFrom/1/secretRef/name',
        },
      ],
    ],
    [
      'variables',
      {
        containers: [
          {
            name: 'web',
            env: [
              { valueFrom: { configMapKeyRef: { name: 'a', key: 'x' } } },
              { valueFrom: { secretKeyRef: { name: 'b', key: 'y', optional: true } } },
              { value: 'c' },
            ],
          },
        ],
      },
      [
        {
          refKind: 'ConfigMap',
          refName: 'a',
          via: 'env',
          container: 'web',
          optional: false,
          key: 'x',
          at: '/containers/0/env/0/valueFrom/configMapKeyRef/name',
          keyAt: '/containers/0/env/0/valueFrom/configMapKeyRef/key',
        },
        {
          refKind: 'Secret',
          refName: 'b',
          via: 'env',
          container: 'web',
          optional: true,
          key: 'y',
          at: '/containers/0/env/1/valueFrom/secretKeyRef/name',
          keyAt: '/containers/0/env/1/valueFrom/secretKeyRef/key',
        },
      ],
    ],
  ])('are those of %s', (_, spec, expected) => {
    const found = names(spec);
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected);
  });

  it('are those of keys where a part of a volume is mounted', () => {
    const mounted = (source: JsonObject, ...subPaths: readonly string[]): readonly unknown[] =>
      names(volume(source, { volumeMounts: subPaths.map((subPath) => ({ name: 'data', subPath })) }))
        .filter(({ via }) => via === 'subPath')
        .map(({ refKind, refName, key, keyAt, container, volume: of, optional }) => [
          refKind,
          refName,
          key,
          keyAt,
          container,
          of,
          optional,
        ]);
    const place = (index: number): string => `/containers/0/volumeMounts/${String(index)}/subPath`;
    expect(mounted({ configMap: { name: 'a' } }, 'web.conf', 'sub/part')).toEqual([
      ['ConfigMap', 'a', 'web.conf', place(0), 'web', 'data', false],
      ['ConfigMap', 'a', 'sub', undefined, 'web', 'data', false],
    ]);
    expect(mounted({ secret: { secretName: 'b' } }, 'tls.key')).toEqual([['Secret', 'b', 'tls.key', place(0), 'web', 'data', false]]);
    expect(mounted({ configMap: { name: 'a' } }, '')).toEqual([]);
    expect(mounted({ configMap: { name: 'a', items: [{ key: 'x', path: 'y' }] } }, 'y')).toEqual([]);
    expect(mounted({ emptyDir: {} }, 'x')).toEqual([]);
    expect(names({ containers: [{ name: 'web', volumeMounts: [{ name: 'data', subPath: 'x' }] }] })).toEqual([]);
    const init = {
      volumes: [{ name: 'data', configMap: { name: 'a' } }],
      initContainers: [{ name: 'wait', volumeMounts: [{ name: 'data', subPath: 'x' }] }],
    };
    expect(names(init).find(({ via }) => via === 'subPath')).toMatchObject({
      container: 'wait',
      keyAt: '/initContainers/0/volumeMounts/0/subPath',
    });
  });

  it('may be missing, or not, where the source does not show it', () => {
    for (const spec of [
      volume({ configMap: { name: 'a' } }),
      {
        containers: [
          { name: 'web', envFrom: [{ secretRef: { name: 'a' } }], env: [{ valueFrom: { secretKeyRef: { name: 'b', key: 'y' } } }] },
        ],
      },
    ])
      for (const { optional } of names(spec, false)) expect(optional).toBeUndefined();
    expect(names(volume({ configMap: { name: 'a' } }, {}), false)).toHaveLength(1);
  });

  it('have one place, if they have only one', () => {
    const env = (key: string): JsonObject => ({ valueFrom: { secretKeyRef: { name: 'a', key } } });
    const placeOf = (keys: readonly string[], what: 'name' | 'key'): string | undefined => {
      const all = names({ containers: [{ name: 'web', env: keys.map(env) }] });
      const [first] = all;
      return first === undefined ? undefined : onlyPlace(all, first, what);
    };
    expect(placeOf(['x'], 'name')).toBe('/containers/0/env/0/valueFrom/secretKeyRef/name');
    expect(placeOf(['x'], 'key')).toBe('/containers/0/env/0/valueFrom/secretKeyRef/key');
    expect(placeOf(['x', 'y'], 'name')).toBeUndefined();
    expect(placeOf(['x', 'y'], 'key')).toBe('/containers/0/env/0/valueFrom/secretKeyRef/key');
    expect(placeOf(['x', 'x'], 'key')).toBeUndefined();
  });
});
