import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { CERTIFICATE_LOADS, writeFiles, writeSnapshot } from './loads.ts';

async function counted(
  ...argv: readonly string[]
): Promise<{ readonly unique: number; readonly occurrences: number; readonly found: number }> {
  const { out } = await podcheck(['cert-expiry', '-o', 'json', ...argv]);
  const { certificates, tiers } = JSON.parse(out) as { certificates: { places: unknown[] }[]; tiers: { found: number }[] };
  let [occurrences, found] = [0, 0];
  for (const { places } of certificates) occurrences += places.length;
  for (const tier of tiers) found += tier.found;
  return { unique: certificates.length, occurrences, found };
}

describe('what the benchmark measures', () => {
  it('is made here', () => {
    const bench = readFileSync('.build/bench.mjs', 'utf8');
    expect(Object.keys(CERTIFICATE_LOADS).length).toBeGreaterThan(1);
    for (const name of Object.keys(CERTIFICATE_LOADS)) expect(bench).toContain(`{ name: '${name}', `);
  });

  it('is found whole in a snapshot', async () => {
    const folder = folderWith();
    const { unique, occurrences } = writeSnapshot(folder, { unique: 7, occurrences: 700 });
    expect(await counted('--from', folder)).toEqual({ unique, occurrences, found: occurrences });
  });

  it('is found whole in a tree of files', async () => {
    const folder = folderWith();
    const { unique, occurrences } = writeFiles(folder, { unique: 5, occurrences: 300 });
    expect(await counted('--dir', folder)).toEqual({ unique, occurrences, found: occurrences });
  });
});
