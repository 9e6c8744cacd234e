import { withoutTail } from '../../../base/text.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { own } from '../../../base/own-property.ts';
import { validateAutoscaler } from './autoscaler.ts';
import {
  validateApiService,
  validateEndpointSlice,
  validateEndpointSliceUpdate,
  validateLease,
  validateNamespace,
  validateNode,
  validateNodeUpdate,
  validatePriorityClass,
  validatePriorityClassUpdate,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
} from './cluster-objects.ts';
import { validateDeviceClass, validateResourceClaim, validateResourceClaimTemplate } from './devices.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, required, tooLong } from './field-error.ts';
import { validateLabelSelector } from './label-selector.ts';
import { immutable } from './metadata.ts';
import { checkConfigKey } from './names.ts';
import { validateIngress, validateIngressClass, validateIngressClassUpdate, validateNetworkPolicy } from './network.ts';
import { validateReplicationController, validateSigningRequest } from './other-objects.ts';
import { validateMutatingPolicy, validatePolicyBinding, validateValidatingPolicy } from './policies.ts';
import { validateLimitRange, validateQuota, validateQuotaUpdate } from './quotas.ts';
import { validateBinding, validateBindingUpdate, validateRules } from './rbac.ts';
import { validateIpAddress, validateIpAddressUpdate, validateRevision } from './named-parents.ts';
import { validateVolume, validateVolumeUpdate } from './persistent-volumes.ts';
import { validatePodTemplate } from './templates.ts';
import { validateFlowSchema, validatePriorityLevel } from './flow-control.ts';
import {
  validateAttachment,
  validateAttachmentUpdate,
  validateAttributesClass,
  validateAttributesClassUpdate,
  validateNodeDrivers,
  validateNodeDriversUpdate,
  validateStorageCapacity,
  validateStorageCapacityUpdate,
} from './attached-storage.ts';
import { validateChoice } from './request-rules.ts';
import { validateResourceSlice } from './resource-slices.ts';
import { validateService, validateServiceUpdate } from './services.ts';
import {
  validateClaim,
  validateClaimUpdate,
  validateDriver,
  validateDriverUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
} from './storage.ts';
import { validateWebhooks } from './webhooks.ts';
import { intOrPercent, notOverWhole } from './workloads.ts';

type Check = (object: JsonObject, old?: JsonObject) => readonly FieldError[];
type UpdateCheck = (object: JsonObject, old: JsonObject) => readonly FieldError[];

