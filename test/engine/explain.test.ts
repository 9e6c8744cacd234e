import { describe, expect, it } from 'vitest';
import { explain } from '../../src/engine/explain.ts';
import type { Finding } from '../../src/model/diagnosis.ts';
import type { Fact } from '../../src/model/fact.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { fact, pod, rule } from '../support/facts.ts';

const [web, db] = [
  { kind: 'Deployment', namespace: 'shop', name: 'web' },
  { kind: 'StatefulSet', namespace: 'shop', name: 'db' },
];

interface Words {
  readonly kind?: 'cause' | 'symptom';
  readonly explains?: readonly string[];
  readonly affected?: readonly ObjectRef[];
}

function finding(id: string, object: ObjectRef, { kind = 'cause', explains = [], affected = [] }: Words = {}): Finding {
  return {
    rule: rule({ id, kind, explains, all: [{ fact: 'reference', where: { exists: false } }] }),
    object,
    params: {},
    facts: [],
    support: [],
    affected,
  };
}

function explained(findings: readonly Finding[], facts: readonly Fact[] = []): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...explain(findings, facts)].map(([cause, effects]) => [cause.rule.id, [...effects].map((effect) => effect.rule.id)]),
  );
}

describe('what a cause accounts for', () => {
  it('is every symptom of the same object, and of causes those that its rule names', () => {
    const findings = [
      finding('volumes/cause', web, { explains: ['probes/*'] }),
      finding('containers/symptom', web, { kind: 'symptom' }),
      finding('probes/named', web),
      finding('images/other', web),
    ];
    expect(explained(findings)).toEqual({
      'volumes/cause': ['containers/symptom', 'probes/named'],
      'containers/symptom': [],
      'probes/named': ['containers/symptom'],
      'images/other': ['containers/symptom'],
    });
  });

  it.each([[{ kind: 'StorageClass', name: 'fast' }], [{ kind: 'Namespace', name: 'shop' }]])(
    'is nothing of another workload that has only %o in common with it',
    (shared) => {
      const findings = [
        finding('volumes/cause', web, { affected: [shared] }),
        finding('containers/symptom', db, { kind: 'symptom', affected: [shared] }),
      ];
      expect(explained(findings)['volumes/cause']).toEqual([]);
    },
  );

  it('is a symptom of another workload that has a node in common with it', () => {
    const node = { kind: 'Node', name: 'worker-1' };
    const findings = [
      finding('kubelet/cause', web, { affected: [node] }),
      finding('containers/symptom', db, { kind: 'symptom', affected: [node] }),
    ];
    expect(explained(findings)['kubelet/cause']).toEqual(['containers/symptom']);
  });

  it('is every rule of a stage that it names, and of no other stage', () => {
    const findings = [
      finding('volumes/cause', web, { explains: ['probes/*'] }),
      finding('probes/slow', web),
      finding('persistence/other', web),
    ];
    expect(explained(findings)['volumes/cause']).toEqual(['probes/slow']);
  });

  it('is the rule that it names, and no other whose name begins alike', () => {
    const findings = [
      finding('volumes/cause', web, { explains: ['probes/slow'] }),
      finding('probes/slow', web),
      finding('probes/slow-start', web),
    ];
    expect(explained(findings)['volumes/cause']).toEqual(['probes/slow']);
  });

  it('is no symptom of an object that depends on nothing of it', () => {
    const cart = { ...web, name: 'cart' };
    const facts = [fact('dependency', web, { on: 'StatefulSet/shop/db' }), fact('dependency', cart, { on: 'Deployment/shop/payments' })];
    const findings = [
      finding('containers/cause', db),
      finding('containers/symptom', cart, { kind: 'symptom' }),
      finding('probes/symptom', web, { kind: 'symptom' }),
    ];
    expect(explained(findings, facts)['containers/cause']).toEqual(['probes/symptom']);
    const both = [
      finding('containers/cause', db, { affected: [cart] }),
      finding('containers/symptom', web, { kind: 'symptom', affected: [{ ...web, name: 'search' }] }),
    ];
    expect(explained(both, [fact('dependency', { ...web, name: 'mail' }, { on: 'StatefulSet/shop/db' })])['containers/cause']).toEqual([]);
  });

  it.each([
    [true, ['containers/symptom']],
    [false, []],
  ])('is a symptom of another container where that one was seen to call it: %s', (called, symptoms) => {
    const of = (one: Finding, container: string): Finding => ({ ...one, params: { container } });
    const findings = [of(finding('probes/cause', db), 'db'), of(finding('containers/symptom', web, { kind: 'symptom' }), 'till')];
    const facts = [fact('dependency', web, { on: 'StatefulSet/shop/db', container: 'till', called })];
    expect(explained(findings, facts)['probes/cause']).toEqual(symptoms);
  });

  it('is by one side only where two rules name each other', () => {
    const findings = [finding('volumes/b', web, { explains: ['volumes/a'] }), finding('volumes/a', web, { explains: ['volumes/b'] })];
    expect(explained(findings)).toEqual({ 'volumes/a': ['volumes/b'], 'volumes/b': [] });
  });

  it('comes to an end where two workloads depend on each other', () => {
    const facts = [fact('dependency', web, { on: 'StatefulSet/shop/db' }), fact('dependency', db, { on: 'Deployment/shop/web' })];
    expect(
      explained([finding('containers/cause', db), finding('containers/symptom', web, { kind: 'symptom' })], facts)['containers/cause'],
    ).toEqual(['containers/symptom']);
  });

  it('reaches callers however far off, but from trouble of traffic only those that its rule names', () => {
    const facts = [fact('backend', pod('db-0'), { service: 'db' }, db), fact('dependency', web, { on: 'Service/shop/db' })];
    const crash = finding('containers/symptom', web, { kind: 'symptom' });
    expect(explained([finding('containers/cause', db), crash], facts)['containers/cause']).toEqual(['containers/symptom']);
    expect(explained([finding('traffic/cause', db), crash], facts)['traffic/cause']).toEqual([]);
    expect(explained([finding('traffic/cause', db, { explains: ['containers/symptom'] }), crash], facts)['traffic/cause']).toEqual([
      'containers/symptom',
    ]);
  });
});
