import type { JsonObject } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import { claimSpecsOf, IS_DEFAULT_CLASS, isProvisioned } from '../../simulator/index.ts';
import type { PlacedDocument } from './manifest-scenario.ts';

/** Storage that claims of manifests ask for and no manifest brings: clusters have it, and that of a preset is only made of nodes. */
export interface AssumedStorage {
  readonly objects: readonly JsonObject[];
  /** Claims name no class, and there is no other: most clusters have a default. */
  readonly hasDefault: boolean;
  /** Classes that claims name. */
  readonly named: readonly string[];
}

const PROVISIONER = 'storage.assumed';
const DEFAULT_CLASS = 'standard';

export function assumedStorage(documents: readonly PlacedDocument[]): AssumedStorage {
  const objects = documents.map(({ object }) => object);
  const volumes = objects
    .filter(({ kind }) => kind === 'PersistentVolume')
    .map((volume) => asText(dig(volume, 'spec', 'storageClassName')) ?? '');
  const classes = objects.filter(({ kind }) => kind === 'StorageClass');
  const brought = new Set(classes.map((one) => asText(dig(one, 'metadata', 'name'))));
  const brings = classes.some((one) => dig(one, 'metadata', 'annotations', IS_DEFAULT_CLASS) === 'true');
  const asked = new Set(
    objects
      .flatMap(claimSpecsOf)
      .filter(isProvisioned)
      .map((claim) => asText(dig(claim, 'storageClassName'))),
  );
  // Whoever writes a volume of a class means it, and not another.
  const hasDefault = asked.has(undefined) && !brings && !volumes.includes('');
  const named = [...asked].flatMap((name) =>
    name === undefined || name === '' || brought.has(name) || volumes.includes(name) ? [] : [name],
  );
  const made = [
    ...(hasDefault ? [storageClass(DEFAULT_CLASS, { [IS_DEFAULT_CLASS]: 'true' })] : []),
    ...named.map((name) => storageClass(name, {})),
  ];
  const driver: JsonObject = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: PROVISIONER }, spec: {} };
  return { objects: made.length === 0 ? [] : [driver, ...made], hasDefault, named };
}

function storageClass(name: string, annotations: JsonObject): JsonObject {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations },
    provisioner: PROVISIONER,
    volumeBindingMode: 'WaitForFirstConsumer',
  };
}
