import { describe, expect, it } from 'vitest';
import type { WatchGap } from '../../src/model/followed.ts';
import { Gaps } from '../../src/watch/gaps.ts';

const AWAY: WatchGap = { verb: 'watch', resource: 'pods', detail: 'connection refused' };
const REFUSED: WatchGap = { ...AWAY, detail: 'forbidden', needs: 'watch pods' };
const SECOND = 1000;

describe('gaps', () => {
  it('are told once, until they close or need something else', () => {
    const gaps = new Gaps();
    expect([
      ...gaps.set('Pod', AWAY, 0),
      ...gaps.set('Pod', { ...AWAY, detail: 'i/o timeout' }, SECOND),
      ...gaps.set('Pod', REFUSED, 2 * SECOND),
      ...gaps.set('Pod', undefined, 3 * SECOND),
      ...gaps.set('Pod', undefined, 4 * SECOND),
    ]).toEqual([
      { type: 'gap', at: 0, gap: AWAY },
      { type: 'gap', at: 2 * SECOND, gap: REFUSED },
      { type: 'gap-closed', at: 3 * SECOND, gap: REFUSED, since: 0 },
    ]);
    expect(gaps.open()).toEqual([]);
  });

  it('close one by one when a server is back: until each has been tried again, or for ten minutes after one closed', () => {
    const gaps = new Gaps();
    for (const kind of ['Pod', 'ReplicaSet', 'Deployment', 'Job']) gaps.set(kind, AWAY, 0);
    expect(gaps.isReturning(600 * SECOND)).toBe(false);
    gaps.set('Pod', undefined, 600 * SECOND);
    expect([gaps.isReturning(600 * SECOND), gaps.isReturning(1199 * SECOND), gaps.isReturning(1200 * SECOND)]).toEqual([true, true, false]);
    gaps.set('ReplicaSet', undefined, 640 * SECOND);
    gaps.set('Deployment', REFUSED, 645 * SECOND);
    expect(gaps.isReturning(645 * SECOND)).toBe(true);
    gaps.set('Job', AWAY, 646 * SECOND);
    expect(gaps.isReturning(646 * SECOND)).toBe(false);
    gaps.set('Job', undefined, 700 * SECOND);
    expect(gaps.isReturning(700 * SECOND)).toBe(false);
  });
});
