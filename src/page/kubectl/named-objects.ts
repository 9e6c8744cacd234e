import { didYouMean } from '../../base/text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Failure, Resources } from '../../simulator/index.ts';
import { failureWords } from '../../simulator/index.ts';
import type { Call } from './call.ts';
import { itemsOf } from './call.ts';

export type Resource = NonNullable<ReturnType<Resources['named']>>;

/** A kind and the names that were given of it; without names all of them are meant. */
export interface Wanted {
  readonly resource: Resource;
  readonly names: readonly string[];
}

/** What `po`, `pods`, `Pod` or `deployments.apps` means; undefined for no served kind. */
export function resourceOf(word: string, resources: Resources): Resource | undefined {
  const asked = word.toLowerCase();
  const [plural = '', ...group] = asked.split('.');
  const fits = (one: Resource): boolean =>
    (group.length === 0 && [one.plural, one.singular, one.kind.toLowerCase(), ...one.shortNames].includes(asked)) ||
    (group.length > 0 &&
      [one.plural, one.singular].includes(plural) &&
      [one.group, `${one.version}.${one.group}`].includes(group.join('.')));
  const found = resources.all().filter(fits);
  const [first] = found;
  if (first === undefined) return undefined;
  // The server's order counts for kinds of the same name; the core group comes first.
  return found.find((one) => resources.named(one.kind) === one) ?? first;
}

/** `pods`, `pod/web`, `pods web-1 web-2`, `pods,svc`, `all`; kubectl's words when it is none of them. */
export function wantedOf({ words, kube: { cluster } }: Call): readonly Wanted[] | { readonly trouble: string } {
  const { resources } = cluster.server;
  const [first = '', ...names] = words;
  if (first === '')
    return { trouble: 'error: You must specify the type of resource. Use "kubectl get pods", or "help" for the commands of this console.' };
  if (words.some((word) => word.includes('/'))) return slashed(words, resources);
  const wanted: Wanted[] = [];
  for (const word of first.split(',')) {
    const ofAll =
      word === 'all' ? resources.all().filter((one) => one.categories.includes('all') && resources.named(one.kind) === one) : [];
    const found = ofAll.length > 0 ? ofAll : [resourceOf(word, resources)];
    for (const resource of found) {
      if (resource === undefined) return { trouble: unknownType(word, resources) };
      wanted.push({ resource, names });
    }
  }
  return wanted;
}

function slashed(words: readonly string[], resources: Resources): readonly Wanted[] | { readonly trouble: string } {
  const wanted: Wanted[] = [];
  for (const word of words) {
    const [kind = '', name = '', ...more] = word.split('/');
    if (name === '' || more.length > 0)
      return {
        trouble: 'error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form',
      };
    const resource = resourceOf(kind, resources);
    if (resource === undefined) return { trouble: unknownType(kind, resources) };
    wanted.push({ resource, names: [name] });
  }
  return wanted;
}

function unknownType(word: string, resources: Resources): string {
  return `error: the server doesn't have a resource type "${word}"${didYouMean(
    word,
    resources.all().map(({ plural }) => plural),
  )}`;
}

/** `pod/web` in kubectl's answers: `deployment.apps/web`. */
export function qualifiedName({ resource }: { readonly resource: Resource }, name: string): string {
  return `${resource.singular}${resource.group === '' ? '' : `.${resource.group}`}/${name}`;
}

export function addressOf(resource: Resource, namespace: string): { group: string; version: string; resource: string; namespace?: string } {
  return {
    group: resource.group,
    version: resource.version,
    resource: resource.plural,
    ...(resource.namespaced ? { namespace } : {}),
  };
}

/** The one object a command is about, or kubectl's words for why there is none. */
export function theOne(call: Call): { readonly resource: Resource; readonly object: KubeObject } | { readonly trouble: string } {
  const wanted = wantedOf(call);
  if ('trouble' in wanted) return wanted;
  const [one, ...more] = wanted;
  const [name, ...others] = one?.names ?? [];
  if (one === undefined || name === undefined) return { trouble: 'error: resource name may not be empty: write KIND/NAME' };
  if (more.length > 0 || others.length > 0) return { trouble: 'error: this console changes one object at a time' };
  const answer = call.kube.send({ verb: 'get', ...addressOf(one.resource, call.namespace), name });
  return answer.ok ? { resource: one.resource, object: answer.object } : { trouble: failureText(answer) };
}

/** All objects of a kind, or those that are named and those that fit a selector. */
export function objectsOf(
  { resource, names }: Wanted,
  call: Call,
  everywhere = false,
): { readonly objects: readonly KubeObject[]; readonly troubles: readonly string[] } {
  const { namespace, ...address } = addressOf(resource, call.namespace);
  const at = { ...address, ...(namespace === undefined || everywhere ? {} : { namespace }) };
  const [labelSelector, fieldSelector] = [call.flags.get('selector'), call.flags.get('field-selector')];
  if (names.length === 0) {
    const list = call.kube.send({
      verb: 'list',
      ...at,
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    });
    return list.ok ? { objects: itemsOf(list.object), troubles: [] } : { objects: [], troubles: [failureText(list)] };
  }
  const [objects, troubles]: [KubeObject[], string[]] = [[], []];
  for (const name of names) {
    const answer = call.kube.send({ verb: 'get', ...at, name });
    if (answer.ok) objects.push(answer.object);
    else troubles.push(failureText(answer));
  }
  return { objects, troubles };
}

export function failureText(answer: Failure): string {
  return failureWords(answer, '');
}
