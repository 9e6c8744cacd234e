import { describe, expect, it } from 'vitest';
import type { Confirmation } from '../../src/runbook/ports.ts';
import type { Played } from '../support/runbook-runs.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { shop, steps, WEB } from './shop.ts';

const cluster = shop();

/** The steps change nothing, so all runs share one cluster. */
async function run(text: string, more: Partial<Parameters<typeof play>[1]> = {}, head = ''): Promise<Played> {
  return play(playbookOf(steps(text, head)), { cluster, target: WEB, ...more });
}

/** What each step told: `look: passed: …`. */
async function told(text: string, more: Partial<Parameters<typeof play>[1]> = {}): Promise<readonly string[]> {
  const { entries } = await run(text, more);
  return entries.flatMap((entry) => (entry.type === 'done' ? [`${entry.step}: ${entry.result}: ${entry.words}`] : []));
}

const TRUE = '{ outcome: healthy }';
const FALSE = '{ outcome: explained }';
/** Nothing was bound to the name that it asks for. */
const UNKNOWN = '{ variable: container, is: web }';
const REST = '- { id: second, note: Two. }\n- { id: third, note: Three. }';

describe('a check', () => {
  it.each([
    [TRUE, 'passed'],
    [FALSE, 'failed'],
    [UNKNOWN, 'unknown'],
  ])('of %s is %s, and goes on to the next step', async (condition, result) => {
    const { steps: taken } = await run(`- { id: look, say: Look., check: ${condition} }\n${REST}`);
    expect(taken).toEqual([`look: ${result}`, 'second: done', 'third: done']);
  });

  it.each([
    [TRUE, ['look: passed', 'third: done']],
    [FALSE, ['look: failed']],
    [UNKNOWN, ['look: unknown', 'second: done', 'third: done']],
  ])('of %s goes where the step says', async (condition, expected) => {
    const { steps: taken } = await run(`- { id: look, say: Look., check: ${condition}, pass: third, fail: end, unknown: second }\n${REST}`);
    expect(taken).toEqual(expected);
  });

  it('binds what it has found only where it holds', async () => {
    const find = (ready: string): string => `{ all: [{ fact: workload, where: { top: true, ready: ${ready}, desired: $wanted } }] }`;
    const note = '- { id: second, note: "It wants {{ wanted }}." }';
    const words = async (state: string): Promise<unknown> => (await told(`- { id: look, say: Look., check: ${find(state)} }\n${note}`))[1];
    expect(await words('2')).toContain('It wants 2.');
    expect(await words('1')).not.toContain('2');
  });
});

describe('a decision', () => {
  it('takes the first branch that holds, and says why', async () => {
    const text = `- id: which\n  say: Which?\n  decide:\n    - { when: ${FALSE}, goto: end }\n    - { when: ${TRUE}, goto: third }\n    - { when: ${TRUE}, goto: second }\n  else: end\n${REST}`;
    expect(await told(text)).toEqual([expect.stringMatching(/^which: done: .+; next: third$/), 'third: done: Three.']);
  });

  it('goes on elsewhere where none holds, and says what was not known', async () => {
    const text = (when: string): string =>
      `- id: which\n  say: Which?\n  decide:\n    - { when: ${when}, goto: second }\n  else: third\n${REST}`;
    expect((await told(text(FALSE)))[0]).toBe('which: done: no condition matched; next: third');
    expect((await told(text(UNKNOWN)))[0]).toMatch(/^which: done: not known \(.+\); next: third$/);
  });
});

describe('a wait', () => {
  const wait = (until: string, more = ''): string => `- { id: look, say: Wait., wait: ${until}, every: 5s, limit: 20s${more} }\n${REST}`;

  it('passes at once where it holds', async () => {
    const before = cluster.now();
    expect((await told(wait(TRUE)))[0]).toMatch(/^look: passed: /);
    expect(cluster.now() - before).toBe(0);
  });

  it('takes as long as it may, then fails and goes where the step says', async () => {
    const before = cluster.now();
    expect((await told(wait(FALSE)))[0]).toMatch(/^look: failed: not within 20 s: /);
    expect(cluster.now() - before).toBe(20_000);
    expect((await run(wait(FALSE, ', timeout: third'))).steps).toEqual(['look: failed', 'third: done']);
    expect((await run(wait(UNKNOWN, ', timeout: third'))).steps).toEqual(['look: unknown', 'third: done']);
  });

  it('ends where somebody stops it', async () => {
    const stop = new AbortController();
    const {
      end,
      entries,
      steps: taken,
    } = await run(wait(FALSE), {
      signal: stop.signal,
      ports: { pause: () => Promise.resolve(stop.abort()) },
    });
    expect(end.status).toBe('interrupted');
    expect(taken).toEqual(['look: unknown']);
    expect(entries.flatMap((entry) => (entry.type === 'done' ? [entry.words] : []))[0]).toMatch(/^interrupted: /);
  });
});

