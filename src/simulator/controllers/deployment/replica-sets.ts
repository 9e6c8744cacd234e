import { fnv32a } from '../../../base/digest.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asNumber, asObject, dig } from '../../../base/json.ts';
import { canonicalJson, sameJson, withFields } from '../../../base/json-edit.ts';
import { parseBigint, parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { NewObject } from '../../components/client.ts';
import { controllerReference } from '../ownership.ts';
import { createdAt } from '../pod-state.ts';
import { maxSurge, replicasOf } from './arithmetic.ts';
import { safeEncoded } from '../../../base/template-hash.ts';
import { onceEach } from '../../../base/once.ts';
import { LAST_APPLIED } from '../../apiserver/patches/last-applied.ts';

/**
 * A Deployment's ReplicaSets: which is the new one, what they are called, what is written on them. Source:
 * pkg/controller/deployment/util/deployment_util.go.
 */
const HASH_LABEL = 'pod-template-hash';
export const REVISION = 'deployment.kubernetes.io/revision';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';
const HISTORY = 'deployment.kubernetes.io/revision-history';

/** The oldest set with the Deployment's template, whatever its hash. */
export function findNew(deployment: KubeObject, sets: readonly KubeObject[]): KubeObject | undefined {
  const wanted = templateKey(asObject(dig(deployment, 'spec', 'template')));
  return byAge(sets).find((set) => templateKey(asObject(dig(set, 'spec', 'template'))) === wanted);
}

export function hasTemplateOf(set: KubeObject, deployment: KubeObject): boolean {
  return templateKey(asObject(dig(set, 'spec', 'template'))) === templateKey(asObject(dig(deployment, 'spec', 'template')));
}

export function byAge(sets: readonly KubeObject[]): readonly KubeObject[] {
  return [...sets].sort((a, b) => createdAt(a) - createdAt(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** A number of 64 bits. Source: pkg/controller/deployment/util/deployment_util.go (Revision). */
export function revisionOf(object: KubeObject): bigint {
  return parseBigint(annotationsOf(object)[REVISION] ?? '') ?? 0n;
}

export function compareRevisions(a: KubeObject, b: KubeObject): number {
  const [one, other] = [revisionOf(a), revisionOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

export function lastRevision(sets: readonly KubeObject[]): bigint {
  let last = 0n;
  for (const set of sets) if (revisionOf(set) > last) last = revisionOf(set);
  return last;
}

/** The set of a new template, at its first size. The hash makes its name; a collision changes the hash. */
export function newReplicaSet(deployment: KubeObject, revision: bigint, replicas: number): NewObject {
  const template = asObject(dig(deployment, 'spec', 'template'));
  const hash = templateHash(template, asNumber(dig(deployment, 'status', 'collisionCount')));
  const metadata = asObject(template['metadata']);
  const labels = { ...asObject(metadata['labels']), [HASH_LABEL]: hash };
  const selector = asObject(dig(deployment, 'spec', 'selector'));
  const minReady = asNumber(dig(deployment, 'spec', 'minReadySeconds')) ?? 0;
  const { name, namespace } = deployment.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      annotations: { ...copiedAnnotations(deployment), ...sizeAnnotations(deployment), [REVISION]: String(revision) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReady === 0 ? {} : { minReadySeconds: minReady }),
      selector: withFields(selector, { matchLabels: { ...asObject(selector['matchLabels']), [HASH_LABEL]: hash } }),
      template: withFields(template, { metadata: withFields(metadata, { labels }) }),
    },
  };
}

/** The set as it should be marked now that it is the new one. */
export function markedNew(deployment: KubeObject, set: KubeObject, revision: bigint): KubeObject {
  const annotations = annotationsOf(set);
  const old = revisionOf(set);
  const history =
    old !== 0n && old < revision
      ? { [HISTORY]: [...(annotations[HISTORY] ?? '').split(',').filter((entry) => entry !== ''), String(old)].join(',') }
      : {};
  const next = {
    ...annotations,
    ...copiedAnnotations(deployment),
    ...(old < revision ? { [REVISION]: String(revision), ...history } : {}),
  };
  const minReady = asNumber(dig(deployment, 'spec', 'minReadySeconds')) ?? 0;
  const spec = asObject(set['spec']);
  const changedSpec = (asNumber(spec['minReadySeconds']) ?? 0) === minReady ? spec : withFields(spec, { minReadySeconds: minReady });
  if (sameJson(next, annotations) && changedSpec === spec) return set;
  return withFields(set, { metadata: withFields(set.metadata, { annotations: next }), spec: changedSpec });
}

/** The set at another size, with the Deployment's sizes written on it; the very same when nothing changes. */
export function resized(deployment: KubeObject, set: KubeObject, replicas: number): KubeObject {
  const annotations = annotationsOf(set);
  const next = { ...annotations, ...sizeAnnotations(deployment) };
  const size = replicasOf(set) === replicas ? set : withFields(set, { spec: withFields(asObject(set['spec']), { replicas }) });
  return sameJson(next, annotations) ? size : withFields(size, { metadata: withFields(size.metadata, { annotations: next }) });
}

/** The size the Deployment had when the set was last looked at; undefined when nobody has. */
export function desiredOn(set: KubeObject): number | undefined {
  return parseInteger(annotationsOf(set)[DESIRED]);
}

export function templateHash(template: JsonObject, collisions: number | undefined): string {
  const hash = fnv32a(canonicalJson(template) + (collisions === undefined ? '' : String(collisions)));
  return safeEncoded(String(hash));
}

/** Without vowels, so that no words come out. Source: apimachinery/pkg/util/rand (SafeEncodeString). */

const templateKey = onceEach((object: JsonObject): string => {
  const metadata = asObject(object['metadata']);
  const labels = withFields(asObject(metadata['labels']), { [HASH_LABEL]: undefined });
  return canonicalJson(withFields(object, { metadata: withFields(metadata, { labels, creationTimestamp: undefined }) }));
});

function sizeAnnotations(deployment: KubeObject): Readonly<Record<string, string>> {
  return { [DESIRED]: String(replicasOf(deployment)), [MAX]: String(replicasOf(deployment) + maxSurge(deployment)) };
}

function copiedAnnotations(deployment: KubeObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotationsOf(deployment)).filter(([name]) => !NOT_COPIED.has(name)));
}

const NOT_COPIED: ReadonlySet<string> = new Set([LAST_APPLIED, REVISION, HISTORY, DESIRED, MAX, 'deprecated.deployment.rollback.to']);
