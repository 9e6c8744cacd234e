import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { asList, asObject } from '../../src/base/json.ts';
import { packedRules, unpackedRules } from '../../src/page/page-data.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';

const isHeard = (wording: JsonObject): boolean =>
  wording['until'] === undefined && asList(wording['in']).some((place) => place !== 'journal' && place !== 'text');

test('the rules of the page are those of the program, but for what to read elsewhere, for journals, old versions and pasted texts', async () => {
  const rules = JSON.parse(JSON.stringify(await shippedRules())) as readonly JsonObject[];
  const carried = JSON.parse(JSON.stringify(packedRules(rules, JSON.stringify(rules)))) as JsonObject;
  expect(unpackedRules(carried)).toEqual(
    rules.map((rule) => ({
      ...rule,
      references: [],
      frames: { ...asObject(rule['frames']), openings: [] },
      says: asList(rule['says']).map(asObject).filter(isHeard),
      tells: asList(rule['tells']).map(asObject).filter(isHeard),
    })),
  );
  expect(
    rules.flatMap((rule) =>
      asList(rule['says'])
        .map(asObject)
        .filter((wording) => !isHeard(wording)),
    ).length,
  ).toBeGreaterThan(20);
});

test('the rules of the page are without what logs say of which no scenario and no code has the words', () => {
  const wording = (place: string, text: string): JsonObject => ({ in: [place], text, reason: [], anyCase: false, general: false, as: {} });
  const says = [
    wording('log', 'Unknown database "{{ database: name }}" here'),
    wording('log', 'no such table {{ table: word }}'),
    wording('event', 'no such event'),
  ];
  const rule = { id: 'a/b', says, tells: [], frames: {}, fix: [] };
  const [kept] = unpackedRules(packedRules([rule], `logs: ["unknown database \\"till\\" here"]`));
  expect(kept?.['says']).toEqual([says[0], says[2]]);
});
