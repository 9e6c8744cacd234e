import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { openSource } from '../../../src/clusters/open-source.ts';
import { exportedEvents } from '../../../src/clusters/snapshot/exported-events.ts';
import { formatRef, refOf } from '../../../src/model/kube-object.ts';
import { folderWith } from '../../support/folder.ts';
import { OPENINGS } from '../../support/transcripts.ts';

const MESSAGE = 'Failed to pull image "registry.example/till:9": not found';
const ABOUT = { kind: 'Pod', namespace: 'shop', name: 'till-0' };
const EVENT = {
  metadata: { name: 'till-0.17', namespace: 'shop' },
  involvedObject: ABOUT,
  reason: 'Failed',
  message: MESSAGE,
  type: 'Warning',
  lastTimestamp: '2026-11-20T11:59:00Z',
};
const LINE = `name=till-0 kind=Pod objectAPIversion=v1 sourcecomponent=kubelet reason=Failed type=Warning count=2 msg=${JSON.stringify(MESSAGE)}`;
const ROW = {
  TimeGenerated: '2026-11-20T11:59:00Z',
  ObjectKind: 'Pod',
  Namespace: 'shop',
  Name: 'till-0',
  Reason: 'Failed',
  Message: MESSAGE,
};
const BEAT = { reason: 'Failed', message: MESSAGE, involved_object: { kind: 'Pod', name: 'till-0' }, metadata: { namespace: 'shop' } };

const EXPORTS: readonly (readonly [string, Json])[] = [
  ['what a search found', { hits: { hits: [{ _index: 'events', _source: EVENT }] } }],
  ['the text of a log line', { events: [{ timestamp: 1, message: JSON.stringify(EVENT) }] }],
  ['fields with a value each', { results: [[{ field: '@message', value: JSON.stringify(EVENT) }]] }],
  ['streams', { data: { result: [{ stream: { job: 'events' }, values: [['1', LINE]] }] } }],
  ['rows', [{ ...ROW, KubeEventType: 'Warning', Type: 'KubeEvents' }]],
  [
    'fields of a shipper',
    { hits: [{ _source: { '@timestamp': '2026-11-20T11:59:00Z', kubernetes: { event: { ...BEAT, type: 'Warning' } } } }] },
  ],
];

describe('events that a program exported', () => {
  it.each(EXPORTS)('are found in %s', (_, value) => {
    expect(exportedEvents(value)).toMatchObject([
      { kind: 'Event', involvedObject: { kind: 'Pod', name: 'till-0' }, reason: 'Failed', message: MESSAGE },
    ]);
  });

  it.each([
    [
      'an answer of the API',
      { kind: 'Status', reason: 'NotFound', message: 'pods "till" not found', details: { kind: 'pods', name: 'till' } },
    ],
    ['a state', { name: 'till', state: { waiting: { reason: 'ImagePullBackOff', message: MESSAGE } } }],
    ['a text that quotes one', [`see {"involvedObject": and so on`]],
  ])('are not found in %s', (_, value) => {
    expect(exportedEvents(value)).toEqual([]);
  });
});

async function podsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { evidence } = await openSource(folderWith(files), {
    async *stdin() {
      await Promise.resolve();
      yield new Uint8Array();
    },
    openings: () => Promise.resolve(OPENINGS),
    clock: () => Date.parse('2026-11-20T12:00:00Z'),
  });
  return evidence.objects.filter(({ kind }) => kind === 'Pod').map((object) => formatRef(refOf(object)));
}

const CORE = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: EVENT.metadata,
  regarding: ABOUT,
  note: MESSAGE,
  reason: 'Failed',
  type: 'Warning',
};
const CSV = `"LAST SEEN","TYPE","REASON","OBJECT","MESSAGE"\n"2m","Warning","Failed","pod/till-0","${MESSAGE.replaceAll('"', '""')}"\n`;
const MANAGED = {
  kind: 'Pod',
  namespace: 'shop',
  name: 'till-0',
  status: 'Synced',
  health: { status: 'Degraded', message: `Back-off pulling image "till:9": ErrImagePull: not found` },
};
const APPLICATION = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  status: { resources: [MANAGED] },
};
const POD = `apiVersion: v1\nkind: Pod\nmetadata: {name: till-0, namespace: shop}\nstatus: {phase: Pending}\n`;

it.each([
  ['exported events', { 'hits.json': JSON.stringify(EXPORTS[0]?.[1]) }, 'shop'],
  ['events of events.k8s.io', { 'events.json': JSON.stringify(CORE) }, 'shop'],
  ['events as CSV', { 'events.csv': CSV }, 'default'],
  ['an issue with an object in a fence', { 'issue.md': `It does not start:\n\n\`\`\`yaml\n${POD}\`\`\`\n` }, 'shop'],
  ['what an Application says of its objects', { 'app.json': JSON.stringify(APPLICATION) }, 'shop'],
  ['rows without titles', { 'out.txt': `2m   Warning   Failed   pod/till-0   ${MESSAGE}\n` }, 'default'],
  [
    'lines of a runner',
    {
      'job.log':
        `2026-11-20T11:59:00.0000000Z NAME     READY   STATUS    RESTARTS   AGE\n2026-11-20T11:59:00.0000000Z till-0   0/1     Pending   0          5m\n`.repeat(
          2,
        ),
    },
    'default',
  ],
])('reads %s in a folder', async (_, files, namespace) => {
  expect(await podsOf(files)).toEqual([`Pod/${namespace}/till-0`]);
});

it('reads nothing but what is known of Kubernetes in a folder that has other evidence', async () => {
  const files = { 'pods.yaml': POD.replace('till-0', 'till-1'), 'notes.txt': `2m   Warning   Failed   pod/till-0   ${MESSAGE}\n` };
  expect(await podsOf(files)).toEqual(['Pod/shop/till-1']);
});
