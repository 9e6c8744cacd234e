import type { JsonObject } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import { indentOf } from '../describe/sections.ts';
import { Draft } from '../draft.ts';
import { endOfJson } from './json-part.ts';
import { podRef } from './named-objects.ts';

/** The state of a container, as its runtime tells it. */
interface InspectedContainer {
  readonly object: KubeObject;
  /** The line after it. */
  readonly next: number;
}

/** Lines from the beginning of what is printed of a container to the end of its state. */
const MAX_LINES = 120;
const BEGINS = /^\s{0,40}(?:\[|\{|\[?\{|"State": ?\{|"?state"?: "?CONTAINER_\w{4,10}"?,?)\s{0,8}$/;
const STATE = /^\s{0,40}(?:"State": ?\{|"?state"?: "?CONTAINER_EXITED"?,?)\s{0,8}$/;
const FIELD = /^\s{0,40}"?(\w{4,12})"?: (?:"((?:[^"\\]|\\.){0,4000})"|([\w:.+-]{0,40})),?\s{0,8}$/;

/**
 * Reads what `docker inspect` and `crictl inspect` print of a container that has exited. `about` is the pod where nothing names it. Sources:
 * moby api/types/container (State), cri-tools cmd/crictl/container.go.
 */
export function inspectedContainer(lines: readonly Line[], index: number, about: ObjectRef): InspectedContainer | undefined {
  if (!BEGINS.test(lines[index]?.text ?? '')) return undefined;
  const around = lines.slice(index, index + MAX_LINES);
  const begin = around.findIndex(({ text }) => STATE.test(text));
  if (begin < 0) return undefined;
  const end = endOfState(around, begin);
  const ended = endedIn(fieldsOf(around.slice(begin, end)));
  if (ended === undefined) return undefined;
  const whole = endOfJson(lines, index);
  const isJson = whole !== undefined && whole > index + begin;
  const next = isJson ? whole : index + end;
  const { pod, container } = namedIn(lines.slice(index, isJson ? whole : index + MAX_LINES), about);
  const object = new Draft('Pod', pod.name, pod.namespace)
    .set('status.containerStatuses', [{ name: container, image: '<image>', ready: false, state: { terminated: ended } }])
    .covers('status.containerStatuses.name', 'status.containerStatuses.state')
    .set('status.conditions', [{ type: 'Ready', status: 'False' }])
    .build();
  return { object, next };
}

/** Docker closes the state with a bracket; in CRI it ends with the level. */
function endOfState(around: readonly Line[], begin: number): number {
  const level = indentOf(around[begin]?.text ?? '');
  const isNested = around[begin]?.text.includes('{') === true;
  const end = around.findIndex(
    ({ text }, at) => at > begin && text.trim() !== '' && (isNested ? indentOf(text) <= level : indentOf(text) < level),
  );
  return end < 0 ? around.length : end;
}

function fieldsOf(lines: readonly Line[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap(({ text }) => {
      const [, name, quoted, bare = ''] = FIELD.exec(text) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), quoted?.replaceAll('\\"', '"') ?? bare] as const];
    }),
  );
}

/** The state as the kubelet would write it; undefined for a container that runs, and for one that has ended well. */
function endedIn(fields: ReadonlyMap<string, string>): JsonObject | undefined {
  const exitCode = parseInteger(fields.get('exitcode'));
  const message = fields.get('error') ?? fields.get('message') ?? '';
  if (fields.get('running') === 'true' || exitCode === undefined || (exitCode === 0 && message === '')) return undefined;
  const reason =
    fields.get('oomkilled') === 'true' ? 'OOMKilled' : (fields.get('reason') ?? (message === '' ? 'Error' : 'ContainerCannotRun'));
  const [startedAt, finishedAt] = [timeIn(fields.get('startedat')), timeIn(fields.get('finishedat'))];
  return withoutUndefined({ exitCode, reason, message: message === '' ? undefined : message, startedAt, finishedAt });
}

/** What never began has the first second of all. */
function timeIn(text: string | undefined): string | undefined {
  return text === undefined || !/^[1-9]\d{3}-/.test(text) ? undefined : text;
}

const LABELS = /"?io\.kubernetes\.(container\.name|pod\.name|pod\.namespace)"?: "?([a-z0-9][a-z0-9.-]{0,252})"?/;
/** How dockershim named containers. */
const DOCKER_NAME = /\/k8s_([a-z0-9][a-z0-9.-]{0,252})_([a-z0-9][a-z0-9.-]{0,252})_([a-z0-9][a-z0-9-]{0,62})_/;

function namedIn(lines: readonly Line[], about: ObjectRef): { readonly pod: ObjectRef; readonly container: string } {
  const labels = new Map<string, string>();
  for (const { text } of lines) {
    const [, label, value = ''] = LABELS.exec(text) ?? [];
    const [, container, pod = '', namespace = ''] = DOCKER_NAME.exec(text) ?? [];
    if (label !== undefined) labels.set(label, value);
    if (container !== undefined) return { container, pod: podRef(pod, namespace) };
  }
  const name = labels.get('pod.name');
  return {
    container: labels.get('container.name') ?? '<container>',
    pod: name === undefined ? about : podRef(name, labels.get('pod.namespace')),
  };
}
