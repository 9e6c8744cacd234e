import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import { parseIpAddress } from '../../../base/ip-address.ts';
import { append } from '../../../base/lists.ts';
import { numberOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import { checkDefinitionStatus } from '../custom/definition-check.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { validateClaimStatus } from './claim-status.ts';
import { validateConditions } from './conditions.ts';
import { validateJobStatus } from './job-status.ts';
import { checkAddress } from './label-selector.ts';
import { checkQualifiedName, checkSubdomain } from './names.ts';
import { validatePodStatus } from './pod-status.ts';
import { validateQuotaStatus } from './quotas.ts';

type StatusCheck = (object: JsonObject, old: JsonObject) => readonly FieldError[];

/** What is wrong with a status that somebody writes. Source: pkg/apis/<group>/validation/validation.go (Validate…StatusUpdate). */
export const STATUS_CHECKS: Readonly<Record<string, StatusCheck>> = {
  'resourceclaims.resource.k8s.io': validateClaimStatus,
  'deployments.apps': (object, old) => [
    ...notNegative(object, [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ]),
    ...withinReplicas(object, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'cannot be greater than readyReplicas'),
    ...decremented(object, old),
  ],
  'replicasets.apps': replicaStatus,
  replicationcontrollers: replicaStatus,
  'statefulsets.apps': (object, old) => [
    ...notNegative(object, [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ]),
    ...withinReplicas(
      object,
      ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
      'cannot be greater than status.readyReplicas',
    ),
    ...decremented(object, old),
  ],
  'daemonsets.apps': (object, old) => [
    ...notNegative(object, [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ]),
    ...decremented(object, old),
  ],
  'customresourcedefinitions.apiextensions.k8s.io': checkDefinitionStatus,
  'jobs.batch': validateJobStatus,
  'horizontalpodautoscalers.autoscaling': (object) => notNegative(object, ['currentReplicas', 'desiredReplicas']),
  'poddisruptionbudgets.policy': (object) => [
    ...conditions(object),
    ...notNegative(object, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']),
  ],
  namespaces: namespaceStatus,
  pods: validatePodStatus,
  resourcequotas: validateQuotaStatus,
  persistentvolumeclaims: claimStatus,
  services: (object) => loadBalancer(object, true),
  'ingresses.networking.k8s.io': (object) => loadBalancer(object, false),
  'validatingadmissionpolicies.admissionregistration.k8s.io': (object) => [...typeWarnings(object), ...conditions(object)],
  'flowschemas.flowcontrol.apiserver.k8s.io': typedConditions,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': typedConditions,
  'volumeattachments.storage.k8s.io': (object) =>
    ['attachError', 'detachError'].flatMap((field) => {
      const code = asNumber(dig(object, 'status', field, 'errorCode')) ?? 0;
      return code < 0 ? [invalidValue(`status.${field}.errorCode`, code, 'must be between 0 and 2147483647, inclusive')] : [];
    }),
};

/** Source: pkg/apis/admissionregistration/validation/validation.go (validateExpressionWarning). */
function typeWarnings(object: JsonObject): readonly FieldError[] {
  return asList(dig(object, 'status', 'typeChecking', 'expressionWarnings')).flatMap((entry, index) =>
    ['warning', 'fieldRef'].flatMap((name) => {
      const [field, text] = [`status.typeChecking.expressionWarnings[${index}].${name}`, asText(dig(entry, name)) ?? ''];
      if (text.trim() === '') return [required(field)];
      const wrong = name === 'fieldRef' ? wrongPath(text) : undefined;
      return wrong === undefined ? [] : [invalidValue(field, text, `invalid JSONPath: ${wrong}`)];
    }),
  );
}

/** A path that begins like a number and is none, or like nothing. Source: staging/src/k8s.io/client-go/util/jsonpath/parser.go. */
function wrongPath(path: string): string | undefined {
  const [, number] = /^([-+][\d.]*|\d[\d.]*)/.exec(path) ?? [];
  if (number !== undefined) return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(number) ? undefined : `cannot parse number ${number}`;
  const [, odd] = /^[ @$]*([^\s@$.["'+\-\p{L}\p{N}_}])/u.exec(path) ?? [];
  const code = odd?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
  return odd === undefined ? undefined : `unrecognized character in action: U+${code} '${odd}'`;
}

function conditions(object: JsonObject): readonly FieldError[] {
  return validateConditions(dig(object, 'status', 'conditions'), 'status.conditions');
}

/** Source: pkg/apis/core/validation/validation.go (IsDecremented). */
function decremented(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [count, before] = [object, old].map((one) => asNumber(dig(one, 'status', 'collisionCount')));
  if (before === undefined || (count ?? before - 1) >= before) return [];
  return [invalidValue('status.collisionCount', count ?? 0, 'cannot be decremented')];
}

function statusNumber(object: JsonObject, field: string): number {
  return asNumber(dig(object, 'status', field)) ?? 0;
}

export function notNegative(object: JsonObject, fields: readonly string[]): readonly FieldError[] {
  return fields
    .map((field) => [field, statusNumber(object, field)] as const)
    .filter(([, value]) => value < 0)
    .map(([field, value]) => invalidValue(`status.${field}`, value, 'must be greater than or equal to 0'));
}

/** None may be more than all; what is available may not be more than what is ready. */
function withinReplicas(object: JsonObject, fields: readonly string[], overReady: string): readonly FieldError[] {
  const [all, ready, available] = ['replicas', 'readyReplicas', 'availableReplicas'].map((field) => statusNumber(object, field)) as [
    number,
    number,
    number,
  ];
  const errors = fields
    .filter((field) => statusNumber(object, field) > all)
    .map((field) => invalidValue(`status.${field}`, statusNumber(object, field), 'cannot be greater than status.replicas'));
  return available > ready ? [...errors, invalidValue('status.availableReplicas', available, overReady)] : errors;
}

function replicaStatus(object: JsonObject): readonly FieldError[] {
  const counts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
  return [
    ...notNegative(object, ['replicas', ...counts, 'observedGeneration', 'terminatingReplicas']),
    ...withinReplicas(object, counts, 'cannot be greater than readyReplicas'),
  ];
}

function namespaceStatus(object: JsonObject): readonly FieldError[] {
  const phase = asText(dig(object, 'status', 'phase')) ?? '';
  const [wanted, words] =
    dig(object, 'metadata', 'deletionTimestamp') === undefined
      ? ['Active', "may only be 'Active' if `deletionTimestamp` is empty"]
      : ['Terminating', "may only be 'Terminating' if `deletionTimestamp` is not empty"];
  return phase === wanted ? [] : [invalidValue('status.Phase', phase, words)];
}

const RESIZES: readonly string[] = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Source: pkg/apis/core/validation/validation.go (ValidatePersistentVolumeClaimStatusUpdate). */
function claimStatus(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const entries = (field: string): readonly (readonly [string, Json])[] => {
    const map = dig(object, 'status', field);
    return isJsonObject(map) ? Object.entries(map).map(([name, value]) => [name, value ?? null]) : [];
  };
  for (const [name, amount] of entries('capacity'))
    if ((parseQuantity(amount) ?? 0n) < 0n)
      errors.push(invalidValue(`status.capacity[${name}]`, wholeValue(amount), 'must be a valid resource quantity'));
  for (const [name, state] of entries('allocatedResourceStatuses')) {
    const field = 'status.allocatedResourceStatuses';
    append(errors, claimResource(name, field));
    if (!RESIZES.includes(asText(state) ?? '')) errors.push(notSupported(field, name, RESIZES.toSorted()));
  }
  for (const [name, amount] of entries('allocatedResources')) {
    const wrong = claimResource(name, 'status.allocatedResources');
    append(errors, wrong);
    if (wrong.length === 0 && (parseQuantity(amount) ?? 0n) < 0n)
      errors.push(invalidValue(`status.allocatedResources[${name}]`, wholeValue(amount), 'must be a valid resource quantity'));
  }
  return errors;
}

/** As Go tells a quantity that it has made a number. */
function wholeValue(amount: Json): number {
  return numberOf((parseQuantity(amount) ?? 0n) / 1_000_000_000n);
}

/** Source: the same (validatePersistentVolumeClaimResourceKey). */
function claimResource(name: string, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  addWrong(errors, field, name, checkQualifiedName(name));
  if (errors.length === 0 && name !== 'storage' && !name.includes('/')) errors.push(notSupported(field, name, ['storage']));
  return errors;
}

/** Of a Service, and of an Ingress, which has no modes. Source: pkg/apis/core/validation/validation.go (ValidateLoadBalancerStatus). */
function loadBalancer(object: JsonObject, withModes: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const entries = asList(dig(object, 'status', 'loadBalancer', 'ingress'));
  if (withModes && entries.length > 0 && dig(object, 'spec', 'type') !== 'LoadBalancer')
    return [forbiddenField('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")];
  for (const [index, entry] of entries.entries()) {
    const field = `status.loadBalancer.ingress[${index}]`;
    const [ip, host, mode] = [asText(dig(entry, 'ip')) ?? '', asText(dig(entry, 'hostname')) ?? '', asText(dig(entry, 'ipMode'))];
    if (ip !== '') addWrong(errors, `${field}.ip`, ip, checkAddress(ip));
    if (withModes) validateMode(mode, ip, `${field}.ipMode`, errors);
    if (host !== '') addWrong(errors, `${field}.hostname`, host, checkSubdomain(host));
    if (parseIpAddress(host) !== undefined) errors.push(invalidValue(`${field}.hostname`, host, 'must be a DNS name, not an IP address'));
  }
  return errors;
}

function validateMode(mode: string | undefined, ip: string, field: string, errors: FieldError[]): void {
  if (mode === undefined) {
    if (ip !== '') errors.push(required(field, 'must be specified when `ip` is set'));
  } else if (ip === '') errors.push(forbiddenField(field, 'may not be specified when `ip` is not set'));
  else if (mode !== 'VIP' && mode !== 'Proxy') errors.push(notSupported(field, mode, ['Proxy', 'VIP']));
}

function typedConditions(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, condition] of asList(dig(object, 'status', 'conditions')).entries()) {
    const [field, type] = [`status.conditions[${index}].type`, asText(dig(condition, 'type')) ?? ''];
    if (seen.has(type)) errors.push(duplicate(field, type));
    seen.add(type);
    if (type === '') errors.push(required(field));
  }
  return errors;
}
