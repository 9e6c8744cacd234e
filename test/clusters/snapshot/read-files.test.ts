import { describe, expect, it } from 'vitest';
import { FileReader } from '../../../src/clusters/snapshot/read-files.ts';
import { bytesFile } from '../../../src/clusters/snapshot/source-file.ts';

const LINES = Array.from({ length: 400_002 }, (_, index) => `line ${String(index)}`);

async function read(text: string): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
  const reader = new FileReader();
  const transcript = await reader.transcript(bytesFile('shop.txt', Buffer.from(text), 0));
  return { text: transcript.text, notes: reader.notes.map((note) => note.text) };
}

describe('what a terminal showed', () => {
  it('is read whole up to a number of lines', async () => {
    const text = LINES.slice(2).join('\n');
    expect(await read(text)).toEqual({ text, notes: [] });
    expect(await read(`${text}\n`)).toEqual({ text: `${text}\n`, notes: [] });
    expect(await read('\n')).toEqual({ text: '\n', notes: [] });
  });

  it('is read from where its last lines begin when it has more, and a note says so', async () => {
    const notes = ['only the last 400000 lines were read'];
    expect(await read(LINES.join('\n'))).toEqual({ text: LINES.slice(2).join('\n'), notes });
    expect(await read(`${LINES.join('\n')}\n`)).toEqual({ text: `${LINES.slice(2).join('\n')}\n`, notes });
  });
});
