import { describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseInstant } from '../../../src/base/instant.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ServingOptions } from '../../../src/server/serve.ts';
import { podcheck } from '../../support/command-line.ts';
import type { ServedCluster, WatchUnderWay } from './served-watch.ts';
import { deployment, NEEDS_SETTINGS, served, SETTINGS, startWatch } from './served-watch.ts';
import type { TcpDoor } from './tcp-door.ts';
import { tcpDoor } from './tcp-door.ts';

const PATIENCE = { timeout: 120_000, interval: 100 };
const HUGE = { containers: [{ name: 'web', image: 'nginx:1.27', resources: { requests: { cpu: '900' } } }] };

async function behindDoor(
  options: Partial<ServingOptions> = {},
): Promise<{ readonly cluster: ServedCluster; readonly door: TcpDoor; readonly kubeconfig: string }> {
  const cluster = await served(options);
  const { port, kubeconfig } = cluster.serving;
  const door = await tcpDoor(port);
  return { cluster, door, kubeconfig: cluster.kubeconfig(kubeconfig.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${door.port}`)) };
}

function types(watch: WatchUnderWay): readonly unknown[] {
  return watch.changes().map(({ type }) => type);
}

describe('a watch in trouble', { timeout: 240_000 }, () => {
  it('tells nothing of workloads while the server is away, and goes on when it is back', async () => {
    // Back-offs are real: an hour of this clock between the first kind that is back and the last would be too long.
    const { cluster, door, kubeconfig } = await behindDoor({ speed: 10 });
    const watch = startWatch(cluster, { kubeconfig });
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    await vi.waitFor(() => expect(types(watch)).toEqual(['found']), PATIENCE);
    door.shut();
    await vi.waitFor(() => expect(types(watch).filter((type) => type === 'gap')).toHaveLength(7), PATIENCE);
    cluster.serving.cluster.apply([SETTINGS, deployment('cart', HUGE)]);
    cluster.serving.cluster.advance(600_000);
    expect(types(watch).filter((type) => type !== 'gap')).toEqual(['found']);
    door.open();
    await vi.waitFor(() => {
      for (const [type, count] of [
        ['gap-closed', 7],
        ['cured', 1],
        ['found', 2],
      ] as const)
        expect(
          types(watch).filter((one) => one === type),
          type,
        ).toHaveLength(count);
    }, PATIENCE);
    // Kinds are listed again one by one: a pod that comes before its owners is no workload of its own.
    const workloads = watch.changes().flatMap(({ workload }) => (workload as { readonly name?: string } | undefined)?.name ?? []);
    expect(new Set(workloads)).toEqual(new Set(['web', 'cart']));
  });

  it('tells the rights that were taken away meanwhile, and keeps the causes that it knows', async () => {
    const { cluster, door, kubeconfig } = await behindDoor();
    const manifest = await podcheck(['watch', '--manifest']);
    cluster.serving.cluster.apply(parseAllDocuments(manifest.out).map((one) => one.toJS() as JsonObject));
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    const watch = startWatch(cluster, { kubeconfig, as: 'system:serviceaccount:podcheck:podcheck-watch' });
    await vi.waitFor(() => expect(types(watch)).toEqual(['found']), PATIENCE);
    cluster.serving.cluster.apply([
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'podcheck-watch' },
        rules: [{ apiGroups: ['apps', 'batch'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
      },
    ]);
    door.drop();
    await vi.waitFor(() => expect(types(watch).filter((type) => type === 'gap')).toHaveLength(2), PATIENCE);
    const needs = watch.changes().map(({ gap }) => (gap as { readonly needs?: string } | undefined)?.needs);
    expect(needs.flatMap((need) => need ?? []).toSorted()).toEqual(['watch nodes', 'watch pods in all namespaces']);
    expect(types(watch)).not.toContain('cured');
  });

  it('reckons by the clock of the server where its own is another', async () => {
    const cluster = await served();
    const watch = startWatch(cluster, {}, { clock: () => cluster.wall() - 3_600_000 });
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    await vi.waitFor(() => expect(types(watch)).toEqual(['found']), PATIENCE);
    const [found] = watch.changes();
    expect((parseInstant(found?.['foundAt']) ?? 0) - (parseInstant(found?.['since']) ?? 0)).toBeLessThan(600_000);
  });
});
