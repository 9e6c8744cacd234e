import { describe, expect, it } from 'vitest';
import { deployment, diagnosis, pod, replicaSet, SETTINGS, START, WatchedShop, WEB } from './told.ts';

function sickShop(most?: number): WatchedShop {
  const shop = new WatchedShop(most);
  shop.see(deployment(0), replicaSet(), pod(1, 'waiting'), pod(2, 'waiting'));
  return shop;
}

describe('what is not well', () => {
  it('has its normal time before it is diagnosed, and is told once', () => {
    const shop = sickShop();
    shop.pass(29);
    expect([shop.looked, shop.told]).toEqual([[], []]);
    shop.pass(3600);
    expect(shop.looked[0]).toEqual(['web', 30]);
    expect(shop.told).toHaveLength(1);
    expect(shop.told[0]).toMatchObject({
      type: 'found',
      at: START + 30_000,
      course: { cause: { rule: 'volumes/configmap-not-found', workload: WEB, object: SETTINGS }, pods: 2, since: START, times: 1 },
    });
    // It is looked at again, but less and less often: after 30 s, then up to 5 min.
    expect(shop.looked.length).toBeGreaterThan(8);
    expect(shop.looked.length).toBeLessThan(20);
  });

  it('is not told when it passes by itself', () => {
    const shop = sickShop();
    shop.pass(20);
    shop.see(deployment(2), pod(1, 'ready'), pod(2, 'ready'));
    shop.pass(600);
    expect([shop.looked, shop.told, shop.casebook.size]).toEqual([[], [], 0]);
  });

  it('has had its normal time already where it has been so for long', () => {
    const shop = new WatchedShop();
    const since = new Date(START - 600_000).toISOString();
    const status = { phase: 'Pending', conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: since }] };
    shop.see(deployment(1), replicaSet(), pod(1, 'waiting', { status }));
    shop.pass(1);
    expect(shop.told).toMatchObject([{ type: 'found', course: { since: START - 600_000 } }]);
  });

  it('is told of its owner alone, where that is seen a little later', () => {
    const shop = new WatchedShop();
    const since = new Date(START - 600_000).toISOString();
    const status = { phase: 'Pending', conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: since }] };
    shop.see(pod(1, 'waiting', { status }));
    shop.pass(20);
    expect([shop.looked, shop.told]).toEqual([[], []]);
    shop.see(deployment(0), replicaSet());
    shop.pass(600);
    expect(shop.told).toMatchObject([{ type: 'found', course: { cause: { workload: WEB }, since: START - 600_000 } }]);
  });

  it('is told of what it names as its owner, where that is never seen', () => {
    const shop = new WatchedShop();
    shop.see(pod(1, 'waiting'));
    shop.pass(600);
    expect(shop.looked[0]).toEqual([replicaSet().metadata.name, 30]);
    expect(shop.told).toHaveLength(1);
  });

  it('is looked at again while it is starting, and by at most so many at a time', () => {
    const shop = new WatchedShop(2);
    for (const name of ['a', 'b', 'c']) shop.see(deployment(0, name));
    shop.pass(29);
    shop.now += 1000;
    shop.casebook.update({ sick: shop.inventory.sickWorkloads(), provenAt: new Map(), exists: () => true, isOwn: () => true }, shop.now);
    const first = shop.casebook.due(shop.now);
    expect(first.map(({ ref }) => ref.name)).toEqual(['a', 'b']);
    expect(shop.casebook.due(shop.now)).toEqual([]);
    for (const { ref } of first) expect(shop.casebook.answered(ref, diagnosis(ref, 'waiting'), shop.now)).toEqual([]);
    expect(shop.casebook.due(shop.now).map(({ ref }) => ref.name)).toEqual(['c']);
  });

  it('without a rule that knows it is told only when it is so twice', () => {
    const shop = sickShop();
    shop.answer = (ref) => diagnosis(ref, 'unexplained');
    shop.pass(59);
    expect(shop.told).toEqual([]);
    shop.pass(1);
    expect(shop.told).toMatchObject([{ type: 'found', course: { cause: { rule: 'podcheck/unexplained' } } }]);
  });

  it('of which the cluster says nothing is neither told nor cured', () => {
    const shop = sickShop();
    shop.pass(31);
    shop.answer = () => undefined;
    shop.pass(3600);
    expect(shop.types()).toEqual(['found']);
    expect(shop.casebook.courses()).toHaveLength(1);
  });
});

