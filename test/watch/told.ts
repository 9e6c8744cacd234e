import type { Cause, Diagnosis, Outcome } from '../../src/model/diagnosis.ts';
import type { KubeObject, ObjectRef } from '../../src/model/kube-object.ts';
import type { Change } from '../../src/model/watch-change.ts';
import { Casebook } from '../../src/watch/casebook.ts';
import { Inventory } from '../../src/watch/inventory.ts';

/** A day on which nothing else happens; milliseconds. */
export const START = Date.parse('2026-11-20T09:00:00Z');

export const WEB: ObjectRef = { kind: 'Deployment', namespace: 'shop', name: 'web' };

/** An inventory and a casebook that live in virtual time, and an answer for whoever is diagnosed. */
export class WatchedShop {
  now = START;
  readonly inventory = new Inventory();
  readonly casebook: Casebook;
  readonly told: Change[] = [];
  /** Workloads that were diagnosed, with the second at which they were. */
  readonly looked: (readonly [string, number])[] = [];
  isOwn: (ref: ObjectRef) => boolean = () => true;
  answer: (ref: ObjectRef) => Diagnosis | undefined = (ref) => diagnosis(ref, 'explained', 'volumes/configmap-not-found');

  constructor(most = 4) {
    this.casebook = new Casebook(most);
  }

  see(...objects: readonly KubeObject[]): void {
    for (const object of objects) this.inventory.seen(object.kind, object, this.now);
  }

  /** Lets time pass, second by second. */
  pass(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      this.now += 1000;
      const { now } = this;
      const sick = this.inventory.sickWorkloads();
      const provenAt = this.inventory.provenAt(now);
      this.told.push(
        ...this.casebook.update({ sick, provenAt, exists: (ref) => this.inventory.has(ref), isOwn: (ref) => this.isOwn(ref) }, now),
      );
      for (const { ref } of this.casebook.due(now)) {
        this.looked.push([ref.name, (now - START) / 1000]);
        this.told.push(...this.casebook.answered(ref, this.answer(ref), now));
      }
    }
  }

  types(): readonly string[] {
    return this.told.map(({ type }) => type);
  }
}

export function diagnosis(target: ObjectRef, outcome: Outcome, rule?: string, object: ObjectRef = SETTINGS): Diagnosis {
  const causes = rule === undefined ? [] : [cause(rule, object, target)];
  return { target, at: START, outcome, state: outcome === 'healthy' ? 'healthy' : 'unhealthy', stages: [], causes, gaps: [] };
}

export const SETTINGS: ObjectRef = { kind: 'ConfigMap', namespace: 'shop', name: 'web-settings' };

function cause(rule: string, object: ObjectRef, workload: ObjectRef): Cause {
  return {
    rank: 1,
    rule,
    stage: 'volumes',
    title: `Title of ${rule}`,
    object,
    workload,
    params: {},
    what: 'What.',
    why: 'Why.',
    fix: [{ say: 'Mend it.', run: 'kubectl mend' }],
    evidence: [{ about: object, source: 'event', quote: 'Warning FailedMount' }],
    affected: [],
    explains: [],
    references: [],
  };
}

let version = 0;

/** A Deployment with so many of its two replicas ready. */
export function deployment(ready: number, name = 'web'): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', uid: `deployment-${name}`, resourceVersion: String((version += 1)) },
    spec: { replicas: 2 },
    status: { readyReplicas: ready, updatedReplicas: 2, availableReplicas: ready },
  };
}

export function replicaSet(name = 'web'): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-1`,
      namespace: 'shop',
      uid: `set-${name}`,
      resourceVersion: String((version += 1)),
      ownerReferences: [{ kind: 'Deployment', name, uid: `deployment-${name}`, controller: true }],
    },
  };
}

export function pod(number: number, state: 'ready' | 'waiting', more: Partial<KubeObject> = {}, name = 'web'): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${name}-1-${number}`,
      namespace: 'shop',
      uid: `pod-${name}-${number}`,
      resourceVersion: String((version += 1)),
      ownerReferences: [{ kind: 'ReplicaSet', name: `${name}-1`, uid: `set-${name}`, controller: true }],
    },
    status: {
      phase: state === 'ready' ? 'Running' : 'Pending',
      conditions: [{ type: 'Ready', status: state === 'ready' ? 'True' : 'False' }],
    },
    ...more,
  };
}
