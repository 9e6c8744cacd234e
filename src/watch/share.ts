import { digestOf } from '../base/digest.ts';
import { onceFor } from '../base/once.ts';
import type { ObjectRef } from '../model/kube-object.ts';

/** Which workloads one of several replicas answers for. */
export interface Share {
  /** Equal shares have equal texts. */
  readonly id: string;
  /** It diagnoses these and tells their causes. */
  readonly tells: (workload: ObjectRef) => boolean;
  /** It shows the causes that it knows of these: what it tells, and what a newcomer will tell soon. */
  readonly shows: (workload: ObjectRef) => boolean;
}

/** Of who is alone. */
export const WHOLE: Share = { id: '', tells: () => true, shows: () => true };

/**
 * The share of replica `own`. Replicas that have not settled show and tell nothing yet, but what will be theirs is not told any more by
 * others: so no two tell the same, however late each of them hears of the other.
 */
export function shareOf(own: number, { live, settled }: { readonly live: readonly number[]; readonly settled: readonly number[] }): Share {
  const isSettled = settled.includes(own);
  const now = onceFor((place: string) => ownerOf(place, settled));
  const soon = onceFor((place: string) => ownerOf(place, live));
  const shows = (workload: ObjectRef): boolean => isSettled && now(placeOf(workload)) === own;
  return {
    id: JSON.stringify([own, live, settled]),
    shows,
    tells: (workload) => shows(workload) && soon(placeOf(workload)) === own,
  };
}

/** What is in both. */
export function commonShare(a: Share, b: Share): Share {
  if (a.id === b.id) return a;
  return {
    id: `${a.id} ${b.id}`,
    shows: (workload) => a.shows(workload) && b.shows(workload),
    tells: (workload) => a.tells(workload) && b.tells(workload),
  };
}

/** What belongs to one cause is in one namespace; of what is in none, each object stands for itself. */
function placeOf({ kind, namespace, name }: ObjectRef): string {
  return namespace ?? `${kind}/${name}`;
}

/** Rendezvous hashing: when a replica comes or goes, only its own share moves. */
function ownerOf(place: string, replicas: readonly number[]): number | undefined {
  let [owner, highest] = [undefined as number | undefined, ''];
  for (const replica of replicas) {
    const weight = digestOf(`${replica} ${place}`);
    if (weight > highest) [owner, highest] = [replica, weight];
  }
  return owner;
}
