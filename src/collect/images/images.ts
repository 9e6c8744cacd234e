import { sameJson } from '../../base/json-edit.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, inNamespace, refOf, shows } from '../../model/kube-object.ts';
import type { ContainerHealth } from '../containers/container-health.ts';
import { healthOf, isLeaving } from '../containers/container-health.ts';
import { containersOf } from '../containers/containers.ts';
import type { SeenEvent } from '../events/events.ts';
import { saysWhy } from '../events/says-why.ts';
import { eventProof } from '../events/events.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { ImageReference } from './image-reference.ts';
import { parseImage, projectOf } from './image-reference.ts';
import { isRecent, podEvents } from '../events/pod-events.ts';
import { pullSecretsOf } from '../objects/references.ts';
import type { Scene } from '../survey/scene.ts';

/** Waiting reasons of the image manager. Source: pkg/kubelet/images/types.go. */
export const PULL_REASONS = new Set<string | undefined>([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);
const PULL_EVENTS = new Set(['Failed', 'ErrImageNeverPull', 'InspectFailed']);

/** `image` facts: for every container that waits for its image, why it does not get it. */
export async function collectImages(scene: Scene, sink: FactSink): Promise<void> {
  const running = runningImages(scene);
  const events = await podEvents(scene);
  for (const pod of scene.suspects) {
    if (isLeaving(pod)) continue;
    for (const health of healthOf(pod, scene.survey.now())) {
      if (!PULL_REASONS.has(health.waiting?.reason)) continue;
      const said = saidOf(pod, health, events.of(pod));
      if (said !== undefined) addFact(pod, said, await wrongSecretOf(pod, scene), running, sink);
    }
  }
  for (const pod of events.blind) {
    for (const [image, event] of eventImages(events.of(pod), scene)) {
      addFact(pod, { ...wordsOf(event), image, container: event.container, policy: undefined }, undefined, running, sink);
    }
  }
}

/** Images of containers that run, with whether their pods had credentials to pull them with. */
interface RunningImage {
  readonly image: string;
  readonly secret: boolean;
}

function runningImages(scene: Scene): readonly RunningImage[] {
  const found = new Map<string, RunningImage>();
  for (const pod of scene.judged) {
    const secret = pullSecretsOf(pod).length > 0 || !shows(pod, 'spec.imagePullSecrets');
    for (const { spec, status } of containersOf(pod)) {
      const image = asText(dig(spec, 'image'));
      const id = asText(dig(status, 'imageID'));
      if (image === undefined || found.has(image) || id === undefined || id === '') continue;
      found.set(image, { image, secret });
    }
  }
  return [...found.values()];
}

/** What is said of one container's image. */
interface Said {
  readonly image: string;
  readonly container: string | undefined;
  /** The ephemeral container the image is for: no image of its own can be set once it is there. */
  readonly ephemeral?: string | undefined;
  readonly policy: string | undefined;
  /** The volume the image is for, if it is not for a container to run. */
  readonly volume?: string;
  /** The machine word said with the message. */
  readonly reason: string | undefined;
  /** Why it is not there, in the words of the kubelet or the runtime. */
  readonly message: string | undefined;
  readonly source: string;
  readonly event?: SeenEvent;
}

type Words = Pick<Said, 'reason' | 'message' | 'source' | 'event'>;

function saidOf(pod: KubeObject, health: ContainerHealth, events: readonly SeenEvent[]): Said | undefined {
  for (const volume of imageVolumesOf(pod, health)) {
    const said = whatIsSaid(health, volume.image, events);
    const named = imageNamedIn(health.waiting?.message) ?? imageNamedIn(said.message);
    if (named !== undefined && isSameImage(named, volume.image)) return { ...volume, container: undefined, ...said };
  }
  const image = asText(dig(health.container.spec, 'image')) ?? imageTold(health, events);
  if (image === undefined) return undefined;
  const { name, role } = health.container;
  return {
    image,
    ...(role === 'ephemeral' ? { container: undefined, ephemeral: name } : { container: name }),
    policy: asText(dig(health.container.spec, 'imagePullPolicy')),
    ...whatIsSaid(health, image, events),
  };
}

/**
 * The images a container has mounted as volumes, but for one that is its own as well: a container waits in the same words for
 * these, and only the image that is named tells which. Source: pkg/kubelet/kuberuntime/kuberuntime_container.go (startContainer).
 */
function imageVolumesOf(pod: KubeObject, { container: { spec } }: ContainerHealth): readonly Pick<Said, 'image' | 'policy' | 'volume'>[] {
  const mounted = new Set(asList(dig(spec, 'volumeMounts')).map((mount) => dig(mount, 'name')));
  return asList(dig(pod, 'spec', 'volumes')).flatMap((volume) => {
    const name = asText(dig(volume, 'name'));
    const image = asText(dig(volume, 'image', 'reference'));
    if (name === undefined || image === undefined || image === dig(spec, 'image') || !mounted.has(name)) return [];
    return { image, policy: asText(dig(volume, 'image', 'pullPolicy')), volume: name };
  });
}

function imageNamedIn(message: string | undefined): string | undefined {
  return /(?:image|tag) "([^"]{1,1000})"/i.exec(message ?? '')?.[1];
}

