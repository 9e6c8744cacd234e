import { parseTemplate } from '../base/wording/template.ts';
import type { Scalar } from '../model/fact.ts';
import { PLACES } from '../model/place.ts';
import type { Wording } from '../model/rule.ts';
import type { YamlCursor } from './yaml-cursor.ts';

export const WORDING_FIELDS = ['in', 'reason', 'text', 'anyCase', 'as', 'since', 'until'] as const;

export const MINOR_VERSION = /^1\.\d{1,3}$/;

/** The wordings of a rule or a frame: a list of `{ in, reason, text, anyCase, as, since, until }`. */
export function parseWordings(cursor: YamlCursor | undefined): readonly Wording[] {
  return cursor?.items().map(parseWording) ?? [];
}

function parseWording(cursor: YamlCursor): Wording {
  const fields = cursor.fields(WORDING_FIELDS);
  const reason = listed(fields.get('reason')).flatMap((each) => each.text() ?? []);
  const template = fields.get('text');
  const text = template?.exactText() ?? '';
  if (template === undefined && reason.length === 0) cursor.problem('a wording needs a text or a reason');
  const parsed = text === '' ? undefined : parseTemplate(text);
  if (parsed !== undefined && 'problem' in parsed) template?.problem(parsed.problem);
  return {
    in: listed(fields.get('in')).flatMap((each) => each.oneOf(PLACES) ?? []),
    reason,
    text,
    anyCase: fields.get('anyCase')?.flag() ?? false,
    as: constants(fields.get('as')),
    ...version('since', fields.get('since')),
    ...version('until', fields.get('until')),
  };
}

/** One value may stand without its list. */
function listed(cursor: YamlCursor | undefined): readonly YamlCursor[] {
  if (cursor === undefined) return [];
  return cursor.isList() ? cursor.items() : [cursor];
}

function constants(cursor: YamlCursor | undefined): Readonly<Record<string, Scalar>> {
  const values: Record<string, Scalar> = {};
  for (const [name, value] of cursor?.entries() ?? []) {
    const scalar = value.scalar();
    if (scalar !== undefined) values[name] = scalar;
  }
  return values;
}

function version<K extends 'since' | 'until'>(name: K, cursor: YamlCursor | undefined): { readonly [key in K]?: string } {
  if (cursor === undefined) return {};
  const text = cursor.text();
  if (text === undefined) return {};
  if (!MINOR_VERSION.test(text)) cursor.problem(`${JSON.stringify(text)} is not a valid Kubernetes minor version: write "1.32", in quotes`);
  return { [name]: text } as { readonly [key in K]?: string };
}
