import type { JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { withWriter } from '../apiserver/managed-fields.ts';
import type { Store } from '../store/store.ts';
import type { Agenda, Task } from '../time/agenda.ts';
import { timeOf } from '../time/api-times.ts';

const SCHEMAS = 'flowschemas.flowcontrol.apiserver.k8s.io';
const LEVELS = 'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io';

/**
 * The condition Dangling of every FlowSchema: whether the priority level it names is missing. Written by kube-apiserver itself.
 * Source: staging/src/k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go (digestFlowSchemasLocked).
 */
export function followFlowSchemas(agenda: Agenda, store: Store): void {
  let due: Task | undefined;
  const look = (): void => {
    if (due?.pending === true || store.count(SCHEMAS) === 0) return;
    due = agenda.at(agenda.now + CHECK_MILLISECONDS, 'levels of FlowSchemas', () => {
      for (const schema of store.list(SCHEMAS)) judge(schema, agenda, store);
    });
  };
  for (const resource of [SCHEMAS, LEVELS]) store.subscribe(resource, look);
}

const CHECK_MILLISECONDS = 100;

function judge(schema: KubeObject, agenda: Agenda, store: Store): void {
  if (schema.metadata['deletionTimestamp'] !== undefined) return;
  const level = asText(dig(schema, 'spec', 'priorityLevelConfiguration', 'name')) ?? '';
  const known = asList(dig(schema, 'status', 'conditions')).find((condition) => dig(condition, 'type') === 'Dangling');
  const exists = store.get(LEVELS, undefined, level) !== undefined;
  const lastTransitionTime = timeOf(agenda.now);
  const condition = danglingCondition(level, exists, lastTransitionTime);
  if (dig(known, 'status') === condition['status'] && dig(known, 'message') === condition['message']) return;
  const others = asList(dig(schema, 'status', 'conditions')).filter((condition) => condition !== known);
  const metadata = withWriter(schema.metadata, {
    manager: 'api-priority-and-fairness-config-consumer-v1',
    operation: 'Apply',
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    time: lastTransitionTime,
    subresource: 'status',
    fields: OWNED,
  });
  const conditions = [...others, condition];
  store.update(SCHEMAS, withFields(schema, { metadata, status: withFields(asObject(schema['status']), { conditions }) }));
}

/** What it says of the level of that name. */
function danglingCondition(level: string, exists: boolean, lastTransitionTime: string): JsonObject {
  const words = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  const [status, reason, end] = exists ? ['False', 'Found', 'and it exists'] : ['True', 'NotFound', 'but there is no such object'];
  return { type: 'Dangling', status, lastTransitionTime, reason, message: `${words} ${end}` };
}

const OWNED: JsonObject = {
  'f:status': {
    'f:conditions': {
      'k:{"type":"Dangling"}': { '.': {}, 'f:lastTransitionTime': {}, 'f:message': {}, 'f:reason': {}, 'f:status': {}, 'f:type': {} },
    },
  },
};
