import { truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formatInstant, parseInstant } from '../../src/base/instant.ts';
import type { OpenedSource } from '../../src/clusters/open-source.ts';
import { OPENINGS } from '../support/transcripts.ts';
import { openSource, openSources } from '../../src/clusters/open-source.ts';
import { formatRef, refOf } from '../../src/model/kube-object.ts';
import { tarOf } from '../support/archives.ts';
import { folderWith } from '../support/folder.ts';

const CLOCK = parseInstant('2026-11-21T12:00:00Z') ?? 0;

function open(path: string, stdin = '', now?: string): Promise<OpenedSource> {
  const at = parseInstant(now);
  return openSource(path, {
    stdin: () => chunksOf(stdin),
    openings: () => Promise.resolve(OPENINGS),
    clock: () => CLOCK,
    ...(at === undefined ? {} : { now: at }),
  });
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7));
  await Promise.resolve();
}

const refs = ({ evidence }: OpenedSource): string[] => evidence.objects.map((object) => formatRef(refOf(object))).toSorted();
const said = ({ notes }: OpenedSource): string[] => notes.map(({ file, text }) => (file === undefined ? text : `${file}: ${text}`));

function pod(name: string, more: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: '10', creationTimestamp: '2026-11-20T10:00:00Z' },
    spec: { containers: [{ name: 'app', image: 'registry.example/web:1' }] },
    status: { phase: 'Pending' },
    ...more,
  };
}

const json = (...items: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items }, undefined, 4);

const EVENT = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'web-1.17', namespace: 'shop', uid: 'uid-event' },
  involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'uid-web-1' },
  type: 'Warning',
  reason: 'FailedMount',
  message: 'MountVolume.SetUp failed for volume "config" : configmap "web-config" not found',
  lastTimestamp: '2026-11-20T10:05:00Z',
  count: 4,
};

const DESCRIBE = `Name:             web-1
Namespace:        shop
Priority:         0
Service Account:  default
Node:             worker-1/10.0.0.1
Start Time:       Fri, 20 Nov 2026 10:00:00 +0000
Labels:           app=web
Annotations:      <none>
Status:           Pending
IP:
IPs:              <none>
Containers:
  app:
    Container ID:
    Image:          registry.example/web:1
    Image ID:
    Port:           8080/TCP
    Host Port:      0/TCP
    State:          Waiting
      Reason:       ContainerCreating
    Ready:          False
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
Conditions:
  Type              Status
  PodScheduled      True
Volumes:            <none>
QoS Class:          BestEffort
Node-Selectors:     <none>
Tolerations:        <none>
Events:
  Type     Reason       Age                From     Message
  ----     ------       ----               ----     -------
  Warning  FailedMount  10s (x4 over 5m)   kubelet  MountVolume.SetUp failed for volume "config" : configmap "web-config" not found
`;

