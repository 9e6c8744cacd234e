import { asNumber, asTextMap, dig, digAt } from '../../base/json.ts';
import { parseQuantity } from '../../base/quantity.ts';
import { isReady } from '../../collect/objects/pods.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, labelsOf, refOf, sameObject } from '../../model/kube-object.ts';
import type { Place } from '../../report/pipeline/check.ts';
import type { Effect } from '../../report/preflight/preflight.ts';
import { objectList, objectWords } from '../../report/format/object-words.ts';
import type { Cluster } from '../../simulator/index.ts';
import type { PlacedDocument } from '../sim/manifest-scenario.ts';
import { documentRef } from './manifests.ts';
import { placeOf } from './cause-place.ts';

/** What ran before the manifests were applied. */
export interface Today {
  readonly pods: readonly KubeObject[];
  readonly quotas: readonly KubeObject[];
}

export function todayIn({ store }: Cluster): Today {
  return { pods: store.list('pods'), quotas: store.list('resourcequotas') };
}

/** What applying the manifests takes from what ran before: pods that go or are no longer ready, room in quotas, and mixed-up selectors. */
export function effectsOn(
  today: Today,
  cluster: Cluster,
  documents: readonly PlacedDocument[],
  namespace: string | undefined,
): readonly Effect[] {
  const own = documents.map((document) => ({ document, ref: documentRef(document, namespace ?? 'default') }));
  const foreign = today.pods.filter((pod) => !own.some(({ ref }) => isOf(pod, ref)));
  return [...lostPods(foreign, cluster), ...fullQuotas(today, cluster), ...mixedSelectors(foreign, own), ...tightBudgets(own, cluster)];
}

/** Whether an object of the manifests makes the pod: controllers name what they make after themselves. */
function isOf({ metadata }: KubeObject, { namespace, name }: ObjectRef): boolean {
  return metadata.namespace === namespace && (metadata.name === name || metadata.name.startsWith(`${name}-`));
}

function lostPods(pods: readonly KubeObject[], { store }: Cluster): readonly Effect[] {
  const [gone, unready]: [ObjectRef[], ObjectRef[]] = [[], []];
  for (const pod of pods) {
    if (isReady(pod) !== true) continue;
    const { name, namespace, uid } = pod.metadata;
    const now = store.get('pods', namespace, name);
    if (
      now === undefined ||
      now.metadata.uid !== uid ||
      now.metadata['deletionTimestamp'] !== undefined ||
      dig(now, 'status', 'phase') === 'Failed'
    )
      gone.push(refOf(pod));
    else if (isReady(now) !== true) unready.push(refOf(pod));
  }
  return [
    ...groupEffect('podcheck/evicts', 'Running pods are evicted', gone, 'evicted or deleted'),
    ...groupEffect('podcheck/makes-unready', 'Running pods become unready', unready, 'no longer ready'),
  ];
}

const NAMED = 5;

function groupEffect(rule: string, title: string, [first, ...more]: readonly ObjectRef[], what: string): readonly Effect[] {
  if (first === undefined) return [];
  const count = more.length + 1;
  const says = `${count === 1 ? '1 running pod is' : `${count} running pods are`} ${what}: ${objectList([first, ...more], NAMED)}.`;
  return [effect(rule, title, says, first)];
}

/** From so many tenths on a quota is told of. */
const FULL_TENTHS = 9n;

function fullQuotas({ quotas }: Today, { store }: Cluster): readonly Effect[] {
  const before = new Map(quotas.map((quota) => [formatRef(refOf(quota)), asTextMap(dig(quota, 'status', 'used'))]));
  return store.list('resourcequotas').flatMap((quota): readonly Effect[] => {
    const ref = refOf(quota);
    const [hard, used] = [asTextMap(dig(quota, 'status', 'hard')), asTextMap(dig(quota, 'status', 'used'))];
    const full = Object.entries(used).filter(([resource, amount]) => {
      const [now, limit] = [parseQuantity(amount), parseQuantity(hard[resource])];
      return (
        before.get(formatRef(ref))?.[resource] !== amount && now !== undefined && limit !== undefined && now * 10n >= limit * FULL_TENTHS
      );
    });
    if (full.length === 0) return [];
    const says = full.map(([resource, amount]) => `${resource} ${amount} of ${hard[resource] ?? ''}`).join(', ');
    return [effect('podcheck/fills-quota', 'A ResourceQuota is almost used up', `${objectWords(ref)} is almost used up: ${says}.`, ref)];
  });
}

