import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { FieldError } from './field-error.ts';
import { forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { checkConfigKey, checkLabelName, checkQualifiedName, checkSubdomain } from './names.ts';
import { validateLabelSelector } from './pod-spec.ts';
import { validateIngress, validateNetworkPolicy, validateService } from './network.ts';
import { validateMutatingPolicy, validatePolicyBinding, validateValidatingPolicy } from './policies.ts';
import { validateWebhooks } from './webhooks.ts';
import { validateDeviceClass, validateResourceClaim, validateResourceClaimTemplate } from './devices.ts';
import { validateResourceSlice } from './resource-slices.ts';
import { intOrPercent } from './workloads.ts';

/** The other kinds that matter to a pod's way. Source: pkg/apis/<group>/validation/validation.go of each. */
export const OBJECT_CHECKS: Readonly<Record<string, (object: JsonObject) => readonly FieldError[]>> = {
  services: validateService,
  configmaps: validateConfigMap,
  secrets: validateSecret,
  persistentvolumeclaims: validateClaim,
  persistentvolumes: validateVolume,
  resourcequotas: validateQuota,
  limitranges: validateLimitRange,
  'storageclasses.storage.k8s.io': validateStorageClass,
  'poddisruptionbudgets.policy': validateBudget,
  'horizontalpodautoscalers.autoscaling': validateAutoscaler,
  'priorityclasses.scheduling.k8s.io': validatePriorityClass,
  'networkpolicies.networking.k8s.io': validateNetworkPolicy,
  'rolebindings.rbac.authorization.k8s.io': validateBinding,
  'clusterrolebindings.rbac.authorization.k8s.io': validateBinding,
  'roles.rbac.authorization.k8s.io': (object) => validateRules(object, 'namespaced'),
  'clusterroles.rbac.authorization.k8s.io': (object) => validateRules(object, 'cluster'),
  'runtimeclasses.node.k8s.io': (object) => ((asText(object['handler']) ?? '') === '' ? [required('handler')] : checkLabelName(asText(object['handler']) ?? '').map((words) => invalidValue('handler', object['handler'], words))),
  'validatingwebhookconfigurations.admissionregistration.k8s.io': validateWebhooks,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': validateWebhooks,
  'validatingadmissionpolicies.admissionregistration.k8s.io': validateValidatingPolicy,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': validateMutatingPolicy,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': (object) => validatePolicyBinding(object, false),
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': (object) => validatePolicyBinding(object, true),
  'ingresses.networking.k8s.io': validateIngress,
  'resourceclaims.resource.k8s.io': validateResourceClaim,
  'resourceclaimtemplates.resource.k8s.io': validateResourceClaimTemplate,
  'deviceclasses.resource.k8s.io': validateDeviceClass,
  'resourceslices.resource.k8s.io': validateResourceSlice,
};

const MEBIBYTE = 1_048_576;

function validateConfigMap(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const field of ['data', 'binaryData']) {
    for (const [key, value] of Object.entries(asTextMap(object[field]))) {
      for (const words of checkConfigKey(key)) errors.push(invalidValue(`${field}[${key}]`, key, words));
      size += field === 'data' ? byteLength(value) : Math.floor((value.length * 3) / 4);
    }
  }
  if (size > MEBIBYTE) errors.push(tooLong('[]', MEBIBYTE));
  return errors;
}

function validateSecret(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const data = asTextMap(object['data']);
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const words of checkConfigKey(key)) errors.push(invalidValue(`data[${key}]`, key, words));
    size += Math.floor((value.length * 3) / 4);
  }
  if (size > MEBIBYTE) errors.push(tooLong('data', MEBIBYTE));
  for (const key of SECRET_KEYS[asText(object['type']) ?? ''] ?? []) if (data[key] === undefined) errors.push(required(`data[${key}]`));
  return errors;
}

