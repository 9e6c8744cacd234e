import type { Instant } from '../../base/instant.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf, shows } from '../../model/kube-object.ts';
import type { Vocabulary } from '../survey/vocabulary.ts';
import { isLeaving } from '../containers/container-health.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { conditionOf, conditionStatus, lastTransition } from './pods.ts';
import type { Scene } from '../survey/scene.ts';

/** `readiness-gate` facts: conditions a pod waits for although its containers are ready. */
export function collectReadinessGates(scene: Scene, sink: FactSink): void {
  for (const pod of scene.suspects) {
    if (isLeaving(pod) || conditionStatus(pod, 'ContainersReady') !== 'True' || conditionStatus(pod, 'Ready') !== 'False') continue;
    const ref = refOf(pod);
    const since = lastTransition(pod, 'ContainersReady');
    const message = asText(dig(conditionOf(pod, 'Ready'), 'message'));
    for (const gate of gatesOf(pod, message, scene.survey.vocabulary)) {
      const status = conditionStatus(pod, gate);
      if (status === 'True') continue;
      const known = status ?? (shows(pod, 'status.conditions.status') ? undefined : 'unknown');
      sink.fact(
        'readiness-gate',
        ref,
        { gate, status: known, fresh: isFresh(since, status, scene) },
        { source: `${formatRef(ref)} condition Ready`, quote: message ?? `readiness gate ${gate}: ${known ?? 'no such condition'}` },
      );
    }
  }
}

/** A controller that is at work takes some time: a load balancer has to find the pod healthy first. */
function isFresh(since: Instant | undefined, status: string | undefined, scene: Scene): true | undefined {
  const seconds = status === 'False' ? SECONDS_AT_WORK : SECONDS_UNSEEN;
  return since !== undefined && scene.survey.now() - since < seconds * 1000 ? true : undefined;
}

const SECONDS_UNSEEN = 5;
const SECONDS_AT_WORK = 60;

/** Those of the spec, and those that the message names. */
function gatesOf(pod: KubeObject, message: string | undefined, vocabulary: Vocabulary): readonly string[] {
  const named = asList(dig(pod, 'spec', 'readinessGates')).flatMap((gate) => asText(dig(gate, 'conditionType')) ?? []);
  const told = vocabulary.readAll('readiness-gate', message ?? '', 'condition').flatMap(({ fields }) => fields.gate ?? []);
  return [...new Set([...named, ...told])];
}
