import { append } from '../../base/lists.ts';
import { nearest } from '../../base/text.ts';
import type { ClusterReader, ListRead, Unread } from '../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { controllerOf, formatRef, inNamespace, refOf } from '../../model/kube-object.ts';
import { resourceNamed } from '../../model/resources.ts';
import { selectorOfFields } from '../../model/selectors.ts';

/** What a person may say to name a target: `web`, `pod/web-1`, `deploy/web`, or a label selector. */
export interface TargetWords {
  readonly word?: string;
  readonly selector?: string;
  /** Undefined looks in all namespaces, which only a stored source is asked to. */
  readonly namespace?: string;
}

export type ResolvedTarget =
  | { readonly kind: 'found'; readonly ref: ObjectRef }
  /** Several objects fit: the person must say which. */
  | { readonly kind: 'ambiguous'; readonly refs: readonly ObjectRef[] }
  /** Nothing fits, and everything was looked at. `near` are existing names close to it. */
  | { readonly kind: 'absent'; readonly near: readonly string[] }
  | { readonly kind: 'unread'; readonly unread: Unread };

/** Kinds a bare name may mean, in the order in which they are tried: what people type most comes first. */
const BARE_KINDS = ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicaSet', 'Service'] as const;

/** Finds the object that the words name. A pod name that is gone leads to the workload it belonged to, where its name tells. */
export async function resolveTarget(reader: ClusterReader, words: TargetWords): Promise<ResolvedTarget> {
  if (words.selector !== undefined) return bySelector(reader, words.selector, words.namespace);
  const word = words.word ?? '';
  const slash = word.indexOf('/');
  const kind = slash < 0 ? undefined : (resourceNamed(word.slice(0, slash))?.kind ?? word.slice(0, slash));
  const name = word.slice(slash + 1);
  return byName(reader, kind === undefined ? BARE_KINDS : [kind], name, words.namespace);
}

async function byName(
  reader: ClusterReader,
  kinds: readonly string[],
  name: string,
  namespace: string | undefined,
): Promise<ResolvedTarget> {
  const found: ObjectRef[] = [];
  let unread: Unread | undefined;
  for (const kind of kinds) {
    const namespaced = resourceNamed(kind)?.namespaced !== false;
    const read = await readNamed(reader, kind, name, namespaced ? namespace : undefined, namespaced);
    append(found, read.refs);
    unread ??= read.unread;
    if (found.length > 0) break;
  }
  const [first, ...more] = found;
  if (first !== undefined) return more.length === 0 ? { kind: 'found', ref: first } : { kind: 'ambiguous', refs: found };
  const owner = isSilent(reader, unread) ? undefined : await ownerByName(reader, kinds, name, namespace);
  if (owner !== undefined) return { kind: 'found', ref: owner };
  if (unread !== undefined) return { kind: 'unread', unread };
  return { kind: 'absent', near: await nearNames(reader, kinds, name, namespace) };
}

/** Whether more questions would only wait for the same end: a live cluster failed to answer. */
export function isSilent(reader: ClusterReader, unread: Unread | undefined): boolean {
  return unread?.why === 'failed' && reader.stored !== true;
}

async function readNamed(
  reader: ClusterReader,
  kind: string,
  name: string,
  namespace: string | undefined,
  namespaced: boolean,
): Promise<{ refs: readonly ObjectRef[]; unread?: Unread }> {
  if (namespaced && namespace === undefined) {
    const own = await reader.list(kind, { fieldSelector: selectorOfFields({ 'metadata.name': name }) });
    // Some of the kind may be there, though it was never listed.
    const list = own.ok || own.why !== 'not-collected' ? own : await reader.list(kind, {});
    const unread = unreadOf(list);
    return {
      refs: list.ok ? list.value.filter(({ metadata }) => metadata.name === name).map(refOf) : [],
      ...(unread === undefined ? {} : { unread }),
    };
  }
  const read = await reader.get({ kind, ...inNamespace(namespace), name });
  if (read.ok) return { refs: [refOf(read.value)] };
  return read.why === 'absent' ? { refs: [] } : { refs: [], unread: read };
}

/** Why a list may lack what is looked for. */
function unreadOf(list: ListRead): Unread | undefined {
  if (!list.ok) return list;
  return list.brokeOff === true ? { ok: false, why: 'failed', detail: list.partial ?? 'The list is incomplete.' } : undefined;
}

/** `web-6d4cf56db6-x2x7k` is gone, but the Deployment `web` that made it may be there and tell why. */
async function ownerByName(
  reader: ClusterReader,
  kinds: readonly string[],
  name: string,
  namespace: string | undefined,
): Promise<ObjectRef | undefined> {
  if (!kinds.includes('Pod')) return undefined;
  const guesses = [
    ['Deployment', /^(.+)-[a-z0-9]{6,10}-[a-z0-9]{5}$/],
    ['StatefulSet', /^(.+)-\d+$/],
    ['DaemonSet', /^(.+)-[a-z0-9]{5}$/],
    ['Job', /^(.+)-[a-z0-9]{5}$/],
  ] as const;
  for (const [kind, shape] of guesses) {
    const owner = shape.exec(name)?.[1];
    if (owner === undefined) continue;
    const { refs } = await readNamed(reader, kind, owner, namespace, true);
    if (refs[0] !== undefined && refs.length === 1) return refs[0];
  }
  return undefined;
}

async function nearNames(
  reader: ClusterReader,
  kinds: readonly string[],
  name: string,
  namespace: string | undefined,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const kind of kinds.length === 1 ? kinds : ['Pod', 'Deployment']) {
    const list: ListRead = await reader.list(kind, inNamespace(namespace));
    if (list.ok)
      append(
        names,
        list.value.map(({ metadata }) => metadata.name),
      );
  }
  return nearest(name, names);
}

/** Pods that fit a selector are asked about by their workload, when they all have the same one. */
async function bySelector(reader: ClusterReader, labelSelector: string, namespace: string | undefined): Promise<ResolvedTarget> {
  const scope = { ...inNamespace(namespace), labelSelector };
  const tops = new Map<string, ObjectRef>();
  for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Pod']) {
    const list = await reader.list(kind, scope);
    const unread = unreadOf(list);
    if (unread !== undefined) return { kind: 'unread', unread };
    for (const object of list.ok ? list.value : []) {
      const ref = topByName(object);
      tops.set(formatRef(ref), ref);
    }
  }
  const refs = [...tops.values()].map(({ kind, namespace: where, name }) => ({
    kind,
    ...inNamespace(where),
    name,
  }));
  const [first, ...more] = refs;
  if (first === undefined) return { kind: 'absent', near: [] };
  return more.length === 0 ? { kind: 'found', ref: first } : { kind: 'ambiguous', refs };
}

/** A Deployment's pod is owned by a ReplicaSet whose name is the Deployment's with the template's hash behind it. */
function topByName(object: KubeObject): ObjectRef {
  const owner = controllerOf(object);
  if (object.kind !== 'Pod' || owner === undefined) return refOf(object);
  const hash = object.metadata.name.slice(0, Math.max(0, object.metadata.name.lastIndexOf('-')));
  if (owner.kind !== 'ReplicaSet' || hash !== owner.name) return owner;
  return {
    kind: 'Deployment',
    ...inNamespace(owner.namespace),
    name: owner.name.slice(0, Math.max(0, owner.name.lastIndexOf('-'))),
  };
}
