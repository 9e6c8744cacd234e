import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, answerTo, collected, eventOn, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';

function deployment(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return objectOf(
    'Deployment',
    name,
    {
      spec: { replicas: 1, selector: { matchLabels: { app: name } }, ...spec },
      status: { replicas: 1, readyReplicas: 1, observedGeneration: 1 },
    },
    metadata,
  );
}

describe('a ReplicaSet that a deleted Deployment left behind', () => {
  const left = (metadata: JsonObject = {}, replicas = 1, labels: JsonObject = {}): KubeObject =>
    objectOf(
      'ReplicaSet',
      'web-6d4',
      { spec: { replicas }, status: { replicas: 2 } },
      {
        labels: { app: 'web', 'pod-template-hash': '6d4', ...labels },
        annotations: { 'deployment.kubernetes.io/revision': '3' },
        ...metadata,
      },
    );
  const orphans = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('orphan', objects);

  it('is told with what keeps the new one from it', async () => {
    expect(await orphans(left(), deployment('web'))).toEqual([{ replicaSet: 'web-6d4', pods: 2, why: 'it has no owner' }]);
    const selective = deployment('web', { selector: { matchLabels: { app: 'web', tier: 'front' } } });
    expect(await orphans(left(), selective)).toMatchObject([{ why: 'the selector requires tier=front, the ReplicaSet has tier=<none>' }]);
    expect(await orphans(left({}, 1, { tier: 'back' }), selective)).toMatchObject([
      { why: 'the selector requires tier=front, the ReplicaSet has tier=back' },
    ]);
  });

  it.each<readonly [string, KubeObject]>([
    ['has an owner', left({ ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] })],
    ['wants no pods', left({}, 0)],
    ['was made by nobody', left({ annotations: {} })],
    ['has no hash', left({ labels: { app: 'web' } })],
    ['is of another name', left({ name: 'web-canary-6d4' })],
    ['is of another namespace', left({ namespace: 'till' })],
  ])('is none that %s', async (_, replicaSet) => {
    expect(await orphans(replicaSet, deployment('web'))).toEqual([]);
  });

  it('is left by the Deployment of its name alone', async () => {
    const { facts } = await evidenceOf([left(), deployment('till'), deployment('web')]);
    expect(facts.filter(({ kind }) => kind === 'orphan').map(({ about }) => about.name)).toEqual(['web']);
  });
});

describe('a Deployment that was made while its namesake was deleted', () => {
  const PATCHED = 'Warning: Detected changes to resource web which is currently being deleted.\ndeployment.apps/web configured';
  const orphans = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    factsIn(await evidenceOf(objects, { none: ['Deployment'] }), 'orphan');

  it('goes with it', async () => {
    expect(await orphans(answerTo('kubectl -n shop apply -f web.yaml', PATCHED))).toHaveLength(1);
    const dying = deployment('web', {}, { deletionTimestamp: ago(20) });
    expect(await orphans(answerTo('kubectl -n shop apply -f web.yaml', PATCHED), dying)).toHaveLength(1);
  });

  it('is a target where it is gone, and is told by the refusal to make it as well', async () => {
    const targets = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf(objects, { none: ['Deployment'] })).targets.map(({ ref, reason }) => [ref.name, reason]);
    const gone = 'deleted together with the old Deployment of the same name';
    expect(await targets(answerTo('kubectl -n shop apply -f web.yaml', PATCHED))).toEqual([['web', gone]]);
    const dying = deployment('web', {}, { deletionTimestamp: ago(20) });
    expect(
      (await targets(answerTo('kubectl -n shop apply -f web.yaml', PATCHED), dying)).map((one) => (one as readonly unknown[])[1]),
    ).not.toContain(gone);
    const exists = (resource: string): string =>
      `Error from server (AlreadyExists): error when creating "web.yaml": object is being deleted: ${resource} "web" already exists`;
    expect(await orphans(answerTo('kubectl -n shop create -f web.yaml', exists('deployments.apps')))).toHaveLength(1);
    expect(await orphans(answerTo('kubectl -n shop create -f web.yaml', exists('services')))).toEqual([]);
    expect(await orphans(answerTo('kubectl create -f web.yaml', exists('deployments.apps')))).toHaveLength(1);
  });

  it('is there where it was made again, and matters for Deployments alone', async () => {
    expect(await orphans(answerTo('kubectl -n shop apply -f web.yaml', PATCHED), deployment('web'))).toEqual([]);
    expect(await orphans(answerTo('kubectl -n shop apply -f web.yaml', PATCHED.replace('deployment.apps', 'service')))).toEqual([]);
    expect(await orphans(answerTo('kubectl -n shop apply -f web.yaml', PATCHED.replace('resource web', 'resource till')))).toEqual([]);
  });
});

