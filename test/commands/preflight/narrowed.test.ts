import { describe, expect, it } from 'vitest';
import { podcheck } from '../../support/command-line.ts';
import { folderWith } from '../../support/folder.ts';
import { writePreflightLoad } from './loads.ts';

const TIMEOUT = 120_000;
const NODES = 6;
const PODS = 600;

function node(index: number): object {
  const resources = { cpu: index < 2 ? '16' : '8', memory: '32Gi', pods: '220' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${index}`, labels: { 'kubernetes.io/hostname': `node-${index}` } },
    status: { capacity: resources, allocatable: resources, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function pod(index: number): object {
  const requests = { cpu: `${40 + (index % 7)}m`, memory: '64Mi' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `kiosk-${index}`, namespace: `far-${index % 3}`, uid: `kiosk-${index}` },
    spec: { nodeName: `node-${index % NODES}`, containers: [{ name: 'kiosk', image: 'shop/kiosk:1', resources: { requests } }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          name: 'kiosk',
          image: 'shop/kiosk:1',
          imageID: 'sha256:1',
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: '2026-01-14T09:00:00Z' } },
        },
      ],
    },
  };
}

const SAVED = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    ...Array.from({ length: NODES }, (_, index) => node(index)),
    ...Array.from({ length: PODS }, (_, index) => pod(index)),
  ],
});

function deployment(name: string, replicas: number, cpu: string): object {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name, image: 'shop/kiosk:1', resources: { requests: { cpu } } }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

/** Too large for every node, too large for all but two, and more of them than there is room for: where each pod goes is not left to scores. */
const WANTED = [deployment('huge', 1, '20'), deployment('large', 2, '10'), deployment('many', 13, '3')];

interface Answer {
  readonly workloads: readonly {
    readonly verdict: string;
    readonly obstacles: readonly { readonly rule: string; readonly says: string }[];
  }[];
}

async function answerWith(more: readonly object[]): Promise<Answer> {
  const items = [...more, ...WANTED];
  const folder = folderWith({ 'saved.json': SAVED, 'shop.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  const { out } = await podcheck(['preflight', '-f', `${folder}/shop.json`, '--from', `${folder}/saved.json`, '-o', 'json']);
  return JSON.parse(out) as Answer;
}

describe('a cluster with many pods of others', () => {
  it(
    'has as much room when only what those pods request is left of them',
    async () => {
      const narrowed = await answerWith([]);
      // A class of its own may push others away: then all pods are cloned.
      const whole = await answerWith([
        { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'unused' }, value: 1 },
      ]);
      expect(narrowed.workloads.map(({ verdict }) => verdict)).toEqual(['blocked', 'unknown', 'blocked']);
      const first = ({ workloads }: Answer): readonly unknown[] =>
        workloads.map(({ verdict, obstacles: [one] }) => [verdict, one?.rule, one?.says]);
      expect(first(narrowed)).toEqual(first(whole));
    },
    TIMEOUT,
  );

  it(
    'is judged for twenty workloads at once',
    async () => {
      const { snapshot, manifests, blocked } = writePreflightLoad(folderWith(), 60);
      const { code, out } = await podcheck(['preflight', '-f', manifests, '--from', snapshot, '-o', 'json']);
      const { workloads } = JSON.parse(out) as Answer;
      expect(code).toBe(1);
      expect(workloads).toHaveLength(20);
      expect(workloads.filter(({ verdict }) => verdict === 'blocked')).toHaveLength(blocked);
    },
    TIMEOUT,
  );
});
