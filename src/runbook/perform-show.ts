import { printable, printableUpTo } from '../base/text.ts';
import type { Unread, ClusterReader } from '../model/cluster-reader.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef, inNamespace } from '../model/kube-object.ts';
import type { PlaybookStep, ShowAction, StepAction } from '../model/playbook.ts';
import { resourceNamed, resourceOfKind } from '../model/resources.ts';
import { fill } from '../model/placeholders.ts';
import { commandLine, showCommand } from '../report/format/kubectl-words.ts';
import { eventLines, listLines, objectLines } from '../report/format/object-text.ts';
import type { Running, StepOutcome } from './running.ts';
import { keepOutput } from './running.ts';
import { withoutSecrets } from './redact.ts';
import { missing, objectOf } from './variables.ts';

type Action<K extends StepAction['kind']> = Extract<StepAction, { readonly kind: K }>;

/** Lines a person is shown; the journal keeps more. */
const SHOWN_LINES = 40;

/** A read through the port of all clusters. What may not be read is an answer, too. */
export async function performShow(step: PlaybookStep, { show }: Action<'show'>, running: Running): Promise<StepOutcome> {
  const { variables } = running.state;
  const lacking = missing(show, variables);
  if (lacking.length > 0)
    return { result: 'not-evaluated', words: `${lacking.join(', ')} ${lacking.length === 1 ? 'has' : 'have'} no value` };
  const filled = filledShow(show, running);
  const command = commandLine(showCommand(filled));
  const read = await readShown(filled, running);
  if ('why' in read)
    return {
      result: 'unknown',
      words: `${command}: ${printableUpTo(read.detail, 300)}${read.needs === undefined ? '' : ` (needs: ${read.needs})`}`,
    };
  return {
    result: 'done',
    lines: kept(running, step.id, command, read.lines),
    words:
      read.lines.length === 0 ? `${command}: nothing` : `${command}: ${read.lines.length} ${read.lines.length === 1 ? 'line' : 'lines'}`,
  };
}

function filledShow(show: ShowAction, { state: { variables } }: Running): ShowAction {
  if (show.show === 'list') {
    return {
      show: 'list',
      of: fill(show.of, variables),
      ...(show.namespace === undefined ? {} : { namespace: fill(show.namespace, variables) }),
      ...(show.selector === undefined ? {} : { selector: fill(show.selector, variables) }),
    };
  }
  const template =
    show.show === 'logs' && !/\/|\{\{\s*(target|object|workload)\s*\}\}/.test(show.object) ? `Pod/${show.object}` : show.object;
  const ref = objectOf(template, variables, (kind) => resourceOfKind(kind)?.namespaced ?? true);
  const object = ref === undefined ? fill(show.object, variables) : formatRef(ref);
  return show.show === 'logs'
    ? { ...show, object, ...(show.container === undefined ? {} : { container: fill(show.container, variables) }) }
    : { show: show.show, object };
}

type Shown = { readonly lines: readonly string[] } | Unread;

async function readShown(show: ShowAction, running: Running): Promise<Shown> {
  const { reader } = running.ports;
  if (show.show === 'list') return readList(show, reader);
  const ref = objectOf(show.object, {}, (kind) => resourceOfKind(kind)?.namespaced ?? true);
  if (ref === undefined) return { ok: false, why: 'failed', detail: `${show.object} is not a valid object reference` };
  if (show.show === 'logs') return readLogs(ref, show, running);
  const events = show.show === 'get' ? undefined : await eventsOf(ref, running);
  if (show.show === 'events') return events === undefined ? { lines: [] } : 'why' in events ? events : { lines: events.lines };
  const read = await reader.get(ref);
  if (!read.ok) return read;
  return {
    lines: [
      ...objectLines(read.value),
      ...(events === undefined || 'why' in events || events.lines.length === 0 ? [] : ['', 'Events:', ...events.lines]),
    ],
  };
}

async function readList({ of, namespace, selector }: ShowAction & { readonly show: 'list' }, reader: ClusterReader): Promise<Shown> {
  const now = reader.now();
  const kind = resourceNamed(of)?.kind ?? of;
  const read = await reader.list(kind, {
    ...inNamespace(namespace),
    ...(selector === undefined ? {} : { labelSelector: selector }),
  });
  if (!read.ok) return read;
  return { lines: kind === 'Event' ? eventLines(read.value, now) : listLines(read.value, now) };
}

async function readLogs(
  ref: ObjectRef,
  { container, previous, tail }: Extract<ShowAction, { show: 'logs' }>,
  { ports: { reader } }: Running,
): Promise<Shown> {
  const pod = await reader.get(ref);
  const name = container ?? (pod.ok ? firstContainer(pod.value) : undefined);
  if (name === undefined) return pod.ok ? { ok: false, why: 'absent', detail: `${formatRef(ref)} has no container` } : pod;
  const read = await reader.logs(ref, name, { tailLines: tail, previous });
  return read.ok ? { lines: read.value.lines.slice(-tail).map((line) => printableUpTo(line, 500)) } : read;
}

function firstContainer(pod: object): string | undefined {
  const { spec } = pod as { readonly spec?: { readonly containers?: readonly { readonly name?: unknown }[] } };
  const name = spec?.containers?.[0]?.name;
  return typeof name === 'string' ? name : undefined;
}

async function eventsOf(ref: ObjectRef, { ports: { reader } }: Running): Promise<Shown> {
  const read = await reader.list('Event', {
    ...inNamespace(ref.namespace),
    fieldSelector: `involvedObject.name=${ref.name}`,
  });
  if (!read.ok) return read;
  const own = read.value.filter((event) => {
    const about = event['involvedObject'] ?? event['regarding'];
    return typeof about === 'object' && about !== null && 'kind' in about && about['kind'] === ref.kind && about['name'] === ref.name;
  });
  return { lines: eventLines(own, reader.now()) };
}

/** Writes lines down, all of them, and gives those to show. */
export function kept(running: Running, step: string, of: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  // As one text: a key or a variable's value is known by the lines before it.
  const safe = printable(withoutSecrets(lines.join('\n'), running.state.secrets)).split('\n');
  keepOutput(running, step, of, lines.join('\n'));
  return safe.length > SHOWN_LINES
    ? [...safe.slice(0, SHOWN_LINES / 2), `… ${safe.length - SHOWN_LINES} lines …`, ...safe.slice(-SHOWN_LINES / 2)]
    : safe;
}
