import type { JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { withDefaults, withFields } from '../../../base/json-edit.ts';

/** Source: apiextensions-apiserver/pkg/apis/apiextensions/v1/{defaults,conversion}.go. */
export function defaultDefinition(given: JsonObject): JsonObject {
  const kind = asText(dig(given, 'names', 'kind')) ?? '';
  const names = withDefaults(asObject(given['names']), {
    singular: kind.toLowerCase(),
    ...(kind === '' ? {} : { listKind: `${kind}List` }),
  });
  const conversion = asObject(given['conversion'] ?? { strategy: 'None' });
  // Inside, a webhook is no more than what it has.
  const { clientConfig, conversionReviewVersions } = asObject(conversion['webhook']);
  const says = clientConfig !== undefined || asList(conversionReviewVersions).length > 0;
  return withFields(given, { names, conversion: says ? conversion : withFields(conversion, { webhook: undefined }) });
}

/** Objects are stored in some version, whatever a status says. */
export function withFirstVersion(definition: JsonObject): JsonObject {
  const status = definition['status'];
  if (!isJsonObject(status) || asList(status['storedVersions']).length > 0) return definition;
  const name = dig(
    asList(dig(definition, 'spec', 'versions')).find((version) => dig(version, 'storage') === true),
    'name',
  );
  return name === undefined ? definition : withFields(definition, { status: withFields(status, { storedVersions: [name] }) });
}
