import { describe, expect, it } from 'vitest';
import { FactIndex } from '../../src/engine/fact-index.ts';
import { judge } from '../../src/engine/findings.ts';
import type { Finding } from '../../src/model/diagnosis.ts';
import type { Fact } from '../../src/model/fact.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import { fact, pod, rule } from '../support/facts.ts';

const [web, cart] = [
  { kind: 'Deployment', namespace: 'shop', name: 'web' },
  { kind: 'Deployment', namespace: 'shop', name: 'cart' },
];
const all = [{ fact: 'reference', where: { refName: '$name', exists: false } }];

function findings(object: string | undefined, facts: readonly Fact[]): readonly Finding[] {
  return judge([rule({ all, ...(object === undefined ? {} : { object }) })], new FactIndex(facts, [])).findings;
}

function objects(object: string | undefined, facts: readonly Fact[]): readonly string[] {
  return findings(object, facts).map((finding) => formatRef(finding.object));
}

const MISSING = fact('reference', pod('web-1'), { refName: 'settings', exists: false }, web);

describe('the object of a finding', () => {
  it('is what the rule names, in the namespace of what was seen, or in the one it names', () => {
    expect(objects('ConfigMap/{{ name }}', [MISSING])).toEqual(['ConfigMap/shop/settings']);
    expect(objects('ConfigMap/bank/{{ name }}', [MISSING])).toEqual(['ConfigMap/bank/settings']);
  });

  it('has no namespace where its kind has none, or stands for what is outside of every namespace', () => {
    expect(objects('StorageClass/{{ name }}', [MISSING])).toEqual(['StorageClass/settings']);
    expect(objects('User/{{ name }}', [MISSING])).toEqual(['User/settings']);
  });

  it('is the first alternative whose variables all have a value', () => {
    const where = { refName: '$name', exists: false, volume: { maybe: '$volume' } };
    const spoken = rule({
      all: [{ fact: 'reference', where }],
      object: 'PersistentVolume/{{ volume }} | Secret/{{ name }} | ConfigMap/{{ name }}',
    });
    const named = (facts: readonly Fact[]): readonly string[] =>
      judge([spoken], new FactIndex(facts, [])).findings.map((finding) => formatRef(finding.object));
    expect(named([MISSING])).toEqual(['Secret/shop/settings']);
    expect(named([{ ...MISSING, fields: { ...MISSING.fields, volume: 'data' } }])).toEqual(['PersistentVolume/data']);
  });

  it('is the workload of the pod where the rule names none, or the pod itself', () => {
    expect(objects(undefined, [MISSING])).toEqual(['Deployment/shop/web']);
    expect(objects(undefined, [fact('reference', pod('lone'), { refName: 'settings', exists: false })])).toEqual(['Pod/shop/lone']);
  });
});

describe('the workload of a finding', () => {
  const front = fact('reference', { kind: 'Service', namespace: 'shop', name: 'front' }, { refName: 'settings', exists: false });
  const other = fact('reference', pod('cart-1'), { refName: 'settings', exists: false }, cart);

  it('is the only one among what is affected, and none where there are two', () => {
    expect(findings('ConfigMap/{{ name }}', [MISSING, front]).map(({ workload }) => workload)).toEqual([web]);
    expect(findings('ConfigMap/{{ name }}', [front]).map(({ workload }) => workload)).toEqual([undefined]);
    expect(findings('ConfigMap/{{ name }}', [MISSING, other]).map(({ workload }) => workload)).toEqual([undefined]);
  });

  it.each(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob', 'ReplicationController'])('may be a %s', (kind) => {
    const ref = { kind, namespace: 'shop', name: 'report' };
    expect(findings(undefined, [fact('reference', ref, { refName: 'settings', exists: false })]).map(({ workload }) => workload)).toEqual([
      ref,
    ]);
  });

  it('is called the pod where a lone text is all there is', () => {
    const [lone] = findings(undefined, [fact('reference', { kind: 'Text', name: 'line 1' }, { refName: 'settings', exists: false })]);
    expect(lone?.params['workload']).toBe('the pod');
  });

  it('is the object itself where that is one', () => {
    expect(findings(undefined, [MISSING]).map(({ workload }) => workload)).toEqual([web]);
  });
});

