import type { JsonObject } from '../../base/json.ts';
import { ruleSchema } from './rule-schema.ts';
import { scenarioSchema } from './scenario-schema.ts';

/** Schemas of the files that people write, by the names under which the build publishes them beside those of the reports. */
export function fileSchemas(): Readonly<Record<string, JsonObject>> {
  return { 'rule.v1.json': ruleSchema(), 'scenario.v1.json': scenarioSchema() };
}
