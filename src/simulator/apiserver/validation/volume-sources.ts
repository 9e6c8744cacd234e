import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, addWrongOrMissing, forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { checkLabelName, checkSubdomain } from './names.ts';

/** What is checked of a source of a volume. */
export type SourceCheck = (value: JsonObject, path: string, errors: FieldError[]) => void;

/** Of several sources only the first is looked at; each other one is too much. `order` is that in which upstream looks. */
export function validateSources(
  volume: JsonObject,
  path: string,
  { order, checks, name, nameField }: SourceRules,
  errors: FieldError[],
): void {
  const given = order.filter((source) => isJsonObject(volume[source]));
  if (given.length === 0) return void errors.push(required(path, 'must specify a volume type'));
  for (const [index, source] of given.entries()) {
    if (index === 0) checks[source]?.(asObject(volume[source]), `${path}.${CHECKED_AS[source] ?? source}`, errors);
    // Of a PersistentVolume it is not asked whether it is the only one.
    else if (source === 'flexVolume' && !order.includes('emptyDir')) validateFlex(asObject(volume[source]), `${path}.${source}`, errors);
    else errors.push(forbiddenField(`${path}.${REFUSED_AS[source] ?? source}`, 'may not specify more than 1 volume type'));
    if (source === 'iscsi') validateInitiatorLength(asObject(volume[source]), name, nameField, errors);
  }
}

/** What may be given, how it is checked, and the name of the volume with its field. */
interface SourceRules {
  readonly order: readonly string[];
  readonly checks: Readonly<Partial<Record<string, SourceCheck>>>;
  readonly name: string;
  readonly nameField: string;
}

function validateInitiatorLength(iscsi: JsonObject, name: string, field: string, errors: FieldError[]): void {
  if (iscsi['initiatorName'] === undefined || `${name}:${asText(iscsi['targetPortal']) ?? ''}`.length <= LONGEST_INITIATOR) return;
  const words = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  errors.push(invalidValue(field, name, words));
}

const LONGEST_INITIATOR = 64;

/** Where upstream names a source otherwise than the API does. */
const CHECKED_AS: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };
const REFUSED_AS: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** Checks for fields without which a source is nothing. */
export function needs(...fields: readonly string[]): SourceCheck {
  return (value, path, errors) => {
    for (const field of fields) {
      const given = value[field] ?? '';
      if (given === '' || (Array.isArray(given) && given.length === 0)) errors.push(required(`${path}.${field}`));
    }
  };
}

/** Sources that pods and PersistentVolumes share. Source: pkg/apis/core/validation/validation.go (validateVolumeSource). */
export const SHARED_CHECKS: Readonly<Partial<Record<string, SourceCheck>>> = {
  gcePersistentDisk: (value, path, errors) => {
    needs('pdName')(value, path, errors);
    validatePartition(value, path, errors);
  },
  awsElasticBlockStore: (value, path, errors) => {
    needs('volumeID')(value, path, errors);
    validatePartition(value, path, errors);
  },
  glusterfs: (value, path, errors) => {
    needs('endpoints', 'path')(value, path, errors);
    const namespace = asText(value['endpointsNamespace']);
    const words = 'if the endpointnamespace is set, it must be a valid namespace name';
    if (namespace === '') errors.push(invalidValue(`${path}.endpointsNamespace`, '', words));
    else if (namespace !== undefined) addWrong(errors, `${path}.endpointsNamespace`, namespace, checkLabelName(namespace));
  },
  flocker: validateFlocker,
  nfs: (value, path, errors) => {
    needs('server', 'path')(value, path, errors);
    if (asText(value['path'])?.startsWith('/') !== true)
      errors.push(invalidValue(`${path}.path`, value['path'] ?? '', 'must be an absolute path'));
  },
  rbd: needs('monitors', 'image'),
  quobyte: validateQuobyte,
  cephfs: needs('monitors'),
  iscsi: validateIscsi,
  cinder: (value, path, errors) => {
    needs('volumeID')(value, path, errors);
    validateSecret(value['secretRef'], `${path}.secretRef`, errors);
  },
  fc: validateFibreChannel,
  flexVolume: validateFlex,
  azureFile: (value, path, errors) => {
    needs('secretName', 'shareName')(value, path, errors);
    if (value['secretNamespace'] === '') errors.push(required(`${path}.secretNamespace`));
  },
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: validateAzureDisk,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  storageos: (value, path, errors) => {
    addWrongOrMissing(errors, `${path}.volumeName`, asText(value['volumeName']) ?? '', checkLabelName);
    const namespace = asText(value['volumeNamespace']) ?? '';
    if (namespace !== '') addWrong(errors, `${path}.volumeNamespace`, namespace, checkLabelName(namespace));
    validateSecret(value['secretRef'], `${path}.secretRef`, errors);
  },
};

/** The name of a CSI driver. Source: the same (ValidateCSIDriverName). */
export function validateDriverName(name: string, field: string, errors: FieldError[]): void {
  if (name === '') errors.push(required(field));
  if (name.length > LONGEST_DRIVER) errors.push(tooLong(field, LONGEST_DRIVER));
  if (name !== '') addWrong(errors, field, name, checkSubdomain(name.toLowerCase()));
}

const LONGEST_DRIVER = 63;

/** A PersistentVolume names the namespace of a secret too. */
function validateSecret(secret: Json | undefined, path: string, errors: FieldError[]): void {
  if (!isJsonObject(secret)) return;
  for (const field of path.startsWith('spec.') && !path.includes('.volumes[') ? ['name', 'namespace'] : ['name'])
    if ((asText(secret[field]) ?? '') === '') errors.push(required(`${path}.${field}`));
}

