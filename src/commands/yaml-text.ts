import { stringify } from 'yaml';
import type { Json } from '../base/json.ts';

/**
 * YAML of a value. A file of its own, imported when it is needed: the bundler keeps no names of a CommonJS package that is itself imported
 * late.
 */
export function yamlText(value: Json): string {
  return stringify(value, { lineWidth: 0 });
}
