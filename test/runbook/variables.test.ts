import { describe, expect, it } from 'vitest';
import type { Cause, Diagnosis, Evidence } from '../../src/model/diagnosis.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { fillBody, missing, objectOf, variablesOfDiagnosis, variablesOfTarget } from '../../src/runbook/variables.ts';
import { CAUSE, STOPPED } from '../support/diagnoses.ts';

const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };

function pod(name: string): ObjectRef {
  return { kind: 'Pod', namespace: 'shop', name };
}

function evidence(...pods: readonly (readonly [name: string, ready: boolean, node?: string])[]): Evidence {
  return {
    at: 0,
    gaps: [],
    targets: [{ ref: WEB, members: pods.map(([name]) => pod(name)) }],
    facts: pods.map(([name, ready, node]) => ({
      kind: 'pod',
      about: pod(name),
      fields: { ready, ...(node === undefined ? {} : { node }) },
      quote: '',
    })),
  } as unknown as Evidence;
}

function of(more: Partial<Cause>, seen: Evidence = evidence()): Readonly<Record<string, unknown>> {
  const diagnosis: Diagnosis = { ...STOPPED, target: WEB, outcome: 'explained', causes: [{ ...CAUSE, ...more }] };
  return variablesOfDiagnosis(diagnosis, seen);
}

describe('variables of a target', () => {
  it.each<readonly [ObjectRef, object]>([
    [WEB, { target: 'Deployment/shop/web', kind: 'Deployment', name: 'web', namespace: 'shop', workload: 'Deployment/web' }],
    [pod('web-1'), { target: 'Pod/shop/web-1', kind: 'Pod', name: 'web-1', namespace: 'shop', workload: 'Pod/web-1', pod: 'web-1' }],
    [
      { kind: 'Node', name: 'worker-1' },
      { target: 'Node/worker-1', kind: 'Node', name: 'worker-1', workload: 'Node/worker-1', node: 'worker-1' },
    ],
  ])('%j', (target, expected) => {
    expect(variablesOfTarget(target)).toEqual(expected);
  });
});

describe('variables of a diagnosis', () => {
  it('are its outcome and its first cause with the object at fault', () => {
    const object = { kind: 'ConfigMap', namespace: 'shop', name: 'prices' };
    expect(of({ rule: 'volumes/gone', object, params: { container: 'log' } })).toMatchObject({
      outcome: 'explained',
      cause: 'volumes/gone',
      object: 'ConfigMap/shop/prices',
      objectKind: 'ConfigMap',
      objectName: 'prices',
      container: 'log',
    });
  });

  it('name the pod of the cause, else one that is not ready, else any, and its node', () => {
    const seen = evidence(['web-1', true, 'worker-1'], ['web-2', false, 'worker-2'], ['web-3', true, '']);
    expect(of({ params: { pod: 'web-3' } }, seen)).toMatchObject({ pod: 'web-3' });
    expect(of({ params: { pod: 'web-3' } }, seen)).not.toHaveProperty('node');
    expect(of({ params: {} }, seen)).toMatchObject({ pod: 'web-2', node: 'worker-2' });
    expect(of({ params: {} }, evidence(['web-1', true, 'worker-1']))).toMatchObject({ pod: 'web-1', node: 'worker-1' });
    expect(of({ params: {} })).not.toHaveProperty('pod');
  });

  it('have the namespace of the object at fault where the target has none', () => {
    const causes = [{ ...CAUSE, object: { kind: 'Pod', namespace: 'till', name: 'a' } }];
    const node = { kind: 'Node', name: 'worker-1' };
    expect(variablesOfDiagnosis({ ...STOPPED, target: node, causes }, evidence())).toMatchObject({ namespace: 'till' });
    expect(variablesOfDiagnosis({ ...STOPPED, target: WEB, causes }, evidence())).not.toHaveProperty('namespace');
  });

  it.each<readonly [string, Cause['fix'], string]>([
    ['one command', [{ say: 'Do it.', run: 'kubectl cordon a' }], 'kubectl cordon a'],
    [
      'one command after a look',
      [
        { say: 'Look.', run: 'kubectl -n shop get pods | grep web' },
        { say: 'Do it.', run: 'kubectl cordon a' },
      ],
      'kubectl cordon a',
    ],
    ['looks joined', [{ say: 'Look.', run: 'kubectl get pods; kubectl logs a && kubectl describe pod a' }], ''],
    ['a look with a filter that writes', [{ say: 'Look.', run: 'kubectl get pods | tee a' }], 'kubectl get pods | tee a'],
    [
      'two commands',
      [
        { say: 'A.', run: 'kubectl cordon a' },
        { say: 'B.', run: 'kubectl drain a' },
      ],
      '',
    ],
    [
      'another way besides',
      [
        { say: 'A.', run: 'kubectl cordon a' },
        { say: 'Or drain it.', run: 'kubectl drain a' },
      ],
      'kubectl cordon a',
    ],
    ['a condition first', [{ say: 'If it is full.', run: 'kubectl cordon a' }], 'kubectl cordon a'],
    [
      'another condition',
      [
        { say: 'A.', run: 'kubectl cordon a' },
        { say: 'If it is full.', run: 'b' },
        { say: 'C.', run: 'c' },
      ],
      'kubectl cordon a',
    ],
    [
      'somebody else first',
      [
        { say: 'A.', by: 'developer' },
        { say: 'B.', run: 'kubectl cordon a' },
      ],
      '',
    ],
    ['no command', [{ say: 'Think.' }], ''],
  ])('have the fix that is %s', (_, fix, expected) => {
    expect(of({ fix })['fix']).toBe(expected);
  });
});

describe('a template', () => {
  it('lacks each variable that has no value, once', () => {
    expect(missing({ a: '{{ x }} {{ y }}', b: ['{{ x }}'] }, { y: 1 })).toEqual(['x']);
    expect(missing(undefined, {})).toEqual([]);
  });

  it('becomes the value where it is one variable, and a text where it is more', () => {
    const values = { count: 3, open: false, name: 'web' };
    expect(fillBody({ '{{ name }}': ['{{ count }}', '{{open}}', 'x{{ count }}', 5, null] }, values)).toEqual({
      web: [3, false, 'x3', 5, null],
    });
  });

  it('names an object in the namespace of the target, unless it says another or the kind has none', () => {
    const isNamespaced = (kind: string): boolean => kind !== 'Node';
    expect(objectOf('Pod/{{ name }}', { name: 'a', namespace: 'shop' }, isNamespaced)).toEqual({
      kind: 'Pod',
      namespace: 'shop',
      name: 'a',
    });
    expect(objectOf('Pod/till/a', { namespace: 'shop' }, isNamespaced)).toEqual({ kind: 'Pod', namespace: 'till', name: 'a' });
    expect(objectOf('Pod/a', {}, isNamespaced)).toEqual({ kind: 'Pod', name: 'a' });
    expect(objectOf('Node/a', { namespace: 'shop' }, isNamespaced)).toEqual({ kind: 'Node', name: 'a' });
    expect(objectOf('a', { namespace: 'shop' }, isNamespaced)).toBeUndefined();
  });
});
