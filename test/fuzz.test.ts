import { describe, expect, it } from 'vitest';
import { PodcheckError } from '../src/base/errors.ts';
import type { Json } from '../src/base/json.ts';
import { asObject, asList, asText, dig } from '../src/base/json.ts';
import { shippedExamples, shippedRules } from '../src/catalog/bundled-data.ts';
import { OPENINGS } from './support/transcripts.ts';
import { openSource } from '../src/clusters/open-source.ts';
import { collect } from '../src/collect/collect.ts';
import { diagnose } from '../src/engine/diagnose.ts';
import { scan } from '../src/engine/scan.ts';
import { diagnosisText } from '../src/report/diagnosis/diagnosis-text.ts';
import { scanText } from '../src/report/diagnosis/scan-text.ts';
import { PLAIN } from '../src/report/format/text-style.ts';
import { one, randomFrom } from './support/random.ts';
import { ruleCases } from './support/rule-cases.ts';

const ROUNDS = 200;
const RULES = await shippedRules();
/** Values that no field expects. */
const JUNK: readonly Json[] = [
  null,
  0,
  -1,
  1e308,
  4_294_967_296,
  '',
  true,
  [],
  {},
  [null],
  [[]],
  { a: null },
  ['', {}],
  '\u001B[31m',
  '9'.repeat(400),
  'constructor',
  '__proto__',
  'a,b',
  'x=y,(z',
  '../../etc',
  'a\\',
  'web\nnode',
  '2026-13-45T99:99:99Z',
  '-5Gi',
  '1e9999',
  'a'.repeat(70_000),
];

describe('evidence that is not as it should be', () => {
  it('is read as far as it goes, whatever its fields hold', async () => {
    const cases = ruleCases()
      .map(({ source }) => asList(dig(source, 'given')))
      .filter((objects) => objects.length > 0);
    expect(cases.length).toBeGreaterThan(50);
    let read = 0;
    for (let seed = 0; seed < ROUNDS; seed++) {
      const random = randomFrom(seed);
      const objects = one(cases, random).map(
        (object, index) => spoilt(named(object, index), random, one([0.005, 0.02, 0.05], random)) ?? {},
      );
      if (await isReported(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }), `seed ${String(seed)}`)) read++;
    }
    expect(read).toBeGreaterThan(ROUNDS / 2);
  });

  it('is read as far as it goes, whatever became of a pasted text', async () => {
    const texts = [...(await shippedExamples()).values(), ...ruleCases().flatMap(({ source }) => asText(dig(source, 'text')) ?? [])];
    expect(texts.length).toBeGreaterThan(10);
    let read = 0;
    for (let seed = 0; seed < ROUNDS; seed++) {
      const random = randomFrom(seed);
      if (await isReported(torn(one(texts, random), random), `seed ${String(seed)}`)) read++;
    }
    expect(read).toBeGreaterThan(ROUNDS / 2);
  });
});

/** False when it is refused in so many words; anything else that is thrown is a bug. */
async function isReported(text: string, seed: string): Promise<boolean> {
  try {
    const { reader } = await openSource('-', {
      stdin: () => bytesOf(text),
      openings: () => Promise.resolve(OPENINGS),
      clock: () => Date.parse('2026-01-15T12:00:00Z'),
    });
    const evidence = await collect(reader, {}, RULES);
    const [target] = evidence.targets;
    let shown = scanText(scan(evidence, RULES, {}), PLAIN, true);
    if (target !== undefined) {
      const { ref } = target;
      shown += diagnosisText(
        diagnose(
          await collect(reader, { target: ref, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }) }, RULES),
          RULES,
          ref,
        ),
        PLAIN,
        { wide: true, timeline: true },
      );
    }
    expect(shown, seed).not.toMatch(/\u001B|\[object |\bundefined\b|\bNaN\b/);
    return true;
  } catch (error) {
    if (error instanceof PodcheckError && error.code === 'bad-input') return false;
    throw new Error(`${seed} cannot be read`, { cause: error });
  }
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

/** The objects of a rule's situation leave out what is filled in for them; a saved object has it. */
function named(object: Json, index: number): Json {
  const metadata = {
    name: `object-${String(index)}`,
    namespace: 'shop',
    uid: `uid-${String(index)}`,
    ...asObject(dig(object, 'metadata')),
  };
  return { apiVersion: 'v1', ...asObject(object), metadata };
}

/** The value with some members left out or of another type. */
function spoilt(value: Json | undefined, random: () => number, share: number): Json | undefined {
  if (random() < share) return random() < 0.35 ? undefined : one(JUNK, random);
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((member) => spoilt(member, random, share) ?? []);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [random() < share ? `${key},=(` : key, spoilt(member, random, share)] as const)
      .filter(([, member]) => member !== undefined),
  );
}

/** The text with lines lost, doubled, cut off, moved to the left, or from elsewhere in it. */
function torn(text: string, random: () => number): string {
  const lines = text.split('\n');
  return lines
    .flatMap((line) => {
      const fate = random();
      if (fate > 0.15) return [line];
      if (fate > 0.12) return [];
      if (fate > 0.09) return [line, line];
      if (fate > 0.06) return [line.slice(0, Math.floor(random() * line.length))];
      if (fate > 0.03) return [line.trimStart()];
      return [one(lines, random), asText(one(JUNK, random)) ?? ''];
    })
    .join('\n');
}
