import { isWorkloadKind } from '../../model/workload-kinds.ts';
import { asList, asObject, dig } from '../../base/json.ts';
import { nearest } from '../../base/text.ts';
import type { ListRead, Read } from '../../model/cluster-reader.ts';
import { ANYTHING } from '../../model/fact.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace, refOf, shows } from '../../model/kube-object.ts';
import { healthOf, isLeaving } from '../containers/container-health.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { NamedReference } from './reference-names.ts';
import { namesIn, onlyPlace } from './reference-names.ts';
import type { Scene } from '../survey/scene.ts';
import { isReady } from './pods.ts';
import { countsOf, templateOf } from './workloads.ts';

/** `reference` facts for every name a pod or template uses that must resolve to an object. */
export async function collectReferences(scene: Scene, sink: FactSink): Promise<void> {
  const resolver = new Resolver(scene, sink);
  for (const pod of scene.judged) {
    const settled = isLeaving(pod) || !isPending(pod, scene);
    const isDone = isLeaving(pod) || isReady(pod) === true;
    for (const name of namesIn(dig(pod, 'spec'), (path) => shows(pod, `spec.${path}`)))
      // The kubelet makes a directory of a subPath that is not there: the container starts all the same.
      await resolver.fact(pod, name, name.via === 'subPath' ? isDone : settled);
  }
  for (const workload of scene.workloads) {
    if (!lacksPods(workload, scene)) continue;
    const path = workload.kind === 'CronJob' ? 'spec.jobTemplate.spec.template.spec' : 'spec.template.spec';
    for (const name of namesIn(dig(templateOf(workload), 'spec'), (field) => shows(workload, `${path}.${field}`)))
      await resolver.fact(workload, name, false);
  }
}

