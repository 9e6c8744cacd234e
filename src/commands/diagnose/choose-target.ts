import { isWorkloadKind } from '../../model/workload-kinds.ts';
import { PodcheckError } from '../../base/errors.ts';
import { nearest, printable, printableUpTo } from '../../base/text.ts';
import { collect } from '../../collect/collect.ts';
import type { TargetWords } from '../../collect/survey/resolve-target.ts';
import { isSilent, resolveTarget } from '../../collect/survey/resolve-target.ts';
import type { ClusterReader, Unread } from '../../model/cluster-reader.ts';
import type { Evidence, Target } from '../../model/diagnosis.ts';
import { isUnread } from '../../model/fact.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace, parseRef } from '../../model/kube-object.ts';
import { CLIENT_ANSWER } from '../../model/record-kinds.ts';
import { RESOURCES, resourceNamed } from '../../model/resources.ts';
import { objectWords } from '../../report/format/object-words.ts';
import { ownedByCustom } from './custom-target.ts';
import { lastEventOf } from './last-event.ts';
import { wrongNamespace } from './wrong-namespace.ts';
import { shippedRules } from '../../catalog/bundled-data.ts';

const CHOICES = 20;

/**
 * The object a person named, or an error that says what there is instead. A namespace in the words counts more than the one around them.
 */
export async function namedTarget(reader: ClusterReader, asGiven: TargetWords): Promise<ObjectRef> {
  const words = { ...asGiven, ...inParts(asGiven.word) };
  const custom = await customTarget(reader, words);
  if (custom !== undefined) return custom;
  const resolved = await resolveTarget(reader, words);
  const asked = words.selector === undefined ? `"${words.word ?? ''}"` : `the selector "${words.selector}"`;
  const where = words.namespace === undefined ? '' : ` in namespace ${words.namespace}`;
  if (resolved.kind === 'found') return resolved.ref;
  if (resolved.kind === 'unread' && isSilent(reader, resolved.unread)) throw unreadTarget(asked, where, resolved.unread);
  const stand = await standsFor(reader, words, resolved.kind);
  if (stand !== undefined) return stand;
  const wrong = words.namespace === undefined || resolved.kind === 'ambiguous' ? undefined : await wrongNamespace(reader, words.namespace);
  if (wrong !== undefined) throw wrong;
  switch (resolved.kind) {
    case 'ambiguous':
      throw new PodcheckError(
        'usage',
        `${asked} matches several objects${where}:\n${listed(resolved.refs.map(choice))}`,
        'give one of them as KIND/NAME, with -n NAMESPACE',
      );
    case 'absent':
      throw new PodcheckError(
        'not-found',
        `${asked} not found${where}`,
        (await pastHint(reader, words)) ?? absentHint(resolved.near, words),
      );
    case 'unread':
      throw unreadTarget(asked, where, resolved.unread);
  }
}

function unreadTarget(asked: string, where: string, { detail, needs }: Unread): PodcheckError {
  return new PodcheckError('unreachable', `cannot find ${asked}${where}: ${detail}`, needs === undefined ? '' : `needs: ${needs}`);
}

/**
 * What to diagnose instead of an object that was not found: one that the API server refused to create, in a source that has the answers of
 * kubectl;
 * an unhealthy pod of a workload that could not be read.
 */
async function standsFor(
  reader: ClusterReader,
  { word = '', namespace }: TargetWords,
  found: 'absent' | 'ambiguous' | 'unread',
): Promise<ObjectRef | undefined> {
  const answers = await reader.list(CLIENT_ANSWER, {});
  if (found === 'ambiguous' || (found === 'absent' && (!answers.ok || answers.value.length === 0))) return undefined;
  const slash = word.indexOf('/');
  const kind = slash < 0 ? undefined : resourceNamed(word.slice(0, slash))?.kind;
  const isMeant = (ref: ObjectRef): boolean => ref.name === word.slice(slash + 1) && (kind === undefined || ref.kind === kind);
  const { targets } = await collect(reader, namespace === undefined ? {} : { namespace }, await shippedRules());
  const own = targets.find(({ ref }) => isMeant(ref));
  const pods = found === 'unread' ? targets.filter(({ ref, members }) => ref.kind === 'Pod' && members.some(isMeant)) : [];
  return (own ?? pods.find(({ state }) => state === 'unhealthy') ?? pods[0])?.ref;
}

/** The only unhealthy object, when no target was named. Undefined when the evidence contains no possible target. */
export function theOneTarget(evidence: Evidence): ObjectRef | undefined {
  const targets = [...new Map(evidence.targets.map((target) => [formatRef(target.ref), target])).values()];
  const states: readonly Target['state'][] = ['unhealthy', 'progressing', 'unknown', 'healthy'];
  for (const state of states) {
    const [only, ...more] = preferred(targets.filter((target) => target.state === state));
    if (only === undefined) continue;
    if (more.length === 0) return only.ref;
    throw new PodcheckError(
      'usage',
      `${severalWords(state, evidence.gaps.some(isUnread))}:\n${listed([only, ...more].map(describe))}`,
      'diagnose one with `podcheck diagnose KIND/NAME -n NAMESPACE`, or all with `podcheck scan`',
    );
  }
  return undefined;
}

