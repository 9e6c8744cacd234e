import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { CelVariables } from '../cel.ts';
import { evaluateCel } from '../cel.ts';
import { failure, qualified } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import { matchesRules, matchesSelectors } from './match-resources.ts';

/**
 * Policies in CEL, each as often as it is bound; the first denial is the answer.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go.
 */
export const VALIDATING_ADMISSION_POLICY: AdmissionPlugin = { name: 'ValidatingAdmissionPolicy', validate };

const POLICIES = 'validatingadmissionpolicies.admissionregistration.k8s.io';
const BINDINGS = 'validatingadmissionpolicybindings.admissionregistration.k8s.io';

function validate(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  if (request.resource.group === 'admissionregistration.k8s.io' || around.store.count(POLICIES) === 0) return undefined;
  for (const policy of around.store.list(POLICIES)) {
    const constraints = dig(policy, 'spec', 'matchConstraints') ?? {};
    if (!isFor(constraints, request, around)) continue;
    for (const binding of around.store.list(BINDINGS)) {
      if (dig(binding, 'spec', 'policyName') !== policy.metadata.name) continue;
      const match = dig(binding, 'spec', 'matchResources');
      if (match !== undefined && !bindingIsFor(match, request, around)) continue;
      const refusal = apply(policy, binding, request, around);
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
}

function isFor(constraints: Json, request: AdmissionRequest, around: AdmissionSurroundings): boolean {
  return matchesRules(dig(constraints, 'resourceRules'), request) && !matchesRules(dig(constraints, 'excludeResourceRules'), request) && matchesSelectors(constraints, request, around.store);
}

/** A binding that names no rules is for all its policy is for. */
function bindingIsFor(match: Json, request: AdmissionRequest, around: AdmissionSurroundings): boolean {
  const rules = dig(match, 'resourceRules');
  return (rules === undefined || matchesRules(rules, request)) && !matchesRules(dig(match, 'excludeResourceRules'), request) && matchesSelectors(match, request, around.store);
}

function apply(policy: KubeObject, binding: KubeObject, request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  const variables = variablesFor(policy, binding, request, around);
  if (typeof variables === 'string') return denial(policy, binding, request, { words: variables });
  for (const condition of asList(dig(policy, 'spec', 'matchConditions'))) {
    const outcome = evaluateCel(asText(dig(condition, 'expression')) ?? '', variables);
    if (outcome.ok && outcome.value === false) return undefined;
  }
  for (const validation of asList(dig(policy, 'spec', 'validations'))) {
    const expression = asText(dig(validation, 'expression')) ?? '';
    const outcome = evaluateCel(expression, variables);
    if (outcome.ok && outcome.value === true) continue;
    if (!outcome.ok && dig(policy, 'spec', 'failurePolicy') === 'Ignore') continue;
    const words = outcome.ok ? messageOf(validation, expression, variables) : `expression '${expression}' resulted in error: ${outcome.error}`;
    const reason = outcome.ok ? asText(dig(validation, 'reason')) : undefined;
    const actions = asList(dig(binding, 'spec', 'validationActions'));
    if (actions.includes('Warn')) around.warn(`Validation failed for ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}': ${words}`);
    if (actions.includes('Deny')) return denial(policy, binding, request, { words, ...(reason === undefined ? {} : { reason }) });
  }
  return undefined;
}

function messageOf(validation: Json, expression: string, variables: CelVariables): string {
  const computed = asText(dig(validation, 'messageExpression'));
  const outcome = computed === undefined ? undefined : evaluateCel(computed, variables);
  if (outcome?.ok === true && typeof outcome.value === 'string' && outcome.value.trim() !== '') return outcome.value;
  const message = asText(dig(validation, 'message')) ?? '';
  return message.trim() === '' ? `failed expression: ${expression}` : message.trim();
}

/** Answers the words of an error when the parameters are not there. */
function variablesFor(policy: KubeObject, binding: KubeObject, request: AdmissionRequest, around: AdmissionSurroundings): CelVariables | string {
  const params = paramsOf(policy, binding, request, around);
  if (typeof params === 'string') return params;
  const { object, old, operation, namespace, name, resource, subresource, user, dryRun } = request;
  const base: Record<string, Json> = {
    object: operation === 'DELETE' ? null : object,
    oldObject: old ?? null,
    params: params ?? null,
    namespaceObject: namespace === undefined ? null : (around.store.get('namespaces', undefined, namespace) ?? null),
    request: {
      operation, name, dryRun, namespace: namespace ?? '', subResource: subresource ?? '',
      kind: { group: resource.group, version: resource.version, kind: resource.kind },
      resource: { group: resource.group, version: resource.version, resource: resource.plural },
      userInfo: { username: user.name, groups: user.groups, uid: user.uid ?? '' },
    },
  };
  const own: Record<string, Json> = {};
  for (const variable of asList(dig(policy, 'spec', 'variables'))) {
    const outcome = evaluateCel(asText(dig(variable, 'expression')) ?? '', { ...base, variables: own });
    if (outcome.ok) own[asText(dig(variable, 'name')) ?? ''] = toJson(outcome.value);
  }
  return { ...base, variables: own };
}

function paramsOf(policy: KubeObject, binding: KubeObject, request: AdmissionRequest, around: AdmissionSurroundings): KubeObject | string | undefined {
  const kind = asText(dig(policy, 'spec', 'paramKind', 'kind'));
  const name = asText(dig(binding, 'spec', 'paramRef', 'name'));
  if (kind === undefined || name === undefined) return undefined;
  const namespace = asText(dig(binding, 'spec', 'paramRef', 'namespace')) ?? request.namespace;
  const plural = PARAM_RESOURCES[kind] ?? `${kind.toLowerCase()}s`;
  const found = around.store.get(plural, namespace, name);
  if (found !== undefined || dig(binding, 'spec', 'paramRef', 'parameterNotFoundAction') === 'Allow') return found;
  return 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction';
}

const PARAM_RESOURCES: Readonly<Record<string, string>> = { ConfigMap: 'configmaps' };

/** The words say "is forbidden" although the code is 422, as in a real server. */
function denial(policy: KubeObject, binding: KubeObject, request: AdmissionRequest, why: { readonly words: string; readonly reason?: string }): Failure {
  const words = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: ${why.words}`;
  const of = { group: request.resource.group, resource: request.resource.plural };
  const reason = why.reason ?? 'Invalid';
  const about = { name: request.name, ...(of.group === '' ? {} : { group: of.group }), kind: of.resource, causes: [{ message: words }] };
  return failure(CODES[reason] ?? 422, reason, `${qualified(of)} ${JSON.stringify(request.name)} is forbidden: ${words}`, about);
}

const CODES: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };

function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [String(key), toJson(member)]));
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
  return value === undefined ? null : (value as Json);
}
