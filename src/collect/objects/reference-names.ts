import type { Json } from '../../base/json.ts';
import { asBoolean, asList, asText, dig } from '../../base/json.ts';
import { append } from '../../base/lists.ts';

/** A name in a pod's spec that must resolve to an object, or to a key in it. */
export interface NamedReference {
  readonly refKind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim' | 'CSIDriver';
  readonly refName: string;
  readonly via: 'env' | 'envFrom' | 'volume' | 'projected' | 'subPath' | 'claim' | 'csi' | 'imagePullSecret';
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
  return [...pullSecrets(spec), ...volumeNames(spec, shows), ...containerNames(spec, shows), ...subPathNames(spec)];
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
      ...namedObjects(volume, at, VOLUME, (field) => shows(`volumes.${field}.optional`), { via: 'volume', volume: name }),
      ...alwaysNeeded(volume, name, at),
      ...projected.flatMap((source, nth) =>
        namedObjects(source, `${at}/projected/sources/${nth}`, PROJECTED, () => shows('volumes.projected.sources'), {
          via: 'projected',
          volume: name,
        }),
      ),
    ];
  });
}

/** What a volume cannot do without. */
function alwaysNeeded(volume: Json, name: string, at: string): readonly NamedReference[] {
  const rows = [
    ['PersistentVolumeClaim', 'claim', 'persistentVolumeClaim', 'claimName'],
    ['CSIDriver', 'csi', 'csi', 'driver'],
  ] as const;
  return rows.flatMap(([refKind, via, source, field]) => {
    const refName = asText(dig(volume, source, field));
    return refName === undefined ? [] : [{ refKind, refName, via, optional: false, volume: name, at: `${at}/${source}/${field}` }];
  });
}

/** A field that names an object, and the field of its value that holds the name. */
type NamingField = readonly [refKind: 'ConfigMap' | 'Secret', field: string, nameField: string];

const VOLUME: readonly NamingField[] = [
  ['ConfigMap', 'configMap', 'name'],
  ['Secret', 'secret', 'secretName'],
];
const PROJECTED: readonly NamingField[] = [
  ['ConfigMap', 'configMap', 'name'],
  ['Secret', 'secret', 'name'],
];
const ENV_FROM: readonly NamingField[] = [
  ['ConfigMap', 'configMapRef', 'name'],
  ['Secret', 'secretRef', 'name'],
];
const ENV: readonly NamingField[] = [
  ['ConfigMap', 'configMapKeyRef', 'name'],
  ['Secret', 'secretKeyRef', 'name'],
];

/** The objects that a part of the spec names by these fields, and each key in them. `shown`: the source would have shown `optional`. */
function namedObjects(
  part: Json | undefined,
  at: string,
  fields: readonly NamingField[],
  shown: (field: string) => boolean,
  place: Pick<NamedReference, 'via' | 'volume' | 'container'>,
): readonly NamedReference[] {
  return fields.flatMap(([refKind, field, nameField]) => {
    const source = dig(part, field);
    const refName = asText(dig(source, nameField));
    if (refName === undefined || refName === '') return [];
    const optional = asBoolean(dig(source, 'optional')) ?? (shown(field) ? false : undefined);
    const named = { refKind, refName, optional, ...place, at: `${at}/${field}/${nameField}` };
    const keys = keysIn(source, `${at}/${field}`);
    return keys.length === 0 ? [named] : keys.map((key) => ({ ...named, ...key }));
  });
}

/** The key of a variable, or those of a volume's items. */
function keysIn(source: Json | undefined, at: string): readonly { readonly key: string; readonly keyAt: string }[] {
  const places = [[source, at] as const, ...asList(dig(source, 'items')).map((item, index) => [item, `${at}/items/${index}`] as const)];
  return places.flatMap(([one, where]) => {
    const key = asText(dig(one, 'key'));
    return key === undefined ? [] : [{ key, keyAt: `${where}/key` }];
  });
}

function containerNames(spec: Json | undefined, shows: (path: string) => boolean): readonly NamedReference[] {
  const found: NamedReference[] = [];
  for (const list of ['initContainers', 'containers'])
    for (const [nth, one] of asList(dig(spec, list)).entries()) {
      const container = asText(dig(one, 'name')) ?? '';
      const names = (part: Json | undefined, at: string, field: 'env' | 'envFrom'): readonly NamedReference[] =>
        namedObjects(part, `/${list}/${nth}/${at}`, field === 'env' ? ENV : ENV_FROM, () => shows(`${list}.${field}`), {
          via: field,
          container,
        });
      for (const [index, from] of asList(dig(one, 'envFrom')).entries()) append(found, names(from, `envFrom/${index}`, 'envFrom'));
      for (const [index, entry] of asList(dig(one, 'env')).entries())
        append(found, names(dig(entry, 'valueFrom'), `env/${index}/valueFrom`, 'env'));
    }
  return found;
}

/** A subPath of a ConfigMap or Secret volume that has all keys is the name of one of them. */
function subPathNames(spec: Json | undefined): readonly NamedReference[] {
  const volumes = new Map(asList(dig(spec, 'volumes')).map((volume, index) => [dig(volume, 'name'), { volume, index }]));
  return ['initContainers', 'containers'].flatMap((list) =>
    asList(dig(spec, list)).flatMap((one, nth) =>
      asList(dig(one, 'volumeMounts')).flatMap((mount, place) => {
        const [key = '', ...below] = asText(dig(mount, 'subPath'))?.split('/') ?? [];
        const found = volumes.get(dig(mount, 'name'));
        if (key === '' || found === undefined || hasItems(found.volume)) return [];
        const names = { via: 'subPath' as const, container: asText(dig(one, 'name')) ?? '', volume: asText(dig(mount, 'name')) ?? '' };
        return namedObjects(found.volume, `/volumes/${found.index}`, VOLUME, () => true, names).map((name) => ({
          ...name,
          key,
          ...(below.length > 0 ? {} : { keyAt: `/${list}/${nth}/volumeMounts/${place}/subPath` }),
        }));
      }),
    ),
  );
}

function hasItems(volume: Json): boolean {
  return VOLUME.some(([, field]) => dig(volume, field, 'items') !== undefined);
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
