import type { Json, JsonObject } from '../../src/base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../src/base/json.ts';
import { canonicalJson } from '../../src/base/json-edit.ts';
import type { Mask } from './masks.ts';
import type { Operation, Reply } from './operation.ts';

/** Something that the two clusters do not do alike. */
export interface Difference {
  /** What it is grouped by: `Service: field spec.healthCheckNodePort`. */
  readonly mechanism: string;
  /** `accepted`: one took what the other refused; `answer`: another answer; `field`: another object. */
  readonly about: 'accepted' | 'answer' | 'field';
  readonly real: string;
  readonly simulated: string;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Of objects in answers. */
  readonly fields: number;
  readonly fieldsEqual: number;
}

/** Compares what two clusters said to the same operation. */
export function compareReplies(
  kind: string,
  operation: Operation,
  replies: readonly [Reply, Reply],
  masks: readonly [Mask, Mask],
): Comparison {
  const [real, simulated] = replies;
  const accepted = (reply: Reply): boolean => reply.code < 400;
  const differences: Difference[] = [];
  const about = `${kind} ${operation.does}`;
  const said = [saidBy(real, masks[0]), saidBy(simulated, masks[1])] as const;
  if (accepted(real) !== accepted(simulated)) {
    const which = accepted(real) ? 'only the simulator refuses' : 'only the real cluster refuses';
    const mechanism = `${about}: ${which}: ${causeOf(accepted(real) ? simulated : real)}`;
    return { differences: [{ mechanism, about: 'accepted', real: said[0].text, simulated: said[1].text }], fields: 0, fieldsEqual: 0 };
  }
  if (said[0].text !== said[1].text) {
    const mechanism = `${about}: answer ${firstDifference(said[0].parts, said[1].parts)}`;
    differences.push({ mechanism, about: 'answer', real: said[0].text, simulated: said[1].text });
  }
  if (!accepted(real)) return { differences, fields: 0, fieldsEqual: 0 };
  const [one, other] = [leavesOf(real.body, masks[0]), leavesOf(simulated.body, masks[1])];
  const paths = new Set([...one.keys(), ...other.keys()]);
  let equal = 0;
  for (const path of paths) {
    const [left, right] = [one.get(path), other.get(path)];
    if (left === right) equal += 1;
    else
      differences.push({
        mechanism: fieldMechanism(kind, path, one, other),
        about: 'field',
        real: left ?? 'absent',
        simulated: right ?? 'absent',
      });
  }
  return { differences, fields: paths.size, fieldsEqual: equal };
}

/** Of an entry of managed fields that only one has, the whole entry is the mechanism; what is of every kind is of none. */
function fieldMechanism(kind: string, path: string, real: ReadonlyMap<string, string>, simulated: ReadonlyMap<string, string>): string {
  const [entry] = /^metadata\.managedFields\.<[^>]*>/.exec(path) ?? [];
  const missing = (leaves: ReadonlyMap<string, string>): boolean => entry !== undefined && !leaves.has(`${entry}.operation`);
  if (entry !== undefined && (missing(real) || missing(simulated)))
    return `${kind}: only the ${missing(real) ? 'simulator' : 'real cluster'} has ${entry}`;
  const of = /^metadata\.(?!managedFields)/.test(path) ? 'any kind' : kind;
  return `${of}: field ${generalPath(path)}`;
}

interface Said {
  readonly text: string;
  readonly parts: Readonly<Record<string, string>>;
}

/** Code, reason, message, causes and warnings of an answer. */
function saidBy({ code, warnings, body }: Reply, mask: Mask): Said {
  const refused = code >= 400;
  const details = asObject(dig(body, 'details'));
  const parts: Record<string, string> = { code: String(code) };
  if (refused) {
    parts['reason'] = asText(dig(body, 'reason')) ?? '';
    const causes = asList(details['causes']).map((cause) => withoutPatched(canonicalJson(cause)));
    // A real server tells conflicts in the order of a Go map, another one each time.
    const conflicts = code === 409 && causes.length > 0;
    const message = withoutPatched(asText(dig(body, 'message')) ?? '');
    // Nor does it tell in one order what of a patch fits no schema.
    const unordered = conflicts || message.startsWith('failed to create typed patch object');
    parts['causes'] = mask((conflicts ? causes.toSorted() : causes).join('\n'));
    parts['message'] = mask(unordered ? message.split('\n').toSorted().join('\n') : message);
    parts['details'] = mask(canonicalJson({ ...details, causes: null, uid: null }));
  }
  if (warnings.length > 0) parts['warnings'] = mask(warnings.join('\n'));
  const text = Object.entries(parts)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return { text, parts };
}

