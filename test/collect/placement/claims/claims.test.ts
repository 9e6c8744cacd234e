import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, objectOf } from '../../../support/collected.ts';

/** A pod without a node, if nothing else is said, with a volume of each claim. */
function pod(name: string, claims: readonly string[], more: { readonly spec?: JsonObject; readonly status?: JsonObject } = {}): KubeObject {
  const volumes = claims.map((claimName) => ({ name: `of-${claimName}`, persistentVolumeClaim: { claimName } }));
  const spec = { containers: [{ name: 'web', image: 'nginx' }], volumes, ...more.spec };
  return objectOf('Pod', name, { spec, status: { phase: 'Pending', ...more.status } });
}

/** A Deployment of which no pod is there. */
function deployment(name: string, replicas: number): KubeObject {
  const volumes = [
    { name: 'drawer', persistentVolumeClaim: { claimName: name } },
    { name: 'scratch', emptyDir: {} },
  ];
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'till', image: 'nginx' }], volumes } };
  return objectOf('Deployment', name, { spec: { replicas, selector: { matchLabels: { app: name } }, template }, status: {} });
}

function claim(name: string, spec: JsonObject, phase = 'Pending', metadata: JsonObject = {}): KubeObject {
  const whole = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec };
  return objectOf('PersistentVolumeClaim', name, { spec: whole, status: { phase } }, metadata);
}

function volume(name: string, spec: JsonObject): KubeObject {
  const whole = { storageClassName: 'gold', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec };
  return objectOf('PersistentVolume', name, { spec: whole, status: { phase: 'Available' } });
}

function storageClass(name: string, isDefault: boolean): KubeObject {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': String(isDefault) };
  return { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name, annotations }, provisioner: 'disk.csi.example' };
}

const SHOP: readonly KubeObject[] = [
  pod('web', ['prices', 'price', 'stock']),
  { ...pod('gone', ['a']), metadata: { name: 'gone', namespace: 'shop', deletionTimestamp: ago(5) } },
  pod('failed', ['b'], { status: { phase: 'Failed' } }),
  pod('placed', ['c'], { spec: { nodeName: 'worker-1' } }),
  deployment('till', 1),
  deployment('shut', 0),
  claim('price', { storageClassName: 'golden' }),
  claim('stock', { storageClassName: 'gold', volumeName: 'pv-stock' }, 'Bound'),
  claim('till', { storageClassName: 'gold' }, 'Pending', { deletionTimestamp: ago(5) }),
  volume('pv-stock', { claimRef: { namespace: 'shop', name: 'stock' } }),
  volume('pv-small', { capacity: { storage: '1Mi' } }),
  storageClass('bronze', false),
  storageClass('gold', true),
];

describe('the claims of a shop', () => {
  it('are told for pods without a node, and for workloads that lack all of their pods', async () => {
    expect(await collected('claim-use', SHOP)).toEqual([
      { claim: 'prices', user: 'Pod/web', volume: 'of-prices', scheduled: false },
      { claim: 'price', user: 'Pod/web', volume: 'of-price', scheduled: false },
      { claim: 'stock', user: 'Pod/web', volume: 'of-stock', scheduled: false },
      { claim: 'till', user: 'Deployment/till', volume: 'drawer', scheduled: false },
    ]);
  });

  it('are told with what each of them has or lacks', async () => {
    expect(await collected('claim', SHOP)).toEqual([
      { claim: 'prices', exists: false, obstacle: 'not-found', similar: 'price' },
      {
        claim: 'price',
        exists: true,
        phase: 'Pending',
        obstacle: 'class-not-found',
        class: 'golden',
        requested: '1Gi',
        volumes: 2,
        similar: 'gold',
        betterClass: 'gold',
        ageSeconds: 7200,
      },
      { claim: 'stock', exists: true, phase: 'Bound', class: 'gold', volume: 'pv-stock', requested: '1Gi' },
      {
        claim: 'till',
        exists: true,
        phase: 'Pending',
        obstacle: 'deleting',
        class: 'gold',
        provisioner: 'disk.csi.example',
        requested: '1Gi',
        volumes: 2,
        ageSeconds: 7200,
      },
    ]);
  });

  it('are told with the volumes they could have had, and with the one they have', async () => {
    const volumes = await collected('claim-volume', SHOP);
    expect(volumes.map((fields) => [fields['claim'], fields['obstacles'], fields['nearest']])).toEqual([
      ['price', 'class, reserved', false],
      ['price', 'class, capacity', false],
      ['stock', '', true],
      ['till', 'capacity', false],
      ['till', 'reserved', false],
    ]);
  });

  it('are told with the place of the volume that would do on other nodes', async () => {
    const message = "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.";
    const status = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] };
    const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['db-1'] }] }];
    const nodeAffinity = { required: { nodeSelectorTerms: terms } };
    const [local] = [{ ...storageClass('local', false), provisioner: 'kubernetes.io/no-provisioner' }];
    const pending = [pod('web', ['price'], { status }), claim('price', { storageClassName: 'local' }), local];
    expect(await collected('claim', [...pending, volume('pv-1', { storageClassName: 'local', nodeAffinity })])).toMatchObject([
      { obstacle: 'node-affinity', volume: 'pv-1', place: 'kubernetes.io/hostname in (db-1)' },
    ]);
  });

  it('take another class only where theirs is missing, and the default one where none is called nearly so', async () => {
    const classes = async (name: string, ...others: readonly KubeObject[]): Promise<unknown> =>
      (await collected('claim', [pod('web', ['price']), claim('price', { storageClassName: name }), ...others])).map(
        ({ obstacle, similar, betterClass }) => [obstacle, similar, betterClass],
      );
    const [bronze, gold] = [storageClass('bronze', false), storageClass('gold', true)];
    expect(await classes('local-disk', bronze, gold)).toEqual([['class-not-found', undefined, 'gold']]);
    expect(await classes('bronce', bronze, gold)).toEqual([['class-not-found', 'bronze', 'bronze']]);
    expect(await classes('local-disk', bronze)).toEqual([['class-not-found', undefined, undefined]]);
  });
});