/** The kinds that are no workloads. Source: pkg/apis/<group>/validation/validation.go of each. */
export const OBJECT_CHECKS: Readonly<Record<string, Check>> = {
  services: validateService,
  configmaps: validateConfigMap,
  secrets: validateSecret,
  namespaces: validateNamespace,
  nodes: validateNode,
  persistentvolumeclaims: validateClaim,
  persistentvolumes: validateVolume,
  resourcequotas: validateQuota,
  limitranges: validateLimitRange,
  'storageclasses.storage.k8s.io': validateStorageClass,
  'csidrivers.storage.k8s.io': validateDriver,
  'poddisruptionbudgets.policy': validateBudget,
  'horizontalpodautoscalers.autoscaling': validateAutoscaler,
  'priorityclasses.scheduling.k8s.io': validatePriorityClass,
  'leases.coordination.k8s.io': validateLease,
  'endpointslices.discovery.k8s.io': validateEndpointSlice,
  'apiservices.apiregistration.k8s.io': validateApiService,
  'certificatesigningrequests.certificates.k8s.io': validateSigningRequest,
  replicationcontrollers: validateReplicationController,
  'networkpolicies.networking.k8s.io': validateNetworkPolicy,
  'ingresses.networking.k8s.io': validateIngress,
  'ingressclasses.networking.k8s.io': validateIngressClass,
  'rolebindings.rbac.authorization.k8s.io': (object) => validateBinding(object, 'namespaced'),
  'clusterrolebindings.rbac.authorization.k8s.io': (object) => validateBinding(object, 'cluster'),
  'roles.rbac.authorization.k8s.io': (object) => validateRules(object, 'namespaced'),
  'clusterroles.rbac.authorization.k8s.io': (object) => validateRules(object, 'cluster'),
  'runtimeclasses.node.k8s.io': validateRuntimeClass,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': validateWebhooks,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': validateWebhooks,
  'validatingadmissionpolicies.admissionregistration.k8s.io': validateValidatingPolicy,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': validateMutatingPolicy,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': (object) => validatePolicyBinding(object, false),
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': (object) => validatePolicyBinding(object, true),
  'resourceclaims.resource.k8s.io': validateResourceClaim,
  'resourceclaimtemplates.resource.k8s.io': validateResourceClaimTemplate,
  'deviceclasses.resource.k8s.io': validateDeviceClass,
  'resourceslices.resource.k8s.io': validateResourceSlice,
  'volumeattachments.storage.k8s.io': validateAttachment,
  'csinodes.storage.k8s.io': validateNodeDrivers,
  'csistoragecapacities.storage.k8s.io': validateStorageCapacity,
  'volumeattributesclasses.storage.k8s.io': validateAttributesClass,
  'flowschemas.flowcontrol.apiserver.k8s.io': validateFlowSchema,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': validatePriorityLevel,
  'controllerrevisions.apps': validateRevision,
  'ipaddresses.networking.k8s.io': validateIpAddress,
  podtemplates: validateTemplateObject,
};

/** What of them stays as it is. */
export const OBJECT_UPDATE_CHECKS: Readonly<Record<string, UpdateCheck>> = {
  configmaps: (object, old) => frozenData(object, old, ['data', 'binaryData']),
  secrets: (object, old) => [...immutable('type', object['type'], old['type']), ...frozenData(object, old, ['data'])],
  services: validateServiceUpdate,
  nodes: validateNodeUpdate,
  resourcequotas: validateQuotaUpdate,
  persistentvolumeclaims: validateClaimUpdate,
  persistentvolumes: validateVolumeUpdate,
  'storageclasses.storage.k8s.io': validateStorageClassUpdate,
  'csidrivers.storage.k8s.io': validateDriverUpdate,
  'ingressclasses.networking.k8s.io': validateIngressClassUpdate,
  'endpointslices.discovery.k8s.io': validateEndpointSliceUpdate,
  'rolebindings.rbac.authorization.k8s.io': validateBindingUpdate,
  'clusterrolebindings.rbac.authorization.k8s.io': validateBindingUpdate,
  'priorityclasses.scheduling.k8s.io': validatePriorityClassUpdate,
  'runtimeclasses.node.k8s.io': validateRuntimeClassUpdate,
  'volumeattachments.storage.k8s.io': validateAttachmentUpdate,
  'csinodes.storage.k8s.io': validateNodeDriversUpdate,
  'csistoragecapacities.storage.k8s.io': validateStorageCapacityUpdate,
  'volumeattributesclasses.storage.k8s.io': validateAttributesClassUpdate,
  'ipaddresses.networking.k8s.io': validateIpAddressUpdate,
};

/** Source: pkg/apis/core/validation/validation.go (ValidatePodTemplate). */
function validateTemplateObject(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  validatePodTemplate(asObject(object['template']), 'template', errors);
  return errors;
}

const MEBIBYTE = 1_048_576;

/** Source: pkg/apis/core/validation/validation.go (ValidateConfigMap). */
function validateConfigMap(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [data, binary] = [asTextMap(object['data']), asTextMap(object['binaryData'])];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    addWrong(errors, `data[${key}]`, key, checkConfigKey(key));
    if (Object.hasOwn(binary, key)) errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += byteLength(value);
  }
  for (const [key, value] of Object.entries(binary)) {
    addWrong(errors, `binaryData[${key}]`, key, checkConfigKey(key));
    size += decodedLength(value);
  }
  if (size > MEBIBYTE) errors.push(tooLong('[]', MEBIBYTE));
  return errors;
}

