import type { Json, JsonObject } from '../../../base/json.ts';
import { resourceOfKind } from '../../../model/resources.ts';
import type { ServedResource } from '../resources.ts';

/** A document outside the resources: version, health, discovery. */
export interface WireDocument {
  readonly contentType: string;
  readonly text: string;
}

/** The document at a path; undefined when nothing is served there. `accept` chooses aggregated discovery. */
export function documentAt(path: string, accept: string, resources: readonly ServedResource[]): WireDocument | undefined {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (HEALTH.has(plain)) return { contentType: 'text/plain; charset=utf-8', text: 'ok' };
  if (plain === '/version') return json(VERSION);
  const aggregated = /as=APIGroupDiscoveryList/.test(accept) && /v=v2(?![a-z0-9])/.test(accept);
  if (plain === '/api') return aggregated ? discovery(resources.filter(({ group }) => group === '')) : json({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1' }] });
  if (plain === '/apis') return aggregated ? discovery(resources.filter(({ group }) => group !== '')) : json({ kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(resources).map((group) => groupOf(group, resources)) });
  const [, root, ...rest] = plain.split('/');
  if (root === 'api' && rest.length === 1) return resourceList('', rest[0] ?? '', resources);
  if (root !== 'apis') return undefined;
  const [group = '', version] = rest;
  if (rest.length === 2 && version !== undefined) return resourceList(group, version, resources);
  return rest.length === 1 && groupsOf(resources).includes(group) ? json({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, resources) }) : undefined;
}

const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

const VERSION: JsonObject = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.0',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-04-22T00:00:00Z',
  goVersion: '',
  compiler: 'gc',
  platform: 'linux/amd64',
};

function json(object: JsonObject, contentType = 'application/json'): WireDocument {
  return { contentType, text: JSON.stringify(object) };
}

function groupsOf(resources: readonly ServedResource[]): readonly string[] {
  return [...new Set(resources.map(({ group }) => group))].filter((group) => group !== '');
}

/** Preferred version first: the higher one. */
function versionsOf(group: string, resources: readonly ServedResource[]): readonly string[] {
  return [...new Set(resources.filter((resource) => resource.group === group).map(({ version }) => version))].sort().reverse();
}

function groupOf(group: string, resources: readonly ServedResource[]): JsonObject {
  const versions = versionsOf(group, resources).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] ?? {} };
}

function resourceList(group: string, version: string, resources: readonly ServedResource[]): WireDocument | undefined {
  const own = resources.filter((resource) => resource.group === group && resource.version === version);
  if (own.length === 0) return undefined;
  const entries: readonly Json[] = own.flatMap((resource) => [
    { name: resource.plural, singularName: resource.kind.toLowerCase(), namespaced: resource.namespaced, kind: resource.kind, verbs: resource.verbs, ...shortNames(resource) },
    ...[...resource.subresources.keys()].map((name) => ({ name: `${resource.plural}/${name}`, singularName: '', namespaced: resource.namespaced, kind: resource.kind, verbs: ['get', 'patch', 'update'] })),
  ]);
  return json({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: group === '' ? version : `${group}/${version}`, resources: entries });
}

function discovery(resources: readonly ServedResource[]): WireDocument {
  const groups = [...new Set(resources.map(({ group }) => group))];
  const items = groups.map((group) => ({
    metadata: { name: group, creationTimestamp: null },
    versions: versionsOf(group, resources).map((version) => ({
      version,
      freshness: 'Current',
      resources: resources.filter((resource) => resource.group === group && resource.version === version).map(discovered),
    })),
  }));
  return json({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
}

function discovered(resource: ServedResource): JsonObject {
  const kind = { group: resource.group, version: resource.version, kind: resource.kind };
  const subresources = [...resource.subresources.keys()].map((subresource) => ({ subresource, responseKind: kind, verbs: ['get', 'patch', 'update'] }));
  return {
    resource: resource.plural,
    responseKind: kind,
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.kind.toLowerCase(),
    verbs: resource.verbs,
    ...shortNames(resource),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function shortNames({ kind }: ServedResource): { readonly shortNames?: readonly string[] } {
  const names = resourceOfKind(kind)?.shortNames ?? [];
  return names.length === 0 ? {} : { shortNames: names };
}
