import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText } from '../../../base/json.ts';

/** What the conversion webhook of agnhost makes of a review. Source: test/images/agnhost/crd-conversion-webhook/converter. */
export function convertReview(request: JsonObject): JsonObject {
  const wanted = asText(request['desiredAPIVersion']) ?? '';
  const convertedObjects: Json[] = [];
  for (const given of asList(request['objects'])) {
    const converted = convert(asObject(given), wanted);
    if (typeof converted === 'string') return { uid: request['uid'] ?? '', result: { status: 'Failure', message: converted } };
    convertedObjects.push(converted);
  }
  return { uid: request['uid'] ?? '', convertedObjects, result: { status: 'Success' } };
}

function convert(object: JsonObject, wanted: string): JsonObject | string {
  const from = asText(object['apiVersion']) ?? '';
  if (from === wanted) return `conversion from a version to itself should not call the webhook: ${wanted}`;
  if (from !== V1 && from !== V2) return `unexpected conversion version "${from}"`;
  if (wanted !== (from === V1 ? V2 : V1)) return `unexpected conversion version "${wanted}"`;
  const { hostPort, host, port, ...rest } = object;
  const kept = { ...rest, apiVersion: wanted };
  if (from === V2) return host === undefined && port === undefined ? kept : { ...kept, hostPort: `${textIn(host)}:${textIn(port)}` };
  if (hostPort === undefined) return kept;
  const parts = textIn(hostPort).split(':');
  return parts.length === 2 ? { ...kept, host: parts[0], port: parts[1] } : `invalid hostPort value \`${textIn(hostPort)}\``;
}

const V1 = 'stable.example.com/v1';
const V2 = 'stable.example.com/v2';

function textIn(value: Json | undefined): string {
  return asText(value) ?? '';
}
