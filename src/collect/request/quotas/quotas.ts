import type { Json } from '../../../base/json.ts';
import { asList, asObject, asText, asWritten, dig } from '../../../base/json.ts';
import { bigintOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { refOf, sameObject, shows } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { templateOf } from '../../objects/workloads.ts';
import { concerns } from '../concerns.ts';
import { absenceOf, manifestsOf } from '../answers/manifests.ts';
import type { Amounts } from './quota-math.ts';
import { formatAmount, objectAmounts, podAmounts, resourcesOf, shortResource } from './quota-math.ts';
import { knownRefusals } from '../refusals/known-refusals.ts';
import { refusalFact } from '../refusals/refusal-fact.ts';
import type { RefusalWords } from '../refusals/read-refusals.ts';
import { missingPods, workloadsShortOfPods } from './shortage.ts';

/** Something that should be made and is not there: a pod of a workload, or an object that a manifest declares. */
interface Wanted {
  readonly ref: ObjectRef;
  readonly amounts: Amounts;
  /** How many of it are missing. */
  readonly missing: number;
  /** The spec of the pod, when it is one. */
  readonly podSpec: Json | undefined;
  /** What is wanted, and how it is known that it is missing. */
  readonly because: string;
}

/**
 * Quota arithmetic for everything that should exist and does not: a `quota` fact for each resource of each ResourceQuota that what is
 * missing would take from, and a `refusal` derived from it where it does not fit. Works without the event that would say so.
 */
export async function collectQuotas(scene: Scene, sink: FactSink): Promise<void> {
  const wanted = [...podsWanted(scene), ...(await objectsWanted(scene, sink))];
  const known = knownRefusals(sink);
  const namespaces = new Set(wanted.flatMap(({ ref }) => ref.namespace ?? []));
  for (const namespace of namespaces) {
    const here = wanted.filter(({ ref }) => ref.namespace === namespace);
    const list = await scene.survey.list('ResourceQuota', { namespace });
    if (!list.ok) for (const { ref } of here) sink.gap('refusal', ref, list);
    for (const quota of list.ok ? list.value : [])
      for (const one of here) await judge(quota, { ...one, known: (reason) => known(one.ref, reason, quota.metadata.name) }, scene, sink);
  }
}

function podsWanted(scene: Scene): readonly Wanted[] {
  return workloadsShortOfPods(scene).map((workload) => {
    const podSpec = dig(templateOf(workload), 'spec');
    const resourcesShown = shows(workload, 'spec.template.spec.containers.resources') && podSpec !== undefined;
    const amounts = podAmounts(podSpec);
    return {
      ref: refOf(workload),
      amounts: resourcesShown || amounts.size > 2 ? amounts : podAmounts(undefined),
      missing: missingPods(workload, scene) ?? 1,
      podSpec: resourcesShown ? podSpec : undefined,
      because: 'it has fewer pods than it wants',
    };
  });
}

async function objectsWanted(scene: Scene, sink: FactSink): Promise<readonly Wanted[]> {
  const wanted: Wanted[] = [];
  for (const { ref, object, file } of await manifestsOf(scene)) {
    if (!concerns(scene, ref) || wanted.some((known) => sameObject(known.ref, ref))) continue;
    const absence = await absenceOf(ref, scene, sink);
    if (typeof absence !== 'object') continue;
    const amounts = ref.kind === 'Pod' ? podAmounts(dig(object, 'spec')) : objectAmounts(object);
    wanted.push({ ref, amounts, missing: 1, podSpec: undefined, because: `${file} declares it, and ${absence.proof}` });
  }
  return wanted;
}

interface Judged extends Wanted {
  /** The API server was heard to refuse it by this quota. */
  readonly known: (reason: string) => boolean;
}

async function judge(quota: KubeObject, wanted: Judged, scene: Scene, sink: FactSink): Promise<void> {
  if (isScoped(quota)) return;
  const [hard, used] = [asObject(dig(quota, 'status', 'hard') ?? dig(quota, 'spec', 'hard')), asObject(dig(quota, 'status', 'used'))];
  const ref = refOf(quota);
  const over: string[] = [];
  for (const [constraint, most] of Object.entries(hard)) {
    const [limit, now, more] = [parseQuantity(most), parseQuantity(used[constraint]), wanted.amounts.get(constraint)];
    if (limit === undefined || now === undefined || more === undefined) continue;
    const exceeded = now + more > limit;
    const requested = formatAmount(constraint, more);
    const numbers = {
      constraint,
      hard: asWritten(most),
      used: asWritten(used[constraint]),
      requested,
      needed: formatAmount(constraint, now + more * bigintOf(wanted.missing)),
    };
    sink.fact(
      'quota',
      ref,
      {
        quota: ref.name,
        resource: shortResource(constraint),
        ...numbers,
        exceeded,
        refused: `${wanted.ref.kind}/${wanted.ref.name}`,
        refusedName: wanted.ref.name,
      },
      {
        source: `ResourceQuota ${quota.metadata.namespace ?? ''}/${ref.name}`,
        quote: `${constraint}: used ${numbers.used ?? '?'} of ${numbers.hard ?? '?'}; ${wanted.ref.kind}/${wanted.ref.name} requests ${requested}`,
      },
    );
    if (exceeded) over.push(constraint);
  }
  const unsaid = await unspecified(quota, Object.keys(hard), wanted, scene);
  if (over.length > 0) await derive(quota, wanted, { reason: 'quota-exceeded', detail: `exceeded: ${over.join(', ')}` }, scene, sink);
  else if (unsaid.length > 0) await derive(quota, wanted, { reason: 'quota-requires-resources', wanted: unsaid.join(', ') }, scene, sink);
}

async function derive(
  quota: KubeObject,
  { ref, because, known }: Judged,
  words: Pick<RefusalWords, 'reason'> & Partial<Pick<RefusalWords, 'detail' | 'wanted'>>,
  scene: Scene,
  sink: FactSink,
): Promise<void> {
  const { name, namespace = '' } = quota.metadata;
  const quote = `${ref.kind}/${ref.name} violates quota ${name}: ${words.detail ?? `must specify ${words.wanted ?? ''}`} (${because})`;
  if (known(words.reason)) return;
  await refusalFact({
    words: { ...words, by: name },
    about: ref,
    via: 'derived',
    message: quote,
    blocking: true,
    exists: false,
    scene,
    sink,
    proof: { source: `ResourceQuota ${namespace}/${name}`, quote },
  });
  if (ref.kind !== 'Pod' && scene.workload(ref) === undefined) {
    sink.target({ ref, state: 'unhealthy', reason: 'it does not exist', members: [] });
  }
}

/** Quotas with scopes count only some pods: which, the words of a refusal tell better than arithmetic. */
function isScoped(quota: KubeObject): boolean {
  return asList(dig(quota, 'spec', 'scopes')).length > 0 || dig(quota, 'spec', 'scopeSelector') !== undefined;
}

const COMPUTE: ReadonlySet<string> = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

/**
 * Resources that a quota counts and a container does not name; a LimitRange in the namespace may fill them in, so there must be none.
 * Source: pkg/quota/v1/evaluator/core/pods.go (Constraints).
 */
async function unspecified(
  quota: KubeObject,
  constraints: readonly string[],
  { podSpec }: Wanted,
  scene: Scene,
): Promise<readonly string[]> {
  const counted = constraints.filter((constraint) => COMPUTE.has(constraint));
  if (podSpec === undefined || counted.length === 0) return [];
  const containers = [...asList(dig(podSpec, 'containers')), ...asList(dig(podSpec, 'initContainers'))];
  const missing = counted.filter((constraint) => {
    const side = constraint.startsWith('limits.') ? 'limits' : 'requests';
    return containers.some((container) => !resourcesOf(container, side).has(shortResource(constraint)));
  });
  if (missing.length === 0) return [];
  const ranges = await scene.survey.list('LimitRange', { namespace: quota.metadata.namespace ?? '' });
  if (!ranges.ok || ranges.partial !== undefined || ranges.value.length > 0) return [];
  return missing.map((constraint) => `${constraint} for ${containers.map((container) => asText(dig(container, 'name')) ?? '').join(', ')}`);
}
