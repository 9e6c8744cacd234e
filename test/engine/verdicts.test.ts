import { describe, expect, it } from 'vitest';
import { verdicts } from '../../src/engine/verdicts.ts';
import type { Finding, StageVerdict, Target } from '../../src/model/diagnosis.ts';
import type { Fact, Scalar } from '../../src/model/fact.ts';
import { fact, pod, rule } from '../support/facts.ts';

const web = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const TARGET: Target = { ref: web, state: 'unhealthy', members: [pod('web-1'), pod('web-2')] };

function milestone(
  stage: string,
  state: string,
  more: { readonly pod?: string; readonly reason?: string; readonly at?: number } = {},
): Fact {
  const fields: Record<string, Scalar> = { stage, state, ...(more.reason === undefined ? {} : { reason: more.reason }) };
  return {
    ...fact('milestone', more.pod === '' ? web : pod(more.pod ?? 'web-1'), fields),
    ...(more.at === undefined ? {} : { at: more.at }),
  };
}

function finding(id: string): Finding {
  return {
    rule: rule({ id, all: [{ fact: 'reference', where: { exists: false } }] }),
    object: web,
    params: {},
    facts: [],
    support: [],
    affected: [],
  };
}

function stage(id: string, facts: readonly Fact[], ranked: readonly Finding[] = []): StageVerdict | undefined {
  return verdicts({ at: 0, facts, gaps: [], targets: [TARGET] }, TARGET, ranked).find((one) => one.id === id);
}

describe('the verdict on a stage', () => {
  it('is passed with the time it was passed at, and otherwise has the reason', () => {
    const facts = [
      milestone('scheduling', 'passed', { at: 7, reason: 'never said' }),
      milestone('volumes', 'waiting', { at: 9, reason: 'ContainerCreating' }),
    ];
    expect(stage('scheduling', facts)).toEqual({ id: 'scheduling', verdict: 'passed', at: 7 });
    expect(stage('volumes', facts)).toEqual({ id: 'volumes', verdict: 'waiting', reason: 'ContainerCreating' });
  });

  it('is blocked by what failed as by a cause, and what lies behind is not reached, without a reason', () => {
    for (const [facts, ranked] of [
      [[milestone('images', 'failed', { reason: 'ErrImagePull' })], []],
      [[], [finding('images/cause')]],
    ] as const) {
      expect(stage('images', facts, ranked)?.verdict).toBe('blocked');
      expect(stage('containers', facts, ranked)).toEqual({ id: 'containers', verdict: 'not-reached' });
    }
    expect(stage('images', [milestone('images', 'failed', { reason: 'ErrImagePull' })], [finding('images/cause')])?.reason).toBe('Title');
  });

  it('is of the first cause only: a further candidate blocks no stage that was passed', () => {
    const facts = [milestone('images', 'passed')];
    expect(stage('images', facts, [finding('containers/first'), finding('images/candidate')])?.verdict).toBe('passed');
  });

  it('is passed where a later stage was passed, waits where that is seen, and is unknown where nothing is', () => {
    const facts = [milestone('sandbox', 'passed'), milestone('volumes', 'waiting', { reason: 'late' })];
    expect([stage('scheduling', facts)?.verdict, stage('volumes', facts)?.verdict, stage('probes', [])?.verdict]).toEqual([
      'passed',
      'waiting',
      'unknown',
    ]);
  });

  it('is not reached where the object has no need of it, nor of what lies behind, with the reason of that', () => {
    const facts = [milestone('containers', 'passed'), milestone('probes', 'not-needed', { reason: 'its containers have ended' })];
    expect(['probes', 'endpoints', 'traffic'].map((id) => stage(id, facts))).toEqual(
      ['probes', 'endpoints', 'traffic'].map((id) => ({ id, verdict: 'not-reached', reason: 'its containers have ended' })),
    );
    expect(stage('kubelet', [milestone('kubelet', 'not-needed', { reason: 'none' }), milestone('images', 'passed')])).toEqual({
      id: 'kubelet',
      verdict: 'passed',
    });
  });

  it('is that of the worst where the controller and its least advanced pod both tell of it', () => {
    const waiting = milestone('controllers', 'waiting', { pod: '', reason: '1 of 2 pods exist' });
    for (const facts of [
      [waiting, milestone('controllers', 'passed')],
      [milestone('controllers', 'passed'), waiting],
      [milestone('controllers', 'passed', { pod: '' }), milestone('controllers', 'waiting')],
    ])
      expect(stage('controllers', facts)?.verdict).toBe('waiting');
    for (const [own, of] of [
      ['failed', 'waiting'],
      ['waiting', 'failed'],
    ] as const)
      expect(stage('images', [milestone('images', own), milestone('images', of, { pod: '' })])?.verdict).toBe('blocked');
  });

  it('is of the pod that is least far, in whatever order pods come', () => {
    const facts = [
      milestone('probes', 'passed'),
      milestone('scheduling', 'passed', { pod: 'web-2' }),
      milestone('volumes', 'waiting', { pod: 'web-2' }),
    ];
    for (const order of [facts, facts.toReversed()]) expect(stage('probes', order)?.verdict).toBe('not-reached');
  });

  it('is passed at every stage before the one that refuses a request, and unknown before a cause that refuses none', () => {
    const before = (cause: string): readonly unknown[] =>
      ['apply', 'authentication', 'authorization', 'mutating-admission'].map((id) => stage(id, [], [finding(cause)])?.verdict);
    expect(before('authorization/cause')).toEqual(['passed', 'passed', 'blocked', 'not-reached']);
    expect(before('persistence/cause')).toEqual(['passed', 'passed', 'passed', 'passed']);
    expect(before('controllers/cause')).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  });

  it('says nothing of objects that are not part of the target', () => {
    expect(stage('images', [milestone('images', 'failed', { pod: 'cart-1' })])?.verdict).toBe('unknown');
  });
});
