import type { CaseTexts } from './case-texts.ts';

const COLUMNS = 80;

/** Broken at the edge of a terminal, in the middle of words. */
export function wrapped({ text }: CaseTexts): string | undefined {
  return lineByLine(text, (line) => {
    const pieces: string[] = [];
    for (let from = 0; from === 0 || from < line.length; from += COLUMNS) pieces.push(line.slice(from, from + COLUMNS));
    return pieces.join('\n');
  });
}

export function indented({ text }: CaseTexts): string | undefined {
  return lineByLine(text, (line) => (line === '' ? '' : `    ${line}`));
}

/** As a mail or an issue quotes it. */
export function quoted({ text }: CaseTexts): string | undefined {
  return lineByLine(text, (line) => `> ${line}`);
}

/** Between the sentences of whoever asks. */
export function fenced({ text }: CaseTexts): string | undefined {
  return text === ''
    ? undefined
    : `Hi all, since this morning our application does not come up.\nThis is what I see:\n\n\`\`\`console\n${text}\n\`\`\`\n\nAny ideas? Thanks!\n`;
}

/** With a byte order mark, carriage returns and colours. */
export function coloured({ text }: CaseTexts): string | undefined {
  const painted = lineByLine(text, (line) => `${line.replace(/\S+/, (word) => `\u001B[1;32m${word}\u001B[0m`)}\r`);
  return painted === undefined ? undefined : `\uFEFF${painted}`;
}

function lineByLine(text: string, change: (line: string) => string): string | undefined {
  return text === '' ? undefined : text.split('\n').map(change).join('\n');
}
