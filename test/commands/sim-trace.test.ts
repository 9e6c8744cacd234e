import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const MANIFEST = `apiVersion: v1
kind: Secret
metadata: { name: db, namespace: shop }
stringData: { password: hunter2-planted }
data: { token: aHVudGVyMi1wbGFudGVk }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { url: planted-data }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: shop/web:1.4
          env: [{ name: DB, value: planted-env }, { name: URL, valueFrom: { configMapKeyRef: { name: settings, key: url } } }]
          volumeMounts: [{ name: db, mountPath: /db }]
      volumes: [{ name: db, secret: { secretName: db } }]
`;
const CLUSTER = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'worker-1' },
      status: {
        capacity: { cpu: '4', memory: '8Gi', pods: '110' },
        allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'saved', namespace: 'shop' }, data: { url: 'planted-saved' } },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'till', namespace: 'shop' },
      spec: { nodeName: 'worker-1', containers: [{ name: 'till', image: 'shop/till:1', env: [{ name: 'DB', value: 'planted-saved' }] }] },
      status: { phase: 'Running' },
    },
  ],
};

describe('a trace file', () => {
  const folder = (): string => folderWith({ 'shop.yaml': MANIFEST, 'saved.json': JSON.stringify(CLUSTER) });

  it.each([
    ['sim run', (at: string) => ['sim', 'run', `${at}/shop.yaml`]],
    ['sim try', (at: string) => ['sim', 'try', '-f', `${at}/shop.yaml`]],
    ['sim try of a saved cluster', (at: string) => ['sim', 'try', '-f', `${at}/shop.yaml`, '--from', `${at}/saved.json`]],
  ])(
    'has no value of a Secret, and on request none of env and ConfigMaps, and replays as it is written: %s',
    async (_, argv) => {
      const at = folder();
      const isSaved = argv(at).includes('--from');
      const plain = await podcheck([...argv(at), '--trace', `${at}/plain`]);
      const redacted = await podcheck([...argv(at), '--trace', `${at}/redacted`, '--redact']);
      expect([redacted.code, redacted.out], plain.err).toEqual([plain.code, plain.out]);
      for (const [file, words] of [
        ['plain', /hunter2|aHVudGVy/],
        ['redacted', /hunter2|aHVudGVy|planted/],
      ] as const) {
        const text = readFileSync(`${at}/${file}`, 'utf8');
        expect(text).not.toMatch(words);
        expect(text).toContain('"password"');
        if (file === 'plain')
          for (const value of ['planted-env', 'planted-data', ...(isSaved ? ['planted-saved'] : [])]) expect(text).toContain(value);
        const replayed = await podcheck(['sim', 'replay', `${at}/${file}`, 'deploy/web']);
        expect(replayed.err).toBe('');
        expect([0, 1, 3]).toContain(replayed.code);
      }
    },
    120_000,
  );

  it('of a scenario whose registry wants a login breaks as the scenario does', async () => {
    const at = folderWith();
    const id = 'containers/dependency-credentials-rejected';
    const { code, out } = await podcheck(['sim', 'run', id, '--trace', `${at}/trace`]);
    expect([code, out]).toEqual([1, expect.stringContaining(id)]);
    expect((await podcheck(['sim', 'replay', `${at}/trace`])).code).toBe(1);
  }, 120_000);

  it('is told of in the help of what writes it', async () => {
    for (const command of ['run', 'try']) {
      const { out } = await podcheck(['sim', command, '--help']);
      for (const words of ['env values', 'ConfigMap data', 'container output', 'never contains Secret values', '--redact'])
        expect(out).toContain(words);
    }
  });

  it('is what --redact is for', async () => {
    expect(await podcheck(['sim', 'run', 'healthy/deployment', '--redact'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--redact needs --trace') as string,
    });
  });
});
