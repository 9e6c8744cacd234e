import type { Instant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ServedResource } from '../resources.ts';
import { age, since, UNKNOWN } from './cells.ts';
import type { Column, Printer } from './columns.ts';
import { columns } from './columns.ts';
import { readJsonPath } from './json-path.ts';

/**
 * How custom resources are printed: their name, and the columns their definition asks for, else their age.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor/tableconvertor.go.
 */
export function customPrinter(resource: ServedResource): Printer {
  const asked = resource.custom?.columns ?? [];
  const [name] = columns('Name');
  if (asked.length === 0 || name === undefined)
    return { columns: columns('Name, Age'), row: (it, now) => [it.metadata.name, age(it, now)] };
  return {
    columns: [name, ...asked.map(columnOf)],
    row: (it, now) => [it.metadata.name, ...asked.map((column) => cellOf(it, column, now))],
  };
}

function columnOf(column: Json): Column {
  const type = asText(dig(column, 'type')) ?? 'string';
  return {
    name: textOf(dig(column, 'name')),
    type: type as Column['type'],
    format: textOf(dig(column, 'format')),
    description:
      textOf(dig(column, 'description')) || `Custom resource definition column (in JSONPath format): ${textOf(dig(column, 'jsonPath'))}`,
    priority: asNumber(dig(column, 'priority')) ?? 0,
  };
}

function cellOf(object: KubeObject, column: Json, now: Instant): Json {
  const found = readJsonPath(object, textOf(dig(column, 'jsonPath')));
  const [first] = found;
  if (first === undefined || first === null) return null;
  switch (dig(column, 'type')) {
    case 'integer':
    case 'number':
      return typeof first === 'number' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'date': {
      const words = since(first, now);
      return words === UNKNOWN ? '<invalid>' : words;
    }
    default:
      return found.map(textOf).join(',');
  }
}
