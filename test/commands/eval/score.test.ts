import { describe, expect, it } from 'vitest';
import type { JudgedCase, Label } from '../../../src/commands/eval/score.ts';
import { scoreCase, scoreCases } from '../../../src/commands/eval/score.ts';
import { isRightObject } from '../../../src/commands/eval/right-object.ts';
import type { ScoredCause } from '../../../src/commands/eval/scored-cause.ts';
import { parseRef } from '../../../src/model/kube-object.ts';

function cause(
  rule: string,
  object: string,
  more: { readonly workload?: string; readonly params?: ScoredCause['params']; readonly evidence?: ScoredCause['evidence'] } = {},
): ScoredCause {
  const [ref, workload] = [parseRef(object), parseRef(more.workload ?? '')];
  if (ref === undefined) throw new Error(object);
  return {
    rule,
    object: ref,
    ...(workload === undefined ? {} : { workload }),
    params: more.params ?? {},
    evidence: more.evidence ?? [],
    affected: [],
  };
}

const WEB = { kind: 'Pod', namespace: 'shop', name: 'web-1' };

const MISSING: Label = { kind: 'rule', rules: ['volumes/configmap-not-found', 'containers/configmap-not-found'], params: {} };

function judged(causes: readonly ScoredCause[], label: Label = MISSING, object?: string, name = 'case-1'): JudgedCase {
  return { case: name, expected: { rootCause: 'configmap-not-found', ...(object === undefined ? {} : { object }) }, label, causes };
}

const right = cause('volumes/configmap-not-found', 'ConfigMap/shop/web-config');
const wrong = cause('images/image-not-found', 'Deployment/shop/web');

describe('a case', () => {
  it('is right by the rank of the first right cause', () => {
    expect(scoreCase(judged([right, wrong]))).toBe('top1');
    expect(scoreCase(judged([wrong, right]))).toBe('top3');
    expect(scoreCase(judged([wrong, wrong, right]))).toBe('top3');
    expect(scoreCase(judged([wrong, wrong, wrong, right]))).toBe('miss');
    expect(scoreCase(judged([]))).toBe('miss');
  });

  it('is right by any of the rules of its label', () => {
    expect(scoreCase(judged([cause('containers/configmap-not-found', 'ConfigMap/shop/web-config')]))).toBe('top1');
    expect(scoreCase(judged([cause('containers/configmap-key-not-found', 'ConfigMap/shop/web-config')]))).toBe('miss');
  });

  it('needs the parameters of its label', () => {
    const label: Label = { kind: 'rule', rules: ['validating-admission/quota-exceeded'], params: { resource: 'cpu', used: '4' } };
    const quota = (params: ScoredCause['params']): ScoredCause =>
      cause('validating-admission/quota-exceeded', 'ResourceQuota/shop/team', { params });
    expect(scoreCase(judged([quota({ resource: 'cpu', used: 4, limit: 5 })], label))).toBe('top1');
    expect(scoreCase(judged([quota({ resource: 'memory', used: 4 })], label))).toBe('miss');
    expect(scoreCase(judged([quota({ resource: 'cpu' })], label))).toBe('miss');
  });

  it('needs the right object, if one is expected', () => {
    expect(scoreCase(judged([right], MISSING, 'ConfigMap/web-config'))).toBe('top1');
    expect(scoreCase(judged([right], MISSING, 'ConfigMap/cart-config'))).toBe('miss');
    expect(
      scoreCase(judged([cause('volumes/configmap-not-found', 'ConfigMap/shop/cart-config'), right], MISSING, 'ConfigMap/web-config')),
    ).toBe('top3');
  });

  it('where nothing is wrong must have no cause at all', () => {
    expect(scoreCase(judged([], { kind: 'none' }))).toBe('top1');
    expect(scoreCase(judged([right], { kind: 'none' }))).toBe('miss');
    expect(scoreCase({ ...judged([], { kind: 'none' }), causes: undefined })).toBe('miss');
  });

  it('outside of what podcheck looks at is not judged', () => expect(scoreCase(judged([right], { kind: 'outside' }))).toBe('outside'));
});

