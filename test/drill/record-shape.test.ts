import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { isJsonObject } from '../../src/base/json.ts';
import { asRunRecord } from '../../src/drill/record-shape.ts';
import { podcheck } from '../support/command-line.ts';
import { RECORD } from '../support/drill-record.ts';
import { folderWith } from '../support/folder.ts';
import { withTexts } from '../support/hostile.ts';

const GOOD = JSON.parse(JSON.stringify(RECORD)) as Json;
const OPTIONAL = ['namespace', 'object', 'run', 'looked', 'named', 'mended', 'ended', 'at', 'about', 'telling', 'playbook'];

describe('the record of a drill that somebody sent', () => {
  it('is taken as podcheck writes it', () => {
    expect(asRunRecord(GOOD)).toEqual(GOOD);
  });

  it('is refused where a field is missing or of another type, and never half read', async () => {
    const folder = folderWith({});
    const broken = variants(GOOD).filter(({ value }) => asRunRecord(value) === undefined);
    expect(broken.length).toBeGreaterThan(80);
    for (const { value } of variants(GOOD)) {
      const file = join(folder, 'record.json');
      writeFileSync(file, JSON.stringify(value));
      const format = ['text', 'html', 'markdown', 'playbook'][JSON.stringify(value).length % 4] ?? 'text';
      const { code, err } = await podcheck(['drill', 'review', file, '-o', format]);
      expect([0, 2], err).toContain(code);
      expect(code === 2, err).toBe(asRunRecord(value) === undefined);
    }
  });

  it('can move no cursor on the board of a team', async () => {
    const folder = folderWith({
      'record.json': JSON.stringify(withTexts(RECORD, 'eve\u001B[2J\u202E', ['schema', 'difficulty', 'ending', 'stage', 'state', 'kind'])),
    });
    const { code, out } = await podcheck(['drill', 'board', folder]);
    expect(code).toBe(0);
    expect(out).toContain(String.raw`eve\x1b[2J\u{202E}`);
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});

/** The value with one field gone, or with another value in its place, for every field. */
function variants(value: Json): readonly { readonly value: Json }[] {
  if (Array.isArray(value))
    return (value as readonly Json[]).slice(0, 1).flatMap((member) => variants(member).map((one) => ({ value: [one.value] })));
  if (!isJsonObject(value)) return [{ value: null }, { value: 1e300 }, { value: ['x'] }];
  return Object.entries(value).flatMap(([field, member]) => {
    const { [field]: _gone, ...rest } = value;
    const inner = member === undefined ? [] : variants(member).map((one) => ({ value: { ...value, [field]: one.value } }));
    return OPTIONAL.includes(field) ? inner : [{ value: rest }, ...inner];
  });
}