/** Source: the same (ValidateSecret). */
function validateSecret(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const data = asTextMap(object['data']);
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    addWrong(errors, `data[${key}]`, key, checkConfigKey(key));
    size += decodedLength(value);
  }
  if (size > MEBIBYTE) errors.push(tooLong('data', MEBIBYTE));
  validateSecretType(object, data, errors);
  return errors;
}

/** What a Secret of a known type must hold. */
function validateSecretType(object: JsonObject, data: Readonly<Record<string, string>>, errors: FieldError[]): void {
  const type = asText(object['type']) ?? '';
  const account = asText(dig(object, 'metadata', 'annotations', 'kubernetes.io/service-account.name')) ?? '';
  if (type === 'kubernetes.io/service-account-token' && account === '')
    errors.push(required('metadata.annotations[kubernetes.io/service-account.name]'));
  if (type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined)
    errors.push(required('data[username]'), required('data[password]'));
  for (const key of own(SECRET_KEYS, type) ?? []) validateSecretKey(key, data[key], errors);
}

/** A Docker configuration may be empty, but is then none. */
function validateSecretKey(key: string, value: string | undefined, errors: FieldError[]): void {
  if (value === undefined || (value === '' && key === 'ssh-privatekey')) errors.push(required(`data[${key}]`));
  else if (key.startsWith('.docker')) validateDockerConfig(value, key, errors);
}

const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

/** What Go's JSON says of a text that is none; what is in the secret is not told. */
function validateDockerConfig(encoded: string, key: string, errors: FieldError[]): void {
  const text = decoded(encoded).trim();
  const words = text === '' ? 'unexpected end of JSON input' : wrongStart(text);
  if (words !== undefined) errors.push(invalidValue(`data[${key}]`, '<secret contents redacted>', words));
}

function wrongStart(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as Json;
    if (value === null || isJsonObject(value)) return undefined;
    return `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value} into Go value of type map[string]interface {}`;
  } catch {
    const first = text.charAt(0);
    return '{["-0123456789tfn'.includes(first)
      ? 'unexpected end of JSON input'
      : `invalid character '${first}' looking for beginning of value`;
  }
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

function decodedLength(base64: string): number {
  return Math.floor((withoutTail(base64, '=').length * 3) / 4);
}

function frozenData(object: JsonObject, old: JsonObject, fields: readonly string[]): readonly FieldError[] {
  if (old['immutable'] !== true) return [];
  const errors: FieldError[] =
    object['immutable'] === true ? [] : [forbiddenField('immutable', 'field is immutable when `immutable` is set')];
  for (const field of fields)
    if (!sameJson(object[field], old[field])) errors.push(forbiddenField(field, 'field is immutable when `immutable` is set'));
  return errors;
}

/** Source: pkg/apis/policy/validation/validation.go (ValidatePodDisruptionBudgetSpec). */
function validateBudget(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const [min, max] = [spec['minAvailable'], spec['maxUnavailable']];
  if (min !== undefined && max !== undefined)
    errors.push(
      invalidValue(
        'spec',
        {
          MinAvailable: min,
          Selector: spec['selector'] ?? null,
          MaxUnavailable: max,
          UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
        },
        'minAvailable and maxUnavailable cannot be both set',
      ),
    );
  for (const [field, value] of [
    ['spec.minAvailable', min],
    ['spec.maxUnavailable', max],
  ] as const) {
    intOrPercent(value, field, errors);
    notOverWhole(value, field, errors);
  }
  validateLabelSelector(spec['selector'], 'spec.selector', errors);
  validateChoice(spec['unhealthyPodEvictionPolicy'], 'spec.unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget'], errors);
  return errors;
}

function byteLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    length += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit < 0xdc00 ? 4 : unit >= 0xdc00 && unit < 0xe000 ? 0 : 3;
  }
  return length;
}
