import type { JsonObject } from '../base/json.ts';
import { asText, dig } from '../base/json.ts';
import type { Cause } from '../model/diagnosis.ts';
import type { DrillFault } from '../model/drill.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Scenario, ScenarioStep } from '../model/scenario.ts';
import { stageOrder } from '../model/stage.ts';

/**
 * What must hold for a fault to count as mended.
 * - `diagnosis`: the target is well and nothing is found about it.
 * - `absence`: the target is gone, for it was deleted and stayed.
 * - `again`: what was refused, or looked at, is done once more in a copy of the cluster, and goes well there.
 * - `object`: what never reached the cluster is there as it was meant, and well. What a terminal said before does not count.
 */
export type Goal =
  | { readonly by: 'diagnosis' }
  | { readonly by: 'absence' }
  | { readonly by: 'again'; readonly steps: readonly ScenarioStep[] }
  | {
      readonly by: 'object';
      readonly object: ObjectRef;
      /** As it was meant, and as it was given to the command that failed. */
      readonly wanted: JsonObject | undefined;
      readonly given: JsonObject | undefined;
      /** The trainee's own kubeconfig has to work again. */
      readonly login: boolean;
    };

export type FailedApply = ScenarioStep & { readonly do: 'apply' };

export function goalOf(fault: DrillFault, scenario: Scenario, cause: Cause | undefined): Goal {
  const { cured, target, scan } = fault;
  if (cured === 'gone') return { by: 'absence' };
  const failed = cause === undefined ? undefined : failedApply(cause, fault, scenario);
  if (scan !== undefined) return { by: 'again', steps: scenario.cure.filter(({ do: action }) => action === 'drain' || action === 'look') };
  if (failed === undefined) return { by: 'diagnosis' };
  const object = cured === undefined || cured === 'there' ? target : cured;
  // Who was not allowed to is to be allowed, whoever else could do it for them.
  if (cured === undefined && cause?.stage === 'authorization' && failed.as !== undefined) return { by: 'again', steps: [failed] };
  return {
    by: 'object',
    object,
    wanted: documentIn(scenario.cure, object),
    given: documentIn([failed], object) ?? onlyDocument(failed),
    login: needsLogin(failed, cause),
  };
}

/** The apply that a client was refused, or that never left their machine: what a cause was read from. */
export function failedApply(cause: Cause, { target, cured }: DrillFault, { steps }: Scenario): FailedApply | undefined {
  if (refusedCommand(cause) === undefined) return undefined;
  const applies = steps.filter((step): step is FailedApply => step.do === 'apply');
  const object = cured === undefined || typeof cured === 'string' ? target : cured;
  return applies.findLast((step) => documentIn([step], object) !== undefined) ?? applies.at(-1);
}

/** The command whose answer shows the cause. */
export function refusedCommand({ evidence }: Cause): string | undefined {
  return evidence
    .map(({ source }) => source)
    .find((source) => source.startsWith('$ kubectl ') && /\b(?:apply|create) -f /.test(source))
    ?.slice(2);
}

/** The trouble was with who asked and how, and not with what was asked for. */
function needsLogin({ as, kubeconfig }: FailedApply, cause: Cause | undefined): boolean {
  return cause !== undefined && stageOrder(cause.stage) <= stageOrder('authentication') && (as !== undefined || kubeconfig !== undefined);
}

/** The last document for an object among all that is applied. */
function documentIn(steps: readonly ScenarioStep[], { kind, namespace, name }: ObjectRef): JsonObject | undefined {
  const documents = steps.flatMap((step) =>
    step.do === 'apply'
      ? step.documents.map((document) => ({ document, place: asText(dig(document, 'metadata', 'namespace')) ?? step.namespace }))
      : [],
  );
  return documents.findLast(
    ({ document, place }) =>
      asText(document['kind']) === kind &&
      asText(dig(document, 'metadata', 'name')) === name &&
      (place === undefined || namespace === undefined || place === namespace),
  )?.document;
}

/** A document that lacks its kind or name is still the one. */
function onlyDocument({ documents }: FailedApply): JsonObject | undefined {
  return documents.length === 1 ? documents[0] : undefined;
}

/** What no request could do, and that somebody looks whether it helped. */
export function stepsOfOthers(cure: readonly ScenarioStep[]): readonly ScenarioStep[] {
  const first = cure.findIndex(({ do: action }) => action === 'fault');
  const lastLook = cure.findLastIndex(({ do: action }) => action === 'look');
  return first < 0
    ? []
    : cure.filter(
        ({ do: action }, index) => action === 'fault' || (index > first && index <= lastLook && (action === 'look' || action === 'wait')),
      );
}
