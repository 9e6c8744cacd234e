import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import { numberOf } from '../../../base/number.ts';
import { own } from '../../../base/own-property.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { CelVariables } from '../cel.ts';
import { evaluateCel, isOptional } from '../cel.ts';
import { CelAuthorizer } from '../cel/authorization.ts';
import { MAY_MISS } from '../cel/literals.ts';
import { labelSelectorMatcher } from '../selectors.ts';
import type { AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import { matchesRules, matchesSelectors } from './match-resources.ts';

/** What policies in CEL have in common. Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go. */

/** A policy as one of its bindings uses it, with one of its parameters, or why there is none. */
export type Invocation = { readonly policy: KubeObject; readonly binding: KubeObject } & (
  | { readonly params: KubeObject | undefined }
  | { readonly error: string }
);

export function invocationsOf(
  { policies, bindings }: { readonly policies: string; readonly bindings: string },
  request: AdmissionRequest,
  around: AdmissionSurroundings,
): readonly Invocation[] {
  if (request.resource.group === 'admissionregistration.k8s.io' || around.store.count(policies) === 0) return [];
  const found: Invocation[] = [];
  for (const policy of around.store.list(policies)) {
    if (!isFor(dig(policy, 'spec', 'matchConstraints') ?? {}, request, around)) continue;
    for (const binding of around.store.list(bindings)) {
      if (dig(binding, 'spec', 'policyName') !== policy.metadata.name) continue;
      const match = dig(binding, 'spec', 'matchResources');
      if (match !== undefined && !bindingIsFor(match, request, around)) continue;
      const params = paramsOf(policy, binding, request, around);
      if (typeof params === 'string') found.push({ policy, binding, error: params });
      else
        append(
          found,
          params.map((one): Invocation => ({ policy, binding, params: one })),
        );
    }
  }
  return found;
}

function isFor(constraints: Json, request: AdmissionRequest, around: AdmissionSurroundings): boolean {
  return (
    matchesRules(dig(constraints, 'resourceRules'), request) &&
    !matchesRules(dig(constraints, 'excludeResourceRules'), request) &&
    matchesSelectors(constraints, request, around.store)
  );
}

/** A binding that names no rules is for all its policy is for. */
function bindingIsFor(match: Json, request: AdmissionRequest, around: AdmissionSurroundings): boolean {
  const rules = dig(match, 'resourceRules');
  return (
    (rules === undefined || matchesRules(rules, request)) &&
    !matchesRules(dig(match, 'excludeResourceRules'), request) &&
    matchesSelectors(match, request, around.store)
  );
}

/** One nothing where none are wanted; none where none are there and that is allowed. */
function paramsOf(
  policy: KubeObject,
  binding: KubeObject,
  request: AdmissionRequest,
  around: AdmissionSurroundings,
): readonly (KubeObject | undefined)[] | string {
  const kind = asText(dig(policy, 'spec', 'paramKind', 'kind'));
  const ref = dig(binding, 'spec', 'paramRef');
  if (kind === undefined || ref === undefined) return [undefined];
  const name = asText(dig(ref, 'name'));
  const namespace = asText(dig(ref, 'namespace')) ?? request.namespace;
  const plural = own(PARAM_RESOURCES, kind) ?? `${kind.toLowerCase()}s`;
  const matches = labelSelectorMatcher(dig(ref, 'selector'));
  const found =
    name === undefined
      ? around.store.list(plural, namespace).filter((one) => matches(labelsOf(one)))
      : [around.store.get(plural, namespace, name)].filter((one) => one !== undefined);
  return found.length > 0 || dig(ref, 'parameterNotFoundAction') === 'Allow'
    ? found
    : 'no params found for policy binding with `Deny` parameterNotFoundAction';
}

const PARAM_RESOURCES: Readonly<Record<string, string>> = { ConfigMap: 'configmaps' };

/**
 * Whether all conditions hold; one that does not settles it, and otherwise the words of those that cannot be worked out.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions/matcher.go.
 */
export function conditionsMeet(conditions: Json | undefined, variables: CelVariables): boolean | string {
  const errors: string[] = [];
  for (const condition of asList(conditions)) {
    const expression = asText(dig(condition, 'expression')) ?? '';
    const outcome = evaluateCel(expression, variables);
    if (!outcome.ok) errors.push(`expression '${expression}' resulted in error: ${outcome.error}`);
    else if (outcome.value !== true) return false;
  }
  const [first] = errors;
  return errors.length > 1 ? `[${errors.join(', ')}]` : (first ?? true);
}

/** What an expression can say about a request. */
export function requestOf(request: AdmissionRequest, around: AdmissionSurroundings): CelVariables {
  const { object, old, operation, namespace, name, resource, subresource, user, dryRun } = request;
  return {
    object: operation === 'DELETE' ? null : object,
    oldObject: old ?? null,
    authorizer: new CelAuthorizer(user, (asked) => around.authorizer.authorize(asked), {
      group: resource.group,
      version: resource.version,
      resource: resource.plural,
      subresource,
      namespace,
      name,
    }),
    request: {
      operation,
      name,
      dryRun,
      namespace: namespace ?? '',
      subResource: subresource ?? '',
      kind: { group: resource.group, version: resource.version, kind: resource.kind },
      resource: { group: resource.group, version: resource.version, resource: resource.plural },
      userInfo: { username: user.name, groups: user.groups, uid: user.uid ?? '' },
    },
  };
}

/** That, and what a policy brings: its parameters and its variables, of which each may use those before it. */
export function variablesOf(
  { policy, params }: Invocation & { readonly params: KubeObject | undefined },
  request: AdmissionRequest,
  around: AdmissionSurroundings,
): CelVariables {
  const { namespace } = request;
  const base: CelVariables = {
    ...requestOf(request, around),
    params: params ?? null,
    namespaceObject: namespace === undefined ? null : (around.store.get('namespaces', undefined, namespace) ?? null),
  };
  const own: Record<string, Json> = {};
  for (const variable of asList(dig(policy, 'spec', 'variables'))) {
    const outcome = evaluateCel(asText(dig(variable, 'expression')) ?? '', { ...base, variables: own });
    if (outcome.ok) own[asText(dig(variable, 'name')) ?? ''] = jsonOf(outcome.value);
  }
  return { ...base, variables: own };
}

/** What an expression came to, as JSON. */
export function jsonOf(value: unknown): Json {
  if (typeof value === 'bigint') return numberOf(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [String(key), jsonOf(member)]));
  if (isOptional(value)) return value.hasValue() ? jsonOf(value.value()) : null;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => membersOf(key, member)));
  return value === undefined ? null : (value as Json);
}

/** A member that may be missing, and is, is none. */
function membersOf(key: string, member: unknown): readonly (readonly [string, Json])[] {
  if (!key.startsWith(MAY_MISS) || !isOptional(member)) return [[key, jsonOf(member)]];
  return member.hasValue() ? [[key.slice(MAY_MISS.length), jsonOf(member.value())]] : [];
}
