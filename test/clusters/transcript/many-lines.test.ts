import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../../src/clusters/transcript/transcript.ts';
import { threadMilliseconds } from '../../support/thread-time.ts';
import { OPENINGS } from '../../support/transcripts.ts';

/** Lines with which a piece of a transcript begins, each repeated until a text is long. */
const BEGINNINGS = [
  'Name: till\n',
  '  Name: till\n',
  '  Name: till\n  Namespace: shop\nover\n',
  '{\n',
  '  - apiVersion: v1\n',
  'NAME   READY   STATUS\n',
  'State: Waiting\n',
  'containerStatuses:\n- state:\n',
  'error: no\n* why\n',
  'Warning Failed no\n',
  '$ kubectl get pods\n',
  '| ',
];

function readFor(text: string): number {
  const before = threadMilliseconds();
  readTranscript(text, { openings: OPENINGS, name: 'text', written: 0 });
  return (threadMilliseconds() - before) / 1000;
}

describe('a text of thirty thousand lines', () => {
  it.each(BEGINNINGS)(
    'of %j takes a few seconds of the processor at most',
    (line) => {
      expect(readFor(line.repeat(30_000))).toBeLessThan(10);
    },
    120_000,
  );

  it('of lines at every indentation does as well', () => {
    expect(readFor(Array.from({ length: 30_000 }, (_, index) => `${' '.repeat(index % 12)}Name: till\n`).join(''))).toBeLessThan(10);
  }, 120_000);

  it('says which of them it did not read', () => {
    const { notes } = readTranscript('the till is slow today\n'.repeat(12_000), { openings: OPENINGS, name: 'text', written: 0 });
    expect(notes.map(({ text }) => text)).toContainEqual(expect.stringMatching(/the 2000 lines from here were not read/));
  }, 120_000);
});
