import { formatDuration } from '../../../base/duration.ts';
import { parseInstant } from '../../../base/instant.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, objectKey, refOf } from '../../../model/kube-object.ts';
import { resourceNamed, RESOURCES } from '../../../model/resources.ts';
import { conditionFacts } from '../../objects/conditions.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { conditionOf, conditionStatus } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';
import type { Vocabulary } from '../../survey/vocabulary.ts';
import { answersOf } from '../answers/answers.ts';
import { concerns } from '../concerns.ts';

/** The work behind a finalizer of Kubernetes itself is done within this time, where it can be done at all. */
const USUAL_SECONDS = 60;
/**
 * Finalizers that only order the deletion of what belongs together. Source: pkg/apis/batch/types.go, apimachinery/pkg/apis/meta/v1/types.go
 * (FinalizerDeleteDependents).
 */
const PATIENT: ReadonlySet<string> = new Set(['batch.kubernetes.io/job-tracking', 'foregroundDeletion', 'orphan']);

/** `deletion` facts for objects that cannot go because of their finalizers, in the scene and in namespaces that are being deleted. */
export async function collectDeletions(scene: Scene, sink: FactSink): Promise<void> {
  const asked = await deletedByHand(scene);
  for (const object of asked) deletionFact(object, { asked: true }, scene, sink);
  const known = new Set(asked.map((object) => objectKey(object)));
  for (const object of [...scene.workloads, ...scene.judged, ...scene.others])
    if (!known.has(objectKey(object))) deletionFact(object, {}, scene, sink);
  for (const namespace of await terminatingNamespaces(scene, sink)) await namespaceContent(namespace, scene, sink);
}

/** Objects that a person in this session has deleted and that are there all the same. */
async function deletedByHand(scene: Scene): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for (const { blocks, command } of await answersOf(scene)) {
    for (const block of blocks) {
      const { resource, name } = deletedIn(block, scene.survey.vocabulary) ?? {};
      const known = resourceNamed(resource ?? '');
      if (known === undefined || name === undefined || known.kind === 'Namespace') continue;
      const namespace = command.namespace ?? scene.namespaces[0] ?? 'default';
      const ref = { kind: known.kind, ...(known.namespaced ? { namespace } : {}), name };
      const read = concerns(scene, ref) ? await scene.survey.get(ref) : undefined;
      if (read?.ok === true) found.push(read.value);
    }
  }
  return found;
}

/** What a command has deleted, or waited for in vain. */
function deletedIn(
  block: Awaited<ReturnType<typeof answersOf>>[number]['blocks'][number],
  vocabulary: Vocabulary,
): { readonly resource?: string | undefined; readonly name?: string | undefined } | undefined {
  if (block.kind === 'failed') return vocabulary.phrase('deletion-timeout', block.text)?.captured;
  return block.kind === 'done' && block.how === 'deleted' ? block : undefined;
}

/** `holds`: the namespace that waits for it. `asked`: a person deleted it and looked again. */
function deletionFact(
  object: KubeObject,
  { holds, asked = false }: { readonly holds?: string; readonly asked?: boolean },
  scene: Scene,
  sink: FactSink,
): boolean {
  const since = parseInstant(dig(object, 'metadata', 'deletionTimestamp'));
  const finalizers = asList(dig(object, 'metadata', 'finalizers')).filter((name) => typeof name === 'string');
  const own = finalizers.filter((name) => !PATIENT.has(name));
  if (since === undefined || own.length === 0) return false;
  const ref = refOf(object);
  const seconds = Math.max(0, Math.round((scene.survey.now() - since) / 1000));
  sink.fact(
    'deletion',
    ref,
    {
      finalizers: own.join(', '),
      sinceSeconds: seconds === 0 ? undefined : seconds,
      holds,
      stuck: holds !== undefined || asked || seconds >= USUAL_SECONDS,
    },
    { source: `${formatRef(ref)} metadata`, quote: `Terminating for ${formatDuration(seconds)}, finalizers: ${own.join(', ')}`, at: since },
  );
  if (holds !== undefined || asked) sink.target({ ref, state: 'unhealthy', reason: 'it cannot be deleted', members: [] });
  return true;
}

