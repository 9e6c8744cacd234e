import type { Json } from '../../src/base/json.ts';
import { asBoolean, asList, asNumber, asObject, asText, dig } from '../../src/base/json.ts';
import { canonicalJson } from '../../src/base/json-edit.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Item } from './item.ts';
import type { Mask } from './mask.ts';
import { pair } from './pair.ts';

/** What is compared of one cluster's objects: the objects, and the mask of their texts. */
export interface Side {
  readonly objects: readonly KubeObject[];
  readonly mask: Mask;
}

/**
 * Objects in what they say of their state: phase, conditions, containers, owners, endpoints. Kinds that have no state of their own
 * are left to the answers they got; nodes and namespaces that are as every node and namespace is say nothing.
 */
export function compareObjects(recorded: Side, simulated: Side): readonly Item[] {
  const masks = { recorded: recorded.mask, simulated: simulated.mask };
  const told = (side: Side): readonly KubeObject[] => side.objects.filter((object) => COMPARED.has(object.kind));
  const stated = new Map<KubeObject, ReadonlyMap<string, string>>();
  for (const [side, mask] of [
    [told(recorded), recorded.mask],
    [told(simulated), simulated.mask],
  ] as const)
    for (const object of side) stated.set(object, statesOf(object, mask));
  const statesOfObject = (object: KubeObject | undefined): ReadonlyMap<string, string> =>
    object === undefined ? NOTHING : (stated.get(object) ?? NOTHING);
  const pairs = pair(
    told(recorded),
    told(simulated),
    (object, side) => `${object.kind}/${masks[side](object.metadata.name)}`,
    (a, b) => alike(statesOfObject(a), statesOfObject(b)),
  );
  return pairs.flatMap((both) => {
    const some = both.recorded ?? both.simulated;
    if (some === undefined) return [];
    const label = `${some.kind}/${(both.recorded === undefined ? masks.simulated : masks.recorded)(some.metadata.name)}`;
    return itemsOf(
      label,
      some.kind,
      both.recorded === undefined ? undefined : statesOfObject(both.recorded),
      both.simulated === undefined ? undefined : statesOfObject(both.simulated),
    );
  });
}

const COMPARED: ReadonlySet<string> = new Set([
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'Endpoints',
  'EndpointSlice',
  'Service',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'ResourceQuota',
  'Namespace',
  'Node',
]);
/** These are there in every cluster: they count only for what is out of the ordinary. */
const ORDINARY: ReadonlySet<string> = new Set(['Namespace', 'Node']);
const NOTHING: ReadonlyMap<string, string> = new Map();

function itemsOf(
  label: string,
  kind: string,
  recorded: ReadonlyMap<string, string> | undefined,
  simulated: ReadonlyMap<string, string> | undefined,
): readonly Item[] {
  const items: Item[] = [];
  if (!ORDINARY.has(kind))
    items.push({
      class: 'object',
      about: label,
      recorded: recorded === undefined ? undefined : 'is there',
      simulated: simulated === undefined ? undefined : 'is there',
    });
  else if (recorded === undefined || simulated === undefined) return [];
  for (const field of new Set([...(recorded ?? NOTHING).keys(), ...(simulated ?? NOTHING).keys()])) {
    // What a missing object would have said counts too, or a simulator that made nothing would be nearly right.
    if (recorded === undefined) continue;
    items.push({ class: classOf(field), about: `${label} ${field}`, recorded: recorded.get(field), simulated: simulated?.get(field) });
  }
  return items;
}

function classOf(field: string): string {
  return field.split(' ')[0] ?? field;
}

function alike(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): number {
  let same = 0;
  for (const [field, value] of a) if (b.get(field) === value) same++;
  return same;
}

function statesOf(object: KubeObject, mask: Mask): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  const put = (field: string, value: Json | undefined): void => {
    if (value !== undefined && value !== '') states.set(field, mask(typeof value === 'string' ? value : canonicalJson(value)));
  };
  const status = asObject(object['status']);
  const owners = asList(dig(object, 'metadata', 'ownerReferences')).map(
    (owner) => `${asText(dig(owner, 'kind')) ?? ''}/${asText(dig(owner, 'name')) ?? ''}`,
  );
  if (owners.length > 0) put('owners', owners.join(', '));
  if (object.metadata['deletionTimestamp'] !== undefined) put('deletion', 'is being deleted');
  if (object.kind === 'Endpoints') putSubsets(object, put);
  else if (object.kind === 'EndpointSlice') putEndpoints(object, put);
  else {
    if (!(object.kind === 'Namespace' && status['phase'] === 'Active')) put('phase', status['phase']);
    put('reason', status['reason']);
    put('message', status['message']);
    putConditions(object, put);
    for (const list of CONTAINER_LISTS) putContainers(status[list], list, put);
    if (object.kind === 'Node') putTaints(object, put);
    for (const field of AMOUNTS[object.kind] ?? []) put(field, status[field]);
  }
  return states;
}

