import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../src/base/json.ts';
import { asList, asObject, asText, dig } from '../../src/base/json.ts';
import { parseScenario } from '../../src/catalog/parse-scenario.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import { playScenario, traceEnd } from '../../src/simulator/index.ts';
import type { Prng } from '../../src/base/prng.ts';
import { ruleCases } from '../support/rule-cases.ts';
import { pick } from './mutation.ts';

/** Texts and objects that podcheck reads, to begin with. Read once, when they are first asked for. */
const known = new Map<string, readonly string[]>();

function texts(name: string, read: () => readonly string[]): readonly string[] {
  const found = known.get(name) ?? read();
  known.set(name, found);
  if (found.length === 0) throw new Error(`there are no ${name} to begin with`);
  return found;
}

function filesIn(folder: string, suffix: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => suffix.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** kubectl's output as people paste it. */
export function pastedText(prng: Prng): string {
  return pick(
    texts('pasted texts', () => [
      ...filesIn('src/catalog/examples', /\.txt$/),
      ...ruleCases().flatMap(({ source }) => asText(dig(source, 'text')) ?? []),
    ]),
    prng,
  );
}

export function scenarioText(prng: Prng): string {
  return pick(
    texts('scenarios', () => filesIn('rules', /\.scenario\.yaml$/)),
    prng,
  );
}

export function ruleText(prng: Prng): string {
  return pick(
    texts('rules', () => filesIn('rules', /^(?!.*\.(?:scenario|(?:match|near)-[\w-]+)\.yaml$).*\.yaml$/)),
    prng,
  );
}

export function playbookText(prng: Prng): string {
  return pick(
    texts('playbooks', () => filesIn('playbooks', /^[\w-]+\.yaml$/)),
    prng,
  );
}

/** The objects of a rule's situation, with what a stored object has. */
export function objects(prng: Prng): readonly Json[] {
  const found = texts('situations', () =>
    ruleCases()
      .map(({ source }) => JSON.stringify(asList(dig(source, 'given'))))
      .filter((given) => given !== '[]'),
  );
  return (JSON.parse(pick(found, prng)) as readonly Json[]).map((object, index) => ({
    apiVersion: 'v1',
    ...asObject(object),
    metadata: { name: `object-${String(index)}`, namespace: 'shop', uid: `uid-${String(index)}`, ...asObject(dig(object, 'metadata')) },
  }));
}

const TRACED = ['volumes/configmap-not-found', 'containers/application-error-exit', 'containers/oom-killed'];
const traces = new Map<string, readonly string[]>();

/** The records of a scenario's first seconds, as `sim run --trace` writes them. */
export function tracedLines(prng: Prng): readonly string[] {
  const id = pick(TRACED, prng);
  const found = traces.get(id) ?? traced(id);
  traces.set(id, found);
  return found;
}

function traced(id: string): readonly string[] {
  const lines: string[] = [];
  const problems: Problem[] = [];
  const file = `rules/${id}.scenario.yaml`;
  const scenario = parseScenario(file, readFileSync(file, 'utf8'), id, problems);
  if (scenario === undefined) throw new Error(`${id}: ${JSON.stringify(problems)}`);
  const { cluster } = playScenario(scenario, { seed: 1, atMilliseconds: 8000, surroundings: { trace: (line) => void lines.push(line) } });
  return [...lines, traceEnd(cluster)];
}
