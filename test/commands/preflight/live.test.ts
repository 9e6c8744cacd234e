import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { AuditEntry } from '../../../src/model/audit.ts';
import type { Serving } from '../../../src/server/serve.ts';
import { startServing } from '../../../src/server/serve.ts';
import { createCluster } from '../../../src/simulator/index.ts';
import type { Ran } from '../../support/command-line.ts';
import { podcheck } from '../../support/command-line.ts';
import { folderWith } from '../../support/folder.ts';

const QUOTA: JsonObject = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team' }, spec: { hard: { 'requests.cpu': '1' } } };
const READER: JsonObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'reader' },
  rules: [{ apiGroups: [''], resources: ['resourcequotas', 'limitranges', 'pods'], verbs: ['list'] }],
};
const READS: JsonObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'reader' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bert' }],
};
const heard: AuditEntry[] = [];
let serving: Serving;

function pod(cpu: string): string {
  const containers = [{ name: 'till', image: 'shop/till:1', resources: { requests: { cpu } } }];
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'till' }, spec: { containers } });
}

beforeAll(async () => {
  const cluster = createCluster({ seed: 1, preset: 'one-node' });
  cluster.apply([QUOTA, READER, READS], { namespace: 'default' });
  cluster.advance(60_000);
  serving = await startServing({ cluster, audit: (entry) => heard.push(entry) });
});
afterAll(() => serving.close());

interface Told {
  readonly workloads: readonly { readonly verdict: string; readonly obstacles: readonly unknown[] }[];
  readonly gaps: readonly { readonly needs?: string }[];
}

async function preflight(text: string, cpu: string, context = 'podcheck'): Promise<Ran> {
  const kubeconfig = join(folderWith({ config: text }), 'config');
  return podcheck(['preflight', '-f', '-', '--context', context, '--kubeconfig', kubeconfig, '-o', 'json'], { stdin: pod(cpu) });
}

describe('preflight against a live cluster', () => {
  it('knows what is there, and writes nothing', async () => {
    heard.splice(0);
    const [refused, fits] = [await preflight(serving.kubeconfig, '2'), await preflight(serving.kubeconfig, '500m')];
    expect([refused.code, fits.code]).toEqual([1, 0]);
    expect(refused.out).toContain('exceeds ResourceQuota team in namespace default');
    expect(new Set(heard.map(({ verb }) => verb))).toEqual(new Set(['', 'list']));
    expect(heard.filter(({ verb }) => verb === '').every(({ path }) => /^\/(?:version|apis?)\b/.test(path))).toBe(true);
  });

  it('does not say that it starts where it may see nothing', async () => {
    const { out } = await preflight(serving.kubeconfigFor('anna', []), '2');
    const { workloads, gaps } = JSON.parse(out) as Told;
    expect(workloads.map(({ verdict, obstacles }) => [verdict, obstacles])).toEqual([['unknown', []]]);
    expect(gaps.map(({ needs }) => needs)).toEqual(
      expect.arrayContaining(['list nodes', 'list pods in all namespaces', 'list resourcequotas in default', 'kubectl get nodes -o yaml']),
    );
  });

  it('uses what may be read in the namespace alone', async () => {
    const { code, out } = await preflight(serving.kubeconfigFor('bert', []), '2');
    const { workloads, gaps } = JSON.parse(out) as Told;
    expect([code, workloads.map(({ verdict }) => verdict)]).toEqual([1, ['blocked']]);
    expect(out).toContain('exceeds ResourceQuota team in namespace default');
    const needs = gaps.map((gap) => gap.needs ?? '');
    expect(needs).toContain('list nodes');
    expect(needs.filter((need) => need.includes('resourcequotas'))).toEqual([]);
  });

  it('says which contexts there are where the one that is named is not', async () => {
    const { code, err } = await preflight(serving.kubeconfig, '1', 'elsewhere');
    expect([code, err]).toEqual([2, expect.stringContaining('elsewhere')]);
  });
});
