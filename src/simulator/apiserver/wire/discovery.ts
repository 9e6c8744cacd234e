import type { JsonObject } from '../../../base/json.ts';
import { asText, dig } from '../../../base/json.ts';
import type { AggregatedApis } from '../../outside/aggregated-apis.ts';
import type { Store } from '../../store/store.ts';
import type { ServedResource } from '../resources.ts';
import { GROUP_ORDER } from '../schema/resource-names.ts';
import { compareVersions } from '../version-order.ts';
import type { DiscoveryResource } from './discovery-resource.ts';
import { storageVersionHash } from './storage-version.ts';
import type { GroupVersionKind } from './subresource-kinds.ts';
import { kindOfSubresource, verbsOfSubresource } from './subresource-kinds.ts';

/** What is served, as discovery tells it: by group, version and resource. */
export interface DiscoveryGroup {
  readonly name: string;
  /** Preferred first. */
  readonly versions: readonly DiscoveryVersion[];
}

export interface DiscoveryVersion {
  readonly version: string;
  readonly resources: readonly DiscoveryResource[];
  /** Served by another server that does not answer. */
  readonly stale: boolean;
}

export interface DiscoverySource {
  readonly resources: readonly ServedResource[];
  readonly store: Store;
  readonly aggregated: AggregatedApis;
}

/** All groups: core first, the built-in ones in their order, then those of definitions and of other servers by name. */
export function discoverGroups({ resources, store, aggregated }: DiscoverySource): readonly DiscoveryGroup[] {
  const groups = new Map<string, Map<string, DiscoveryVersion>>();
  const put = (group: string, version: DiscoveryVersion): void => {
    const versions = groups.get(group) ?? new Map<string, DiscoveryVersion>();
    groups.set(group, versions);
    const known = versions.get(version.version);
    versions.set(version.version, known === undefined ? version : { ...known, resources: [...known.resources, ...version.resources] });
  };
  for (const resource of resources) put(resource.group, { version: resource.version, resources: [describe(resource)], stale: false });
  for (const service of store.list('apiservices.apiregistration.k8s.io')) {
    const [group, version] = [asText(dig(service, 'spec', 'group')) ?? '', asText(dig(service, 'spec', 'version')) ?? ''];
    if (dig(service, 'spec', 'service') === undefined || group === '') continue;
    const server = aggregated.get(`${group}/${version}`);
    put(group, { version, resources: server?.resources ?? [], stale: server === undefined });
  }
  return [...groups]
    .map(([name, versions]): DiscoveryGroup => ({
      name,
      versions: [...versions.values()].sort((a, b) => compareVersions(a.version, b.version)),
    }))
    .sort((a, b) => rankOf(a.name) - rankOf(b.name) || (a.name < b.name ? -1 : 1));
}

function describe(resource: ServedResource): DiscoveryResource {
  const { group, version, kind, plural, namespaced, verbs, singular, shortNames, categories } = resource;
  const subresources = [...resource.subresources.keys()].map((name) => ({
    name,
    kind: kindOfSubresource(resource, name),
    verbs: verbsOfSubresource(name),
  }));
  const hash = storageVersionHash(resource);
  const stored = hash === undefined ? {} : { storageVersionHash: hash };
  return { plural, singular, namespaced, kind: { group, version, kind }, verbs, shortNames, categories, subresources, ...stored };
}

function rankOf(group: string): number {
  const rank = GROUP_ORDER.indexOf(group);
  return rank < 0 ? GROUP_ORDER.length : rank;
}

/** The document at a path of discovery (`/api`, `/apis/apps/v1`), in the form the Accept header prefers; undefined where there is none. */
export function discoveryDocument(
  path: string,
  accept: string,
  groups: readonly DiscoveryGroup[],
): { readonly contentType: string; readonly body: JsonObject } | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const [root, name, version, ...rest] = parts;
  if ((root !== 'api' && root !== 'apis') || rest.length > 0) return undefined;
  if (parts.length === 1) return rootDocument(root, accept, groups);
  if (root === 'api')
    return version === undefined
      ? plainDocument(
          resourceList(
            groups.find((group) => group.name === ''),
            name,
          ),
        )
      : undefined;
  const group = groups.find((one) => one.name === name && one.name !== '');
  if (group === undefined) return undefined;
  return plainDocument(version === undefined ? { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) } : resourceList(group, version));
}

