import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { groupOf, resourceOfKind } from '../../model/resources.ts';
import type { ServedApi } from './api-path.ts';
import { parseJson } from './requests/json-answer.ts';
import { messageOf } from './requests/refusal.ts';
import type { Transport } from './requests/transport.ts';

/** Where else a server has a kind. `problem` says why that could not be found out. */
export interface Discovered {
  readonly apis: readonly ServedApi[];
  /** The list has kinds, and not only the groups and versions in which a kind may be or not. */
  readonly isWhole: boolean;
  readonly problem?: string;
}

/** Looks a kind up in what the server offers; asks it until it has answered once, and only when somebody looks. */
export function discovery(transport: Transport): (kind: string) => Promise<Discovered> {
  let listed: Promise<{ readonly groups: Json } | { readonly problem: string }> | undefined;
  return async (kind) => {
    const list = await (listed ??= readGroups(transport));
    if ('problem' in list) {
      // The next who looks may find it well again.
      listed = undefined;
      return { apis: [], isWhole: false, problem: list.problem };
    }
    if (asText(dig(list.groups, 'kind')) === 'APIGroupList') return { apis: otherVersions(list.groups, kind), isWhole: false };
    const [apis, silent] = [withKind(list.groups, kind), silentGroup(list.groups, kind)];
    return { apis, isWhole: true, ...(silent === undefined ? {} : { problem: `the server of API group ${silent} does not answer` }) };
  };
}

/** One answer with every group, version and resource; servers before 1.26 list only groups and versions. */
const ACCEPT = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',');

async function readGroups(transport: Transport): Promise<{ readonly groups: Json } | { readonly problem: string }> {
  const answer = await transport.get('/apis', { accept: ACCEPT });
  if (!answer.ok) return { problem: answer.error.detail };
  if (answer.status !== 200) return { problem: messageOf(answer) };
  const parsed = parseJson(answer.body.toString('utf8'));
  if (!parsed.ok) return { problem: `the list of APIs is not JSON: ${parsed.detail}` };
  return LISTS.has(asText(dig(parsed.value, 'kind')) ?? '') ? { groups: parsed.value } : { problem: 'the answer is not a list of APIs' };
}

const LISTS: ReadonlySet<string> = new Set(['APIGroupDiscoveryList', 'APIGroupList']);

/**
 * A group that may have the kind and whose own server could not be asked. Source: staging/src/k8s.io/api/apidiscovery/v2/types.go
 * (DiscoveryFreshness).
 */
function silentGroup(list: Json, kind: string): string | undefined {
  const known = resourceOfKind(kind);
  const silent = asList(dig(list, 'items')).filter((group) =>
    asList(dig(group, 'versions')).some((version) => dig(version, 'freshness') === 'Stale'),
  );
  const names = silent.map((group) => asText(dig(group, 'metadata', 'name')) ?? '');
  return known === undefined ? names[0] : names.find((name) => name === groupOf(known.apiVersion));
}

/** A kind podcheck knows is only looked for in its own group: others have kinds of the same name. */
function withKind(list: Json, kind: string): readonly ServedApi[] {
  const known = resourceOfKind(kind);
  const apis: ServedApi[] = [];
  for (const group of asList(dig(list, 'items'))) {
    const name = asText(dig(group, 'metadata', 'name')) ?? '';
    if (known !== undefined && groupOf(known.apiVersion) !== name) continue;
    for (const version of asList(dig(group, 'versions'))) {
      const apiVersion = `${name}/${asText(dig(version, 'version')) ?? ''}`;
      for (const resource of asList(dig(version, 'resources'))) {
        const plural = asText(dig(resource, 'resource'));
        if (plural === undefined || asText(dig(resource, 'responseKind', 'kind')) !== kind) continue;
        apis.push({ kind, apiVersion, plural, namespaced: asText(dig(resource, 'scope')) !== 'Cluster' });
      }
    }
  }
  return apis;
}

function otherVersions(list: Json, kind: string): readonly ServedApi[] {
  const known = resourceOfKind(kind);
  if (known === undefined) return [];
  const group = asList(dig(list, 'groups')).find((candidate) => asText(dig(candidate, 'name')) === groupOf(known.apiVersion));
  return asList(dig(group, 'versions')).flatMap((version) => {
    const apiVersion = asText(dig(version, 'groupVersion'));
    return apiVersion === undefined || apiVersion === known.apiVersion ? [] : [{ ...known, apiVersion }];
  });
}
