import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../src/clusters/open-source.ts';
import { examine } from '../../src/library/examine.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { Gap } from '../../src/model/fact.ts';
import { isUnread } from '../../src/model/fact.ts';
import { tarOf } from '../support/archives.ts';
import { folderWith } from '../support/folder.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'shop', uid: 'web-1' },
  spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'nginx:1.27' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
};
const PACKED = tarOf([
  { path: 'cluster-resources/pods/shop.json', text: JSON.stringify({ apiVersion: 'v1', kind: 'PodList', items: [POD] }) },
  { path: 'cluster-resources/services/shop.json', text: JSON.stringify({ apiVersion: 'v1', kind: 'ServiceList', items: [] }) },
  { path: 'zones.txt', text: 'zone-a zone-b\n'.repeat(300) },
]);
const CUT = PACKED.subarray(0, -3000);

async function readerOf(archive: Uint8Array): Promise<ClusterReader> {
  const path = join(folderWith(), 'bundle.tar');
  writeFileSync(path, archive);
  const stdin = (): never => {
    throw new Error('nothing is read from stdin');
  };
  return (await openSource(path, { stdin, openings: () => Promise.resolve([]), clock: () => 0 })).reader;
}

async function unreadIn(archive: Uint8Array): Promise<readonly Gap[]> {
  const { gaps } = (await examine(await readerOf(archive), [], { namespace: 'shop' })).scan();
  return gaps.filter(isUnread);
}

describe('a source of which the rest was not read', () => {
  it('is told of as a gap', async () => {
    const reason = 'bundle.tar: the archive is cut off: only its beginning was read';
    expect(await unreadIn(PACKED)).toEqual([]);
    expect(await unreadIn(CUT)).toEqual([{ kind: 'any', about: { kind: 'Object', name: '*' }, reason }]);
  });

  it('has no list that is whole', async () => {
    const scope = { namespace: 'shop' };
    expect(await (await readerOf(PACKED)).list('Service', scope)).toEqual({ ok: true, value: [] });
    expect(await (await readerOf(CUT)).list('Service', scope)).toEqual({
      ok: true,
      value: [],
      partial: 'no complete list of services in shop was collected',
    });
  });
});