type Put = (field: string, value: Json | undefined) => void;

/** What kinds count. */
const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  HorizontalPodAutoscaler: ['currentReplicas', 'desiredReplicas'],
  PodDisruptionBudget: ['currentHealthy', 'desiredHealthy', 'disruptionsAllowed', 'expectedPods'],
  ResourceQuota: ['hard', 'used'],
};

const CONTAINER_LISTS = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'] as const;

function putConditions(object: KubeObject, put: Put): void {
  for (const condition of asList(dig(object, 'status', 'conditions'))) {
    const [type = '', status = '', reason = '', message = ''] = ['type', 'status', 'reason', 'message'].map((field) =>
      asText(dig(condition, field)),
    );
    if (object.kind === 'Node' && status === (type === 'Ready' ? 'True' : 'False')) continue;
    put(`condition ${type}`, [status, reason, message].filter((part) => part !== '').join(' '));
  }
}

function putContainers(statuses: Json | undefined, list: string, put: Put): void {
  for (const status of asList(statuses)) {
    const name = `${list === 'containerStatuses' ? '' : `${list} `}${asText(dig(status, 'name')) ?? ''}`;
    put(`container-state ${name}`, stateWords(dig(status, 'state')));
    put(`last-state ${name}`, stateWords(dig(status, 'lastState')));
    put(`restarts ${name}`, String(asNumber(dig(status, 'restartCount')) ?? 0));
    put(
      `ready ${name}`,
      `ready ${String(asBoolean(dig(status, 'ready')) ?? '-')}, started ${String(asBoolean(dig(status, 'started')) ?? '-')}`,
    );
  }
}

function stateWords(state: Json | undefined): string | undefined {
  const [kind, fields] = Object.entries(asObject(state))[0] ?? [];
  if (kind === undefined) return undefined;
  const told = ['reason', 'exitCode', 'signal', 'message'].map((field) => dig(fields, field)).filter((value) => value !== undefined);
  return [kind, ...told.map(String)].join(' ');
}

function putTaints(node: KubeObject, put: Put): void {
  const taints = asList(dig(node, 'spec', 'taints')).map(
    (taint) => `${asText(dig(taint, 'key')) ?? ''}=${asText(dig(taint, 'value')) ?? ''}:${asText(dig(taint, 'effect')) ?? ''}`,
  );
  if (taints.length > 0) put('taints', taints.sort().join(', '));
}

function putSubsets(endpoints: KubeObject, put: Put): void {
  for (const [index, subset] of asList(endpoints['subsets']).entries()) {
    for (const list of ['addresses', 'notReadyAddresses']) put(`endpoints ${index} ${list}`, targetsOf(dig(subset, list), ''));
    put(`endpoints ${index} ports`, portsOf(dig(subset, 'ports')));
  }
}

function putEndpoints(slice: KubeObject, put: Put): void {
  put('endpoints', targetsOf(slice['endpoints'], 'conditions'));
  put('endpoints ports', portsOf(slice['ports']));
}

function targetsOf(list: Json | undefined, conditions: string): string {
  const targets = asList(list).map((endpoint) => {
    const told = conditions === '' ? '' : ` ${canonicalJson(dig(endpoint, conditions) ?? {})}`;
    return `${asText(dig(endpoint, 'targetRef', 'kind')) ?? ''}/${asText(dig(endpoint, 'targetRef', 'name')) ?? ''} on ${asText(dig(endpoint, 'nodeName')) ?? '-'}${told}`;
  });
  // Names are masked after this, so the order among replicas is that of chance: sorted by what stays.
  return targets.sort((a, b) => (a.slice(-40) < b.slice(-40) ? -1 : 1)).join('; ');
}

function portsOf(ports: Json | undefined): string {
  return asList(ports)
    .map(
      (port) => `${asText(dig(port, 'name')) ?? ''}:${String(asNumber(dig(port, 'port')) ?? '-')}/${asText(dig(port, 'protocol')) ?? ''}`,
    )
    .sort()
    .join(', ');
}
