import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { collected, eventOn, evidenceOf, factsIn, objectOf, podWith } from '../../../support/collected.ts';

const IMAGE = 'registry.shop.example/team/web:1.0';

function replicaSet(...containers: readonly JsonObject[]): KubeObject {
  const template = { spec: { containers: containers.length === 0 ? [{ name: 'web', image: IMAGE }] : [...containers] } };
  return objectOf('ReplicaSet', 'web', { spec: { replicas: 1, template }, status: { replicas: 1, observedGeneration: 1 } });
}

interface Parts {
  readonly container?: JsonObject;
  readonly status?: JsonObject;
  readonly ready?: string;
  readonly phase?: string;
  readonly owner?: string;
}

/** A pod that is not ready, of the ReplicaSet if it is of no other owner. */
function pod({ container = {}, status = {}, ready = 'False', phase = 'Running', owner = 'ReplicaSet' }: Parts): KubeObject {
  const one = podWith(
    'web-1',
    { name: 'web', image: IMAGE, ...container },
    { name: 'web', ...status },
    {
      status: { phase, conditions: [{ type: 'Ready', status: ready }] },
    },
  );
  return { ...one, metadata: { ...one.metadata, ownerReferences: [{ kind: owner, name: 'web', controller: true }] } };
}

const PROXY = { name: 'proxy', image: 'shop/proxy:2' };
const injected = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('injected', objects);

function webhooks(name: string, webhook: JsonObject, kind = 'MutatingWebhookConfiguration'): KubeObject {
  const rules = [{ resources: ['pods'], operations: ['CREATE'] }];
  return objectOf(kind, name, { webhooks: [{ name: `${name}.shop.example`, rules, ...webhook }] });
}

describe('a container that the template does not have', () => {
  it('was put into the pod', async () => {
    expect(
      await injected(
        replicaSet(),
        pod({ container: PROXY, status: { name: 'proxy', state: { waiting: { reason: 'CrashLoopBackOff' } } } }),
      ),
    ).toEqual([
      { part: 'container proxy (shop/proxy:2)', container: 'proxy', trouble: 'CrashLoopBackOff', blame: 'Pod/web-1', moved: 'no' },
    ]);
    expect(await injected(replicaSet(), pod({}))).toEqual([]);
  });

  it('may be an init container of the template', async () => {
    const template = { spec: { containers: [{ name: 'web', image: IMAGE }], initContainers: [PROXY] } };
    const set = objectOf('ReplicaSet', 'web', { spec: { replicas: 1, template } });
    expect(await injected(set, pod({ container: PROXY }))).toEqual([]);
  });

  it('does not matter to a pod that is ready, has ended well, or whose controller was not seen', async () => {
    for (const parts of [{ ready: 'True' }, { phase: 'Succeeded' }, { owner: 'StatefulSet' }])
      expect(await injected(replicaSet(), pod({ container: PROXY, ...parts })), JSON.stringify(parts)).toEqual([]);
    const unowned = podWith('web-1', PROXY, { name: 'proxy' }, { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
    expect(await injected(replicaSet(), unowned)).toEqual([]);
    expect(await injected(objectOf('ReplicaSet', 'web', { spec: { replicas: 1 } }), pod({ container: PROXY }))).toEqual([]);
  });

  it.each<readonly [JsonObject, string | undefined]>([
    [{ state: { waiting: { reason: 'ContainerCreating' } } }, undefined],
    [{ state: { waiting: { reason: 'PodInitializing' } } }, undefined],
    [{ state: { terminated: { exitCode: 1, reason: 'Error' } } }, 'Error, exit code 1'],
    [{ state: { terminated: { exitCode: 0 } } }, 'it ended, exit code 0'],
    [{ state: { running: {} }, ready: false, lastState: { terminated: { exitCode: 2, reason: 'Error' } } }, 'Error, exit code 2'],
    [{ state: { running: {} }, ready: true, lastState: { terminated: { exitCode: 2, reason: 'Error' } } }, undefined],
  ])('is in trouble, or not: %j', async (status, trouble) => {
    const [fact] = await injected(replicaSet(), pod({ container: PROXY, status: { name: 'proxy', ...status } }));
    expect(fact).toMatchObject({ container: 'proxy' });
    expect(fact?.['trouble']).toBe(trouble);
  });

  it('is blamed on the only webhook configuration that changes pods', async () => {
    const blame = async (...objects: readonly KubeObject[]): Promise<unknown> =>
      factsIn(
        await evidenceOf([replicaSet(), pod({ container: PROXY }), ...objects], { none: ['MutatingWebhookConfiguration'] }),
        'injected',
      )[0]?.['blame'];
    expect(await blame(webhooks('mesh', {}))).toBe('MutatingWebhookConfiguration/mesh');
    expect(await blame()).toBe('Pod/web-1');
    expect(await blame(webhooks('mesh', {}), webhooks('vault', {}))).toBe('Pod/web-1');
    expect(await blame(webhooks('mesh', {}), webhooks('check', {}, 'ValidatingWebhookConfiguration'))).toBe(
      'MutatingWebhookConfiguration/mesh',
    );
    const only = (namespace: string): JsonObject => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } });
    expect(await blame(webhooks('mesh', {}), webhooks('vault', only('shop')))).toBe('MutatingWebhookConfiguration/vault');
    expect(await blame(webhooks('mesh', {}), webhooks('vault', only('till')))).toBe('MutatingWebhookConfiguration/mesh');
    expect(await blame(webhooks('mesh', { rules: [{ resources: ['services'], operations: ['CREATE'] }] }))).toBe('Pod/web-1');
    expect(await blame(webhooks('mesh', { rules: [{ resources: ['pods'], operations: ['UPDATE'] }] }))).toBe('Pod/web-1');
    expect(await blame(webhooks('mesh', { rules: [{ resources: ['*'], operations: ['*'] }] }))).toBe('MutatingWebhookConfiguration/mesh');
  });

  it('is blamed on nobody where not all configurations were seen', async () => {
    const evidence = await evidenceOf([replicaSet(), pod({ container: PROXY })], { refused: ['MutatingWebhookConfiguration'] });
    expect(factsIn(evidence, 'injected')).toMatchObject([{ blame: 'Pod/web-1' }]);
  });
});

