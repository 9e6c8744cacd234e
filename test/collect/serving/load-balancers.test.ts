import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { frontState } from '../../../src/collect/serving/load-balancers.ts';
import { ago, collected, eventOn, objectOf } from '../../support/collected.ts';

async function waits(
  spec: JsonObject,
  { ingress = [], created = ago(90), toldBefore }: { ingress?: readonly JsonObject[]; created?: string; toldBefore?: number } = {},
): Promise<unknown> {
  const service = objectOf('Service', 'web', { spec, status: { loadBalancer: { ingress } } }, { creationTimestamp: created });
  const events = toldBefore === undefined ? [] : [eventOn(service, 'EnsuringLoadBalancer', 'Ensuring load balancer', toldBefore)];
  const [fact] = await collected('service', [service, ...events]);
  return fact?.['pendingSeconds'];
}

const BALANCER = { type: 'LoadBalancer' };

it('a Service waits for its load balancer since it was created, until that has an address', async () => {
  expect([await waits(BALANCER), await waits(BALANCER, { created: ago(-5) })]).toEqual([90, 0]);
  expect(await waits(BALANCER, { ingress: [{ ip: '192.0.2.1' }] })).toBeUndefined();
  expect([await waits({ type: 'NodePort' }), await waits({})]).toEqual([undefined, undefined]);
});

it('a Service whose creation was not seen has waited since the first event about it', async () => {
  expect(await waits(BALANCER, { created: 'unknown', toldBefore: 300 })).toBe(300);
  expect(await waits(BALANCER, { created: 'unknown' })).toBeUndefined();
});

it('a Service without an external address is unhealthy after two minutes', () => {
  expect([undefined, 119, 120].map((seconds) => frontState(seconds))).toEqual([
    { state: 'healthy' },
    { state: 'healthy' },
    { state: 'unhealthy', reason: 'no external address' },
  ]);
});