const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function validateClaim(claim: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(claim['spec']);
  const modes = asList(spec['accessModes']);
  if (modes.length === 0) errors.push(required('spec.accessModes', 'at least 1 access mode is required'));
  for (const mode of modes) if (!ACCESS_MODES.includes(textOf(mode))) errors.push(notSupported('spec.accessModes', mode, ACCESS_MODES));
  validateLabelSelector(spec['selector'], 'spec.selector', errors);
  if (modes.length > 1 && modes.includes('ReadWriteOncePod')) errors.push(forbiddenField('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'));
  const storage = dig(spec, 'resources', 'requests', 'storage');
  if (storage === undefined) errors.push(required('spec.resources[storage]'));
  else if ((parseQuantity(storage) ?? 0n) <= 0n) errors.push(invalidValue('spec.resources[storage]', storage, 'must be greater than zero'));
  const volumeMode = asText(spec['volumeMode']) ?? 'Filesystem';
  if (volumeMode !== 'Filesystem' && volumeMode !== 'Block') errors.push(notSupported('spec.volumeMode', volumeMode, ['Block', 'Filesystem']));
  const className = asText(spec['storageClassName']) ?? '';
  if (className !== '') for (const words of checkSubdomain(className)) errors.push(invalidValue('spec.storageClassName', className, words));
  return errors;
}

function validateVolume(volume: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(volume['spec']);
  const modes = asList(spec['accessModes']);
  if (modes.length === 0) errors.push(required('spec.accessModes'));
  for (const mode of modes) if (!ACCESS_MODES.includes(textOf(mode))) errors.push(notSupported('spec.accessModes', mode, ACCESS_MODES));
  const capacity = asObject(spec['capacity']);
  if (Object.keys(capacity).length === 0) errors.push(required('spec.capacity'));
  const sources = Object.keys(spec).filter((field) => PERSISTENT_SOURCES.includes(field));
  if (sources.length === 0) errors.push(required('spec', 'must specify a volume type'));
  for (const source of sources.slice(1)) errors.push(forbiddenField(`spec.${source}`, 'may not specify more than 1 volume type'));
  const policy = asText(spec['persistentVolumeReclaimPolicy']) ?? '';
  if (policy !== '' && !['Delete', 'Recycle', 'Retain'].includes(policy)) errors.push(notSupported('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain']));
  const storage = parseQuantity(capacity['storage']);
  if (storage !== undefined && storage <= 0n) errors.push(invalidValue('spec.capacity[storage]', capacity['storage'], 'must be greater than zero'));
  if (spec['hostPath'] !== undefined && (asText(dig(spec, 'hostPath', 'path')) ?? '') === '') errors.push(required('spec.hostPath.path'));
  for (const field of ['driver', 'volumeHandle']) if (spec['csi'] !== undefined && (asText(dig(spec, 'csi', field)) ?? '') === '') errors.push(required(`spec.csi.${field}`));
  for (const field of ['server', 'path']) if (spec['nfs'] !== undefined && (asText(dig(spec, 'nfs', field)) ?? '') === '') errors.push(required(`spec.nfs.${field}`));
  if (spec['local'] !== undefined && spec['nodeAffinity'] === undefined) errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
  return errors;
}

const PERSISTENT_SOURCES: readonly string[] = ['hostPath', 'local', 'csi', 'nfs', 'iscsi', 'fc', 'rbd', 'cephfs', 'glusterfs', 'awsElasticBlockStore', 'gcePersistentDisk', 'azureDisk', 'azureFile', 'vsphereVolume', 'cinder', 'portworxVolume', 'flexVolume', 'flocker', 'quobyte', 'scaleIO', 'storageos', 'photonPersistentDisk'];

function amounts(map: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(map)) {
    const amount = parseQuantity(value);
    if (amount !== undefined && amount < 0n) errors.push(invalidValue(`${path}[${name}]`, value, 'must be greater than or equal to 0'));
  }
  return errors;
}

