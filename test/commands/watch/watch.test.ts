import { describe, expect, it, vi } from 'vitest';
import { podcheck } from '../../support/command-line.ts';
import { schemaProblems } from '../../support/schema-problems.ts';
import { deployment, NEEDS_SETTINGS, served, SETTINGS, startWatch } from './served-watch.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };

describe('podcheck watch on a served cluster', { timeout: 120_000 }, () => {
  it('tells a cause once when its normal time is over, and once when it is cured', async () => {
    const cluster = await served();
    const watch = startWatch(cluster);
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    await vi.waitFor(() => expect(watch.changes()).toHaveLength(1), PATIENCE);
    expect(watch.changes()[0]).toMatchObject({
      schema: 'podcheck.watch/v1',
      type: 'found',
      rule: 'volumes/configmap-not-found',
      stage: 'volumes',
      workload: { kind: 'Deployment', namespace: 'default', name: 'web' },
      object: { kind: 'ConfigMap', namespace: 'default', name: 'web-settings' },
      pods: 2,
      times: 1,
    });
    cluster.serving.cluster.apply([SETTINGS]);
    await vi.waitFor(() => expect(watch.changes()).toHaveLength(2), PATIENCE);
    const [found, cured] = watch.changes();
    for (const change of watch.changes()) expect(schemaProblems('watch.v1.json', change)).toEqual([]);
    expect(cured).toMatchObject({ type: 'cured', fingerprint: found?.['fingerprint'], ended: 'well' });
    expect(await watch.stop()).toBe(130);
  });
});

describe('podcheck watch', () => {
  it.each([
    [['-n', 'shop', '-A'], '-n and -A cannot be used together'],
    [['--concurrency', '0'], '--concurrency: "0" is not a number from 1 to 32'],
    [['-o', 'yaml'], 'unknown output format "yaml" for podcheck watch'],
    [['--from', 'dump.json'], 'podcheck watch has no flag --from'],
  ])('refuses %j', async (words, says) => {
    const { code, out, err } = await podcheck(['watch', ...words]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });

  it('ends with 3 where no cluster answers', async () => {
    const { serving, kubeconfig } = await served();
    const file = kubeconfig(serving.kubeconfig.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1'));
    const { code, err } = await podcheck(['watch', '-A', '--kubeconfig', file]);
    expect(code).toBe(3);
    expect(err).toContain('was refused');
  });
});
