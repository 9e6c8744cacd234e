import type { Json, JsonObject } from '../../../base/json.ts';
import { asObject, isJsonObject } from '../../../base/json.ts';
import { withDefaults, withFields } from '../../../base/json-edit.ts';
import { mapObjects } from './pod-spec.ts';

/** One device of a class, unless something else is asked for. Source: pkg/apis/resource/v1/defaults.go. */
export function defaultDeviceClaim(given: JsonObject): JsonObject {
  const spec = withDefaults(given, { devices: {} });
  const devices = asObject(spec['devices']);
  if (!Array.isArray(devices['requests'])) return spec;
  return withFields(spec, { devices: withFields(devices, { requests: mapObjects(devices['requests'], defaultRequest) }) });
}

/** A pool that says nothing of its generation is of the first. */
export function defaultSlice(spec: JsonObject): JsonObject {
  return isJsonObject(spec['pool']) ? withFields(spec, { pool: withDefaults(spec['pool'], { generation: 0 }) }) : spec;
}

function defaultRequest(request: JsonObject): JsonObject {
  const { exactly, firstAvailable } = request;
  return withFields(request, {
    exactly: isJsonObject(exactly) ? defaultWanted(exactly) : exactly,
    firstAvailable: firstAvailable === undefined ? undefined : mapObjects(firstAvailable, defaultWanted),
  });
}

function defaultWanted(given: JsonObject): JsonObject {
  const wanted = withDefaults(given, { allocationMode: 'ExactCount' });
  const counted = wanted['allocationMode'] === 'ExactCount' && (wanted['count'] ?? 0) === 0 ? withFields(wanted, { count: 1 }) : wanted;
  const tolerations: Json | undefined = counted['tolerations'];
  return tolerations === undefined
    ? counted
    : withFields(counted, { tolerations: mapObjects(tolerations, (toleration) => withDefaults(toleration, { operator: 'Equal' })) });
}
