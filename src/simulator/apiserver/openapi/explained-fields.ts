import type { ServedResource } from '../resources.ts';
import type { FieldType } from '../schema/schema.ts';
import { goName, modelNamed } from '../schema/schema.ts';

/** The fields below a path of a kind, as `kubectl explain` names them and their types. */
export interface ExplainedFields {
  readonly type: string;
  readonly fields: readonly { readonly name: string; readonly type: string; readonly required: boolean }[];
}

/** Undefined for a field that there is not. Of custom resources only the fields that all objects have are known. */
export function explainedFields({ model, kind }: ServedResource, path: readonly string[]): ExplainedFields | undefined {
  if (model === undefined) return path.length === 0 ? { type: kind, fields: COMMON } : undefined;
  let type: FieldType = { is: 'model', model };
  for (const step of path) {
    const inner = innermost(type);
    const next = inner.is === 'model' ? modelNamed(inner.model).fields.get(step)?.type : undefined;
    if (next === undefined) return undefined;
    type = next;
  }
  const inner = innermost(type);
  const fields = inner.is === 'model' ? [...modelNamed(inner.model).fields.values()] : [];
  return {
    type: typeWords(type),
    fields: fields
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((field) => ({ name: field.name, type: typeWords(field.type), required: field.required })),
  };
}

const COMMON = ['apiVersion', 'kind', 'metadata'].map((name) => ({
  name,
  type: name === 'metadata' ? 'ObjectMeta' : 'string',
  required: false,
}));

function innermost(type: FieldType): FieldType {
  return type.is === 'list' || type.is === 'map' ? innermost(type.of) : type;
}

/** Source: staging/src/k8s.io/kubectl/pkg/explain/v2/templates/plaintext.tmpl. */
function typeWords(type: FieldType): string {
  switch (type.is) {
    case 'model':
      return goName(type.model);
    case 'list':
      return `[]${typeWords(type.of)}`;
    case 'map':
      return `map[string]${typeWords(type.of)}`;
    case 'int32':
    case 'int64':
      return 'integer';
    case 'double':
      return 'number';
    case 'quantity':
      return 'Quantity';
    case 'time':
      return 'Time';
    case 'micro-time':
      return 'MicroTime';
    case 'int-or-string':
      return 'IntOrString';
    case 'any':
      return 'Object';
    default:
      return type.is === 'bytes' ? 'string' : type.is;
  }
}
