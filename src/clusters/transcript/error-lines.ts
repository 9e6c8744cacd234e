import { append } from '../../base/lists.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { resourceNamed } from '../../model/resources.ts';
import type { Refusal } from '../memory-reader.ts';
import type { Line } from './clean-lines.ts';

/** What a read command said besides or instead of objects. */
export interface ReadErrors {
  /** It said that there is nothing of what was asked for. */
  readonly nothing: boolean;
  /** The namespace it named with that. */
  readonly emptyNamespace?: string;
  readonly absent: readonly ObjectRef[];
  readonly refused: readonly Refusal[];
  /** The API server was not reached, or did not know the caller: nothing at all was answered. */
  readonly unanswered?: string;
  /** Kinds the server does not serve. */
  readonly unserved: readonly string[];
}

const CLIENT =
  /^(?:Error from server|Error: |error: |Unable to connect to the server|The connection to the server|No resources found|No events found|Warning: |Unable to listen|error validating|[EWI]\d{4} \d\d:\d\d:\d\d\.\d+ +(?!1 )\d)/;
const SERVER =
  /^(?:Error: )?(?:Error from server \(\w+\): |Unable to connect to the server: |The connection to the server \S+ was refused|No resources found|error: the server doesn't have a resource type |error: You must be logged in)/;
const NOTHING = /^No resources found(?: in ([a-z0-9][a-z0-9-]{0,62}) namespace)?/;
const NOT_FOUND = /^Error from server \(NotFound\): (?:.*: )?([a-z][\w.-]{0,200}) "([^"]{1,253})" not found/;
const FORBIDDEN =
  /^Error from server \(Forbidden\): ([a-z][\w.-]{0,200}) (?:"([^"]{1,253})" )?is forbidden: User "([^"]{0,300})" cannot (\w{1,20}) resource "([\w./-]{1,200})" in API group "([^"]{0,200})"(?: in the namespace "([^"]{1,253})"| at the cluster scope)?/;
const UNANSWERED =
  /^(?:Unable to connect to the server|The connection to the server|error: You must be logged in|error: couldn't get current server API group list|Error from server \((?:Unauthorized|Timeout|ServiceUnavailable|InternalError|TooManyRequests)\)|error: (?:no configuration|invalid configuration|context ))/;
const UNSERVED = /^error: the server doesn't have a resource type "([^"]{1,200})"/;

/** Parts what kubectl itself says from the objects it prints. */
export function splitErrors(lines: readonly Line[]): SplitLines {
  return split(lines, CLIENT);
}

/** The same for describes, where messages of containers stand at the left margin and may begin with `Error:` too. */
export function splitServerErrors(lines: readonly Line[]): SplitLines {
  return split(lines, SERVER);
}

interface SplitLines {
  readonly errors: readonly Line[];
  readonly rest: readonly Line[];
}

function split(lines: readonly Line[], pattern: RegExp): SplitLines {
  const errors: Line[] = [];
  const rest: Line[] = [];
  for (const line of lines) (pattern.test(line.text) ? errors : rest).push(line);
  return { errors, rest };
}

/** Reads what kubectl said of a read; `namespace` is the command's. Source of the words: facts/control-plane.yaml. */
export function readErrors(lines: readonly Line[], namespace: string | undefined): ReadErrors {
  const [absent, refused, unserved]: [ObjectRef[], Refusal[], string[]] = [[], [], []];
  let nothing = false;
  let emptyNamespace: string | undefined;
  let unanswered: string | undefined;
  for (const line of lines) {
    const text = line.text.replace(/^Error: (?=Error|error)/, '');
    const empty = NOTHING.exec(text);
    nothing ||= empty !== null;
    emptyNamespace ??= empty?.[1];
    const missing = NOT_FOUND.exec(text);
    if (missing !== null) append(absent, refNamed(missing[1] ?? '', missing[2] ?? '', namespace));
    const refusal = forbidden(text);
    if (refusal !== undefined) refused.push(refusal);
    const kind = UNSERVED.exec(text)?.[1];
    if (kind !== undefined) unserved.push(kind);
    if (UNANSWERED.test(text)) unanswered ??= text;
  }
  return {
    nothing,
    absent,
    refused,
    unserved,
    ...(emptyNamespace === undefined ? {} : { emptyNamespace }),
    ...(unanswered === undefined ? {} : { unanswered }),
  };
}

function refNamed(word: string, name: string, namespace: string | undefined): readonly ObjectRef[] {
  const resource = resourceNamed(word);
  if (resource === undefined) return [];
  const scoped = resource.namespaced ? namespace : undefined;
  return [{ kind: resource.kind, ...(scoped === undefined ? {} : { namespace: scoped }), name }];
}

/** A read that was refused, with the permission it lacked. Refused writes are no reads. */
function forbidden(text: string): Refusal | undefined {
  const parts = FORBIDDEN.exec(text);
  if (parts === null) return undefined;
  const [, , name, user = '', verb = '', resource = '', group = '', namespace] = parts;
  const kind = resourceNamed(resource.split('/')[0] ?? '')?.kind;
  if (kind === undefined || !['get', 'list', 'watch'].includes(verb)) return undefined;
  const where = namespace === undefined ? ' in all namespaces' : ` in ${namespace}`;
  const needs = `${verb} ${resource}${group === '' ? '' : `.${group}`}${where}`;
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined || verb !== 'get' ? {} : { name }),
    why: 'forbidden',
    detail: `${user} cannot ${verb} ${resource}${where}`,
    needs,
  };
}
