import type { Json } from '../../base/json.ts';
import { asBoolean, asList, asText, dig } from '../../base/json.ts';
import { append } from '../../base/lists.ts';

/** A name in a pod's spec that must resolve to an object, or to a key in it. */
export interface NamedReference {
  readonly refKind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim' | 'CSIDriver';
  readonly refName: string;
  readonly via: 'env' | 'envFrom' | 'volume' | 'projected' | 'claim' | 'csi' | 'imagePullSecret';
  readonly key?: string;
  /** It may be missing; undefined when the source does not show it. */
  readonly optional: boolean | undefined;
  readonly container?: string;
  readonly volume?: string;
  /** JSON pointers below the spec: where the name stands, and the key. */
  readonly at: string;
  readonly keyAt?: string;
}

/**
 * Names in a pod's (or a template's) spec, each place once. Volumes that no container mounts are left out: the kubelet does not
 * mount them either. `shows` says whether the source would have shown a field of the spec.
 */
export function namesIn(spec: Json | undefined, shows: (path: string) => boolean): readonly NamedReference[] {
  return [...pullSecrets(spec), ...volumeNames(spec, shows), ...containerNames(spec, shows)];
}

function pullSecrets(spec: Json | undefined): readonly NamedReference[] {
  return asList(dig(spec, 'imagePullSecrets')).flatMap((entry, index) => {
    const refName = asText(dig(entry, 'name'));
    return refName === undefined || refName === ''
      ? []
      : [{ refKind: 'Secret' as const, refName, via: 'imagePullSecret' as const, optional: false, at: `/imagePullSecrets/${index}/name` }];
  });
}

function volumeNames(spec: Json | undefined, shows: (path: string) => boolean): readonly NamedReference[] {
  const containers = [...asList(dig(spec, 'initContainers')), ...asList(dig(spec, 'containers'))];
  const mounted = new Set(
    containers.flatMap((container) =>
      [...asList(dig(container, 'volumeMounts')), ...asList(dig(container, 'volumeDevices'))].map((mount) => asText(dig(mount, 'name'))),
    ),
  );
  const all = !shows('containers.volumeMounts');
  return asList(dig(spec, 'volumes')).flatMap((volume, index) => {
    const name = asText(dig(volume, 'name'));
    if (name === undefined || (!all && !mounted.has(name))) return [];
    const at = `/volumes/${index}`;
    const projected = asList(dig(volume, 'projected', 'sources'));
    return [
      ...sourceNames(volume, { name, at }, shows),
      ...projected.flatMap((source, nth) => projectedNames(source, { name, at: `${at}/projected/sources/${nth}` }, shows)),
    ];
  });
}

interface VolumePlace {
  readonly name: string;
  readonly at: string;
}

function sourceNames(volume: Json, { name, at }: VolumePlace, shows: (path: string) => boolean): readonly NamedReference[] {
  const found: NamedReference[] = [];
  const [configMap, secret] = [dig(volume, 'configMap'), dig(volume, 'secret')];
  append(
    found,
    objectAndKeys('ConfigMap', asText(dig(configMap, 'name')), configMap, {
      via: 'volume',
      volume: name,
      shown: shows('volumes.configMap.optional'),
      at: `${at}/configMap`,
      field: 'name',
    }),
  );
  append(
    found,
    objectAndKeys('Secret', asText(dig(secret, 'secretName')), secret, {
      via: 'volume',
      volume: name,
      shown: shows('volumes.secret.optional'),
      at: `${at}/secret`,
      field: 'secretName',
    }),
  );
  const claim = asText(dig(volume, 'persistentVolumeClaim', 'claimName'));
  if (claim !== undefined)
    found.push({
      refKind: 'PersistentVolumeClaim',
      refName: claim,
      via: 'claim',
      optional: false,
      volume: name,
      at: `${at}/persistentVolumeClaim/claimName`,
    });
  const driver = asText(dig(volume, 'csi', 'driver'));
  if (driver !== undefined)
    found.push({ refKind: 'CSIDriver', refName: driver, via: 'csi', optional: false, volume: name, at: `${at}/csi/driver` });
  return found;
}

