import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { badRequest, failure, forbidden, internalError } from '../failures.ts';
import { applyJsonPatch } from '../../../base/json-patch.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import { matchesRules, matchesSelectors } from './match-resources.ts';
import { conditionsMeet, requestOf } from './policies.ts';
import { putMutated } from './mutated.ts';
import { Rounds } from './reinvocation.ts';
import type { WebhookAnswer } from '../../outside/webhook-servers.ts';
import { callWebhook } from './webhook-call.ts';

/**
 * Webhooks: mutating ones one after another, in the order of their configurations' names; validating ones all, the first
 * refusal being the answer.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go.
 */
export const MUTATING_WEBHOOKS: AdmissionPlugin = {
  name: 'MutatingAdmissionWebhook',
  admit: (request, around) => dispatch('mutatingwebhookconfigurations.admissionregistration.k8s.io', request, around),
};

export const VALIDATING_WEBHOOKS: AdmissionPlugin = {
  name: 'ValidatingAdmissionWebhook',
  validate: (request, around) => dispatch('validatingwebhookconfigurations.admissionregistration.k8s.io', request, around),
};

/** Objects that webhooks are never asked about, so that a broken webhook can be repaired. */
const EXEMPT: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
]);

function dispatch(configurations: string, request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  if (EXEMPT.has(request.resource.key) || around.store.count(configurations) === 0) return undefined;
  const rounds = configurations.startsWith('mutating') ? (request.rounds ??= new Rounds()).of(configurations) : undefined;
  rounds?.begin(request.object);
  for (const configuration of around.store.list(configurations)) {
    for (const [index, webhook] of asList(configuration['webhooks']).entries()) {
      const name = `${configuration.metadata.name}/${index}`;
      if (!isFor(webhook, request, around) || rounds?.isToBeAsked(name) === false) continue;
      const before = request.object;
      const refusal = ask(webhook, request, around);
      if (refusal !== undefined) return refusal;
      rounds?.asked(name, before, request.object, dig(webhook, 'reinvocationPolicy'));
    }
  }
  rounds?.end(request.object);
  return undefined;
}

function isFor(webhook: Json, request: AdmissionRequest, around: AdmissionSurroundings): boolean {
  return matchesRules(dig(webhook, 'rules'), request) && matchesSelectors(webhook, request, around.store);
}

function ask(webhook: Json, request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  const name = asText(dig(webhook, 'name')) ?? '';
  const mayFail = dig(webhook, 'failurePolicy') === 'Ignore';
  const meets = conditionsMeet(dig(webhook, 'matchConditions'), requestOf(request, around));
  if (typeof meets === 'string' && !mayFail)
    return forbidden({ group: request.resource.group, resource: request.resource.plural }, request.name, meets);
  if (meets !== true) return undefined;
  const effects = asText(dig(webhook, 'sideEffects')) ?? '';
  if (request.dryRun && effects !== 'None' && effects !== 'NoneOnDryRun')
    return badRequest(`admission webhook "${name}" does not support dry run`);
  const reply = callWebhook(dig(webhook, 'clientConfig') ?? {}, asNumber(dig(webhook, 'timeoutSeconds')) ?? 10, around, () =>
    reviewOf(request, around),
  );
  if ('error' in reply) return mayFail ? undefined : internalError(`failed calling webhook "${name}": ${reply.error}`);
  return follow(name, reply.answer, request, around);
}

/** What the server is asked. Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/request/admissionreview.go. */
function reviewOf(request: AdmissionRequest, around: AdmissionSurroundings): JsonObject {
  const { object, oldObject, request: asked } = requestOf(request, around);
  return { uid: 'review', ...(asked as JsonObject), object: object as Json, oldObject: oldObject as Json };
}

function follow(name: string, answer: WebhookAnswer, request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  if (answer.answer === 'deny') return denial(name, answer);
  if (answer.answer === 'patch') return patch(request, answer.patch);
  if (answer.answer === 'allow') for (const warning of answer.warnings ?? []) around.warn(warning);
  return undefined;
}

/** Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go. */
function denial(name: string, answer: { readonly message?: string; readonly code?: number; readonly reason?: string }): Failure {
  const words = answer.message ?? answer.reason;
  const message =
    words === undefined
      ? `admission webhook "${name}" denied the request without explanation`
      : `admission webhook "${name}" denied the request: ${words}`;
  return failure(Math.max(400, answer.code ?? 400), answer.reason ?? '', message);
}

/** A patch that does not apply fails the request, whatever the failure policy says. */
function patch(request: AdmissionRequest, operations: readonly JsonObject[]): Failure | undefined {
  const patched = applyJsonPatch(request.object, operations);
  return patched.ok ? putMutated(request, patched.value) : internalError(patched.error);
}
