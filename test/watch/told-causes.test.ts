import { describe, expect, it } from 'vitest';
import { toldCourse, toldKey, toldText } from '../../src/watch/told-causes.ts';
import { deployment, diagnosis, pod, replicaSet, WatchedShop } from './told.ts';

function sickShop(): WatchedShop {
  const shop = new WatchedShop();
  shop.see(deployment(0), replicaSet(), pod(1, 'waiting'), pod(2, 'waiting'));
  return shop;
}

/** A watch that begins where another one was ended, with what it had told. */
function restarted(before: WatchedShop): WatchedShop {
  const after = sickShop();
  after.now = before.now;
  const kept = before.casebook.courses().flatMap((course) => toldCourse(toldText(course)) ?? []);
  expect(kept).toHaveLength(1);
  after.casebook.restore(kept, after.now);
  return after;
}

describe('a cause that was told before the watch was started again', () => {
  it('is not told again, and has its evidence after the first look', () => {
    const before = sickShop();
    before.pass(60);
    const after = restarted(before);
    expect(after.casebook.courses()).toMatchObject([{ times: 1, pods: 2, cause: { evidence: [] } }]);
    after.pass(3600);
    expect(after.told).toEqual([]);
    const [course] = after.casebook.courses();
    expect(course?.cause.evidence).toHaveLength(1);
    expect([course?.since, course?.foundAt]).toEqual([before.casebook.courses()[0]?.since, before.casebook.courses()[0]?.foundAt]);
  });

  it('is told as cured if it was cured meanwhile, and as changed if it is another one', () => {
    const before = sickShop();
    before.pass(60);
    const cured = restarted(before);
    cured.see(deployment(2), pod(1, 'ready'), pod(2, 'ready'));
    cured.pass(40);
    expect(cured.told).toMatchObject([{ type: 'cured', course: { ended: 'well', cause: { rule: 'volumes/configmap-not-found' } } }]);
    const changed = restarted(before);
    changed.answer = (ref) => diagnosis(ref, 'explained', 'images/not-found');
    changed.pass(40);
    expect(changed.told).toMatchObject([{ type: 'changed', before: { rule: 'volumes/configmap-not-found' } }]);
    const deleted = restarted(before);
    for (const uid of ['deployment-web', 'set-web', 'pod-web-1', 'pod-web-2']) deleted.inventory.gone(uid);
    deleted.pass(1);
    expect(deleted.told).toMatchObject([{ type: 'cured', course: { ended: 'deleted' } }]);
  });

  it('stays what it was where its evidence is gone', () => {
    const before = sickShop();
    before.pass(60);
    const after = restarted(before);
    after.answer = (ref) => diagnosis(ref, 'unexplained');
    after.pass(600);
    expect(after.told).toEqual([]);
    expect(after.casebook.courses()).toMatchObject([{ cause: { rule: 'volumes/configmap-not-found' } }]);
  });
});

describe('a cause of which others tell', () => {
  it('does not change here, and is forgotten without a word', () => {
    const shop = sickShop();
    shop.pass(60);
    shop.isOwn = () => false;
    shop.see(deployment(2), pod(1, 'ready'), pod(2, 'ready'));
    shop.pass(600);
    expect(shop.types()).toEqual(['found']);
    expect(shop.casebook.courses()).toHaveLength(1);
    shop.casebook.release(() => false);
    expect([shop.casebook.size, shop.types()]).toEqual([0, ['found']]);
  });

  it('leaves room for other looks where it goes while it is looked at', () => {
    const shop = new WatchedShop(1);
    shop.see(deployment(0, 'a'));
    shop.now += 60_000;
    const moment = { provenAt: new Map(), exists: () => true, isOwn: () => true };
    shop.casebook.update({ ...moment, sick: shop.inventory.sickWorkloads() }, shop.now);
    shop.now += 60_000;
    expect(shop.casebook.due(shop.now)).toHaveLength(1);
    shop.casebook.release(() => false);
    shop.casebook.update({ ...moment, sick: shop.inventory.sickWorkloads() }, shop.now);
    shop.now += 60_000;
    expect(shop.casebook.due(shop.now)).toHaveLength(1);
  });
});

describe('what is kept of a cause', () => {
  it('has a key that a ConfigMap takes, whatever its workload is called', () => {
    expect(toldKey({ kind: 'Deployment', namespace: 'shop', name: 'web' })).toBe('Deployment.shop.web');
    expect(toldKey({ kind: 'Node', name: 'worker-1' })).toBe('Node..worker-1');
    for (const name of ['a:b', 'x'.repeat(253)])
      expect(toldKey({ kind: 'Deployment', namespace: 'shop', name })).toMatch(/^[-._a-zA-Z0-9]{1,253}$/);
  });

  it.each(['', '{', 'null', '[]', '{"fingerprint":1}', '{"__proto__":{}}'])('is nothing where somebody wrote %j', (text) => {
    expect(toldCourse(text)).toBeUndefined();
  });

  it('is read with what a later version adds to it', () => {
    const shop = sickShop();
    shop.pass(60);
    const [course] = shop.casebook.courses();
    const text = JSON.stringify({ ...(JSON.parse(toldText(course as never)) as object), color: 'red' });
    expect(toldCourse(text)?.cause.fingerprint).toBe(course?.cause.fingerprint);
  });
});
