import { describe, expect, it } from 'vitest';
import { MASK } from '../../src/base/mask/masked.ts';
import type { JournalEntry } from '../../src/model/journal.ts';
import { CHAIN_START, comparedWith } from '../../src/runbook/journal-chain.ts';
import { askAgain, givenBefore, progressOf, secretsBefore, takeOver } from '../../src/runbook/resume.ts';
import type { Running } from '../../src/runbook/running.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { RUN_HEAD, shop, steps, WEB } from './shop.ts';

function progress(entries: readonly JournalEntry[]): ReturnType<typeof progressOf> {
  return progressOf(
    [RUN_HEAD, ...entries].map((entry, seq) => ({ seq, at: '', entry, hash: '' })),
    'first',
  );
}

describe('what a run had come to', () => {
  it('is nothing without its first record', () => {
    expect(progressOf([], 'first')).toBeUndefined();
    expect(
      progressOf([{ seq: 0, at: '', hash: '', entry: { type: 'end', status: 'completed' } as JournalEntry }], 'first'),
    ).toBeUndefined();
  });

  it('is what the look before it told, and the first such look stays', () => {
    const before = (cause: string, pod: string): JournalEntry => ({
      type: 'before',
      outcome: 'explained',
      cause,
      words: '',
      variables: { pod },
    });
    expect(progress([before('probes/one', 'till-a'), before('probes/two', 'till-b')])).toMatchObject({
      at: 'first',
      variables: { pod: 'till-b' },
      atStart: { cause: 'probes/one' },
      over: false,
    });
  });

  it('is where its last step led, with what was begun in the step that is not done', () => {
    const step = (id: string): JournalEntry => ({ type: 'step', step: id, kind: 'change', say: '' });
    const change = (id: string): JournalEntry => ({ type: 'change', step: id, command: '', objects: [], diff: [] });
    const writing = { type: 'writing', step: 'grow', object: 'Deployment/shop/web', uid: '', why: '' } as unknown as JournalEntry;
    const changed = { type: 'changed', step: 'grow', object: 'Deployment/shop/web', uid: '', why: '' } as unknown as JournalEntry;
    const done = (id: string, next: string): JournalEntry => ({
      type: 'done',
      step: id,
      result: 'passed',
      words: '',
      next,
      bound: { [id]: 1 },
      milliseconds: 0,
    });
    const of = (...entries: readonly JournalEntry[]): unknown => {
      const found = progress(entries);
      return [
        found?.at,
        found?.begun,
        found?.pending === undefined ? 0 : 1,
        found?.changes.length,
        [...(found?.results.keys() ?? [])].join(),
      ];
    };
    const begun = [step('grow'), change('grow'), writing];
    expect(of(step('grow'))).toEqual(['grow', false, 0, 0, '']);
    expect(of(...begun)).toEqual(['grow', true, 1, 0, '']);
    expect(of(...begun, changed)).toEqual(['grow', true, 0, 1, '']);
    expect(of(...begun, changed, done('grow', 'last'))).toEqual(['last', false, 0, 1, 'grow']);
    // A step that ended the run is taken once more, and what was begun in it still is.
    expect(of(...begun, done('grow', 'grow'))).toEqual(['grow', true, 1, 0, '']);
    expect(of(...begun, step('grow'))).toEqual(['grow', true, 1, 0, '']);
    expect(of(...begun, step('last'))).toEqual(['last', false, 0, 0, '']);
    expect(of(...begun, done('grow', 'last'))).toEqual(['last', false, 0, 0, 'grow']);
    expect(progress([done('look', 'last')])?.variables).toEqual({ look: 1 });
  });

  it('is being undone where the last word about that was yes', () => {
    const asked = (...answers: readonly string[]): unknown =>
      progress(answers.map((answer): JournalEntry => ({ type: 'decision', step: '', by: '', question: 'undo?', answer })))?.undoing;
    expect([asked(), asked('yes'), asked('no'), asked('no', 'yes'), asked('yes', 'no')]).toEqual([false, true, false, true, false]);
    expect(progress([{ type: 'decision', step: 'look', by: '', question: 'Go on?', answer: 'yes' }])?.undoing).toBe(false);
  });

  it('is over only where it ended as completed', () => {
    expect(progress([{ type: 'end', status: 'completed' } as JournalEntry])?.over).toBe(true);
    expect(progress([{ type: 'end', status: 'aborted' } as JournalEntry])?.over).toBe(false);
  });
});

