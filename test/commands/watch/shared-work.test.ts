import { describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../../src/base/json.ts';
import { parseInstant } from '../../../src/base/instant.ts';
import { asText, asTextMap, dig } from '../../../src/base/json.ts';
import type { WatchOptions } from '../../../src/commands/watch/watch.ts';
import { LEASE_TIMES } from '../../../src/watch/members.ts';
import { podcheck } from '../../support/command-line.ts';
import { schemaProblems } from '../../support/schema-problems.ts';
import type { ServedCluster, WatchUnderWay } from './served-watch.ts';
import { deployment, NEEDS_SETTINGS, served, SETTINGS, startWatch } from './served-watch.ts';
import { tcpDoor } from './tcp-door.ts';

const PATIENCE = { timeout: 120_000, interval: 100 };
const STATE: WatchOptions = { stateNamespace: 'podcheck', as: 'system:serviceaccount:podcheck:podcheck-watch' };

/** A served cluster with all that `--manifest` prints but the Deployment, which would run nothing. */
async function installed(...words: readonly string[]): Promise<ServedCluster> {
  const cluster = await served();
  const { out } = await podcheck(['watch', '--manifest', ...words]);
  const objects = parseAllDocuments(out).map((one) => one.toJS() as JsonObject);
  const failures = cluster.serving.cluster
    .apply(objects.filter(({ kind }) => kind !== 'Deployment'))
    .flatMap(({ failure }) => failure ?? []);
  expect(failures).toEqual([]);
  return cluster;
}

async function kept(cluster: ServedCluster, slot = 0): Promise<readonly string[]> {
  const read = await cluster.serving.cluster.reader().get({ kind: 'ConfigMap', namespace: 'podcheck', name: `podcheck-watch-${slot}` });
  return read.ok ? Object.keys(asTextMap(dig(read.value, 'data'))) : ['unread'];
}

/** Whether a Lease was held so long that its replica has a share, and all others know of it. */
async function heldFor(cluster: ServedCluster, slot: number): Promise<boolean> {
  const read = await cluster.serving.cluster.reader().get({ kind: 'Lease', namespace: 'podcheck', name: `podcheck-watch-${slot}` });
  const spec = read.ok ? dig(read.value, 'spec') : undefined;
  const held = (parseInstant(dig(spec, 'renewTime')) ?? 0) - (parseInstant(dig(spec, 'acquireTime')) ?? Infinity);
  return held >= LEASE_TIMES.settle + 2 * LEASE_TIMES.retry;
}

function causes(watches: readonly WatchUnderWay[], type: string): readonly string[] {
  return watches
    .flatMap((watch) => watch.changes())
    .filter((change) => change['type'] === type)
    .map((change) => asText(dig(change, 'workload', 'namespace')) ?? '')
    .toSorted();
}

describe('a watch that is started again', { timeout: 240_000 }, () => {
  it('does not tell again what it has told, and tells what was cured meanwhile', async () => {
    const cluster = await installed();
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    const first = startWatch(cluster, STATE);
    await vi.waitFor(() => expect(first.changes()).toMatchObject([{ type: 'found' }]), PATIENCE);
    // At the latest, it is written at the end.
    await first.stop();
    expect(await kept(cluster)).toEqual(['Deployment.default.web']);
    const second = startWatch(cluster, { ...STATE, serve: '127.0.0.1:0' });
    await vi.waitFor(() => expect(second.notes()).toContain('serving'), PATIENCE);
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(second.notes()) ?? [];
    await vi.waitFor(async () => {
      const { causes: known } = (await (await fetch(`${url}/causes`)).json()) as { causes: readonly { evidence: readonly object[] }[] };
      expect(known).toMatchObject([{ workload: { name: 'web' }, times: 1 }]);
      expect(known[0]?.evidence.length).toBeGreaterThan(0);
    }, PATIENCE);
    expect(second.changes()).toEqual([]);
    await second.stop();
    cluster.serving.cluster.apply([SETTINGS]);
    const third = startWatch(cluster, STATE);
    await vi.waitFor(() => expect(third.changes()).toMatchObject([{ type: 'cured', rule: 'volumes/configmap-not-found' }]), PATIENCE);
    await vi.waitFor(async () => expect(await kept(cluster)).toEqual([]), PATIENCE);
  });

  it('tells the right that it lacks, and works without what it would keep', async () => {
    const cluster = await installed();
    cluster.serving.cluster.apply([
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'podcheck-watch-state', namespace: 'podcheck' },
        rules: [],
      },
      deployment('web', NEEDS_SETTINGS),
    ]);
    const watch = startWatch(cluster, STATE);
    await vi.waitFor(() => expect(causes([watch], 'found')).toEqual(['default']), PATIENCE);
    await vi.waitFor(() => {
      const needs = watch.changes().flatMap((change) => asText(dig(change, 'gap', 'needs')) ?? []);
      expect(needs.toSorted()).toEqual(['patch configmaps in podcheck', 'patch leases.coordination.k8s.io in podcheck']);
    }, PATIENCE);
    for (const change of watch.changes()) expect(schemaProblems('watch.v1.json', change)).toEqual([]);
  });
});

