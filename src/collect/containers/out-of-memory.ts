import { asText, dig } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, formatRef, objectKey, refOf } from '../../model/kube-object.ts';
import { PRINTED_END, PRINTED_RESTARTS } from '../../model/record-kinds.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import type { ContainerHealth } from './container-health.ts';
import { healthOf, isLeaving, memoryLimitOf } from './container-health.ts';

/** `oom` facts: containers that their memory limit has killed, by the reason of their last run. */
export function collectOutOfMemory(scene: Scene, sink: FactSink): void {
  const now = scene.survey.now();
  for (const pod of scene.suspects) {
    if (isLeaving(pod)) continue;
    const healths = healthOf(pod, now);
    for (const health of healths) killFact(pod, health, now, sink);
    if (healths.every(({ ended }) => ended === undefined)) printedFact(pod, healths, sink);
  }
}

/** A list of pods prints the reason of a container, which it does not name. Source: pkg/printers/internalversion/printers.go (printPod). */
function printedFact(pod: KubeObject, healths: readonly ContainerHealth[], sink: FactSink): void {
  const state = asText(dig(pod, 'status', 'reason')) ?? '';
  const printed = state === 'CrashLoopBackOff' ? (annotationsOf(pod)[PRINTED_END] ?? '') : state;
  if (!/^(?:Init:)?OOMKilled$/.test(printed)) return;
  const container = (healths.length === 1 ? healths[0]?.container.name : undefined) ?? '<container>';
  const fields = { container, how: 'container', restarts: parseInteger(annotationsOf(pod)[PRINTED_RESTARTS]) } as const;
  sink.fact('oom', refOf(pod), fields, { source: `${objectKey(pod)} status`, quote: printed });
}

/** Kills by a limit come back: so many of them, the last within the hour, are no history yet. */
const REPEATED = 3;
const HOUR_MS = 3_600_000;

function killFact(pod: KubeObject, { container, ended, restarts, condition }: ContainerHealth, now: number, sink: FactSink): void {
  if (ended?.reason !== 'OOMKilled') return;
  const again = restarts >= REPEATED && ended.finishedAt !== undefined && now - ended.finishedAt < HOUR_MS;
  if (condition === 'well' && !again) return;
  const ref = refOf(pod);
  const quote = `OOMKilled, exit code ${String(ended.exitCode ?? '?')}${restarts > 0 ? `, ${String(restarts)} restarts` : ''}`;
  const source = `${formatRef(ref)} container ${container.name}`;
  sink.fact(
    'oom',
    ref,
    { container: container.name, how: 'container', memoryLimit: memoryLimitOf(container), restarts, runSeconds: ended.seconds },
    { source, quote, at: ended.finishedAt },
  );
}