describe('a finding', () => {
  const second = fact('reference', pod('web-2'), { refName: 'settings', exists: false }, web);

  it('is told once for one object, with the values of its first match and all that it affects', () => {
    const [found, ...more] = findings('ConfigMap/{{ name }}', [MISSING, second]);
    expect(more).toEqual([]);
    expect(found?.params).toMatchObject({ name: 'settings', namespace: 'shop', pod: 'web-1', workload: 'Deployment/web' });
    expect(found?.facts).toEqual([MISSING, second]);
    expect(found?.affected.map(formatRef).toSorted()).toEqual(['Deployment/shop/web', 'Pod/shop/web-1', 'Pod/shop/web-2']);
  });

  it('has the pod, workload and namespace of the first pattern that has one', () => {
    const joined = rule({
      all: [
        { fact: 'reference', where: { refName: '$name', exists: false } },
        { fact: 'claim-use', where: { claim: '$name' }, scope: 'cluster' },
      ],
    });
    const elsewhere = { kind: 'Pod', namespace: 'bank', name: 'cart-1' };
    const use = fact('claim-use', elsewhere, { claim: 'settings' }, { kind: 'Deployment', namespace: 'bank', name: 'cart' });
    const [found] = judge([joined], new FactIndex([use, MISSING], [])).findings;
    expect(found?.params).toMatchObject({ namespace: 'shop', pod: 'web-1', workload: 'Deployment/web' });
    const lone = fact('reference', { kind: 'Node', name: 'worker-1' }, { refName: 'settings', exists: false });
    const [other] = judge([joined], new FactIndex([use, lone], [])).findings;
    expect(other?.params).toMatchObject({ namespace: 'bank', pod: 'cart-1', workload: 'Deployment/cart' });
  });

  it('knows the revision that its workload may be rolled back to', () => {
    const revision = (of: ObjectRef, ...facts: readonly Fact[]): unknown =>
      findings('ConfigMap/{{ name }}', [MISSING, fact('workload', of, { earlierRevision: 3 }), ...facts])[0]?.params['earlierRevision'];
    expect([revision(web), revision(cart)]).toEqual([3, undefined]);
    expect(revision(web, { ...MISSING, about: pod('cart-1'), workload: cart })).toBeUndefined();
  });

  it('knows whether its container is one of the initContainers', () => {
    const exits = rule({ all: [{ fact: 'exit', where: { container: '$container' } }] });
    const known = (...facts: readonly Fact[]): unknown =>
      judge([exits], new FactIndex([fact('exit', pod('web-1'), { container: 'proxy' }, web), ...facts], [])).findings[0]?.params[
        'initContainer'
      ];
    const container = (name: string, role: string, of = pod('web-1')): Fact => fact('container', of, { container: name, role });
    expect([known(), known(container('proxy', 'main')), known(container('proxy', 'sidecar')), known(container('proxy', 'init'))]).toEqual([
      undefined,
      undefined,
      true,
      true,
    ]);
    expect(known(container('wait', 'init'), container('proxy', 'init', pod('web-2')))).toBeUndefined();
  });

  it('knows whether the controller of its pod waits for it', () => {
    const held = (...facts: readonly Fact[]): unknown => findings(undefined, [MISSING, ...facts])[0]?.params['heldPod'];
    expect([held(), held(fact('pod', pod('web-1'), { held: 'outdated' })), held(fact('pod', pod('web-2'), { held: 'current' }))]).toEqual([
      undefined,
      'outdated',
      undefined,
    ]);
  });

  it('does not affect its own object', () => {
    expect(findings(undefined, [MISSING]).map(({ affected }) => affected)).toEqual([[pod('web-1')]]);
  });

  it('has a workload where it is about one, or affects just one', () => {
    const other = fact('reference', pod('cart-1'), { refName: 'settings', exists: false }, cart);
    expect(findings('ConfigMap/{{ name }}', [MISSING])[0]?.workload).toEqual(web);
    expect(findings('ConfigMap/{{ name }}', [MISSING, other])[0]?.workload).toBeUndefined();
    expect(findings(undefined, [MISSING, other]).map(({ workload }) => workload?.name)).toEqual(['web', 'cart']);
  });

  it('is one for each object', () => {
    const other = fact('reference', pod('web-1'), { refName: 'colours', exists: false }, web);
    expect(objects('ConfigMap/{{ name }}', [MISSING, other])).toEqual(['ConfigMap/shop/settings', 'ConfigMap/shop/colours']);
  });
});
