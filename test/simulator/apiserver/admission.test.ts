import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';

describe('NamespaceLifecycle', () => {
  test('nothing is made in a namespace that is not there, for those who would be allowed to', () => {
    expect(
      failureOf(create(shop(), { ...pod('web'), metadata: { name: 'web', namespace: 'cellar' } }, { namespace: 'cellar' })),
    ).toMatchObject({ code: 404, message: 'namespaces "cellar" not found' });
  });

  test('the first namespaces stay', () => {
    expect(failureOf(shop().request({ verb: 'delete', group: '', version: 'v1', resource: 'namespaces', name: 'default' })).message).toBe(
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });
});

describe('ServiceAccount', () => {
  test('gives a pod its account and token', () => {
    const { spec } = objectOf(create(shop(), pod('web'))) as unknown as { spec: JsonObject };
    const [volume] = asList(spec['volumes']);
    expect([spec['serviceAccountName'], spec['serviceAccount']]).toEqual(['default', 'default']);
    expect(dig(volume, 'name')).toMatch(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(dig(spec, 'containers', 0, 'volumeMounts')).toEqual([
      { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: dig(volume, 'name'), readOnly: true },
    ]);
    expect(dig(volume, 'projected')).toEqual({
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
        { downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }] } },
      ],
    });
  });

  test('leaves the token away when pod or account say so', () => {
    const cluster = shop({
      objects: [
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'quiet', namespace: 'shop' }, automountServiceAccountToken: false },
      ],
    });
    expect(dig(objectOf(create(cluster, pod('a', { automountServiceAccountToken: false }))), 'spec', 'volumes')).toBeUndefined();
    expect(dig(objectOf(create(cluster, pod('b', { serviceAccountName: 'quiet' }))), 'spec', 'volumes')).toBeUndefined();
  });

  test('refuses a pod whose account is not there, by the name it has so far', () => {
    expect(failureOf(create(shop(), pod('web', { serviceAccountName: 'deployer' })))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'pods "web" is forbidden: error looking up service account shop/deployer: serviceaccount "deployer" not found',
    });
    const generated = { ...pod('x', { serviceAccountName: 'deployer' }), metadata: { generateName: 'web-5d4f8c7b9-', namespace: 'shop' } };
    expect(failureOf(create(shop(), generated)).message).toBe(
      'pods "web-5d4f8c7b9-" is forbidden: error looking up service account shop/deployer: serviceaccount "deployer" not found',
    );
  });

  test('hands on the pull secrets of the account', () => {
    const cluster = shop({
      objects: [
        {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: 'puller', namespace: 'shop' },
          imagePullSecrets: [{ name: 'regcred' }],
        },
      ],
    });
    expect(dig(objectOf(create(cluster, pod('web', { serviceAccountName: 'puller' }))), 'spec', 'imagePullSecrets')).toEqual([
      { name: 'regcred' },
    ]);
  });
});

