import type { JsonObject } from '../../src/base/json.ts';
import type { JournalEntry } from '../../src/model/journal.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { createCluster } from '../../src/simulator/index.ts';

export const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };

/** The first record of a run in the shop. */
export const RUN_HEAD: JournalEntry = {
  type: 'run',
  run: 'web-1',
  playbook: 'shop-trouble',
  word: '',
  digest: '',
  copy: null,
  params: {},
  given: [],
  target: 'Deployment/shop/web',
  known: {},
  mode: 'run',
  who: '',
  context: '',
  versions: {},
  alerts: [],
};

/** A shop whose web Deployment is well, or wants what `trouble` makes of its pod. */
export function shop(trouble: JsonObject = {}, container: JsonObject = {}): Cluster {
  const cluster = createCluster({ seed: 4, preset: 'three-nodes' });
  cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }]);
  cluster.apply([web(trouble, container)]);
  cluster.runUntilSettled({ milliseconds: 120_000 });
  return cluster;
}

export function web(trouble: JsonObject = {}, container: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'nginx:1.27', ...container }], ...trouble },
      },
    },
  };
}

/** A playbook with these steps; the first word of a line is at the margin. */
export function steps(text: string, head = ''): string {
  return `title: Trouble in the shop\nuse: When the shop is in trouble.\nfor: {}\n${head}escalation: Call the owner of the shop.\nsteps:\n${text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}\n`;
}
