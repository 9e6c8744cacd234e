import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeProblem } from '../../../src/report/pipeline/diagnosis-checks.ts';
import { sarifJson } from '../../../src/report/pipeline/sarif.ts';
import { CAUSE } from '../../support/diagnoses.ts';

const PODS_A_NODE = 10;
const NAMESPACES = 50;
const WORKLOADS = 20;
const FINDINGS = 1000;

/** A snapshot of so many nodes with ten pods each, and the manifests of 20 workloads, of which a quarter fits on no node. */
export function writePreflightLoad(
  folder: string,
  nodes = 1000,
): { readonly snapshot: string; readonly manifests: string; readonly blocked: number } {
  const [snapshot, manifests] = [join(folder, 'snapshot.json'), join(folder, 'manifests.json')];
  const namespaces = ['shop', ...Array.from({ length: NAMESPACES }, (_, index) => `shop-${index}`)];
  const items = [
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...Array.from({ length: nodes }, (_, index) => node(index)),
    ...Array.from({ length: nodes * PODS_A_NODE }, (_, index) => pod(index, nodes)),
  ];
  writeFileSync(snapshot, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  writeFileSync(
    manifests,
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: Array.from({ length: WORKLOADS }, (_, index) => deployment(index)) }),
  );
  return { snapshot, manifests, blocked: WORKLOADS / 4 };
}

/** Seconds that 1,000 findings take as SARIF, and how many results it has. */
export function sarifSeconds(): { readonly seconds: number; readonly results: number } {
  const checks = Array.from({ length: FINDINGS }, (_, index) => {
    const ref = { kind: 'Deployment', namespace: 'shop', name: `web-${index}` };
    const place = { file: 'shop/web.yaml', line: index + 1, column: 7 };
    return { ref, verdict: 'failed' as const, place, problems: [causeProblem(CAUSE, 'error', { subject: ref, place })] };
  });
  const start = performance.now();
  const log = JSON.parse(JSON.stringify(sarifJson(checks, '0.1.0'))) as {
    readonly runs: readonly [{ readonly results: readonly unknown[] }];
  };
  return { seconds: (performance.now() - start) / 1000, results: log.runs[0].results.length };
}

function node(index: number): object {
  const resources = { cpu: index % 3 === 0 ? '16' : '8', memory: '32Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `worker-${index}`,
      labels: { 'kubernetes.io/hostname': `worker-${index}`, 'topology.kubernetes.io/zone': `zone-${index % 3}` },
    },
    status: { capacity: resources, allocatable: resources, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function pod(index: number, nodes: number): object {
  const name = `kiosk-${index}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: `shop-${index % NAMESPACES}`, uid: name, labels: { app: 'kiosk' } },
    spec: {
      nodeName: `worker-${index % nodes}`,
      containers: [{ name: 'kiosk', image: 'shop/kiosk:1', resources: { requests: { cpu: '200m', memory: '256Mi' } } }],
    },
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

function deployment(index: number): object {
  const name = `web-${index}`;
  const labels = { app: name };
  const requests = { cpu: index % 4 === 0 ? '100' : '100m' };
  const container = { name, image: `shop/${name}:1`, resources: { requests } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  };
}