function projectedNames(source: Json, { name: volume, at }: VolumePlace, shows: (path: string) => boolean): readonly NamedReference[] {
  const [configMap, secret] = [dig(source, 'configMap'), dig(source, 'secret')];
  const shown = shows('volumes.projected.sources');
  return [
    ...objectAndKeys('ConfigMap', asText(dig(configMap, 'name')), configMap, {
      via: 'projected',
      volume,
      shown,
      at: `${at}/configMap`,
      field: 'name',
    }),
    ...objectAndKeys('Secret', asText(dig(secret, 'name')), secret, { via: 'projected', volume, shown, at: `${at}/secret`, field: 'name' }),
  ];
}

interface Place {
  readonly via: NamedReference['via'];
  readonly volume?: string;
  readonly container?: string;
  /** Whether the source would have shown `optional`. */
  readonly shown: boolean;
  /** JSON pointer of the source, and its field that holds the name. */
  readonly at: string;
  readonly field: 'name' | 'secretName';
}

/** The object, and each key in it that is named (`items`). */
function objectAndKeys(
  refKind: 'ConfigMap' | 'Secret',
  refName: string | undefined,
  source: Json | undefined,
  { shown, at, field, ...place }: Place,
): readonly NamedReference[] {
  if (refName === undefined || refName === '') return [];
  const optional = asBoolean(dig(source, 'optional')) ?? (shown ? false : undefined);
  const named = { refKind, refName, optional, ...place, at: `${at}/${field}` };
  const keys = asList(dig(source, 'items')).flatMap((item, index) => {
    const key = asText(dig(item, 'key'));
    return key === undefined ? [] : [{ key, keyAt: `${at}/items/${index}/key` }];
  });
  return keys.length === 0 ? [named] : keys.map((key) => ({ ...named, ...key }));
}

function containerNames(spec: Json | undefined, shows: (path: string) => boolean): readonly NamedReference[] {
  const found: NamedReference[] = [];
  for (const list of ['initContainers', 'containers']) {
    const shownEnv = shows(`${list}.env`);
    const shownFrom = shows(`${list}.envFrom`);
    for (const [nth, container] of asList(dig(spec, list)).entries()) {
      const at = `/${list}/${nth}`;
      const name = asText(dig(container, 'name')) ?? '';
      for (const [index, from] of asList(dig(container, 'envFrom')).entries()) {
        const [configMap, secret] = [dig(from, 'configMapRef'), dig(from, 'secretRef')];
        append(
          found,
          objectAndKeys('ConfigMap', asText(dig(configMap, 'name')), configMap, {
            via: 'envFrom',
            container: name,
            shown: shownFrom,
            at: `${at}/envFrom/${index}/configMapRef`,
            field: 'name',
          }),
        );
        append(
          found,
          objectAndKeys('Secret', asText(dig(secret, 'name')), secret, {
            via: 'envFrom',
            container: name,
            shown: shownFrom,
            at: `${at}/envFrom/${index}/secretRef`,
            field: 'name',
          }),
        );
      }
      for (const [index, entry] of asList(dig(container, 'env')).entries())
        append(found, envName(entry, name, { shown: shownEnv, at: `${at}/env/${index}/valueFrom` }));
    }
  }
  return found;
}

function envName(
  entry: Json,
  container: string,
  { shown, at }: { readonly shown: boolean; readonly at: string },
): readonly NamedReference[] {
  return (
    [
      ['ConfigMap', 'configMapKeyRef'],
      ['Secret', 'secretKeyRef'],
    ] as const
  ).flatMap(([refKind, field]) => {
    const source = dig(entry, 'valueFrom', field);
    const [refName, key] = [asText(dig(source, 'name')), asText(dig(source, 'key'))];
    if (refName === undefined || refName === '') return [];
    const optional = asBoolean(dig(source, 'optional')) ?? (shown ? false : undefined);
    return [
      {
        refKind,
        refName,
        via: 'env' as const,
        optional,
        container,
        at: `${at}/${field}/name`,
        ...(key === undefined ? {} : { key, keyAt: `${at}/${field}/key` }),
      },
    ];
  });
}

/** Where alone the spec has this name, or this key of it; undefined when it is at several places, or at none. */
export function onlyPlace(
  names: readonly NamedReference[],
  { refKind, refName, key }: NamedReference,
  what: 'name' | 'key',
): string | undefined {
  const same = names.filter((name) => name.refKind === refKind && name.refName === refName && (what === 'name' || name.key === key));
  const [place, ...others] = new Set(same.flatMap(({ at, keyAt }) => (what === 'name' ? at : (keyAt ?? []))));
  return others.length === 0 ? place : undefined;
}
