import { describe, expect, it } from 'vitest';
import type { Json } from '../src/base/json.ts';
import { asList, asObject, asText, dig } from '../src/base/json.ts';
import { shippedExamples } from '../src/catalog/bundled-data.ts';
import { podcheck } from './support/command-line.ts';
import { one, randomFrom } from './support/random.ts';
import { ruleCases } from './support/rule-cases.ts';

/** What no clock, count, port or amount is, as JSON and as the cell of a table may have it. */
const ODD_TEXTS = [
  '99999999999d',
  '-1d',
  '0x10',
  '1e999',
  '-1e999',
  '1e-999',
  '-0',
  'NaN',
  'Infinity',
  '-',
  '+',
  '',
  ' ',
  '.',
  '1.5',
  '999999999999999999999999999999',
  '-9223372036854775809',
  '1/0',
  '1/-1',
  '99999999999/99999999999',
  '99999999999y',
  '1e5d',
  '9'.repeat(70),
  '1'.repeat(400),
  '<invalid>',
  '<unknown>',
  '1e400Gi',
  '1Zi',
  '999999Ei',
  '1e999m',
  '-5Gi',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '10000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '2026-02-30T25:61:61Z',
  '2026-01-15T12:00:00+99:99',
  '2026-01-15T12:00:00.999999999999999999Z',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00Z',
  'Thu, 99 Jan 99999 99:99:99 +9999',
  '99999999999 (99999999999d ago)',
  '5m (x99999999999 over 99999999999d)',
  '١٢',
];
/** Written into the JSON as they are: a parser makes infinite numbers of some. */
const ODD_NUMBERS = [
  '1e999',
  '-1e999',
  '-0',
  '0.1',
  '-1',
  '1e21',
  '9007199254740993',
  '99999999999999999999',
  '-2147483649',
  '4294967296',
  '1e-400',
  '8.64e15',
  '8.64e18',
];
const ROUNDS = 20;

describe('a value that is no time, number, quantity or count', () => {
  it.each(['diagnose', 'scan', 'cert-expiry', 'timeline'])('in a document is read around by %s, and never a bug', async (command) => {
    const cases = ruleCases()
      .map(({ source }) => asList(dig(source, 'given')))
      .filter((objects) => objects.length > 0);
    expect(cases.length).toBeGreaterThan(50);
    let answered = 0;
    for (let seed = 0; seed < ROUNDS; seed++) {
      const random = randomFrom(seed);
      const objects = (cases[Math.floor(random() * cases.length)] ?? []).map((object, index) => odd(named(object, index), random));
      answered += await asked(command, numbersBare(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })), seed);
    }
    expect(answered).toBeGreaterThan(ROUNDS / 2);
  });

  it.each(['diagnose', 'scan', 'timeline'])('in a cell or a line of a terminal is read around by %s, and never a bug', async (command) => {
    const texts = [...(await shippedExamples()).values(), ...ruleCases().flatMap(({ source }) => asText(dig(source, 'text')) ?? [])];
    expect(texts.length).toBeGreaterThan(10);
    let answered = 0;
    for (let seed = 0; seed < ROUNDS; seed++) {
      const random = randomFrom(seed);
      const text = texts[Math.floor(random() * texts.length)] ?? '';
      const spoilt = text.replace(/(?<![\w.-])[-+]?\d[\w:./%+-]*/g, (found) => (random() < 0.3 ? one(ODD_TEXTS, random) : found));
      answered += await asked(command, spoilt, seed);
    }
    expect(answered).toBeGreaterThan(ROUNDS / 2);
  });
});

/** 1 for an answer, 0 for a refusal in so many words; anything else is a bug. */
async function asked(command: string, text: string, seed: number): Promise<number> {
  const argv =
    {
      diagnose: ['diagnose', '-A', '-o', 'wide'],
      scan: ['scan', '-A', '-o', 'json'],
      'cert-expiry': ['cert-expiry'],
      timeline: ['diagnose', '-A', '--timeline'],
    }[command] ?? [];
  const { code, out, err } = await podcheck([...argv, '--from', '-'], { stdin: text });
  expect(code, `seed ${seed}: ${err}`).not.toBe(70);
  // What the text says itself may be quoted.
  for (const word of ['NaN', 'Infinity', 'undefined', '[object ', 'Invalid Date'])
    if (!text.includes(word)) expect(out, `seed ${seed}`).not.toContain(word);
  return code === 2 ? 0 : 1;
}

/** Fields that hold a time, a number or an amount get another one that is odd. */
function odd(value: Json | undefined, random: () => number): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((member) => odd(member, random));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(asObject(value)).map(([key, member]) => [key, odd(member, random)]));
  const counts = typeof value === 'number' || (typeof value === 'string' && /^[-+]?\d/.test(value));
  if (!counts || random() > 0.3) return value ?? null;
  return random() < 0.5 ? one(ODD_TEXTS, random) : `@@${one(ODD_NUMBERS, random)}@@`;
}

function numbersBare(json: string): string {
  return json.replaceAll(/"@@([^@]*)@@"/g, '$1');
}

function named(object: Json, index: number): Json {
  return {
    apiVersion: 'v1',
    ...asObject(object),
    metadata: {
      name: `object-${index}`,
      namespace: 'shop',
      uid: `uid-${index}`,
      creationTimestamp: '2026-01-15T11:00:00Z',
      ...asObject(dig(object, 'metadata')),
    },
  };
}
