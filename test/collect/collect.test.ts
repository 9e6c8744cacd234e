import { describe, expect, it } from 'vitest';
import { ANY_FACT } from '../../src/model/fact.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { answerTo, evidenceOf, NOW, objectOf, podWith } from '../support/collected.ts';

const NEEDY = podWith('web-1', { envFrom: [{ configMapRef: { name: 'web' } }] }, { state: { waiting: { reason: 'ContainerCreating' } } });
const TARGET = { kind: 'Deployment', namespace: 'shop', name: 'web' };

async function gaps(objects: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1]): Promise<readonly string[]> {
  return (await evidenceOf(objects, around)).gaps.map(({ kind, about }) => `${kind} ${about.kind} ${about.name}`);
}

describe('what is collected', () => {
  it('is of the time at which it was read', async () => {
    expect((await evidenceOf([])).at).toBe(NOW);
  });

  it('may lack anything where a read was refused, and nothing where what was read is all', async () => {
    expect(await gaps([NEEDY], { refused: ['ConfigMap'] })).toContain(`${ANY_FACT} ConfigMap *`);
    expect(await gaps([NEEDY], { none: ['ConfigMap'] })).not.toContain(`${ANY_FACT} ConfigMap *`);
  });

  it('has no gap about what was asked for, where the API server refused it', async () => {
    const denied =
      'Error from server (Forbidden): error when creating "web.yaml": deployments.apps "web" is forbidden: admission webhook "a.b" denied the request: no';
    expect(await gaps([], { target: TARGET })).toContain('workload Deployment web');
    expect(await gaps([answerTo('kubectl -n shop apply -f web.yaml', denied)], { target: TARGET })).not.toContain(
      'workload Deployment web',
    );
    const elsewhere = objectOf('Deployment', 'till', {});
    expect(
      await gaps([answerTo('kubectl -n shop apply -f till.yaml', denied.replaceAll('web', 'till')), elsewhere], { target: TARGET }),
    ).toContain('workload Deployment web');
  });
});
