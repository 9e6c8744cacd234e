import type { RefusalWords } from './refusal-reading.ts';


/**
 * What the words of a refusal as invalid (422, strict decoding 400) or of the client's own validation say, one entry for each field.
 * Sources: apimachinery/pkg/util/validation/field/errors.go, apimachinery/pkg/api/errors/errors.go (NewInvalid),
 * apiserver/pkg/endpoints/handlers/create.go, kubectl/pkg/validation and k8s.io/kube-openapi/pkg/util/proto/validation.
 */
export function readInvalid(text: string): readonly RefusalWords[] {
  const decoding = readDecoding(text);
  if (decoding.length > 0) return decoding;
  const start = /is invalid: ?/.exec(text);
  if (start === null) return [];
  const causes = splitCauses(text.slice(start.index + start[0].length)).map(readCause).filter((cause) => cause !== undefined);
  // Without a selector nothing can match the template: the second complaint only follows from the first.
  const noSelector = causes.some(({ reason, field }) => reason === 'required-field' && field === 'spec.selector');
  return causes.filter(({ reason }) => !(noSelector && reason === 'selector-mismatch'));
}

const UNKNOWN_FIELD = /unknown field "(?<field>[^"]{1,500})"(?: in (?<detail>[\w.-]{1,300}))?/g;
const DUPLICATE_FIELD = /duplicate field "(?<field>[^"]{1,500})"/;
const UNMARSHAL = /json: cannot unmarshal (?<value>\w{1,30})(?: [^\n]{0,50}?)? into Go struct field (?<owner>\w{1,100})\.(?<field>[\w.]{1,500}) of type (?<wanted>[\w.*[\]]{1,100})/;
const UNMARSHAL_WHOLE = /json: cannot unmarshal (?<value>\w{1,30})(?: [^\n]{0,50}?)? into Go value of type (?<wanted>[\w.*[\]]{1,100})/;
const QUANTITY = /(?<detail>quantities must match the regular expression)/;
const CLIENT_TYPE = /ValidationError\((?<field>[^)\n]{1,500})\): invalid type for [^\s:]{1,300}: got "(?<value>\w{1,30})", expected "(?<wanted>\w{1,30})"/;
const CLIENT_REQUIRED = /ValidationError\((?<owner>[^)\n]{1,500})\): missing required field "(?<field>[^"]{1,253})"/;

function readDecoding(text: string): readonly RefusalWords[] {
  const required = CLIENT_REQUIRED.exec(text)?.groups;
  if (required !== undefined) return [{ reason: 'required-field', field: `${withoutKind(required['owner'] ?? '')}${required['field'] ?? ''}` }];
  const type = (CLIENT_TYPE.exec(text) ?? UNMARSHAL.exec(text) ?? UNMARSHAL_WHOLE.exec(text))?.groups;
  if (type !== undefined) return [{ reason: 'wrong-type', field: type['field'] ?? 'the document', value: type['value'], wanted: type['wanted'] }];
  const unknown = [...text.matchAll(UNKNOWN_FIELD)].slice(0, CAUSE_LIMIT);
  if (unknown.length > 0) return unknown.map(({ groups }) => ({ reason: 'unknown-field', field: groups?.['field'], detail: groups?.['detail'] }));
  const duplicate = DUPLICATE_FIELD.exec(text)?.groups;
  if (duplicate !== undefined) return [{ reason: 'invalid-value', field: duplicate['field'], detail: 'duplicate field' }];
  const quantity = QUANTITY.exec(text);
  if (quantity !== null) return [{ reason: 'invalid-value', field: 'a quantity', detail: 'not a valid quantity (examples: 100m, 1Gi)' }];
  const handled = /cannot be handled as a \w{1,100}: (?<detail>[^\n]{1,500})/.exec(text)?.groups;
  return handled === undefined ? [] : [{ reason: 'invalid-value', field: 'the document', detail: handled['detail'] }];
}

/** `Pod.spec.containers[0]` → `spec.containers[0].`; the kind alone is the top of the document. */
function withoutKind(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? '' : `${path.slice(dot + 1)}.`;
}

const CAUSE_LIMIT = 20;

/** One cause stands on the line; several stand each on a line with a star (kubectl) or in brackets with commas (events). */
function splitCauses(text: string): readonly string[] {
  const starred = text.split('\n* ').slice(1);
  if (starred.length > 0) return starred.slice(0, CAUSE_LIMIT);
  if (!text.startsWith('[') || text.startsWith('[]:')) return [text];
  const inside = text.slice(1).replace(/\]\s*$/, '');
  return inside.split(/, (?=[a-z][\w.[\]]{0,300}: [A-Z])/).slice(0, CAUSE_LIMIT);
}

/** Types of complaint as `field.ErrorType.String()` has them. */
const CAUSE = /^(?<field>[^\n:]{0,500}?): (?<type>Required value|Invalid value|Unsupported value|Forbidden|Not found|Duplicate value|Too long|Too many|Too few|Internal error)(?:: (?<rest>[\s\S]{0,3000}))?$/;

/** A field that may not change any more. Sources: pkg/apis/{core,apps,batch}/validation/validation.go, apimachinery/pkg/api/validation/objectmeta.go (FieldImmutableErrorMsg). */
const IMMUTABLE = [
  'field is immutable',
  'updates may not change fields other than',
  'updates may not add or remove containers',
  'updates to statefulset spec for fields other than',
  'is immutable after creation',
  'may not change once set',
  'field can not be less than previous value',
  'may not be changed once set',
];

function readCause(text: string): RefusalWords | undefined {
  const groups = CAUSE.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const field = (groups['field'] ?? '').trim().replace(/^\[\]$/, 'the document') || 'the document';
  const [type, rest = ''] = [groups['type'], groups['rest']];
  const { value, detail } = valueAndDetail(rest);
  if (IMMUTABLE.some((words) => rest.includes(words))) return { reason: 'immutable-field', field, value, detail };
  if (rest.includes('`selector` does not match template `labels`')) return { reason: 'selector-mismatch', field, value, detail };
  if (type === 'Required value') return { reason: field === 'metadata.name' ? 'name-missing' : 'required-field', field, detail: rest === '' ? undefined : rest };
  if (type === 'Not found') return { reason: 'invalid-value', field, value, detail: 'not declared in the object' };
  if (type === 'Duplicate value') return { reason: 'invalid-value', field, value, detail: 'duplicate value' };
  return { reason: 'invalid-value', field, value, detail: detail === '' ? type : detail };
}

/** `"2Gi": must be …`, `80800: must be …`, `{"app":"web"}: …`: the value comes first, where there is one. */
function valueAndDetail(rest: string): { readonly value: string | undefined; readonly detail: string } {
  const quoted = /^"([^"\n]{0,500})"(?:: ([\s\S]*))?$/.exec(rest);
  if (quoted !== null) return { value: quoted[1], detail: quoted[2] ?? '' };
  const bare = /^([\d.-]{1,40}|\{[^\n]{0,2000}?\}|\[[^\n]{0,500}?\]|true|false|null): ([\s\S]*)$/.exec(rest);
  return bare === null ? { value: undefined, detail: rest } : { value: bare[1], detail: bare[2] ?? '' };
}
