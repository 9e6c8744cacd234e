import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/report/display-width.ts';
import { PLAIN } from '../../src/report/look.ts';
import { scanText } from '../../src/report/scan-text.ts';
import { CAUSE, SCAN } from '../support/diagnoses.ts';

describe('a scan as text', () => {
  const text = scanText(SCAN, PLAIN, false);

  it('begins with how much is well', () => {
    expect(text.split('\n')[0]).toBe('namespace shop: 2 of 5 healthy, 3 not; 1 cause');
  });

  it('names a cause once, with how many objects it stops', () => {
    expect(text).toContain('1. A volume names a ConfigMap that does not exist (2 objects)');
    expect(text.match(/Volume settings needs/g)).toHaveLength(1);
  });

  it('lists what is not well for unknown reasons', () => {
    expect(text).toContain('StatefulSet shop/db: 1/3 ready');
  });

  it('keeps to eighty columns outside of commands', () => {
    for (const line of text.split('\n')) if (!line.includes('kubectl')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  it('tells later causes shortly, unless it may be wide', () => {
    const many = { ...SCAN, causes: Array.from({ length: 6 }, (_, index) => ({ ...CAUSE, rank: index + 1 })) };
    expect(scanText(many, PLAIN, false).match(/Evidence/g)).toHaveLength(3);
    expect(scanText(many, PLAIN, true).match(/Evidence/g)).toHaveLength(6);
  });
});
