import type { Json, JsonObject } from '../../../base/json.ts';
import { digAt, isJsonObject } from '../../../base/json.ts';
import { withDefaults, withFields, withPath } from '../../../base/json-edit.ts';

/** Of the sources that pods and persistent volumes have. Source: pkg/apis/core/v1/zz_generated.defaults.go. */
export const SOURCE_DEFAULTS: Readonly<Record<string, JsonObject>> = {
  hostPath: { type: '' },
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

/** Of the spec of a persistent volume. */
export function defaultSources(spec: JsonObject): JsonObject {
  const changes: Record<string, Json> = {};
  for (const [source, defaults] of Object.entries(SOURCE_DEFAULTS)) {
    const value = spec[source];
    if (isJsonObject(value)) changes[source] = withDefaults(value, defaults);
  }
  return withFields(spec, changes);
}

/** An attachment may have the spec of a volume in itself. */
export function defaultAttachment(object: JsonObject): JsonObject {
  const path = ['spec', 'source', 'inlineVolumeSpec'];
  const inline = digAt(object, path);
  return isJsonObject(inline) ? withPath(object, path, defaultSources(inline)) : object;
}
