import { describe, expect, it } from 'vitest';
import type { Told } from '../../src/page/messages.ts';
import type { Picture } from '../../src/page/picture.ts';
import { PLACES } from '../../src/page/picture.ts';
import { openHost, slowClock } from '../support/page-host.ts';

const WEB = 'volumes/configmap-not-found';

function pictureIn(told: readonly Told[]): Picture | undefined {
  return told.flatMap((one) => (one.tell === 'picture' ? [one.picture] : [])).at(-1);
}

describe('the page', () => {
  it('names the cause of a scenario, and shows its pods where they stand', async () => {
    const { line, told } = await openHost(WEB);
    expect(await line('podcheck diagnose web -n shop')).toContain(`Rule     ${WEB}`);
    expect(await line('podcheck scan -A')).toContain('1 unhealthy; 1 cause');
    const picture = pictureIn(told);
    expect(picture?.isPlayed).toBe(true);
    expect(picture?.nodes.map(({ name }) => name)).toEqual(['worker-1', 'worker-2', 'worker-3']);
    expect(picture?.dots.map(({ place }) => PLACES[place])).toEqual(['volumes, network', 'volumes, network']);
  });

  it('lets a drill be solved by its console alone', async () => {
    const { ask, line } = await openHost(WEB, true);
    expect(await line('podcheck drill check')).toContain('Not fixed yet.');
    expect(await line('kubectl describe pod -n shop')).toContain('configmap "web-settings" not found');
    expect(await line(`podcheck drill answer ${WEB}`)).toContain(`Right: ${WEB}`);
    const manifest =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web-settings, namespace: shop }\ndata: { settings.yaml: "a: b" }\n';
    expect(await ask({ do: 'line', line: 'kubectl apply -f settings.yaml' })).toContainEqual(
      expect.objectContaining({ tell: 'answer', edit: { name: 'settings.yaml', text: '' } }),
    );
    expect(await line('kubectl apply -f settings.yaml', manifest)).toBe('configmap/web-settings created');
    await line('sleep 5m');
    expect(await line('podcheck drill check')).toContain('All faults are fixed.');
    expect(await line('podcheck drill status')).toContain('the run is over: fixed');
  });

  it('goes back to any moment, and comes the same way again', async () => {
    const { ask, line } = await openHost(WEB);
    await line('kubectl scale deploy web -n shop --replicas=3');
    await line('sleep 30s');
    const before = await line('kubectl get pods -n shop -o wide');
    expect(before.split('\n')).toHaveLength(4);
    const end = pictureIn(await ask({ do: 'step' }))?.elapsed ?? 0;
    expect(pictureIn(await ask({ do: 'back', to: 1000 }))?.dots).toHaveLength(2);
    expect(end).toBeGreaterThan(30_000);
  });

  it('plays the same from a link', async () => {
    const { ask, line } = await openHost(WEB);
    await line('kubectl scale deploy web -n shop --replicas=3');
    await line('sleep 31m');
    const pods = await line('kubectl get pods -n shop -o wide');
    const [link] = (await ask({ do: 'share' })).flatMap((one) => (one.tell === 'link' ? [one.link] : []));
    expect(link?.length).toBeLessThan(2048);
    const other = await openHost();
    const told = await other.ask({ do: 'link', link: link ?? '' });
    expect(told.flatMap((one) => (one.tell === 'answer' ? [one.output] : []))).toContain(pods);
    expect(await other.line('kubectl get pods -n shop -o wide')).toBe(pods);
  });

  it('runs nothing of a link that somebody changed', async () => {
    const { ask, line } = await openHost(WEB);
    await line('kubectl delete deploy web -n shop');
    const [link = ''] = (await ask({ do: 'share' })).flatMap((one) => (one.tell === 'link' ? [one.link] : []));
    const other = await openHost();
    const changed = link.replace(/\.([\w-]{8})$/, '.AAAAAAAA');
    expect(await other.ask({ do: 'link', link: changed })).toEqual([
      { tell: 'trouble', says: 'This link was changed after it was made. Nothing was run.' },
    ]);
    expect(await other.ask({ do: 'link', link: link.replace('1.2.3', '1.2.4') })).toEqual([
      { tell: 'trouble', says: expect.stringContaining('made with podcheck 1.2.4; this is 1.2.3') as string },
    ]);
  });

  it('tells line and column of broken YAML, and runs nothing of it', async () => {
    const { ask, line } = await openHost(WEB);
    const told = await ask({ do: 'save', line: 'kubectl apply -f web.yaml', text: 'apiVersion: v1\nkind: Pod\nmetadata: {name: web\n' });
    expect(told[0]).toMatchObject({ tell: 'broken', line: 4, column: 1 });
    expect(told.some((one) => one.tell === 'answer')).toBe(false);
    expect(await line('kubectl get pods')).toBe('No resources found in default namespace.');
  });

  it('refuses more pods than a page can simulate', async () => {
    const { line } = await openHost('healthy/deployment');
    const pods = Array.from(
      { length: 5000 },
      (_, at) => `apiVersion: v1\nkind: Pod\nmetadata: {name: p-${at}}\nspec: {containers: [{name: a, image: nginx}]}\n`,
    );
    expect(await line('kubectl apply -f pods.yaml', pods.join('---\n'))).toMatch(
      /^error: 50\d\d pods are too many for this page: it simulates up to 1000$/,
    );
    expect(await line('kubectl scale deploy web -n shop --replicas=5000')).toContain('too many');
    expect(await line('kubectl patch deploy web -n shop -p \'{"spec":{"replicas":5000}}\'')).toContain('too many');
  });

  it('lets time pass as fast as it is told, and stand still', async () => {
    const { host, ask, told } = await openHost(WEB);
    const before = pictureIn(told)?.elapsed ?? 0;
    host.tick(100);
    await ask({ do: 'speed', speed: 10 });
    expect(pictureIn(told)?.elapsed).toBe(before);
    for (let at = 0; at < 10; at++) host.tick(100);
    expect(pictureIn(told)?.elapsed).toBeCloseTo(before + 10_000, -2);
  });

  it('lets less time pass where the machine is too slow for it', async () => {
    const { host, ask, told } = await openHost(WEB, false, slowClock(3));
    await ask({ do: 'speed', speed: 10 });
    const before = pictureIn(told)?.elapsed ?? 0;
    host.tick(100);
    const passed = (pictureIn(told)?.elapsed ?? 0) - before;
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThan(1000);
  });

  it('lets time pass in an empty cluster, by pieces of a millisecond', async () => {
    const { host, ask, told } = await openHost('healthy/deployment');
    await ask({ do: 'speed', speed: 1 });
    for (let at = 0; at < 50; at++) host.tick(16.7 + at / 1000);
    expect(pictureIn(told)?.elapsed).toBeGreaterThan(0);
  });

  it('completes words, kinds and names', async () => {
    const { ask } = await openHost(WEB);
    const words = async (line: string): Promise<readonly string[]> =>
      (await ask({ do: 'complete', line })).flatMap((one) => (one.tell === 'completions' ? one.words : []));
    expect(await words('kube')).toEqual(['kubectl']);
    expect(await words('kubectl desc')).toEqual(['describe']);
    expect(await words('kubectl get deploy -n shop w')).toEqual(['web']);
    expect(await words('kubectl get pods -n sh')).toEqual(['shop']);
  });
});
