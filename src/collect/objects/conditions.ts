import { parseInstant } from '../../base/instant.ts';
import { asText, dig } from '../../base/json.ts';
import { onceFor } from '../../base/once.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import { conditionsOf } from './gateway-conditions.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';

/** A `condition` fact for every condition of every pod, workload and other object in the scene. */
export function collectConditions(scene: Scene, sink: FactSink): void {
  // All conditions of a pod that is well are True: it is told only what a rule asks for.
  const isAsked = onceFor((type: string) => scene.survey.vocabulary.asks('condition', { ...WELL, type }));
  for (const pod of scene.judged) conditionFacts(pod, scene, sink, scene.standing.has(pod) ? isAsked : undefined);
  for (const object of [...scene.workloads, ...scene.others]) conditionFacts(object, scene, sink);
}

/** `isPlainPod`: none has a reason. */
const WELL = { objectKind: 'Pod', status: 'True', reason: undefined, message: undefined, part: undefined } as const;

/** Conditions of one object, for collectors that read objects of their own. */
export function conditionFacts(object: KubeObject, scene: Scene, sink: FactSink, isAsked?: (type: string) => boolean): void {
  const ref = refOf(object);
  for (const { condition, part } of conditionsOf(object)) {
    const [type, status] = [asText(dig(condition, 'type')), asText(dig(condition, 'status'))];
    if (type === undefined || status === undefined || isAsked?.(type) === false) continue;
    const [reason, message] = [asText(dig(condition, 'reason')), asText(dig(condition, 'message'))];
    const at = parseInstant(dig(condition, 'lastTransitionTime'));
    sink.fact(
      'condition',
      ref,
      {
        type,
        status,
        reason,
        message,
        part,
        sinceSeconds: at === undefined ? undefined : Math.max(0, Math.round((scene.survey.now() - at) / 1000)),
      },
      {
        source: `${formatRef(ref)}${part === undefined ? '' : ` ${part}`} condition ${type}`,
        quote: [
          `${type}=${status}`,
          ...(reason === undefined || reason === '' ? [] : [reason]),
          ...(message === undefined || message === '' ? [] : [message]),
        ].join(' '),
        at,
      },
    );
  }
}
