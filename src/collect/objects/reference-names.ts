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
}

/**
 * Names in a pod's (or a template's) spec, each place once. Volumes that no container mounts are left out: the kubelet does not
 * mount them either. `shows` says whether the source would have shown a field of the spec.
 */
export function namesIn(spec: Json | undefined, shows: (path: string) => boolean): readonly NamedReference[] {
  return [...pullSecrets(spec), ...volumeNames(spec, shows), ...containerNames(spec, shows)];
}

function pullSecrets(spec: Json | undefined): readonly NamedReference[] {
  return asList(dig(spec, 'imagePullSecrets')).flatMap((entry) => {
    const refName = asText(dig(entry, 'name'));
    return refName === undefined || refName === '' ? [] : [{ refKind: 'Secret' as const, refName, via: 'imagePullSecret' as const, optional: false }];
  });
}

function volumeNames(spec: Json | undefined, shows: (path: string) => boolean): readonly NamedReference[] {
  const containers = [...asList(dig(spec, 'initContainers')), ...asList(dig(spec, 'containers'))];
  const mounted = new Set(containers.flatMap((container) => [...asList(dig(container, 'volumeMounts')), ...asList(dig(container, 'volumeDevices'))].map((mount) => asText(dig(mount, 'name')))));
  const all = !shows('containers.volumeMounts');
  return asList(dig(spec, 'volumes')).flatMap((volume) => {
    const name = asText(dig(volume, 'name'));
    if (name === undefined || (!all && !mounted.has(name))) return [];
    return [...sourceNames(volume, name, shows), ...asList(dig(volume, 'projected', 'sources')).flatMap((source) => projectedNames(source, name, shows))];
  });
}

function sourceNames(volume: Json, name: string, shows: (path: string) => boolean): readonly NamedReference[] {
  const found: NamedReference[] = [];
  const [configMap, secret] = [dig(volume, 'configMap'), dig(volume, 'secret')];
  append(found, objectAndKeys('ConfigMap', asText(dig(configMap, 'name')), configMap, { via: 'volume', volume: name, shown: shows('volumes.configMap.optional') }));
  append(found, objectAndKeys('Secret', asText(dig(secret, 'secretName')), secret, { via: 'volume', volume: name, shown: shows('volumes.secret.optional') }));
  const claim = asText(dig(volume, 'persistentVolumeClaim', 'claimName'));
  if (claim !== undefined) found.push({ refKind: 'PersistentVolumeClaim', refName: claim, via: 'claim', optional: false, volume: name });
  const driver = asText(dig(volume, 'csi', 'driver'));
  if (driver !== undefined) found.push({ refKind: 'CSIDriver', refName: driver, via: 'csi', optional: false, volume: name });
  return found;
}

function projectedNames(source: Json, volume: string, shows: (path: string) => boolean): readonly NamedReference[] {
  const [configMap, secret] = [dig(source, 'configMap'), dig(source, 'secret')];
  const shown = shows('volumes.projected.sources');
  return [
    ...objectAndKeys('ConfigMap', asText(dig(configMap, 'name')), configMap, { via: 'projected', volume, shown }),
    ...objectAndKeys('Secret', asText(dig(secret, 'name')), secret, { via: 'projected', volume, shown }),
  ];
}

interface Place {
  readonly via: NamedReference['via'];
  readonly volume?: string;
  readonly container?: string;
  /** Whether the source would have shown `optional`. */
  readonly shown: boolean;
}

/** The object, and each key in it that is named (`items`). */
function objectAndKeys(refKind: 'ConfigMap' | 'Secret', refName: string | undefined, source: Json | undefined, { shown, ...place }: Place): readonly NamedReference[] {
  if (refName === undefined || refName === '') return [];
  const optional = asBoolean(dig(source, 'optional')) ?? (shown ? false : undefined);
  const keys = asList(dig(source, 'items')).flatMap((item) => asText(dig(item, 'key')) ?? []);
  if (keys.length === 0) return [{ refKind, refName, optional, ...place }];
  return keys.map((key) => ({ refKind, refName, key, optional, ...place }));
}

function containerNames(spec: Json | undefined, shows: (path: string) => boolean): readonly NamedReference[] {
  const found: NamedReference[] = [];
  for (const list of ['initContainers', 'containers']) {
    const shownEnv = shows(`${list}.env`);
    const shownFrom = shows(`${list}.envFrom`);
    for (const container of asList(dig(spec, list))) {
      const name = asText(dig(container, 'name')) ?? '';
      for (const from of asList(dig(container, 'envFrom'))) {
        const [configMap, secret] = [dig(from, 'configMapRef'), dig(from, 'secretRef')];
        append(found, objectAndKeys('ConfigMap', asText(dig(configMap, 'name')), configMap, { via: 'envFrom', container: name, shown: shownFrom }));
        append(found, objectAndKeys('Secret', asText(dig(secret, 'name')), secret, { via: 'envFrom', container: name, shown: shownFrom }));
      }
      for (const entry of asList(dig(container, 'env'))) append(found, envName(entry, name, shownEnv));
    }
  }
  return found;
}

function envName(entry: Json, container: string, shown: boolean): readonly NamedReference[] {
  return (
    [
      ['ConfigMap', dig(entry, 'valueFrom', 'configMapKeyRef')],
      ['Secret', dig(entry, 'valueFrom', 'secretKeyRef')],
    ] as const
  ).flatMap(([refKind, source]) => {
    const [refName, key] = [asText(dig(source, 'name')), asText(dig(source, 'key'))];
    if (refName === undefined || refName === '') return [];
    const optional = asBoolean(dig(source, 'optional')) ?? (shown ? false : undefined);
    return [{ refKind, refName, via: 'env' as const, optional, container, ...(key === undefined ? {} : { key }) }];
  });
}