function validatePartition(value: JsonObject, path: string, errors: FieldError[]): void {
  const partition = asNumber(value['partition']) ?? 0;
  if (partition < 0 || partition > 255) errors.push(invalidValue(`${path}.partition`, partition, 'must be between 1 and 255, inclusive'));
}

function validateFlocker(value: JsonObject, path: string, errors: FieldError[]): void {
  const [name, uuid] = [asText(value['datasetName']) ?? '', asText(value['datasetUUID']) ?? ''];
  if (name === '' && uuid === '') errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (name !== '' && uuid !== '')
    errors.push(invalidValue(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  if (name.includes('/')) errors.push(invalidValue(`${path}.datasetName`, name, "must not contain '/'"));
}

function validateQuobyte(value: JsonObject, path: string, errors: FieldError[]): void {
  const [registry, tenant] = [asText(value['registry']) ?? '', asText(value['tenant']) ?? ''];
  const words = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') errors.push(required(`${path}.registry`, words));
  else if (tenant.length >= 65) errors.push(required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  else
    for (const pair of registry.split(','))
      if (!/^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair)) errors.push(invalidValue(`${path}.registry`, registry, words));
  needs('volume')(value, path, errors);
}

/** Only of a pod's volume it is said how a name begins. */
function validateIscsi(value: JsonObject, path: string, errors: FieldError[]): void {
  needs('targetPortal')(value, path, errors);
  const iqn = asText(value['iqn']) ?? '';
  const lun = asNumber(value['lun']) ?? 0;
  const ofPod = path.includes('.volumes[') ? 'must be valid format starting with iqn, eui, or naa' : 'must be valid format';
  if (iqn === '') errors.push(required(`${path}.iqn`));
  else validateInitiator(iqn, `${path}.iqn`, ofPod, errors);
  if (lun < 0 || lun > 255) errors.push(invalidValue(`${path}.lun`, lun, 'must be between 0 and 255, inclusive'));
  if ((value['chapAuthDiscovery'] === true || value['chapAuthSession'] === true) && !isJsonObject(value['secretRef']))
    errors.push(required(`${path}.secretRef`));
  if (isJsonObject(value['secretRef']) && (asText(dig(value, 'secretRef', 'name')) ?? '') === '')
    errors.push(required(`${path}.secretRef.name`));
  const initiator = asText(value['initiatorName']);
  if (initiator !== undefined) validateInitiator(initiator, `${path}.initiatorname`, ofPod, errors);
}

function validateInitiator(name: string, path: string, wrongStart: string, errors: FieldError[]): void {
  if (!/^(?:iqn|eui|naa)/.test(name)) errors.push(invalidValue(path, name, wrongStart));
  else if (!isInitiator(name)) errors.push(invalidValue(path, name, 'must be valid format'));
}

function isInitiator(name: string): boolean {
  if (name.startsWith('iqn')) return /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/.test(name);
  return name.startsWith('eui') ? /^eui.[A-Za-z0-9]{16}$/.test(name) : /^naa.[A-Za-z0-9]{32}$/.test(name);
}

function validateFibreChannel(value: JsonObject, path: string, errors: FieldError[]): void {
  const [names, ids] = [asList(value['targetWWNs']), asList(value['wwids'])];
  const field = `${path}.targetWWNs`;
  if (names.length === 0 && ids.length === 0) errors.push(required(field, 'must specify either targetWWNs or wwids, but not both'));
  if (names.length > 0 && ids.length > 0)
    errors.push(invalidValue(field, names, 'targetWWNs and wwids can not be specified simultaneously'));
  if (names.length === 0) return;
  const lun = asNumber(value['lun']);
  if (lun === undefined) errors.push(required(`${path}.lun`, 'lun is required if targetWWNs is specified'));
  else if (lun < 0 || lun > 255) errors.push(invalidValue(`${path}.lun`, lun, 'must be between 0 and 255, inclusive'));
}

function validateFlex(value: JsonObject, path: string, errors: FieldError[]): void {
  needs('driver')(value, path, errors);
  for (const key of Object.keys(asObject(value['options'])))
    if (/\.(?:kubernetes|k8s)\.io$/.test(`.${(key.split('/', 1)[0] ?? '').toLowerCase()}`))
      errors.push(invalidValue(`${path}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'));
}

function validateAzureDisk(value: JsonObject, path: string, errors: FieldError[]): void {
  needs('diskName', 'diskURI')(value, path, errors);
  const [mode, kind, uri] = [asText(value['cachingMode']), asText(value['kind']), asText(value['diskURI']) ?? ''];
  if (mode !== undefined && !CACHING_MODES.includes(mode)) errors.push(notSupported(`${path}.cachingMode`, mode, CACHING_MODES));
  if (kind === undefined) return;
  if (!DISK_KINDS.includes(kind)) errors.push(notSupported(`${path}.kind`, kind, DISK_KINDS));
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/')) errors.push(notSupported(`${path}.diskURI`, uri, [MANAGED_DISK]));
  if (kind !== 'Managed' && !uri.startsWith('https://')) errors.push(notSupported(`${path}.diskURI`, uri, [BLOB_DISK]));
}

const CACHING_MODES: readonly string[] = ['None', 'ReadOnly', 'ReadWrite'];
const DISK_KINDS: readonly string[] = ['Dedicated', 'Managed', 'Shared'];
const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
