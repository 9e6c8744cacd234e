import type { JsonObject } from '../../../base/json.ts';
import { dig } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import { containersOf } from '../describe/containers.ts';
import { indentOf, Sections } from '../describe/sections.ts';
import { Draft } from '../draft.ts';

const KEY =
  /^\s{0,40}(Container ID|Image|Image ID|Ports?|Host Ports?|State|Last State|Reason|Message|Exit Code|Signal|Started|Finished|Ready|Restart Count|Limits|Requests|cpu|memory):\s{0,200}(.*)$/;
const STATES = /^\s{0,40}(?:Last )?State:\s{1,200}(?:Waiting|Running|Terminated)\b/;
const MAX_LINES = 60;
/** Keys that stand under another one, whatever became of their indentation. */
const INNER: ReadonlySet<string> = new Set(['Reason', 'Message', 'Exit Code', 'Signal', 'Started', 'Finished', 'cpu', 'memory']);
const HEADER = /^\s{0,12}([a-z0-9][a-z0-9-]{0,62}):\s{0,8}$/;

/** The state of a container as describe prints it, torn out of its pod. */
export interface StateBlock {
  /** The pod with what the block shows, and nothing else. */
  readonly object: KubeObject;
  /** The line after it. */
  readonly next: number;
}

/** Reads a block that begins on a line; undefined when none does. `about` is the pod it is of. */
export function stateBlock(lines: readonly Line[], index: number, about: ObjectRef): StateBlock | undefined {
  const name = headerName(lines, index);
  const start = name === undefined ? index : index + 1;
  let next = start;
  while (next < lines.length && next - start < MAX_LINES && KEY.test(lines[next]?.text ?? '')) next++;
  const body = withState([...lines.slice(start, next), ...behindMessage(lines, start, next)].flatMap(spread));
  if (!body.some(({ text }) => STATES.test(text))) return undefined;
  const container = name ?? '<container>';
  const section = new Sections([{ number: 0, text: 'Containers:' }, { number: 0, text: `  ${container}:` }, ...body.map(indented)]).get(
    'Containers',
  );
  const { specs, statuses } = containersOf(section);
  const [spec, status] = [specs[0], statuses[0]];
  return status === undefined ? undefined : { object: podWith(container, spec, status, about), next };
}

/** A message of several lines, whose last ones a container wrote, parts a block. */
function behindMessage(lines: readonly Line[], start: number, from: number): readonly Line[] {
  if (from === start || !lines.slice(start, from).some(({ text }) => /^\s{0,40}Message:/.test(text))) return [];
  const rest = lines.slice(from, from + MAX_LINES);
  const code = rest.findIndex(({ text }) => /^\s{0,40}Exit Code:/.test(text));
  const behind = code < 0 ? [] : rest.slice(code);
  const end = behind.findIndex(({ text }) => !KEY.test(text));
  return end < 0 ? behind : behind.slice(0, end);
}

/** The state that a first reason is of: of the last one, its reason is what people keep. */
function withState(shown: readonly Line[]): readonly Line[] {
  const [first, second] = shown;
  if (first === undefined || second === undefined || !/^\W*Reason:/.test(first.text)) return shown;
  if (second.text.trim().startsWith('Exit Code:')) return [{ ...first, text: 'Last State: Terminated' }, ...shown];
  return second.text.trim().startsWith('Last State:') ? [{ ...first, text: 'State: Waiting' }, ...shown] : shown;
}

/** `State: Terminated  Reason: OOMKilled  Exit Code: 137`: lines that somebody joined. */
function spread(line: Line): readonly Line[] {
  return line.text.split(/(?<=\S)\s{1,40}(?=(?:Reason|Exit Code|Signal|Started|Finished): )/).map((text) => ({ ...line, text }));
}

/** The container's name on a line of its own above what is printed of it. */
function headerName(lines: readonly Line[], index: number): string | undefined {
  const first = lines[index]?.text ?? '';
  return indentOf(first) < indentOf(lines[index + 1]?.text ?? '') ? HEADER.exec(first)?.[1] : undefined;
}

function indented({ text, number }: Line): Line {
  const [, key = '', value = ''] = KEY.exec(text) ?? [];
  return { number, text: `${INNER.has(key) ? '      ' : '    '}${key}:  ${value}` };
}

/** The status is shown as far as the block has it; of the spec only what stands there. */
function podWith(name: string, spec: JsonObject | undefined, status: JsonObject, { namespace, name: pod }: ObjectRef): KubeObject {
  const draft = new Draft('Pod', pod, namespace);
  const [image, limit] = [dig(spec, 'image'), dig(spec, 'resources', 'limits')];
  const hasState = ['waiting', 'running', 'terminated'].some((state) => dig(status, 'state', state) !== undefined);
  // Who shows nothing but how a container ended asks why it does not run.
  const isDown = dig(status, 'ready') === false || (!hasState && dig(status, 'ready') === undefined && hasFailed(status));
  draft
    .set('status.containerStatuses', [
      {
        image: image ?? '<image>',
        ...Object.fromEntries(Object.entries(status).filter(([field]) => field !== 'imageID')),
        ...(isDown ? { ready: false } : {}),
      },
    ])
    .covers('status.containerStatuses.name', 'status.containerStatuses.lastState');
  if (hasState) draft.covers('status.containerStatuses.state');
  if (limit !== undefined)
    draft.set('spec.containers', [{ name, ...(image === undefined ? {} : { image }), resources: { limits: limit } }]);
  if (isDown) draft.set('status.conditions', [{ type: 'Ready', status: 'False' }]);
  return draft.build();
}

function hasFailed(status: JsonObject): boolean {
  const code = dig(status, 'lastState', 'terminated', 'exitCode');
  return code !== undefined && code !== 0;
}