describe('a step during which somebody stops the run', () => {
  const programs = {
    words: (argv: readonly string[]) => argv,
    run: () => Promise.resolve({ ended: 'exit', code: 0, output: '' } as const),
  };

  it.each([
    ['what rests on reads', `say: Look., check: ${TRUE}`, /^unknown: interrupted: the outcome is healthy$/],
    ['a list', 'say: Look., show: { list: Pod }', /^unknown: interrupted: kubectl -A get pods -o wide: 2 lines$/],
    ['what a person answers', 'manual: Call.', /^unknown: interrupted: manual step, skipped/],
    ['a command that has ended by itself', 'say: Look., run: [kubectl, get, pods]', /^passed: kubectl get pods: exit code 0$/],
    ['what says something', 'note: Look.', /^done: Look\.$/],
  ])('has a result only where it rests on nothing that was given up: %s', async (_, action, expected) => {
    const stop = new AbortController();
    const onEntry = ({ type }: { readonly type: string }): void => (type === 'step' ? stop.abort() : undefined);
    const { end, entries } = await run(`- { id: look, ${action} }\n${REST}`, { signal: stop.signal, onEntry, ports: { programs } });
    const words = entries.flatMap((entry) => (entry.type === 'done' ? [`${entry.result}: ${entry.words}`] : []));
    expect(words).toEqual([expect.stringMatching(expected)]);
    expect(end.status).toBe('interrupted');
  });
});

describe('a precondition', () => {
  const withOne = (when: string): string => `preconditions:\n  - { say: It is well., when: ${when} }\n`;
  const answering = (answer: 'yes' | 'no', asked: Confirmation[] = []) => ({
    prompt: {
      confirm: (question: Confirmation): Promise<'yes' | 'no'> => {
        asked.push(question);
        return Promise.resolve(answer);
      },
    },
  });

  it('that holds lets the run begin, and nobody is asked', async () => {
    const asked: Confirmation[] = [];
    const { end, entries } = await run(REST, answering('no', asked), withOne(TRUE));
    expect([end.status, asked]).toEqual(['completed', []]);
    expect(entries).toContainEqual({ type: 'precondition', say: 'It is well.', is: 'true', why: expect.any(String) as string });
  });

  it('that does not hold ends the run before its first step', async () => {
    const { end, steps: taken } = await run(REST, answering('yes'), withOne(FALSE));
    expect([end.status, taken]).toEqual(['aborted', []]);
    expect(end.words).toMatch(/precondition is false: It is well\. \(/);
  });

  it('that is not known leaves it to a person', async () => {
    const asked: Confirmation[] = [];
    expect((await run(REST, answering('yes', asked), withOne(UNKNOWN))).steps).toHaveLength(2);
    expect(asked[0]).toMatchObject({
      question: 'This precondition is unknown. Continue anyway?',
      lines: ['It is well.', expect.any(String)],
    });
    const declined = await run(REST, answering('no'), withOne(UNKNOWN));
    expect([declined.end.status, declined.steps]).toEqual(['aborted', []]);
    expect(declined.end.words).toMatch(/precondition is unknown: It is well\. \(/);
  });
});

describe('a step with a time limit', () => {
  it('says how much later than that it was done', async () => {
    const text = (within: string): string => `- { id: look, say: Wait., wait: ${FALSE}, every: 5s, limit: 20s, within: ${within} }`;
    expect((await run(text('5s'))).lines).toContain('15 s later than its time limit');
    expect((await run(text('1m'))).lines.join('\n')).not.toContain('later than');
  });
});

describe('a diagnosis', () => {
  it.each([
    [
      'the first branch that holds',
      `branches: [{ when: ${FALSE}, goto: second }, { when: ${TRUE}, goto: third }, { when: ${TRUE}, goto: end }]`,
      ['third'],
    ],
    ['elsewhere where no branch holds', `branches: [{ when: ${FALSE}, goto: second }], else: third`, ['third']],
    ['elsewhere without any branch', 'then: second, else: third', ['third']],
    ['where the step says where no branch holds', `branches: [{ when: ${FALSE}, goto: second }], then: third`, ['third']],
    ['on where nothing says otherwise', `branches: [{ when: ${FALSE}, goto: end }]`, ['second', 'third']],
  ])('goes to %s', async (_, more, expected) => {
    const { steps: taken } = await run(`- { id: look, diagnose: target, ${more} }\n${REST}`);
    expect(taken).toEqual(['look: passed', ...expected.map((step) => `${step}: done`)]);
  });

  it('is named with what was found, and binds what its branch has found', async () => {
    const broken = shop({ nodeSelector: { till: 'gold' } });
    const find = `{ all: [{ fact: workload, where: { top: true, desired: $wanted } }] }`;
    expect(
      await told(
        `- { id: look, diagnose: target, branches: [{ when: ${FALSE.replace('explained', 'healthy')}, goto: end }, { when: ${find}, goto: third }] }\n- { id: third, note: "It wants {{ wanted }}." }`,
        { cluster: broken },
      ),
    ).toEqual([expect.stringMatching(/^look: done: Deployment\/shop\/web: .+ \(scheduling\/[a-z-]+\)$/), 'third: done: It wants 2.']);
    expect((await told('- { id: look, diagnose: target }'))[0]).toBe('look: passed: Deployment/shop/web: healthy');
  });

  it('of an object that is not there is unknown', async () => {
    expect((await told('- { id: look, diagnose: Deployment/till }'))[0]).toBe('look: unknown: Deployment/shop/till: inconclusive');
    expect((await told('- { id: look, diagnose: "{{ name }}" }'))[0]).toBe(
      'look: not-evaluated: {{ name }} is not a valid object reference',
    );
  });
});

describe('a diagnosis of another object', () => {
  it('is not made while a part of its name has no value', async () => {
    expect((await told('- { id: look, diagnose: "Pod/{{ namespace }}/{{ container }}" }\n- { note: Done. }', {}))[0]).toMatch(
      /container has no value$/,
    );
  });
});
