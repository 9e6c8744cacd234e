import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { once } from '../../src/base/once.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import type { OpenedSource } from '../../src/clusters/open-source.ts';
import { openSource } from '../../src/clusters/open-source.ts';
import { positionOf } from '../../src/clusters/snapshot/outlined-objects.ts';
import { diagnoseTarget } from '../../src/library/diagnose-target.ts';
import { openingsOf } from '../../src/model/frames.ts';
import { folderWith } from '../support/folder.ts';
import { failingPod, writeLargeCluster } from './large-cluster.ts';

const rules = await shippedRules();

function opened(path: string, sparse: boolean): Promise<OpenedSource> {
  const stdin = (): never => {
    throw new Error('nothing is read from stdin');
  };
  return openSource(path, { openings: async () => openingsOf(rules), stdin, clock: () => 0, streamedFrom: 1, sparse });
}

function outlinedIn({ evidence }: OpenedSource): number {
  return evidence.objects.filter((object) => positionOf(object) !== undefined).length;
}

interface Item {
  readonly kind: string;
}

interface List {
  readonly items: readonly Item[];
}

/** What `kubectl get -o json` prints of a cluster of so many pods, but in one line. */
const printed = once((): List => {
  const path = join(folderWith({}), 'made.json');
  writeLargeCluster(path, 200);
  return JSON.parse(readFileSync(path, 'utf8')) as List;
});

const pretty = (): string => JSON.stringify(printed(), undefined, 4);

const LAYOUTS: readonly (readonly [string, (list: List) => Readonly<Record<string, string>>])[] = [
  ['as kubectl prints it', () => ({ 'cluster.json': pretty() })],
  [
    'in one line, with the fields in another order',
    (list) => ({
      'cluster.json': JSON.stringify({ ...list, items: list.items.map((item) => Object.fromEntries(Object.entries(item).toReversed())) }),
    }),
  ],
  ['as a bare array', ({ items }) => ({ 'cluster.json': JSON.stringify(items, undefined, '\t') })],
  [
    'in several files',
    (list) => ({
      'pods.json': JSON.stringify({ ...list, items: list.items.filter(({ kind }) => kind === 'Pod') }),
      'others.json': JSON.stringify({ ...list, items: list.items.filter(({ kind }) => kind !== 'Pod') }),
    }),
  ],
];

const TERMINAL = '$ kubectl get pods\nNAME   READY   STATUS    RESTARTS   AGE\nweb-1  1/1     Running   0          5m\n';

describe('a source of which few objects are asked for', () => {
  it.each(LAYOUTS)(
    'answers as one that is read whole, %s',
    async (_, filesOf) => {
      const folder = folderWith(filesOf(printed()));
      const [sparse, whole] = [await opened(folder, true), await opened(folder, false)];
      expect(outlinedIn(sparse)).toBeGreaterThan(100);
      expect(outlinedIn(whole)).toBe(0);
      expect(sparse.reader.now()).toBe(whole.reader.now());
      const { name, namespace } = failingPod();
      for (const ref of [
        { kind: 'Pod', namespace, name },
        { kind: 'Service', namespace: 'shop-3', name: 'web-3' },
      ])
        expect(await diagnoseTarget(sparse.reader, rules, ref)).toEqual(await diagnoseTarget(whole.reader, rules, ref));
      const scopes = [
        {},
        { namespace },
        { namespace, fieldSelector: `involvedObject.name=${name}` },
        { labelSelector: 'app.kubernetes.io/name=web-3' },
      ];
      for (const kind of new Set(whole.evidence.objects.map((object) => object.kind)))
        for (const scope of scopes) expect(await sparse.reader.list(kind, scope)).toEqual(await whole.reader.list(kind, scope));
    },
    60_000,
  );

  it('says of which objects it cannot tell any more, when their file has changed', async () => {
    const folder = folderWith({ 'cluster.json': pretty() });
    const { reader } = await opened(folder, true);
    writeFileSync(join(folder, 'cluster.json'), '{}');
    const { name, namespace } = failingPod();
    expect(await reader.get({ kind: 'Pod', namespace, name })).toMatchObject({ ok: false, why: 'failed' });
    expect(await reader.list('Pod', { namespace })).toMatchObject({ ok: true, value: [], brokeOff: true });
    const { outcome, gaps } = await diagnoseTarget(reader, rules, { kind: 'Pod', namespace, name });
    expect(outcome).toBe('inconclusive');
    expect(gaps.map(({ reason }) => reason).join('\n')).toContain('could not be read again: its file has changed, or is damaged there');
  });

  it('is read whole where it has to be known at once: a cut file, a recording, a terminal beside it', async () => {
    const text = pretty();
    for (const other of [
      { 'cut.json': text.slice(0, -100), 'transcript.txt': TERMINAL },
      { 'cluster.json': text.replace(/^\{/, '{"recording":{"apiVersion":"podcheck/v1","now":"2026-01-14T10:00:00Z"},') },
      {
        'cluster.json': text,
        'terminal.txt': TERMINAL,
      },
    ]) {
      const folder = folderWith(other);
      const [sparse, whole] = [await opened(folder, true), await opened(folder, false)];
      expect(outlinedIn(sparse)).toBe(0);
      expect(sparse.evidence).toEqual(whole.evidence);
      expect(sparse.notes).toEqual(whole.notes);
    }
  });
});
