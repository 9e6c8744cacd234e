import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const TIMEOUT = 60_000;

describe('sim try --from', () => {
  const node = (name: string, taints: readonly object[]): object => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: { taints },
    status: {
      capacity: { cpu: '2', memory: '4Gi', pods: '110' },
      allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });
  const pod = (name: string, cpu: string): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop' },
    spec: { nodeName: 'oak', containers: [{ name: 'till', image: 'shop/till:1', resources: { requests: { cpu } } }] },
    status: { phase: 'Running' },
  });
  const list = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const cluster = list([
    node('oak', []),
    node('elm', [{ key: 'for', value: 'cash', effect: 'NoSchedule' }]),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    pod('till-1', '900m'),
    pod('till-2', '900m'),
  ]);
  const kiosk = (cpu: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'kiosk', namespace: 'shop' },
      spec: {
        containers: [
          { name: 'kiosk', image: 'shop/kiosk:1', resources: { requests: { cpu } }, envFrom: [{ configMapRef: { name: 'prices' } }] },
        ],
      },
    });

  it(
    'finds no room where the saved pods and taints leave none',
    async () => {
      const folder = folderWith({ 'saved.json': cluster, 'kiosk.json': kiosk('500m') });
      const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/kiosk.json`, '--from', `${folder}/saved.json`]);
      expect(code).toBe(1);
      expect(out.replaceAll(/[\s│]+/g, ' ')).toContain('0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s)');
    },
    TIMEOUT,
  );

  it(
    'names what it takes for granted and what it could not look at, and is not certain then',
    async () => {
      const folder = folderWith({ 'saved.json': cluster, 'kiosk.json': kiosk('100m') });
      const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/kiosk.json`, '--from', `${folder}/saved.json`]);
      expect(code).toBe(3);
      expect(out).toContain('would become healthy, as far as checked');
      const granted = out.split('ASSUMED')[1];
      expect(granted).toContain('shop/kiosk:1');
      expect(granted).not.toContain('shop/till:1');
      expect(out).toContain('resourcequotas, limitranges were not collected');
      expect(out).toContain('kubectl -n shop get configmap prices -o yaml');
    },
    TIMEOUT,
  );

  it(
    'says what of the source is not in the simulated cluster',
    async () => {
      const folder = folderWith({
        'saved.json': list([
          ...(JSON.parse(cluster) as { items: object[] }).items,
          { apiVersion: 'shop.example/v1', kind: 'Basket', metadata: { name: 'today', namespace: 'shop' } },
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'half', namespace: 'shop' }, status: { phase: 'Running' } },
        ]),
        'kiosk.json': kiosk('100m'),
      });
      const { out } = await podcheck(['sim', 'try', '-f', `${folder}/kiosk.json`, '--from', `${folder}/saved.json`]);
      expect(out.replaceAll(/\s+/g, ' ')).toContain(
        'NOT IN THE SIMULATED CLUSTER - Pod: not enough of it was seen: spec.containers is missing or wrong (shop/half)',
      );
    },
    TIMEOUT,
  );

  it(
    'takes no preset beside it',
    async () => {
      const folder = folderWith({ 'saved.json': cluster, 'kiosk.json': kiosk('100m') });
      const { code, err } = await podcheck([
        'sim',
        'try',
        '-f',
        `${folder}/kiosk.json`,
        '--from',
        `${folder}/saved.json`,
        '--cluster',
        'one-node',
      ]);
      expect([code, err]).toEqual([2, expect.stringContaining('--cluster and --from cannot be used together')]);
    },
    TIMEOUT,
  );

  it(
    'names the option, and not the manifest, when there is no such preset',
    async () => {
      const folder = folderWith({ 'kiosk.json': kiosk('100m') });
      const { code, err } = await podcheck(['sim', 'try', '-f', `${folder}/kiosk.json`, '--cluster', 'one-nod']);
      expect([code, err]).toEqual([2, expect.stringContaining('--cluster: unknown preset "one-nod"')]);
    },
    TIMEOUT,
  );
});
