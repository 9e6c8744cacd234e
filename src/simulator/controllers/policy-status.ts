import type { JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { typeChecking } from '../apiserver/admission/policy-type-check.ts';
import { withOwner } from '../apiserver/ownership/track.ts';
import type { Resources } from '../apiserver/resources.ts';
import type { Store } from '../store/store.ts';
import type { Agenda, Task } from '../time/agenda.ts';
import { timeOf } from '../time/api-times.ts';

const POLICIES = 'validatingadmissionpolicies.admissionregistration.k8s.io';

/**
 * The status of every ValidatingAdmissionPolicy: what is wrong with the types of its expressions.
 * Source: pkg/controller/validatingadmissionpolicystatus/controller.go.
 */
export function followPolicies(agenda: Agenda, store: Store, resources: Resources): void {
  let due: Task | undefined;
  store.subscribe(POLICIES, () => {
    if (due?.pending === true || store.count(POLICIES) === 0) return;
    due = agenda.at(agenda.now + CHECK_MILLISECONDS, 'types of policies', () => {
      for (const policy of store.list(POLICIES)) check(policy, agenda, store, resources);
    });
  });
}

const CHECK_MILLISECONDS = 50;
const MANAGER = 'validatingadmissionpolicy-status';

function check(policy: KubeObject, agenda: Agenda, store: Store, resources: Resources): void {
  const generation = asNumber(policy.metadata['generation']) ?? 1;
  if (generation <= (asNumber(dig(policy, 'status', 'observedGeneration')) ?? 0)) return;
  const types = typeChecking(policy, resources);
  // Warnings of somebody else stay where there are none to apply.
  const mine = asList(policy.metadata['managedFields']).find((entry) => dig(entry, 'manager') === MANAGER);
  const wasMine = dig(mine, 'fieldsV1', 'f:status', 'f:typeChecking', 'f:expressionWarnings') !== undefined;
  const before = wasMine ? {} : asObject(dig(policy, 'status', 'typeChecking'));
  const applied = { observedGeneration: generation, typeChecking: withFields(before, types) };
  const next = withFields(policy, { status: withFields(asObject(policy['status']), applied) });
  const owned: JsonObject = types['expressionWarnings'] === undefined ? {} : { 'f:expressionWarnings': {} };
  const metadata = withOwner({ model: 'V1ValidatingAdmissionPolicy' }, policy, next, next, {
    manager: MANAGER,
    operation: 'Apply',
    apiVersion: 'admissionregistration.k8s.io/v1',
    time: timeOf(agenda.now),
    subresource: 'status',
    fields: { 'f:status': { 'f:observedGeneration': {}, 'f:typeChecking': owned } },
  });
  store.update(POLICIES, withFields(next, { metadata }));
}
