import type { Place } from '../../../model/place.ts';
import type { FieldValues, WordOf } from '../../survey/fact-sink.ts';
import type { Reading, Vocabulary } from '../../survey/vocabulary.ts';

/** What the API server's words say about one request it refused. */
export interface RefusalWords extends Pick<
  FieldValues<'refusal'>,
  'by' | 'field' | 'value' | 'wanted' | 'detail' | 'resource' | 'verb' | 'user' | 'where' | 'service'
> {
  readonly reason: WordOf<'refusal', 'reason'>;
}

/**
 * Reads an error of the API server, as a client prints it or a controller writes it into an event; none when the words are unknown.
 * There is one for each field that is said to be wrong.
 */
export function readRefusals(text: string, place: Place, vocabulary: Vocabulary): readonly RefusalWords[] {
  const [first, ...others] = vocabulary.readAll('refusal', text, place);
  if (first === undefined) return invalidFields(text, vocabulary);
  const readings = first.fields.field === undefined ? [first] : [first, ...others.filter(({ fields }) => fields.field !== undefined)];
  return readings.flatMap(refusalIn);
}

/** Where nothing is named, the words themselves are what there is to say. */
function refusalIn({ fields: { parent, ...fields }, words }: Reading<'refusal'>): readonly RefusalWords[] {
  const { reason, by, field, detail } = fields;
  if (reason === undefined) return [];
  const said = by === undefined && field === undefined ? words : undefined;
  return [{ ...fields, reason, field: parent === undefined ? field : `${withoutKind(parent)}${field ?? ''}`, detail: detail ?? said }];
}

/** `Pod.spec.containers[0]` → `spec.containers[0].`; the kind alone is the top of the document. */
function withoutKind(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? '' : `${path.slice(dot + 1)}.`;
}

/** One entry for each field of an object that is invalid (422). Source: apimachinery/pkg/api/errors/errors.go (NewInvalid). */
function invalidFields(text: string, vocabulary: Vocabulary): readonly RefusalWords[] {
  const start = vocabulary.phrase('invalid-fields', text)?.end ?? BARE.exec(text)?.index;
  if (start === undefined) return [];
  const causes = splitCauses(text.slice(start).replace(/^ /, '')).flatMap((cause) => invalidField(cause, vocabulary));
  // Without a selector nothing can match the template: the second complaint only follows from the first.
  const noSelector = causes.some(({ reason, field }) => reason === 'required-field' && field === 'spec.selector');
  return causes.filter(({ reason }) => !(noSelector && reason === 'selector-mismatch'));
}

/** A complaint of which people left out the object: fields of all objects begin so. */
const BARE = /(?<![\w.])(?:spec|metadata)\.[\w.[\]]{1,300}: (?:Invalid|Required|Unsupported|Duplicate) value/;
const CAUSE_LIMIT = 20;

/** One cause stands on the line; several stand each on a line with a star (kubectl) or in brackets with commas (events). */
function splitCauses(text: string): readonly string[] {
  const starred = text.split('\n* ').slice(1);
  if (starred.length > 0) return starred.slice(0, CAUSE_LIMIT);
  if (!text.startsWith('[') || text.startsWith('[]:')) return [text];
  const inside = text.slice(1).replace(/\]\s*$/, '');
  return inside.split(/, (?=[a-z][\w.[\]]{0,300}: [A-Z])/).slice(0, CAUSE_LIMIT);
}

/** `path: Type of complaint: value: detail`. Source: apimachinery/pkg/util/validation/field/errors.go (Error.Error). */
const CAUSE = /^([^\n:]{0,500}?): ([A-Z][a-z ]{1,30})(?:: ([\s\S]{0,3000}))?$/;

/** A person left out the value, which Go prints of a whole template. */
const ELIDED = /^([\w.[\]]{1,300}): {1,4}(?:\.{3}|…) {0,4}: /;

function invalidField(cause: string, vocabulary: Vocabulary): readonly RefusalWords[] {
  const [, path = '', type = '', rest = ''] = CAUSE.exec(cause.trim().replace(ELIDED, '$1: Invalid value: ')) ?? [];
  const told = type === '' ? undefined : vocabulary.read('refusal', rest === '' ? type : `${type}: ${rest}`, 'field')?.fields;
  if (told?.reason === undefined) return [];
  const field = path.trim().replace(/^\[\]$/, 'the document') || 'the document';
  if (told.reason === 'required-field')
    return [{ reason: field === 'metadata.name' ? 'name-missing' : 'required-field', field, detail: told.detail }];
  const { value, detail } = valueAndDetail(rest);
  const { reason, resource, wanted } = told;
  return [{ reason, field, value, resource, wanted, detail: told.detail ?? (detail === '' ? type : detail) }];
}

/** `"2Gi": must be …`, `80800: must be …`, `{"app":"web"}: …`: the value comes first, where there is one. */
function valueAndDetail(rest: string): { readonly value: string | undefined; readonly detail: string } {
  const quoted = /^"([^"\n]{0,500})"(?:: ([\s\S]*))?$/.exec(rest);
  if (quoted !== null) return { value: quoted[1], detail: quoted[2] ?? '' };
  const bare = /^([\d.-]{1,40}|\{[^\n]{0,2000}?\}|\[[^\n]{0,500}?\]|true|false|null): ([\s\S]*)$/.exec(rest);
  return bare === null ? { value: undefined, detail: rest } : { value: bare[1], detail: bare[2] ?? '' };
}