describe('what a person deleted and what is there all the same', () => {
  const held = (seconds: number): KubeObject =>
    objectOf(
      'PersistentVolumeClaim',
      'till',
      { spec: {} },
      { deletionTimestamp: ago(seconds), finalizers: ['kubernetes.io/pvc-protection'] },
    );
  const deletions = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('deletion', objects);

  it('is stuck at once', async () => {
    expect(await deletions(held(5), answerTo('kubectl -n shop delete pvc till', 'persistentvolumeclaim "till" deleted'))).toEqual([
      { finalizers: 'kubernetes.io/pvc-protection', sinceSeconds: 5, stuck: true },
    ]);
    const waited = 'error: timed out waiting for the condition on persistentvolumeclaims/till';
    expect(await deletions(held(5), answerTo('kubectl -n shop delete pvc till', waited))).toHaveLength(1);
  });

  it('is not that of another name or namespace, nor one that was made', async () => {
    expect(await deletions(held(5))).toEqual([]);
    expect(await deletions(held(5), answerTo('kubectl -n shop delete pvc web', 'persistentvolumeclaim "web" deleted'))).toEqual([]);
    expect(await deletions(held(5), answerTo('kubectl -n till delete pvc till', 'persistentvolumeclaim "till" deleted'))).toEqual([]);
    expect(await deletions(held(5), answerTo('kubectl -n shop apply -f a.yaml', 'persistentvolumeclaim/till created'))).toEqual([]);
  });
});

