import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { containersOf } from '../../../src/collect/containers/containers.ts';
import type { Mount } from '../../../src/collect/volumes/mounts.ts';
import { holdsData, mountHolding, showsMounts, volumeKindOf } from '../../../src/collect/volumes/mounts.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { objectOf } from '../../support/collected.ts';

const VOLUMES = [
  { name: 'settings', configMap: { name: 'web' } },
  { name: 'data', persistentVolumeClaim: { claimName: 'till' } },
  { name: 'cache', emptyDir: {} },
];

function holding(path: string | undefined, ...volumeMounts: readonly JsonObject[]): Mount | undefined {
  const pod = objectOf('Pod', 'web-1', { spec: { volumes: VOLUMES, containers: [{ name: 'web', volumeMounts: [...volumeMounts] }] } });
  const [container] = containersOf(pod);
  return container === undefined ? undefined : mountHolding(pod, container, path);
}

describe('the mount that holds a path', () => {
  const data = { name: 'data', mountPath: '/var/lib/till' };
  const settings = { name: 'settings', mountPath: '/etc/web', readOnly: true, subPath: 'web.conf' };

  it('is where the path is, or is below', () => {
    expect(holding('/var/lib/till', data)).toEqual({
      volume: 'data',
      mountPath: '/var/lib/till',
      subPath: undefined,
      readOnly: false,
      volumeKind: 'persistentVolumeClaim',
    });
    expect(holding('/etc/web/a', data, settings)).toEqual({
      volume: 'settings',
      mountPath: '/etc/web',
      subPath: 'web.conf',
      readOnly: true,
      volumeKind: 'configMap',
    });
    expect(holding('/var/lib/tills/a', data)).toBeUndefined();
    expect(holding('/var/lib', data)).toBeUndefined();
    expect(holding('/var/lib/till/a', { ...data, mountPath: '/var/lib/till/' })?.volume).toBe('data');
    expect(holding('/a', { ...data, mountPath: '/' })?.volume).toBe('data');
  });

  it('is the innermost, whichever comes first', () => {
    const cache = { name: 'cache', mountPath: '/var/lib/till/cache' };
    expect(holding('/var/lib/till/cache/a', data, cache)?.volume).toBe('cache');
    expect(holding('/var/lib/till/cache/a', cache, data)?.volume).toBe('cache');
    expect(holding('/var/lib/till/b', cache, data)?.volume).toBe('data');
  });

  it('of a file without a folder is the only volume with data', () => {
    expect(holding('till.db', settings, data)?.volume).toBe('data');
    expect(holding(undefined, data)?.volume).toBe('data');
    expect(holding('till.db', data, { name: 'cache', mountPath: '/cache' })).toBeUndefined();
    expect(holding('till.db', settings)).toBeUndefined();
  });

  it('names a volume and a path, and no type where the volume was not seen', () => {
    expect(holding('/a', { mountPath: '/' })).toBeUndefined();
    expect(holding('/a', { name: 'data' })).toBeUndefined();
    expect(holding('/a', { name: 'unseen', mountPath: '/' })).toMatchObject({ volume: 'unseen', volumeKind: undefined });
    expect(holding('a', { name: 'unseen', mountPath: '/' })).toBeUndefined();
  });
});

describe('a volume', () => {
  it.each([
    ['configMap', false],
    ['secret', false],
    ['projected', false],
    ['downwardAPI', false],
    ['image', false],
    ['hostPath', true],
    ['emptyDir', true],
    [undefined, false],
  ] as const)('of type %s holds data of its own: %s', (volumeKind, expected) => {
    expect(holdsData({ volume: 'data', mountPath: '/', subPath: undefined, readOnly: false, volumeKind })).toBe(expected);
  });

  it('is of the type that stands beside its name', () => {
    expect(volumeKindOf({ name: 'data', hostPath: {} })).toBe('hostPath');
    expect(volumeKindOf({ emptyDir: {}, name: 'data' })).toBe('emptyDir');
    expect(volumeKindOf({ name: 'data' })).toBeUndefined();
    for (const one of [undefined, null, 'data', ['data']]) expect(volumeKindOf(one)).toBeUndefined();
  });
});

describe('what a pod mounts', () => {
  it('was seen where a container has mounts, or the source shows them', () => {
    const showing = (shown: readonly string[], ...containers: readonly JsonObject[]): KubeObject => ({
      ...objectOf('Pod', 'web-1', { spec: { containers: [...containers] } }),
      [OBSERVED]: shown,
    });
    expect(showsMounts(showing([], { name: 'web', volumeMounts: [] }))).toBe(true);
    expect(showsMounts(showing([], { name: 'web' }, { name: 'proxy', volumeMounts: [] }))).toBe(true);
    expect(showsMounts(showing(['spec.containers.volumeMounts'], { name: 'web' }))).toBe(true);
    expect(showsMounts(showing(['spec.containers.image'], { name: 'web' }))).toBe(false);
  });
});
