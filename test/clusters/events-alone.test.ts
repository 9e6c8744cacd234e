import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../src/clusters/open-source.ts';
import { formatRef, refOf } from '../../src/model/kube-object.ts';
import { folderWith } from '../support/folder.ts';
import { OPENINGS } from '../support/transcripts.ts';

const EVENT = {
  metadata: { name: 'till-0.17', namespace: 'shop' },
  involvedObject: { kind: 'Pod', namespace: 'shop', name: 'till-0' },
  reason: 'FailedMount',
  message: 'MountVolume.SetUp failed for volume "keys" : secret "till-keys" not found',
  type: 'Warning',
  lastTimestamp: '2026-11-20T11:59:00Z',
};
const LISTED = { apiVersion: 'v1', kind: 'Event', ...EVENT };
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'cart-0', namespace: 'shop' }, spec: {}, status: {} };

async function refsOf(name: string, text: string): Promise<readonly string[]> {
  const { evidence } = await openSource(join(folderWith({ [name]: text }), name), {
    async *stdin() {
      await Promise.resolve();
      yield new Uint8Array();
    },
    openings: () => Promise.resolve(OPENINGS),
    clock: () => Date.parse('2026-11-20T12:00:00Z'),
  });
  return evidence.objects.filter(({ kind }) => kind !== 'Event').map((object) => formatRef(refOf(object)));
}

describe('events that were saved alone', () => {
  it.each([
    ['as a list', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [LISTED] })],
    ['as lines', `${JSON.stringify(LISTED)}\n${JSON.stringify(LISTED)}\n`],
    ['by a program that leaves out their kind', `${JSON.stringify(EVENT)}\n`],
  ])('tell of their pods %s', async (_, text) => {
    expect(await refsOf('events.json', text)).toEqual(['Pod/shop/till-0']);
  });

  it('tell of no more pods than a list of pods has', async () => {
    expect(await refsOf('all.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [LISTED, POD] }))).toEqual(['Pod/shop/cart-0']);
    const empty = `${JSON.stringify({ apiVersion: 'v1', kind: 'PodList', items: [] })}\n${JSON.stringify(LISTED)}\n`;
    expect(await refsOf('all.json', empty)).toEqual([]);
  });
});