type Own = readonly { readonly document: PlacedDocument; readonly ref: ObjectRef }[];

/** Fields in which kinds select pods by labels. */
const SELECTORS: Readonly<Record<string, readonly string[]>> = {
  Service: ['spec', 'selector'],
  Deployment: ['spec', 'selector', 'matchLabels'],
  StatefulSet: ['spec', 'selector', 'matchLabels'],
  DaemonSet: ['spec', 'selector', 'matchLabels'],
  PodDisruptionBudget: ['spec', 'selector', 'matchLabels'],
};

/** Selectors of the manifests that meet pods which run already and are not made by the manifests. */
function mixedSelectors(foreign: readonly KubeObject[], own: Own): readonly Effect[] {
  return own.flatMap(({ document, ref }): readonly Effect[] => {
    const path = SELECTORS[ref.kind];
    const wanted = Object.entries(asTextMap(path === undefined ? undefined : digAt(document.object, path)));
    if (path === undefined || wanted.length === 0) return [];
    const met = foreign.filter(
      (pod) => pod.metadata.namespace === ref.namespace && wanted.every(([label, value]) => labelsOf(pod)[label] === value),
    );
    const [first] = met;
    // A Service or a budget may well be written for what runs already; with pods of its own beside them it mixes both.
    const isMixed = isController(ref) || own.some((other) => isController(other.ref) && labelsMatch(other.document, wanted));
    if (first === undefined || !isMixed) return [];
    const says = `The selector of ${objectWords(ref)} also matches ${met.length === 1 ? 'a running pod' : `${met.length} running pods`} of others: ${objectList(met.map(refOf), NAMED)}.`;
    return [effect('podcheck/selects-others', 'A selector matches pods of others', says, ref, placeOf(document, [path.join('.')]))];
  });
}

function isController({ kind }: ObjectRef): boolean {
  return kind === 'Deployment' || kind === 'StatefulSet' || kind === 'DaemonSet';
}

function labelsMatch({ object }: PlacedDocument, wanted: readonly (readonly [string, string])[]): boolean {
  const labels = asTextMap(dig(object, 'spec', 'template', 'metadata', 'labels'));
  return wanted.every(([label, value]) => labels[label] === value);
}

/** Budgets that let nobody evict a pod: draining a node waits for ever. */
function tightBudgets(own: Own, { server, store }: Cluster): readonly Effect[] {
  return store.list(server.resources.named('PodDisruptionBudget')?.key ?? '').flatMap((budget): readonly Effect[] => {
    const ref = refOf(budget);
    const mine = own.find((one) =>
      sameObject(one.ref, { kind: ref.kind, name: ref.name, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }) }),
    );
    const [allowed, healthy, expected] = ['disruptionsAllowed', 'currentHealthy', 'expectedPods'].map((field) =>
      asNumber(dig(budget, 'status', field)),
    );
    if (mine === undefined || allowed !== 0 || healthy !== expected || expected === 0) return [];
    const says = `${objectWords(ref)} allows no eviction while all its pods are healthy (${expected ?? 0}). Draining their nodes will wait.`;
    return [
      effect(
        'podcheck/blocks-drain',
        'A PodDisruptionBudget allows no eviction',
        says,
        ref,
        placeOf(mine.document, ['spec.minAvailable', 'spec']),
      ),
    ];
  });
}

function effect(rule: string, title: string, says: string, { kind, namespace, name }: ObjectRef, place?: Place): Effect {
  const ref = { kind, ...(namespace === undefined ? {} : { namespace }), name };
  const at = place === undefined ? {} : { place };
  return { rule, level: 'warning', title, says, fix: [], evidence: [], subject: ref, object: ref, ...at, references: [] };
}
