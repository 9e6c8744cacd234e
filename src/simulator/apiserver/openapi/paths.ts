import type { Json, JsonObject } from '../../../base/json.ts';
import type { ServedResource } from '../resources.ts';

/** The paths of a resource with what can be asked there; `schema` is the name of its own schema. */
export function addPaths(paths: Record<string, Json>, resource: ServedResource, schema: string): void {
  const { group, version, plural, namespaced } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`;
  const kind = { group, kind: resource.kind, version };
  const operation = (verb: string, action: string): JsonObject => ({
    ...operationOf(verb, action, resource, schema),
    'x-kubernetes-group-version-kind': kind,
  });
  paths[collection] = { ...operations(resource, COLLECTION, operation), parameters: namespaced ? [pathParameter('namespace')] : [] };
  if (!resource.verbs.includes('get')) return;
  const one = {
    ...operations(resource, ONE, operation),
    parameters: [pathParameter('name'), ...(namespaced ? [pathParameter('namespace')] : [])],
  };
  paths[`${collection}/{name}`] = one;
  if (resource.subresources.has('status')) paths[`${collection}/{name}/status`] = one;
}

/** Method, verb, and what OpenAPI calls it. */
type Row = readonly [method: string, verb: string, action: string];

const COLLECTION: readonly Row[] = [
  ['get', 'list', 'list'],
  ['post', 'create', 'post'],
  ['delete', 'deletecollection', 'deletecollection'],
];
const ONE: readonly Row[] = [
  ['get', 'get', 'get'],
  ['put', 'update', 'put'],
  ['patch', 'patch', 'patch'],
  ['delete', 'delete', 'delete'],
];

function operations(resource: ServedResource, rows: readonly Row[], operation: (verb: string, action: string) => JsonObject): JsonObject {
  return Object.fromEntries(
    rows.filter(([, verb]) => resource.verbs.includes(verb)).map(([method, verb, action]) => [method, operation(verb, action)]),
  );
}

function operationOf(verb: string, action: string, resource: ServedResource, schema: string): JsonObject {
  const writes = verb === 'create' || verb === 'update' || verb === 'patch';
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}${verb === 'list' ? 'List' : ''}` } } };
  const { group, version, kind, namespaced } = resource;
  const place = `${capital(group === '' ? 'core' : (group.split('.')[0] ?? ''))}${capital(version)}${namespaced ? 'Namespaced' : ''}${kind}`;
  return {
    operationId: `${VERB_WORDS[verb] ?? verb}${place}`,
    parameters: writes
      ? [
          queryParameter('dryRun'),
          queryParameter('fieldManager'),
          queryParameter('fieldValidation'),
          ...(verb === 'patch' ? [queryParameter('force')] : []),
        ]
      : [],
    ...(verb === 'patch'
      ? { requestBody: { content: patchContent(resource), required: true } }
      : writes
        ? { requestBody: { content: { '*/*': content['application/json'] }, required: true } }
        : {}),
    responses: { [verb === 'create' ? '201' : '200']: { description: verb === 'create' ? 'Created' : 'OK', content } },
    'x-kubernetes-action': action,
  };
}

/** Custom resources know no strategic merge. */
function patchContent(resource: ServedResource): JsonObject {
  const types = [
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    ...(resource.model === undefined ? [] : ['application/strategic-merge-patch+json']),
  ];
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }]));
}

function pathParameter(name: string): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } };
}

function queryParameter(name: string): JsonObject {
  return { name, in: 'query', schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true } };
}

const VERB_WORDS: Readonly<Record<string, string>> = { get: 'read', update: 'replace', deletecollection: 'deleteCollection' };

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
