import { canonicalJson } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { controllerOf, labelsOf } from '../../../model/kube-object.ts';
import type { Informer, ObjectEvent } from '../../components/informer.ts';
import { isActive, isReady, isTerminating } from '../pod-state.ts';

/** How many pods of one owner there are of each sort. */
export interface Tally {
  active: number;
  ready: number;
  terminating: number;
  /** The different label sets of its pods; nearly always one. */
  readonly labels: Map<string, LabelTally>;
}

interface LabelTally {
  readonly labels: Readonly<Record<string, string>>;
  active: number;
  all: number;
}

/**
 * Counts the pods of every controller as they come and go, so that a change of one pod of a thousand costs one step and not
 * a thousand.
 */
export class PodTallies {
  readonly #byOwner = new Map<string, Tally>();
  readonly #texts = new WeakMap<Readonly<Record<string, string>>, string>();

  constructor(pods: Informer) {
    pods.onChange((event) => this.#changed(event));
  }

  of(owner: KubeObject): Tally {
    return this.#byOwner.get(owner.metadata.uid ?? '') ?? { active: 0, ready: 0, terminating: 0, labels: new Map() };
  }

  #changed({ type, object, previous }: ObjectEvent): void {
    if (type === 'MODIFIED' && previous !== undefined && countsAlike(previous, object)) return;
    if (previous !== undefined) this.#count(previous, -1);
    if (type !== 'DELETED') this.#count(object, 1);
  }

  #count(pod: KubeObject, step: 1 | -1): void {
    const uid = controllerOf(pod)?.uid;
    if (uid === undefined) return;
    const tally = this.#byOwner.get(uid) ?? { active: 0, ready: 0, terminating: 0, labels: new Map<string, LabelTally>() };
    const active = isActive(pod);
    if (active) tally.active += step;
    if (active && isReady(pod)) tally.ready += step;
    if (isTerminating(pod)) tally.terminating += step;
    const labels = labelsOf(pod);
    const key = this.#textOf(labels);
    const known = tally.labels.get(key) ?? { labels, active: 0, all: 0 };
    known.all += step;
    if (active) known.active += step;
    if (known.all === 0) tally.labels.delete(key);
    else tally.labels.set(key, known);
    if (tally.labels.size === 0) this.#byOwner.delete(uid);
    else this.#byOwner.set(uid, tally);
  }

  /** Label sets are shared by the states of a pod, so each is written out once. */
  #textOf(labels: Readonly<Record<string, string>>): string {
    const known = this.#texts.get(labels);
    if (known !== undefined) return known;
    const text = canonicalJson(labels);
    this.#texts.set(labels, text);
    return text;
  }
}

/** Most changes of a pod change nothing that is counted. */
function countsAlike(before: KubeObject, after: KubeObject): boolean {
  const sameOwner =
    before.metadata['ownerReferences'] === after.metadata['ownerReferences'] || controllerOf(before)?.uid === controllerOf(after)?.uid;
  const sameLabels = before.metadata['labels'] === after.metadata['labels'];
  return (
    sameOwner &&
    sameLabels &&
    isActive(before) === isActive(after) &&
    isReady(before) === isReady(after) &&
    isTerminating(before) === isTerminating(after)
  );
}
