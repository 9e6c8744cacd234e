import { asList, asText, dig } from '../../base/json.ts';
import type { SeenEvent } from '../events/events.ts';
import { eventProof } from '../events/events.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { isRecent, podEvents } from '../events/pod-events.ts';
import type { Vocabulary } from '../survey/vocabulary.ts';
import type { ContainerHealth } from './container-health.ts';
import type { Scene } from '../survey/scene.ts';
import { inNamespace } from '../../model/kube-object.ts';

/**
 * `hook` facts: preStop hooks that failed lately. Their pods are mostly gone by the time anybody looks, so that the event is all
 * there is; the next pod of the same template will fail in the same way.
 */
export async function collectHooks(scene: Scene, sink: FactSink): Promise<void> {
  const events = await podEvents(scene);
  const now = scene.survey.now();
  for (const event of events.all()) {
    if (event.reason !== 'FailedPreStopHook' || !isRecent(event.at, now)) continue;
    const { kind, namespace, name } = event.involved;
    const pod = scene.pods.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
    const spec = asList(dig(pod, 'spec', 'containers')).find((container) => dig(container, 'name') === event.container);
    const command = asList(dig(spec, 'lifecycle', 'preStop', 'exec', 'command'))
      .map(String)
      .join(' ');
    const about = { kind, ...inNamespace(namespace), name };
    sink.fact(
      'hook',
      about,
      {
        container: event.container,
        hook: 'preStop',
        command: command === '' ? asText(dig(spec, 'lifecycle', 'preStop', 'httpGet', 'path')) : command,
      },
      eventProof(event, about),
    );
  }
}

/**
 * That the postStart hook of a container's latest run failed, which ends that run: its container is reported as started before the
 * hook is asked. In a container that has ended by itself no hook can run: then it is not the hook's failure. Source:
 * pkg/kubelet/kuberuntime/kuberuntime_container.go (startContainer).
 */
export function failedPostStart(container: string, events: readonly SeenEvent[], hasEnded?: HasEnded): SeenEvent | undefined {
  const isOf = (event: SeenEvent): boolean => event.container === undefined || event.container === container;
  const failure = events.findLast((event) => event.reason === 'FailedPostStartHook' && isOf(event));
  const started = events.findLast((event) => event.reason === 'Started' && isOf(event));
  if (failure?.at !== undefined && started?.at !== undefined && failure.at < started.at) return undefined;
  return failure !== undefined && hasEnded?.(failure.message) === true ? undefined : failure;
}

/** Whether a container had ended by itself when its hook was to run, which failed with these words. */
export type HasEnded = (message: string) => boolean;

/** Its exit code is one of its own, and the words say nothing, or that no program runs there any more. */
export function hasEndedItself(ended: ContainerHealth['ended'], vocabulary: Vocabulary): HasEnded {
  const isOwn = ended?.exitCode !== undefined && !WHEN_KILLED.has(ended.exitCode);
  return (message) => isOwn && (BARE.test(message) || vocabulary.read('exit', message, 'start') !== undefined);
}

/** How a program ends that is told to: well, by SIGKILL, by SIGTERM. */
const WHEN_KILLED: ReadonlySet<number> = new Set([0, 137, 143]);
/** Two words say nothing of why it failed. */
const BARE = /^\w+ \w+$/;
