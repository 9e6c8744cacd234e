import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { isMadeByStatefulSet, longModes } from '../../../../src/collect/placement/claims/claim-spec.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';

const POD = objectOf('Pod', 'web-0', {
  spec: { containers: [{ name: 'web' }], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }] },
  status: { phase: 'Pending' },
});

/** A claim of which a source shows its name and these fields. */
function claim(spec: JsonObject, shown: readonly string[] | undefined, metadata: JsonObject = {}, name = 'data-web-0'): KubeObject {
  const whole = objectOf('PersistentVolumeClaim', name, { spec, status: { phase: 'Pending' } }, metadata);
  return shown === undefined ? whole : { ...whole, [OBSERVED]: ['metadata', 'status.phase', ...shown] };
}

const FAST = { storageClassName: 'fast', accessModes: ['RWO'], resources: { requests: { storage: '1Gi' } } };

function set(
  spec: JsonObject = FAST,
  more: { readonly name?: string; readonly namespace?: string; readonly template?: string; readonly kind?: string } = {},
): KubeObject {
  const { name = 'web', namespace = 'shop', template = 'data', kind = 'StatefulSet' } = more;
  return objectOf(
    kind,
    name,
    { spec: { replicas: 1, volumeClaimTemplates: [{ metadata: { name: template }, spec }] }, status: {} },
    { namespace },
  );
}

function applied(object: JsonObject): KubeObject {
  return objectOf('AppliedManifest', 'm', { spec: { file: 'a.yaml', object } }, { namespace: null });
}

/** The class, the amount and the quote of what is read of the claim. */
async function read(...objects: readonly KubeObject[]): Promise<readonly unknown[]> {
  const { facts } = await evidenceOf([POD, ...objects]);
  const found = facts.find(({ kind }) => kind === 'claim');
  return [found?.fields['class'], found?.fields['requested'], found?.quote];
}

const SILENT = [undefined, undefined, 'phase: Pending'];
const WHOLE = ['fast', '1Gi', 'phase: Pending, class: fast, requests: 1Gi, access modes: ReadWriteOnce'];

