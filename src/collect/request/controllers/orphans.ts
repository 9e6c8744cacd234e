import { asNumber, asTextMap, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, controllerOf, formatRef, labelsOf, refOf, shows } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import type { Vocabulary } from '../../survey/vocabulary.ts';
import type { AnswerBlock } from '../answers/answer-blocks.ts';
import { answersOf } from '../answers/answers.ts';
import { kindOf } from '../kind-of.ts';

/** Set on every ReplicaSet that a Deployment makes. Source: pkg/controller/deployment/util/deployment_util.go (RevisionAnnotation). */
const REVISION = 'deployment.kubernetes.io/revision';

/** `orphan` facts where the name of a Deployment was used again: what its namesake left behind, or an apply that met its namesake's end. */
export async function collectOrphans(scene: Scene, sink: FactSink): Promise<void> {
  const left = scene.workloads.filter(isLeft);
  for (const deployment of left.length === 0 ? [] : scene.workloads.filter(({ kind }) => kind === 'Deployment')) {
    for (const replicaSet of left) if (isLeftBy(deployment, replicaSet)) orphanFact(deployment, replicaSet, sink);
  }
  await dyingNamesakes(scene, sink);
}

/** A ReplicaSet that a Deployment made, that nobody owns, and that wants pods. */
function isLeft(workload: KubeObject): boolean {
  if (workload.kind !== 'ReplicaSet' || !shows(workload, 'metadata.ownerReferences') || controllerOf(workload) !== undefined) return false;
  return (
    labelsOf(workload)['pod-template-hash'] !== undefined &&
    annotationsOf(workload)[REVISION] !== undefined &&
    (asNumber(dig(workload, 'spec', 'replicas')) ?? 0) > 0
  );
}

function isLeftBy(deployment: KubeObject, replicaSet: KubeObject): boolean {
  const hash = labelsOf(replicaSet)['pod-template-hash'] ?? '';
  return (
    replicaSet.metadata.namespace === deployment.metadata.namespace && replicaSet.metadata.name === `${deployment.metadata.name}-${hash}`
  );
}

function orphanFact(deployment: KubeObject, replicaSet: KubeObject, sink: FactSink): void {
  const [ref, left] = [refOf(deployment), refOf(replicaSet)];
  const labels = labelsOf(replicaSet);
  const wanted = asTextMap(dig(deployment, 'spec', 'selector', 'matchLabels'));
  const differing = Object.entries(wanted).filter(([key, value]) => labels[key] !== value);
  const why =
    differing.length === 0
      ? 'it has no owner'
      : `the selector requires ${differing.map(([key, value]) => `${key}=${value}`).join(',')}, the ReplicaSet has ${differing.map(([key]) => `${key}=${labels[key] ?? '<none>'}`).join(',')}`;
  const pods = asNumber(dig(replicaSet, 'status', 'replicas'));
  sink.fact(
    'orphan',
    ref,
    { replicaSet: left.name, pods, why },
    {
      source: formatRef(left),
      quote: `no owner, revision ${annotationsOf(replicaSet)[REVISION] ?? '?'}, pods: ${String(pods ?? '?')}; ${why}`,
    },
  );
}

/**
 * A Deployment that was made while the one of its name was on its way out: kubectl warns when it patches such an object, which goes all
 * the same; the API server refuses to create one.
 * Sources: kubectl/pkg/cmd/apply/apply.go (warningChangesOnDeletingResource), apiserver/pkg/registry/generic/registry/store.go (Create).
 */
async function dyingNamesakes(scene: Scene, sink: FactSink): Promise<void> {
  for (const { blocks, command, line, at } of await answersOf(scene)) {
    for (const block of blocks) {
      if (block.kind === 'done') continue;
      const name = metInDying(block.text, blocks, scene.survey.vocabulary);
      if (name === undefined) continue;
      const ref = { kind: 'Deployment', namespace: command.namespace ?? scene.namespaces[0] ?? 'default', name };
      const read = await scene.survey.get(ref);
      if (read.ok && dig(read.value, 'metadata', 'deletionTimestamp') === undefined) continue;
      sink.fact(
        'orphan',
        ref,
        { why: 'it was created while the Deployment of the same name was still being deleted' },
        { source: `$ ${line}`, quote: block.text, at },
      );
      if (!read.ok)
        sink.target({ ref, state: 'unhealthy', reason: 'deleted together with the old Deployment of the same name', members: [] });
    }
  }
}

function metInDying(text: string, blocks: readonly AnswerBlock[], vocabulary: Vocabulary): string | undefined {
  const patched = vocabulary.phrase('updated-while-deleted', text)?.captured.name;
  const done = blocks.find((other) => other.kind === 'done' && other.name === patched);
  if (done?.kind === 'done' && kindOf(done.resource) === 'Deployment') return patched;
  const { reason, resource = '', value } = vocabulary.read('refusal', text, 'answer')?.fields ?? {};
  return reason === 'name-being-deleted' && kindOf(resource) === 'Deployment' ? value : undefined;
}
