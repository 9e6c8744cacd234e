import type { JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { wait } from '../../time/routine.ts';
import { BackOff } from '../containers/back-off.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import { append } from '../../../base/lists.ts';
import type { Image } from '../../images/image-catalog.ts';
import type { ImageReference } from '../../images/image-reference.ts';
import { parseImage } from '../../images/image-reference.ts';
import type { ObjectCache } from '../object-cache.ts';
import { amountOf, goDuration } from '../pods/pod-fields.ts';
import type { Login } from '../../images/registry.ts';
import { loginsOf } from '../../images/registry.ts';
import type { NodeRuntime } from '../runtime/runtime.ts';
import { INVALID_IMAGE, NEVER_PULL, PRESENT, PULL_BACK_OFF, PULL_FAILED, PULLED, PULLING } from '../kubelet-messages.ts';

export type Ensured =
  | { readonly ok: true; readonly image: Image }
  | { readonly ok: false; readonly reason: string; readonly message: string };

export type Say = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** Has a container's image on the machine, or says why not. One pull at a time. Source: pkg/kubelet/images/image_manager.go. */
export class ImageManager {
  readonly #host: ComponentHost;
  readonly #runtime: NodeRuntime;
  readonly #objects: ObjectCache;
  readonly #backOff = new BackOff(10_000, 300_000);
  readonly #lastError = new Map<string, string>();
  readonly #queue: (() => void)[] = [];
  #pulling = false;

  constructor(host: ComponentHost, runtime: NodeRuntime, objects: ObjectCache) {
    this.#host = host;
    this.#runtime = runtime;
    this.#objects = objects;
  }

  *ensure(pod: KubeObject, container: JsonObject, say: Say): Routine<Ensured> {
    const name = asText(container['image']) ?? '';
    const reference = parseImage(name);
    if ('trouble' in reference) {
      const message = INVALID_IMAGE(name, reference.trouble);
      say('Warning', 'InspectFailed', message);
      return { ok: false, reason: 'InvalidImageName', message };
    }
    const policy = asText(container['imagePullPolicy']) ?? 'IfNotPresent';
    const present = this.#runtime.images.get(reference.normalized);
    if (policy === 'Never' && present === undefined) {
      say('Warning', 'ErrImageNeverPull', NEVER_PULL(name));
      return { ok: false, reason: 'ErrImageNeverPull', message: NEVER_PULL(name) };
    }
    const logins = present === undefined || this.#runtime.pulledWith.has(reference.normalized) ? yield* this.#logins(pod, reference) : [];
    if (present !== undefined && policy !== 'Always' && this.#mayUse(reference, logins)) {
      say('Normal', 'Pulled', PRESENT(name));
      return { ok: true, image: present };
    }
    return yield* this.#pull(pod, name, reference, logins, say);
  }

  /** Whether an image is there, and was not pulled with credentials that not everybody has. */
  isForAll(name: string): boolean {
    const reference = parseImage(name);
    return (
      !('trouble' in reference) && this.#runtime.images.has(reference.normalized) && !this.#runtime.pulledWith.has(reference.normalized)
    );
  }

  forget(podUid: string): void {
    this.#backOff.forget(podUid);
  }

  /** An image that was pulled with credentials is for pods that have the same. Images that were there from the start are for all. */
  #mayUse(reference: ImageReference, logins: readonly Login[]): boolean {
    const needed = this.#runtime.pulledWith.get(reference.normalized);
    return needed === undefined || logins.some((login) => needed.has(`${login.username}:${login.password}`));
  }

  *#pull(pod: KubeObject, name: string, reference: ImageReference, logins: readonly Login[], say: Say): Routine<Ensured> {
    const key = `${pod.metadata.uid}_${name}`;
    if (this.#backOff.waitSinceUpdate(key, this.#host.now()) !== undefined) {
      say('Normal', 'BackOff', PULL_BACK_OFF(name));
      return { ok: false, reason: 'ImagePullBackOff', message: `${PULL_BACK_OFF(name)}: ErrImagePull: ${this.#lastError.get(key) ?? ''}` };
    }
    say('Normal', 'Pulling', PULLING(name));
    const asked = this.#host.now();
    yield* this.#turn();
    const { registries, architecture } = this.#runtime.options;
    const pulled = registries.pull(reference, architecture, logins, this.#host.now());
    const begun = this.#host.now();
    yield* sleep(this.#host, pulled.milliseconds * this.#host.prng.between(0.8, 1.2), 'pull');
    this.#next();
    const refused = pulled.ok ? this.#noSpaceFor(reference, pulled.image) : pulled.message;
    if (!pulled.ok || refused !== undefined) {
      const now = this.#host.now();
      this.#backOff.next(key, now, now);
      const message = refused ?? '';
      this.#lastError.set(key, message);
      say('Warning', 'Failed', PULL_FAILED(name, message));
      return { ok: false, reason: 'ErrImagePull', message };
    }
    this.#keep(reference, pulled.image, logins);
    const now = this.#host.now();
    say('Normal', 'Pulled', PULLED(name, goDuration(now - begun), goDuration(now - asked), Math.round(pulled.image.size)));
    return { ok: true, image: pulled.image };
  }

  /** The machine's disk must take the image beside all that is on it. Source: containerd core/unpack/unpacker.go. */
  #noSpaceFor({ normalized }: ImageReference, image: Image): string | undefined {
    const { images, usage } = this.#runtime;
    const capacity = amountOf(this.#host.world.machines.get(this.#host.node)?.spec.ephemeralStorage) ?? Number.POSITIVE_INFINITY;
    let used = capacity * usage.diskFraction;
    for (const each of images.values()) used += each.size;
    if (used + image.size <= capacity) return undefined;
    return `failed to pull and unpack image "${normalized}": failed to extract layer (application/vnd.oci.image.layer.v1.tar+gzip ${image.digest}) to overlayfs as "extract-1": write /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/1/fs: no space left on device`;
  }

  #keep(reference: ImageReference, image: Image, logins: readonly Login[]): void {
    this.#runtime.images.set(reference.normalized, image);
    const spec = this.#runtime.options.registries.of(reference.registry);
    if (spec.users === undefined || logins.length === 0) return;
    const known = this.#runtime.pulledWith.get(reference.normalized) ?? new Set<string>();
    this.#runtime.pulledWith.set(reference.normalized, known);
    for (const login of logins) known.add(`${login.username}:${login.password}`);
  }

  *#logins(pod: KubeObject, reference: ImageReference): Routine<readonly Login[]> {
    const logins: Login[] = [];
    for (const entry of asList(dig(pod, 'spec', 'imagePullSecrets'))) {
      const secret = yield* this.#objects.get({
        kind: 'Secret',
        namespace: pod.metadata.namespace ?? '',
        name: asText(dig(entry, 'name')) ?? '',
      });
      if (secret.ok) append(logins, loginsOf(secret.object, reference.registry, reference.repository, decodeBase64));
    }
    return logins;
  }

  /** serializeImagePulls: who comes while another pull goes on waits for it. */
  *#turn(): Routine {
    if (this.#pulling) yield* wait<void>((resume) => void this.#queue.push(() => resume()));
    this.#pulling = true;
  }

  #next(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#pulling = false;
    else next();
  }
}
