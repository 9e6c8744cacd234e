import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import type { ContainerHealth } from './container-health.ts';
import { healthOf, isLeaving, memoryLimitOf } from './container-health.ts';

/** `oom` facts: containers that their memory limit has killed, by the reason of their last run. */
export function collectOutOfMemory(scene: Scene, sink: FactSink): void {
  const now = scene.survey.now();
  for (const pod of scene.suspects) {
    if (!isLeaving(pod)) for (const health of healthOf(pod, now)) killFact(pod, health, now, sink);
  }
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
