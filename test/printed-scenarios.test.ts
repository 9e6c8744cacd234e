import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import type { Scenario } from '../src/model/scenario.ts';
import { podcheck } from './support/command-line.ts';
import type { PastedAnswer } from './support/pasted-answer.ts';
import { printedForms, WRAPPINGS } from './support/printed-scenarios.ts';

const rules = new Map((await shippedRules()).map((rule) => [rule.id, rule]));
const scenarios = (await shippedScenarios()).filter(({ expect: wanted }) => wanted?.outcome === 'explained');
const [plain = '', ...wrappings] = Object.keys(WRAPPINGS);

/** What is true as far as the text goes, where nothing in the text tells the cause of the scenario. */
const TOLD_INSTEAD: Readonly<Record<string, readonly string[]>> = {
  // Both kinds of webhooks refuse in the same words.
  'mutating-admission/webhook-denied': ['validating-admission/webhook-denied'],
  'mutating-admission/webhook-unreachable': ['validating-admission/webhook-unreachable'],
  // A log does not tell whose file system it is: only the mounts of the container do.
  'containers/volume-permission-denied': ['containers/read-only-root-filesystem'],
  // The claim was refused for the quota.
  'scheduling/resource-claim-refused': ['validating-admission/quota-exceeded'],
};

interface Told {
  readonly form: string;
  readonly wrapping: string;
  readonly text: string;
  readonly outcome: string;
  readonly found: string | undefined;
  readonly what: string;
}

const played = new Map<string, Promise<readonly Told[]>>();

/** What is told of each form of a scenario, plain and in one other wrapping. */
function toldOf(scenario: Scenario, index: number): Promise<readonly Told[]> {
  let all = played.get(scenario.id);
  if (all === undefined) played.set(scenario.id, (all = answersTo(scenario, index)));
  return all;
}

async function answersTo(scenario: Scenario, index: number): Promise<readonly Told[]> {
  const answers: Told[] = [];
  for (const [place, printed] of printedForms(scenario).entries()) {
    for (const wrapping of [plain, wrappings[(index + place) % wrappings.length] ?? plain]) {
      const text = (WRAPPINGS[wrapping] ?? String)(printed.text);
      const { outcome, causes } = await answerTo(text);
      answers.push({ form: printed.form, wrapping, text, outcome, found: causes[0]?.rule, what: causes[0]?.what ?? '' });
    }
  }
  return answers;
}

/**
 * Each scenario as people paste it: parts of what kubectl prints, plain and in one other wrapping each. Nothing else than its cause is
 * named, but for symptoms of it, and nothing is called healthy while the text shows a pod that is not.
 */
describe('what kubectl prints of a scenario', () => {
  it.each(scenarios.map((scenario, index) => [scenario.id, scenario, index] as const))(
    'is not taken for anything else: %s',
    async (_, scenario, index) => {
      for (const { form, wrapping, text, outcome, found, what } of await toldOf(scenario, index)) {
        const about = `${form}, ${wrapping}: ${outcome} ${what}\n${text}`;
        if (found !== undefined) expect(allowed(scenario, found), about).toBe(true);
        if (wrapping === plain && showsUnwell(text)) expect(outcome, about).not.toBe('healthy');
      }
    },
  );

  // A cause that only a log tells is told by no form without one: more such scenarios lower a share, and make nothing worse.
  it.each([
    ['list, describe, logs, events', 178],
    ['list, describe', 120],
    ['describe', 119],
    ['end of describe', 105],
    ['yaml', 77],
    ['list, logs', 49],
    ['list, events', 135],
    ['all, events', 138],
  ])(
    'tells the cause of as many as ever from: %s',
    async (form, least) => {
      const all = { texts: 0, right: 0 };
      for (const [index, scenario] of scenarios.entries()) {
        const told = (await toldOf(scenario, index)).find((one) => one.form === form && one.wrapping === plain);
        if (told === undefined) continue;
        all.texts++;
        if (told.found === scenario.expect?.cause) all.right++;
      }
      expect(all.right, `${all.right} of ${all.texts}`).toBeGreaterThanOrEqual(least);
    },
    600_000,
  );
});

async function answerTo(text: string): Promise<Pick<PastedAnswer, 'outcome' | 'causes'>> {
  const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: text });
  return out === '' ? { outcome: 'refused', causes: [] } : (JSON.parse(out) as PastedAnswer);
}

function allowed({ expect: wanted }: Scenario, found: string): boolean {
  const cause = wanted?.cause ?? '';
  const explains = rules.get(cause)?.explains ?? [];
  return (
    [cause, ...(wanted?.also ?? []), ...(TOLD_INSTEAD[cause] ?? [])].includes(found) ||
    rules.get(found)?.kind === 'symptom' ||
    explains.some((one) => one === found || fits(one, found))
  );
}

function fits(pattern: string, rule: string): boolean {
  return pattern.endsWith('/*') && rule.startsWith(pattern.slice(0, -1));
}

/** A row of `kubectl get pods` whose pod is neither ready nor done. */
function showsUnwell(text: string): boolean {
  return [...text.matchAll(/^\S+ +(\d+)\/(\d+) +(\w+) /gm)].some(
    ([, ready, all, status]) => Number(ready) < Number(all) && !['Completed', 'Running', 'ContainerCreating'].includes(status ?? ''),
  );
}
