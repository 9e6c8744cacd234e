import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { collected, objectOf } from '../../../support/collected.ts';

/** What a LimitRange has against a Deployment without pods whose container has these resources. */
async function refusals(limit: JsonObject, resources: JsonObject): Promise<readonly unknown[]> {
  const facts = await collected('refusal', [
    objectOf('LimitRange', 'limits', { spec: { limits: [{ type: 'Container', ...limit }] } }),
    objectOf('Deployment', 'web', {
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'web', image: 'a', resources }] } },
      },
      status: {},
    }),
  ]);
  return facts.map(({ reason, resource, wanted, value, message }) => [reason, resource, wanted, value, message]);
}

const VIOLATED = 'limit-range-violated';

describe('a LimitRange', () => {
  it('forbids a limit above its maximum, and allows one that reaches it', async () => {
    expect(await refusals({ max: { memory: '1Gi' } }, { limits: { memory: '2Gi' } })).toEqual([
      [VIOLATED, 'memory', '1Gi', '2Gi', 'container web: maximum memory usage per Container is 1Gi, but limit is 2Gi'],
    ]);
    expect(await refusals({ max: { memory: '1Gi' } }, { limits: { memory: '1024Mi' } })).toEqual([]);
  });

  it('forbids a request below its minimum, and allows one that reaches it', async () => {
    expect(await refusals({ min: { cpu: '100m' } }, { requests: { cpu: '50m' } })).toEqual([
      [VIOLATED, 'cpu', '100m', '50m', 'container web: minimum cpu usage per Container is 100m, but request is 50m'],
    ]);
    expect(await refusals({ min: { cpu: '100m' } }, { requests: { cpu: '0.1' } })).toEqual([]);
  });

  it('wants an amount where neither the container nor its default gives one', async () => {
    expect(await refusals({ max: { cpu: '1' } }, {})).toEqual([
      [VIOLATED, 'cpu', '1', undefined, 'container web: maximum cpu usage per Container is 1.  No limit is specified'],
    ]);
    expect(await refusals({ min: { cpu: '1' } }, {})).toEqual([
      [VIOLATED, 'cpu', '1', undefined, 'container web: minimum cpu usage per Container is 1.  No request is specified'],
    ]);
    expect(await refusals({ max: { cpu: '1' }, default: { cpu: '1' } }, {})).toEqual([]);
    expect(await refusals({ max: { cpu: '1' }, default: { cpu: '2' } }, {})).toMatchObject([{ 2: '1', 3: '2' }]);
    expect(await refusals({ min: { cpu: '1' }, defaultRequest: { cpu: '2' } }, {})).toEqual([]);
  });

  it('takes the limit for the request where that is not given', async () => {
    expect(await refusals({ min: { cpu: '1' }, defaultRequest: { cpu: '2' } }, { limits: { cpu: '500m' } })).toMatchObject([
      { 2: '1', 3: '500m' },
    ]);
    expect(await refusals({ min: { cpu: '1' } }, { limits: { cpu: '500m' }, requests: { cpu: '1' } })).toEqual([]);
  });

  it('has nothing against containers where it is about pods', async () => {
    expect(await refusals({ type: 'Pod', max: { cpu: '1' } }, { limits: { cpu: '2' } })).toEqual([]);
  });
});
