import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import { numberOf, rounded } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** `web-1_shop(uid)`: how the kubelet's messages name a pod. Source: pkg/kubelet/util/format/pod.go. */
export function podDescription(pod: KubeObject): string {
  return `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
}

export function containersOf(pod: KubeObject, field: 'containers' | 'initContainers' | 'ephemeralContainers'): readonly JsonObject[] {
  return asList(dig(pod, 'spec', field)).filter(isJsonObject);
}

/** Which container an event is about. Source: pkg/kubelet/container/ref.go. */
export function fieldPathOf(kind: 'init' | 'main' | 'ephemeral', name: string): string {
  return `spec.${kind === 'init' ? 'initContainers' : kind === 'main' ? 'containers' : 'ephemeralContainers'}{${name}}`;
}

export function nameOf(container: JsonObject): string {
  return asText(container['name']) ?? '';
}

/** A native sidecar: an init container that goes on running. */
export function isSidecar(container: JsonObject): boolean {
  return container['restartPolicy'] === 'Always';
}

export function isHostNetwork(pod: KubeObject): boolean {
  return dig(pod, 'spec', 'hostNetwork') === true;
}

export function restartPolicyOf(pod: KubeObject): string {
  return asText(dig(pod, 'spec', 'restartPolicy')) ?? 'Always';
}

/**
 * Whether a container that has ended is to be started again. Source: pkg/kubelet/container/helpers.go (ShouldContainerBeRestarted).
 */
export function shouldRestart(pod: KubeObject, container: JsonObject, exitCode: number | undefined): boolean {
  if (pod.metadata['deletionTimestamp'] !== undefined) return false;
  return exitCode === undefined || mayRestart(container, restartPolicyOf(pod), exitCode);
}

/** What its own policy says, or that of the pod. Source: pkg/api/v1/pod/util.go (ContainerShouldRestart). */
export function mayRestart(container: JsonObject, ofPod: string, exitCode: number): boolean {
  if (hasRuleFor(container, exitCode)) return true;
  const policy = asText(container['restartPolicy']) ?? ofPod;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** A rule of the container's own that says so, whatever its policy is. */
function hasRuleFor(container: JsonObject, exitCode: number): boolean {
  if (container['restartPolicy'] === undefined) return false;
  return asList(container['restartPolicyRules']).some((rule) => {
    const listed = asList(dig(rule, 'exitCodes', 'values')).includes(exitCode);
    return dig(rule, 'exitCodes', 'operator') === 'NotIn' ? !listed : listed;
  });
}

/** A quantity in its unit (bytes, cores) as a number; undefined when there is none. */
export function amountOf(quantity: Json | undefined): number | undefined {
  const nano = quantity === undefined ? undefined : parseQuantity(quantity);
  return nano === undefined ? undefined : numberOf(nano) / 1e9;
}

export function secondsOf(value: Json | undefined, otherwise: number): number {
  return asNumber(value) ?? otherwise;
}

/** Mirror pods show a static pod; the kubelet does not run them. */
export function isMirror(pod: KubeObject): boolean {
  return dig(pod, 'metadata', 'annotations', 'kubernetes.io/config.mirror') !== undefined;
}

/** Go's duration to the millisecond: `66ms`, `2.345s`, `1m3.2s`. */
export function goDuration(milliseconds: number): string {
  const whole = Math.max(0, Math.trunc(milliseconds));
  if (whole < 1000) return whole === 0 ? '0s' : `${whole}ms`;
  const minutes = Math.floor(whole / 60_000);
  const seconds = `${rounded((whole % 60_000) / 1000, 3)}s`;
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes % 60}m` : ''}${seconds}`;
}

export function hasReadOnlyRoot(container: JsonObject): boolean {
  return dig(container, 'securityContext', 'readOnlyRootFilesystem') === true;
}

/** The groups a container's processes are in, its primary one first. Source: pkg/kubelet/kuberuntime/security_context.go. */
export function groupsOf({ pod, spec }: { readonly pod: KubeObject; readonly spec: JsonObject }): readonly number[] {
  const context = dig(pod, 'spec', 'securityContext');
  const primary = asNumber(dig(spec, 'securityContext', 'runAsGroup')) ?? asNumber(dig(context, 'runAsGroup')) ?? 0;
  const more = [dig(context, 'fsGroup'), ...asList(dig(context, 'supplementalGroups'))].map(asNumber).filter((one) => one !== undefined);
  return [...new Set([primary, ...more])];
}

/** Whether others decide, too, whether it is ready. */
export function hasGates(pod: KubeObject): boolean {
  return dig(pod, 'spec', 'readinessGates') !== undefined;
}

/** When the kubelet first saw it. */
export function startTimeOf(pod: KubeObject): Instant | undefined {
  return parseInstant(dig(pod, 'status', 'startTime'));
}
