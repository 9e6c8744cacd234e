import type { Json, JsonObject } from '../../src/base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../src/base/json.ts';
import type { RuleCase } from './rule-cases.ts';

/**
 * The same situation in a cluster where more is going on: once more beside it under other names, where every pod has a second
 * container with the same trouble, and with the events that every pod has had. Undefined for a case that is a text, or has no names.
 */
export function crowded(one: RuleCase): RuleCase | undefined {
  const given = asList(dig(one.source, 'given')).flatMap((object) => (isJsonObject(object) ? [object] : []));
  const rename = renaming(given);
  if (rename === undefined) return undefined;
  const neighbours = given.map((object) => rename(object) as JsonObject).map(withSecondContainers);
  const all = [...given, ...neighbours];
  return { ...one, title: `${one.title}, amid others`, source: { ...asObject(one.source), given: [...all, ...all.flatMap(eventsOf)] } };
}

/** Gives everything that has a name in the situation another one, wherever it is named, and every address another address. */
function renaming(given: readonly JsonObject[]): ((value: Json, field?: string) => Json) | undefined {
  const names = new Set(
    given.flatMap((object) =>
      [
        object['kind'] === 'Namespace' ? undefined : asText(dig(object, 'metadata', 'name')),
        asText(dig(object, 'spec', 'nodeName')),
      ].filter((name) => name !== undefined && name.length > 1),
    ),
  );
  if (names.size === 0) return undefined;
  const longestFirst = [...names]
    .toSorted((a, b) => (b?.length ?? 0) - (a?.length ?? 0))
    .map((name) => (name ?? '').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`(?<![A-Za-z0-9-])(?:${longestFirst.join('|')})(?![A-Za-z0-9])`, 'g');
  const rename = (value: Json, field = ''): Json => {
    if (typeof value === 'string')
      return MACHINE_WORDS.has(field) ? value : value.replace(pattern, 'twin-$&').replace(/\b10\.(\d+)\.(\d+)\.(\d+)\b/g, '10.$1.1$2.$3');
    if (Array.isArray(value)) return (value as readonly Json[]).map((member) => rename(member, field));
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rename(member ?? null, name)]))
      : value;
  };
  return rename;
}

const MACHINE_WORDS: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'reason', 'type']);

/** Whatever is said of a container of a pod is said of one like it, too. */
function withSecondContainers(object: JsonObject): JsonObject {
  if (object['kind'] !== 'Pod') return object;
  const spec = asObject(object['spec']);
  const status = asObject(object['status']);
  return {
    ...object,
    ...(object['logs'] === undefined ? {} : { logs: secondLogs(asObject(object['logs'])) }),
    ...(object['previousLogs'] === undefined ? {} : { previousLogs: secondLogs(asObject(object['previousLogs'])) }),
    ...(object['spec'] === undefined ? {} : { spec: { ...spec, ...seconds(spec, 'containers') } }),
    ...(object['status'] === undefined ? {} : { status: { ...status, ...seconds(status, 'containerStatuses') } }),
  };
}

function seconds(object: JsonObject, field: string): JsonObject {
  const list = asList(object[field]);
  return list.length === 0
    ? {}
    : { [field]: [...list, ...list.map((one) => ({ ...asObject(one), name: second(asText(dig(one, 'name')) ?? '') }))] };
}

function secondLogs(logs: JsonObject): JsonObject {
  return { ...logs, ...Object.fromEntries(Object.entries(logs).map(([container, text]) => [second(container), text])) };
}

function second(container: string): string {
  return `second-${container}`;
}

/** Events of what went well, or matters to nobody, and of what the kubelet does with a container that ends again and again. */
function eventsOf(object: JsonObject): readonly JsonObject[] {
  const kind = asText(object['kind']) ?? '';
  const say = (type: string, reason: string, message: string, container?: string): JsonObject => {
    const { name = '', namespace } = asObject(object['metadata']);
    const place = namespace === undefined ? {} : { namespace };
    return {
      kind: 'Event',
      metadata: place,
      involvedObject: { kind, name, ...place, ...(container === undefined ? {} : { fieldPath: `spec.containers{${container}}` }) },
      type,
      reason,
      message,
    };
  };
  if (kind === 'Event') return object['reason'] === 'Unhealthy' ? [earlier(object)] : [];
  if (kind !== 'Pod') return (OTHER_EVENTS[kind] ?? []).map(([reason, message]) => say('Normal', reason, message));
  const restarted = asList(dig(object, 'status', 'containerStatuses')).flatMap((status) =>
    (asNumber(dig(status, 'restartCount')) ?? 0) > 0 ? (asText(dig(status, 'name')) ?? []) : [],
  );
  const refused = asList(dig(object, 'status', 'containerStatuses')).flatMap((status) => {
    const [name, reason, message] = [
      asText(dig(status, 'name')),
      asText(dig(status, 'state', 'waiting', 'reason')),
      asText(dig(status, 'state', 'waiting', 'message')),
    ];
    return reason === 'CreateContainerConfigError' && message !== undefined ? [say('Warning', 'Failed', `Error: ${message}`, name)] : [];
  });
  const containers = asList(dig(object, 'spec', 'containers')).flatMap((container) => asText(dig(container, 'name')) ?? []);
  return [
    say('Normal', 'Scheduled', 'Successfully assigned the pod to its node'),
    say(
      'Warning',
      'DNSConfigForming',
      'Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.0.0.2 10.0.0.3 10.0.0.4',
    ),
    ...containers.flatMap((container) => CONTAINER_EVENTS.map(([reason, message]) => say('Normal', reason, message, container))),
    ...refused,
    ...restarted.map((container) => say('Warning', 'BackOff', `Back-off restarting failed container ${container}`, container)),
  ];
}

/** A probe fails in more than one way while a program comes up or goes down. */
function earlier(event: JsonObject): JsonObject {
  const probe = /^\w+ probe/.exec(asText(event['message']) ?? '')?.[0] ?? 'Readiness probe';
  return {
    ...event,
    metadata: {},
    message: `${probe} failed: Get "http://10.1.0.7:8080/": EOF`,
    count: 1,
    lastTimestamp: asText(event['firstTimestamp']) ?? '2026-01-15T11:40:00Z',
  };
}

const CONTAINER_EVENTS: readonly (readonly [reason: string, message: string])[] = [
  ['BackOff', 'Back-off pulling image "registry.shop.example/web:1"'],
  ['Pulled', 'Successfully pulled image "registry.shop.example/web:1" in 2s (2s including waiting). Image size: 1000 bytes.'],
  ['Created', 'Container created'],
  ['Started', 'Container started'],
];

const OTHER_EVENTS: Readonly<Record<string, readonly (readonly [reason: string, message: string])[]>> = {
  Deployment: [['ScalingReplicaSet', 'Scaled up replica set from 0 to 1']],
  ReplicaSet: [['SuccessfulCreate', 'Created a pod']],
  StatefulSet: [['SuccessfulCreate', 'Created a pod']],
  DaemonSet: [['SuccessfulCreate', 'Created a pod']],
  Job: [['SuccessfulCreate', 'Created a pod']],
  PersistentVolumeClaim: [['Provisioning', 'External provisioner is provisioning a volume for the claim']],
  Node: [
    ['Starting', 'Starting kubelet.'],
    ['RegisteredNode', 'Node event: Registered Node in Controller'],
  ],
};