describe('a file', () => {
  it('of kubectl get -o json is served as the cluster it came from', async () => {
    const folder = folderWith({
      'shop.json': json(pod('web-1'), pod('web-2'), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'kube-root-ca.crt', namespace: 'shop' },
      }),
    });
    const opened = await open(join(folder, 'shop.json'));
    expect(refs(opened)).toEqual(['ConfigMap/shop/kube-root-ca.crt', 'Pod/shop/web-1', 'Pod/shop/web-2']);
    expect(formatInstant(opened.reader.now())).toBe('2026-11-20T10:00:00Z');
    expect(opened.description).toBe('shop.json: 3 objects');
    expect(await opened.reader.get({ kind: 'ConfigMap', namespace: 'shop', name: 'web-config' })).toMatchObject({
      ok: false,
      why: 'absent',
    });
    expect(await opened.reader.get({ kind: 'Secret', namespace: 'shop', name: 'db' })).toMatchObject({
      ok: false,
      why: 'not-collected',
      needs: 'kubectl get -n shop secrets db -o yaml',
    });
    expect(await opened.reader.list('Pod', { namespace: 'staging' })).toMatchObject({ ok: false, why: 'not-collected' });
  });

  it('of one object says nothing about others', async () => {
    const folder = folderWith({ 'web-1.json': JSON.stringify(pod('web-1')) });
    const { reader } = await open(join(folder, 'web-1.json'));
    expect(await reader.get({ kind: 'Pod', namespace: 'shop', name: 'web-2' })).toMatchObject({ ok: false, why: 'not-collected' });
  });

  it('of YAML, without an ending that says so, is known by its content', async () => {
    const folder = folderWith({
      dump: 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-1\n  namespace: shop\n  uid: u1\nspec: {}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: worker-1, uid: u2}\n',
    });
    expect(refs(await open(join(folder, 'dump')))).toEqual(['Node/worker-1', 'Pod/shop/web-1']);
  });

  it('written by PowerShell in UTF-16 is read', async () => {
    const folder = folderWith();
    writeFileSync(
      join(folder, 'shop.json'),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(json(pod('web-1')).replaceAll('\n', '\r\n'), 'utf16le')]),
    );
    expect(refs(await open(join(folder, 'shop.json')))).toEqual(['Pod/shop/web-1']);
  });

  it('of a manifest is what somebody wants to apply, not what a cluster has', async () => {
    const folder = folderWith({ 'web.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {}\n' });
    const opened = await open(join(folder, 'web.yaml'));
    expect(opened.evidence.objects.map(({ kind, spec }) => [kind, spec])).toMatchObject([
      ['AppliedManifest', { file: 'web.yaml', object: { kind: 'Pod' } }],
    ]);
  });

  it('of text is what a terminal showed', async () => {
    const folder = folderWith({ 'issue.txt': DESCRIBE });
    expect(refs(await open(join(folder, 'issue.txt'))).filter((ref) => !ref.startsWith('Event/'))).toEqual(['Pod/shop/web-1']);
    expect(refs(await open('-', DESCRIBE)).filter((ref) => !ref.startsWith('Event/'))).toEqual(['Pod/shop/web-1']);
  });

  it('that came through a pipe may be JSON as well', async () => {
    const opened = await open('-', json(pod('web-1'), EVENT));
    expect(refs(opened)).toEqual(['Event/shop/web-1.17', 'Pod/shop/web-1']);
    expect(opened.description).toBe('stdin: 2 objects');
  });

  it('may be a recording of podcheck, which tells itself what is complete', async () => {
    const recording = {
      apiVersion: 'podcheck/v1',
      now: '2026-11-20T11:00:00Z',
      collected: [{ kind: 'Secret', namespace: 'shop', complete: true }],
      absent: [],
      refused: [],
      logs: [],
    };
    const { reader } = await open('-', JSON.stringify({ kind: 'List', items: [pod('web-1')], recording }));
    expect(await reader.get({ kind: 'Secret', namespace: 'shop', name: 'db' })).toMatchObject({ why: 'absent' });
    expect(await reader.get({ kind: 'Pod', namespace: 'shop', name: 'web-2' })).toMatchObject({ why: 'not-collected' });
    expect(formatInstant(reader.now())).toBe('2026-11-20T11:00:00Z');
  });
});

