import { groupOf } from '../../model/resources.ts';

/** Where the server has a kind; a row of `RESOURCES` is one, and so is what discovery tells of others. */
export interface ServedApi {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** What is read: of a namespaced kind, `namespace` missing means all of them. */
export interface ApiTarget {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path and query of a read; parts that are undefined are left out. */
export function apiPath(api: ServedApi, target: ApiTarget, query: Readonly<Record<string, string | undefined>> = {}): string {
  const root = groupOf(api.apiVersion) === '' ? `/api/${api.apiVersion}` : `/apis/${api.apiVersion}`;
  const namespace = api.namespaced && target.namespace !== undefined ? ['namespaces', target.namespace] : [];
  const steps = [...namespace, api.plural, target.name, target.subresource].filter((step) => step !== undefined);
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const path = `${root}/${steps.map(encodeURIComponent).join('/')}`;
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}

/**
 * Whether an object can have this name; with any other one a path would mean something else.
 * Source: staging/src/k8s.io/apimachinery/pkg/api/validation/path/name.go (IsValidPathSegmentName).
 */
export function isPathName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/%]/.test(name) && name.length <= 253;
}

/** The permission a read needs, as `kubectl auth can-i` takes it: `get configmaps in shop`, `list nodes`, `get pods/log in shop`. */
export function permission(verb: 'get' | 'list', api: ServedApi, target: ApiTarget): string {
  const group = groupOf(api.apiVersion);
  const resource = group === '' ? api.plural : `${api.plural}.${group}`;
  const what = target.subresource === undefined ? resource : `${resource}/${target.subresource}`;
  if (!api.namespaced) return `${verb} ${what}`;
  return `${verb} ${what} in ${target.namespace ?? 'all namespaces'}`;
}