describe('the right object', () => {
  const about = (object: string, expected: string, more: Parameters<typeof cause>[2] = {}): boolean =>
    isRightObject(cause('x/y', object, more), expected);

  it('of app/NAME is a Service, Deployment or StatefulSet of that name, or one that the object belongs to', () => {
    expect(about('Deployment/shop/web', 'app/web')).toBe(true);
    expect(about('Service/shop/web', 'app/web')).toBe(true);
    expect(about('StatefulSet/shop/db', 'app/db')).toBe(true);
    expect(about('Pod/shop/web-1', 'app/web', { workload: 'Deployment/shop/web' })).toBe(true);
    expect(about('ConfigMap/shop/web-config', 'app/web', { workload: 'Deployment/shop/web' })).toBe(true);
    expect(about('ConfigMap/shop/web', 'app/web')).toBe(false);
    expect(about('Pod/shop/web', 'app/web')).toBe(false);
    expect(about('Deployment/shop/cart', 'app/web')).toBe(false);
  });

  it('of node/NAME is the Node', () => {
    expect(about('Node/worker-1', 'node/worker-1')).toBe(true);
    expect(about('Pod/shop/worker-1', 'node/worker-1')).toBe(false);
    expect(about('Node/worker-2', 'node/worker-1')).toBe(false);
  });

  it('of namespace/NAME is the Namespace or a quota in it', () => {
    expect(about('Namespace/shop', 'namespace/shop')).toBe(true);
    expect(about('ResourceQuota/shop/team', 'namespace/shop')).toBe(true);
    expect(about('ResourceQuota/staging/team', 'namespace/shop')).toBe(false);
    expect(about('Deployment/shop/web', 'namespace/shop')).toBe(false);
  });

  it('of Kind/NAME is that object, not its workload or its pods', () => {
    expect(about('Deployment/shop/web', 'Deployment/web')).toBe(true);
    expect(about('Service/shop/web', 'Deployment/web')).toBe(false);
    expect(
      about('Pod/shop/web-1', 'Deployment/web', {
        workload: 'Deployment/shop/web',
        evidence: [{ about: WEB, source: 'Pod shop/web-1', quote: 'owned by Deployment web' }],
      }),
    ).toBe(false);
  });

  it('of Kind/NAME may be named in the evidence when the cause is a reference or a claim', () => {
    const evidence = [{ about: WEB, source: 'Pod shop/web-1 spec', quote: 'spec.volumes[0].persistentVolumeClaim.claimName: data-db-0.' }];
    expect(about('Pod/shop/web-1', 'PersistentVolumeClaim/data-db-0', { evidence })).toBe(true);
    expect(about('Pod/shop/web-1', 'PersistentVolumeClaim/data-db', { evidence })).toBe(false);
    expect(about('Pod/shop/web-1', 'Secret/data-db-0', { evidence })).toBe(false);
    expect(
      about('ConfigMap/shop/web-config', 'Pod/web-1', {
        evidence: [{ about: WEB, source: 'event on Pod/shop/web-1', quote: 'configmap "web-config" not found' }],
      }),
    ).toBe(true);
    expect(
      about('Lease/kube-system/kube-scheduler', 'Pod/web-1', {
        evidence: [{ about: WEB, source: 'Pod shop/web-1 status', quote: 'Pending' }],
      }),
    ).toBe(false);
    expect(
      about('Deployment/shop/web', 'ValidatingWebhookConfiguration/policy', {
        evidence: [{ about: WEB, source: 'event', quote: 'failed calling webhook "policy.shop.example" of policy' }],
      }),
    ).toBe(true);
  });
});

describe('all cases together', () => {
  const score = scoreCases([
    judged([right], MISSING, undefined, 'a'),
    judged([wrong, right], MISSING, 'ConfigMap/web-config', 'b'),
    { case: 'c', expected: { rootCause: 'none' }, label: { kind: 'none' }, causes: [] },
    { case: 'd', expected: { rootCause: 'none' }, label: { kind: 'none' }, causes: [wrong] },
    { case: 'e', expected: { rootCause: 'node-slow' }, label: { kind: 'outside' }, causes: [wrong] },
    judged([], MISSING, undefined, 'f'),
  ]);

  it('are counted, with shares of those that are not outside', () => {
    expect(score).toMatchObject({ cases: 6, scored: 5, outside: 1, top1: 2 / 5, top3: 3 / 5 });
    expect(score.perLabel).toEqual({ 'configmap-not-found': { cases: 3, top1: 1 / 3 }, none: { cases: 2, top1: 1 / 2 } });
  });

  it('have every miss named, with what was expected and what came first', () => {
    expect(score.misses).toEqual([
      {
        case: 'b',
        expected: {
          rootCause: 'configmap-not-found',
          rules: ['volumes/configmap-not-found', 'containers/configmap-not-found'],
          object: 'ConfigMap/web-config',
        },
        got: { rule: 'images/image-not-found', object: 'Deployment/shop/web' },
      },
      { case: 'd', expected: { rootCause: 'none', rules: [] }, got: { rule: 'images/image-not-found', object: 'Deployment/shop/web' } },
      {
        case: 'f',
        expected: { rootCause: 'configmap-not-found', rules: ['volumes/configmap-not-found', 'containers/configmap-not-found'] },
        got: null,
      },
    ]);
  });

  it('may be none', () => expect(scoreCases([])).toEqual({ cases: 0, scored: 0, outside: 0, top1: 0, top3: 0, perLabel: {}, misses: [] }));
});
