import type { Json, JsonObject } from '../../base/json.ts';
import { asObject, dig } from '../../base/json.ts';
import { sameJson, withFields } from '../../base/json-edit.ts';
import type { Nano } from '../../base/quantity.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { inScope, quantityText, usageOf } from '../apiserver/quota-usage.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { Informer } from '../components/informer.ts';
import type { Routine } from '../time/routine.ts';
import { keyOfObject } from '../store/store.ts';
import type { SyncResult } from '../components/work-queue.ts';
import { retryUnlessGone } from '../components/work-queue.ts';
import { splitKey } from './ownership.ts';
import { isFinished } from './pod-state.ts';
import type { ServedKind } from './served-kinds.ts';
import { DELETABLE_KINDS } from './served-kinds.ts';

/**
 * Counts what quotas limit. What is made is counted by admission at once; this counts what is already there when a quota comes or
 * changes, and what was given back. Source: pkg/controller/resourcequota/resource_quota_controller.go.
 */
export const QUOTA_CONTROLLER: ComponentDefinition = { name: 'resourcequota-controller', process: 'kube-controller-manager', start };

function start(host: ComponentHost): void {
  const quotas = host.informer({ kind: 'ResourceQuota' }).addIndex('namespace', inNamespace);
  const counted = new Map<string, Informer>();
  const queue = host.queue({ name: 'resourcequota_primary' }, (key) => sync(host, quotas, counted, key));
  const follow = (kind: ServedKind): void => {
    if (counted.has(kind.kind)) return;
    const informer = host.informer({ kind: kind.kind }).addIndex('namespace', inNamespace);
    counted.set(kind.kind, informer);
    informer.onChange(({ object, previous, type }) => {
      const ended = kind.kind === 'Pod' && type === 'MODIFIED' && previous !== undefined && isFinished(object) && !isFinished(previous);
      if (type !== 'DELETED' && !ended) return;
      for (const quota of quotas.by('namespace', object.metadata.namespace ?? '')) queue.add(keyOfObject(quota));
    });
  };
  let resyncs = false;
  const resync = (): void => {
    resyncs = quotas.size > 0;
    for (const quota of quotas.list()) queue.add(keyOfObject(quota));
    if (resyncs) host.after(RESYNC_MILLISECONDS, 'count quotas again', resync, { background: true });
  };
  quotas.onChange(({ object, previous, type }) => {
    if (type === 'DELETED') return;
    if (!resyncs) host.after(RESYNC_MILLISECONDS, 'count quotas again', resync, { background: true });
    resyncs = true;
    if (type === 'MODIFIED' && sameJson(dig(previous, 'spec', 'hard'), dig(object, 'spec', 'hard'))) return;
    // Informers are made while others are being told of changes: those that are told are not to grow meanwhile.
    host.after(0, 'follow what a quota counts', () => {
      for (const kind of kindsOf(object)) follow(kind);
      queue.add(keyOfObject(object));
    });
  });
}

function inNamespace(object: KubeObject): readonly string[] {
  return [object.metadata.namespace ?? ''];
}

/** The kinds whose objects the quota's limits are about. */
function kindsOf(quota: KubeObject): readonly ServedKind[] {
  const kinds = new Map<string, ServedKind>();
  for (const name of Object.keys(asObject(dig(quota, 'spec', 'hard')))) {
    const kind = kindCountedBy(name);
    if (kind !== undefined) kinds.set(kind.kind, kind);
  }
  return [...kinds.values()];
}

/** Undefined for what nobody counts. */
function kindCountedBy(name: string): ServedKind | undefined {
  const counted = resourceCountedBy(name);
  return DELETABLE_KINDS.find((one) => counted === (one.group === '' ? one.resource : `${one.resource}.${one.group}`));
}

function resourceCountedBy(name: string): string {
  if (name.startsWith('count/')) return name.slice('count/'.length);
  if (name === 'services' || name.startsWith('services.')) return 'services';
  if (name === 'persistentvolumeclaims' || name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/'))
    return 'persistentvolumeclaims';
  return PLAIN_COUNTS.has(name) ? name : 'pods';
}

const PLAIN_COUNTS: ReadonlySet<string> = new Set(['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas']);

function* sync(host: ComponentHost, quotas: Informer, counted: ReadonlyMap<string, Informer>, key: string): Routine<SyncResult> {
  const quota = quotas.get(...splitKey(key));
  if (quota === undefined) return;
  const kinds = kindsOf(quota);
  if (kinds.some((kind) => counted.get(kind.kind)?.synced !== true)) return { againAfter: NOT_SYNCED_MILLISECONDS };
  const hard = asObject(dig(quota, 'spec', 'hard'));
  const sums = new Map<string, Nano>();
  for (const kind of kinds) {
    const objects = counted.get(kind.kind)?.by('namespace', quota.metadata.namespace ?? '') ?? [];
    addUsage(sums, quota, kind, objects);
  }
  const used: Record<string, Json> = {};
  for (const name of Object.keys(hard))
    if (!name.startsWith('count/') || kindCountedBy(name) !== undefined) used[name] = quantityText(sums.get(name) ?? 0n, hard[name]);
  const status: JsonObject = { hard, used };
  if (sameJson(quota['status'], status)) return;
  const answer = yield* host.client.updateStatus(withFields(quota, { status }));
  return retryUnlessGone(answer);
}

/** Adds what objects of a kind use of what the quota limits. */
function addUsage(
  sums: Map<string, Nano>,
  quota: KubeObject,
  { group, resource }: ReturnType<typeof kindsOf>[number],
  objects: readonly KubeObject[],
): void {
  const hard = asObject(dig(quota, 'spec', 'hard'));
  for (const object of objects) {
    if (!inScope(quota, resource, object)) continue;
    for (const [name, amount] of usageOf({ group, plural: resource }, object))
      if (hard[name] !== undefined) sums.set(name, (sums.get(name) ?? 0n) + amount);
  }
}

const NOT_SYNCED_MILLISECONDS = 10;

/** Source: pkg/controller/resourcequota/config/v1alpha1/defaults.go (ResourceQuotaSyncPeriod). */
const RESYNC_MILLISECONDS = 300_000;
