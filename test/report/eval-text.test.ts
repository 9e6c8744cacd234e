import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/report/format/display-width.ts';
import { evalText } from '../../src/report/eval/eval-text.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import { tableText } from '../../src/report/format/table.ts';

describe('an evaluation as text', () => {
  const text = evalText(
    {
      cases: 4,
      scored: 3,
      outside: 1,
      top1: 1 / 3,
      top3: 2 / 3,
      perLabel: { configmap_missing: { cases: 2, top1: 0.5 }, quota: { cases: 1, top1: 0 } },
      misses: [
        {
          case: 'shop-2',
          expected: { rootCause: 'configmap_missing', rules: ['volumes/configmap-not-found'], object: 'app/web' },
          got: { rule: 'images/image-not-found', object: 'Pod/shop/web-1' },
        },
        { case: 'shop-3', expected: { rootCause: 'quota', rules: [] }, got: null },
      ],
    },
    PLAIN,
  );

  it('begins with the shares', () => {
    expect(text.split('\n')[0]).toBe('top-1 33.3 %, top-3 66.7 % of 3 cases (4 in all, 1 outside)');
  });

  it('has a line for every label', () => {
    expect(text).toMatch(/^50\.0 % +2 +configmap_missing$/m);
  });

  it('names every miss', () => {
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'shop-2 volumes/configmap-not-found at app/web; got images/image-not-found at Pod/shop/web-1',
    );
    expect(text).toMatch(/shop-3 +no cause; got no cause/);
  });
});

describe('a table', () => {
  it('keeps its columns straight and its width, whatever the script, and loses no letter', () => {
    const text = tableText(
      ['이름', 'WHAT'],
      [
        ['상점'.normalize('NFD'), '컨테이너 이미지를 가져올 수 없습니다 '.repeat(4).trim()],
        ['web', 'fine'],
      ],
      { ...PLAIN, width: 50 },
    );
    const lines = text.trimEnd().split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(50);
    expect(text.normalize('NFC').match(/없습니다/g)).toHaveLength(4);
    expect(lines.at(-1)).toBe('web   fine');
  });
});
