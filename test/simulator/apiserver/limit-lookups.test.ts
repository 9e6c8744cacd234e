import { expect, test } from 'vitest';
import { LimitLookups } from '../../../src/simulator/apiserver/admission/limit-lookups.ts';
import { Store } from '../../../src/simulator/store/store.ts';
import { TIMING } from '../../../src/simulator/time/timing.ts';

const LOOKUP = TIMING.limitLookupMilliseconds;

function server() {
  const clock = { now: 1000 };
  const now = (): number => clock.now;
  const store = new Store({ now, freeze: true });
  const lookups = new LimitLookups(store, now);
  const make = (resource: string, namespace = 'shop', verb: 'create' | 'update' = 'create', subresource?: string): number =>
    lookups.before({ verb, group: '', version: 'v1', resource, namespace, ...(subresource === undefined ? {} : { subresource }) });
  return { clock, store, make };
}

test('the first pod or claim of a namespace waits for its limits to be listed, and others for half a minute no more', () => {
  const { clock, make } = server();
  expect(make('configmaps')).toBe(0);
  expect(make('pods', 'shop', 'create', 'binding')).toBe(0);
  expect(make('pods', 'shop', 'update')).toBe(0);
  expect(make('pods')).toBe(LOOKUP);
  clock.now += 1;
  expect(make('persistentvolumeclaims'), 'it waits for the same list').toBe(LOOKUP - 1);
  expect(make('pods', 'office')).toBe(LOOKUP);
  clock.now += 29_000;
  expect(make('pods')).toBe(0);
  clock.now += 1000;
  expect(make('pods')).toBe(LOOKUP);
});

test('limits that there are stand in the cache', () => {
  const { store, make } = server();
  store.create('limitranges', { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'limits', namespace: 'shop' } });
  expect(make('pods')).toBe(0);
  expect(make('pods', 'office')).toBe(LOOKUP);
});