/** Source: pkg/apis/core/validation/validation.go (ValidateResourceQuota, ValidateResourceQuotaResourceName). */
function validateQuota(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const hard = asObject(dig(object, 'spec', 'hard'));
  for (const [name, value] of Object.entries(hard)) {
    for (const words of checkQualifiedName(name)) errors.push(invalidValue(`spec.hard[${name}]`, name, words));
    if (!name.includes('/') && !QUOTA_RESOURCES.includes(name) && !/^(requests\.)?hugepages-/.test(name)) errors.push(invalidValue(`spec.hard[${name}]`, name, 'must be a standard resource type or fully qualified'), invalidValue(`spec.hard[${name}]`, name, 'must be a standard resource for quota'));
    errors.push(...amounts({ [name]: value }, 'spec.hard'));
    const amount = parseQuantity(value);
    if (amount !== undefined && COUNTED.includes(name) && amount % 1_000_000_000n !== 0n) errors.push(invalidValue(`spec.hard[${name}]`, value, 'must be an integer'));
  }
  return errors;
}

const COUNTED: readonly string[] = ['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps', 'persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'];
const QUOTA_RESOURCES: readonly string[] = [...COUNTED, 'cpu', 'memory', 'ephemeral-storage', 'requests.cpu', 'requests.memory', 'requests.storage', 'requests.ephemeral-storage', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage'];

function validateLimitRange(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, limit] of asList(dig(object, 'spec', 'limits')).entries()) {
    const field = `spec.limits[${index}]`;
    const [max, min] = [asObject(dig(limit, 'max')), asObject(dig(limit, 'min'))];
    for (const [name, value] of Object.entries(min)) {
      const [low, high] = [parseQuantity(value), parseQuantity(max[name])];
      if (low !== undefined && high !== undefined && low > high) errors.push(invalidValue(`${field}.min[${name}]`, value, `min value ${textOf(value)} is greater than max value ${textOf(max[name])}`));
    }
    for (const [name, value] of Object.entries(asObject(dig(limit, 'default')))) {
      const [fallback, high] = [parseQuantity(value), parseQuantity(max[name])];
      if (fallback !== undefined && high !== undefined && fallback > high) errors.push(invalidValue(`${field}.default[${name}]`, value, `default value ${textOf(value)} is greater than max value ${textOf(max[name])}`));
    }
  }
  return errors;
}

function validateStorageClass(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((asText(object['provisioner']) ?? '') === '') errors.push(required('provisioner'));
  const policy = asText(object['reclaimPolicy']) ?? '';
  if (!['Delete', 'Retain'].includes(policy)) errors.push(notSupported('reclaimPolicy', policy, ['Delete', 'Retain']));
  const mode = asText(object['volumeBindingMode']) ?? '';
  if (!['Immediate', 'WaitForFirstConsumer'].includes(mode)) errors.push(notSupported('volumeBindingMode', mode, ['Immediate', 'WaitForFirstConsumer']));
  return errors;
}

