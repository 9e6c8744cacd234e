import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import type { Json } from '../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../base/json.ts';

/**
 * Checks the arguments of a call against the input schema of a tool, which knows strings of a length and nothing else. Answers are built
 * from contracts that tests check, and pass as they are.
 */
export const ARGUMENTS: jsonSchemaValidator = {
  getValidator: (schema) => (given) => {
    const trouble = troubleOf(schema as unknown as Json, given as Json | undefined);
    return trouble === undefined
      ? { valid: true, data: (given ?? {}) as never, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: trouble };
  },
};

export const ANSWERS: jsonSchemaValidator = {
  getValidator: () => (given) => ({ valid: true, data: given as never, errorMessage: undefined }),
};

/** Undefined where all is as the schema says. */
export function troubleOf(schema: Json, given: Json | undefined): string | undefined {
  const words = given ?? {};
  if (!isJsonObject(words)) return 'the arguments are not an object';
  const properties = dig(schema, 'properties');
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  for (const name of Object.keys(words))
    if (!known.includes(name)) return `unknown argument "${name.slice(0, 100)}"; known: ${known.join(', ')}`;
  for (const name of asList(dig(schema, 'required')).flatMap((each) => asText(each) ?? []))
    if (words[name] === undefined) return `argument "${name}" is missing`;
  for (const [name, value] of Object.entries(words)) {
    const most = dig(properties, name, 'maxLength');
    const least = dig(properties, name, 'minLength');
    if (typeof value !== 'string') return `argument "${name}" is not a string`;
    if (typeof most === 'number' && value.length > most) return `argument "${name}" has more than ${String(most)} characters`;
    if (typeof least === 'number' && value.trim().length < least) return `argument "${name}" is empty`;
  }
  return undefined;
}
