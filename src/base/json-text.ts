import type { Json } from './json.ts';

/** A JSON value as text: texts and numbers as they are, nothing for what is absent or null, anything else as JSON. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
