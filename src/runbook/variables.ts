import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Diagnosis, Evidence } from '../model/diagnosis.ts';
import type { Scalar } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef, inNamespace, parseRef, sameObject } from '../model/kube-object.ts';
import { fill, requiredVariablesOf } from '../model/placeholders.ts';

export type Variables = Readonly<Record<string, Scalar>>;

/** What every run knows of its target. */
export function variablesOfTarget(target: ObjectRef): Variables {
  return {
    target: formatRef(target),
    kind: target.kind,
    name: target.name,
    ...inNamespace(target.namespace),
    workload: `${target.kind}/${target.name}`,
    ...(target.kind === 'Node' ? { node: target.name } : {}),
    ...(target.kind === 'Pod' ? { pod: target.name } : {}),
  };
}

/** What a diagnosis adds: its outcome, its cause, and a pod to look at. */
export function variablesOfDiagnosis(
  { target, outcome, causes }: Diagnosis,
  evidence: Evidence,
): Readonly<Record<string, Scalar | undefined>> {
  const [cause] = causes;
  const pod = podToLookAt(target, evidence, cause?.params['pod']);
  const node = pod === undefined ? undefined : nodeOf(pod, evidence);
  const container = cause?.params['container'];
  return {
    outcome,
    cause: cause?.rule,
    fix: fixOf(cause),
    object: cause === undefined ? undefined : formatRef(cause.object),
    objectKind: cause?.object.kind,
    objectName: cause?.object.name,
    ...(pod === undefined ? {} : { pod: pod.name }),
    ...(node === undefined || node === '' ? {} : { node }),
    ...(container === undefined ? {} : { container }),
    ...(target.namespace === undefined && cause?.object.namespace !== undefined ? { namespace: cause.object.namespace } : {}),
  };
}

function nodeOf({ name, namespace }: ObjectRef, evidence: Evidence): string | undefined {
  const seen = evidence.facts.find(({ kind, about }) => kind === 'pod' && about.name === name && about.namespace === namespace);
  return textOf(seen?.fields['node']);
}

/** The one command that changes something before the first step that is another way, or for somebody else; empty where it is none. */
function fixOf(cause: Diagnosis['causes'][number] | undefined): string {
  const steps = cause?.fix ?? [];
  const end = steps.findIndex(({ say, by }, index) => by !== undefined || (index > 0 && /^(?:Or|If|Otherwise)\b/.test(say)));
  const commands = (end < 0 ? steps : steps.slice(0, end)).flatMap(({ run }) => (run === undefined || isLook(run) ? [] : [run]));
  return commands.length === 1 ? (commands[0] ?? '') : '';
}

/** Whether a command only shows something, alone or with others, also with a filter behind it. */
function isLook(run: string): boolean {
  return run.split(/; | && /).every((command) => {
    const [shows = '', ...filters] = command.split(' | ');
    return SHOWS.test(shows) && filters.every((filter) => FILTERS.test(filter));
  });
}

const SHOWS = /^kubectl(?: -n \S+)? (?:get|describe|logs|rollout (?:status|history)) [^|;&]*$/;
const FILTERS = /^(?:grep|head|tail|sort) [^|;&]*$/;

function podToLookAt(target: ObjectRef, { facts, targets }: Evidence, named: Scalar | undefined): ObjectRef | undefined {
  const members = targets.find(({ ref }) => sameObject(ref, target))?.members.filter(({ kind }) => kind === 'Pod') ?? [];
  const seen = members.map((member) => ({ member, fact: facts.find((fact) => fact.kind === 'pod' && sameObject(fact.about, member)) }));
  const [one] = [
    ...seen.filter(({ member }) => member.name === named),
    ...seen.filter(({ fact }) => fact?.fields['ready'] === false),
    ...seen,
  ];
  return one?.member;
}

function textOf(value: Scalar | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Names of the variables a template needs and that have no value yet. */
export function missing(template: unknown, variables: Variables): readonly string[] {
  return [...new Set(requiredVariablesOf(JSON.stringify(template) ?? ''))].filter((name) => !Object.hasOwn(variables, name));
}

const WHOLE = /^\{\{\s*([A-Za-z]\w*)\s*\}\}$/;

/**
 * A manifest or patch with its templates filled in. A text that is nothing but one variable becomes that variable's value, number or flag.
 */
export function fillBody(body: Json, variables: Variables): Json {
  if (typeof body === 'string') {
    const name = WHOLE.exec(body)?.[1];
    const value = name === undefined ? undefined : variables[name];
    return value ?? fill(body, variables);
  }
  if (Array.isArray(body)) return (body as readonly Json[]).map((item) => fillBody(item, variables));
  return isJsonObject(body) ? fillObject(body, variables) : body;
}

export function fillObject(object: JsonObject, variables: Variables): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [fill(key, variables), value === undefined ? undefined : fillBody(value, variables)]),
  );
}

/** The object a template names. `Kind/name` of a namespaced kind is in the target's namespace. */
export function objectOf(template: string, variables: Variables, isNamespaced: (kind: string) => boolean): ObjectRef | undefined {
  const ref = parseRef(fill(template, variables));
  if (ref === undefined) return undefined;
  if (!isNamespaced(ref.kind)) return { kind: ref.kind, name: ref.name };
  const { namespace } = variables;
  return ref.namespace !== undefined || namespace === undefined ? ref : { ...ref, namespace: String(namespace) };
}
