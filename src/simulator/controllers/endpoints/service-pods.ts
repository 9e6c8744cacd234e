import { asText, asTextMap, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { selectsLabels } from '../../apiserver/selectors.ts';
import type { Informer, ObjectEvent } from '../../components/informer.ts';
import { keyOfObject } from '../../store/store.ts';
import { conditionOf } from '../conditions.ts';
import { isDeleted } from '../ownership.ts';
import { isFinished, isReady, nodeNameOf } from '../pod-state.ts';

/**
 * Which pods each Service selects, kept as both change, so that a pod of thousands is looked at once and not every time.
 * Tells of Services whose endpoints may have to change.
 */
export class ServicePods {
  readonly #members = new Map<string, Map<string, KubeObject>>();
  readonly #selectors = new Map<string, Readonly<Record<string, string>>>();
  readonly #services: Informer;
  readonly #pods: Informer;
  readonly #changed: (key: string, size: number) => void;

  constructor(services: Informer, pods: Informer, changed: (key: string, size: number) => void) {
    this.#services = services.addIndex('namespace', inNamespace);
    this.#pods = pods.addIndex('namespace', inNamespace);
    this.#changed = changed;
    services.onChange((event) => this.#serviceChanged(event));
    pods.onChange((event) => this.#podChanged(event));
  }

  /** In the order they came. */
  of(service: KubeObject): Iterable<KubeObject> {
    return this.#members.get(keyOfObject(service))?.values() ?? [];
  }

  #serviceChanged({ type, object }: ObjectEvent): void {
    const key = keyOfObject(object);
    const selector = asTextMap(dig(object, 'spec', 'selector'));
    if (type === 'DELETED') {
      this.#members.delete(key);
      this.#selectors.delete(key);
    } else if (JSON.stringify(this.#selectors.get(key)) !== JSON.stringify(selector)) {
      this.#selectors.set(key, selector);
      const chosen = new Map<string, KubeObject>();
      for (const pod of this.#pods.by('namespace', object.metadata.namespace ?? ''))
        if (selectsLabels(selector, labelsOf(pod))) chosen.set(keyOfObject(pod), pod);
      this.#members.set(key, chosen);
    }
    this.#changed(key, this.#members.get(key)?.size ?? 0);
  }

  #podChanged({ type, object, previous }: ObjectEvent): void {
    const services = this.#services.by('namespace', object.metadata.namespace ?? '');
    if (services.length === 0) return;
    const podKey = keyOfObject(object);
    const labels = labelsOf(object);
    const differs = type !== 'MODIFIED' || previous === undefined || signature(previous) !== signature(object);
    for (const service of services) {
      const key = keyOfObject(service);
      const members = this.#members.get(key);
      if (members === undefined) continue;
      const had = members.has(podKey);
      const has = type !== 'DELETED' && selectsLabels(this.#selectors.get(key) ?? {}, labels);
      if (has) members.set(podKey, object);
      else if (had) members.delete(podKey);
      if (had !== has || (has && differs)) this.#changed(key, members.size);
    }
  }
}

/**
 * How long a change of a Service is gathered with others, in milliseconds. Not at all for those of usual size; a large one, whose
 * every change is a rewrite of hundreds of endpoints, is written once a second, as a busy controller gets to it in its turn.
 */
export function gatherMilliseconds(size: number): number {
  return size > LARGE_SERVICE ? 1000 : 0;
}

const LARGE_SERVICE = 100;

/** All of a pod that its endpoints are made of. */
function signature(pod: KubeObject): string {
  const ready = conditionOf(pod, 'Ready');
  return [
    asText(dig(pod, 'status', 'podIP')),
    isReady(pod),
    isDeleted(pod),
    isFinished(pod),
    nodeNameOf(pod),
    asText(dig(pod, 'spec', 'hostname')),
    asText(dig(pod, 'spec', 'subdomain')),
    ready === undefined,
    JSON.stringify(labelsOf(pod)),
  ].join('|');
}

function inNamespace(object: KubeObject): readonly string[] {
  return [object.metadata.namespace ?? ''];
}
