import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { validateLabels } from './metadata.ts';
import { checkConfigKey, checkLabelName, checkPort, checkPortName, checkSubdomain } from './names.ts';
import { validateLabelSelector } from './pod-spec.ts';
import { intOrPercent } from './workloads.ts';

/** The other kinds that matter to a pod's way. Source: pkg/apis/<group>/validation/validation.go of each. */
export const OBJECT_CHECKS: Readonly<Record<string, (object: JsonObject) => readonly FieldError[]>> = {
  services: validateService,
  configmaps: validateConfigMap,
  secrets: validateSecret,
  persistentvolumeclaims: validateClaim,
  persistentvolumes: validateVolume,
  resourcequotas: (object) => amounts(asObject(dig(object, 'spec', 'hard')), 'spec.hard'),
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
  'validatingadmissionpolicies.admissionregistration.k8s.io': validatePolicy,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': validatePolicyBinding,
  'ingresses.networking.k8s.io': validateIngress,
};

function validateService(service: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(service['spec']);
  const type = asText(spec['type']) ?? '';
  const ports = asList(spec['ports']);
  if (ports.length === 0 && spec['clusterIP'] !== 'None' && type !== 'ExternalName') errors.push(required('spec.ports'));
  if (type === 'ExternalName') {
    const host = asText(spec['externalName']) ?? '';
    if (host === '') errors.push(required('spec.externalName'));
    else for (const words of checkSubdomain(host)) errors.push(invalidValue('spec.externalName', host, words));
  }
  validateServicePorts(ports, type, errors);
  errors.push(...validateLabels(spec['selector'], 'spec.selector'));
  const affinity = asText(spec['sessionAffinity']) ?? '';
  if (affinity === '') errors.push(required('spec.sessionAffinity'));
  else if (!['ClientIP', 'None'].includes(affinity)) errors.push(notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None']));
  if (!['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'].includes(type)) errors.push(notSupported('spec.type', type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']));
  return errors;
}

function validateServicePorts(ports: readonly Json[], type: string, errors: FieldError[]): void {
  const names = new Set<string>();
  const pairs = new Set<string>();
  for (const [index, entry] of ports.entries()) {
    const port = asObject(entry);
    const field = `spec.ports[${index}]`;
    const name = asText(port['name']) ?? '';
    if (name === '' && ports.length > 1) errors.push(required(`${field}.name`));
    else if (name !== '') {
      for (const words of checkLabelName(name)) errors.push(invalidValue(`${field}.name`, name, words));
      if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    for (const words of checkPort(asNumber(port['port']) ?? 0)) errors.push(invalidValue(`${field}.port`, port['port'] ?? 0, words));
    const protocol = asText(port['protocol']) ?? '';
    if (!['TCP', 'UDP', 'SCTP'].includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
    const target = port['targetPort'];
    if (typeof target === 'string') for (const words of checkPortName(target)) errors.push(invalidValue(`${field}.targetPort`, target, words));
    if (typeof target === 'number') for (const words of checkPort(target)) errors.push(invalidValue(`${field}.targetPort`, target, words));
    if (type === 'ClusterIP' && (asNumber(port['nodePort']) ?? 0) !== 0) errors.push(forbiddenField(`${field}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    const pair = `${protocol}/${textOf(port['port'])}`;
    if (pairs.has(pair)) errors.push(duplicate(field, { ...port }));
    pairs.add(pair);
  }
}

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
  if (modes.length > 1 && modes.includes('ReadWriteOncePod')) errors.push(forbiddenField('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'));
  const storage = dig(spec, 'resources', 'requests', 'storage');
  if (storage === undefined) errors.push(required('spec.resources[storage]'));
  else if ((parseQuantity(storage) ?? 0n) <= 0n) errors.push(invalidValue('spec.resources[storage]', storage, 'must be greater than zero'));
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
  for (const field of ['kind', 'name']) if ((asText(dig(spec, 'scaleTargetRef', field)) ?? '') === '') errors.push(required(`spec.scaleTargetRef.${field}`));
  return errors;
}

function validatePriorityClass(object: JsonObject): readonly FieldError[] {
  const [name, value] = [asText(dig(object, 'metadata', 'name')) ?? '', asNumber(object['value']) ?? 0];
  const system = ['system-cluster-critical', 'system-node-critical'].includes(name);
  if (name.startsWith('system-') && !system) return [forbiddenField('metadata.name', "priority class names with 'system-' prefix are reserved for system use only. error: only allowed system priority classes: system-node-critical, system-cluster-critical")];
  if (value > 1_000_000_000 && !system) return [forbiddenField('value', 'maximum allowed value of a user defined priority is 1000000000')];
  return [];
}

function validateNetworkPolicy(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  validateLabelSelector(dig(object, 'spec', 'podSelector'), 'spec.podSelector', errors);
  for (const type of asList(dig(object, 'spec', 'policyTypes'))) if (type !== 'Ingress' && type !== 'Egress') errors.push(notSupported('spec.policyTypes[0]', type, ['Egress', 'Ingress']));
  return errors;
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

function validateWebhooks(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, webhook] of asList(object['webhooks']).entries()) {
    const field = `webhooks[${index}]`;
    const name = asText(dig(webhook, 'name')) ?? '';
    if (name === '') errors.push(required(`${field}.name`));
    else if (name.split('.').length < 3) errors.push(invalidValue(`${field}.name`, name, 'should be a domain with at least three segments separated by dots'));
    const config = asObject(dig(webhook, 'clientConfig'));
    if ((config['url'] === undefined) === (config['service'] === undefined)) errors.push(required(`${field}.clientConfig`, 'exactly one of url or service is required'));
    const effects = asText(dig(webhook, 'sideEffects')) ?? '';
    if (effects === '') errors.push(required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
    else if (!['None', 'NoneOnDryRun'].includes(effects)) errors.push(notSupported(`${field}.sideEffects`, effects, ['None', 'NoneOnDryRun']));
    if (asList(dig(webhook, 'admissionReviewVersions')).length === 0) errors.push(required(`${field}.admissionReviewVersions`, 'must specify one of v1, v1beta1'));
    const timeout = asNumber(dig(webhook, 'timeoutSeconds')) ?? 10;
    if (timeout > 30 || timeout < 1) errors.push(invalidValue(`${field}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'));
  }
  return errors;
}

function validatePolicy(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  if (asList(dig(spec, 'matchConstraints', 'resourceRules')).length === 0) errors.push(required('spec.matchConstraints.resourceRules'));
  if (asList(spec['validations']).length === 0 && asList(spec['auditAnnotations']).length === 0) errors.push(required('spec.validations', 'validations or auditAnnotations must be present'));
  return errors;
}

function validatePolicyBinding(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  if ((asText(spec['policyName']) ?? '') === '') errors.push(required('spec.policyName'));
  if (asList(spec['validationActions']).length === 0) errors.push(required('spec.validationActions'));
  return errors;
}

function validateIngress(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  if (asList(spec['rules']).length === 0 && !isJsonObject(spec['defaultBackend'])) errors.push(invalidValue('spec', spec, 'either `defaultBackend` or `rules` must be specified'));
  for (const [index, rule] of asList(spec['rules']).entries()) {
    for (const [place, path] of asList(dig(rule, 'http', 'paths')).entries()) {
      const field = `spec.rules[${index}].http.paths[${place}]`;
      if (dig(path, 'pathType') === undefined) errors.push(required(`${field}.pathType`, 'pathType must be specified'));
      if ((asText(dig(path, 'backend', 'service', 'name')) ?? '') === '' && dig(path, 'backend', 'resource') === undefined) errors.push(required(`${field}.backend.service.name`));
    }
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