function rootDocument(
  root: 'api' | 'apis',
  accept: string,
  groups: readonly DiscoveryGroup[],
): { readonly contentType: string; readonly body: JsonObject } {
  const version = aggregatedVersion(accept);
  const wanted = groups.filter((group) => (group.name === '') === (root === 'api'));
  if (version !== undefined) {
    const body = {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${version}`,
      metadata: {},
      items: wanted.map(aggregatedGroup),
    };
    return { contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`, body };
  }
  const versions = { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
  return {
    contentType: JSON_TYPE,
    body:
      root === 'api'
        ? versions
        : { kind: 'APIGroupList', apiVersion: 'v1', groups: wanted.filter((group) => group.versions.length > 0).map(groupOf) },
  };
}

const JSON_TYPE = 'application/json';

/** The first form in the header that is known: aggregated in a version, or plain. */
function aggregatedVersion(accept: string): 'v2' | 'v2beta1' | undefined {
  for (const clause of accept.split(',')) {
    const words = clause.split(';').map((word) => word.trim());
    if (words.includes('as=APIGroupDiscoveryList')) {
      if (words.includes('v=v2')) return 'v2';
      if (words.includes('v=v2beta1')) return 'v2beta1';
    } else if (words.length === 1 && (words[0] === JSON_TYPE || words[0] === '*/*')) return undefined;
  }
  return undefined;
}

function plainDocument(body: JsonObject | undefined): { readonly contentType: string; readonly body: JsonObject } | undefined {
  return body === undefined ? undefined : { contentType: JSON_TYPE, body };
}

function groupOf({ name, versions }: DiscoveryGroup): JsonObject {
  const named = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: named, preferredVersion: named[0] ?? null };
}

function resourceList(group: DiscoveryGroup | undefined, version: string | undefined): JsonObject | undefined {
  const found = group?.versions.find((one) => one.version === version);
  if (group === undefined || found === undefined || found.stale) return undefined;
  const resources = found.resources.flatMap((resource) => [
    plainResource(resource),
    ...resource.subresources.map((sub) => ({
      name: `${resource.plural}/${sub.name}`,
      singularName: '',
      namespaced: resource.namespaced,
      ...foreign(resource.kind, sub.kind),
      kind: sub.kind.kind,
      verbs: sub.verbs,
    })),
  ]);
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group.name === '' ? found.version : `${group.name}/${found.version}`,
    resources,
  };
}

function plainResource({
  plural,
  singular,
  namespaced,
  kind,
  verbs,
  shortNames,
  categories,
  storageVersionHash: hash,
}: DiscoveryResource): JsonObject {
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind: kind.kind,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(hash === undefined ? {} : { storageVersionHash: hash }),
  };
}

/** Group and version are said where they are not those of the list. */
function foreign(own: GroupVersionKind, other: GroupVersionKind): JsonObject {
  return own.group === other.group && own.version === other.version ? {} : { group: other.group, version: other.version };
}

function aggregatedGroup({ name, versions }: DiscoveryGroup): JsonObject {
  return {
    metadata: { ...(name === '' ? {} : { name }), creationTimestamp: null },
    versions: versions.map((version) => ({
      version: version.version,
      resources: version.resources.map((resource) => ({
        resource: resource.plural,
        responseKind: { ...resource.kind },
        scope: resource.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: resource.singular,
        verbs: resource.verbs,
        ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
        ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
        ...(resource.subresources.length === 0
          ? {}
          : {
              subresources: resource.subresources.map((sub) => ({
                subresource: sub.name,
                responseKind: { ...sub.kind },
                verbs: sub.verbs,
              })),
            }),
      })),
      freshness: version.stale ? 'Stale' : 'Current',
    })),
  };
}
