import { describe, expect, it } from 'vitest';
import type { Played } from '../support/runbook-runs.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { shop, steps, WEB } from './shop.ts';

const cluster = shop();
const CALL = '- { id: call, manual: Call the owner. }';
const HEALTHY = '{ outcome: healthy }';
const NAMED = '{ variable: name, is: web }';
const WORDS = 'depends on call, which was not done';

/** A run in which nobody is there for the manual step. */
async function run(text: string, more: Partial<Parameters<typeof play>[1]> = {}): Promise<Played> {
  return play(playbookOf(steps(`${CALL}\n${text}\n- { id: last, note: Done. }`)), { cluster, target: WEB, ...more });
}

describe('what rests on a step that was not done', () => {
  it.each([
    ['a diagnosis', 'diagnose: target'],
    ['a check', `check: ${HEALTHY}`],
    ['the opposite of a check', `check: { not: ${HEALTHY} }`],
    ['a check of the cause', 'check: { cause: [volumes/*] }'],
    ['a check of a stage', 'check: { stage: volumes, is: passed }'],
    ['a check of facts', 'check: { all: [{ fact: workload }] }'],
    ['a wait', `wait: ${HEALTHY}, limit: 10s`],
  ])('is not evaluated, and the run goes on: %s', async (_, action) => {
    const { steps: taken, end, entries } = await run(`- { id: look, say: Look., ${action} }`);
    expect(taken).toEqual(['call: skipped', 'look: not-evaluated', 'last: done']);
    expect(entries).toContainEqual(expect.objectContaining({ type: 'done', step: 'look', words: WORDS }));
    expect([end.status, end.result]).toEqual(['completed', 'unknown']);
  });

  it.each([
    ['a diagnosis with branches', `diagnose: target, branches: [{ when: ${NAMED}, goto: last }]`],
    ['a diagnosis that goes elsewhere', 'diagnose: target, else: last'],
    ['a check that goes where it passes', `check: ${HEALTHY}, pass: last`],
    ['a check that goes where it fails', `check: ${HEALTHY}, fail: last`],
    ['a check that goes where it is unknown', `check: ${HEALTHY}, unknown: last`],
    ['a decision', `decide: [{ when: ${NAMED}, goto: end }, { when: ${HEALTHY}, goto: last }], else: last`],
    ['a wait that goes elsewhere', `wait: ${HEALTHY}, limit: 10s, timeout: last`],
  ])('ends the run where it decides the way: %s', async (_, action) => {
    const { steps: taken, end } = await run(`- { id: look, say: Look., ${action} }`);
    expect(taken).toEqual(['call: skipped', 'look: not-evaluated']);
    expect([end.status, end.result]).toEqual(['completed', 'unknown']);
    expect(end.words).toMatch(new RegExp(`^${WORDS}: next step unknown\\.`));
  });

  it.each([
    ['a check', `check: ${NAMED}, pass: last`, 'passed'],
    ['a decision', `decide: [{ when: ${NAMED}, goto: last }], else: end`, 'done'],
    ['a wait', `wait: ${NAMED}, limit: 10s, timeout: end`, 'passed'],
  ])('is only what is seen of the cluster, not what the run knows by itself: %s', async (_, action, result) => {
    expect((await run(`- { id: look, say: Look., ${action} }`)).steps).toEqual(['call: skipped', `look: ${result}`, 'last: done']);
  });

  it('is the first of several', async () => {
    const { entries } = await run(`- { id: again, manual: Call again. }\n- { id: look, say: Look., check: ${HEALTHY} }`);
    expect(entries).toContainEqual(expect.objectContaining({ type: 'done', step: 'look', words: WORDS }));
  });

  it('is also what a command would have changed that nobody confirmed or a dry run left out', async () => {
    const programs = { words: (argv: readonly string[]) => argv, run: () => Promise.reject(new Error('nothing is run here')) };
    const text = `- { id: count, say: Count., run: [count, carts] }\n- { id: look, say: Look., check: ${HEALTHY} }`;
    const ways: readonly Partial<Parameters<typeof play>[1]>[] = [
      { mode: 'dry-run' },
      { prompt: { confirm: () => Promise.resolve('nobody') } },
    ];
    for (const more of ways) {
      const { entries } = await play(playbookOf(steps(text)), { cluster, target: WEB, ports: { programs }, ...more });
      expect(entries).toContainEqual(
        expect.objectContaining({ type: 'done', step: 'look', words: 'depends on count, which was not done' }),
      );
    }
  });

  it('is seen in a clone, where it is known what comes of not doing it; waiting for it in vain ends the run', async () => {
    const pauses: number[] = [];
    const pause = (milliseconds: number): Promise<void> =>
      Promise.resolve(cluster.advance(milliseconds)).then(() => void pauses.push(milliseconds));
    const { steps: taken, end } = await run(
      `- { id: look, say: Look., check: ${HEALTHY} }\n- { id: wait, say: Wait., wait: { outcome: explained }, every: 5s, limit: 1m }`,
      { mode: 'simulate', ports: { pause } },
    );
    // Whether time alone heals it shows at the end as well as in between.
    expect(pauses).toEqual([60_000]);
    expect(taken).toEqual(['call: skipped', 'look: passed', 'wait: failed']);
    expect([end.status, end.words.split('. ')[0]]).toEqual(['completed', 'The manual step call is needed: Call the owner']);
  });
});
