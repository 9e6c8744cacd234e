import { asObject, dig } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { forbidden } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import { podSecurityViolations } from './pod-security-checks.ts';

/**
 * Pod Security by the labels of the namespace: pods are refused (enforce), workloads only warned about (warn).
 * Source: staging/src/k8s.io/pod-security-admission/admission/admission.go.
 */
export const POD_SECURITY: AdmissionPlugin = {
  name: 'PodSecurity',
  kinds: new Set(['pods', 'podtemplates', 'replicationcontrollers', 'replicasets.apps', 'deployments.apps', 'daemonsets.apps', 'statefulsets.apps', 'jobs.batch', 'cronjobs.batch']),
  validate,
};

function validate(request: AdmissionRequest, { store, warn }: AdmissionSurroundings): Failure | undefined {
  if (request.operation === 'DELETE' || (request.subresource !== undefined && request.subresource !== 'ephemeralcontainers')) return undefined;
  const namespace = store.get('namespaces', undefined, request.namespace ?? '');
  if (namespace === undefined) return undefined;
  const labels = labelsOf(namespace);
  const template = templateOf(request.object, request.resource.key);
  const old = request.old === undefined ? undefined : templateOf(request.old, request.resource.key);
  if (request.operation === 'UPDATE' && old?.['spec'] === template['spec']) return undefined;
  const enforce = request.resource.key === 'pods' ? policyOf(labels, 'enforce') : undefined;
  const wrong = enforce === undefined ? '' : violationsOf(template, enforce.level);
  if (enforce !== undefined && wrong !== '') return forbidden({ group: '', resource: 'pods' }, request.name, `violates PodSecurity "${enforce.level}:${enforce.version}": ${wrong}`);
  const warned = policyOf(labels, 'warn');
  const warning = warned === undefined ? '' : violationsOf(template, warned.level);
  if (warned !== undefined && warning !== '') warn(`would violate PodSecurity "${warned.level}:${warned.version}": ${warning}`);
  return undefined;
}

type Level = 'privileged' | 'baseline' | 'restricted';

function policyOf(labels: Readonly<Record<string, string>>, mode: 'enforce' | 'warn'): { readonly level: Level; readonly version: string } | undefined {
  const level = labels[`pod-security.kubernetes.io/${mode}`];
  if (level !== 'baseline' && level !== 'restricted') return undefined;
  return { level, version: labels[`pod-security.kubernetes.io/${mode}-version`] ?? 'latest' };
}

function violationsOf(template: JsonObject, level: Level): string {
  return level === 'privileged' ? '' : podSecurityViolations(template, level).join(', ');
}

/** The pod, or the pod a workload would make. */
function templateOf(object: KubeObject, key: string): JsonObject {
  if (key === 'pods') return object;
  if (key === 'podtemplates') return asObject(object['template']);
  return asObject(key === 'cronjobs.batch' ? dig(object, 'spec', 'jobTemplate', 'spec', 'template') : dig(object, 'spec', 'template'));
}
