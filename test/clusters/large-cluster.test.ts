import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import type { OpenedSource } from '../../src/clusters/open-source.ts';
import { openSource } from '../../src/clusters/open-source.ts';
import { diagnoseTarget, scanScope } from '../../src/library/diagnose-target.ts';
import { examine } from '../../src/library/examine.ts';
import type { Evidence } from '../../src/model/diagnosis.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import { openingsOf } from '../../src/model/frames.ts';
import { folderWith } from '../support/folder.ts';
import { failingPod, writeLargeCluster } from './large-cluster.ts';

const rules = await shippedRules();

function podsIn({ facts }: Evidence): readonly string[] {
  return facts.flatMap(({ about }) => (about.kind === 'Pod' ? [about.name] : []));
}

function opened(path: string, streamedFrom: number, sparse = false): Promise<OpenedSource> {
  const stdin = (): never => {
    throw new Error('nothing is read from stdin');
  };
  return openSource(path, { openings: async () => openingsOf(rules), stdin, clock: () => 0, streamedFrom, sparse });
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

  it('tells the same of one object whether all other pods are looked at or those that stand for others', async () => {
    const path = join(folderWith({}), 'cluster.json');
    writeLargeCluster(path, 2000);
    const { reader } = await opened(path, 1);
    const all = await examine(reader, rules, {});
    for (const state of ['healthy', 'unhealthy'] as const) {
      const targets = all.evidence.targets.filter((one) => one.state === state);
      const service = targets.find(({ ref }) => ref.kind === 'Service');
      const deployment = targets.find(({ ref }) => ref.kind === 'Deployment' && ref.name === service?.ref.name);
      const pod = deployment?.members.find(({ kind }) => kind === 'Pod');
      for (const ref of [service?.ref, deployment?.ref, pod]) {
        if (ref === undefined) throw new Error('the cluster has no such object');
        const near = await examine(reader, rules, { target: ref, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }) });
        const odd = new Set(near.evidence.facts.flatMap(({ kind, about }) => (kind === 'pod' ? [formatRef(about)] : [])));
        const [wide, sampled] = [all, await examine(reader, rules, { sampledFrom: 1, odd })].map((one) => one.diagnosisWithin(ref));
        expect(sampled).toEqual(wide);
        expect(sampled?.causes.length === 0).toBe(state === 'healthy');
        const told = await diagnoseTarget(reader, rules, ref);
        expect(told.causes.map(({ rule }) => rule)).toEqual(wide?.causes.map(({ rule }) => rule));
      }
    }
  }, 60_000);

  it('is not looked at beyond the namespace for a pod that is well, where that would take long', async () => {
    const path = join(folderWith({}), 'cluster.json');
    writeLargeCluster(path, 2000);
    const [{ reader }, sparse] = [await opened(path, 1), await opened(path, 1, true)];
    expect([reader.vast, sparse.reader.vast]).toEqual([undefined, true]);
    const { targets } = (await examine(reader, rules, {})).evidence;
    const pod = targets
      .find(({ ref, state }) => ref.kind === 'Deployment' && state === 'healthy')
      ?.members.find(({ kind }) => kind === 'Pod');
    if (pod === undefined) throw new Error('no pod is well');
    const scopes = async (vast: boolean): Promise<readonly (string | undefined)[]> => {
      const asked: (string | undefined)[] = [];
      const list: typeof reader.list = (kind, scope) => {
        if (kind === 'ReplicaSet') asked.push(scope.namespace);
        return reader.list(kind, scope);
      };
      expect(await diagnoseTarget({ ...reader, list, ...(vast ? { vast } : {}) }, rules, pod)).toMatchObject({ outcome: 'healthy' });
      return [...new Set(asked)];
    };
    expect(await scopes(true)).toEqual([pod.namespace]);
    expect(await scopes(false)).toContain(undefined);
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