/** Of a patch whose outcome is invalid the whole object is told, in an order of fields that is Go's own; of versions all that Go holds. */
function withoutPatched(text: string): string {
  return text
    .replace(/(Invalid value: \\?")\{.*\}(\\?": (?:json|parsing|strict|illegal|unknown|error|quantities))/s, '$1<patched>$2')
    .replace(/(Invalid value: )(?:\[\{\\?"[a-z]+\\?":.*\}\]|\[\]|null)(: must (?:have exactly|contain))/is, '$1<versions>$2');
}

/** The part that differs, with the field that a cause is about where there is one. */
function firstDifference(real: Said['parts'], simulated: Said['parts']): string {
  for (const name of new Set([...Object.keys(real), ...Object.keys(simulated)])) {
    const [left, right] = [real[name] ?? '', simulated[name] ?? ''];
    if (left === right) continue;
    if (name === 'code') return `code ${left}, simulated ${right}`;
    const [lines, others] = [left.split('\n'), right.split('\n')];
    const line = lines.find((one) => !others.includes(one)) ?? others.find((one) => !lines.includes(one)) ?? left;
    return `${name}: ${generalPath(clipped(withoutQuotes(line)))}`;
  }
  return '';
}

function causeOf({ body }: Reply): string {
  const cause = asList(dig(body, 'details', 'causes'))[0];
  if (cause === undefined) return generalPath(clipped(withoutQuotes(asText(dig(body, 'message')) ?? '')));
  return `${generalPath(asText(dig(cause, 'field')) ?? '')} ${asText(dig(cause, 'reason')) ?? ''} ${clipped(withoutQuotes(asText(dig(cause, 'message')) ?? ''))}`;
}

/** What stands in quotes is of one object, the rest of a mechanism. */
function withoutQuotes(text: string): string {
  return text.replaceAll(/\\?"[^"\\]{0,200}\\?"/g, (quoted) => (quoted.length > 22 ? '"…"' : quoted));
}

function clipped(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** Every place of a list, and every key of an entry of managed fields, is one; a pod template is a pod. */
function generalPath(path: string): string {
  return path
    .replaceAll(/\bspec\.(?:jobTemplate\.spec\.)?template\.(?=spec|metadata)/g, 'pod.')
    .replaceAll(/f:spec\.(?:f:jobTemplate\.f:spec\.)?f:template\.(?=f:spec|f:metadata)/g, 'f:pod.')
    .replaceAll(/\[\d+\]/g, '[]')
    .replaceAll(/k:\{[^}]*\}/g, 'k:{…}')
    .replaceAll(/v:"[^"]*"/g, 'v:…');
}

/** Every value in an object by its path. What is empty counts as a value. */
export function leavesOf(value: Json, mask: Mask): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  collectLeaves(value, '', mask, leaves);
  return leaves;
}

function collectLeaves(value: Json, path: string, mask: Mask, leaves: Map<string, string>): void {
  if (path.endsWith('metadata.managedFields') && Array.isArray(value)) return collectLeaves(byManager(value), path, mask, leaves);
  if (Array.isArray(value) && value.length > 0) {
    for (const [index, member] of (value as readonly Json[]).entries()) collectLeaves(member, `${path}[${index}]`, mask, leaves);
    return undefined;
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [name, member] of Object.entries(value))
      if (member !== undefined) collectLeaves(member, path === '' ? name : `${path}.${mask(name)}`, mask, leaves);
    return undefined;
  }
  leaves.set(path, mask(JSON.stringify(value), path));
  return undefined;
}

/** Entries by who they are of: one more or less does not move the others. */
function byManager(entries: Json): JsonObject {
  return Object.fromEntries(
    asList(entries).map((entry) => {
      const [manager, operation, subresource] = ['manager', 'operation', 'subresource'].map((name) => asText(dig(entry, name)) ?? '');
      return [`<${manager} ${operation}${subresource === '' ? '' : ` ${subresource}`}>`, entry];
    }),
  );
}
