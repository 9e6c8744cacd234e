import type { Json } from '../../../base/json.ts';
import { asText, dig, isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, invalidValue, notSupported, required } from './field-error.ts';
import { checkQualifiedName } from './names.ts';

/** A field of the pod that an environment variable names. Source: pkg/apis/core/validation/validation.go (validateObjectFieldSelector). */
export function validateFieldRef(ref: Json | undefined, path: string, errors: FieldError[], fields: readonly string[] = ENV_FIELDS): void {
  if (!isJsonObject(ref)) return;
  const field = asText(ref['fieldPath']) ?? '';
  if (field === '') {
    errors.push(required(`${path}.fieldPath`));
    return;
  }
  const version = asText(ref['apiVersion']) ?? 'v1';
  const [, map, key] = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/.exec(field) ?? [];
  if (version !== 'v1')
    errors.push(invalidValue(`${path}.fieldPath`, field, `error converting fieldPath: unsupported pod version: ${version}`));
  else if (map !== undefined)
    addWrong(errors, path, key ?? '', checkQualifiedName(map.endsWith('annotations') ? (key ?? '').toLowerCase() : (key ?? '')));
  else if (!KNOWN_FIELDS.includes(field))
    errors.push(invalidValue(`${path}.fieldPath`, field, `error converting fieldPath: field label not supported: ${field}`));
  else if (!fields.includes(field)) errors.push(notSupported(`${path}.fieldPath`, field, fields));
}

/** What of a container's resources may be named. Source: the same (validateContainerResourceFieldSelector). */
export function validateResourceRef(ref: Json | undefined, path: string, errors: FieldError[], inVolume = false): void {
  if (!isJsonObject(ref)) return;
  const resource = asText(ref['resource']) ?? '';
  if (inVolume && (asText(dig(ref, 'containerName')) ?? '') === '') errors.push(required(`${path}.containerName`));
  else if (resource === '') errors.push(required(`${path}.resource`));
  else if (!RESOURCES.includes(resource) && !/^(requests|limits)\.hugepages-/.test(resource))
    errors.push(notSupported(`${path}.resource`, resource, RESOURCES));
  validateDivisor(resource, asText(ref['divisor']) ?? '0', `${path}.divisor`, errors);
}

/** Source: the same (validateContainerResourceDivisor). */
function validateDivisor(resource: string, divisor: string, path: string, errors: FieldError[]): void {
  const [, kind = ''] = /^(?:limits|requests)\.(cpu$|memory$|ephemeral(?=-storage$)|hugepages(?=-))/.exec(resource) ?? [];
  if (kind === '') return;
  const known = kind === 'cpu' ? CPU_DIVISORS : SIZE_DIVISORS;
  if (divisor === '0' || known.includes(divisor)) return;
  const words = `only divisor's values ${known.join(kind === 'cpu' ? ' and ' : ', ')} are supported with the ${TOLD[kind] ?? kind} resource`;
  errors.push(invalidValue(path, resource, words));
}

const CPU_DIVISORS: readonly string[] = ['1m', '1'];
const SIZE_DIVISORS: readonly string[] = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const TOLD: Readonly<Record<string, string>> = { ephemeral: 'local ephemeral storage' };

const ENV_FIELDS: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
export const VOLUME_FIELDS: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
/** Source: pkg/apis/core/pods/helpers.go (ConvertDownwardAPIFieldLabel). */
const KNOWN_FIELDS: readonly string[] = [
  ...ENV_FIELDS,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.hostNetwork',
  'status.phase',
  'status.nominatedNodeName',
  'spec.host',
];
const RESOURCES: readonly string[] = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
