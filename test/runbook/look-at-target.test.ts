import { describe, expect, it } from 'vitest';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Sight } from '../../src/runbook/look-at-target.ts';
import { Looker } from '../../src/runbook/look-at-target.ts';
import { rules } from '../support/runbook-runs.ts';
import { shop, WEB } from './shop.ts';

const WELL = shop().reader();
const BROKEN = shop({ nodeSelector: { till: 'gold' } }).reader();

/** As the reader, without the right to see objects of a kind. */
function without(kind: string, reader: ClusterReader): ClusterReader {
  const refused = { ok: false, why: 'forbidden', detail: 'no' } as const;
  return {
    ...reader,
    get: (ref) => (ref.kind === kind ? Promise.resolve(refused) : reader.get(ref)),
    list: (of, scope) => (of === kind ? Promise.resolve(refused) : reader.list(of, scope)),
  };
}

/** The same objects in a namespace of another name. */
function renamed(namespace: string, reader: ClusterReader): ClusterReader {
  return {
    ...reader,
    list: async (kind, scope) => {
      const read = await reader.list(kind, scope);
      return read.ok ? { ...read, value: read.value.map((one) => ({ ...one, metadata: { ...one.metadata, namespace } })) } : read;
    },
  };
}

function gapsOf({ evidence }: Sight): readonly string[] {
  return evidence.gaps.map(({ kind, about }) => `${kind} ${formatRef(about)}`).toSorted();
}

function podFacts({ evidence }: Sight): number {
  return evidence.facts.filter(({ kind }) => kind === 'pod').length;
}

describe('what is pasted', () => {
  it('is known of the objects that it shows, and leaves open what it does not tell of them', async () => {
    const looker = new Looker(without('Node', WELL), []);
    const nodes = ['worker-1', 'worker-2'];
    expect(gapsOf(await looker.look(WEB))).toEqual(
      ['any', 'node', 'node-trouble'].flatMap((kind) => nodes.map((name) => `${kind} Node/${name}`)),
    );
    const facts = await looker.take(WELL);
    expect(facts.filter(({ kind }) => kind === 'node').length).toBe(3);
    const seen = await looker.look(WEB);
    expect(gapsOf(seen)).toEqual(nodes.map((name) => `node-trouble Node/${name}`));
    expect(seen.evidence.facts).toEqual(expect.arrayContaining([...facts]));
  });

  it('stands for a list that could not be read, if it shows objects of that kind and namespace', async () => {
    const all = ['any Pod/shop/*', 'container Pod/shop/*', 'pod Pod/shop/*'];
    const looker = new Looker(without('Pod', WELL), []);
    expect(gapsOf(await looker.look(WEB))).toEqual(all);
    await looker.take(renamed('till', WELL));
    expect(gapsOf(await looker.look(WEB))).toEqual(all);
    await looker.take(without('Event', without('Pod', WELL)));
    expect(gapsOf(await looker.look(WEB))).toEqual(all);
    await looker.take(WELL);
    expect(gapsOf(await looker.look(WEB))).toEqual(all.slice(1));
  });

  it('is believed until something is done', async () => {
    const looker = new Looker(without('Pod', WELL), []);
    await looker.take(WELL);
    expect(podFacts(await looker.look(WEB))).toBe(2);
    expect(podFacts(await looker.look(WEB))).toBe(2);
    looker.forgetPasted();
    const seen = await looker.look(WEB);
    expect([podFacts(seen), gapsOf(seen).length]).toEqual([0, 3]);
  });
});

describe('a whole namespace or cluster', () => {
  it.each<readonly [string, ClusterReader, readonly Rule[], string, string, number]>([
    ['is healthy where all in it is', WELL, rules, 'healthy', 'healthy', 0],
    ['is explained by the cause of what is not', BROKEN, rules, 'explained', 'unhealthy', 1],
    ['is unexplained where no rule knows the cause', BROKEN, [], 'unexplained', 'unhealthy', 0],
    ['is not judged where its objects cannot be read', without('Pod', WELL), rules, 'inconclusive', 'unknown', 0],
    ['is not judged by what is left of it', without('Pod', BROKEN), [], 'inconclusive', 'unhealthy', 0],
  ])('%s', async (_, reader, known, outcome, state, causes) => {
    for (const target of [
      { kind: 'Namespace', name: 'shop' },
      { kind: 'Cluster', name: 'cluster' },
    ] satisfies readonly ObjectRef[]) {
      const { diagnosis } = await new Looker(reader, known).look(target);
      expect([diagnosis.outcome, diagnosis.state, diagnosis.causes.length]).toEqual([outcome, state, causes]);
      expect([diagnosis.target, diagnosis.stages]).toEqual([target, []]);
    }
  });
});
