import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { CelVariables } from '../cel.ts';
import { evaluateCel } from '../cel.ts';
import { failure, qualified } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import type { Invocation } from './policies.ts';
import { conditionsMeet, invocationsOf, variablesOf } from './policies.ts';

/**
 * Policies in CEL, each as often as it is bound; the first denial is the answer.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go.
 */
export const VALIDATING_ADMISSION_POLICY: AdmissionPlugin = { name: 'ValidatingAdmissionPolicy', validate };

const KINDS = {
  policies: 'validatingadmissionpolicies.admissionregistration.k8s.io',
  bindings: 'validatingadmissionpolicybindings.admissionregistration.k8s.io',
};

function validate(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  for (const invocation of invocationsOf(KINDS, request, around)) {
    const refusal = apply(invocation, request, around);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function apply(invocation: Invocation, request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  const { policy } = invocation;
  const mayFail = dig(policy, 'spec', 'failurePolicy') === 'Ignore';
  if ('error' in invocation)
    return mayFail ? undefined : denial(invocation, request, { words: `failed to configure binding: ${invocation.error}` });
  const variables = variablesOf(invocation, request, around);
  const meets = conditionsMeet(dig(policy, 'spec', 'matchConditions'), variables);
  if (typeof meets === 'string') return mayFail ? undefined : denial(invocation, request, { words: meets });
  if (!meets) return undefined;
  for (const validation of asList(dig(policy, 'spec', 'validations'))) {
    const expression = asText(dig(validation, 'expression')) ?? '';
    const outcome = evaluateCel(expression, variables);
    if (outcome.ok ? outcome.value === true : mayFail) continue;
    const words = outcome.ok
      ? messageOf(validation, expression, variables)
      : `expression '${expression}' resulted in error: ${outcome.error}`;
    const reason = outcome.ok ? asText(dig(validation, 'reason')) : undefined;
    const denied = act(invocation, request, around, { words, ...(reason === undefined ? {} : { reason }) });
    if (denied !== undefined) return denied;
  }
  return undefined;
}

/** What a binding does about a validation that has failed: it warns, denies, or both. */
function act(
  invocation: Invocation,
  request: AdmissionRequest,
  around: AdmissionSurroundings,
  failed: { readonly words: string; readonly reason?: string },
): Failure | undefined {
  const { policy, binding } = invocation;
  const actions = asList(dig(binding, 'spec', 'validationActions'));
  if (actions.includes('Warn'))
    around.warn(
      `Validation failed for ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}': ${failed.words}`,
    );
  return actions.includes('Deny') ? denial(invocation, request, failed) : undefined;
}

function messageOf(validation: Json, expression: string, variables: CelVariables): string {
  const computed = asText(dig(validation, 'messageExpression'));
  const outcome = computed === undefined ? undefined : evaluateCel(computed, variables);
  if (outcome?.ok === true && typeof outcome.value === 'string' && outcome.value.trim() !== '') return outcome.value;
  const message = asText(dig(validation, 'message')) ?? '';
  return message.trim() === '' ? `failed expression: ${expression}` : message.trim();
}

/** The words say "is forbidden" although the code is 422, as in a real server. */
function denial(
  { policy, binding }: Invocation,
  request: AdmissionRequest,
  why: { readonly words: string; readonly reason?: string },
): Failure {
  const words = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: ${why.words}`;
  const of = { group: request.resource.group, resource: request.resource.plural };
  const reason = why.reason ?? 'Invalid';
  const about = { name: request.name, ...(of.group === '' ? {} : { group: of.group }), kind: of.resource, causes: [{ message: words }] };
  return failure(CODES[reason] ?? 422, reason, `${qualified(of)} ${JSON.stringify(request.name)} is forbidden: ${words}`, about);
}

const CODES: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };
