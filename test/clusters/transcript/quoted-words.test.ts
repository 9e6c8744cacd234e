import { describe, expect, it } from 'vitest';
import { withoutQuotedWords } from '../../../src/clusters/transcript/quoted-words.ts';

describe('lines that are kept', () => {
  it.each([
    ['the first of a text that goes on in the next', '    description: "the till counts'],
    ['a command behind a prompt, which begins another output', '$ grep -i error /var/log/till.log'],
  ])('are %s', (_, line) => {
    expect(withoutQuotedWords(line)).toBe(line);
  });
});