describe('an image that the template does not have', () => {
  const pulling = (image: string, more: Parts = {}, reason = 'ImagePullBackOff'): KubeObject =>
    pod({ container: { image }, status: { state: { waiting: { reason } } }, ...more });

  it('and that cannot be pulled was put there by somebody else', async () => {
    expect(await injected(replicaSet(), pulling('shop/other:2'))).toMatchObject([
      { part: `image shop/other:2 instead of ${IMAGE} for container web`, trouble: 'ImagePullBackOff', moved: 'no' },
    ]);
    for (const reason of ['ErrImagePull', 'InvalidImageName', 'ErrImageNeverPull'])
      expect(await injected(replicaSet(), pulling('shop/other:2', {}, reason)), reason).toHaveLength(1);
    expect(await injected(replicaSet(), pulling('shop/other:2', {}, 'CrashLoopBackOff'))).toEqual([]);
    expect(await injected(replicaSet(), pulling(IMAGE))).toEqual([]);
    expect(await injected(replicaSet({ name: 'web' }), pulling('shop/other:2'))).toEqual([]);
  });

  it('was moved to a mirror where only the registry or path differ', async () => {
    const moved = async (image: string): Promise<unknown> => (await injected(replicaSet(), pulling(image)))[0]?.['moved'];
    expect(await moved('mirror.example/cache/web:1.0')).toBe('mirror.example/cache/web:1.0');
    expect(await moved('mirror.example/cache/web:1.1')).toBe('no');
    expect(await moved('mirror.example/cache/webs:1.0')).toBe('no');
    expect(await moved('mirror.example/cache/web@sha256:1')).toBe('no');
  });

  it('may be that of an older template, where the controller has several', async () => {
    const set = { ...replicaSet(), kind: 'StatefulSet' };
    expect(await injected(set, pulling('shop/other:2', { owner: 'StatefulSet' }))).toEqual([]);
    const job = objectOf('Job', 'web', { spec: { template: { spec: { containers: [{ name: 'web', image: IMAGE }] } } }, status: {} });
    expect(await injected(job, pulling('shop/other:2', { owner: 'Job' }))).toHaveLength(1);
  });
});

describe('a field for which a pod is invalid though its template was accepted', () => {
  const set = objectOf('ReplicaSet', 'web', { spec: { replicas: 1 }, status: { replicas: 0, observedGeneration: 1 } });
  const refused = (cause: string): Promise<readonly unknown[]> =>
    injected(set, eventOn(set, 'FailedCreate', `Error creating: Pod "web-x" is invalid: ${cause}`, 5));

  it('was changed on the way', async () => {
    expect(await refused('spec.containers[0].image: Required value')).toEqual([
      { part: 'spec.containers[0].image', trouble: 'it has no value', blame: 'ReplicaSet/web', moved: 'no' },
    ]);
    expect(await refused('spec.hostname: Invalid value: "a_b": must be a name')).toMatchObject([
      { part: 'spec.hostname', trouble: '"a_b" must be a name' },
    ]);
  });

  it('may come from the defaults of a LimitRange, or is no field of the spec', async () => {
    expect(await refused('spec.containers[0].resources.requests: Invalid value: "2": must be less than the limit')).toEqual([]);
    expect(await refused('metadata.labels: Invalid value: "a_": must be a label')).toEqual([]);
  });
});
