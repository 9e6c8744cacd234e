import type { Json, JsonObject } from '../../../base/json.ts';
import { given, integer, labelMap } from '../draft.ts';
import { accessModes } from '../printed-values.ts';
import type { Section } from './sections.ts';
import { Sections, sectionsOf } from './sections.ts';

/**
 * The volumes of a pod or a template: name and source. Types that are rarely met keep the fields that name other objects.
 * Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeVolumes).
 */
export function volumesOf(section: Section | undefined): readonly JsonObject[] {
  if (section === undefined) return [];
  return sectionsOf(section.body).map((volume) => ({ name: volume.key, ...sourceOf(volume) }));
}

/**
 * Fields of a volume that describe prints, or prints whenever they are set; file modes and the keys that are projected are not among them.
 */
export const VOLUME_SHOWN: readonly string[] = [
  'name',
  'persistentVolumeClaim',
  'configMap.name',
  'configMap.optional',
  'secret.secretName',
  'secret.optional',
  'emptyDir',
  'hostPath',
  'nfs',
  'csi.driver',
  'csi.readOnly',
  'csi.fsType',
  'image',
  'projected.sources.configMap.name',
  'projected.sources.configMap.optional',
  'projected.sources.secret.name',
  'projected.sources.secret.optional',
  'projected.sources.serviceAccountToken.expirationSeconds',
  'ephemeral.volumeClaimTemplate.spec.storageClassName',
  'iscsi.targetPortal',
  'iscsi.iqn',
  'iscsi.readOnly',
];

/** The source of a PersistentVolume, which is printed as a volume's is. */
export function sourceOf(volume: Section): JsonObject {
  const type = /^\w+/.exec(new Sections(volume.body).value('Type') ?? '')?.[0] ?? '';
  const fields = new Sections(volume.body);
  const source = SOURCES[type]?.(fields, volume);
  return source ?? {};
}

type SourceReader = (fields: Sections, volume: Section) => JsonObject;

const SOURCES: Readonly<Record<string, SourceReader>> = {
  PersistentVolumeClaim: (fields) => ({ persistentVolumeClaim: { claimName: fields.value('ClaimName') ?? '', ...readOnly(fields) } }),
  ConfigMap: (fields) => ({ configMap: { name: fields.value('Name') ?? '', ...optional(fields) } }),
  Secret: (fields) => ({ secret: { secretName: fields.value('SecretName') ?? '', ...optional(fields) } }),
  EmptyDir: (fields) => ({ emptyDir: { ...text('medium', fields.value('Medium')), ...text('sizeLimit', fields.value('SizeLimit')) } }),
  HostPath: (fields) => ({ hostPath: { path: fields.value('Path') ?? '', type: fields.value('HostPathType') ?? '' } }),
  NFS: (fields) => ({ nfs: { server: fields.value('Server') ?? '', path: fields.value('Path') ?? '', ...readOnly(fields) } }),
  LocalVolume: (fields) => ({ local: { path: fields.value('Path') ?? '' } }),
  Projected: projected,
  DownwardAPI: () => ({ downwardAPI: {} }),
  CSI: (fields) => ({
    csi: {
      driver: fields.value('Driver') ?? '',
      ...text('volumeHandle', fields.value('VolumeHandle')),
      ...text('fsType', fields.value('FSType')),
      ...readOnly(fields),
      ...attributes(fields),
    },
  }),
  EphemeralVolume: ephemeral,
  Image: (fields) => ({ image: { ...text('reference', fields.value('Reference')), ...text('pullPolicy', fields.value('PullPolicy')) } }),
  AWSElasticBlockStore: (fields) => ({
    awsElasticBlockStore: { volumeID: fields.value('VolumeID') ?? '', ...text('fsType', fields.value('FSType')) },
  }),
  GCEPersistentDisk: (fields) => ({
    gcePersistentDisk: { pdName: fields.value('PDName') ?? '', ...text('fsType', fields.value('FSType')) },
  }),
  AzureDisk: (fields) => ({ azureDisk: { diskName: fields.value('DiskName') ?? '', diskURI: fields.value('DiskURI') ?? '' } }),
  AzureFile: (fields) => ({ azureFile: { secretName: fields.value('SecretName') ?? '', shareName: fields.value('ShareName') ?? '' } }),
  ISCSI: (fields) => ({ iscsi: { targetPortal: fields.value('TargetPortal') ?? '', iqn: fields.value('IQN') ?? '', ...readOnly(fields) } }),
  RBD: (fields) => ({ rbd: { image: fields.value('RBDImage') ?? '', pool: fields.value('RBDPool') ?? '' } }),
  CephFS: (fields) => ({ cephfs: { path: fields.value('Path') ?? '' } }),
  Glusterfs: (fields) => ({ glusterfs: { endpoints: fields.value('EndpointsName') ?? '', path: fields.value('Path') ?? '' } }),
};

/** Sources are printed one after the other, each with a key of its own; `DownwardAPI: true` stands for any number of items. */
function projected(_: Sections, volume: Section): JsonObject {
  const sources: Json[] = [];
  const add = (kind: string, fields: JsonObject): void => {
    sources.push({ [kind]: fields });
  };
  const amend = (kind: string, value: string): void => {
    const last = sources.at(-1) as Record<string, JsonObject> | undefined;
    const source = last?.[kind];
    if (last !== undefined && source !== undefined && ['true', 'false', '<nil>'].includes(value))
      last[kind] = { ...source, optional: value === 'true' };
  };
  for (const { key, value } of sectionsOf(volume.body)) {
    if (key === 'SecretName') add('secret', { name: value });
    else if (key === 'ConfigMapName') add('configMap', { name: value });
    else if (key === 'ConfigMapOptional') amend('configMap', value);
    else if (key === 'SecretOptionalName') amend('secret', value);
    else if (key === 'Optional')
      amend(sources.some((source) => Object.hasOwn(source as JsonObject, 'configMap')) ? 'configMap' : 'secret', value);
    else if (key === 'DownwardAPI') add('downwardAPI', {});
    else if (key === 'TokenExpirationSeconds') add('serviceAccountToken', { expirationSeconds: integer(value) });
    else if (key === 'ClusterTrustBundleName') add('clusterTrustBundle', { name: value });
  }
  return { projected: { sources } };
}

function ephemeral(fields: Sections): JsonObject {
  const modes = accessModes(fields.value('Access Modes')?.replace(/[[\]]/g, '').replaceAll(' ', ','));
  const spec = {
    ...text('storageClassName', fields.value('StorageClass')),
    ...(modes === undefined ? {} : { accessModes: modes }),
  };
  return { ephemeral: { volumeClaimTemplate: { spec } } };
}

function attributes(fields: Sections): JsonObject {
  const pieces = fields.values('VolumeAttributes')?.filter((piece) => given(piece) !== undefined) ?? [];
  return pieces.length === 0 ? {} : { volumeAttributes: labelMap(pieces) };
}

function optional(fields: Sections): JsonObject {
  const value = fields.value('Optional');
  return value === 'true' || value === 'false' ? { optional: value === 'true' } : {};
}

function readOnly(fields: Sections): JsonObject {
  return fields.value('ReadOnly') === 'true' ? { readOnly: true } : {};
}

function text(field: string, value: string | undefined): JsonObject {
  const written = given(value);
  return written === undefined ? {} : { [field]: written };
}
