import type { Json, JsonObject } from '../../../base/json.ts';
import { MERGED_SETS, MERGE_KEYS } from '../patches/merge-keys.ts';
import type { ServedResource } from '../resources.ts';
import type { FieldType } from '../schema/schema.ts';
import { modelNamed } from '../schema/schema.ts';
import { schemaName } from './schema-names.ts';

/** The schemas a resource needs, by their names in OpenAPI: its own first. `described` gives the words for a field of a model. */
export function addSchemas(schemas: Record<string, Json>, resource: ServedResource, described: Descriptions): void {
  const { model } = resource;
  if (model === undefined) return;
  const name = addModel({ schemas, resource, described }, model);
  const own = schemas[name] as Record<string, Json>;
  const kind = { group: resource.group, kind: resource.kind, version: resource.version };
  own['x-kubernetes-group-version-kind'] = [kind];
  schemas[`${META}.ListMeta`] ??= LIST_META;
  schemas[`${name}List`] = {
    type: 'object',
    description: `${resource.kind}List is a list of ${resource.kind}.`,
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: reference(name) },
      kind: { type: 'string' },
      metadata: reference(`${META}.ListMeta`),
    },
    'x-kubernetes-group-version-kind': [{ ...kind, kind: `${resource.kind}List` }],
  };
}

/** The words for a model (no field given) or one of its fields; undefined when there are none. */
export type Descriptions = (model: string, field?: string) => string | undefined;

interface Building {
  readonly schemas: Record<string, Json>;
  readonly resource: ServedResource;
  readonly described: Descriptions;
}

function addModel(building: Building, model: string): string {
  const { schemas, resource, described } = building;
  const name = schemaName(model, resource);
  if (schemas[name] !== undefined) return name;
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  const description = described(model);
  // Entered before it is filled: some models hold themselves.
  const schema: Record<string, Json> = { type: 'object', ...(description === undefined ? {} : { description }), properties };
  schemas[name] = schema;
  const { fields, goName } = modelNamed(model);
  for (const field of [...fields.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const words = described(model, field.name);
    const inner = schemaOf(building, field.type);
    const extensions = mergeExtensions(`${goName}.${field.name}`, field.type);
    // Beside a reference nothing else may stand, so it is wrapped.
    const whole = '$ref' in inner && (words !== undefined || extensions !== undefined) ? { allOf: [inner], default: {} } : inner;
    properties[field.name] = { ...whole, ...(words === undefined ? {} : { description: words }), ...extensions };
    if (field.required) required.push(field.name);
  }
  if (required.length > 0) schema['required'] = required;
  return name;
}

function schemaOf(building: Building, type: FieldType): JsonObject {
  switch (type.is) {
    case 'string':
      return { type: 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'int32':
    case 'int64':
      return { type: 'integer', format: type.is };
    case 'double':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'time':
      return common(building, `${META}.Time`, { type: 'string', format: 'date-time' });
    case 'micro-time':
      return common(building, `${META}.MicroTime`, { type: 'string', format: 'date-time' });
    case 'quantity':
      return common(building, 'io.k8s.apimachinery.pkg.api.resource.Quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] });
    case 'int-or-string':
      return common(building, 'io.k8s.apimachinery.pkg.util.intstr.IntOrString', {
        format: 'int-or-string',
        oneOf: [{ type: 'integer' }, { type: 'string' }],
      });
    case 'any':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    case 'model':
      return reference(addModel(building, type.model));
    case 'list':
      return { type: 'array', items: schemaOf(building, type.of) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(building, type.of) };
  }
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const LIST_META: JsonObject = {
  type: 'object',
  description:
    'ListMeta describes metadata that synthetic resources must have, including lists and various status objects. A resource may have only one of {ObjectMeta, ListMeta}.',
  properties: {
    continue: { type: 'string' },
    remainingItemCount: { type: 'integer', format: 'int64' },
    resourceVersion: { type: 'string' },
    selfLink: { type: 'string' },
  },
};

function common({ schemas }: Building, name: string, schema: JsonObject): JsonObject {
  schemas[name] ??= schema;
  return reference(name);
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** How a client that makes patches is to merge this field. */
function mergeExtensions(name: string, type: FieldType): JsonObject | undefined {
  const key = MERGE_KEYS[name];
  const strategy = RETAINS_KEYS.has(name) ? (key === undefined ? 'retainKeys' : 'merge,retainKeys') : 'merge';
  if (key !== undefined)
    return {
      'x-kubernetes-list-map-keys': [key],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': key,
      'x-kubernetes-patch-strategy': strategy,
    };
  if (MERGED_SETS.has(name)) return { 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' };
  if (RETAINS_KEYS.has(name)) return { 'x-kubernetes-patch-strategy': strategy };
  return type.is === 'list' ? { 'x-kubernetes-list-type': 'atomic' } : undefined;
}

/** Unions: setting one member takes the others away. */
const RETAINS_KEYS: ReadonlySet<string> = new Set(['PodSpec.volumes', 'DeploymentSpec.strategy']);

/** What a schema's owner is called where it is not a model of ours. */
export function customSchemaName({ group, version, kind }: ServedResource): string {
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}

/** Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types_swagger_doc_generated.go (PartialObjectMetadata). */
const METADATA =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** Source: staging/src/k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go (buildKubeNative). */
export function customSchema(resource: ServedResource, described: Descriptions): JsonObject {
  const words = (field: string): JsonObject => {
    const description = described('V1ConfigMap', field);
    return description === undefined ? {} : { description };
  };
  const properties = {
    apiVersion: { type: 'string', ...words('apiVersion') },
    kind: { type: 'string', ...words('kind') },
    metadata: { allOf: [reference(`${META}.ObjectMeta`)], description: METADATA },
  };
  const base: JsonObject = resource.custom?.schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    ...base,
    properties: { ...(base['properties'] as JsonObject | undefined), ...properties },
    'x-kubernetes-group-version-kind': [{ group: resource.group, kind: resource.kind, version: resource.version }],
  };
}

export function addObjectMeta(schemas: Record<string, Json>, resource: ServedResource, described: Descriptions): void {
  addModel({ schemas, resource, described }, 'V1ObjectMeta');
}
