import { existsSync } from 'node:fs';
import { parseDuration } from '../../base/duration.ts';
import { PodcheckError } from '../../base/errors.ts';
import { parseInteger } from '../../base/number.ts';
import { nearest } from '../../base/text.ts';
import { loadScenario } from '../../catalog/load-scenarios.ts';
import { shippedScenario, shippedScenarios } from '../../catalog/bundled-data.ts';
import type { Scenario } from '../../model/scenario.ts';

/** A shipped scenario by its id (or the end of it), or a scenario file. */
export async function scenarioNamed(word: string): Promise<Scenario> {
  const exact = await shippedScenario(word);
  if (exact !== undefined) return exact;
  if (/\.ya?ml$/.test(word) || existsSync(word)) return loadScenario(word);
  const shipped = await shippedScenarios();
  const ending = shipped.filter(({ id }) => id.endsWith(`/${word}`));
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return only;
  const near =
    ending.length > 1
      ? ending.map(({ id }) => id)
      : nearest(
          word,
          shipped.map(({ id }) => id),
        );
  throw new PodcheckError(
    'usage',
    `unknown scenario "${word}"`,
    near.length === 0 ? '`podcheck sim list` lists all scenarios' : `did you mean ${near.join(' or ')}?`,
  );
}

/** Milliseconds of a duration given as an option. */
export function optionMilliseconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < 0)
    throw new PodcheckError('usage', `${name}: "${text}" is not a valid duration`, 'for example 30s, 10m or 2h');
  return seconds * 1000;
}

/** A seed may be any word; what looks like a number is one. */
export function optionSeed(text: string | undefined): number | string {
  if (text === undefined) return 1;
  return /^\d{1,15}$/.test(text) ? (parseInteger(text) ?? text) : text;
}
