import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { frontState, pendingSeconds } from '../../../src/collect/serving/load-balancers.ts';
import { ago, NOW, objectOf } from '../../support/collected.ts';

function waits(spec: JsonObject, ingress: readonly JsonObject[] = [], created = ago(90)): number | undefined {
  return pendingSeconds(objectOf('Service', 'web', { spec, status: { loadBalancer: { ingress } } }, { creationTimestamp: created }), NOW);
}

const BALANCER = { type: 'LoadBalancer' };

it('a Service waits for its load balancer since it was created, until that has an address', () => {
  expect([waits(BALANCER), waits(BALANCER, [], ago(-5)), waits(BALANCER, [{ ip: '192.0.2.1' }])]).toEqual([90, 0, undefined]);
  expect([waits({ type: 'NodePort' }), waits({}), waits(BALANCER, [], 'unknown')]).toEqual([undefined, undefined, undefined]);
});

it('a Service without an external address is unhealthy after two minutes', () => {
  expect([undefined, 119, 120].map((seconds) => frontState(seconds))).toEqual([
    { state: 'healthy' },
    { state: 'healthy' },
    { state: 'unhealthy', reason: 'no external address' },
  ]);
});
