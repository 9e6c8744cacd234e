import { asList, asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, refOf, shows } from '../model/kube-object.ts';
import type { ContainerHealth } from './container-health.ts';
import { healthOf, isLeaving } from './container-health.ts';
import { containersOf } from './containers.ts';
import type { SeenEvent } from './events.ts';
import type { FactSink } from './fact-sink.ts';
import { imageNamed } from './image-named.ts';
import type { ImageReference } from './image-reference.ts';
import { parseImage, projectOf } from './image-reference.ts';
import { podEvents } from './pod-events.ts';
import { pullSecretsOf } from './references.ts';
import type { Scene } from './scene.ts';

/** Waiting reasons of the image manager. Source: pkg/kubelet/images/types.go. */
const PULL_REASONS = new Set<string | undefined>([
  'ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName', 'ImageInspectError', 'RegistryUnavailable', 'SignatureValidationFailed',
]);
const PULL_EVENTS = new Set(['Failed', 'ErrImageNeverPull', 'InspectFailed']);

/** `image` facts: for every container that waits for an image, which one, and what may keep it from getting it. */
export async function collectImages(scene: Scene, sink: FactSink): Promise<void> {
  const running = runningImages(scene);
  const events = await podEvents(scene);
  for (const pod of scene.pods) {
    if (isLeaving(pod)) continue;
    for (const health of healthOf(pod, scene.survey.now())) {
      if (!PULL_REASONS.has(health.waiting?.reason)) continue;
      const wanted = wantedBy(pod, health, events.of(pod));
      if (wanted !== undefined) addFact(pod, wanted, await secretsOf(pod, scene), running, sink);
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
  for (const pod of scene.pods) {
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

/** An image that a container waits for. */
interface WantedImage {
  readonly image: string;
  readonly container: string | undefined;
  readonly policy: string | undefined;
  /** The volume the image is for, if it is not for a container to run. */
  readonly volume?: string;
  readonly health: ContainerHealth;
}

/**
 * A container waits in the same words for its own image and for those it has mounted as volumes: the one that is named, or that
 * events name last, is meant. Source: pkg/kubelet/kuberuntime/kuberuntime_container.go (startContainer).
 */
function wantedBy(pod: KubeObject, health: ContainerHealth, events: readonly SeenEvent[]): WantedImage | undefined {
  const { name, spec } = health.container;
  const told = [health.waiting?.message ?? '', events.findLast((event) => PULL_EVENTS.has(event.reason) && (event.container ?? name) === name && imageNamed(event.message, pod) !== undefined)?.message ?? ''];
  const named = told.map((message) => imageNamed(message, pod)).find((image) => image !== undefined);
  const volume = imageVolumesOf(pod, health).find(({ image }) => image === named);
  if (volume !== undefined) return { ...volume, container: undefined, health };
  const image = asText(dig(spec, 'image'));
  return image === undefined ? undefined : { image, container: name, policy: asText(dig(spec, 'imagePullPolicy')), health };
}

/** The images a container has mounted as volumes, but for one that is its own as well. */
function imageVolumesOf(pod: KubeObject, { container: { spec } }: ContainerHealth): readonly Pick<WantedImage, 'image' | 'policy' | 'volume'>[] {
  const mounted = new Set(asList(dig(spec, 'volumeMounts')).map((mount) => dig(mount, 'name')));
  return asList(dig(pod, 'spec', 'volumes')).flatMap((volume) => {
    const name = asText(dig(volume, 'name'));
    const image = asText(dig(volume, 'image', 'reference'));
    if (name === undefined || image === undefined || image === dig(spec, 'image') || !mounted.has(name)) return [];
    return { image, policy: asText(dig(volume, 'image', 'pullPolicy')), volume: name };
  });
}

/** The Secrets a pod may pull with, where they can be told from others. */
interface PullSecrets {
  /** One that does not exist. */
  readonly missing?: string;
  /** One that holds no registry's credentials, and its type. */
  readonly wrong?: { readonly name: string; readonly type: string };
}

const PULL_SECRET_TYPES = new Set(['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg']);

async function secretsOf(pod: KubeObject, scene: Scene): Promise<PullSecrets> {
  const { namespace } = pod.metadata;
  const reads = await Promise.all(
    pullSecretsOf(pod).map(async (name) => ({ name, read: await scene.survey.get({ kind: 'Secret', ...(namespace === undefined ? {} : { namespace }), name }) })),
  );
  const missing = reads.find(({ read }) => !read.ok && read.why === 'absent')?.name;
  const wrong = reads.flatMap(({ name, read }) => {
    const type = read.ok ? asText(dig(read.value, 'type')) : undefined;
    return type === undefined || type === '' || PULL_SECRET_TYPES.has(type) ? [] : [{ name, type }];
  })[0];
  return { ...(missing === undefined ? {} : { missing }), ...(wrong === undefined ? {} : { wrong }) };
}

function addFact(pod: KubeObject, { health, ...wanted }: WantedImage, secrets: PullSecrets, running: readonly RunningImage[], sink: FactSink): void {
  const ref = refOf(pod);
  const { container, waiting } = health;
  const parsed = parseImage(wanted.image);
  const others = running.filter(({ image }) => image !== wanted.image);
  const sibling = others.find(({ image, secret }) => !secret && projectOf(parseImage(image)) === projectOf(parsed))?.image;
  const similar = similarTo(parsed, others);
  const secretNamed = pullSecretsOf(pod).length > 0 ? true : shows(pod, 'spec.imagePullSecrets') ? false : undefined;
  sink.fact(
    'image',
    ref,
    {
      ...wanted,
      ...parsed,
      address: addressOf(parsed.registry),
      access: isPublic(parsed, { secretNamed, secrets, sibling, similar }) ? 'public' : 'unknown',
      secretNamed,
      wrongSecret: secrets.wrong?.name,
      wrongSecretType: secrets.wrong?.type,
      similar,
    },
    { source: `${formatRef(ref)} container ${container.name} waiting: ${waiting?.reason ?? ''}`, quote: waiting?.message ?? wanted.image },
  );
}

/** Where HTTPS is spoken when the name says no port; Docker Hub answers under another name. */
function addressOf(registry: string): string {
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  return /:\d{1,5}$/.test(host) ? host : `${host}:443`;
}

interface Clues {
  readonly secretNamed: boolean | undefined;
  readonly secrets: PullSecrets;
  readonly sibling: string | undefined;
  readonly similar: string | undefined;
}

/**
 * Whether what is at this place needs no credentials: Docker Hub's library, a project of which other images run without any, or a place
 * that a slip of the pen made. A registry that denies such an image does not have it.
 */
function isPublic(image: ImageReference, { secretNamed, secrets, sibling, similar }: Clues): boolean {
  if (secretNamed === true || secrets.missing !== undefined || secrets.wrong !== undefined) return false;
  const library = image.registry === 'docker.io' && image.repository.startsWith('library/');
  const slip = similar !== undefined && nameOf(parseImage(similar)) !== nameOf(image);
  return library || sibling !== undefined || slip;
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