/** What was pasted shows several objects that are no target of a scan: the person must say which. */
export function severalShown(refs: readonly ObjectRef[]): PodcheckError {
  return new PodcheckError(
    'usage',
    `several objects that may be unhealthy:\n${listed(refs.map(choice))}`,
    'diagnose one with `podcheck diagnose KIND/NAME -n NAMESPACE`',
  );
}

function severalWords(state: Target['state'], hasUnread: boolean): string {
  if (state === 'unknown') return 'several objects, none with a known state';
  if (state !== 'healthy') return 'several unhealthy objects';
  return hasUnread ? 'several objects: none of them looks unhealthy, but not everything could be read' : 'several objects, all healthy';
}

/** Pods and workloads come before Services and nodes: a Service is rarely healthy without its pods. */
function preferred(targets: readonly Target[]): readonly Target[] {
  const withPods = targets.filter(({ ref }) => ref.kind === 'Pod' || isWorkloadKind(ref.kind));
  return withPods.length === 0 ? targets : withPods;
}

/** `KIND/NAMESPACE/NAME`, as the commands that podcheck prints have it. */
function inParts(word: string | undefined): Pick<TargetWords, 'word' | 'namespace'> {
  const ref = word === undefined ? undefined : parseRef(word);
  return ref?.namespace === undefined ? {} : { word: `${ref.kind}/${ref.name}`, namespace: ref.namespace };
}

/** What an object of a kind that podcheck does not read runs; an error where nothing of it is known. Undefined for all other words. */
async function customTarget(reader: ClusterReader, { word, namespace }: TargetWords): Promise<ObjectRef | undefined> {
  const slash = word?.indexOf('/') ?? -1;
  if (word === undefined || slash < 0) return undefined;
  const [kind, name] = [word.slice(0, slash), word.slice(slash + 1)];
  if (name === '') throw new PodcheckError('usage', `"${word}" has no object name`, 'write KIND/NAME');
  if (resourceNamed(kind) !== undefined) return undefined;
  const { owned, isAll } = await ownedByCustom(reader, kind, { name, namespace });
  if (owned.length > 0) return oneOfOwned(reader, owned, namespace);
  const near = nearest(
    kind.toLowerCase(),
    RESOURCES.flatMap((resource) => [resource.kind.toLowerCase(), resource.plural, ...resource.shortNames]),
  );
  throw new PodcheckError(
    'usage',
    `unknown kind "${kind}"${isAll ? `: no workload or pod is owned by ${kind}/${name}` : ''}`,
    near.length === 0 ? 'for example pod, deployment, statefulset, daemonset, job, service or node' : `did you mean ${near.join(' or ')}?`,
  );
}

/** Of what a custom resource runs the one that is not well. */
async function oneOfOwned(
  reader: ClusterReader,
  owned: readonly ObjectRef[],
  namespace: string | undefined,
): Promise<ObjectRef | undefined> {
  if (owned.length === 1) return owned[0];
  const { targets, ...evidence } = await collect(reader, inNamespace(namespace), await shippedRules());
  const keys = new Set(owned.map(formatRef));
  return theOneTarget({ ...evidence, targets: targets.filter(({ ref }) => keys.has(formatRef(ref))) });
}

/** Of an object that has gone its events are there for an hour. */
async function pastHint(reader: ClusterReader, { word = '', namespace }: TargetWords): Promise<string | undefined> {
  const slash = word.indexOf('/');
  const kind = slash < 0 ? undefined : resourceNamed(word.slice(0, slash))?.kind;
  return namespace === undefined || word === '' ? undefined : lastEventOf(reader, { kind, namespace, name: word.slice(slash + 1) });
}

function absentHint(near: readonly string[], { namespace, selector }: TargetWords): string {
  if (near.length > 0) return `did you mean ${near.map((name) => printable(name)).join(' or ')}?`;
  if (selector !== undefined) return '`kubectl get pods --show-labels` lists the labels';
  return namespace === undefined
    ? '`podcheck scan -A` lists all unhealthy objects'
    : `podcheck looked in namespace ${namespace}; choose another with -n NAMESPACE`;
}

function choice(ref: ObjectRef): string {
  return objectWords(ref);
}

function describe({ ref, reason }: Target): string {
  return reason === undefined ? objectWords(ref) : `${objectWords(ref)}: ${printableUpTo(reason, 120)}`;
}

function listed(lines: readonly string[]): string {
  const more = lines.length - CHOICES;
  return [...lines.slice(0, CHOICES).map((line) => `  ${line}`), ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}