describe('a cause that is known', () => {
  it('is cured when the workload has been well for 30 s, and counted when it returns', () => {
    const shop = sickShop();
    shop.pass(60);
    shop.see(deployment(2), pod(1, 'ready'), pod(2, 'ready'));
    shop.pass(30);
    expect(shop.types()).toEqual(['found']);
    shop.pass(1);
    expect(shop.told[1]).toMatchObject({ type: 'cured', course: { ended: 'well', times: 1 } });
    expect(shop.casebook.courses()).toEqual([]);
    shop.see(deployment(1), pod(2, 'waiting'));
    shop.pass(60);
    expect(shop.told[2]).toMatchObject({ type: 'found', course: { times: 2, pods: 1 } });
  });

  it('is told once while a container comes up and crashes again and again', () => {
    const shop = sickShop();
    const crashed = (seconds: number): object => ({
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          state: { running: { startedAt: new Date(shop.now).toISOString() } },
          lastState: {
            terminated: {
              reason: 'Error',
              startedAt: new Date(shop.now - (seconds + 60) * 1000).toISOString(),
              finishedAt: new Date(shop.now - 60_000).toISOString(),
            },
          },
        },
      ],
    });
    shop.pass(40);
    for (let round = 0; round < 10; round++) {
      shop.see(deployment(2), pod(1, 'waiting', { status: crashed(90) as never }), pod(2, 'ready'));
      shop.pass(90);
      shop.see(deployment(1), pod(1, 'waiting'));
      shop.pass(60);
    }
    expect(shop.types()).toEqual(['found']);
    shop.see(deployment(2), pod(1, 'waiting', { status: crashed(90) as never }));
    shop.pass(95);
    expect(shop.types()).toEqual(['found']);
    shop.pass(10);
    expect(shop.types()).toEqual(['found', 'cured']);
  });

  it('is changed when a diagnosis names another one, not when its evidence is gone', () => {
    const shop = sickShop();
    shop.pass(60);
    shop.answer = (ref) => diagnosis(ref, 'unexplained');
    shop.pass(1200);
    shop.answer = (ref) => diagnosis(ref, 'inconclusive');
    shop.pass(1200);
    expect(shop.types()).toEqual(['found']);
    expect(shop.casebook.courses()[0]?.cause.evidence).toHaveLength(1);
    shop.answer = (ref) => diagnosis(ref, 'explained', 'images/not-found');
    shop.pass(600);
    expect(shop.told[1]).toMatchObject({
      type: 'changed',
      before: { rule: 'volumes/configmap-not-found' },
      course: { cause: { rule: 'images/not-found' }, since: START },
    });
    expect(shop.casebook.past()).toMatchObject([{ ended: 'changed' }]);
  });

  it('is not changed by what one look alone names, while it is being cured', () => {
    const shop = sickShop();
    shop.pass(60);
    const given = shop.answer;
    shop.answer = (ref) => diagnosis(ref, 'explained', 'containers/crash-loop');
    const looks = shop.looked.length;
    while (shop.looked.length === looks) shop.pass(1);
    shop.answer = given;
    shop.pass(600);
    expect(shop.types()).toEqual(['found']);
    shop.answer = (ref) => diagnosis(ref, 'explained', 'containers/crash-loop');
    while (shop.looked.length < looks + 20 && shop.types().length < 2) shop.pass(1);
    expect(shop.types()).toEqual(['found', 'changed']);
  });

  it('has a fingerprint of rule, workload and object, whatever the words, the time and the pods', () => {
    const fingerprint = (shop: WatchedShop): unknown => {
      shop.pass(60);
      return shop.casebook.courses()[0]?.cause.fingerprint;
    };
    const later = new WatchedShop();
    later.now += 5_000_000;
    later.see(deployment(1), replicaSet(), pod(7, 'waiting'));
    const given = later.answer;
    later.answer = (ref) => {
      const plain = given(ref);
      return plain && { ...plain, causes: plain.causes.map((cause) => ({ ...cause, what: 'Other words.', title: 'Another title' })) };
    };
    const first = fingerprint(sickShop());
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(fingerprint(later)).toBe(first);
    const other = sickShop();
    other.answer = (ref) => diagnosis(ref, 'explained', 'volumes/configmap-not-found', { ...SETTINGS, name: 'other' });
    expect(fingerprint(other)).not.toBe(first);
  });

  it('ends with its workload, and is still known with its evidence', () => {
    const shop = sickShop();
    shop.pass(60);
    for (const uid of ['deployment-web', 'set-web', 'pod-web-1', 'pod-web-2']) shop.inventory.gone(uid);
    shop.pass(1);
    expect(shop.told[1]).toMatchObject({ type: 'cured', course: { ended: 'deleted' } });
    expect(shop.casebook.past()[0]?.cause.evidence).toMatchObject([{ quote: 'Warning FailedMount' }]);
    expect([shop.casebook.size, shop.inventory.size]).toEqual([0, 0]);
  });
});

describe('a day of churn', () => {
  it('leaves nothing behind but the last thousand causes', () => {
    const shop = new WatchedShop();
    for (let round = 0; round < 1200; round++) {
      const name = `w${round}`;
      shop.see(deployment(0, name), replicaSet(name), pod(1, 'waiting', {}, name));
      shop.pass(36);
      for (const uid of [`deployment-${name}`, `set-${name}`, `pod-${name}-1`]) shop.inventory.gone(uid);
      shop.pass(36);
    }
    expect(shop.now - START).toBe(86_400_000);
    expect(shop.told).toHaveLength(2400);
    expect([shop.casebook.size, shop.inventory.size, shop.inventory.sick, shop.casebook.past().length]).toEqual([0, 0, 0, 1000]);
  });
});
