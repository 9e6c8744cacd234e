import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** What a published schema has against a value; nothing when it fits. */
export function schemaProblems(schema: string, value: unknown): readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ } });
  const validate = ajv.compile(JSON.parse(readFileSync(`src/report/schemas/${schema}`, 'utf8')) as object);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
