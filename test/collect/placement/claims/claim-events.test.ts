import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';

const DRIVER = 'disk.shop.example';

function claim(
  spec: JsonObject = {},
  { status = {}, metadata = {} }: { readonly status?: JsonObject; readonly metadata?: JsonObject } = {},
): KubeObject {
  const whole = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast', ...spec };
  return objectOf('PersistentVolumeClaim', 'till', { spec: whole, status: { phase: 'Pending', ...status } }, metadata);
}

function storageClass(more: JsonObject = {}): KubeObject {
  return objectOf('StorageClass', 'fast', { provisioner: DRIVER, ...more });
}

const POD = objectOf('Pod', 'web', {
  spec: { containers: [{ name: 'web' }], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'till' } }] },
  status: { phase: 'Pending' },
});
const CSI = objectOf('CSIDriver', DRIVER, { spec: {} });

function said(
  reason: string,
  message: string,
  seconds: number,
  component = 'persistentvolume-controller',
  more: JsonObject = {},
): KubeObject {
  return eventOn(claim(), reason, message, seconds, { source: { component }, ...more });
}

async function judged(...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> {
  return (
    (await collected('claim', [POD, ...(objects.some(({ kind }) => kind === 'PersistentVolumeClaim') ? [] : [claim()]), ...objects]))[0] ??
    {}
  );
}

const ASKED = said('ExternalProvisioning', 'Waiting for a volume to be created', 20);

describe('a claim whose class has a provisioner', () => {
  it.each<readonly [string, readonly KubeObject[], string]>([
    ['waits where nothing is wrong yet', [CSI], 'waiting'],
    ['waits in vain where it was asked and says nothing', [CSI, ASKED], 'provisioner'],
    ['waits while it works', [CSI, ASKED, said('Provisioning', 'External provisioner is provisioning', 10, `${DRIVER}_csi-0`)], 'waiting'],
    ['failed where it says so', [CSI, ASKED, said('ProvisioningFailed', 'quota exceeded', 10, `${DRIVER}_csi-0`)], 'provisioning-failed'],
  ])('%s', async (_, objects, obstacle) => {
    expect(await judged(storageClass(), ...objects)).toMatchObject({ obstacle, provisioner: DRIVER, class: 'fast' });
  });

  it('lacks it where its driver is not installed, after ten seconds', async () => {
    const driverless = async (seconds: number): Promise<unknown> => {
      const one = claim({}, { metadata: { creationTimestamp: ago(seconds) } });
      return factsIn(await evidenceOf([POD, one, storageClass()], { none: ['CSIDriver'] }), 'claim')[0]?.['obstacle'];
    };
    expect(await driverless(10)).toBe('provisioner');
    expect(await driverless(9)).toBe('waiting');
  });

  it('waits for its pod where its volumes are bound late, until the scheduler has chosen a node', async () => {
    const late = storageClass({ volumeBindingMode: 'WaitForFirstConsumer' });
    const selected = claim({}, { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'worker-1' } } });
    const failed = said('ProvisioningFailed', 'quota exceeded', 10);
    expect(await judged(late, CSI, failed)).toMatchObject({ obstacle: 'waiting' });
    expect(await judged(late, CSI, selected, failed)).toMatchObject({ obstacle: 'provisioning-failed' });
    expect(await judged(late, CSI, ASKED, failed)).toMatchObject({ obstacle: 'provisioning-failed' });
  });

  it('quotes the last that was said of it', async () => {
    const first = said('ProvisioningFailed', 'the first', 90, DRIVER, { firstTimestamp: ago(90) });
    const last = said('ProvisioningFailed', 'the last', 5);
    expect(await judged(storageClass(), CSI, last, first)).toMatchObject({ message: 'the last' });
    const series = eventOn(claim(), 'ProvisioningFailed', 'again', 99, { series: { count: 9, lastObservedTime: ago(1) } });
    expect(await judged(storageClass(), CSI, series, last)).toMatchObject({ message: 'again' });
    const newer = objectOf('Event', 'till.9', {
      reason: 'ProvisioningFailed',
      note: 'of the newer API',
      eventTime: ago(1),
      regarding: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'till' },
    });
    expect(await judged(storageClass(), CSI, newer, last)).toMatchObject({ message: 'of the newer API' });
  });

  it('is not judged by what is said of another claim', async () => {
    const other = { ...claim(), metadata: { ...claim().metadata, name: 'tills' } };
    const elsewhere = { ...claim(), metadata: { ...claim().metadata, namespace: 'other' } };
    const failed = (about: KubeObject): KubeObject => eventOn(about, 'ProvisioningFailed', 'no', 5);
    const pod = { ...POD, metadata: { ...POD.metadata, name: 'till' } };
    for (const about of [other, elsewhere, pod]) {
      const one = await judged(storageClass(), CSI, failed(about));
      expect(one).toMatchObject({ obstacle: 'waiting' });
      expect(one).not.toHaveProperty('message');
    }
  });

  it('is as old as the first that was said of it, where its age was not seen', async () => {
    const described: KubeObject = {
      ...claim({}, { metadata: { creationTimestamp: null } }),
      [OBSERVED]: ['metadata.name', 'spec', 'status'],
    };
    const events = [said('ExternalProvisioning', 'a', 5, 'x', { firstTimestamp: ago(400) }), said('ExternalProvisioning', 'b', 300)];
    expect(await judged(described, storageClass(), CSI, ...events)).toMatchObject({ ageSeconds: 400 });
    expect(await judged(described, storageClass(), CSI)).not.toHaveProperty('ageSeconds');
  });
});

