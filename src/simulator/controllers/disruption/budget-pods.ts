import { asObject, dig } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { controllerOf, labelsOf } from '../../../model/kube-object.ts';
import type { LabelMatcher } from '../../apiserver/selectors.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { Informer } from '../../components/informer.ts';
import { keyOfObject } from '../../store/store.ts';
import { isDeleted } from '../ownership.ts';
import { isReady } from '../pod-state.ts';

/** The pods of one budget, counted. */
export interface BudgetTally {
  readonly matches: LabelMatcher;
  readonly pods: Map<string, KubeObject>;
  /** Ready and not being deleted. */
  healthy: number;
  unmanaged: number;
  /** The controllers of its pods by uid, and how many pods each has here. */
  readonly controllers: Map<string, { readonly ref: ObjectRef; readonly pod: string; pods: number }>;
}

/** Counts the pods of every disruption budget as they come and go, so that one pod's change is one step whatever the budget's size. */
export class BudgetPods {
  readonly #budgets: Informer;
  readonly #pods: Informer;
  readonly #tallies = new Map<string, BudgetTally>();

  constructor(budgets: Informer, pods: Informer) {
    this.#budgets = budgets.addIndex('namespace', inNamespace);
    this.#pods = pods.addIndex('namespace', inNamespace);
    budgets.onChange(({ type, object, previous }) => {
      if (type === 'DELETED') this.#tallies.delete(keyOfObject(object));
      else if (previous === undefined || dig(previous, 'spec', 'selector') !== dig(object, 'spec', 'selector')) this.#count(object);
    });
    pods.onChange(({ type, object, previous }) => {
      for (const budget of this.#budgetsIn(object)) {
        const tally = this.#tallies.get(keyOfObject(budget));
        if (tally === undefined) continue;
        if (previous !== undefined) step(tally, previous, -1);
        if (type !== 'DELETED') step(tally, object, 1);
      }
    });
  }

  of(budget: KubeObject): BudgetTally | undefined {
    return this.#tallies.get(keyOfObject(budget));
  }

  /** The budgets that select a pod, in the order they were made. */
  budgetsOf(pod: KubeObject): readonly KubeObject[] {
    const labels = labelsOf(pod);
    return this.#budgetsIn(pod).filter((budget) => this.of(budget)?.matches(labels) === true);
  }

  #budgetsIn(pod: KubeObject): readonly KubeObject[] {
    return this.#budgets.by('namespace', pod.metadata.namespace ?? '');
  }

  #count(budget: KubeObject): void {
    const tally: BudgetTally = {
      matches: labelSelectorMatcher(asObject(dig(budget, 'spec', 'selector'))),
      pods: new Map(),
      healthy: 0,
      unmanaged: 0,
      controllers: new Map(),
    };
    for (const pod of this.#pods.by('namespace', budget.metadata.namespace ?? '')) step(tally, pod, 1);
    this.#tallies.set(keyOfObject(budget), tally);
  }
}

function inNamespace(object: KubeObject): readonly string[] {
  return [object.metadata.namespace ?? ''];
}

function step(tally: BudgetTally, pod: KubeObject, by: 1 | -1): void {
  if (!tally.matches(labelsOf(pod))) return;
  const key = keyOfObject(pod);
  if (by === 1) tally.pods.set(key, pod);
  else tally.pods.delete(key);
  if (isHealthy(pod)) tally.healthy += by;
  const controller = controllerOf(pod);
  if (controller === undefined) {
    tally.unmanaged += by;
    return;
  }
  const uid = controller.uid ?? '';
  const known = tally.controllers.get(uid) ?? { ref: controller, pod: pod.metadata.name, pods: 0 };
  known.pods += by;
  if (known.pods === 0) tally.controllers.delete(uid);
  else tally.controllers.set(uid, known);
}

export function isHealthy(pod: KubeObject): boolean {
  return !isDeleted(pod) && isReady(pod);
}
