import type { ClusterChanger } from '../../model/cluster-changer.ts';
import type { Cause, Diagnosis } from '../../model/diagnosis.ts';
import { deniedRights } from '../../runbook/change-access.ts';

/** The diagnosis with what a person may not do of the fix of its first cause, said before they try it. Nothing is changed. */
export async function withDeniedRights(diagnosis: Diagnosis, changer: ClusterChanger): Promise<Diagnosis> {
  const [cause, ...others] = diagnosis.causes;
  if (cause === undefined) return diagnosis;
  const fix: Cause['fix'][number][] = [];
  for (const step of cause.fix) {
    const denied = step.run === undefined ? [] : await deniedRights(step.run, changer);
    fix.push(denied.length === 0 ? step : { ...step, say: `${step.say} You lack the permission: ${denied.join(', ')}.` });
  }
  return { ...diagnosis, causes: [{ ...cause, fix }, ...others] };
}
