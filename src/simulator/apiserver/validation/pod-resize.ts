import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { qosClassOf } from '../qos-class.ts';
import type { FieldError } from './field-error.ts';
import { forbiddenField, invalidValue } from './field-error.ts';
import { validatePodSpec } from './pod-spec.ts';

const MIRROR = 'kubernetes.io/config.mirror';

/** What a resize may not change of a pod. Source: pkg/apis/core/validation/validation.go (ValidatePodResize). */
export function validatePodResize(pod: KubeObject, old: KubeObject): readonly FieldError[] {
  const [spec, before] = [asObject(pod['spec']), asObject(old['spec'])];
  if (dig(old, 'metadata', 'annotations', MIRROR) !== undefined) return [forbiddenField('', 'static pods cannot be resized')];
  if (dig(before, 'os', 'name') === 'windows') return [forbiddenField('', 'windows pods cannot be resized')];
  const errors: FieldError[] = [...validatePodSpec(spec, 'spec')];
  const status = asObject(old['status']);
  if ((status['qosClass'] ?? qosClassOf(old)) !== qosClassOf(pod))
    errors.push(invalidValue('spec', dig(pod, 'status', 'qosClass') ?? '', 'Pod QOS Class may not change as a result of resizing'));
  const running = asList(status['containerStatuses']).find((one) => dig(one, 'state', 'running') !== undefined);
  if (running !== undefined && dig(running, 'resources') === undefined)
    errors.push(forbiddenField('spec', 'Pod running on node without support for resize'));
  const resources = ofPod(spec['resources'], before['resources'], errors);
  const moved = movedContainers(spec, before);
  if (moved.length > 0) return [...errors, ...moved];
  for (const list of ['initContainers', 'containers'] as const)
    for (const [index, container] of asList(spec[list]).entries())
      removed(dig(container, 'resources'), dig(before[list], index, 'resources'), `spec.${list}[${index}].resources`, 'resource ', errors);
  const [containers, initContainers] = (['containers', 'initContainers'] as const).map((list) => onlyAmounts(spec, before, list, errors));
  const rest = withFields(spec, { resources, containers, initContainers });
  if (errors.length === 0 && !sameJson(rest, before)) errors.push(forbiddenField('spec', 'only cpu and memory resources are mutable'));
  return errors;
}

/** Source: the same (validatePodLevelResourcesResize). */
function ofPod(given: Json | undefined, before: Json | undefined, errors: FieldError[]): Json | undefined {
  if (!isJsonObject(given) && !isJsonObject(before)) return given;
  if (!isJsonObject(given)) {
    errors.push(forbiddenField('spec.resources', 'pod-level resources cannot be removed'));
    return before;
  }
  if (before !== undefined) removed(given, before, 'spec.resources', 'pod-level resource ', errors);
  const fixed = withoutAmounts(given, before);
  const rest = before === undefined && Object.keys(fixed).length === 0 ? undefined : fixed;
  if (!sameJson(rest, before)) errors.push(forbiddenField('spec', 'only cpu and memory resources are mutable at pod-level'));
  return rest;
}

/** Source: the same (validatePodResizeContainerOrdering). */
function movedContainers(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((list) => {
    const [mine, theirs] = [asList(spec[list]), asList(before[list])];
    if (mine.length !== theirs.length) return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)];
    return theirs.flatMap((container, index) =>
      dig(container, 'name') === dig(mine, index, 'name')
        ? []
        : [forbiddenField(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
    );
  });
}

/** Source: the same (resourcesRemoved). */
function removed(given: Json | undefined, before: Json | undefined, path: string, what: string, errors: FieldError[]): void {
  for (const kind of ['requests', 'limits'] as const) {
    const names = Object.keys(asObject(dig(before, kind)));
    if (names.some((name) => dig(given, kind, name) === undefined))
      errors.push(forbiddenField(`${path}.${kind}`, `${what}${kind} cannot be removed`));
  }
}

/** The containers with the CPU and memory that they had; says of what else has changed. */
function onlyAmounts(spec: JsonObject, before: JsonObject, list: 'containers' | 'initContainers', errors: FieldError[]): Json | undefined {
  if (spec[list] === undefined) return undefined;
  return asList(spec[list]).map((container, index) => {
    const old = asList(before[list])[index] ?? null;
    const fixed = withFields(asObject(container), { resources: withoutAmounts(dig(container, 'resources'), dig(old, 'resources')) });
    const isInit = list === 'initContainers';
    if (!sameJson(fixed, old))
      errors.push(
        isInit
          ? forbiddenField(`spec.initContainers[${index}]`, 'only cpu and memory resources for init or sidecar containers are mutable')
          : forbiddenField('spec', 'only cpu and memory resources are mutable'),
      );
    const restarts = asList(dig(container, 'resizePolicy')).some((policy) => dig(policy, 'restartPolicy') === 'RestartContainer');
    if (isInit && restarts && dig(container, 'restartPolicy') !== 'Always' && !sameJson(container, old))
      errors.push(
        forbiddenField(
          `spec.initContainers[${index}]`,
          'non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
        ),
      );
    return fixed;
  });
}

/** What is asked for with the CPU and memory of before. Source: the same (dropCPUMemoryUpdates). */
function withoutAmounts(given: Json | undefined, before: Json | undefined): JsonObject {
  const lists = (['limits', 'requests'] as const).flatMap((kind) => {
    const old = asObject(dig(before, kind));
    const { cpu: _, memory: __, ...others } = asObject(dig(given, kind));
    const amounts = { ...others, ...Object.fromEntries(['cpu', 'memory'].flatMap((name) => (name in old ? [[name, old[name]]] : []))) };
    return Object.keys(amounts).length === 0 ? [] : [[kind, amounts] as const];
  });
  const claims = dig(given, 'claims');
  return { ...(claims === undefined ? {} : { claims }), ...Object.fromEntries(lists) };
}