/**
 * Namespaces that are being deleted: those a refusal names, the one that is looked at, or in a scan of all of them each that is not Active.
 */
async function terminatingNamespaces(scene: Scene, sink: FactSink): Promise<readonly KubeObject[]> {
  const { target, namespace } = scene.request;
  const named = sink.facts.flatMap(({ kind, fields }) =>
    kind === 'refusal' && fields['reason'] === 'namespace-terminating' ? String(fields['by']) : [],
  );
  const names = new Set([
    ...named,
    ...(target === undefined ? scene.namespaces : []),
    ...(target?.kind === 'Namespace' ? [target.name] : []),
  ]);
  const list = target === undefined && namespace === undefined ? await scene.survey.list('Namespace', {}) : undefined;
  const listed = list?.ok === true ? list.value : [];
  const found = new Map(listed.map((one) => [one.metadata.name, one]));
  for (const name of names) {
    if (found.has(name) || (list?.ok === true && list.partial === undefined)) continue;
    const read = await scene.survey.get({ kind: 'Namespace', name });
    if (read.ok) found.set(name, read.value);
  }
  return [...found.values()].filter(
    (one) => dig(one, 'metadata', 'deletionTimestamp') !== undefined || dig(one, 'status', 'phase') === 'Terminating',
  );
}

/** What is left in a namespace, as its conditions say: the objects with finalizers if they can be read, else the namespace itself. */
async function namespaceContent(namespace: KubeObject, scene: Scene, sink: FactSink): Promise<void> {
  const { name } = namespace.metadata;
  conditionFacts(namespace, scene, sink);
  const said = conditionOf(namespace, 'NamespaceFinalizersRemaining');
  const ref = refOf(namespace);
  if (FAILURES.some((type) => conditionStatus(namespace, type) === 'True'))
    sink.target({ ref, state: 'unhealthy', reason: 'Terminating', members: [] });
  let found = false;
  for (const kind of kindsIn(asText(dig(conditionOf(namespace, 'NamespaceContentRemaining'), 'message')) ?? '', scene.survey.vocabulary)) {
    for (const object of await scene.survey.seen(kind, { namespace: name }))
      if (object.metadata.namespace === name) found = deletionFact(object, { holds: name }, scene, sink) || found;
  }
  if (found || dig(said, 'status') !== 'True') return;
  const message = asText(dig(said, 'message')) ?? '';
  const finalizers = scene.survey.vocabulary.phrase('finalizers-remaining', message)?.captured.finalizers ?? 'unknown';
  sink.fact(
    'deletion',
    ref,
    { finalizers, holds: name, stuck: true },
    { source: `${formatRef(ref)} condition NamespaceFinalizersRemaining`, quote: message },
  );
  sink.target({ ref, state: 'unhealthy', reason: 'it cannot be deleted', members: [] });
}

/** Source: pkg/controller/namespace/deletion/status_condition_utils.go. */
const FAILURES = ['NamespaceDeletionDiscoveryFailure', 'NamespaceDeletionGroupVersionParsingFailure', 'NamespaceDeletionContentFailure'];

/**
 * `Some resources are remaining: configmaps. has 1 resource instances, widgets.example.com has 2 …` → the kinds podcheck knows. Source:
 * pkg/controller/namespace/deletion/status_condition_utils.go.
 */
function kindsIn(message: string, vocabulary: Vocabulary): readonly string[] {
  const kinds: string[] = [];
  let found = vocabulary.phrase('remaining-kind', message);
  while (found !== undefined && kinds.length < RESOURCES.length) {
    const known = resourceNamed(found.captured.resource?.split('.')[0] ?? '');
    if (known !== undefined) kinds.push(known.kind);
    found = vocabulary.phrase('remaining-kind', message, found.end);
  }
  return kinds.length > 0
    ? [...new Set(kinds)]
    : message === ''
      ? RESOURCES.filter(({ kind }) => kind === 'ConfigMap' || kind === 'PersistentVolumeClaim').map(({ kind }) => kind)
      : [];
}
