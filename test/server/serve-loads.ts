import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { asList, asText, dig } from '../../src/base/json.ts';
import { Authority } from '../../src/server/authority.ts';
import { kubeconfigText } from '../../src/server/kubeconfig.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { certificateOf, createCluster } from '../../src/simulator/index.ts';
import { WireClient } from './client.ts';
import type { WatchCount } from './watch-many.ts';

/** What esbuild makes the program of: watches in a process of their own. */
export const WATCH_CLIENT =
  "import { createInterface } from 'node:readline';\nimport { watchMany } from './test/server/watch-many.ts';\nawait watchMany(Number(process.argv[2]), createInterface({ input: process.stdin }), (line) => process.stdout.write(`${line}\\n`));\nprocess.exit(0);";

/** How long kubectl takes to list from a served cluster and from a server that only sends what that one sent. */
export interface ListRun {
  readonly milliseconds: number;
  readonly staticMilliseconds: number;
  readonly rows: number;
}

/** Lists so many pods with kubectl, from both in turns; the medians count. */
export async function runList(pods: number, runs = 7): Promise<ListRun> {
  const folder = mkdtempSync(join(tmpdir(), 'podcheck-list-'));
  const cluster = createCluster({
    seed: 1,
    preset: 'no-nodes',
    boot: false,
    objects: [NAMESPACE],
    restored: Array.from({ length: pods }, (_, index) => runningPod(index)),
  });
  const serving = await startServing({ cluster });
  serving.clock.pause();
  const still = await serveStill(serving);
  try {
    const [own, other] = [join(folder, 'own'), join(folder, 'still')];
    writeFileSync(own, serving.kubeconfig);
    writeFileSync(other, still.kubeconfig);
    const times: [number[], number[]] = [[], []];
    let rows = 0;
    for (let run = 0; run <= runs; run++) {
      for (const [index, file] of [own, other].entries()) {
        const { milliseconds, lines } = await listed(file, folder);
        if (run > 0) times[index]?.push(milliseconds);
        rows = index === 0 || lines === rows ? lines : -1;
      }
    }
    return { milliseconds: median(times[0]), staticMilliseconds: median(times[1]), rows };
  } finally {
    await serving.close();
    still.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What every watch of a namespace heard while its pods came up. */
export interface WatchRun {
  /** Events the cluster had for each watch, and how many watches heard exactly those in that order. */
  readonly events: number;
  readonly faithful: number;
  readonly ready: number;
  readonly seconds: number;
  /** Of the process that serves, at most. */
  readonly megabytes: number;
}

/** Watches a namespace so many times at once, from another process (`client` is its program), while so many pods start. */
export async function runWatches(watches: number, pods: number, client: string): Promise<WatchRun> {
  const cluster = createCluster({
    seed: 1,
    preset: { nodes: Array.from({ length: Math.ceil(pods / 20) }, (_, index) => ({ name: `worker-${index + 1}` })) },
    objects: [NAMESPACE],
  });
  const heard = { count: 0, digest: 0 };
  cluster.store.subscribe(
    'pods',
    ({ type, revision }) =>
      Object.assign(heard, { count: heard.count + 1, digest: (Math.imul(heard.digest, 31) + revision * 4 + TYPES.indexOf(type)) | 0 }),
    { namespace: 'shop' },
  );
  const serving = await startServing({ cluster, speed: 10 });
  const child = spawn(process.execPath, [client, String(watches)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  try {
    child.stdin.write(`${JSON.stringify(serving.kubeconfig)}\n`);
    await until(() => serving.load().watches === watches);
    const start = Date.now();
    cluster.apply(Array.from({ length: Math.ceil(pods / 100) }, (_, index) => deployment(`web-${index + 1}`, Math.min(100, pods))));
    await until(() => readyPods(serving) === pods);
    serving.clock.pause();
    child.stdin.write(`${heard.count}\n`);
    const counts = JSON.parse(await firstLine(child.stdout)) as readonly WatchCount[];
    const faithful = counts.filter(({ count, digest }) => count === heard.count && digest === heard.digest).length;
    return {
      events: heard.count,
      faithful,
      ready: readyPods(serving),
      seconds: (Date.now() - start) / 1000,
      megabytes: process.resourceUsage().maxRSS / 1024,
    };
  } finally {
    child.kill();
    await serving.close();
  }
}

const TYPES = ['ADDED', 'MODIFIED', 'DELETED'];
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

function deployment(name: string, replicas: number): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
    },
  };
}

function readyPods({ cluster }: Serving): number {
  return cluster.store
    .list('pods', 'shop')
    .filter((pod) =>
      asList(dig(pod, 'status', 'conditions')).some(
        (condition) => dig(condition, 'type') === 'Ready' && dig(condition, 'status') === 'True',
      ),
    ).length;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) {
    text += String(part);
    if (text.includes('\n')) break;
  }
  return text;
}

