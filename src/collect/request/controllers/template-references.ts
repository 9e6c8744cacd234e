import { nearest } from '../../../base/text.ts';
import { asText, dig } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { formatRef, inNamespace, refOf } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { templateOf } from '../../objects/workloads.ts';
import { knownRefusals } from '../refusals/known-refusals.ts';
import { refusalFact } from '../refusals/refusal-fact.ts';
import { workloadsShortOfPods } from '../quotas/shortage.ts';

const NAMED = [
  ['serviceAccountName', 'ServiceAccount', 'serviceAccount', 'service-account-not-found'],
  ['priorityClassName', 'PriorityClass', 'priorityClass', 'priority-class-not-found'],
  ['runtimeClassName', 'RuntimeClass', 'runtimeClass', 'runtime-class-not-found'],
] as const;

/** Classes that the API server makes itself. Source: pkg/apis/scheduling/types.go (SystemPriorityClassPrefix). */
const BUILT_IN: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical']);

/**
 * What a template names that pods need before they can be made, for workloads that lack pods: `reference` facts, and a `refusal` for each
 * that is missing.
 */
export async function collectTemplateReferences(scene: Scene, sink: FactSink): Promise<void> {
  const known = knownRefusals(sink);
  for (const workload of workloadsShortOfPods(scene)) {
    for (const one of NAMED) {
      const name = asText(dig(templateOf(workload), 'spec', one[0]));
      if (name !== undefined && name !== '' && !BUILT_IN.has(name))
        await resolve({ workload, name, one, known: known(refOf(workload), one[3], name) }, scene, sink);
    }
  }
}

interface Named {
  readonly workload: KubeObject;
  readonly name: string;
  readonly one: (typeof NAMED)[number];
  /** The API server was heard to refuse the pods for lack of it. */
  readonly known: boolean;
}

async function resolve({ workload, name, one: [, refKind, via, reason], known }: Named, scene: Scene, sink: FactSink): Promise<void> {
  const { namespace } = workload.metadata;
  const about = refOf(workload);
  const named: ObjectRef =
    refKind === 'ServiceAccount' && namespace !== undefined ? { kind: refKind, namespace, name } : { kind: refKind, name };
  // Many workloads name accounts of few namespaces: a scan lists them once, and reads that follow are answered from the list.
  if (scene.request.target === undefined) await scene.survey.list(refKind, inNamespace(named.namespace));
  const read = await scene.survey.get(named);
  const source = `${formatRef(about)} template`;
  if (!read.ok && read.why !== 'absent') {
    sink.gap('refusal', about, read);
    sink.gap('reference', about, read);
    return;
  }
  const similar = read.ok ? undefined : await similarTo(named, scene);
  sink.fact(
    'reference',
    about,
    { refKind, refName: name, via, optional: false, exists: read.ok, similar },
    { source, quote: `${via}: ${name}${read.ok ? '' : ` (${read.detail})`}` },
  );
  if (read.ok || known) return;
  await refusalFact({
    words: { reason, by: name },
    about,
    via: 'derived',
    message: read.detail,
    blocking: true,
    scene,
    sink,
    similar,
    proof: { source, quote: `${via}: ${name} (${read.detail})` },
  });
}

/** The nearest name that exists where the missing one was looked for. */
export async function similarTo({ kind, namespace, name }: ObjectRef, scene: Scene): Promise<string | undefined> {
  const list = await scene.survey.list(kind, inNamespace(namespace));
  return list.ok
    ? nearest(
        name,
        list.value.map(({ metadata }) => metadata.name),
      )[0]
    : undefined;
}