describe('a claim whose class was not seen', () => {
  const around = { refused: ['StorageClass'] };
  const obstacle = async (
    objects: readonly KubeObject[],
    more: Parameters<typeof evidenceOf>[1] = around,
  ): Promise<Readonly<Record<string, unknown>>> => factsIn(await evidenceOf([POD, ...objects], more), 'claim')[0] ?? {};

  it('has the provisioner that its annotation, or an event, names', async () => {
    for (const key of ['volume.kubernetes.io/storage-provisioner', 'volume.beta.kubernetes.io/storage-provisioner'])
      expect(await obstacle([claim({}, { metadata: { annotations: { [key]: DRIVER } } })])).toMatchObject({ provisioner: DRIVER });
    expect(await obstacle([claim(), said('Provisioning', 'a', 5, `${DRIVER}_csi-provisioner-0_1`)])).toMatchObject({ provisioner: DRIVER });
    expect(await obstacle([claim(), said('Other', 'a', 5, 'persistentvolume-controller')])).not.toHaveProperty('provisioner');
  });

  it('had one that is gone, where the controller does not find it now', async () => {
    const annotations = { 'volume.kubernetes.io/storage-provisioner': DRIVER };
    const lost = said('ProvisioningFailed', 'storageclass.storage.k8s.io "fast" not found', 5);
    const annotated = claim({}, { metadata: { annotations } });
    expect(await obstacle([annotated, lost])).toMatchObject({ obstacle: 'class-not-found' });
    const other = said('ProvisioningFailed', 'storageclass.storage.k8s.io "slow" not found', 5);
    expect(await obstacle([annotated, other])).toMatchObject({ obstacle: 'provisioning-failed' });
  });
});

describe('a claim that somebody asks about', () => {
  const target = { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'till' };

  it('is told with the pods that use it', async () => {
    const placed = objectOf('Pod', 'web', { spec: { ...(POD['spec'] as JsonObject), nodeName: 'worker-1' }, status: { phase: 'Running' } });
    const evidence = await evidenceOf([claim(), placed, storageClass(), CSI], { target });
    expect(factsIn(evidence, 'claim')).toMatchObject([{ claim: 'till', obstacle: 'waiting' }]);
  });

  it('may have lost its volume', async () => {
    const lost = claim({ volumeName: 'pv-1' }, { status: { phase: 'Lost' } });
    expect(factsIn(await evidenceOf([lost, storageClass()], { target }), 'claim')).toMatchObject([{ obstacle: 'lost', volume: 'pv-1' }]);
  });

  it('that could not be read is a gap', async () => {
    const { facts, gaps } = await evidenceOf([POD], { refused: ['PersistentVolumeClaim'] });
    expect(facts.filter(({ kind }) => kind === 'claim')).toEqual([]);
    expect(gaps.filter(({ kind }) => kind === 'claim')).toMatchObject([{ about: { name: 'till' } }]);
  });
});

describe('claims of pods that were not seen', () => {
  const FAILED = 'no persistent volumes available for this claim and no storage class is set';
  const binding = (seconds: number, about = claim()): KubeObject => eventOn(about, 'FailedBinding', FAILED, seconds);
  const seen = async (...objects: readonly KubeObject[]): Promise<number> =>
    factsIn(await evidenceOf(objects, { refused: ['Pod'] }), 'claim').length;
  const old = claim({ storageClassName: '' });

  it('are told where their binding failed lately, and they are pending', async () => {
    expect(await seen(old, binding(5))).toBe(1);
    expect(await seen(old)).toBe(0);
    expect(await seen(claim({ storageClassName: '' }, { status: { phase: 'Bound' } }), binding(5))).toBe(0);
    const latest = eventOn(objectOf('Service', 'web', {}), 'Synced', '', 5);
    expect(await seen(old, latest, binding(365))).toBe(1);
    expect(await seen(old, latest, binding(366))).toBe(0);
    expect(await seen(old, eventOn(claim(), 'Other', FAILED, 5))).toBe(0);
    expect(await seen(old, binding(5, objectOf('PersistentVolume', 'till', {})))).toBe(0);
  });

  it('are told of none where all pods were listed', async () => {
    expect(await collected('claim', [old, binding(5)])).toEqual([]);
  });
});

describe('claims of pods whose volumes no source shows', () => {
  const row = (name: string): KubeObject => ({
    ...objectOf('Pod', name, { status: { phase: 'Pending' }, spec: {} }),
    [OBSERVED]: ['metadata.name', 'status.phase', 'spec.nodeName'],
  });
  const named = (name: string): KubeObject => ({ ...claim(), metadata: { ...claim().metadata, name } });
  const uses = async (pod: KubeObject, ...names: readonly string[]): Promise<readonly unknown[]> =>
    (await collected('claim-use', [pod, ...names.map(named)])).map(({ claim: one, volume }) => [one, volume]);

  it('are told by their names', async () => {
    expect(await uses(row('web-0'), 'data-web-0', 'data-web-1', '-web-0', 'web-0')).toEqual([['data-web-0', 'data']]);
    expect(await uses(row('web-6d4cf56db6-x2x7k'), 'web', 'web-data', 'till')).toEqual([['web', 'web']]);
    expect(await uses(row('web-x2x7k'), 'web')).toEqual([]);
    expect(await uses(objectOf('Pod', 'web-0', { status: { phase: 'Pending' }, spec: {} }), 'data-web-0')).toEqual([]);
  });
});
