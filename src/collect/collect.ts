import type { ClusterReader } from '../model/cluster-reader.ts';
import type { Evidence, PodSample } from '../model/diagnosis.ts';
import { ANY_FACT } from '../model/fact.ts';
import { formatRef, objectKey, sameObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { FactSink } from './survey/fact-sink.ts';
import type { SceneGap } from './survey/find-scene.ts';
import { findScene } from './survey/find-scene.ts';
import type { CollectRequest, Scene } from './survey/scene.ts';
import { Survey } from './survey/survey.ts';
import { COLLECTORS } from './collectors.ts';

/**
 * Looks at a cluster, or at one target in it, and says what was seen (facts) and what could not be (gaps). What texts mean is read with
 * the wordings of the rules. What a survey has read before is not read again. Never throws for the cluster's trouble.
 */
export async function collect(
  reader: ClusterReader,
  request: CollectRequest,
  rules: readonly Rule[],
  survey: Survey = new Survey(reader, rules),
): Promise<Evidence> {
  const { scene, gaps } = await findScene(survey, request);
  const sink = new FactSink(scene.workloadOf);
  for (const gap of gaps) sink.gap(...gap);
  for (const collector of COLLECTORS) await collector(scene, sink);
  for (const { about, unread } of survey.unread()) sink.gap(ANY_FACT, about, unread);
  const refused = isRefused(request, gaps, sink);
  return {
    at: survey.now(),
    facts: sink.facts,
    gaps: sink.gaps.filter(({ about }) => !refused || request.target === undefined || !sameObject(about, request.target)),
    targets: sink.targets,
    ...(scene.standing.size === 0 ? {} : { sample: sampleOf(scene, sink) }),
  };
}

function sampleOf(scene: Scene, { facts }: FactSink): PodSample {
  const started = new Set(scene.started.map(objectKey));
  const about = facts.flatMap((fact) =>
    fact.about.kind === 'Pod' && fact.kind !== 'pod' && !(fact.kind === 'event' && started.has(formatRef(fact.about))) ? [fact.about] : [],
  );
  const [names, told] = [new Set(about.map(({ name }) => name)), new Set(about.map(formatRef))];
  // Most pods are out by their names: to make the keys of all takes long.
  const others = scene.pods.filter((pod) => names.has(pod.metadata.name) && !scene.isJudged(pod));
  return {
    standing: new Set([...scene.standing].map(objectKey)),
    started,
    spoken: new Set(others.map(objectKey).filter((key) => told.has(key))),
  };
}

/** The target is not there, and it is known why: it was refused. Then nothing about it is left that could not be seen. */
function isRefused({ target }: CollectRequest, gaps: readonly SceneGap[], sink: FactSink): boolean {
  if (target === undefined || !sink.targets.some(({ ref }) => sameObject(ref, target))) return false;
  return gaps.some(([, about, { why }]) => why === 'absent' && sameObject(about, target));
}