/** Whether a container of the pod still waits for what it needs: afterwards a missing object stops nothing. */
function isPending(pod: KubeObject, scene: Scene): boolean {
  const phase = dig(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return false;
  const healths = healthOf(pod, scene.survey.now());
  return (
    healths.length === 0 ||
    healths.some(({ state, waiting }) => state === undefined || (state === 'waiting' && waiting?.reason !== 'CrashLoopBackOff'))
  );
}

/** A template's names matter while no pod of it exists to ask. */
function lacksPods(workload: KubeObject, scene: Scene): boolean {
  const ref = refOf(workload);
  const { desired } = countsOf(workload, scene);
  if (desired === undefined || desired === 0 || workload.kind === 'Job' || workload.kind === 'CronJob') return false;
  const top = scene.workloadOf(ref);
  return top !== undefined && formatRef(top) === formatRef(ref) && isWorkloadKind(workload.kind) && scene.podsOf(ref).length === 0;
}

/** Existing objects of a kind in a namespace, as far as they are needed. */
interface Found {
  readonly object?: KubeObject;
  readonly exists: boolean | undefined;
}

/** Reads in all for one target: what a pod names beyond that stays untold. */
const TARGET_GETS = 6;

class Resolver {
  readonly #scene: Scene;
  readonly #sink: FactSink;
  readonly #asked = new Set<string>();
  readonly #gaps = new Set<string>();

  constructor(scene: Scene, sink: FactSink) {
    this.#scene = scene;
    this.#sink = sink;
  }

  /** Adds the fact of one reference. `settled`: what it names was there when the pod started, and is not looked up. */
  async fact(owner: KubeObject, name: NamedReference, settled: boolean): Promise<void> {
    const about = refOf(owner);
    const { refKind, refName, via, key, optional, container, volume } = name;
    const found: Found = settled || !this.#mayRead(owner, name) ? { exists: undefined } : await this.#find(about, name);
    const { exists } = found;
    const keyExists = key === undefined || found.object === undefined ? undefined : keysOf(found.object)?.includes(key);
    const missing = exists === false || keyExists === false;
    const similar = missing ? await this.#similar(about, name, found) : undefined;
    this.#sink.fact(
      'reference',
      about,
      {
        refKind,
        refName,
        via,
        key,
        optional,
        exists,
        keyExists,
        similar,
        path: similar === undefined ? undefined : this.#path(owner, name, exists === false ? 'name' : 'key'),
        elsewhere: exists === false ? await this.#elsewhere(about, name) : undefined,
        container,
        volume,
      },
      { source: `${formatRef(about)} spec`, quote: quoteOf(name, exists, keyExists) },
    );
  }

  /** For a pod that waits for a node only its claims are worth a request. */
  #mayRead(owner: KubeObject, { refKind }: NamedReference): boolean {
    if (this.#scene.survey.stored || owner.kind !== 'Pod' || refKind === 'PersistentVolumeClaim') return true;
    return dig(owner, 'spec', 'nodeName') !== undefined;
  }

  async #find(about: ObjectRef, { refKind, refName }: NamedReference): Promise<Found> {
    const { namespace } = about;
    if (this.#scene.request.target === undefined) {
      const list = await this.#list(refKind, namespace);
      if (!list.ok) return this.#unread(about, list, { kind: refKind, ...inNamespace(namespace), name: ANYTHING });
      const object = list.value.find(({ metadata }) => metadata.name === refName);
      if (object !== undefined) return { object, exists: true };
      if (list.partial === undefined) return { exists: false };
    }
    const ref = { kind: refKind, ...(refKind === 'CSIDriver' ? {} : inNamespace(namespace)), name: refName };
    this.#asked.add(formatRef(ref));
    if (this.#asked.size > TARGET_GETS && !this.#scene.survey.stored) return { exists: undefined };
    const read: Read<KubeObject> = await this.#scene.survey.get(ref);
    if (read.ok) return { object: read.value, exists: true };
    return read.why === 'absent' ? { exists: false } : this.#unread(about, read, about);
  }

  #list(kind: string, namespace: string | undefined): Promise<ListRead> {
    return this.#scene.survey.list(kind, kind === 'CSIDriver' ? {} : inNamespace(namespace));
  }

  #unread(about: ObjectRef, unread: Exclude<Read<unknown>, { ok: true }>, gapAbout: ObjectRef): Found {
    const key = `${formatRef(gapAbout)} ${unread.detail}`;
    if (!this.#gaps.has(key)) this.#sink.gap('reference', gapAbout.name === ANYTHING ? gapAbout : about, unread);
    this.#gaps.add(key);
    return { exists: undefined };
  }

  /** Where the template has the name or key: containers and volumes that were injected into a pod are not in it. */
  #path(owner: KubeObject, name: NamedReference, what: 'name' | 'key'): string | undefined {
    const top = this.#scene.workloadOf(refOf(owner));
    const template = top === undefined ? owner : this.#scene.workload(top);
    if (template === undefined || !shows(template, 'spec')) return undefined;
    const spec = template.kind === 'Pod' ? dig(template, 'spec') : dig(templateOf(template), 'spec');
    return onlyPlace(
      namesIn(spec, () => true),
      name,
      what,
    );
  }

  async #similar(
    { namespace }: ObjectRef,
    { refKind, refName, key }: NamedReference,
    { object, exists }: Found,
  ): Promise<string | undefined> {
    if (exists === true && key !== undefined) return object === undefined ? undefined : nearest(key, keysOf(object) ?? [])[0];
    const list = await this.#list(refKind, namespace);
    return list.ok
      ? nearest(
          refName,
          list.value.map(({ metadata }) => metadata.name).filter((name) => name !== refName),
        )[0]
      : undefined;
  }

  /** Only where looking costs nothing: another namespace is none of the target's business. */
  async #elsewhere({ namespace }: ObjectRef, { refKind, refName }: NamedReference): Promise<string | undefined> {
    if (!this.#scene.survey.stored || refKind === 'CSIDriver') return undefined;
    const list = await this.#scene.survey.list(refKind, {});
    return list.ok
      ? list.value.find(({ metadata }) => metadata.name === refName && metadata.namespace !== namespace)?.metadata.namespace
      : undefined;
  }
}

/** Keys of a ConfigMap or Secret; undefined when the source does not show them. */
function keysOf(object: KubeObject): readonly string[] | undefined {
  const parts = ['data', 'binaryData', 'stringData'].filter((field) => dig(object, field) !== undefined);
  if (parts.length > 0) return parts.flatMap((field) => Object.keys(asObject(dig(object, field))));
  return object.kind === 'ConfigMap' && shows(object, 'data') ? [] : undefined;
}

function quoteOf(name: NamedReference, exists: boolean | undefined, keyExists: boolean | undefined): string {
  const { refKind, refName, key } = name;
  const place = placeOf(name);
  const state = exists === false ? ', which does not exist' : keyExists === false ? ', which it does not have' : '';
  return `${place}: ${refKind} ${refName}${key === undefined ? '' : ` key ${key}`}${state}`;
}

function placeOf({ via, container, volume }: NamedReference): string {
  if (volume !== undefined && via !== 'subPath') return `volume ${volume}`;
  return container === undefined ? `${via}s` : `${via} of container ${container}`;
}

/** Names of the Secrets that the pod may pull images with. */
export function pullSecretsOf(pod: KubeObject): readonly string[] {
  return asList(dig(pod, 'spec', 'imagePullSecrets')).flatMap((entry) => {
    const name = dig(entry, 'name');
    return typeof name === 'string' ? [name] : [];
  });
}
