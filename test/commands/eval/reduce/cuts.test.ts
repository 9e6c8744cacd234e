import { describe, expect, it } from 'vitest';
import type { CaseTexts } from '../../../../src/commands/eval/reduce/case-texts.ts';
import { readCaseTexts } from '../../../../src/commands/eval/reduce/case-texts.ts';
import { CUTS, cutsNamed } from '../../../../src/commands/eval/reduce/cuts.ts';
import { folderWith } from '../../../support/folder.ts';

const TEXT = `$ kubectl -n till get pods
NAME     READY   STATUS    RESTARTS   AGE
cart-0   0/1     Pending   0          3m

$ kubectl -n till describe pod stock-0
Name:   stock-0
Events: <none>

$ kubectl -n till describe pod cart-0
Name:   cart-0
Node:   <none>
Events:
  Type     Reason            Age   From               Message
  ----     ------            ----  ----               -------
  Warning  FailedScheduling  3m    default-scheduler  0/1 nodes are available: 1 Insufficient cpu.

$ kubectl -n till logs cart-0
listening

$ cat cart.yaml
kind: Pod

$ kubectl -n till get events
LAST SEEN   TYPE      REASON   OBJECT       MESSAGE
3m          Warning   Failed   pod/cart-0   no
`;

function cut(name: string, texts: CaseTexts = { text: TEXT }): string | undefined {
  return cutsNamed(name)[0]?.of(texts);
}

describe('what a cut leaves of a transcript', () => {
  it('is what the commands of one kind printed', () => {
    expect(cut('listing')).toBe(
      '$ kubectl -n till get pods\nNAME     READY   STATUS    RESTARTS   AGE\ncart-0   0/1     Pending   0          3m\n\n',
    );
    expect(cut('events')).toMatch(/^\$ kubectl -n till get events\nLAST SEEN[^$]*no\n/);
    expect(cut('logs')).toBe('$ kubectl -n till logs cart-0\nlistening\n\n');
    expect(cut('yaml-events')).toMatch(/^\$ cat cart\.yaml\nkind: Pod\n[^]*LAST SEEN/);
  });

  it('is the first description with a warning', () => {
    expect(cut('describe')).toMatch(/^\$ kubectl -n till describe pod cart-0\n[^$]*Insufficient cpu\.\n/);
    expect(cut('describe', { text: TEXT.replace('  Warning  F', '  Normal   F') })).toBeUndefined();
  });

  it('is every description without its events', () => {
    expect(cut('no-events')).toBe(
      '$ kubectl -n till describe pod stock-0\nName:   stock-0\n$ kubectl -n till describe pod cart-0\nName:   cart-0\nNode:   <none>\n',
    );
  });

  it('is the events of descriptions where nobody listed events', () => {
    expect(cut('events', { text: TEXT.slice(0, TEXT.indexOf('$ kubectl -n till get events')) })).toMatch(
      /^Events: <none>\n[^]*Insufficient cpu/,
    );
  });

  it('is a part of its length, from the beginning or to the end', () => {
    expect(cut('first-55', { text: 'abcdefghij' })).toBe('abcde');
    expect(cut('first-85', { text: 'abcdefghij' })).toBe('abcdefgh');
    expect(cut('last-75', { text: 'abcdefgh' })).toBe('cdefgh');
  });

  it('is all of it in another layout', () => {
    expect(cut('wrapped', { text: `${'a'.repeat(81)}\n\nb` })).toBe(`${'a'.repeat(80)}\na\n\nb`);
    expect(cut('indented', { text: 'a\n\nb' })).toBe('    a\n\n    b');
    expect(cut('quoted', { text: 'a\nb' })).toBe('> a\n> b');
    expect(cut('fenced', { text: 'a' })).toMatch(/```console\na\n```/);
    expect(cut('coloured', { text: ' a b\nc' })).toBe('\uFEFF \u001B[1;32ma\u001B[0m b\r\n\u001B[1;32mc\u001B[0m\r');
  });

  it('is nothing where there is nothing of the kind', () => {
    for (const { name, of } of CUTS) expect(of({ text: '' }), name).toBeUndefined();
  });
});

describe('a folder of JSON', () => {
  it('has its objects as YAML and its events as a table', async () => {
    const event = {
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'till', name: 'cart-0' },
      type: 'Warning',
      reason: 'Failed',
      message: 'no',
      lastTimestamp: '2026-02-03T10:00:00Z',
    };
    const texts = await readCaseTexts(
      folderWith({
        'objects.json': JSON.stringify({ items: [{ kind: 'Pod', metadata: { name: 'cart-0' } }] }),
        'events.json': JSON.stringify({ items: [event] }),
        'expected.json': '{}',
      }),
    );
    expect(texts.yaml).toContain('- kind: Pod\n    metadata:\n      name: cart-0\n');
    expect(cut('yaml-events', texts)).toContain(texts.events ?? '?');
    expect(texts.events?.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['NAMESPACE', 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'],
      ['till', '1s', 'Warning', 'Failed', 'pod/cart-0', 'no'],
      [''],
    ]);
  });

  it('leaves out what shows the answer or the state after the fix, as a diagnosis does', async () => {
    const pod = (name: string): string =>
      JSON.stringify({
        items: [
          { kind: 'Pod', metadata: { name } },
          { kind: 'Event', reason: 'Started', message: name, metadata: { name }, involvedObject: { kind: 'Pod', name } },
        ],
      });
    const { yaml = '', events = '' } = await readCaseTexts(
      folderWith({ 'objects.json': pod('cart-0'), 'after-fix.json': pod('cart-1'), 'truth.json': pod('cart-2') }),
    );
    for (const text of [yaml, events]) expect(text.match(/cart-\d/g)?.every((name) => name === 'cart-0')).toBe(true);
  });

  it('has its texts one after the other, the commands once', async () => {
    expect((await readCaseTexts(folderWith({ 'transcript.txt': 'b', 'commands.txt': 'b', 'logs.txt': 'a' }))).text).toBe('a\nb');
  });
});

describe('names of cuts', () => {
  it('are all, or some', () => {
    expect(cutsNamed('all')).toEqual(CUTS);
    expect(cutsNamed('quoted, events').map(({ name }) => name)).toEqual(['quoted', 'events']);
  });

  it('are refused with the nearest one when there is none such', () =>
    expect(() => cutsNamed('wraped')).toThrow('unknown cut "wraped"; did you mean wrapped?'));
});
