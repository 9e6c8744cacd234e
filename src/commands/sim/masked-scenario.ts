import type { Json, JsonObject } from '../../base/json.ts';
import { asText, digAt, isJsonObject } from '../../base/json.ts';
import type { ValueMasks } from '../../clusters/mask-values.ts';
import type { Scenario, ScenarioFault, ScenarioStep } from '../../model/scenario.ts';

/** The scenario with values masked in the documents it applies and patches; what it breaks knows the masked ones. */
export function maskedScenario(scenario: Scenario, masks: ValueMasks): Scenario {
  const steps = scenario.steps.map((step) => withMaskedObjects(step, masks));
  return {
    ...scenario,
    setup: scenario.setup.map((fault) => withMaskedWords(fault, masks)),
    steps: steps.map((step) => withMaskedText(step, masks)),
  };
}

function withMaskedObjects(step: ScenarioStep, masks: ValueMasks): ScenarioStep {
  if (step.do === 'apply') return { ...step, documents: step.documents.map((document) => objectOf(masks.document(document))) };
  if (step.do !== 'patch') return step;
  const {
    body,
    object: { kind },
  } = step;
  return {
    ...step,
    body: isOperations(body) ? body.map((operation) => maskedOperation(operation, kind, masks)) : objectOf(masks.document(body, kind)),
  };
}

function isOperations(body: JsonObject | readonly JsonObject[]): body is readonly JsonObject[] {
  return Array.isArray(body);
}

/** An operation of a JSON patch: its value is masked as what stands at its path. */
function maskedOperation(operation: JsonObject, kind: string, masks: ValueMasks): JsonObject {
  const path = (asText(operation['path']) ?? '').split('/').slice(1);
  const { value } = operation;
  if (value === undefined) return operation;
  return { ...operation, value: within(masks.document(nested(value, path), kind), path) };
}

function nested(value: Json, path: readonly string[]): Json {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  return isIndex(part) ? [nested(value, rest)] : { [part]: nested(value, rest) };
}

function within(value: Json, path: readonly string[]): Json {
  return (
    digAt(
      value,
      path.map((part) => (isIndex(part) ? 0 : part)),
    ) ?? null
  );
}

function isIndex(part: string): boolean {
  return /^(?:\d+|-)$/.test(part);
}

function withMaskedText(step: ScenarioStep, masks: ValueMasks): ScenarioStep {
  if (step.do === 'fault') return { ...step, fault: objectOf(masks.words(step.fault)) };
  if (step.do !== 'apply' || step.manifest?.text === undefined) return step;
  return { ...step, manifest: { ...step.manifest, text: masks.text(step.manifest.text) } };
}

function withMaskedWords({ place, fault }: ScenarioFault, masks: ValueMasks): ScenarioFault {
  return { place, fault: objectOf(masks.words(fault)) };
}

function objectOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
