import { digestOf } from '../../../base/digest.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { onceEach } from '../../../base/once.ts';
import type { Store } from '../../store/store.ts';
import type { ServedResource } from '../resources.ts';
import { addPaths } from './paths.ts';
import { schemaName } from './schema-names.ts';
import type { Descriptions } from './schemas.ts';
import { addObjectMeta, addSchemas, customSchema, customSchemaName } from './schemas.ts';

export interface OpenApiSource {
  readonly resources: readonly ServedResource[];
  readonly store: Store;
  /** Version of the server: `v1.36.0`. */
  readonly version: string;
  readonly described: Descriptions;
}

/** `/openapi/v3`: where the document of each group and version is, with a mark that changes with it. */
export function openApiIndex(source: OpenApiSource): JsonObject {
  const places = [...new Set(source.resources.map(placeOf))].sort();
  return {
    paths: Object.fromEntries(places.map((place) => [place, { serverRelativeURL: `/openapi/v3/${place}?hash=${markOf(source, place)}` }])),
  };
}

/**
 * `/openapi/v3/apis/apps/v1`: its paths and schemas, as JSON; undefined for what is not served. Written once, as long as it stays the same.
 */
export function openApiDocument(source: OpenApiSource, place: string): string | undefined {
  const own = source.resources.filter((resource) => placeOf(resource) === place);
  if (own.length === 0) return undefined;
  const texts = writtenWith(source.described);
  const mark = `${place} ${markOf(source, place)}`;
  const known = texts.get(mark);
  if (known !== undefined) return known;
  const text = JSON.stringify(writeDocument(source, own));
  if (texts.size >= MOST_WRITTEN) texts.clear();
  texts.set(mark, text);
  return text;
}

const MOST_WRITTEN = 100;
const writtenWith = onceEach((_described: Descriptions) => new Map<string, string>());

/** The paths and schemas of some of what is served. */
export function writeDocument(source: OpenApiSource, own: readonly ServedResource[]): JsonObject {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const resource of own) {
    if (resource.model === undefined) addCustom(source, schemas, resource);
    else addSchemas(schemas, resource, source.described);
    addPaths(paths, resource, resource.model === undefined ? customSchemaName(resource) : schemaName(resource.model, resource));
  }
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: source.version }, paths, components: { schemas: sorted(schemas) } };
}

function placeOf({ group, version }: ServedResource): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** Built-in documents never change; those of definitions change with them. */
function markOf({ resources, store, version }: OpenApiSource, place: string): string {
  const custom = resources.filter((resource) => placeOf(resource) === place && resource.model === undefined);
  const revisions = custom.map((resource) => textOf(definitionOf(store, resource)?.metadata['resourceVersion']));
  return digestOf([version, place, ...revisions].join(' ')).toUpperCase();
}

function addCustom({ described }: OpenApiSource, schemas: Record<string, Json>, resource: ServedResource): void {
  const name = customSchemaName(resource);
  addObjectMeta(schemas, resource, described);
  schemas[name] = customSchema(resource, described);
  schemas[`${name}List`] = {
    type: 'object',
    description: `${resource.kind}List is a list of ${resource.kind}`,
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
      kind: { type: 'string' },
      metadata: { type: 'object' },
    },
    'x-kubernetes-group-version-kind': [{ group: resource.group, kind: `${resource.kind}List`, version: resource.version }],
  };
}

function definitionOf(store: Store, resource: ServedResource): ReturnType<Store['get']> {
  return store.get('customresourcedefinitions.apiextensions.k8s.io', undefined, `${resource.plural}.${resource.group}`);
}

function sorted(object: Readonly<Record<string, Json>>): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
