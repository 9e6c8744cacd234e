import type { JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../base/json.ts';
import { sameJson, withFields } from '../../base/json-edit.ts';
import { largest } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { asItems } from '../apiserver/lists.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { Informer } from '../components/informer.ts';
import type { Routine } from '../time/routine.ts';
import { timeOf } from '../time/api-times.ts';
import type { SyncResult } from '../components/work-queue.ts';
import { retryUnlessGone } from '../components/work-queue.ts';
import { findCondition } from './conditions.ts';
import { isDeleted } from './ownership.ts';
import type { ServedKind } from './served-kinds.ts';
import { DELETABLE_KINDS, kindOfDefinition } from './served-kinds.ts';

/**
 * Empties namespaces that are deleted, and lets them go. Source: pkg/controller/namespace/namespace_controller.go,
 * deletion/namespaced_resources_deleter.go.
 */
export const NAMESPACE_CONTROLLER: ComponentDefinition = {
  name: 'namespace-controller',
  process: 'kube-controller-manager',
  qps: 400,
  burst: 3000,
  start,
};

/** From a deletion (or any later change) until it is looked at, so that caches of admission have heard of it. */
const GRACE_MILLISECONDS = 5000;
/** How long what has finalizers is expected to take. */
const FINALIZER_ESTIMATE_SECONDS = 15;

/** Source: deletion/status_condition_utils.go. */
const WORDS = {
  discovered: {
    type: 'NamespaceDeletionDiscoveryFailure',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  parsed: {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  deleted: {
    type: 'NamespaceDeletionContentFailure',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  removed: { type: 'NamespaceContentRemaining', reason: 'ContentRemoved', message: 'All content successfully removed' },
  finalized: {
    type: 'NamespaceFinalizersRemaining',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
} as const;

function start(host: ComponentHost): void {
  const namespaces = host.informer({ kind: 'Namespace' });
  const caches = {
    namespaces,
    definitions: host.informer({ kind: 'CustomResourceDefinition' }),
    services: host.informer({ kind: 'APIService' }),
  };
  const queue = host.queue({ name: 'namespace', workers: 10, retryTo: 60_000 }, (name) => sync(host, caches, name));
  namespaces.onChange(({ object, type }) => {
    if (type !== 'DELETED' && isDeleted(object)) queue.addAfter(object.metadata.name, GRACE_MILLISECONDS);
  });
}

interface Caches {
  readonly namespaces: Informer;
  readonly definitions: Informer;
  readonly services: Informer;
}

function* sync(host: ComponentHost, { namespaces, definitions, services }: Caches, name: string): Routine<SyncResult> {
  const namespace = namespaces.get(undefined, name);
  if (namespace === undefined || !isDeleted(namespace) || !asList(dig(namespace, 'spec', 'finalizers')).includes('kubernetes')) return;
  const content = { ...(yield* empty(host, name, kindsOf(definitions))), unserved: unservedGroups(services) };
  const written = yield* writeConditions(host, namespace, content);
  if (!written.ok) return { retry: written.why };
  const errors = [...content.unserved.map(undiscovered), ...content.errors];
  if (errors.length > 0) return { retry: errors.join(', ') };
  if (content.estimateSeconds > 0 || content.remaining.size > 0)
    return { againAfter: (Math.floor(content.estimateSeconds / 2) + 1) * 1000 };
  const spec = withFields(asObject(written.namespace['spec']), {
    finalizers: asList(dig(written.namespace, 'spec', 'finalizers')).filter((finalizer) => finalizer !== 'kubernetes'),
  });
  const answer = yield* host.client.send({
    verb: 'update',
    group: '',
    version: 'v1',
    resource: 'namespaces',
    subresource: 'finalize',
    name,
    body: withFields(written.namespace, { spec }),
  });
  return retryUnlessGone(answer);
}

interface Content {
  /** How many are left, by `configmaps.`; only once the pods are gone. */
  readonly remaining: Map<string, number>;
  readonly finalizers: Map<string, number>;
  readonly errors: string[];
  estimateSeconds: number;
}

interface Seen extends Content {
  readonly unserved: readonly string[];
}

/** Groups whose server does not answer: what else is there is deleted, but the namespace stays. */
function unservedGroups(services: Informer): readonly string[] {
  return [...services.list()]
    .filter((service) => findCondition(asList(dig(service, 'status', 'conditions')), 'Available')?.['status'] === 'False')
    .map(({ spec }) => `${asText(dig(spec, 'group')) ?? ''}/${asText(dig(spec, 'version')) ?? ''}`)
    .sort();
}

/** Source: staging/src/k8s.io/client-go/discovery/discovery_client.go (StaleGroupVersionError). */
function undiscovered(group: string): string {
  return `${group}: stale GroupVersion discovery: ${group}`;
}

function kindsOf(definitions: Informer): readonly ServedKind[] {
  const custom = [...definitions.list()].map(kindOfDefinition).filter((kind) => kind !== undefined);
  return [...DELETABLE_KINDS, ...custom].filter((kind) => kind.namespaced);
}

/** Pods go first, and nothing else until they are gone. */
function* empty(host: ComponentHost, namespace: string, kinds: readonly ServedKind[]): Routine<Content> {
  const content: Content = { remaining: new Map(), finalizers: new Map(), errors: [], estimateSeconds: 0 };
  const pods = kinds.find((kind) => kind.resource === 'pods' && kind.group === '');
  if (pods !== undefined) {
    const left = yield* emptyKind(host, namespace, pods, content);
    if (left > 0) return { ...content, remaining: new Map(), finalizers: new Map(), estimateSeconds: Math.max(1, content.estimateSeconds) };
  }
  for (const kind of kinds) if (kind !== pods) yield* emptyKind(host, namespace, kind, content);
  return content;
}

function* emptyKind(host: ComponentHost, namespace: string, kind: ServedKind, content: Content): Routine<number> {
  const address = { group: kind.group, version: kind.version, resource: kind.resource, namespace };
  const before = yield* host.client.send({ verb: 'list', ...address });
  if (!before.ok || asItems(before.object).length === 0) return 0;
  const graceful = kind.resource === 'pods' ? largest([0, ...asItems(before.object).map(graceOf)]) : 0;
  const deleted = yield* host.client.send({ verb: 'deletecollection', ...address, delete: { propagationPolicy: 'Background' } });
  if (!deleted.ok) content.errors.push(deleted.message);
  const after = yield* host.client.send({ verb: 'list', ...address });
  const left = after.ok ? asItems(after.object) : [];
  if (left.length === 0) return 0;
  content.remaining.set(`${kind.resource}.${kind.group}`, left.length);
  for (const object of left)
    for (const finalizer of asList(object.metadata['finalizers']).map((one) => asText(one) ?? ''))
      content.finalizers.set(finalizer, (content.finalizers.get(finalizer) ?? 0) + 1);
  const held = left.some((object) => asList(object.metadata['finalizers']).length > 0);
  content.estimateSeconds = Math.max(content.estimateSeconds, graceful > 0 ? graceful : held ? FINALIZER_ESTIMATE_SECONDS : 0);
  return left.length;
}

function graceOf(pod: KubeObject): number {
  const phase = asText(dig(pod, 'status', 'phase'));
  if (phase === 'Succeeded' || phase === 'Failed') return 0;
  return asNumber(dig(pod, 'spec', 'terminationGracePeriodSeconds')) ?? 30;
}

type Written = { readonly ok: true; readonly namespace: KubeObject } | { readonly ok: false; readonly why: string };

function* writeConditions(host: ComponentHost, namespace: KubeObject, content: Seen): Routine<Written> {
  const known = asList(dig(namespace, 'status', 'conditions'));
  const conditions = conditionsOf(content).map((wanted) => {
    const current = findCondition(known, asText(wanted['type']) ?? '');
    if (
      current !== undefined &&
      current['status'] === wanted['status'] &&
      current['reason'] === wanted['reason'] &&
      current['message'] === wanted['message']
    )
      return current;
    return {
      ...wanted,
      lastTransitionTime:
        current !== undefined && current['status'] === wanted['status'] ? (current['lastTransitionTime'] ?? null) : timeOf(host.now()),
    };
  });
  if (sameJson(known, conditions)) return { ok: true, namespace };
  const status = withFields(asObject(namespace['status']), { phase: 'Terminating', conditions });
  const answer = yield* host.client.updateStatus(withFields(namespace, { status }));
  return answer.ok ? { ok: true, namespace: answer.object } : { ok: false, why: answer.message };
}

function conditionsOf({ unserved, errors, remaining, finalizers }: Seen): readonly JsonObject[] {
  const { discovered, parsed, deleted, removed, finalized } = WORDS;
  return [
    condition(discovered, unserved.length, {
      reason: 'DiscoveryFailed',
      message: `Discovery failed for some groups, ${unserved.length} failing: unable to retrieve the complete list of server APIs: ${unserved.map(undiscovered).join(', ')}`,
    }),
    condition(parsed),
    condition(deleted, errors.length, {
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${errors.length} remaining: ${errors.join(', ')}`,
    }),
    condition(removed, remaining.size, {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${listed(remaining, 'has')}`,
    }),
    condition(finalized, finalizers.size, {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${listed(finalizers, 'in')}`,
    }),
  ];
}

/** False with its own words where there is no trouble. */
function condition(words: (typeof WORDS)[keyof typeof WORDS], troubles = 0, trouble: JsonObject = {}): JsonObject {
  return troubles === 0 ? { ...words, status: 'False' } : { type: words.type, status: 'True', ...trouble };
}

function listed(counts: ReadonlyMap<string, number>, word: 'has' | 'in'): string {
  return [...counts]
    .map(([name, count]) => `${name} ${word} ${count} resource instances`)
    .sort()
    .join(', ');
}
