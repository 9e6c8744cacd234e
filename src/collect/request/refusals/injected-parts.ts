import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { controllerOf, formatRef, objectKey, refOf, shows } from '../../../model/kube-object.ts';
import type { PodContainer } from '../../containers/containers.ts';
import { containersOf } from '../../containers/containers.ts';
import { parseImage } from '../../images/image-reference.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { isReady } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';
import { templateOf } from '../../objects/workloads.ts';
import { changerOf } from './blame.ts';

/**
 * `injected` facts: containers that a pod which is not well has and its template does not; images that cannot be pulled and are not those of
 * the template; and fields for which the API server finds a pod
 * invalid although it accepted the template they should have come from.
 */
export async function collectInjectedParts(scene: Scene, sink: FactSink): Promise<void> {
  const byName = new Map(scene.workloads.map((workload) => [objectKey(workload), workload] as const));
  for (const pod of scene.suspects) {
    const owner = controllerOf(pod);
    const declared = owner === undefined ? undefined : declaredContainers(byName.get(formatRef(owner)));
    if (declared !== undefined && isReady(pod) === false && dig(pod, 'status', 'phase') !== 'Succeeded')
      await injectedContainers(pod, declared, scene, sink);
  }
  await injectedFields(scene, sink);
}

async function injectedContainers(pod: KubeObject, declared: ReadonlyMap<string, string>, scene: Scene, sink: FactSink): Promise<void> {
  const ref = refOf(pod);
  for (const container of containersOf(pod)) {
    const part = container.role === 'ephemeral' ? undefined : injectedPart(container, pod, declared);
    if (part === undefined) continue;
    const blame = (await changerOf(ref, scene)) ?? `${ref.kind}/${ref.name}`;
    const trouble = troubleOf(container);
    sink.fact(
      'injected',
      ref,
      { part: part.words, container: container.name, trouble, blame, moved: part.moved ?? 'no' },
      { source: `${formatRef(ref)} spec`, quote: `${part.words} is not in the template${trouble === undefined ? '' : `; ${trouble}`}` },
    );
  }
}

/** Controllers whose pods all have one template: that of others may be newer than a pod. */
const OF_ONE_TEMPLATE: ReadonlySet<string> = new Set(['ReplicaSet', 'Job']);
/** Only the image itself is to blame for these. Source: pkg/kubelet/images/types.go. */
const PULLING: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);

interface InjectedPart {
  readonly words: string;
  /** The image, where only its registry or path was changed. */
  readonly moved?: string;
}

function injectedPart(container: PodContainer, pod: KubeObject, declared: ReadonlyMap<string, string>): InjectedPart | undefined {
  const image = asText(dig(container.spec, 'image')) ?? '?';
  const own = declared.get(container.name);
  if (own === undefined) return { words: `container ${container.name} (${image})` };
  const isChanged = own !== '' && own !== image && OF_ONE_TEMPLATE.has(controllerOf(pod)?.kind ?? '');
  return isChanged && PULLING.has(asText(dig(container.status, 'state', 'waiting', 'reason')) ?? '')
    ? { words: `image ${image} instead of ${own} for container ${container.name}`, ...(isMoved(image, own) ? { moved: image } : {}) }
    : undefined;
}

/** Whether only what stands before the last part differs, as where images come from a mirror: the tag is that of the template. */
function isMoved(image: string, own: string): boolean {
  const [now, before] = [parseImage(image), parseImage(own)];
  return lastPart(now.repository) === lastPart(before.repository) && now.tag === before.tag && now.digest === before.digest;
}

function lastPart(repository: string): string {
  return repository.slice(repository.lastIndexOf('/') + 1);
}

/** Names and images of the containers of the template that a pod was made from; undefined when its controller does not show one. */
function declaredContainers(workload: KubeObject | undefined): ReadonlyMap<string, string> | undefined {
  if (workload === undefined || !shows(workload, 'spec.template.spec.initContainers') || !shows(workload, 'spec.template.spec.containers'))
    return undefined;
  const spec = dig(templateOf(workload), 'spec');
  const images = new Map<string, string>();
  for (const container of [...asList(dig(spec, 'containers')), ...asList(dig(spec, 'initContainers'))]) {
    const name = asText(dig(container, 'name'));
    if (name !== undefined) images.set(name, asText(dig(container, 'image')) ?? '');
  }
  return images.size === 0 ? undefined : images;
}

/** Reasons of waiting that are no trouble. */
const STARTING: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

function troubleOf({ role, status }: PodContainer): string | undefined {
  const waiting = asText(dig(status, 'state', 'waiting', 'reason'));
  if (waiting !== undefined) return STARTING.has(waiting) ? undefined : waiting;
  const ended: Json | undefined =
    dig(status, 'state', 'terminated') ?? (dig(status, 'ready') === false ? dig(status, 'lastState', 'terminated') : undefined);
  const exitCode = asNumber(dig(ended, 'exitCode'));
  if (exitCode === undefined || (exitCode === 0 && role === 'init')) return undefined;
  return `${asText(dig(ended, 'reason')) ?? 'it ended'}, exit code ${String(exitCode)}`;
}

/** A LimitRange's defaults may make a pod's requests exceed its limits; every other field of a pod comes from the template or a webhook. */
async function injectedFields(scene: Scene, sink: FactSink): Promise<void> {
  for (const { about, fields, source, quote, at } of sink.facts.filter(({ kind }) => kind === 'refusal')) {
    const [field, via, reason] = [String(fields['field'] ?? ''), fields['via'], fields['reason']];
    if (
      via === 'answer' ||
      (reason !== 'invalid-value' && reason !== 'required-field') ||
      !field.startsWith('spec.') ||
      field.includes('.resources')
    )
      continue;
    const blame = (await changerOf(about, scene)) ?? `${about.kind}/${about.name}`;
    const value = fields['value'] === undefined ? '' : `"${String(fields['value'])}" `;
    sink.fact(
      'injected',
      about,
      { part: field, trouble: `${value}${String(fields['detail'] ?? 'it has no value')}`, blame, moved: 'no' },
      { source, quote, at },
    );
  }
}
