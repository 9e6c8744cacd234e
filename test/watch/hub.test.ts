import { describe, expect, it } from 'vitest';
import type { WatchView } from '../../src/model/watch-change.ts';
import { causesJson } from '../../src/report/watching/causes-json.ts';
import { Hub } from '../../src/watch/hub.ts';
import type { ReadCauses } from '../../src/watch/read-causes.ts';
import { readCauses } from '../../src/watch/read-causes.ts';
import { deployment, diagnosis, pod, replicaSet, START, WatchedShop } from './told.ts';

/** What the watch of a shop serves. */
function causesOf(shop: WatchedShop, complete = true): ReadCauses {
  const { casebook, now } = shop;
  const view: WatchView = {
    at: now,
    scope: 'all namespaces',
    complete,
    objects: 4,
    courses: casebook.courses(),
    past: casebook.past(),
    pending: 0,
    gaps: [{ gap: { verb: 'list', resource: 'jobs.batch', detail: 'forbidden' }, since: now }],
    lagSeconds: 0,
  };
  const read = readCauses(causesJson(view), 'prod');
  expect(read).toBeDefined();
  return read as ReadCauses;
}

function sickShop(): WatchedShop {
  const shop = new WatchedShop();
  shop.see(deployment(0), replicaSet(), pod(1, 'waiting'), pod(2, 'waiting'));
  shop.pass(60);
  return shop;
}

const NOTHING: ReadCauses = { complete: true, objects: 0, pending: 0, courses: [], past: [], gaps: [] };

describe('a hub', () => {
  it('tells the causes of each cluster once, with its name, and when they change and are cured', () => {
    const [hub, shop] = [new Hub(['prod', 'staging'], START), sickShop()];
    const types = (said: readonly ReadCauses[]): readonly string[] => hub.heard('prod', said, shop.now).map(({ type }) => type);
    expect(hub.heard('prod', [causesOf(shop)], shop.now)).toMatchObject([
      { type: 'found', course: { cluster: 'prod', cause: { rule: 'volumes/configmap-not-found', workload: { name: 'web' } } } },
    ]);
    expect(types([causesOf(shop)])).toEqual([]);
    expect(hub.view(shop.now)).toMatchObject({ complete: false, scope: 'clusters prod, staging', objects: 4, courses: [{ pods: 2 }] });
    shop.answer = (ref) => diagnosis(ref, 'explained', 'images/not-found');
    shop.pass(600);
    expect(hub.heard('prod', [causesOf(shop)], shop.now)).toMatchObject([
      { type: 'changed', before: { rule: 'volumes/configmap-not-found' } },
    ]);
    shop.see(deployment(2), pod(1, 'ready'), pod(2, 'ready'));
    shop.pass(60);
    expect(hub.heard('prod', [causesOf(shop)], shop.now)).toMatchObject([{ type: 'cured', course: { cluster: 'prod', ended: 'well' } }]);
    expect(hub.view(shop.now)).toMatchObject({ courses: [], past: [{ cause: { rule: 'images/not-found' } }] });
  });

  it('does not take a cause for cured while a watch is started again or taken over, nor while it does not answer', () => {
    const [hub, shop] = [new Hub(['prod'], START), sickShop()];
    hub.heard('prod', [causesOf(shop), NOTHING], shop.now);
    expect(hub.heard('prod', [{ ...NOTHING, complete: false }], shop.now + 600_000)).toEqual([]);
    expect(hub.heard('prod', [NOTHING], shop.now + 601_000)).toEqual([]);
    expect(hub.heard('prod', [NOTHING], shop.now + 630_000)).toEqual([]);
    expect(hub.heard('prod', [NOTHING, causesOf(shop)], shop.now + 631_000)).toEqual([]);
    expect(hub.failed('prod', 'refused', shop.now + 640_000)).toMatchObject([{ type: 'gap', gap: { cluster: 'prod' } }]);
    expect(hub.failed('prod', 'refused', shop.now + 900_000)).toEqual([]);
    expect(hub.view(shop.now + 900_000).courses).toHaveLength(1);
    expect(hub.heard('prod', [NOTHING], shop.now + 901_000)).toMatchObject([{ type: 'gap-closed' }]);
    expect(hub.heard('prod', [NOTHING], shop.now + 962_000)).toMatchObject([{ type: 'cured' }]);
  });

  it.each([undefined, null, [], {}, { schema: 'podcheck.causes/v2' }, { schema: 'podcheck.causes/v1', causes: [{}] }])(
    'does not read %j as causes',
    (json) => {
      expect(readCauses(json as never, 'prod')).toBeUndefined();
    },
  );
});
