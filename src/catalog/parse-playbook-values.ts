import { linearPattern } from '../base/pattern/linear-pattern.ts';
import { parseDuration } from '../base/duration.ts';
import type { Scalar } from '../model/fact.ts';
import { parseRef } from '../model/kube-object.ts';
import type { ParamType, PlaybookParam } from '../model/playbook.ts';
import { PARAM_TYPES } from '../model/playbook.ts';
import { checkParam } from '../model/playbook-value.ts';
import type { YamlCursor } from './yaml-cursor.ts';

export type Fields = ReadonlyMap<string, YamlCursor>;

const PARAM_FIELDS = ['type', 'says', 'required', 'default', 'pattern', 'oneOf', 'secret', 'cause'];

/** `params`: a map from a name to what may be given for it. */
export function parseParams(cursor: YamlCursor | undefined): readonly PlaybookParam[] {
  return [...(cursor?.entries() ?? [])].map(([name, param]) => parseParam(name, param));
}

function parseParam(name: string, cursor: YamlCursor): PlaybookParam {
  if (!/^[A-Za-z]\w{0,62}$/.test(name)) cursor.problem(`${JSON.stringify(name)} is not a valid parameter name: use letters, digits and _`);
  const fields = cursor.fields(PARAM_FIELDS, ['type', 'says']);
  const param: PlaybookParam = {
    name,
    type: fields.get('type')?.oneOf(PARAM_TYPES) ?? 'text',
    says: fields.get('says')?.text() ?? '',
    required: parseFlag(fields.get('required')) ?? false,
    ...optional('default', fields.get('default')?.scalar()),
    ...optional('pattern', parsePattern(fields.get('pattern'))),
    ...(fields.has('oneOf') ? { oneOf: scalarsIn(fields.get('oneOf')) } : {}),
    secret: parseFlag(fields.get('secret')) ?? false,
    ...optional('cause', fields.get('cause')?.text()),
  };
  checkDefault(param, fields.get('default'));
  return param;
}

function checkDefault(param: PlaybookParam, cursor: YamlCursor | undefined): void {
  if (param.default === undefined) return;
  if (param.secret) cursor?.problem('a secret cannot have a default: every reader of the playbook could see it');
  const checked = checkParam(param, String(param.default));
  if (!checked.ok) cursor?.problem(checked.expected);
}

function scalarsIn(cursor: YamlCursor | undefined): readonly Scalar[] {
  return (cursor?.items() ?? []).map((item) => item.scalar()).filter((value) => value !== undefined);
}

/** A regular expression in Go's syntax, which has nothing that takes more than linear time: no look-around, no back-references. */
export function parsePattern(cursor: YamlCursor | undefined): string | undefined {
  const source = cursor?.text();
  if (source === undefined || cursor === undefined) return undefined;
  const known = linearPattern(source);
  return 'trouble' in known ? cursor.problem(known.trouble) : source;
}

/** What a person is asked for; the name of the variable is `as`. */
export function parseType(cursor: YamlCursor | undefined): ParamType {
  return cursor?.oneOf(PARAM_TYPES) ?? 'text';
}

export function parseFlag(cursor: YamlCursor | undefined): boolean | undefined {
  if (cursor === undefined) return undefined;
  const value = cursor.scalar();
  return typeof value === 'boolean' ? value : cursor.problem('expected true or false');
}

export function parseMilliseconds(cursor: YamlCursor | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const text = String(cursor.scalar() ?? '');
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds <= 0)
    return cursor.problem(`${JSON.stringify(text)} is not a valid duration; write 30s, 2m or 1h30m`);
  return Math.round(seconds * 1000);
}

/** An object as a template: `Kind/name`, `Kind/namespace/name`, or one variable that holds such a text. */
export function parseObjectTemplate(cursor: YamlCursor | undefined): string {
  const text = cursor?.text();
  if (text === undefined || cursor === undefined) return '';
  if (/^\{\{\s*[A-Za-z]\w*\s*\}\}$/.test(text) || parseRef(text.replaceAll(/\{\{[^{}]*\}\}/g, 'x')) !== undefined) return text;
  cursor.problem(`${JSON.stringify(text)} is not a valid object reference; write Kind/namespace/name, Kind/name or one variable`);
  return text;
}

export function parseTexts(cursor: YamlCursor | undefined): readonly string[] {
  if (cursor === undefined) return [];
  return (cursor.isList() ? cursor.items() : [cursor]).map((item) => item.text()).filter((text) => text !== undefined);
}

export function parseScalars(cursor: YamlCursor | undefined): readonly Scalar[] {
  if (cursor === undefined) return [];
  return (cursor.isList() ? cursor.items() : [cursor]).map((item) => item.scalar()).filter((value) => value !== undefined);
}

/** One word or a list of them. */
export function parseWords<T extends string>(cursor: YamlCursor | undefined, words: readonly T[]): readonly T[] {
  if (cursor === undefined) return [];
  return (cursor.isList() ? cursor.items() : [cursor]).map((item) => item.oneOf(words)).filter((word) => word !== undefined);
}

/** The field with its value, or nothing at all. */
export function optional<K extends string, T>(name: K, value: T | undefined): { readonly [key in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in K]?: T });
}
