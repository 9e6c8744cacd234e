import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { collect } from '../../../../src/collect/collect.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { countingReader } from '../../../support/counting-reader.ts';

const CLAIM: KubeObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data-db-0', namespace: 'shop' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast-sdd', resources: { requests: { storage: '1Gi' } } },
  status: { phase: 'Pending' },
};

function storageClass(name: string, annotations: JsonObject = {}): KubeObject {
  return { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name, annotations }, provisioner: 'disks.shop.example' };
}

/** What the claim of a pod that waits for it could be replaced by. */
async function betterClass(more: readonly KubeObject[], owner?: readonly [kind: string, name: string]): Promise<unknown> {
  const ownerReferences =
    owner === undefined ? [] : [{ apiVersion: 'apps/v1', kind: owner[0], name: owner[1], uid: 'u', controller: true }];
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'db-0', namespace: 'shop', ownerReferences },
    spec: {
      containers: [{ name: 'db', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }],
    },
    status: { phase: 'Pending' },
  };
  const { reader } = countingReader([pod, CLAIM, ...more]);
  const { facts } = await collect(reader, { namespace: 'shop' }, []);
  return facts.find(({ kind, about }) => kind === 'claim' && about.name === 'data-db-0')?.fields['betterClass'];
}

const DEFAULT = storageClass('standard', { 'storageclass.kubernetes.io/is-default-class': 'true' });

describe('a claim whose class does not exist', () => {
  it('may have the class of nearly its name, else the default one', async () => {
    expect(await betterClass([DEFAULT, storageClass('fast-ssd')])).toBe('fast-ssd');
    expect(await betterClass([DEFAULT, storageClass('archive')])).toBe('standard');
    expect(await betterClass([storageClass('archive')])).toBeUndefined();
  });

  it('has no other where a StatefulSet would make it again as it was', async () => {
    const set: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'shop' },
      spec: { replicas: 1, template: { spec: {} }, volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
      status: { replicas: 1 },
    };
    expect(await betterClass([DEFAULT, storageClass('fast-ssd'), set], ['StatefulSet', 'db'])).toBeUndefined();
  });
});
