import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import type { OpenedSource } from '../../src/clusters/open-source.ts';
import { openSource } from '../../src/clusters/open-source.ts';
import { diagnoseTarget, scanScope } from '../../src/library/diagnose-target.ts';
import { examine } from '../../src/library/examine.ts';
import type { Evidence } from '../../src/model/diagnosis.ts';
import { openingsOf } from '../../src/model/frames.ts';
import { folderWith } from '../support/folder.ts';
import { failingPod, writeLargeCluster } from './large-cluster.ts';

const rules = await shippedRules();

function podsIn({ facts }: Evidence): readonly string[] {
  return facts.flatMap(({ about }) => (about.kind === 'Pod' ? [about.name] : []));
}

function opened(path: string, streamedFrom: number): Promise<OpenedSource> {
  const stdin = (): never => {
    throw new Error('nothing is read from stdin');
  };
  return openSource(path, { openings: async () => openingsOf(rules), stdin, clock: () => 0, streamedFrom });
}

describe('a snapshot of a large cluster', () => {
  it('is judged in the same way whether all its pods are looked at or those that stand for others', async () => {
    const path = join(folderWith({}), 'cluster.json');
    writeLargeCluster(path, 6000);
    const { reader } = await opened(path, 1);
    const [all, sample] = [await examine(reader, rules, {}), await examine(reader, rules, { sampledFrom: 1 })];
    expect(sample.scan()).toEqual(all.scan());
    expect(sample.evidence.targets).toEqual(all.evidence.targets);
    // One of each healthy Deployment, those with events, and those that fail.
    expect(new Set(podsIn(sample.evidence)).size).toBeLessThan(800);
    expect(new Set(podsIn(all.evidence)).size).toBe(6000);
  }, 60_000);

  it('is judged in the same way whether it is read whole or piece by piece', async () => {
    const path = join(folderWith({}), 'cluster.json');
    const { causes, failing } = writeLargeCluster(path, 4000);
    const [whole, streamed] = [await opened(path, Number.POSITIVE_INFINITY), await opened(path, 1)];
    expect(streamed.evidence).toEqual(whole.evidence);
    const results = await Promise.all([whole, streamed].map(({ reader }) => scanScope(reader, rules)));
    expect(results[1]).toEqual(results[0]);
    expect(results[0]?.causes).toHaveLength(causes);
    expect(results[0]?.causes.flatMap(({ affected }) => affected.filter(({ kind }) => kind === 'Pod'))).toHaveLength(failing);
    const asked = { kind: 'Pod', ...failingPod() };
    const diagnoses = await Promise.all([whole, streamed].map(({ reader }) => diagnoseTarget(reader, rules, asked)));
    expect(diagnoses[1]).toEqual(diagnoses[0]);
    expect(diagnoses[0]?.causes.map(({ rule }) => rule)).toEqual(['containers/configmap-not-found']);
  }, 60_000);
});