describe('replicas of a watch', { timeout: 240_000 }, () => {
  it('tell each cause once, also when one of them is lost', async () => {
    const cluster = await installed('--replicas', '3');
    const names = Array.from({ length: 12 }, (_, number) => `team-${String(number).padStart(2, '0')}`);
    const add = (some: readonly string[]): void => {
      const objects = some.flatMap((name) => [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
        { ...deployment('web', NEEDS_SETTINGS, 1), metadata: { name: 'web', namespace: name } },
      ]);
      expect(cluster.serving.cluster.apply(objects).flatMap(({ failure }) => failure ?? [])).toEqual([]);
    };
    const { port, kubeconfig } = cluster.serving;
    const doors = await Promise.all([0, 1, 2].map(() => tcpDoor(port)));
    const watches = doors.map((door) => {
      const own = kubeconfig.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${door.port}`);
      return startWatch(cluster, { ...STATE, replicas: '3', kubeconfig: cluster.kubeconfig(own) });
    });
    await vi.waitFor(
      async () => expect(await Promise.all([0, 1, 2].map((slot) => heldFor(cluster, slot)))).toEqual([true, true, true]),
      PATIENCE,
    );
    add(names.slice(0, 8));
    await vi.waitFor(() => expect(causes(watches, 'found')).toEqual(names.slice(0, 8)), PATIENCE);
    // All of them have a part.
    for (const watch of watches) expect(causes([watch], 'found')).not.toEqual([]);
    // What a lost replica has told and not yet written is told again: that is waited for, all of it.
    await vi.waitFor(async () => {
      const written = await Promise.all([0, 1, 2].map((slot) => kept(cluster, slot)));
      expect(written.flat().toSorted()).toEqual(names.slice(0, 8).map((name) => `Deployment.${name}.web`));
    }, PATIENCE);
    // Lost: it can neither be asked nor ask.
    doors[2]?.shut();
    add(names.slice(8));
    await vi.waitFor(() => expect(causes(watches, 'found')).toEqual(names), PATIENCE);
    cluster.serving.cluster.apply(names.map((namespace) => ({ ...SETTINGS, metadata: { name: 'web-settings', namespace } })));
    await vi.waitFor(() => expect(causes(watches, 'cured')).toEqual(names), PATIENCE);
    expect(causes(watches, 'found')).toEqual(names);
    for (const slot of [0, 1, 2]) await vi.waitFor(async () => expect(await kept(cluster, slot)).toEqual([]), PATIENCE);
  });

  it.each([
    [['--replicas', '3'], '--replicas needs --state-namespace'],
    [['--replicas', '0', '--state-namespace', 'podcheck'], '--replicas: "0" is not a number from 1 to 16'],
    [['--state-namespace', 'Shop'], '--state-namespace: "Shop" is not a valid namespace'],
    [['--manifest', '--replicas', 'many'], '--replicas: "many" is not a number from 1 to 16'],
  ])('refuses %j', async (words, says) => {
    const { code, out, err } = await podcheck(['watch', ...words]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });
});
