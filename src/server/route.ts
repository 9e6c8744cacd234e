import { parseInstant } from '../base/instant.ts';
import { parseInteger } from '../base/number.ts';
import type { ApiRequest, DeleteOptions, GivenOptions, LogRequest, Verb } from '../simulator/index.ts';

/** What a request line asks for: something of a resource, or a path outside the resources. */
export type Route =
  | { readonly kind: 'resource'; readonly request: RoutedRequest; readonly watch: boolean }
  | { readonly kind: 'path'; readonly verb: string; readonly path: string };

/** All of a request but who sends it and its body. */
export type RoutedRequest = Omit<ApiRequest, 'credential' | 'body' | 'patch'>;

/**
 * Where a request leads to; undefined for a method the API has no verb for. Source:
 * staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go.
 */
export function routeOf(method: string, path: string, query: URLSearchParams): Route | undefined {
  const parts = segmentsOf(path);
  if (parts === undefined) return { kind: 'path', verb: method.toLowerCase(), path };
  const place = placeOf(parts);
  if (place === undefined) return { kind: 'path', verb: method.toLowerCase(), path };
  // What stands behind a proxy may know methods that the API has no verb for.
  const passed = place.subresource === 'proxy' && method === 'OPTIONS';
  const verb = verbOf(passed ? 'GET' : method, place.name !== undefined, place.watch || isTrue(query.get('watch')));
  if (verb === undefined) return undefined;
  const { group, version, resource, namespace, name, subresource } = place;
  const request: RoutedRequest = {
    verb,
    group,
    version,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    ...optionsOf(query),
  };
  return { kind: 'resource', request, watch: verb === 'watch' };
}

/** Undefined where a part is no text in the encoding of URLs. */
function segmentsOf(path: string): readonly string[] | undefined {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

interface Place {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly watch: boolean;
}

function placeOf(parts: readonly string[]): Place | undefined {
  const prefix = parts[0] === 'api' ? 2 : parts[0] === 'apis' ? 3 : 0;
  if (prefix === 0 || parts.length <= prefix) return undefined;
  const group = prefix === 2 ? '' : (parts[1] ?? '');
  const version = parts[prefix - 1] ?? '';
  // The older form of a watch: /api/v1/watch/namespaces/shop/pods.
  const watch = parts[prefix] === 'watch' && parts.length > prefix + 1;
  const rest = parts.slice(prefix + (watch ? 1 : 0));
  const where = { group, version, watch };
  if (rest[0] !== 'namespaces') return named(rest, undefined, where);
  if (group !== '') return rest.length > 2 ? inNamespace(rest, where) : named(rest, undefined, where);
  return isOfNamespaceItself(rest) ? { ...named(rest, rest[1], where) } : inNamespace(rest, where);
}

/** A namespace, its status, its finalizers; or all namespaces. */
function isOfNamespaceItself(rest: readonly string[]): boolean {
  return rest.length <= 2 || (rest.length === 3 && NAMESPACE_SUBRESOURCES.includes(rest[2] ?? ''));
}

const NAMESPACE_SUBRESOURCES: readonly string[] = ['status', 'finalize'];

type Group = Pick<Place, 'group' | 'version' | 'watch'>;

function inNamespace(rest: readonly string[], group: Group): Place {
  return named(rest.slice(2), rest[1], group);
}

function named([resource = '', name, ...subresource]: readonly string[], namespace: string | undefined, group: Group): Place {
  return {
    ...group,
    resource,
    namespace: resource === 'namespaces' ? undefined : namespace,
    name,
    subresource: subresource.length === 0 ? undefined : subresource[0] === 'proxy' ? 'proxy' : subresource.join('/'),
  };
}

function verbOf(method: string, isNamed: boolean, watch: boolean): Verb | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return watch ? 'watch' : isNamed ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return isNamed ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

/** Go's strconv.ParseBool, as far as it says yes; a bare `?watch` counts too. */
export function isTrue(text: string | null): boolean {
  return text !== null && ['', '1', 't', 'T', 'true', 'TRUE', 'True'].includes(text);
}

function optionsOf(query: URLSearchParams): Omit<RoutedRequest, 'verb' | 'group' | 'version' | 'resource'> {
  const manager = textOf(query, 'fieldManager');
  const validation = query.get('fieldValidation');
  const match = query.get('resourceVersionMatch');
  const [labelSelector, fieldSelector, continueToken, resourceVersion] = [
    'labelSelector',
    'fieldSelector',
    'continue',
    'resourceVersion',
  ].map((name) => textOf(query, name));
  const limit = wholeNumber(query, 'limit');
  return {
    ...(manager === undefined ? {} : { manager }),
    ...(query.getAll('dryRun').includes('All') ? { dryRun: true } : {}),
    ...(validation === 'Strict' || validation === 'Warn' || validation === 'Ignore' ? { fieldValidation: validation } : {}),
    ...(query.has('force') ? { force: isTrue(query.get('force')) } : {}),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(limit === undefined ? {} : { limit }),
    ...(continueToken === undefined ? {} : { continueToken }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(match === 'Exact' || match === 'NotOlderThan' ? { resourceVersionMatch: match } : {}),
    given: givenOptionsOf(query),
    delete: deleteOptionsOf(query),
    log: logOptionsOf(query),
  };
}

function givenOptionsOf(query: URLSearchParams): GivenOptions {
  const dryRun = query.getAll('dryRun');
  const [fieldManager, fieldValidation, propagationPolicy] = ['fieldManager', 'fieldValidation', 'propagationPolicy'].map((name) =>
    textOf(query, name),
  );
  return {
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(query.has('force') ? { force: isTrue(query.get('force')) } : {}),
  };
}

function deleteOptionsOf(query: URLSearchParams): DeleteOptions {
  const grace = wholeNumber(query, 'gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === 'Orphan' || policy === 'Background' || policy === 'Foreground' ? { propagationPolicy: policy } : {}),
  };
}

function logOptionsOf(query: URLSearchParams): LogRequest {
  const container = textOf(query, 'container');
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map((name) => wholeNumber(query, name));
  const sinceTime = parseInstant(query.get('sinceTime'));
  return {
    ...(container === undefined ? {} : { container }),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(isTrue(query.get('previous')) ? { previous: true } : {}),
    ...(isTrue(query.get('timestamps')) ? { timestamps: true } : {}),
    ...(isTrue(query.get('follow')) ? { follow: true } : {}),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(sinceTime === undefined ? {} : { sinceTime }),
  };
}

function textOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  return text === null || text === '' ? undefined : text;
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  const amount = parseInteger(text ?? '');
  return amount !== undefined && amount >= 0 ? amount : undefined;
}
