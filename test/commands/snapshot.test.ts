import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyFolder } from '../support/built-program.ts';
import { clusterOf, kubeconfigFor } from '../support/cluster.ts';
import type { StoredObject } from '../support/cluster.ts';
import { podcheck } from '../support/command-line.ts';
import type { Ran } from '../support/command-line.ts';
import { kubeServer, statusReply } from '../support/kube-server.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function folder(): string {
  const { path, remove } = emptyFolder();
  ends.push(remove);
  return path;
}

const SETTINGS: StoredObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
  data: { greeting: 'planted-text' },
};
const WEB: StoredObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-web', creationTimestamp: '2026-01-14T08:00:00Z' },
  spec: {
    nodeName: 'worker-1',
    volumes: [
      { name: 'a', configMap: { name: 'settings' } },
      { name: 'b', configMap: { name: 'gone' } },
    ],
    containers: [
      {
        name: 'web',
        image: 'nginx:1.27',
        volumeMounts: [
          { name: 'a', mountPath: '/a' },
          { name: 'b', mountPath: '/b' },
        ],
        env: [
          { name: 'TOKEN', value: 'planted-token' },
          { name: 'TOKEN_AGAIN', value: 'planted-token' },
          { name: 'DB_HOST', value: 'orders-db' },
        ],
      },
    ],
  },
  status: {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-14T08:00:00Z' }],
    containerStatuses: [{ name: 'web', ready: false, restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }],
  },
};

const WORKER: StoredObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-1' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

async function onCluster(objects: readonly StoredObject[], ...argv: readonly string[]): Promise<Ran> {
  const server = await kubeServer(clusterOf([...objects, WORKER]));
  ends.push(() => server.close());
  return podcheck(argv, { env: { KUBECONFIG: kubeconfigFor(server.url, folder()) } });
}

describe('podcheck snapshot', () => {
  it('keeps what a diagnosis reads, for its owner alone, and without values', async () => {
    const file = join(folder(), 'web.tgz');
    const taken = await onCluster([WEB, SETTINGS], 'snapshot', '--for', 'pod/web', '-o', file);
    expect([taken.code, taken.err]).toEqual([0, '']);
    expect(taken.out).toContain('values of Secrets');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = gunzipSync(readFileSync(file)).toString();
    expect(text).not.toContain('planted');
    expect(text).toContain('orders-db');
    expect(text.match(/<redacted-\d+>/g)?.slice(0, 2)).toEqual(['<redacted-1>', '<redacted-1>']);
    const { code, out, err } = await podcheck(['diagnose', 'pod/web', '--from', file]);
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain('volumes/configmap-not-found');
  });

  it('goes to stdout as JSON, and says on stderr what it is', async () => {
    const { out, err } = await onCluster([WEB], 'snapshot', '-o', '-', '--for', 'web', '--no-redact');
    expect(JSON.parse(out)).toMatchObject({ kind: 'List', recording: { apiVersion: 'podcheck/v1' } });
    expect(out).toContain('planted-token');
    expect(err).toContain('nothing is redacted');
  });

  it('names what was refused, and its diagnosis says the same', async () => {
    const cluster = clusterOf([WEB, WORKER]);
    const server = await kubeServer((request) =>
      request.path.includes('/configmaps')
        ? statusReply(403, 'Forbidden', 'configmaps is forbidden: User "me" cannot get resource "configmaps"')
        : cluster(request),
    );
    ends.push(() => server.close());
    const file = join(folder(), 'web.tgz');
    const env = { KUBECONFIG: kubeconfigFor(server.url, folder()) };
    const taken = await podcheck(['snapshot', '--for', 'pod/web', '-o', file], { env });
    expect(taken.out).toMatch(/Refused +get configmaps/);
    const [live, later] = [
      await podcheck(['diagnose', 'pod/web', '-o', 'json'], { env }),
      await podcheck(['diagnose', 'pod/web', '--from', file, '-o', 'json']),
    ];
    const gapsOf = ({ out }: Ran): unknown => (JSON.parse(out) as { gaps: unknown }).gaps;
    expect(gapsOf(later)).toEqual(gapsOf(live));
    expect(later.code).toBe(live.code);
  });

  it('takes a whole namespace, each unhealthy object of it', async () => {
    const file = join(folder(), 'shop.json');
    const { code } = await onCluster([WEB, SETTINGS], 'snapshot', '-n', 'shop', '-o', file);
    expect(code).toBe(0);
    expect((await podcheck(['diagnose', 'pod/web', '--from', file])).out).toContain('volumes/configmap-not-found');
    expect((await podcheck(['scan', '--from', file])).out).toContain('volumes/configmap-not-found');
  });

  it.each([
    [['snapshot'], 'no file is given'],
    [['snapshot', '-o', 'shop.zip'], 'does not end with .tgz, .tar.gz or .json'],
    [['snapshot', '-o', '/no/such/folder/x.tgz', '--scenario', 'healthy/pod'], 'cannot write /no/such/folder/x.tgz'],
    [['snapshot', '-o', 'package.json', '--scenario', 'healthy/pod'], 'package.json already exists'],
  ])('%j is refused', async (argv, message) => {
    const { code, err } = await podcheck(argv);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
