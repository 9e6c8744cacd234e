import type { JsonObject } from '../../../base/json.ts';
import { dig, isJsonObject } from '../../../base/json.ts';
import { withDefaults, withFields, withPath } from '../../../base/json-edit.ts';

/** Source: pkg/apis/flowcontrol/v1/defaults.go. */
export function defaultFlowSchema(spec: JsonObject): JsonObject {
  return withNumbers(spec, { matchingPrecedence: 1000 });
}

export function defaultPriorityLevel(spec: JsonObject): JsonObject {
  const { limited, exempt } = spec;
  if (isJsonObject(exempt)) return withFields(spec, { exempt: withDefaults(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 }) });
  if (!isJsonObject(limited)) return spec;
  const filled = withDefaults(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
  const queuing = dig(filled, 'limitResponse', 'queuing');
  if (!isJsonObject(queuing)) return withFields(spec, { limited: filled });
  const queues = withNumbers(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 });
  return withFields(spec, { limited: withPath(filled, ['limitResponse', 'queuing'], queues) });
}

/** Numbers that are not set, or zero. */
function withNumbers(object: JsonObject, numbers: Readonly<Record<string, number>>): JsonObject {
  const missing = Object.entries(numbers).filter(([field]) => (object[field] ?? 0) === 0);
  return withFields(object, Object.fromEntries(missing));
}