describe('what a claim asks for', () => {
  it('is what it says itself', async () => {
    expect(await read(claim(FAST, undefined))).toEqual(WHOLE);
    expect(await read(claim(FAST, []))).toEqual(WHOLE);
    expect(await read(claim({}, undefined))).toEqual(['', undefined, 'phase: Pending, class: <none>']);
    expect(await read(claim({}, ['spec.storageClassName']))).toEqual(['', undefined, 'phase: Pending, class: <none>']);
    expect(await read(claim({}, []))).toEqual(SILENT);
    const legacy = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } };
    expect((await read(claim({}, undefined, legacy)))[0]).toBe('old');
    expect((await read(claim(FAST, undefined, legacy)))[0]).toBe('fast');
    expect((await read(claim({ volumeName: 'pv-1' }, undefined)))[2]).toBe('phase: Pending, class: <none>, volume: pv-1');
    expect((await read(claim({ volumeName: '' }, undefined)))[2]).toBe('phase: Pending, class: <none>');
  });

  it('is what the StatefulSet says that made it, where it is silent', async () => {
    expect(await read(claim({}, []), set())).toEqual(WHOLE);
    expect(await read(claim({ storageClassName: 'slow' }, []), set())).toEqual(['slow', '1Gi', expect.any(String)]);
    expect(await read(claim({}, []), set({}))).toEqual(['', undefined, 'phase: Pending, class: <none>']);
    for (const other of [
      set(FAST, { name: 'till' }),
      set(FAST, { namespace: 'till' }),
      set(FAST, { template: 'log' }),
      set(FAST, { kind: 'Deployment' }),
    ])
      expect(await read(claim({}, []), other)).toEqual(SILENT);
  });

  it('is what its manifest says, where it is silent', async () => {
    const one = (metadata: JsonObject, kind = 'PersistentVolumeClaim'): KubeObject => applied({ kind, metadata, spec: FAST });
    expect(await read(claim({}, []), one({ name: 'data-web-0' }))).toEqual(WHOLE);
    expect(await read(claim({}, []), one({ name: 'data-web-0', namespace: 'shop' }))).toEqual(WHOLE);
    expect(await read(claim({}, []), applied(set()))).toEqual(WHOLE);
    expect(await read(claim({}, []), one({ name: 'data-web-1' }))).toEqual(SILENT);
    expect(await read(claim({}, []), one({ name: 'data-web-0', namespace: 'till' }))).toEqual(SILENT);
    expect(await read(claim({}, []), one({ name: 'data-web-0' }, 'ConfigMap'))).toEqual(SILENT);
  });

  it('decides which volumes it could have, as far as it is known', async () => {
    const volume = (spec: JsonObject, labels: JsonObject = {}): KubeObject =>
      objectOf(
        'PersistentVolume',
        'pv-1',
        {
          spec: { storageClassName: 'fast', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
          status: { phase: 'Available' },
        },
        { labels },
      );
    const obstacles = async (one: KubeObject, pv: KubeObject): Promise<unknown> =>
      (await collected('claim-volume', [POD, one, pv]))[0]?.['obstacles'];
    expect(await obstacles(claim(FAST, undefined), volume({ volumeMode: 'Block' }))).toBe('volume-mode');
    expect(await obstacles(claim({ ...FAST, volumeMode: 'Block' }, undefined), volume({ volumeMode: 'Block' }))).toBe('');
    const selects = { ...FAST, selector: { matchLabels: { disk: 'a' } } };
    expect(await obstacles(claim(selects, undefined), volume({}, { disk: 'a' }))).toBe('');
    expect(await obstacles(claim(selects, undefined), volume({}, { disk: 'b' }))).toBe('selector');
    expect(await obstacles(claim(FAST, []), volume({}, { disk: 'b' }))).toBe('');
    expect(await obstacles(claim(FAST, ['spec.volumeMode']), volume({ volumeMode: 'Block' }))).toBe('volume-mode');
    expect(await obstacles(claim(FAST, []), volume({ volumeMode: 'Block' }))).toBe('');
  });
});

describe('the access modes of a claim', () => {
  it('are those of the API, also where a table shortens them', () => {
    expect(longModes(['RWO', 'ROX', 'RWX', 'RWOP', 'ReadWriteMany'])).toEqual([
      'ReadWriteOnce',
      'ReadOnlyMany',
      'ReadWriteMany',
      'ReadWriteOncePod',
      'ReadWriteMany',
    ]);
    expect(longModes(undefined)).toEqual([]);
  });
});

describe('a claim that a StatefulSet made', () => {
  it('has the name of its template, of the StatefulSet and a number', () => {
    const made = (name: string, ...workloads: readonly KubeObject[]): boolean =>
      isMadeByStatefulSet(claim({}, undefined, {}, name), workloads);
    expect(made('data-web-0', set())).toBe(true);
    expect(made('data-web-12', set(FAST, { name: 'till' }), set())).toBe(true);
    for (const name of ['data-web-x', 'data-web-', 'data-web-0-1', 'log-web-0', 'data-web-0x']) expect(made(name, set()), name).toBe(false);
    expect(made('data-web-0', set(FAST, { kind: 'Deployment' }))).toBe(false);
    expect(made('data-web-0', set(FAST, { namespace: 'till' }))).toBe(false);
    expect(made('data-web-0')).toBe(false);
  });
});

