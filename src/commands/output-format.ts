import { PodcheckError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { maskedJson } from '../base/mask/masked-json.ts';
import { printable } from '../base/text.ts';
import { jsonText } from '../report/diagnosis/cause-json.ts';
import type { FormatOf } from './formats.ts';
import { FORMATS } from './formats.ts';

/** The chosen format, if the command has it. */
export function outputFormat<Command extends keyof typeof FORMATS>(chosen: string | undefined, command: Command): FormatOf<Command> {
  const formats: readonly [FormatOf<Command>, ...FormatOf<Command>[]] = FORMATS[command];
  if (chosen === undefined) return formats[0];
  const format = formats.find((known) => known === chosen);
  if (format === undefined)
    throw new PodcheckError('usage', `unknown output format "${chosen}" for podcheck ${command}`, `use one of: ${formats.join(', ')}`);
  return format;
}

/** JSON or YAML text of a value, without passwords, tokens and keys. */
export async function dataText(value: Json, format: 'json' | 'yaml'): Promise<string> {
  const safe = maskedJson(value);
  if (format === 'json') return jsonText(safe);
  const { yamlText } = await import('./yaml-text.ts');
  return yamlText(harmless(safe));
}

/** YAML passes some control characters through as they are: they are shown instead. */
function harmless(value: Json): Json {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(harmless);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [printable(key), member === undefined ? undefined : harmless(member)]),
  );
}