describe('a workload that no controller has looked at', () => {
  const NEW = { generation: 1, creationTimestamp: ago(10) };
  const unobserved = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('unobserved', objects);
  const bare = (kind: string, metadata: JsonObject = NEW, status: JsonObject = {}, spec: JsonObject = {}): KubeObject =>
    objectOf(kind, 'web', { spec, status }, metadata);

  it('has no status ten seconds after it was made', async () => {
    expect(await unobserved(bare('Deployment'))).toEqual([
      { what: 'its status was never written', component: 'kube-controller-manager', ageSeconds: 10 },
    ]);
    expect(await unobserved(bare('Deployment', { creationTimestamp: ago(9) }))).toEqual([]);
    for (const kind of ['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']) expect(await unobserved(bare(kind)), kind).toHaveLength(1);
    for (const kind of ['CronJob', 'ReplicationController']) expect(await unobserved(bare(kind)), kind).toEqual([]);
  });

  it('has been looked at where it has any status, is deleted, or is not to run', async () => {
    expect(await unobserved(bare('Deployment', NEW, { observedGeneration: 1 }))).toEqual([]);
    expect(await unobserved(bare('ReplicaSet', NEW, { replicas: 0 }))).toEqual([]);
    expect(await unobserved(bare('Job', NEW, { active: 1 }))).toEqual([]);
    expect(await unobserved(bare('Job', NEW, {}, { suspend: true }))).toEqual([]);
    expect(await unobserved(bare('Job', NEW, {}, { managedBy: 'shop.example/jobs' }))).toEqual([]);
    expect(await unobserved(bare('Deployment', { ...NEW, deletionTimestamp: ago(5) }))).toEqual([]);
  });

  it('is told by a description that shows neither pods nor conditions', async () => {
    const described = (kind: string, status: JsonObject, shown: readonly string[]): KubeObject => ({
      ...bare(kind, NEW, status),
      [OBSERVED]: ['metadata', 'spec', ...shown],
    });
    const both = ['status.conditions.status', 'status.replicas'];
    expect(await unobserved(described('Deployment', {}, both))).toHaveLength(1);
    expect(await unobserved(described('Deployment', { replicas: 0 }, both))).toHaveLength(1);
    expect(await unobserved(described('Deployment', { replicas: 1 }, both))).toEqual([]);
    expect(await unobserved(described('Deployment', { conditions: [{ type: 'Available', status: 'True' }] }, both))).toEqual([]);
    expect(await unobserved(described('StatefulSet', {}, both))).toEqual([]);
    expect(await unobserved(described('Deployment', {}, ['status.replicas']))).toEqual([]);
    expect(await unobserved(described('Deployment', {}, ['status.conditions.status']))).toEqual([]);
    expect(await unobserved(described('Job', {}, []))).toEqual([]);
    expect(await unobserved(described('Job', {}, ['status.startTime']))).toHaveLength(1);
    const { status: _, ...statusless } = bare('Deployment');
    expect(await unobserved(statusless)).toEqual([]);
  });

  it('is quoted with how long it waits, and the lease with its holder', async () => {
    const lease = (spec: JsonObject): KubeObject => objectOf('Lease', 'kube-controller-manager', { spec }, { namespace: 'kube-system' });
    const quotes = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf(objects)).facts
        .filter(({ kind }) => kind === 'unobserved' || kind === 'lease')
        .map(({ source, quote }) => [source, quote]);
    const old = bare('Deployment', { creationTimestamp: ago(60) });
    expect(await quotes(old, lease({ holderIdentity: 'cp-1', renewTime: ago(90) }))).toEqual([
      ['Deployment/shop/web status', 'its status was never written (for 60s)'],
      ['Lease/kube-system/kube-controller-manager', 'holder cp-1, renewed 90s ago, valid for 15s'],
    ]);
    expect((await quotes(old, lease({ renewTime: ago(5) })))[1]).toEqual([
      'Lease/kube-system/kube-controller-manager',
      'holder none, renewed 5s ago, valid for 15s',
    ]);
    expect(await quotes(old, lease({ holderIdentity: 'cp-1' }))).toHaveLength(1);
  });

  it('is one of all where the account that pods need was never made', async () => {
    const till = objectOf('ReplicaSet', 'till', {
      spec: { replicas: 1, template: { spec: {} } },
      status: { replicas: 0, observedGeneration: 1 },
    });
    const refused = (account: string): KubeObject =>
      eventOn(
        till,
        'FailedCreate',
        `Error creating: pods "till-" is forbidden: error looking up service account shop/${account}: serviceaccount "${account}" not found`,
        5,
      );
    const told = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await unobserved(till, ...objects)).map(({ what, ageSeconds }) => [what, ageSeconds]);
    const never = 'ServiceAccount default was never created in namespace shop';
    expect(await told(refused('default'))).toEqual([[never, undefined]]);
    expect(await told(refused('robot'))).toEqual([]);
    expect(await told(refused('default'), bare('Deployment', { creationTimestamp: ago(5) }))).toEqual([
      [never, undefined],
      ['its status was never written', 5],
    ]);
  });

  it('has a newer spec than its status, since it was last written', async () => {
    const changed = (generation: number, seconds: number, more: readonly JsonObject[] = []): KubeObject =>
      bare(
        'Deployment',
        { creationTimestamp: ago(900), generation, managedFields: [{ time: ago(500) }, { time: ago(seconds) }, ...more] },
        { observedGeneration: 3, replicas: 1 },
      );
    expect(await unobserved(changed(4, 60))).toMatchObject([
      { what: 'its status is at generation 3, its spec at generation 4', ageSeconds: 60 },
    ]);
    expect(await unobserved(changed(3, 60))).toEqual([]);
    expect(await unobserved(changed(4, 9))).toEqual([]);
    expect(await unobserved(changed(4, 60, [{ time: ago(5), subresource: 'status' }]))).toHaveLength(1);
  });

  it('is told by its top controller alone', async () => {
    const owned = bare('ReplicaSet', { ...NEW, name: 'web-1', ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] });
    expect(await unobserved(owned, bare('Deployment'))).toHaveLength(1);
  });

  it.each([
    [15, {}, false],
    [16, {}, true],
    [60, { leaseDurationSeconds: 60 }, false],
    [61, { leaseDurationSeconds: 60 }, true],
  ])('is told with the lease of the manager, renewed %d s ago (%o): stale %s', async (renewedSeconds, more, stale) => {
    const lease = objectOf(
      'Lease',
      'kube-controller-manager',
      { spec: { holderIdentity: 'cp-1', renewTime: ago(renewedSeconds), ...more } },
      { namespace: 'kube-system' },
    );
    expect(await collected('lease', [bare('Deployment'), lease])).toEqual([
      { component: 'kube-controller-manager', holder: 'cp-1', renewedSeconds, stale },
    ]);
    expect(await collected('lease', [deployment('web'), lease])).toEqual([]);
  });
});