describe('the time of a source', () => {
  it('is the newest of its objects, else that of its file, and --now goes before both', async () => {
    const folder = folderWith({
      'dated.json': json(pod('web-1'), EVENT),
      'undated.json': '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"}}',
    });
    const written = new Date('2026-11-19T08:00:00Z');
    utimesSync(join(folder, 'undated.json'), written, written);
    const now = async (file: string, given?: string): Promise<string> =>
      formatInstant((await open(join(folder, file), '', given)).reader.now());
    expect(await now('dated.json')).toBe('2026-11-20T10:05:00Z');
    expect(await now('undated.json')).toBe('2026-11-19T08:00:00Z');
    expect(await now('dated.json', '2026-11-20T10:30:00Z')).toBe('2026-11-20T10:30:00Z');
    expect(formatInstant((await open('-', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}')).reader.now())).toBe(
      '2026-11-21T12:00:00Z',
    );
  });
});

describe('a folder', () => {
  const CASE = {
    'objects.json': json(pod('web-1')),
    'events.json': json(EVENT),
    'transcript.txt': '$ kubectl -n shop apply -f manifests/01-web.yaml\npod/web-1 created\n\n$ kubectl logs web-1\n',
    'describe.txt': DESCRIBE,
    'logs.txt': '=== kubectl logs web-1 -c app\nlistening on 8080\n',
    'manifests/01-web.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web-1}\nspec: {}\n',
    'manifests/02-fixed.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web-config}\n',
    'commands.txt': '$ kubectl -n shop apply -f manifests/02-fixed.yaml\nconfigmap/web-config created\n',
    'after-fix.json': json(pod('web-1', { status: { phase: 'Running' } })),
    'expected.json': '{"rootCause": "configmap-not-found"}',
    'watch.jsonl': '{"type": "ADDED", "object": {}}\n',
    'README.md': '$ kubectl get pods\nNAME   READY   STATUS    RESTARTS   AGE\nother  1/1     Running   0          1d\n',
  };

  it('is one evidence: objects, events, what a terminal showed, logs and manifests together', async () => {
    const opened = await open(folderWith(CASE));
    const kinds = opened.evidence.objects.map(({ kind }) => kind).toSorted();
    expect(kinds.filter((kind) => kind !== 'ClientAnswer')).toEqual(['AppliedManifest', 'Event', 'Pod']);
    expect(opened.evidence.objects.find(({ kind }) => kind === 'Pod')?.['status']).toEqual({ phase: 'Pending' });
    expect(opened.evidence.objects.find(({ kind }) => kind === 'AppliedManifest')?.metadata.namespace).toBe('shop');
    const log = await opened.reader.logs({ kind: 'Pod', namespace: 'shop', name: 'web-1' }, 'app', { tailLines: 10 });
    expect(log).toMatchObject({ ok: true, value: { lines: ['listening on 8080'] } });
  });

  it('has no part in the evidence that is about it, or from after the fix, and says so', async () => {
    expect(said(await open(folderWith(CASE)))).toEqual([
      'README.md: not read: it is about the evidence',
      'after-fix.json: not read: it shows the state after the fix',
      'commands.txt: not read: transcript.txt has the same commands',
      'expected.json: not read: it contains the answer',
      'watch.jsonl: not read: it shows all states over time',
      'manifests/02-fixed.yaml: not read: no recorded command contains this file, so it may have been applied later',
    ]);
  });

  it('may have commands.txt alone', async () => {
    const opened = await open(folderWith({ 'commands.txt': CASE['commands.txt'] }));
    expect(opened.evidence.objects.some(({ kind }) => kind === 'ClientAnswer')).toBe(true);
  });

  it('with an empty events.json has no events where all else is', async () => {
    const { reader } = await open(folderWith({ 'objects.json': json(pod('web-1')), 'events.json': json() }));
    expect(await reader.list('Event', { namespace: 'shop' })).toEqual({ ok: true, value: [] });
    expect(await reader.list('Event', {})).not.toEqual({ ok: true, value: [] });
  });

  it('has no pods of a terminal that its complete list lacks', async () => {
    const table =
      '$ kubectl -n shop get pods\nNAME    READY   STATUS    RESTARTS   AGE\nweb-1   0/1     Pending   0          3m\nweb-9   1/1     Running   0          1s\n';
    const opened = await open(folderWith({ 'objects.json': json(pod('web-1')), 'transcript.txt': table }));
    expect(refs(opened).filter((ref) => ref.startsWith('Pod/'))).toEqual(['Pod/shop/web-1']);
    expect(said(opened)).toEqual([expect.stringContaining('Pod/shop/web-9 of the transcript is ignored')]);
  });

  it('of kubectl cluster-info dump has its logs, and is complete for what each namespace has files of', async () => {
    const folder = folderWith({
      'nodes.json': JSON.stringify({ kind: 'NodeList', items: [{ metadata: { name: 'worker-1' } }] }),
      'shop/pods.json': JSON.stringify({
        kind: 'PodList',
        apiVersion: 'v1',
        items: [pod('web-1', { kind: undefined, apiVersion: undefined })],
      }),
      'shop/events.json': JSON.stringify({ kind: 'EventList', items: [] }),
      'shop/replication-controllers.json': JSON.stringify({ kind: 'ReplicationControllerList', items: null }),
      'shop/web-1/logs.txt':
        '==== START logs for container app of pod shop/web-1 ====\n{"level":"info"}\n==== END logs for container app of pod shop/web-1 ====\n',
      'kube-system/pods.json': JSON.stringify({ kind: 'PodList', items: [] }),
      'kube-system/replication-controllers.json': JSON.stringify({ kind: 'ReplicationControllerList', items: [] }),
    });
    const { reader, evidence } = await open(folder);
    expect(await reader.list('Pod', { namespace: 'kube-system' })).toEqual({ ok: true, value: [] });
    expect(await reader.list('Event', { namespace: 'shop' })).toEqual({ ok: true, value: [] });
    expect(await reader.list('StatefulSet', { namespace: 'shop' })).toMatchObject({ ok: false, why: 'not-collected' });
    expect(await reader.list('Node', {})).toMatchObject({ ok: true, value: [{ kind: 'Node' }] });
    expect(evidence.logs).toMatchObject([{ container: 'app', lines: ['{"level":"info"}'] }]);
  });

  it('of a support bundle tells what its collector was refused', async () => {
    const { reader } = await open(
      folderWith({
        'bundle/cluster-resources/pods/shop.json': JSON.stringify({ kind: 'PodList', items: [pod('web-1')] }),
        'bundle/cluster-resources/secrets-errors.json':
          '{"shop": "secrets is forbidden: User \\"ann\\" cannot list resource \\"secrets\\""}',
        'bundle/cluster-resources/pods/logs/shop/web-1/app.log': 'bye\n',
        'bundle/cluster-resources/pods/logs/shop/web-1/app-previous.log': '',
      }),
    );
    expect(await reader.list('Secret', { namespace: 'shop' })).toMatchObject({
      ok: false,
      why: 'forbidden',
      needs: 'list secrets in shop',
    });
    expect(await reader.logs({ kind: 'Pod', namespace: 'shop', name: 'web-1' }, 'app', { tailLines: 5 })).toMatchObject({
      ok: true,
      value: { lines: ['bye'] },
    });
    expect(await reader.logs({ kind: 'Pod', namespace: 'shop', name: 'web-1' }, 'app', { tailLines: 5, previous: true })).toMatchObject({
      ok: false,
      why: 'not-collected',
    });
  });

  it('is used as far as it can be read', async () => {
    const opened = await open(
      folderWith({
        'objects.json': json(pod('web-1')),
        'broken.json': '{"kind": "Pod"',
        'picture.png': '\u0089PNG\u0000',
        'values.yaml': 'replicas: 3\n',
      }),
    );
    expect(refs(opened)).toEqual(['Pod/shop/web-1']);
    expect(said(opened)).toEqual([
      'broken.json: cannot be parsed: line 1, column 15: the document is cut off (open brackets: 1)',
      'not Kubernetes output: 2 files: broken.json, values.yaml',
    ]);
  });

  it('with a log of a gigabyte takes no more than its end', async () => {
    const folder = folderWith({ 'objects.json': json(pod('web-1')), 'web-1.log': 'starting\n'.repeat(10_000) });
    truncateSync(join(folder, 'web-1.log'), 1024 ** 3);
    writeFileSync(join(folder, 'web-1.log'), '\nfatal: cannot connect\n', { flag: 'a' });
    const before = process.memoryUsage().arrayBuffers;
    const { evidence } = await open(folder);
    expect(evidence.logs[0]?.lines.at(-1)).toBe('fatal: cannot connect');
    expect(evidence.logs[0]?.filtered).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('may come packed', async () => {
    const folder = folderWith();
    writeFileSync(join(folder, 'case.tgz'), gzipSync(tarOf(Object.entries(CASE).map(([path, text]) => ({ path: `case/${path}`, text })))));
    const opened = await open(join(folder, 'case.tgz'));
    expect(opened.evidence.objects.filter(({ kind }) => kind === 'Pod')).toHaveLength(1);
    expect(opened.evidence.objects.find(({ kind }) => kind === 'Pod')?.['status']).toEqual({ phase: 'Pending' });
    expect(opened.evidence.logs).toHaveLength(1);
  });
});

describe('several sources', () => {
  it('are one evidence', async () => {
    const folder = folderWith({ 'pods.json': json(pod('web-1')), 'events/events.json': json(EVENT) });
    const opened = await openSources([join(folder, 'pods.json'), join(folder, 'events')], {
      stdin: () => chunksOf(''),
      openings: () => Promise.resolve(OPENINGS),
      clock: () => CLOCK,
    });
    expect(refs(opened)).toEqual(['Event/shop/web-1.17', 'Pod/shop/web-1']);
    expect(opened.description).toBe('pods.json, events: 2 objects');
  });
});

describe('bad input', () => {
  async function failure(path: string, stdin = ''): Promise<{ readonly code: string; readonly message: string; readonly hint: string }> {
    return open(path, stdin).then(
      () => ({ code: 'none', message: '', hint: '' }),
      (error: unknown) => error as { readonly code: string; readonly message: string; readonly hint: string },
    );
  }

  it('is named with file, line and column', async () => {
    const folder = folderWith({
      'shop.json': '{\n  "kind": "List",\n  "items": [\n    {"kind": "Pod",}\n  ]\n}\n',
      'shop.yaml': 'kind: Pod\nmetadata:\n\tname: web\n',
    });
    expect(await failure(join(folder, 'shop.json'))).toMatchObject({
      code: 'bad-input',
      message: "shop.json, line 4, column 20: unexpected '}': a field name in double quotes is needed here",
    });
    expect((await failure(join(folder, 'shop.yaml'))).message).toMatch(/^shop\.yaml, line 3: /);
    expect((await failure(folder)).message).toMatch(new RegExp(`^${basename(folder)}: shop\\.json, line 4, column 20: `));
    expect((await failure('-', '{"kind": ')).message).toMatch(/^stdin, line 1, column 10: the document is cut off/);
  });

  it.each([
    ['', 'stdin is empty'],
    [' \n\n', 'stdin is empty'],
    ['\u0000\u0001\u0002', 'stdin is not text'],
    ['{"level": "info"}', 'stdin contains no Kubernetes output that podcheck can read'],
    ['{"kind": "List", "items": []}', 'stdin contains no Kubernetes output that podcheck can read'],
    ['hello there\n', 'stdin contains no Kubernetes output that podcheck can read'],
  ])('like %j is told apart', async (text, message) => expect(await failure('-', text)).toMatchObject({ code: 'bad-input', message }));

  it('may be a folder without objects, or nothing at all', async () => {
    const folder = folderWith({ 'notes.txt': 'buy milk\n' });
    expect(await failure(folder)).toMatchObject({
      code: 'bad-input',
      message: `${basename(folder)} contains no Kubernetes output that podcheck can read`,
    });
    expect(await failure(join(folder, 'note.txt'))).toMatchObject({ code: 'bad-input', hint: 'Similar names: notes.txt.' });
    expect((await failure(folderWith())).code).toBe('bad-input');
  });
});
