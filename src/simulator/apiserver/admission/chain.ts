import { onceEach } from '../../../base/once.ts';
import type { Failure } from '../request.ts';
import type { ServedResource } from '../resources.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import { CERTIFICATES } from './certificates.ts';
import { DEFAULT_INGRESS_CLASS } from './default-ingress-class.ts';
import { DEFAULT_STORAGE_CLASS } from './default-storage-class.ts';
import { DEFAULT_TOLERATION_SECONDS } from './default-toleration-seconds.ts';
import { LIMIT_RANGER } from './limit-ranger.ts';
import { MUTATING_ADMISSION_POLICY } from './mutating-admission-policy.ts';
import { MUTATING_WEBHOOKS, VALIDATING_WEBHOOKS } from './webhooks.ts';
import { NAMESPACE_LIFECYCLE } from './namespace-lifecycle.ts';
import { NODE_RESTRICTION } from './node-restriction.ts';
import { PERSISTENT_VOLUME_CLAIM_RESIZE } from './persistent-volume-claim-resize.ts';
import { POD_RESIZE } from './pod-resize.ts';
import { POD_SECURITY } from './pod-security.ts';
import { POD_TOPOLOGY_LABELS } from './pod-topology-labels.ts';
import { PRIORITY } from './priority.ts';
import { RESOURCE_QUOTA } from './resource-quota.ts';
import { RUNTIME_CLASS } from './runtime-class.ts';
import { SERVICE_ACCOUNT } from './service-account.ts';
import { STORAGE_OBJECT_IN_USE_PROTECTION } from './storage-object-in-use-protection.ts';
import { TAINT_NODES_BY_CONDITION } from './taint-nodes-by-condition.ts';
import { VALIDATING_ADMISSION_POLICY } from './validating-admission-policy.ts';

/**
 * The default plugins and NodeRestriction, in the order of the API server.
 * Source: pkg/kubeapiserver/options/plugins.go (AllOrderedPlugins).
 */
export const ADMISSION_PLUGINS: readonly AdmissionPlugin[] = [
  NAMESPACE_LIFECYCLE,
  LIMIT_RANGER,
  SERVICE_ACCOUNT,
  NODE_RESTRICTION,
  TAINT_NODES_BY_CONDITION,
  POD_SECURITY,
  PRIORITY,
  DEFAULT_TOLERATION_SECONDS,
  DEFAULT_STORAGE_CLASS,
  STORAGE_OBJECT_IN_USE_PROTECTION,
  PERSISTENT_VOLUME_CLAIM_RESIZE,
  RUNTIME_CLASS,
  CERTIFICATES,
  DEFAULT_INGRESS_CLASS,
  POD_TOPOLOGY_LABELS,
  POD_RESIZE,
  MUTATING_ADMISSION_POLICY,
  MUTATING_WEBHOOKS,
  VALIDATING_ADMISSION_POLICY,
  VALIDATING_WEBHOOKS,
  RESOURCE_QUOTA,
];

/**
 * Lets every plugin that changes objects have its say, and once more where webhooks or policies changed the object; the first refusal ends
 * it.
 */
export function mutate(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  const refusal = ask('admit', request, around);
  if (refusal !== undefined || request.rounds?.needed !== true) return refusal;
  request.rounds.isSecond = true;
  return ask('admit', request, around);
}

/** Lets every plugin that only looks have its say. */
export function validate(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  return ask('validate', request, around);
}

type Phase = 'admit' | 'validate';

function ask(phase: Phase, request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  const { disabledAdmission } = around.world.configuration;
  for (const plugin of pluginsFor(request.resource)[phase]) {
    const refusal = disabledAdmission.includes(plugin.name) ? undefined : plugin[phase]?.(request, around);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Those that look at a resource at all; worked out once for each. */
const pluginsFor = onceEach((resource: ServedResource): Readonly<Record<Phase, readonly AdmissionPlugin[]>> => {
  const looking = ADMISSION_PLUGINS.filter(({ kinds }) => kinds?.has(resource.key) !== false);
  const having = (phase: Phase): readonly AdmissionPlugin[] => looking.filter((plugin) => plugin[phase] !== undefined);
  return { admit: having('admit'), validate: having('validate') };
});
