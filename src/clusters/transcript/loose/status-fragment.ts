import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';
import { parseKubeYaml } from '../../../base/yaml/kube-yaml.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import { indentOf } from '../describe/sections.ts';
import { goFields } from './go-value.ts';
import { Draft } from '../draft.ts';

const BEGINS =
  /^(?:- )?"?(?:status|containerStatuses|initContainerStatuses|conditions|state|lastState|waiting|terminated)"?: ?(?:[[{].{0,4000})?\s{0,8}$/;

/** A part of an object as YAML or JSON, torn out of it. */
export interface StatusFragment {
  readonly object: KubeObject;
  readonly next: number;
}

/** Whether a fragment may begin on a line. */
export function mayBeginFragment(text: string): boolean {
  return CONDITION.test(text) || GO_PRINTS.test(text) || BEGINS.test(text.trimStart().replace(/^- /, ''));
}

/** A list of conditions without the word for it, in the order of the API or of the alphabet. Source: pkg/apis/{core,apps,batch,autoscaling}/types.go. */
const CONDITION =
  /^\s{0,40}- last(?:Probe|Heartbeat|Transition|Update)Time: (?:null|"\d{4}-[^"]{1,40}")\s{0,8}$|^\s{0,40}- type: (?:Namespace\w{1,60}|PodScheduled|ContainersReady|Initialized|PodReadyToStartContainers|Progressing|Available|ReplicaFailure|ScalingActive|AbleToScale|ScalingLimited|FailureTarget)\s{0,8}$/;

/** Maps and structs as Go prints them. */
const GO_PRINTS = /\bstate: ?(?:map\[|\{)/i;

/** Reads the fragment that begins on a line; undefined when none does. `about` is the pod it is of, where it is of one. */
export function statusFragment(lines: readonly Line[], index: number, about: ObjectRef): StatusFragment | undefined {
  const text = lines[index]?.text ?? '';
  const printed = goFields(text);
  if (printed !== undefined && statusIn(printed) !== undefined) {
    const seen = statusObject(printed, about);
    return seen === undefined ? undefined : { object: seen, next: index + 1 };
  }
  const indent = indentOf(text);
  let next = index + 1;
  while (next < lines.length && next - index < MAX_LINES && goesOn(lines[next]?.text ?? '', indent)) next++;
  const body = lines.slice(index, next).map((line) => line.text.slice(Math.min(indent, indentOf(line.text))));
  const value = parsed(body);
  const object = value === undefined ? undefined : statusObject(value, about);
  return object === undefined ? undefined : { object, next };
}

const MAX_LINES = 400;

function goesOn(text: string, indent: number): boolean {
  if (text.trim() === '') return false;
  const own = indentOf(text);
  return own > indent || (own === indent && /^(?:[\w.$/-]{1,80}:(?:\s|$)|"[^"]{1,80}":|- |[\]}],?\s{0,8}$)/.test(text.slice(own)));
}

function parsed(body: readonly string[]): Json | undefined {
  const text = body.join('\n').trim();
  const isJson = text.startsWith('"');
  const whole = isJson ? closed(`{${text.replace(/,$/, '')}`) : text;
  const { documents, errors } = parseKubeYaml(whole, 'fragment');
  const [first] = documents;
  const value = errors.length > 0 ? undefined : first?.value;
  if (Array.isArray(value) && dig(value as readonly Json[], 0, 'type') !== undefined) return { conditions: value };
  return Array.isArray(value) ? (value as readonly Json[])[0] : value;
}

/** JSON that breaks off, with the brackets that it still lacks. */
function closed(text: string): string {
  const open: string[] = [];
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index);
    if (quoted && sign === '\\') index++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === '{' || sign === '[')) open.push(sign === '{' ? '}' : ']');
    else if (!quoted && (sign === '}' || sign === ']')) open.pop();
  }
  return `${text.replace(/[,\s]{0,20}$/, '')}${quoted ? '"' : ''}${open.toReversed().join('')}`;
}

/** The fields of `status`, from whichever of them the fragment begins with. */
function statusIn(value: Json): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  if (isJsonObject(value['status'])) return value['status'];
  if (value['containerStatuses'] !== undefined || value['initContainerStatuses'] !== undefined || Array.isArray(value['conditions']))
    return value;
  const state = value['waiting'] === undefined && value['terminated'] === undefined ? value : { state: value };
  if (!isJsonObject(state['state']) && !isJsonObject(state['lastState'])) return undefined;
  const { name = '<container>', image = '<image>' } = value;
  return { containerStatuses: [{ ...state, name, image }] };
}

/** The object whose status a value is, or has in it. */
export function statusObject(value: Json, about: ObjectRef): KubeObject | undefined {
  const status = statusIn(value);
  return status === undefined ? undefined : objectWith(status, about);
}

/** Types of conditions that only one kind has. */
const KINDS: readonly (readonly [kind: string, ...types: readonly string[]])[] = [
  ['Pod', 'PodScheduled', 'ContainersReady', 'Initialized', 'PodReadyToStartContainers'],
  ['Node', 'MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'],
  ['Deployment', 'Progressing', 'Available'],
  ['ReplicaSet', 'ReplicaFailure'],
  ['Job', 'Failed', 'Complete', 'FailureTarget', 'SuccessCriteriaMet'],
  [
    'Namespace',
    'NamespaceDeletionDiscoveryFailure',
    'NamespaceContentRemaining',
    'NamespaceFinalizersRemaining',
    'NamespaceDeletionContentFailure',
  ],
  ['HorizontalPodAutoscaler', 'ScalingActive', 'AbleToScale', 'ScalingLimited'],
];

/** Pods and nodes have a condition of the same name. */
function readyKind(types: readonly string[], { kind, name }: ObjectRef): string | undefined {
  return types.includes('Ready') && ['Pod', 'Node'].includes(kind) && !name.startsWith('<') ? kind : undefined;
}

function objectWith(status: JsonObject, about: ObjectRef): KubeObject | undefined {
  const types = asList(status['conditions']).map((condition) => asText(dig(condition, 'type')) ?? '');
  const containers = [...asList(status['containerStatuses']), ...asList(status['initContainerStatuses'])].filter(
    (one) => asText(dig(one, 'name')) !== undefined,
  );
  const kind =
    containers.length > 0
      ? 'Pod'
      : (KINDS.find(([, ...telling]) => telling.some((type) => types.includes(type)))?.[0] ?? readyKind(types, about));
  if (kind === undefined) return undefined;
  const draft = new Draft(
    kind,
    kind === about.kind ? about.name : `<${kind.toLowerCase()}>`,
    kind === about.kind ? about.namespace : undefined,
  );
  for (const [field, value] of Object.entries(status)) if (value !== undefined) draft.show(`status.${field}`, value);
  if (kind === 'Pod' && types.includes('PodScheduled')) {
    const unscheduled = asList(status['conditions']).some(
      (condition) => dig(condition, 'type') === 'PodScheduled' && dig(condition, 'status') === 'False',
    );
    if (unscheduled) draft.show('spec.nodeName');
  }
  if (kind === 'Pod' && status['conditions'] === undefined && containers.some((one) => dig(one, 'ready') === false))
    draft.set('status.conditions', [{ type: 'Ready', status: 'False' }]);
  return draft.build();
}