describe('a run that is resumed', () => {
  const params = { count: 5, pin: MASK, word: 'tea' };
  const head = { ...RUN_HEAD, params, given: ['count', 'pin', 'gone'] } as Parameters<typeof givenBefore>[0];

  it('is given again what it was given on the command line, but for secrets', () => {
    expect(givenBefore(head)).toEqual({ count: '5' });
    expect([...secretsBefore(head)]).toEqual(['pin']);
    // An earlier podcheck did not write down which were given.
    const { given: _, ...older } = head;
    expect(givenBefore(older as typeof head)).toEqual({});
  });

  it('knows what the one before knew, but for what is newer, given now or secret', () => {
    const change = { step: 'grow', object: 'Deployment/shop/web', back: undefined, writes: [], made: undefined, why: '' };
    const pending = { type: 'writing', object: 'Deployment/shop/web' } as NonNullable<ReturnType<typeof progressOf>>['pending'];
    const resumed = (begun: boolean): Running => {
      const state = { variables: { pod: 'web-new' }, results: new Map(), touched: new Set(), changes: [], begun: undefined };
      const running = { state, given: { word: 'milk' } } as unknown as Running;
      const variables = { pod: 'web-old', node: 'worker-1', word: 'tea', price: 7 };
      takeOver(running, {
        head,
        at: 'grow',
        variables,
        results: new Map([['look', 'passed']]),
        changes: [change],
        begun,
        pending,
        undoing: false,
        over: false,
        atStart: undefined,
      });
      return running;
    };
    const { state } = resumed(true);
    expect(state.variables).toEqual({ pod: 'web-new', node: 'worker-1', count: 5, price: 7 });
    expect([...state.results, ...state.touched, ...state.changes]).toEqual([['look', 'passed'], 'Deployment/shop/web', change]);
    expect([state.begun, resumed(false).state.begun]).toEqual([{ step: 'grow', write: pending }, undefined]);
  });
});

describe('a secret that a step had asked for', () => {
  it('is asked for once more, and nothing else is', async () => {
    const asked: string[] = [];
    const value = (question: string): Promise<string> => {
      asked.push(question);
      return Promise.resolve(`answer ${String(asked.length)}`);
    };
    const ask = (name: string, more = ''): string => `- { id: ${name}, say: "The ${name}?", ask: { as: ${name}, type: text${more} } }`;
    const text = steps([ask('pin', ', secret: true'), ask('word'), ask('key', ', secret: true'), '- { note: Done. }'].join('\n'));
    const { running } = await play(playbookOf(text), { cluster: shop(), target: WEB, prompt: { value } });
    expect(running.state.variables).toMatchObject({ pin: 'answer 1', word: 'answer 2', key: 'answer 3' });
    asked.length = 0;
    await askAgain(running);
    expect(asked).toEqual([]);
    for (const name of ['pin', 'word', 'key']) delete running.state.variables[name];
    running.state.results.delete('key');
    await askAgain(running);
    expect(asked).toEqual(['The pin?']);
    expect(running.state.variables['pin']).toBe('answer 1');
  });
});

describe('a journal beside its head', () => {
  const record = (seq: number, hash: string): { seq: number; at: string; entry: JournalEntry; hash: string } => ({
    seq,
    at: '',
    entry: { type: 'precondition', say: '', is: 'true', why: '' },
    hash,
  });

  it.each([
    ['says which record is missing', 2, 'b', [record(0, 'a')], { kind: 'cut', line: 2, why: 'record 2 is missing' }],
    ['says which records are missing', 3, 'c', [record(0, 'a')], { kind: 'cut', line: 2, why: 'records 2 to 3 are missing' }],
    ['says where another record stands', 2, 'x', [record(0, 'a'), record(1, 'b')], { kind: 'altered', line: 2 }],
    ['says so of the first line where it should have none', 0, 'x', [], { kind: 'altered', line: 1 }],
  ] as const)('%s', (_, records, hash, found, broken) => {
    expect(comparedWith({ records, hash }, { records: found, wholeBytes: 0 }).broken).toMatchObject(broken);
  });

  it('is whole where both agree, and one that goes on behind its head is, too', () => {
    const records = [record(0, 'a'), record(1, 'b')];
    for (const head of [
      { records: 2, hash: 'b' },
      { records: 1, hash: 'a' },
      { records: 0, hash: CHAIN_START },
    ])
      expect(comparedWith(head, { records, wholeBytes: 0 })).toEqual({ records, wholeBytes: 0, head: 'read' });
  });
});