function runningPod(index: number): JsonObject {
  const name = `web-${String(index).padStart(5, '0')}`;
  const started = '2026-11-20T08:00:00Z';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      creationTimestamp: started,
      labels: { app: 'web' },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-7d5c', uid: '00000000-0000-4000-9000-000000000000', controller: true },
      ],
    },
    spec: {
      nodeName: `worker-${index % 100}`,
      containers: [
        { name: 'web', image: 'nginx:1.27', ports: [{ containerPort: 80, protocol: 'TCP' }], resources: { requests: { cpu: '100m' } } },
      ],
      restartPolicy: 'Always',
    },
    status: {
      phase: 'Running',
      podIP: `10.128.${index >> 8}.${index & 255}`,
      startTime: started,
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: started,
      })),
      containerStatuses: [
        {
          name: 'web',
          image: 'nginx:1.27',
          imageID: '',
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: started } },
        },
      ],
    },
  };
}

/** A server of the answers another gives to kubectl's list, page by page, and to what it asks before. */
async function serveStill(serving: Serving): Promise<{ readonly kubeconfig: string; readonly close: () => void }> {
  const answers = new Map<string, { readonly type: string; readonly text: string }>();
  const client = new WireClient(serving.kubeconfig);
  const fetched = async (path: string, accept: string): Promise<string> => {
    const reply = await client.ask(path, { headers: { accept } });
    answers.set(path, { type: String(reply.headers['content-type']), text: reply.text });
    return reply.text;
  };
  for (const path of ['/api', '/apis']) await fetched(path, DISCOVERY);
  for (let path: string | undefined = '/api/v1/pods?limit=500'; path !== undefined;) {
    const next: string | undefined = asText(dig(JSON.parse(await fetched(path, TABLE)) as JsonObject, 'metadata', 'continue'));
    path = next === undefined || next === '' ? undefined : `/api/v1/pods?continue=${encodeURIComponent(next)}&limit=500`;
  }
  const authority = new Authority(Date.now());
  const { certificate, key } = authority.forServer(['127.0.0.1'], Date.now() - 60_000, Date.now() + 3_600_000);
  const server = createSecureServer({ cert: certificate, key, allowHTTP1: true }, (request, response) => {
    const answer = answers.get(request.url.replace(/\?timeout=\w+$/, ''));
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': answer?.type ?? 'text/plain' });
    response.end(answer?.text ?? request.url);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const kubeconfig = kubeconfigText({
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority: authority.certificate,
    user: 'shop',
    credential: authority.forClient(certificateOf('shop', [], Date.now())),
  });
  return { kubeconfig, close: () => void server.close() };
}

const DISCOVERY =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

function listed(kubeconfig: string, folder: string): Promise<{ readonly milliseconds: number; readonly lines: number }> {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const child = spawn('kubectl', ['get', 'pods', '-A', '--kubeconfig', kubeconfig, '--cache-dir', join(folder, 'cache')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let lines = 0;
    child.stdout.on('data', (part: Buffer) => {
      for (const byte of part) if (byte === 10) lines++;
    });
    child.on('error', reject);
    child.on('close', () => resolve({ milliseconds: Number(process.hrtime.bigint() - start) / 1e6, lines: lines - 1 }));
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
