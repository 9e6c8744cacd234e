import type { Diagnosis, Evidence } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { sameObject } from '../../model/kube-object.ts';
import { objectList } from '../../report/format/object-words.ts';
import { commandLine } from '../../report/format/kubectl-words.ts';
import type { SourceFlags } from '../../report/diagnosis/runbook-command.ts';

/**
 * That a text shows more unhealthy objects than the one that was chosen, each of its own workload and outside of the cause: what the answer
 * says nothing of. Undefined where there is none.
 */
export function otherTroubles({ target, causes }: Diagnosis, { targets }: Evidence, source: SourceFlags): string | undefined {
  const told = [
    target,
    ...causes.flatMap(({ object, workload, affected }) => [object, ...(workload === undefined ? [] : [workload]), ...affected]),
  ];
  const rest = targets.filter(
    ({ ref, state, members }) => state === 'unhealthy' && ![ref, ...members].some((member) => told.some((one) => sameObject(one, member))),
  );
  const others = rest.map(({ ref }) => ref).filter((ref, index, all) => ![target, ...all.slice(0, index)].some((one) => areKin(ref, one)));
  if (others.length === 0) return undefined;
  return `note: also unhealthy: ${objectList(others, 3)}; see all with \`${commandLine(['podcheck', 'scan', ...source])}\`\n`;
}

/** Whether both are of one workload, as far as their names tell: a list of pods does not show whose they are. */
function areKin(one: ObjectRef, other: ObjectRef): boolean {
  return one.namespace === other.namespace && stemOf(one) === stemOf(other);
}

function stemOf({ name }: ObjectRef): string {
  return GENERATED.exec(name)?.[1] ?? name;
}

/** What controllers put behind their own names: the hash of a template, and five letters or a number. */
const GENERATED = /^(.{1,240}?)(?:-[a-f0-9bcdfghjklmnpqrstvwxz]{6,10})?(?:-[a-z0-9]{5}|-\d{1,4})?$/;