function validateBudget(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  if (spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined) errors.push(invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set'));
  intOrPercent(spec['minAvailable'], 'spec.minAvailable', errors);
  intOrPercent(spec['maxUnavailable'], 'spec.maxUnavailable', errors);
  validateLabelSelector(spec['selector'], 'spec.selector', errors);
  return errors;
}

function validateAutoscaler(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const [min, max] = [asNumber(spec['minReplicas']) ?? 1, asNumber(spec['maxReplicas']) ?? 0];
  if (min < 1) errors.push(invalidValue('spec.minReplicas', min, 'must be greater than or equal to 1'));
  if (max < 1) errors.push(invalidValue('spec.maxReplicas', max, 'must be greater than 0'));
  if (max < min) errors.push(invalidValue('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'));
  for (const [index, metric] of asList(spec['metrics']).entries()) validateMetric(metric, `spec.metrics[${index}]`, errors);
  for (const field of ['kind', 'name']) if ((asText(dig(spec, 'scaleTargetRef', field)) ?? '') === '') errors.push(required(`spec.scaleTargetRef.${field}`));
  return errors;
}

const METRICS: readonly string[] = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** Source: pkg/apis/autoscaling/validation/validation.go (validateMetricSpec). */
function validateMetric(metric: Json, path: string, errors: FieldError[]): void {
  const type = asText(dig(metric, 'type')) ?? '';
  if (type === '') return void errors.push(required(`${path}.type`, 'must specify a metric source type'));
  if (!METRICS.includes(type)) return void errors.push(notSupported(`${path}.type`, type, METRICS));
  const source = type.charAt(0).toLowerCase() + type.slice(1);
  if (dig(metric, source) === undefined) return void errors.push(required(`${path}.${source}`, 'must populate information for the given metric source'));
  if (type !== 'Resource' && type !== 'ContainerResource') return;
  if ((asText(dig(metric, source, 'name')) ?? '') === '') errors.push(required(`${path}.${source}.name`, 'must specify a resource name'));
  const target = asObject(dig(metric, source, 'target'));
  if ((asText(target['type']) ?? '') === '') errors.push(required(`${path}.${source}.target.type`, 'must specify a metric target type'));
  if (target['averageUtilization'] === undefined && target['averageValue'] === undefined) errors.push(required(`${path}.${source}.target.averageUtilization`, 'must set either a target raw value or a target utilization'));
  if (target['averageUtilization'] !== undefined && target['averageValue'] !== undefined) errors.push(forbiddenField(`${path}.${source}.target.averageValue`, 'may not set both a target raw value and a target utilization'));
  const utilization = asNumber(target['averageUtilization']);
  if (utilization !== undefined && utilization < 1) errors.push(invalidValue(`${path}.${source}.target.averageUtilization`, utilization, 'must be greater than 0'));
}

function validatePriorityClass(object: JsonObject): readonly FieldError[] {
  const [name, value] = [asText(dig(object, 'metadata', 'name')) ?? '', asNumber(object['value']) ?? 0];
  const system = ['system-cluster-critical', 'system-node-critical'].includes(name);
  if (name.startsWith('system-') && !system) return [forbiddenField('metadata.name', "priority class names with 'system-' prefix are reserved for system use only. error: only allowed system priority classes: system-node-critical, system-cluster-critical")];
  if (value > 1_000_000_000 && !system) return [forbiddenField('value', 'maximum allowed value of a user defined priority is 1000000000')];
  return [];
}

function validateBinding(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const ref = asObject(object['roleRef']);
  if (ref['apiGroup'] !== RBAC) errors.push(notSupported('roleRef.apiGroup', ref['apiGroup'], [RBAC]));
  if (!['Role', 'ClusterRole'].includes(asText(ref['kind']) ?? '')) errors.push(notSupported('roleRef.kind', ref['kind'], ['Role', 'ClusterRole']));
  if ((asText(ref['name']) ?? '') === '') errors.push(required('roleRef.name'));
  for (const [index, subject] of asList(object['subjects']).entries()) {
    const kind = asText(dig(subject, 'kind')) ?? '';
    if ((asText(dig(subject, 'name')) ?? '') === '') errors.push(required(`subjects[${index}].name`));
    if (!['ServiceAccount', 'User', 'Group'].includes(kind)) errors.push(notSupported(`subjects[${index}].kind`, kind, ['ServiceAccount', 'User', 'Group']));
    if (kind === 'ServiceAccount' && (asText(dig(subject, 'namespace')) ?? '') === '') errors.push(required(`subjects[${index}].namespace`));
  }
  return errors;
}

const RBAC = 'rbac.authorization.k8s.io';

function validateRules(object: JsonObject, scope: 'namespaced' | 'cluster'): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, rule] of asList(object['rules']).entries()) {
    const field = `rules[${index}]`;
    const paths = asList(dig(rule, 'nonResourceURLs'));
    if (asList(dig(rule, 'verbs')).length === 0) errors.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
    if (paths.length > 0) {
      if (scope === 'namespaced') errors.push(invalidValue(`${field}.nonResourceURLs`, paths, 'namespaced rules cannot apply to non-resource URLs'));
      continue;
    }
    if (asList(dig(rule, 'apiGroups')).length === 0) errors.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
    if (asList(dig(rule, 'resources')).length === 0) errors.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
  }
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

