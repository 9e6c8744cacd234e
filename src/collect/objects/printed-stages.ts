import { asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { OBSERVED } from '../../model/kube-object.ts';
import type { StageId } from '../../model/stage.ts';

/** A stage that the word of a table's column STATUS tells of; `passed`: those before it were passed. */
export interface PrintedStage {
  readonly passed: readonly StageId[];
  readonly stage: StageId;
  readonly state: 'failed' | 'waiting';
  readonly reason: string;
}

const ON_NODE: readonly StageId[] = ['kubelet', 'volumes', 'sandbox', 'network', 'images', 'containers'];

/**
 * How far a pod has come of which nothing but a row was seen: the column has the reason of a container, of an init container with `Init:`
 * before it. Undefined where the word may mean several stages. Source: pkg/printers/internalversion/printers.go (printPod).
 */
export function printedStage(
  pod: KubeObject,
  pulling: ReadonlySet<string | undefined>,
  ready: string | undefined,
): PrintedStage | undefined {
  if (pod[OBSERVED] === undefined) return undefined;
  const reason = asText(dig(pod, 'status', 'reason'));
  if (reason === undefined)
    return dig(pod, 'status', 'phase') === 'Running' && ready === 'False' ? at('probes', 'waiting', 'not ready') : undefined;
  const word = reason.replace(/^Init:/, '');
  if (word === 'ContainerCreating') return at('volumes', 'waiting', reason);
  if (pulling.has(word)) return at('images', 'failed', reason);
  return FAILED.test(word) ? at('containers', 'failed', reason) : undefined;
}

function at(stage: StageId, state: PrintedStage['state'], reason: string): PrintedStage {
  return { passed: stage === 'probes' ? ON_NODE : ON_NODE.slice(0, ON_NODE.indexOf(stage)), stage, state, reason };
}

/** Of a container whose image is on its node. Source: pkg/kubelet/kuberuntime/kuberuntime_container.go, kuberuntime_manager.go. */
const FAILED =
  /^(?:CrashLoopBackOff|Error|OOMKilled|StartError|ContainerCannotRun|(?:Run|Create)ContainerError|CreateContainerConfigError|PostStartHookError|ExitCode:\d+|Signal:\d+)$/;
