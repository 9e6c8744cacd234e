import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { asList, asObject } from '../../src/base/json.ts';
import { packedRules, unpackedRules } from '../../src/page/page-data.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';

const isHeard = (wording: JsonObject): boolean =>
  wording['until'] === undefined && asList(wording['in']).some((place) => place !== 'journal' && place !== 'text');

test('the rules of the page are those of the program, but for what to read elsewhere, for journals, old versions and pasted texts', async () => {
  const rules = JSON.parse(JSON.stringify(await shippedRules())) as readonly JsonObject[];
  const carried = JSON.parse(JSON.stringify(packedRules(rules))) as JsonObject;
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
