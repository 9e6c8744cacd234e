import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { judgeAnswer } from '../../src/drill/answer.ts';
import type { Cause } from '../../src/model/diagnosis.ts';

const rules = await shippedRules();

describe('an answer', () => {
  it.each([
    ['configmap-not-found in the volume', 'volumes/configmap-not-found'],
    ['the config map web-settings is missing', 'volumes/configmap-not-found'],
    ['wrong image tag, the registry has no such image', 'images/image-not-found'],
    ['the registry refuses the login', 'images/pull-access-denied'],
    ['the registry refuses access', 'images/pull-access-denied'],
    ['a dependency refuses our credentials', 'containers/dependency-credentials-rejected'],
    ['the webhook refused it', 'validating-admission/webhook-denied'],
    ['there is no such claim', 'scheduling/claim-not-found'],
    ['out of memory', 'containers/oom-killed'],
    ['the quota is full', 'validating-admission/quota-exceeded'],
    ['the admission webhook refuses the pods', 'validating-admission/webhook-denied'],
    ['there is no such service account', 'mutating-admission/service-account-not-found'],
    ['the node has a taint', 'scheduling/untolerated-taint'],
    ['not enough memory on the nodes', 'scheduling/insufficient-resource'],
    ['the certificate of the scheduler has ended', 'scheduling/scheduler-certificate-invalid'],
    ['network policy blocks everybody', 'traffic/network-policy-denies-all'],
    ['the selector of the service matches no pod', 'endpoints/selector-matches-no-pod'],
  ])('%s means %s', (words, rule) => {
    expect(judgeAnswer(words, [causeOf(rule)], rules)).toMatchObject({ verdict: 'right', rule });
  });

  it('is wrong when it clearly means something else', () => {
    expect(judgeAnswer('images/image-not-found', [causeOf('volumes/configmap-not-found')], rules)).toEqual({
      verdict: 'wrong',
      rule: 'images/image-not-found',
    });
    expect(judgeAnswer('the image does not exist in the registry', [causeOf('volumes/configmap-not-found')], rules).verdict).not.toBe(
      'right',
    );
  });

  it('is asked for again when it says nothing', () => {
    expect(judgeAnswer('it is broken', [causeOf('volumes/configmap-not-found')], rules)).toEqual({ verdict: 'unclear', near: [] });
    expect(judgeAnswer('volumes/configmap-not-fond', [causeOf('volumes/configmap-not-found')], rules)).toMatchObject({
      verdict: 'unclear',
      near: expect.arrayContaining(['volumes/configmap-not-found']) as unknown,
    });
  });
});

function causeOf(id: string): Cause {
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  return {
    rank: 1,
    rule: id,
    stage: rule.stage,
    title: rule.title,
    object: { kind: 'ConfigMap', namespace: 'shop', name: 'web-settings' },
    params: {},
    what: rule.what,
    why: rule.why,
    fix: rule.fix,
    evidence: [],
    affected: [],
    explains: [],
    references: [],
  };
}
