import { digestOf } from '../../../base/digest.ts';
import type { Instant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asObject, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import { defaultPodOnly, defaultPodSpec } from '../../apiserver/defaulting/pod-spec.ts';
import type { ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { microTimeOf } from '../../time/api-times.ts';

interface StaticPod {
  readonly file: string;
  readonly pod: KubeObject;
  mirror: KubeObject | undefined;
  /** A periodic sync: the last that was worked out. */
  synced: Instant;
  /** It has had a mirror: what is to be shown is known, and nothing new comes about. */
  wasShown: boolean;
}

/** Pods from files on the machine, and the mirrors that show them in the API. Source: pkg/kubelet/{config/file.go,pod/mirror_client.go}. */
export class StaticPods {
  readonly #host: ComponentHost;
  readonly #admit: (pod: KubeObject) => void;
  readonly #remove: (uid: string) => void;
  readonly #renewed: (pod: KubeObject) => void;
  readonly #pods = new Map<string, StaticPod>();
  #lookUp: (namespace: string | undefined, name: string) => KubeObject | undefined = () => undefined;
  #started: Instant = 0;

  constructor(host: ComponentHost, admit: (pod: KubeObject) => void, remove: (uid: string) => void, renewed: (pod: KubeObject) => void) {
    this.#renewed = renewed;
    this.#host = host;
    this.#admit = admit;
    this.#remove = remove;
  }

  start(lookUp: (namespace: string | undefined, name: string) => KubeObject | undefined): void {
    this.#lookUp = lookUp;
    this.#started = this.#host.now();
    const { datacenter } = this.#host.world;
    datacenter.onManifestChange(this.#host.node, () => this.#host.after(10, 'static pods', () => this.#read()));
    this.#read();
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  mirrorOf(uid: string): KubeObject | undefined {
    return this.#pods.get(uid)?.mirror;
  }

  uidOfMirror(pod: KubeObject): string | undefined {
    return annotationsOf(pod)['kubernetes.io/config.mirror'];
  }

  /** A mirror came, changed or went. Deleting it wakes the pod's worker, which ends it at once, and makes it again. */
  mirrorChanged(type: 'ADDED' | 'MODIFIED' | 'DELETED', mirror: KubeObject): void {
    const known = this.#pods.get(this.uidOfMirror(mirror) ?? '');
    if (known === undefined) {
      if (type !== 'DELETED') this.#host.spawn(this.#deleteMirror(mirror));
      return;
    }
    const wasEnding = known.mirror?.metadata['deletionTimestamp'] !== undefined;
    const isNew = type === 'ADDED' && known.mirror === undefined;
    known.mirror = type === 'DELETED' ? undefined : mirror;
    if (isNew) this.#show(known);
    if (type === 'DELETED') this.#host.spawn(this.#createMirror(known));
    else if (mirror.metadata['deletionTimestamp'] !== undefined && !wasEnding) this.#host.spawn(this.#deleteMirror(mirror));
  }

  /** The status of a pod is written when it changes. A mirror that came again gets it with the next check of all of them. */
  #show(known: StaticPod): void {
    const since = (this.#host.now() - this.#started) % BATCH_MILLISECONDS;
    if (known.wasShown) this.#host.after(BATCH_MILLISECONDS - since, 'statuses of mirrors', () => this.#renewed(known.pod));
    else this.#renewed(known.pod);
    known.wasShown = true;
  }

  #nextSync(known: StaticPod): Instant {
    while (known.synced <= this.#host.now()) known.synced += this.#host.prng.between(RESYNC_MILLISECONDS, RESYNC_MILLISECONDS * 1.5);
    return known.synced;
  }

  #read(): void {
    const manifests = this.#host.world.datacenter.manifests(this.#host.node);
    for (const [uid, known] of this.#pods) {
      const manifest = manifests.get(known.file);
      if (manifest !== undefined && uid === hashOf(manifest, this.#host.node)) continue;
      this.#pods.delete(uid);
      this.#remove(uid);
      if (known.mirror !== undefined) this.#host.spawn(this.#deleteMirror(known.mirror));
    }
    for (const [file, manifest] of manifests) {
      const uid = hashOf(manifest, this.#host.node);
      if (this.#pods.has(uid)) continue;
      const pod = this.#podOf(manifest, uid);
      const mirror = this.#lookUp(pod.metadata.namespace, pod.metadata.name);
      const entry: StaticPod = { file, pod, mirror, synced: this.#host.now() + STARTED_MILLISECONDS, wasShown: mirror !== undefined };
      this.#pods.set(uid, entry);
      this.#admit(pod);
      if (entry.mirror === undefined) this.#host.spawn(this.#createMirror(entry));
    }
  }

  #podOf(manifest: KubeObject, uid: string): KubeObject {
    const { node } = this.#host;
    const spec = defaultPodOnly(defaultPodSpec(asObject(manifest['spec'])));
    const annotations = {
      ...annotationsOf(manifest),
      'kubernetes.io/config.hash': uid,
      'kubernetes.io/config.seen': microTimeOf(this.#host.now()),
      'kubernetes.io/config.source': 'file',
    };
    const tolerations = [{ operator: 'Exists', effect: 'NoExecute' }];
    const metadata = withFields(manifest.metadata, {
      name: `${manifest.metadata.name}-${node}`,
      namespace: manifest.metadata.namespace ?? 'default',
      uid,
      annotations,
    });
    return { apiVersion: 'v1', kind: 'Pod', metadata, spec: withFields(spec, { nodeName: node, tolerations }) };
  }

  *#createMirror(entry: StaticPod): Routine {
    const { node } = this.#host;
    while (this.#pods.get(entry.pod.metadata.uid ?? '') === entry) {
      const { uid, ...metadata } = entry.pod.metadata;
      const owner = yield* this.#host.client.get({ kind: 'Node', name: node });
      const owners = owner.ok
        ? [{ apiVersion: 'v1', kind: 'Node', name: node, uid: owner.object.metadata.uid ?? '', controller: true }]
        : [];
      const annotations: JsonObject = { ...asObject(metadata['annotations']), 'kubernetes.io/config.mirror': uid ?? '' };
      const answer = yield* this.#host.client.create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, namespace: entry.pod.metadata.namespace ?? 'default', annotations, ownerReferences: owners },
        spec: dig(entry.pod, 'spec') ?? {},
      });
      if (answer.ok || answer.reason === 'AlreadyExists') return;
      yield* sleep(this.#host, this.#nextSync(entry) - this.#host.now(), 'mirror again');
    }
  }

  *#deleteMirror(mirror: KubeObject): Routine {
    const { name, namespace, uid } = mirror.metadata;
    yield* this.#host.client.delete(
      { kind: 'Pod', namespace: namespace ?? 'default', name },
      { gracePeriodSeconds: 0, preconditions: uid === undefined ? {} : { uid } },
    );
  }
}

/** Source: pkg/kubelet/kubelet.go (syncFrequency), pod_workers.go (workerResyncIntervalJitterFactor). */
const RESYNC_MILLISECONDS = 60_000;
/** Source: pkg/kubelet/status/status_manager.go (syncPeriod). */
const BATCH_MILLISECONDS = 10_000;
/** The sync from which the first period is counted finds the containers started. */
const STARTED_MILLISECONDS = 1000;

function hashOf(manifest: KubeObject, node: string): string {
  return digestOf(`${node} ${JSON.stringify(manifest)}`);
}
