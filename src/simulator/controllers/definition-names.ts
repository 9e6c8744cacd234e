import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, dig } from '../../base/json.ts';
import { sameJson, withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { withOwner } from '../apiserver/ownership/track.ts';
import type { Store } from '../store/store.ts';
import type { Agenda, Task } from '../time/agenda.ts';
import { timeOf } from '../time/api-times.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/**
 * Accepts the names of definitions that have other ones than were accepted. New definitions come with theirs.
 * Source: apiextensions-apiserver/pkg/controller/status/naming_controller.go.
 */
export function followDefinitions(agenda: Agenda, store: Store): void {
  let due: Task | undefined;
  store.subscribe(DEFINITIONS, () => {
    if (due?.pending === true) return;
    const all = store.list(DEFINITIONS);
    if (all.every(isNamed)) return;
    due = agenda.at(agenda.now + NAMING_MILLISECONDS, 'names of definitions', () => {
      for (const definition of store.list(DEFINITIONS)) if (!isNamed(definition)) accept(definition, agenda, store);
    });
  });
}

const NAMING_MILLISECONDS = 20;

function isNamed(definition: KubeObject): boolean {
  return sameJson(dig(definition, 'spec', 'names'), dig(definition, 'status', 'acceptedNames'));
}

function accept(definition: KubeObject, agenda: Agenda, store: Store): void {
  const [names, status] = [asObject(dig(definition, 'spec', 'names')), asObject(definition['status'])];
  const conflict = conflictOf(definition, names, store);
  const acceptedNames =
    conflict === undefined ? names : withFields(names, { [conflict.field]: dig(status, 'acceptedNames', conflict.field) });
  const naming = conflict ?? { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  const conditions = withCondition(asList(status['conditions']), 'NamesAccepted', naming, timeOf(agenda.now));
  const established = conditions.some((one) => dig(one, 'type') === 'Established' && dig(one, 'status') === 'True');
  const initial = { status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' };
  const all = established || conflict !== undefined ? conditions : withCondition(conditions, 'Established', initial, timeOf(agenda.now));
  const next = withFields(definition, { status: withFields(status, { acceptedNames, conditions: all }) });
  if (sameJson(next['status'], status)) return;
  const metadata = withOwner({ model: 'V1CustomResourceDefinition' }, definition, next, next, {
    manager: 'kube-apiserver',
    operation: 'Update',
    apiVersion: 'apiextensions.k8s.io/v1',
    time: timeOf(agenda.now),
    subresource: 'status',
  });
  store.update(DEFINITIONS, withFields(next, { metadata }));
}

interface Conflict {
  readonly field: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The last of the names that another definition of the group has. */
function conflictOf(definition: KubeObject, names: JsonObject, store: Store): Conflict | undefined {
  const others = store
    .list(DEFINITIONS)
    .filter((one) => one !== definition && dig(one, 'spec', 'group') === dig(definition, 'spec', 'group'))
    .map((one) => asObject(dig(one, 'status', 'acceptedNames')));
  const taken = (fields: readonly string[], name: Json | undefined): boolean =>
    others.some(
      (other) =>
        fields.some((field) => other[field] === name) || (fields === RESOURCES && asList(other['shortNames']).includes(name ?? '')),
    );
  const field = ['listKind', 'kind', 'singular', 'plural'].find((one) => taken(one.endsWith('ind') ? KINDS : RESOURCES, names[one]));
  if (field === undefined) return undefined;
  const reason = `${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`;
  return { field, status: 'False', reason, message: `${JSON.stringify(names[field])} is already in use` };
}

const RESOURCES: readonly string[] = ['plural', 'singular'];
const KINDS: readonly string[] = ['kind', 'listKind'];

function withCondition(list: readonly Json[], type: string, said: Omit<Conflict, 'field'>, now: string): readonly Json[] {
  const { status, reason, message } = said;
  const known = list.findIndex((one) => dig(one, 'type') === type);
  const before = list[known];
  const lastTransitionTime = dig(before, 'status') === status ? (dig(before, 'lastTransitionTime') ?? now) : now;
  const condition = { type, status, reason, message, lastTransitionTime };
  return known < 0 ? [...list, condition] : list.with(known, withFields(asObject(before), condition));
}
