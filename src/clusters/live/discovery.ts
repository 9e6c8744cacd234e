import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { groupOf, resourceOfKind } from '../../model/resources.ts';
import type { ServedApi } from './api-path.ts';
import { parseJson } from './json-answer.ts';
import { messageOf } from './refusal.ts';
import type { Transport } from './transport.ts';

/** Where else a server has a kind. `problem` says why its list of APIs could not be read. */
export interface Discovered {
  readonly apis: readonly ServedApi[];
  readonly problem?: string;
}

/** Looks a kind up in what the server offers; asks it at most once, and only when somebody looks. */
export function discovery(transport: Transport): (kind: string) => Promise<Discovered> {
  let listed: Promise<{ readonly groups: Json } | { readonly problem: string }> | undefined;
  return async (kind) => {
    const list = await (listed ??= readGroups(transport));
    if ('problem' in list) return { apis: [], problem: list.problem };
    const aggregated = asText(dig(list.groups, 'kind')) === 'APIGroupDiscoveryList';
    return { apis: aggregated ? withKind(list.groups, kind) : otherVersions(list.groups, kind) };
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
  return parsed.ok ? { groups: parsed.value } : { problem: `the list of APIs is not JSON: ${parsed.detail}` };
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
