import { reasonOf } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { shorten } from '../../../base/text.ts';

export type ParsedJson = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly detail: string };

/** JSON as a value, never as an exception; `detail` says what is wrong with it without quoting it, for it may be secret. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (error) {
    return { ok: false, detail: shorten(reasonOf(error).replace(/(?:\.\.\.)?"[^]{0,100}"(?:\.\.\.)? is not/, 'not'), 200) };
  }
}
