import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { WORDS } from '../scheduler-messages.ts';

/**
 * Whether the devices of a claim can be used: some have to be attached to the node first, and their driver says in conditions when
 * they are, or that they cannot be. Source: dynamicresources.go (isClaimReadyForBinding, isClaimTimeout).
 */
export function bindingStateOf(claim: KubeObject, now: Instant): 'ready' | 'pending' | { readonly trouble: string } {
  let pending = false;
  for (const result of conditional(claim)) {
    const conditions = dig(statusOf(claim, result), 'conditions');
    const failed = asList(dig(result, 'bindingFailureConditions'))
      .map((type) => conditionOf(conditions, type))
      .find((one) => dig(one, 'status') === 'True');
    if (failed !== undefined)
      return {
        trouble: WORDS.bindingFailed(claim.metadata.name, asText(dig(failed, 'reason')) ?? '', asText(dig(failed, 'message')) ?? ''),
      };
    if (asList(dig(result, 'bindingConditions')).some((type) => dig(conditionOf(conditions, type), 'status') !== 'True')) pending = true;
  }
  if (!pending) return 'ready';
  const since = parseInstant(dig(claim, 'status', 'allocation', 'allocationTimestamp'));
  return since !== undefined && since + BINDING_TIMEOUT <= now ? { trouble: WORDS.bindingLate(claim.metadata.name) } : 'pending';
}

/** The devices of a claim that wait for conditions. */
export function conditional(claim: KubeObject): readonly Json[] {
  return asList(dig(claim, 'status', 'allocation', 'devices', 'results')).filter(
    (result) => asList(dig(result, 'bindingConditions')).length > 0,
  );
}

/** Source: pkg/scheduler/apis/config/v1/defaults.go (DynamicResourcesArgs.BindingTimeout). */
const BINDING_TIMEOUT = 600_000;

function statusOf(claim: KubeObject, result: Json): Json | undefined {
  return asList(dig(claim, 'status', 'devices')).find((status) =>
    ['driver', 'pool', 'device'].every((field) => dig(status, field) === dig(result, field)),
  );
}

function conditionOf(conditions: Json | undefined, type: Json): Json | undefined {
  return asList(conditions).find((condition) => dig(condition, 'type') === type);
}