describe('LimitRanger', () => {
  const limits = (limit: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'limits', namespace: 'shop' },
    spec: { limits: [limit] },
  });

  test('tells what it filled in of containers before what of init containers', () => {
    const cluster = shop({ objects: [limits({ type: 'Container', defaultRequest: { cpu: '100m' } })] });
    const made = objectOf(create(cluster, pod('web', { initContainers: [{ name: 'prepare', image: 'shop/web:1.0' }] })));
    expect(dig(made, 'metadata', 'annotations', 'kubernetes.io/limit-ranger')).toBe(
      'LimitRanger plugin set: cpu request for container web; cpu request for init container prepare',
    );
  });

  test('fills in defaults and says which', () => {
    const cluster = shop({ objects: [limits({ type: 'Container', default: { memory: '64Mi' }, defaultRequest: { cpu: '100m' } })] });
    const made = objectOf(create(cluster, pod('web')));
    expect(dig(made, 'spec', 'containers', 0, 'resources')).toEqual({
      requests: { cpu: '100m', memory: '64Mi' },
      limits: { memory: '64Mi' },
    });
    expect(dig(made, 'metadata', 'annotations', 'kubernetes.io/limit-ranger')).toBe(
      'LimitRanger plugin set: cpu, memory request for container web; memory limit for container web',
    );
  });

  test.each([
    [
      'Container',
      { max: { memory: '64Mi' } },
      { limits: { memory: '128Mi' } },
      'maximum memory usage per Container is 64Mi, but limit is 128Mi',
    ],
    ['Pod', { max: { memory: '16Mi' } }, {}, 'maximum memory usage per Pod is 16Mi.  No limit is specified'],
    ['Pod', { max: { memory: '16Mi' } }, { limits: { memory: '32Mi' } }, 'maximum memory usage per Pod is 16Mi, but limit is 32Mi'],
    [
      'Container',
      { min: { cpu: '200m' } },
      { requests: { cpu: '100m' }, limits: { cpu: '300m' } },
      'minimum cpu usage per Container is 200m, but request is 100m',
    ],
    [
      'Container',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '100m' }, limits: { cpu: '400m' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
    ],
  ])('%s %j and resources %j: %s', (type, bounds, resources, words) => {
    const cluster = shop({
      objects: [limits({ type, ...bounds, ...(type === 'Container' && 'max' in bounds ? { default: bounds.max } : {}) })],
    });
    expect(failureOf(create(cluster, pod('web', {}, { resources }))).message).toBe(`pods "web" is forbidden: ${words}`);
  });
});

describe('TaintNodesByCondition, Priority, DefaultTolerationSeconds, RuntimeClass', () => {
  test('a new node is tainted as not ready', () => {
    const node = objectOf(
      shop().request({
        verb: 'create',
        group: '',
        version: 'v1',
        resource: 'nodes',
        body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } },
      }),
    );
    expect(dig(node, 'spec', 'taints')).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
  });

  test('a pod gets the number and policy of its priority class', () => {
    const cluster = shop({
      objects: [
        {
          apiVersion: 'scheduling.k8s.io/v1',
          kind: 'PriorityClass',
          metadata: { name: 'checkout' },
          value: 1000,
          preemptionPolicy: 'Never',
        },
      ],
    });
    expect(objectOf(create(cluster, pod('web', { priorityClassName: 'checkout' })))).toMatchObject({
      spec: { priority: 1000, preemptionPolicy: 'Never' },
    });
    expect(objectOf(create(cluster, pod('plain')))).toMatchObject({ spec: { priority: 0, preemptionPolicy: 'PreemptLowerPriority' } });
    expect(failureOf(create(cluster, pod('gone', { priorityClassName: 'nothing' }))).message).toBe(
      'pods "gone" is forbidden: no PriorityClass with name nothing was found',
    );
    expect(failureOf(create(cluster, pod('own', { priorityClassName: 'checkout', priority: 5 }))).message).toBe(
      'pods "own" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
    );
  });

  test('a pod that is replaced keeps the number and policy that it got', () => {
    const cluster = shop();
    const { spec, ...created } = objectOf(create(cluster, pod('web')));
    const { priority: _, preemptionPolicy: __, ...rest } = spec as JsonObject;
    const body = { ...created, metadata: { ...created.metadata, labels: { app: 'web' } }, spec: rest };
    expect(objectOf(send(cluster, 'update', 'Pod', 'web', { body }))).toMatchObject({
      metadata: { labels: { app: 'web' } },
      spec: { priority: 0, preemptionPolicy: 'PreemptLowerPriority' },
    });
  });

  test('plugins that are switched off do nothing', () => {
    const cluster = shop({ configuration: { disabledAdmission: ['ServiceAccount', 'Priority'] } });
    const { spec } = objectOf(create(cluster, pod('web'))) as unknown as { spec: JsonObject };
    expect([spec['serviceAccountName'], spec['volumes'], spec['priority']]).toEqual([undefined, undefined, undefined]);
  });

  test('there is one default priority class', () => {
    const cluster = shop({
      objects: [{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'usual' }, value: 10, globalDefault: true }],
    });
    expect(objectOf(create(cluster, pod('web')))).toMatchObject({ spec: { priority: 10, priorityClassName: 'usual' } });
    const second = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'other' },
      value: 20,
      globalDefault: true,
    };
    expect(failureOf(create(cluster, second)).message).toBe(
      'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    );
  });

  test('a pod tolerates a lost node for five minutes, unless it says otherwise', () => {
    const keys = (made: JsonObject): readonly unknown[] =>
      asList(dig(made, 'spec', 'tolerations')).map((one) => [dig(one, 'key'), dig(one, 'tolerationSeconds')]);
    expect(keys(objectOf(create(shop(), pod('web'))))).toEqual([
      ['node.kubernetes.io/not-ready', 300],
      ['node.kubernetes.io/unreachable', 300],
    ]);
    const own = [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }];
    expect(keys(objectOf(create(shop(), pod('quick', { tolerations: own }))))).toEqual([
      ['node.kubernetes.io/not-ready', 10],
      ['node.kubernetes.io/unreachable', 300],
    ]);
  });

  test('a RuntimeClass adds what it costs and where it runs', () => {
    const cluster = shop({
      objects: [
        {
          apiVersion: 'node.k8s.io/v1',
          kind: 'RuntimeClass',
          metadata: { name: 'gvisor' },
          handler: 'runsc',
          overhead: { podFixed: { memory: '120Mi' } },
          scheduling: { nodeSelector: { sandbox: 'yes' } },
        },
      ],
    });
    expect(objectOf(create(cluster, pod('web', { runtimeClassName: 'gvisor' })))).toMatchObject({
      spec: { overhead: { memory: '120Mi' }, nodeSelector: { sandbox: 'yes' } },
    });
    expect(failureOf(create(cluster, pod('gone', { runtimeClassName: 'kata' }))).message).toBe(
      'pods "gone" is forbidden: pod rejected: RuntimeClass "kata" not found',
    );
    expect(failureOf(create(cluster, pod('clash', { runtimeClassName: 'gvisor', nodeSelector: { sandbox: 'no' } }))).message).toBe(
      'pods "clash" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[sandbox] = yes; pod.spec.nodeSelector[sandbox] = no',
    );
  });
});

