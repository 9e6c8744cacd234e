import type { Json, JsonObject } from '../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../base/json.ts';
import { sameJson, withPath } from '../base/json-edit.ts';
import { append } from '../base/lists.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import type { ScenarioStep } from '../model/scenario.ts';
import { applyJsonPatch } from '../base/json-patch.ts';
import { applyMergePatch } from '../base/merge-patch.ts';
import type { Resources } from '../simulator/index.ts';
import { applyStrategicMerge } from '../simulator/index.ts';

/** Something that makes an alert go away without mending what was wrong. */
export interface Shortcut {
  readonly about: ObjectRef;
  readonly how: 'removed' | 'scaled-down' | 'probe-removed' | 'limit-removed' | 'policy-weakened' | 'only-restarted' | 'unchecked';
  /** A sentence for the trainee. */
  readonly says: string;
}

/**
 * What was taken away since the start that the drill's own cure leaves in place: a workload or a policy deleted, replicas taken
 * down, a probe or a memory limit removed, a webhook or policy told to look away.
 */
export function shortcutsBetween(
  before: ReadonlyMap<string, KubeObject>,
  after: ReadonlyMap<string, KubeObject>,
  cure: readonly ScenarioStep[],
  resources: Resources,
): readonly Shortcut[] {
  const allowed = new Set(cure.flatMap((step) => (step.do === 'delete' ? step.objects.map(formatRef) : [])));
  const curedTo = curedObjects(before, cure, resources);
  const shortcuts: Shortcut[] = [];
  for (const [key, old] of before) {
    const now = after.get(key);
    const about = refOf(old);
    if (now === undefined) {
      if (REMOVAL_COUNTS.includes(old.kind) && !allowed.has(key))
        shortcuts.push({ about, how: 'removed', says: `${old.kind} ${old.metadata.name} was deleted: nothing does its work now.` });
      continue;
    }
    if (now === old) continue;
    append(shortcuts, weakened(old, now, curedTo.get(key)));
  }
  return shortcuts;
}

/** What the drill's own cure makes of each object, by `formatRef`. */
function curedObjects(
  before: ReadonlyMap<string, KubeObject>,
  cure: readonly ScenarioStep[],
  resources: Resources,
): ReadonlyMap<string, JsonObject> {
  const cured = new Map<string, JsonObject>();
  for (const step of cure) {
    if (step.do === 'apply') for (const document of step.documents) cured.set(documentKey(document, step.namespace), document);
    if (step.do !== 'patch') continue;
    const key = formatRef(step.object);
    const old: JsonObject | undefined = cured.get(key) ?? before.get(key);
    if (old !== undefined) cured.set(key, patched(old, step.body, resources.named(step.object.kind)?.model));
  }
  return cured;
}

function patched(old: JsonObject, body: Json, model: string | undefined): JsonObject {
  if (Array.isArray(body)) {
    const answer = applyJsonPatch(old, body as readonly Json[]);
    return answer.ok && isJsonObject(answer.value) ? answer.value : old;
  }
  const merged = model === undefined ? applyMergePatch(old, body) : applyStrategicMerge(model, old, asObject(body));
  return isJsonObject(merged) ? merged : old;
}

/**
 * Whether all that was written were restarts: pods deleted or evicted, roll-outs restarted. What controllers keep about an object does not
 * count.
 */
export function onlyRestarted(
  writes: readonly AuditEntry[],
  before: ReadonlyMap<string, KubeObject>,
  after: ReadonlyMap<string, KubeObject>,
): boolean {
  if (writes.length === 0 || !writes.every(mayBeRestart)) return false;
  return [...before].every(([key, old]) => !RESTARTABLE.includes(old.kind) || sameJson(unrestarted(old), unrestarted(after.get(key))));
}

const RESTARTABLE: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

function mayBeRestart({ resource, verb, subresource }: AuditEntry): boolean {
  if (resource === 'pods') return verb === 'delete' || verb === 'deletecollection' || subresource === 'eviction';
  return (
    subresource === undefined && (verb === 'patch' || verb === 'update') && ['deployments', 'statefulsets', 'daemonsets'].includes(resource)
  );
}

/** What a workload wants, apart from the annotation by which `kubectl rollout restart` makes its pods anew. */
function unrestarted(object: JsonObject | undefined): Json | undefined {
  const spec = dig(object, 'spec');
  const annotations = dig(spec, 'template', 'metadata', 'annotations');
  if (!isJsonObject(spec) || !isJsonObject(annotations)) return spec;
  const { 'kubectl.kubernetes.io/restartedAt': _restarted, ...others } = annotations;
  return withPath(spec, ['template', 'metadata', 'annotations'], Object.keys(others).length === 0 ? undefined : others);
}

