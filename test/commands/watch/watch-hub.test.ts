import { describe, expect, it, vi } from 'vitest';
import { hubSources } from '../../../src/commands/watch/watch-hub.ts';
import { podcheck } from '../../support/command-line.ts';
import { schemaProblems } from '../../support/schema-problems.ts';
import type { WatchUnderWay } from './served-watch.ts';
import { deployment, NEEDS_SETTINGS, served, SETTINGS, startWatch } from './served-watch.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };

async function urlOf(watch: WatchUnderWay): Promise<string> {
  await vi.waitFor(() => expect(watch.notes()).toContain('serving http://127.0.0.1:'), PATIENCE);
  return /http:\/\/127\.0\.0\.1:\d+/.exec(watch.notes())?.[0] ?? '';
}

describe('podcheck watch --hub', { timeout: 120_000 }, () => {
  it('shows the causes of several watches, serves them, and says which does not answer', async () => {
    const clusters = [await served(), await served()];
    const watches = clusters.map((cluster) => startWatch(cluster, { serve: '127.0.0.1:0' }));
    const [prod = '', staging = ''] = await Promise.all(watches.map(urlOf));
    const [first, second] = clusters;
    if (first === undefined || second === undefined) return expect.fail('there are two');
    for (const { serving } of clusters) serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    const options = { hub: [`prod=${prod}`, `staging=${staging}/causes`], allNamespaces: undefined, kubeconfig: undefined };
    const hub = startWatch(first, { ...options, serve: '127.0.0.1:0' } as never);
    await vi.waitFor(
      () => expect(hub.changes().map(({ cluster }) => cluster)).toEqual(expect.arrayContaining(['prod', 'staging'])),
      PATIENCE,
    );
    expect(hub.changes()).toHaveLength(2);
    for (const change of hub.changes()) expect(schemaProblems('watch.v1.json', change)).toEqual([]);
    const url = await urlOf(hub);
    expect(schemaProblems('causes.v1.json', (await (await fetch(`${url}/causes`)).json()) as object)).toEqual([]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('podcheck_cause{cluster="prod",rule="volumes/configmap-not-found"');
    expect(await (await fetch(url)).text()).toContain('staging: Deployment default/web');
    second.serving.cluster.apply([SETTINGS]);
    await vi.waitFor(() => expect(hub.changes().at(-1)).toMatchObject({ type: 'cured', cluster: 'staging' }), PATIENCE);
    await watches[0]?.stop();
    await vi.waitFor(
      () => expect(hub.changes().at(-1)).toMatchObject({ type: 'gap', gap: { cluster: 'prod', resource: 'causes' } }),
      PATIENCE,
    );
    expect(await hub.stop()).toBe(130);
  });

  it('takes a name or makes one of the address', () => {
    expect(hubSources(['prod=https://a.example', 'http://b.example:8080/x']).map(({ name, url }) => [name, url.href])).toEqual([
      ['prod', 'https://a.example/causes'],
      ['b.example:8080', 'http://b.example:8080/x'],
    ]);
  });

  it.each([
    [['--hub', 'prod'], '--hub: "prod" is not a valid URL'],
    [['--hub', 'a=http://x', 'a=http://y'], '--hub: two clusters are named "a"'],
    [['--hub', 'http://x', '-n', 'shop'], '--hub and --namespace cannot be used together'],
    [['--hub', 'http://x', '--state-namespace', 'shop'], '--hub and --state-namespace cannot be used together'],
  ])('refuses %j', async (words, says) => {
    const { code, out, err } = await podcheck(['watch', ...words]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });
});