describe('who uses a claim', () => {
  const uses = async (objects: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1] = {}): Promise<readonly unknown[]> =>
    factsIn(await evidenceOf(objects, around), 'claim-use').map((fact) => [fact['user'], fact['claim'], fact['volume'], fact['scheduled']]);
  const row = (name: string, spec: JsonObject = {}): KubeObject => ({
    ...objectOf('Pod', name, { spec, status: { phase: 'Pending' } }),
    [OBSERVED]: ['metadata', 'status.phase', 'spec.nodeName'],
  });

  it('is told by names, where no source shows the volumes', async () => {
    expect(await uses([row('web-0'), claim({}, [])])).toEqual([['Pod/web-0', 'data-web-0', 'data', false]]);
    expect(await uses([row('web-1'), claim({}, [])])).toEqual([]);
    expect(await uses([row('web-0'), claim({}, [], {}, '-web-0')])).toEqual([]);
    expect(await uses([row('web-5d4f8b7c6-abcde'), claim({}, [], {}, 'web')])).toEqual([['Pod/web-5d4f8b7c6-abcde', 'web', 'web', false]]);
    expect(await uses([row('web-5d4f8b7c6-abcde'), claim({}, [], {}, 'till')])).toEqual([]);
    const shown = { ...row('web-0'), [OBSERVED]: ['metadata', 'status.phase', 'spec.nodeName', 'spec.volumes'] };
    expect(await uses([shown, claim({}, [])])).toEqual([]);
    expect(await uses([row('web-0', { volumes: [] }), claim({}, [])])).toEqual([]);
    const elsewhere = claim({}, [], { namespace: 'till' });
    expect(await uses([row('web-0'), elsewhere])).toEqual([]);
  });

  it('is no pod that has its node, or is on its way out', async () => {
    const placed = { ...POD, spec: { ...(POD['spec'] as JsonObject), nodeName: 'worker-1' } };
    expect(await uses([POD, claim(FAST, undefined)])).toEqual([['Pod/web-0', 'data-web-0', 'data', false]]);
    expect(await uses([placed, claim(FAST, undefined)])).toEqual([]);
    expect(await uses([{ ...POD, status: { phase: 'Failed' } }, claim(FAST, undefined)])).toEqual([]);
    expect(await uses([{ ...POD, metadata: { ...POD.metadata, deletionTimestamp: ago(5) } }, claim(FAST, undefined)])).toEqual([]);
  });

  it('may be a template of which no pod is there', async () => {
    const template = { spec: { containers: [], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'till' } }] } };
    const workload = (kind: string, spec: JsonObject, status: JsonObject = {}): KubeObject =>
      objectOf(kind, 'till', { spec: { replicas: 1, template, ...spec }, status });
    expect(await uses([workload('Deployment', {})])).toEqual([['Deployment/till', 'till', 'data', false]]);
    expect(await uses([workload('Deployment', { replicas: 0 })])).toEqual([]);
    expect(await uses([workload('Deployment', {}, { replicas: 1 })])).toEqual([]);
  });
});

describe('a claim for which no volume is found', () => {
  it('is told by what its controller repeats, where pods could not be listed', async () => {
    const told = async (
      reason: string,
      seconds: number,
      more: { readonly phase?: string; readonly kind?: string; readonly later?: number } = {},
    ): Promise<number> => {
      const { phase = 'Pending', kind = 'PersistentVolumeClaim', later = 0 } = more;
      const one = { ...claim(FAST, undefined), status: { phase } };
      const event = (name: string, at: number, why: string, about: string): KubeObject =>
        objectOf('Event', name, {
          reason: why,
          message: 'no persistent volumes available for this claim and no storage class is set',
          type: 'Normal',
          lastTimestamp: ago(at),
          involvedObject: { kind: about, name: 'data-web-0', namespace: 'shop' },
        });
      const events = [event('a', seconds, reason, kind), event('b', later, 'Other', 'Pod')];
      return factsIn(await evidenceOf([one, ...events], { refused: ['Pod'] }), 'claim').length;
    };
    expect(await told('FailedBinding', 360)).toBe(1);
    expect(await told('FailedBinding', 361)).toBe(0);
    expect(await told('FailedBinding', 400, { later: 300 })).toBe(1);
    expect(await told('Provisioning', 5)).toBe(0);
    expect(await told('FailedBinding', 5, { phase: 'Bound' })).toBe(0);
    expect(await told('FailedBinding', 5, { kind: 'Pod' })).toBe(0);
  });
});
