import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { SERVED } from '../apiserver/schema/resources.ts';

/** A resource as discovery tells of it. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Built-in resources that can be listed, watched and deleted, one version of each; Events are nobody's dependents. */
export const DELETABLE_KINDS: readonly ServedKind[] = builtIn();

/** The resource a CustomResourceDefinition defines, in the version it stores. */
export function kindOfDefinition(definition: KubeObject): ServedKind | undefined {
  const [group, resource, kind] = [
    asText(dig(definition, 'spec', 'group')),
    asText(dig(definition, 'spec', 'names', 'plural')),
    asText(dig(definition, 'spec', 'names', 'kind')),
  ];
  const version = asList(dig(definition, 'spec', 'versions')).find((one) => dig(one, 'storage') === true && dig(one, 'served') === true);
  const name = asText(dig(version, 'name'));
  if (group === undefined || resource === undefined || kind === undefined || name === undefined) return undefined;
  return { group, version: name, resource, kind, namespaced: dig(definition, 'spec', 'scope') === 'Namespaced' };
}

/** A stable version is better than one that is not, and than an older stable one. */
function isBetterVersion(version: string, known: string): boolean {
  return !/alpha|beta/.test(version) && (/alpha|beta/.test(known) || known < version);
}

function builtIn(): readonly ServedKind[] {
  const kinds = new Map<string, ServedKind>();
  for (const line of SERVED.trim().split('\n')) {
    const [group = '', version = '', resource = '', kind = '', scope, , verbs = ''] = line.split('|');
    const all = new Set(verbs.split(','));
    if (!['list', 'watch', 'delete'].every((verb) => all.has(verb))) continue;
    if (resource === 'events' && group !== '') continue;
    const known = kinds.get(`${group}/${resource}`);
    if (known === undefined || isBetterVersion(version, known.version))
      kinds.set(`${group}/${resource}`, { group, version, resource, kind, namespaced: scope === 'namespaced' });
  }
  return [...kinds.values()];
}
