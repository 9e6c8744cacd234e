import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
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
const IS_DEFAULT = 'storageclass.kubernetes.io/is-default-class';

export function assumedStorage(documents: readonly PlacedDocument[]): AssumedStorage {
  const objects = documents.map(({ object }) => object);
  const volumes = objects
    .filter(({ kind }) => kind === 'PersistentVolume')
    .map((volume) => asText(dig(volume, 'spec', 'storageClassName')) ?? '');
  const classes = objects.filter(({ kind }) => kind === 'StorageClass');
  const brought = new Set(classes.map((one) => asText(dig(one, 'metadata', 'name'))));
  const brings = classes.some((one) => dig(one, 'metadata', 'annotations', IS_DEFAULT) === 'true');
  const asked = new Set(
    objects
      .flatMap(claimsOf)
      .filter(isProvisioned)
      .map((claim) => asText(dig(claim, 'storageClassName'))),
  );
  // Whoever writes a volume of a class means it, and not another.
  const hasDefault = asked.has(undefined) && !brings && !volumes.includes('');
  const named = [...asked].flatMap((name) =>
    name === undefined || name === '' || brought.has(name) || volumes.includes(name) ? [] : [name],
  );
  const made = [
    ...(hasDefault ? [storageClass(DEFAULT_CLASS, { [IS_DEFAULT]: 'true' })] : []),
    ...named.map((name) => storageClass(name, {})),
  ];
  const driver: JsonObject = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: PROVISIONER }, spec: {} };
  return { objects: made.length === 0 ? [] : [driver, ...made], hasDefault, named };
}

function claimsOf(object: JsonObject): readonly Json[] {
  const own = object['kind'] === 'PersistentVolumeClaim' ? [dig(object, 'spec')] : [];
  const templates = asList(dig(object, 'spec', 'volumeClaimTemplates')).map((template) => dig(template, 'spec'));
  const pod = object['kind'] === 'Pod' ? dig(object, 'spec') : dig(object, 'spec', 'template', 'spec');
  const ephemeral = asList(dig(pod, 'volumes')).map((volume) => dig(volume, 'ephemeral', 'volumeClaimTemplate', 'spec'));
  return [...own, ...templates, ...ephemeral].filter((spec) => spec !== undefined);
}

/** A claim of one volume, or of those with labels, waits for these. */
function isProvisioned(claim: Json): boolean {
  return dig(claim, 'volumeName') === undefined && dig(claim, 'selector') === undefined;
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
