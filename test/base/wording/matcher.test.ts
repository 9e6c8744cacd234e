import { describe, expect, it } from 'vitest';
import { Matcher } from '../../../src/base/wording/matcher.ts';
import { parseTemplate } from '../../../src/base/wording/template.ts';
import { PieceSearch } from '../../../src/base/wording/piece-search.ts';

function wording(source: string, anyCase = false) {
  const template = parseTemplate(source);
  if ('problem' in template) throw new Error(template.problem);
  return { source, template, anyCase };
}

function best(sources: readonly string[], text: string, accepts: (source: string) => boolean = () => true): string | undefined {
  return new Matcher(sources.map((source) => wording(source))).best(text, ({ source }) => accepts(source))?.wording.source;
}

describe('the matcher', () => {
  it('names the template with more literal text, whatever their order', () => {
    const sources = ['not found', 'configmap "{{ name }}" not found', 'found'];
    expect(best(sources, 'configmap "app" not found')).toBe(sources[1]);
    expect(best(sources.toReversed(), 'configmap "app" not found')).toBe(sources[1]);
    expect(best(sources, 'secret "app" not found')).toBe('not found');
  });

  it('names the next one where the most particular is not accepted', () => {
    expect(best(['not found', 'was not found'], 'it was not found', (source) => source === 'not found')).toBe('not found');
  });

  it('ignores the case of letters only where that is said', () => {
    const text = 'Permission Denied by host';
    expect(new Matcher([wording('permission denied by {{ who }}')]).best(text, () => true)).toBeUndefined();
    expect(new Matcher([wording('permission denied by {{ who }}', true)]).best(text, () => true)?.captured).toEqual({ who: 'host' });
  });

  it('takes a general template only where no other fits', () => {
    const frame = { ...wording('failed to setup network for sandbox'), general: true };
    const matcher = new Matcher([frame, wording('no free IP')]);
    expect(matcher.best('failed to setup network for sandbox web: no free IP', () => true)?.wording.source).toBe('no free IP');
    expect(matcher.best('failed to setup network for sandbox web', () => true)?.wording.source).toBe(frame.source);
  });

  it('says where a template stands', () => {
    const text = 'pods: field cpu is short, field memory is short';
    const found = new Matcher([wording('field {{ name: word }} is short')]).best(text, () => true);
    expect(text.slice(found?.start, found?.end)).toBe('field cpu is short');
  });

  it('ends a capture of a line where the line ends', () => {
    const found = new Matcher([wording('denied: {{ answer: line }}')]).best('denied: no\nnext', () => true);
    expect(found?.captured).toEqual({ answer: 'no' });
  });

  it('finds a template without an ASCII letter', () => {
    expect(best(['найдено без'], 'не найдено без имени')).toBe('найдено без');
  });
});

describe('the search for pieces', () => {
  it('finds all that stand in a text, as looking for each of them does', () => {
    const pieces = ['abab', 'bab', 'ba', 'abc', 'cab', 'aaa', 'c', 'not there'];
    const search = new PieceSearch(pieces);
    for (const text of ['', 'ababab', 'ABABC', 'cabaaab', 'aaaa', 'xbay', 'bab', 'äbabä']) {
      const found = pieces.flatMap((piece, index) => (text.toLowerCase().includes(piece) ? [index] : []));
      expect(
        search.in(text).toSorted((a, b) => a - b),
        text,
      ).toEqual(found);
    }
  });
});