describe('what a template names', () => {
  const naming = (spec: JsonObject, status: JsonObject = { replicas: 0, observedGeneration: 1 }): KubeObject =>
    objectOf('ReplicaSet', 'web', { spec: { replicas: 1, template: { spec } }, status });
  const around = { none: ['ServiceAccount', 'PriorityClass', 'RuntimeClass'] };

  it.each([
    ['serviceAccountName', 'ServiceAccount', 'serviceAccount', 'service-account-not-found'],
    ['priorityClassName', 'PriorityClass', 'priorityClass', 'priority-class-not-found'],
    ['runtimeClassName', 'RuntimeClass', 'runtimeClass', 'runtime-class-not-found'],
  ])('%s is missed where pods are missing', async (field, refKind, via, reason) => {
    const missing = await evidenceOf([naming({ [field]: 'fast' }), objectOf(refKind, 'faster', {})], around);
    expect(factsIn(missing, 'reference')).toEqual([{ refKind, refName: 'fast', via, optional: false, exists: false, similar: 'faster' }]);
    expect(factsIn(missing, 'refusal')).toMatchObject([{ reason, by: 'fast', via: 'derived', blocking: true, similar: 'faster' }]);
    const found = await evidenceOf([naming({ [field]: 'fast' }), objectOf(refKind, 'fast', {})], around);
    expect(factsIn(found, 'reference')).toMatchObject([{ exists: true }]);
    expect(factsIn(found, 'refusal')).toEqual([]);
    const quote = ({ facts: all }: typeof found): unknown => all.find(({ kind }) => kind === 'reference')?.quote;
    expect(quote(found)).toBe(`${via}: fast`);
    expect(quote(missing)).toContain(`${via}: fast (`);
    const { facts, gaps } = await evidenceOf([naming({ [field]: 'fast' })], { refused: [refKind] });
    expect(facts.filter(({ kind }) => kind === 'reference' || kind === 'refusal')).toEqual([]);
    expect(gaps.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['reference', 'refusal']));
  });

  it('is no object where the API server makes it, or nothing is named', async () => {
    for (const name of ['system-cluster-critical', 'system-node-critical', ''])
      expect(factsIn(await evidenceOf([naming({ priorityClassName: name })], around), 'reference')).toEqual([]);
  });

  it('does not matter to a workload that has its pods, or a Job that is over', async () => {
    const spec = { priorityClassName: 'fast' };
    expect(factsIn(await evidenceOf([naming(spec, { replicas: 1 })], around), 'reference')).toEqual([]);
    const job = (status: JsonObject, more: JsonObject = {}): KubeObject =>
      objectOf('Job', 'web', { spec: { template: { spec }, ...more }, status });
    const missed = async (one: KubeObject): Promise<number> => factsIn(await evidenceOf([one], around), 'reference').length;
    expect(await missed(job({ startTime: ago(5) }))).toBe(1);
    expect(await missed(job({ startTime: ago(5), succeeded: 1 }))).toBe(0);
    expect(await missed(job({}, { suspend: true }))).toBe(0);
    for (const type of ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']) {
      expect(await missed(job({ conditions: [{ type, status: 'True' }] })), type).toBe(0);
      expect(await missed(job({ conditions: [{ type, status: 'False' }] })), type).toBe(1);
    }
  });

  it('is refused once: where the API server was heard, nothing is derived', async () => {
    const workload = naming({ priorityClassName: 'fast' });
    const heard = eventOn(
      workload,
      'FailedCreate',
      'Error creating: pods "web-" is forbidden: no PriorityClass with name fast was found',
      5,
    );
    const refusals = factsIn(await evidenceOf([workload, heard], around), 'refusal');
    expect(refusals).toMatchObject([{ reason: 'priority-class-not-found', via: 'event', by: 'fast' }]);
  });
});

