import type { AuditEntry } from '../model/audit.ts';
import type { Cause } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { resourceNamed, resourceOfKind } from '../model/resources.ts';
import { commandWord, namespaceFlag } from '../model/placeholders.ts';

/** Something to look at that shows a cause, and the command that shows it. */
export interface Clue {
  /** The plural: `pods`. */
  readonly resource: string;
  readonly namespace?: string;
  /** Without a name any of the resource shows it. */
  readonly name?: string;
  readonly log?: true;
  /** What of it tells: a quote of the evidence. */
  readonly quote: string;
  readonly command: string;
}

/**
 * What shows a cause: where its evidence was read, and the object at fault. In the order of the evidence, each place once.
 * A source that is no object of the API (a service on a node) leads to the node.
 */
export function cluesOf(cause: Cause): readonly Clue[] {
  const clues = new Map<string, Clue>();
  for (const { source, quote } of cause.evidence) {
    const clue = clueOfSource(source, quote);
    // One command may show two of them: describing a pod shows its spec and its events.
    const key = clue === undefined ? '' : `${clue.resource} ${clue.command}`;
    if (clue !== undefined && !clues.has(key)) clues.set(key, clue);
  }
  for (const ref of [cause.object, cause.workload]) {
    if (clues.size > 0 || ref === undefined) continue;
    const clue = objectClue(ref, cause.title);
    if (clue !== undefined) clues.set(clue.command, clue);
  }
  return [...clues.values()].slice(0, MAX_CLUES);
}

/** Whether a request could show somebody the clue: the object itself, or a list that has it in it. */
export function showsClue(entry: AuditEntry, clue: Clue): boolean {
  if (!READS.includes(entry.verb) || entry.code >= 400 || entry.resource !== clue.resource) return false;
  if ((clue.log === true) !== (entry.subresource === 'log')) return false;
  if (entry.namespace !== undefined && clue.namespace !== undefined && entry.namespace !== clue.namespace) return false;
  return entry.name === undefined || clue.name === undefined || entry.name === clue.name;
}

/** Whether a request looked at an object, or at a list of its kind in its namespace. */
export function looksAtObject(entry: AuditEntry, ref: ObjectRef): boolean {
  const clue = objectClue(ref, '');
  return clue !== undefined && showsClue(entry, clue);
}

/** In the place of a resource: a file of the trainee: no request shows that it was read. */
export const TERMINAL = '';

const MAX_CLUES = 6;
const READS: readonly string[] = ['get', 'list', 'watch'];

const SOURCE =
  /^(?:(event on|log of|endpoints of|kubectl logs from) )?([A-Z][A-Za-z]+)[/ ]([a-z0-9][a-z0-9.:-]*)(?:\/([a-z0-9][a-z0-9.:-]*))?/;
const ON_NODE = / on (?:Node\/)?([a-z0-9][a-z0-9.-]*)$/;

function clueOfSource(source: string, quote: string): Clue | undefined {
  if (source.startsWith('$ ')) return { resource: TERMINAL, quote, command: 'cat terminal.txt' };
  const found = SOURCE.exec(source);
  if (found === null) {
    const node = ON_NODE.exec(source)?.[1];
    return node === undefined ? undefined : objectClue({ kind: 'Node', name: node }, quote);
  }
  const [, about, kind = '', second = '', third] = found;
  const ref: ObjectRef = third === undefined ? { kind, name: second } : { kind, namespace: second, name: third };
  if (about === 'event on') return eventClue(ref, quote);
  if (about === 'log of') return logClue(ref, source, quote);
  if (about === 'endpoints of') return objectClue({ ...ref, kind: 'EndpointSlice', name: '' }, quote);
  return objectClue(ref, quote);
}

function eventClue(ref: ObjectRef, quote: string): Clue {
  const place = ref.namespace === undefined ? {} : { namespace: ref.namespace };
  return { resource: 'events', ...place, quote, command: kubectl(ref.namespace, `describe ${wordOf(ref.kind)} ${commandWord(ref.name)}`) };
}

function logClue(ref: ObjectRef, source: string, quote: string): Clue {
  const container = / container ([a-z0-9-]+)/.exec(source)?.[1];
  const previous = source.includes('previous') ? ' --previous' : '';
  const place = ref.namespace === undefined ? {} : { namespace: ref.namespace };
  return {
    resource: 'pods',
    ...place,
    name: ref.name,
    log: true,
    quote,
    command: kubectl(ref.namespace, `logs ${commandWord(ref.name)}${container === undefined ? '' : ` -c ${container}`}${previous}`),
  };
}

function objectClue({ kind, namespace, name }: ObjectRef, quote: string): Clue | undefined {
  const resource = resourceOfKind(kind);
  if (resource === undefined) return undefined;
  const place = resource.namespaced && namespace !== undefined ? { namespace } : {};
  if (name === '' || name === '*')
    return { resource: resource.plural, ...place, quote, command: kubectl(namespace, `get ${wordOf(kind)}`) };
  return {
    resource: resource.plural,
    ...place,
    name,
    quote,
    command: kubectl(place.namespace, `describe ${wordOf(kind)} ${commandWord(name)}`),
  };
}

/** What kubectl users type for a kind. */
function wordOf(kind: string): string {
  return (resourceOfKind(kind) ?? resourceNamed(kind))?.kind.toLowerCase() ?? kind.toLowerCase();
}

function kubectl(namespace: string | undefined, rest: string): string {
  return `kubectl${namespaceFlag(namespace)} ${rest}`;
}