/** Kinds whose disappearance is no cure: what runs, what leads to it, and what protects it. */
const REMOVAL_COUNTS: readonly string[] = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
  'CronJob',
  'Service',
  'Ingress',
  'HTTPRoute',
  'Gateway',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'PersistentVolumeClaim',
  'Namespace',
  'Node',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
];

function weakened(old: KubeObject, now: KubeObject, cured: JsonObject | undefined): readonly Shortcut[] {
  const about = refOf(old);
  const found: Shortcut[] = [];
  const [had, has, wanted] = [replicasOf(old), replicasOf(now), replicasOf(cured)];
  if (had !== undefined && has !== undefined && has < Math.min(had, wanted ?? had))
    found.push({ about, how: 'scaled-down', says: `${old.kind} ${old.metadata.name} was scaled down from ${had} to ${has}.` });
  append(found, containersWeakened(old, now, cured));
  if (isPolicy(old) && weakensPolicy(old, now, cured))
    found.push({ about, how: 'policy-weakened', says: `${old.kind} ${old.metadata.name} now allows what it cannot check.` });
  return found;
}

function replicasOf(object: JsonObject | undefined): number | undefined {
  return asNumber(dig(object, 'spec', 'replicas'));
}

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

function containersWeakened(old: KubeObject, now: KubeObject, cured: JsonObject | undefined): readonly Shortcut[] {
  const found: Shortcut[] = [];
  const [nowContainers, curedContainers] = [containersOf(now), containersOf(cured)];
  for (const [name, container] of containersOf(old)) {
    const [today, intended] = [nowContainers.get(name), curedContainers.get(name)];
    if (today === undefined) continue;
    for (const probe of PROBES) {
      const meantToGo = intended !== undefined && intended[probe] === undefined;
      if (container[probe] !== undefined && today[probe] === undefined && !meantToGo) {
        found.push({
          about: refOf(old),
          how: 'probe-removed',
          says: `The ${probe} of container ${name} was removed: failures are no longer detected.`,
        });
      }
    }
    const limit = dig(container, 'resources', 'limits', 'memory');
    const meantToGo = intended !== undefined && dig(intended, 'resources', 'limits', 'memory') === undefined;
    if (limit !== undefined && dig(today, 'resources', 'limits', 'memory') === undefined && !meantToGo) {
      found.push({
        about: refOf(old),
        how: 'limit-removed',
        says: `The memory limit of container ${name} was removed: it can now use all memory of the node.`,
      });
    }
  }
  return found;
}

function containersOf(object: JsonObject | undefined): ReadonlyMap<string, JsonObject> {
  const template =
    dig(object, 'spec', 'template', 'spec', 'containers') ?? dig(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers');
  const containers = asList(template).filter((container): container is JsonObject => isJsonObject(container));
  return new Map(containers.map((container) => [asText(container['name']) ?? '', container]));
}

function isPolicy({ kind }: KubeObject): boolean {
  return kind.endsWith('WebhookConfiguration') || kind.endsWith('AdmissionPolicy') || kind.endsWith('AdmissionPolicyBinding');
}

/** `failurePolicy: Ignore` where it was Fail, or fewer rules and webhooks than before. */
function weakensPolicy(old: KubeObject, now: KubeObject, cured: JsonObject | undefined): boolean {
  const strict = (object: JsonObject | undefined): number => failurePolicies(object).filter((policy) => policy !== 'Ignore').length;
  return strict(now) < Math.min(strict(old), cured === undefined ? Number.POSITIVE_INFINITY : strict(cured));
}

function failurePolicies(object: JsonObject | undefined): readonly string[] {
  const hooks: readonly Json[] = asList(dig(object, 'webhooks'));
  return hooks.length > 0
    ? hooks.map((hook) => asText(dig(hook, 'failurePolicy')) ?? 'Fail')
    : [asText(dig(object, 'spec', 'failurePolicy')) ?? 'Fail'];
}

function documentKey(document: JsonObject, namespace: string | undefined): string {
  const place = asText(dig(document, 'metadata', 'namespace')) ?? namespace;
  return formatRef({
    kind: asText(document['kind']) ?? '',
    ...(place === undefined ? {} : { namespace: place }),
    name: asText(dig(document, 'metadata', 'name')) ?? '',
  });
}