/** The one image that pulls of the container are told of, where its source does not show which it has. */
function imageTold({ container }: ContainerHealth, events: readonly SeenEvent[]): string | undefined {
  const pulls = events.filter((event) => isPull(event) && (event.container ?? container.name) === container.name);
  const images = new Set(pulls.flatMap(({ message }) => imageNamedIn(message) ?? []));
  const [only] = images;
  return images.size === 1 ? only : undefined;
}

/**
 * Since 1.32 the kubelet repeats the cause while it waits to pull again. For a container that crashes it names no image, but another
 * message may stand behind that one.
 */
function isPull({ reason, message }: SeenEvent): boolean {
  return PULL_EVENTS.has(reason) || (reason === 'BackOff' && /^[^"]{0,40}\bimage "/i.test(message));
}

/** Runtimes say in full what is short in the spec. */
function isSameImage(one: string, other: string): boolean {
  return one === other || sameJson({ ...parseImage(one) }, { ...parseImage(other) });
}

/** The waiting message names the cause since 1.32; before that only the events do. */
function whatIsSaid(health: ContainerHealth, image: string, events: readonly SeenEvent[]): Words {
  const { reason, message = '' } = health.waiting ?? {};
  const source = `container ${health.container.name} waiting: ${reason ?? ''}`;
  if (saysWhy(message)) return { reason, message, source };
  const event = events.findLast((one) => isPull(one) && isAbout(one, health, image) && saysWhy(one.message));
  return event === undefined ? { reason, message: undefined, source } : wordsOf(event);
}

/** Pull events name the image; most sources also show the container. */
function isAbout(event: SeenEvent, { container }: ContainerHealth, image: string): boolean {
  if (event.container !== undefined) return event.container === container.name;
  const named = imageNamedIn(event.message);
  return named === undefined || isSameImage(named, image);
}

/** Images that the events of a pod which was not seen itself tell of, each with the latest word on it. */
function eventImages(events: readonly SeenEvent[], scene: Scene): ReadonlyMap<string, SeenEvent> {
  const found = new Map<string, SeenEvent>();
  for (const event of events) {
    const image = imageNamedIn(event.message);
    if (image === undefined || !isRecent(event.at, scene.survey.now())) continue;
    if (event.reason === 'Pulled') found.delete(image);
    else if (isPull(event) && saysWhy(event.message)) found.set(image, event);
  }
  return found;
}

function wordsOf(event: SeenEvent): Words {
  return { reason: event.reason, message: event.message, source: '', event };
}

/** A Secret that the pod is to pull with and that holds no registry's credentials. */
interface WrongSecret {
  readonly name: string;
  readonly type: string;
}

/** Types of Secrets that may hold a registry's credentials; a source may show an empty one. */
const PULL_SECRET_TYPES = new Set(['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg', '']);

/** The first of the pod's Secrets that is of another type than those it may pull with. */
async function wrongSecretOf(pod: KubeObject, scene: Scene): Promise<WrongSecret | undefined> {
  const { namespace } = pod.metadata;
  const found = await Promise.all(
    pullSecretsOf(pod).map(async (name) => {
      const read = await scene.survey.get({ kind: 'Secret', ...inNamespace(namespace), name });
      const type = read.ok ? asText(dig(read.value, 'type')) : undefined;
      return type === undefined || PULL_SECRET_TYPES.has(type) ? [] : [{ name, type }];
    }),
  );
  return found.flat()[0];
}

function addFact(pod: KubeObject, said: Said, wrong: WrongSecret | undefined, running: readonly RunningImage[], sink: FactSink): void {
  const ref = refOf(pod);
  const parsed = parseImage(said.image);
  const others = running.filter(({ image }) => image !== said.image);
  const sibling = others.find(({ image, secret }) => !secret && projectOf(parseImage(image)) === projectOf(parsed));
  const similar = similarTo(parsed, others);
  const secretNamed = pullSecretsOf(pod).length > 0 ? true : shows(pod, 'spec.imagePullSecrets') ? false : undefined;
  sink.fact(
    'image',
    ref,
    {
      container: said.container,
      ephemeral: said.ephemeral,
      volume: said.volume,
      image: said.image,
      ...parsed,
      address: addressOf(parsed.registry),
      reason: said.reason,
      likelyAbsent: isLikelyAbsent(parsed, { secretNamed, sibling: sibling?.image, similar }),
      message: said.message,
      policy: said.policy,
      secretNamed,
      wrongSecret: wrong?.name,
      wrongSecretType: wrong?.type,
      publicSibling: sibling?.image,
      lowercase: lowercaseOf(said.image),
      similar,
    },
    said.event === undefined
      ? { source: `${formatRef(ref)} ${said.source}`, quote: said.message ?? said.image }
      : eventProof(said.event, ref),
  );
}

/** A valid reference but for capital letters outside of its tag. Source: distribution/reference (reference grammar). */
const LOWERCASE = /^[a-z0-9]+(?:[._:/-]+[a-z0-9]+)*$/;

function lowercaseOf(image: string): string | undefined {
  const { tag } = parseImage(image);
  const name = tag === undefined || !image.endsWith(`:${tag}`) ? image : image.slice(0, -tag.length - 1);
  const lower = name.toLowerCase();
  return lower === name || name.length > 300 || !LOWERCASE.test(lower) ? undefined : `${lower}${image.slice(name.length)}`;
}

/** Where HTTPS is spoken when the name says no port; Docker Hub answers under another name. */
function addressOf(registry: string): string {
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  return /:\d{1,5}$/.test(host) ? host : `${host}:443`;
}

interface Clues {
  readonly secretNamed: boolean | undefined;
  readonly sibling: string | undefined;
  readonly similar: string | undefined;
}

/**
 * A registry that refuses does not say whether the image exists. It does not when the place is public: Docker Hub's library, or a
 * project of which other images run without credentials, or when a running image of the same registry differs by a slip of the pen.
 */
function isLikelyAbsent(image: ImageReference, { secretNamed, sibling, similar }: Clues): boolean {
  if (secretNamed === true) return false;
  const library = image.registry === 'docker.io' && image.repository.startsWith('library/');
  return library || sibling !== undefined || (similar !== undefined && nameOf(parseImage(similar)) !== nameOf(image));
}

/** A running image of the same repository with another tag, or of one whose name differs by a slip of the pen. */
function similarTo(image: ImageReference, others: readonly RunningImage[]): string | undefined {
  const names = others.map((other) => ({ image: other.image, name: nameOf(parseImage(other.image)) }));
  return (names.find(({ name }) => name === nameOf(image)) ?? names.find(({ name }) => isSlip(name, nameOf(image))))?.image;
}

function nameOf({ registry, repository }: ImageReference): string {
  return `${registry}/${repository}`;
}

/** Whether two names differ in one place, by at most two characters. */
function isSlip(a: string, b: string): boolean {
  let [start, end] = [0, 0];
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return a !== b && a.length - start - end <= 2 && b.length - start - end <= 2;
}
