import type { Json } from '../../../base/json.ts';
import { asText, dig } from '../../../base/json.ts';
import { eventTime } from '../../../model/event-fields.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef } from '../../../model/kube-object.ts';
import { Draft } from '../draft.ts';

/** Conditions by the reasons with which the kubelet records that they change. Source: pkg/kubelet/nodestatus/setters.go. */
const CHANGES: Readonly<Record<string, readonly [type: string, status: string]>> = {
  NodeHasDiskPressure: ['DiskPressure', 'True'],
  NodeHasNoDiskPressure: ['DiskPressure', 'False'],
  NodeHasInsufficientMemory: ['MemoryPressure', 'True'],
  NodeHasSufficientMemory: ['MemoryPressure', 'False'],
  NodeHasInsufficientPID: ['PIDPressure', 'True'],
  NodeHasSufficientPID: ['PIDPressure', 'False'],
};

/** Nodes of which only events tell that they are under pressure: the last word on each condition counts. */
export function impliedNodes(events: readonly KubeObject[], seen: ReadonlySet<string>): readonly KubeObject[] {
  const nodes = new Map<string, Map<string, KubeObject>>();
  for (const event of events) {
    const [kind, name] = [dig(event, 'involvedObject', 'kind'), asText(dig(event, 'involvedObject', 'name'))];
    const type = changeOf(event)?.[0];
    if (kind !== 'Node' || name === undefined || type === undefined || seen.has(formatRef({ kind, name }))) continue;
    const known = nodes.get(name) ?? new Map<string, KubeObject>();
    nodes.set(name, known);
    const last = known.get(type);
    if (last === undefined || (eventTime(event) ?? 0) >= (eventTime(last) ?? 0)) known.set(type, event);
  }
  return [...nodes].flatMap(([name, last]) => {
    const conditions = [...last.values()].map(conditionOf);
    if (!conditions.some((condition) => dig(condition, 'status') === 'True')) return [];
    const draft = new Draft('Node', name, undefined).set('status.conditions', conditions);
    return [draft.covers('status.conditions.type', 'status.conditions.status').build()];
  });
}

function changeOf(event: KubeObject): readonly [string, string] | undefined {
  return CHANGES[asText(dig(event, 'reason')) ?? ''];
}

function conditionOf(event: KubeObject): Json {
  const [type = '', status = ''] = changeOf(event) ?? [];
  return { type, status, message: asText(dig(event, 'message')) ?? '' };
}