describe('storage', () => {
  const claim = (name: string, spec: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'shop' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
  const storageClass = (name: string, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'shop.example/disk',
    ...more,
  });

  test('a claim gets the default class, unless it wants none, and is protected', () => {
    const cluster = shop({ objects: [storageClass('standard')] });
    expect(objectOf(create(cluster, claim('data')))).toMatchObject({
      spec: { storageClassName: 'standard', volumeMode: 'Filesystem' },
      metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
      status: { phase: 'Pending' },
    });
    expect(dig(objectOf(create(cluster, claim('none', { storageClassName: '' }))), 'spec', 'storageClassName')).toBe('');
  });

  test('a claim grows only when it is bound and its class allows it', () => {
    const cluster = shop({
      objects: [storageClass('fixed'), storageClass('growing', { allowVolumeExpansion: true, metadata: { name: 'growing' } })],
    });
    const grow = (name: string) =>
      send(cluster, 'patch', 'PersistentVolumeClaim', name, {
        patch: { type: 'merge', body: { spec: { resources: { requests: { storage: '2Gi' } } } } },
      });
    const bind = (name: string) =>
      send(cluster, 'patch', 'PersistentVolumeClaim', name, {
        subresource: 'status',
        patch: { type: 'merge', body: { status: { phase: 'Bound' } } },
      });
    create(cluster, claim('a'));
    create(cluster, claim('b', { storageClassName: 'growing' }));
    // Validation comes before validating admission: pkg/apis/core/validation/validation.go (ValidatePersistentVolumeClaimUpdate).
    expect(failureOf(grow('a'))).toMatchObject({
      code: 422,
      message: expect.stringContaining(
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      ) as string,
    });
    bind('a');
    bind('b');
    expect(failureOf(grow('a')).message).toContain('the storageclass that provisions the pvc must support resize');
    expect(grow('b').ok).toBe(true);
  });
});
