import { asList, asObject, dig } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { forbidden } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import { podSecurityViolations } from './pod-security-checks.ts';
import { validateNamespace } from './pod-security-namespace.ts';
import type { LevelOfVersion } from './pod-security-policy.ts';
import { policyMinor, policyOf } from './pod-security-policy.ts';

/**
 * Pod Security by the labels of the namespace: pods are refused (enforce), workloads only warned about (warn).
 * Source: staging/src/k8s.io/pod-security-admission/admission/admission.go.
 */
export const POD_SECURITY: AdmissionPlugin = {
  name: 'PodSecurity',
  kinds: new Set([
    'namespaces',
    'pods',
    'podtemplates',
    'replicationcontrollers',
    'replicasets.apps',
    'deployments.apps',
    'daemonsets.apps',
    'statefulsets.apps',
    'jobs.batch',
    'cronjobs.batch',
  ]),
  validate,
};

function validate(request: AdmissionRequest, surroundings: AdmissionSurroundings): Failure | undefined {
  const { store, warn } = surroundings;
  if (request.operation === 'DELETE' || (request.subresource !== undefined && request.subresource !== 'ephemeralcontainers'))
    return undefined;
  if (request.resource.key === 'namespaces')
    return request.subresource === undefined ? validateNamespace(request, surroundings) : undefined;
  const namespace = store.get('namespaces', undefined, request.namespace ?? '');
  if (namespace === undefined) return undefined;
  const labels = labelsOf(namespace);
  const template = templateOf(request.object, request.resource.key);
  const isPod = request.resource.key === 'pods';
  // Of a workload it is told at every write.
  if (isPod && request.old !== undefined && isSame(template, templateOf(request.old, 'pods'))) return undefined;
  const refused = isPod ? enforced(labels, template, request.name) : undefined;
  if (refused !== undefined) return refused;
  const warned = policyOf(labels, 'warn');
  const warning = violationsOf(template, warned);
  if (warning !== '') warn(`would violate PodSecurity "${warned.level}:${warned.version}": ${warning}`);
  return undefined;
}

function isSame(template: JsonObject, old: JsonObject): boolean {
  return old['spec'] === template['spec'] || !isSignificant(template, old);
}

/** Why a pod may not be in a namespace with these labels. */
function enforced(labels: Parameters<typeof policyOf>[0], template: JsonObject, name: string): Failure | undefined {
  const policy = policyOf(labels, 'enforce');
  const { level, version } = policy;
  const wrong = violationsOf(template, policy);
  return wrong === ''
    ? undefined
    : forbidden({ group: '', resource: 'pods' }, name, `violates PodSecurity "${level}:${version}": ${wrong}`);
}

/** Of a pod that is changed only images and further containers matter. Source: the same (isSignificantPodUpdate). */
function isSignificant(pod: JsonObject, old: JsonObject): boolean {
  return ['initContainers', 'containers', 'ephemeralContainers'].some((field) => {
    const [now, before] = [asList(dig(pod, 'spec', field)), asList(dig(old, 'spec', field))];
    return now.length !== before.length || now.some((container, index) => dig(container, 'image') !== dig(before[index], 'image'));
  });
}

function violationsOf(template: JsonObject, { level, version }: LevelOfVersion): string {
  return level === 'privileged' ? '' : podSecurityViolations(template, level, policyMinor(version)).join(', ');
}

/** The pod, or the pod a workload would make. */
function templateOf(object: KubeObject, key: string): JsonObject {
  if (key === 'pods') return object;
  if (key === 'podtemplates') return asObject(object['template']);
  return asObject(key === 'cronjobs.batch' ? dig(object, 'spec', 'jobTemplate', 'spec', 'template') : dig(object, 'spec', 'template'));
}
