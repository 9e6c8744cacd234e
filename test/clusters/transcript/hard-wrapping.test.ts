import { describe, expect, it } from 'vitest';
import { cleanLines } from '../../../src/clusters/transcript/clean-lines.ts';
import { readTranscript } from '../../../src/clusters/transcript/transcript.ts';
import { OPENINGS } from '../../support/transcripts.ts';

function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : (line.match(new RegExp(`.{1,${String(width)}}`, 'g')) ?? [])))
    .join('\n');
}

function linesOf(text: string): readonly string[] {
  return [...cleanLines(text)].map((line) => line.text);
}

const WIDE = `$ kubectl -n till get pods -o wide
NAME                     READY   STATUS    RESTARTS   AGE   IP            NODE       NOMINATED NODE   READINESS GATES
cart-5d9c7b8f66-q7zvn    1/1     Running   0          12s   10.0.3.11     worker-1   <none>           <none>
stock-59f8c7d4b9-7kx2m   1/1     Running   0          12s   10.0.3.12     worker-1   <none>           <none>
till-67c9d8b5f4-9dxk2    1/1     Running   0          12s   10.0.3.13     worker-2   <none>           <none>
Error from server (Forbidden): configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "till"
`;

describe('a text that a terminal broke', () => {
  it.each([80, 72, 100])('at %i columns is as it was before', (width) => expect(linesOf(wrap(WIDE, width))).toEqual(linesOf(WIDE)));

  it('keeps the number of the line at which each line began', () => {
    expect([...cleanLines(`${'a'.repeat(80)}\nbb\n${'c'.repeat(80)}\ndd\n`)]).toEqual([
      { number: 1, text: `${'a'.repeat(80)}bb` },
      { number: 3, text: `${'c'.repeat(80)}dd` },
    ]);
  });

  it('has no objects made of titles', () => {
    const names = readTranscript(
      '$ kubectl get nodes\nNAME       STATUS   ROLES    AGE   VERSION   INTERNAL-IP\nEXTERNAL-IP   OS-IMAGE\nworker-1   Ready    <none>   9d    v1.33.1   10.0.0.4\n',
      { openings: OPENINGS, name: 'nodes' },
    ).objects.flatMap(({ kind, metadata }) => (kind === 'Node' ? metadata.name : []));
    expect(names).toEqual(['worker-1']);
  });
});

describe('a text that nobody broke', () => {
  it('keeps rows of one length', () => {
    const rows = ['cart', 'deal', 'till', 'shop'].map((name) => `${name.padEnd(30)}1/1     Running   0          ${'9d'.padEnd(30)}x`);
    expect(linesOf(rows.join('\n'))).toEqual(rows);
  });

  it.each([
    ['a journal', (index: number) => `Nov 18 05:27:0${String(index)} till-04 kubelet[5651]: failed to reach the stock at 10.0.0.9 in time`],
    ['klog', (index: number) => `E1118 05:27:0${String(index)}.104501       1 stock.go:77] failed to reach the stock at 10.0.0.9`],
    ['a logger', (index: number) => `2026-11-18T05:27:0${String(index)}Z ERROR failed to reach the stock at 10.0.0.9 in time`],
    ['JSON', (index: number) => `{"level":"error","seconds":${String(index)},"msg":"failed to reach the stock at 10.0.0.9 in time"}`],
  ])('keeps entries of one length of %s', (_, entry) => {
    const entries = [1, 2, 3, 4, 5].map(entry);
    expect(linesOf(entries.join('\n'))).toEqual(entries);
  });

  it('keeps a command behind a line that is as wide as the terminal', () => {
    expect(linesOf(`${'a'.repeat(80)}\n$ kubectl get pods\n`)).toEqual(['a'.repeat(80), '$ kubectl get pods']);
  });

  it('keeps long lines of logs, of which one is longer than the others', () => {
    const lines = ['a'.repeat(80), 'b'.repeat(80), 'c'.repeat(80), 'd'.repeat(95)];
    expect(linesOf(lines.join('\n'))).toEqual(lines);
  });
});

describe('a text that is indented as a whole', () => {
  it('is read from its margin', () => expect(linesOf(WIDE.replace(/^(?=.)/gm, '      '))).toEqual(linesOf(WIDE)));
});

describe('a manifest at the end of a text', () => {
  const cut = '$ cat cart.yaml\napiVersion: v1\nkind: Pod\nmetadata: { name: cart, names';

  it('that breaks off is not malformed', () => {
    expect(
      readTranscript(cut, { openings: OPENINGS, name: 'cut' }).evidence.objects.filter(({ spec }) =>
        JSON.stringify(spec ?? {}).includes('"error"'),
      ),
    ).toEqual([]);
  });

  it('is malformed where more text follows it', () => {
    expect(
      readTranscript(`${cut}\n$ kubectl get pods\n`, { openings: OPENINGS, name: 'whole' }).evidence.objects.some(({ spec }) =>
        JSON.stringify(spec ?? {}).includes('"error"'),
      ),
    ).toBe(true);
  });
});

it('a page that has a blank line behind every line is read without these', () => {
  const rows = [
    'NAME     READY   STATUS    RESTARTS   AGE',
    'web-0    0/1     Pending   0          9m',
    'till-0   0/1     Pending   0          9m',
  ];
  expect(linesOf(rows.join('\n\n'))).toEqual(rows);
  expect(linesOf('One.\n\nTwo.\n\nThree.')).toEqual(['One.', '', 'Two.', '', 'Three.']);
});