describe('an idle workload', () => {
  const idle = async (
    objects: readonly KubeObject[],
    around: Parameters<typeof evidenceOf>[1] = {},
  ): Promise<Readonly<Record<string, unknown>>> => factsIn(await evidenceOf(objects, around), 'idle')[0] ?? {};
  const zero = deployment('web', { replicas: 0 });
  const manifest = (spec: JsonObject, metadata: JsonObject = {}, kind = 'Deployment'): KubeObject =>
    objectOf('AppliedManifest', 'm', { spec: { file: 'web.yaml', object: { kind, metadata: { name: 'web', ...metadata }, spec } } });

  it('is not meant to be where the manifest wants pods', async () => {
    expect(await idle([zero, manifest({ replicas: 3 })])).toMatchObject({ wanted: 3, suspicion: 'web.yaml requests 3 replicas' });
    expect(await idle([zero, manifest({})])).toMatchObject({ wanted: 1, suspicion: 'web.yaml requests 1 replica' });
    for (const other of [
      manifest({ replicas: 0 }),
      manifest({}, { name: 'till' }),
      manifest({}, { namespace: 'till' }),
      manifest({ paused: true }),
      manifest({}, {}, 'StatefulSet'),
    ])
      expect(await idle([zero, other])).not.toHaveProperty('suspicion');
  });

  it('is not meant to be where somebody asks about it', async () => {
    const target = { kind: 'Deployment', namespace: 'shop', name: 'web' };
    expect(await idle([zero], { target })).toMatchObject({ suspicion: 'it is the object asked about' });
    expect(await idle([zero])).not.toHaveProperty('suspicion');
  });

  it('is not meant to be where somebody changed it in this session', async () => {
    const scaled = (command: string, output: string): Promise<Readonly<Record<string, unknown>>> => idle([zero, answerTo(command, output)]);
    expect(await scaled('kubectl -n shop apply -f web.yaml', 'deployment.apps/web configured')).toMatchObject({
      suspicion: 'it was configured by kubectl -n shop apply -f web.yaml',
    });
    expect(await scaled('kubectl apply -f web.yaml', 'deployment.apps/web configured')).toHaveProperty('suspicion');
    expect(await scaled('kubectl -n till apply -f web.yaml', 'deployment.apps/web configured')).not.toHaveProperty('suspicion');
    expect(await scaled('kubectl -n shop apply -f web.yaml', 'deployment.apps/till configured')).not.toHaveProperty('suspicion');
    expect(await scaled('kubectl -n shop apply -f web.yaml', 'service/web configured')).not.toHaveProperty('suspicion');
    expect(
      await scaled('kubectl -n shop apply -f web.yaml --dry-run=server', 'deployment.apps/web configured (server dry run)'),
    ).not.toHaveProperty('suspicion');
    expect(await scaled('kubectl -n shop delete deploy web', 'deployment.apps "web" deleted')).not.toHaveProperty('suspicion');
  });

  it('makes a Service that it should serve wait for it', async () => {
    const labels = { app: 'web' };
    const served = deployment('web', { replicas: 0, template: { metadata: { labels }, spec: {} } });
    const service = objectOf('Service', 'front', { spec: { selector: labels, ports: [] } });
    const { facts } = await evidenceOf([served, service]);
    expect(facts.filter(({ kind, about }) => kind === 'dependency' && about.kind === 'Service').map(({ fields }) => fields)).toEqual([
      { on: 'Deployment/shop/web', host: 'front', exists: true },
    ]);
  });
});

describe('a budget of disruptions', () => {
  const budget = (spec: JsonObject, name = 'web'): KubeObject =>
    objectOf('PodDisruptionBudget', name, {
      spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
      status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    });
  const REFUSED = "Error from server (TooManyRequests): Cannot evict pod as it would violate the pod's disruption budget.";
  const evicted = answerTo('kubectl create --raw /api/v1/namespaces/shop/pods/web-1/eviction -f -', REFUSED);

  it('is told where an eviction was refused', async () => {
    const web = deployment('web', { template: { metadata: { labels: { app: 'web' } } } });
    expect(await collected('budget', [budget({ minAvailable: 1 }), evicted, deployment('till'), web])).toEqual([
      {
        budget: 'PodDisruptionBudget/web',
        allowed: 0,
        healthy: 1,
        needed: 1,
        expected: 1,
        rule: 'minAvailable: 1',
        covers: 'Deployment/web',
      },
    ]);
    expect(await collected('budget', [budget({ maxUnavailable: '25%' }), evicted])).toMatchObject([{ rule: 'maxUnavailable: 25%' }]);
    expect(await collected('budget', [budget({ minAvailable: 1 })])).toEqual([]);
    const { gaps } = await evidenceOf([evicted], { refused: ['PodDisruptionBudget'] });
    expect(gaps.find(({ kind }) => kind === 'budget')?.about).toEqual({ kind: 'PodDisruptionBudget', namespace: 'shop', name: '*' });
    expect((await evidenceOf([evicted], { none: ['PodDisruptionBudget'] })).gaps.some(({ kind }) => kind === 'budget')).toBe(false);
    const quoted = async (one: KubeObject): Promise<unknown> =>
      (await evidenceOf([one, evicted])).facts.find(({ kind }) => kind === 'budget')?.quote;
    expect(await quoted(budget({ minAvailable: 1 }))).toBe('minAvailable: 1; currentHealthy 1, desiredHealthy 1, disruptionsAllowed 0');
    expect(await quoted({ ...budget({ maxUnavailable: 0 }), status: { desiredHealthy: 2 } })).toBe(
      'maxUnavailable: 0; currentHealthy ?, desiredHealthy 2, disruptionsAllowed ?',
    );
  });
});
