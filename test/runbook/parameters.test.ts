import { describe, expect, it } from 'vitest';
import { maskedParams } from '../../src/runbook/start.ts';
import type { Played } from '../support/runbook-runs.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { shop, steps, WEB } from './shop.ts';

const cluster = shop();
const PARAMS = `params:
  count: { type: number, says: how many, default: 3 }
  size: { type: text, says: which size, oneOf: [small, large], required: true }
  pin: { type: text, says: the number of the till, secret: true, pattern: "[0-9]+" }
`;
const NOTE = '- { id: tell, note: "{{ count }} {{ size }}, {{ word | or nothing }}." }';
const ASK = '- { id: ask, say: Which word?, ask: { as: word } }';

async function run(
  params: Readonly<Record<string, string>>,
  more: Partial<Parameters<typeof play>[1]> = {},
  text = `${ASK}\n${NOTE}`,
  head = PARAMS,
): Promise<Played> {
  return play(playbookOf(steps(text, head)), { cluster, target: WEB, params, ...more });
}

async function told(...args: Parameters<typeof run>): Promise<string> {
  const { entries } = await run(...args);
  return entries.flatMap((entry) => (entry.type === 'done' && entry.step === 'tell' ? [entry.words] : [])).join();
}

describe('the parameters of a run', () => {
  it('are what is given, else their default; what a step would ask may be given as well', async () => {
    expect(await told({ size: 'small' })).toBe('3 small, nothing.');
    const asked: unknown[] = [];
    const value = (question: string): Promise<undefined> => Promise.resolve(asked.push(question)).then(() => undefined);
    expect(await told({ size: 'large', count: '7', word: 'tea' }, { prompt: { value } })).toBe('7 large, tea.');
    expect(asked).toEqual([]);
  });

  it.each([
    [{ coutn: '3' }, 'playbook shop-trouble has no parameter "coutn"', 'did you mean count?'],
    [{ umbrella: '3' }, 'playbook shop-trouble has no parameter "umbrella"', 'it has count, size, pin, word'],
    [{ count: 'many' }, '--param count: expected a number', 'see the parameter with `podcheck runbook show shop-trouble`'],
    [{ size: 'huge' }, '--param size: expected one of small, large', 'see the parameter with `podcheck runbook show shop-trouble`'],
  ])('are refused before anything is looked at: %o', async (params, message, hint) => {
    const reader = { ...cluster.reader(), list: () => Promise.reject(new Error('nothing is read')) };
    await expect(run(params as unknown as Record<string, string>, { ports: { reader } })).rejects.toMatchObject({
      code: 'usage',
      message,
      hint,
    });
  });

  it('are refused by a playbook that has none', async () => {
    await expect(run({ count: '3' }, {}, '- { note: N }', '')).rejects.toMatchObject({ hint: 'it has none' });
  });

  it('are asked for where they are required and were not given', async () => {
    const asked: unknown[] = [];
    const answering = (answer: string | undefined): Parameters<typeof run>[1] => ({
      prompt: {
        value: (question, value) => {
          asked.push([question, value]);
          return Promise.resolve(asked.length === 1 || answer === undefined ? answer : undefined);
        },
      },
    });
    expect(await told({}, answering('large'))).toBe('3 large, nothing.');
    expect(asked[0]).toEqual(['which size (size)', { type: 'text', oneOf: ['small', 'large'], secret: false }]);
    const hint = 'give it with --param size=…';
    await expect(run({}, answering(undefined))).rejects.toMatchObject({
      code: 'usage',
      message: 'the playbook needs size: which size',
      hint,
    });
    asked.length = 0;
    await expect(run({}, answering('huge'))).rejects.toMatchObject({
      code: 'usage',
      message: 'size: expected one of small, large',
      hint,
    });
  });

  it('that are secret are not written down, neither given nor asked for', async () => {
    const given = await run({ size: 'small', pin: '4711' }, {}, '- { id: tell, note: "It is {{ pin }}." }');
    expect(maskedParams(given.running)).toEqual({ count: 3, size: 'small', pin: '***' });
    expect(JSON.stringify([given.entries, given.lines])).not.toContain('4711');
    const head = PARAMS.replace('secret: true', 'secret: true, required: true');
    const asked = await run(
      { size: 'small' },
      { prompt: { value: () => Promise.resolve('4711') } },
      '- { id: tell, note: "It is {{ pin }}." }',
      head,
    );
    expect(asked.running.state.variables['pin']).toBe('4711');
    expect(JSON.stringify([asked.entries, asked.lines])).not.toContain('4711');
    await expect(run({ size: 'small', pin: 'x' })).rejects.toMatchObject({ message: '--param pin: expected a text that matches [0-9]+' });
  });
});
