import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, answerTo, collected, eventOn, evidenceOf, factsIn, objectOf, podWith } from '../../../support/collected.ts';

/** A ReplicaSet that lacks all of its pods. */
const SET = objectOf('ReplicaSet', 'web', {
  spec: { replicas: 2, template: { spec: {} } },
  status: { replicas: 0, observedGeneration: 1 },
});

function refused(words: string, seconds = 5, about = SET, more: JsonObject = {}): KubeObject {
  return eventOn(about, 'FailedCreate', `Error creating: ${words}`, seconds, more);
}

async function refusal(
  words: string,
  objects: readonly KubeObject[] = [],
  around: Parameters<typeof evidenceOf>[1] = {},
): Promise<Readonly<Record<string, unknown>>> {
  return factsIn(await evidenceOf([SET, refused(words), ...objects], around), 'refusal')[0] ?? {};
}

describe('a refusal is blamed', () => {
  it.each([
    ['pods "web-" is forbidden: error looking up service account shop/robot: serviceaccount "robot" not found', 'ServiceAccount/robot'],
    ['pods "web-" is forbidden: no PriorityClass with name fast was found', 'PriorityClass/fast'],
    ['pods "web-" is forbidden: exceeded quota: few, requested: pods=1, used: pods=4, limited: pods=4', 'ResourceQuota/few'],
    [
      "pods \"web-\" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'b' denied request: no tag",
      'ValidatingAdmissionPolicy/no-latest',
    ],
    ['Pod "web-" is invalid: spec.hostname: Invalid value: "a_b": must be a name', 'ReplicaSet/web'],
  ])('on what its words name: %s', async (words, blame) => {
    expect(await refusal(words)).toMatchObject({ blame, via: 'event', blocking: true });
  });

  const RANGE = 'pods "web-" is forbidden: maximum cpu usage per Container is 2, but limit is 3';
  const range = (name: string, max: string): KubeObject =>
    objectOf('LimitRange', name, { spec: { limits: [{ type: 'Container', max: { cpu: max } }] } });

  it('on the LimitRange that has the limit', async () => {
    expect(await refusal(RANGE, [range('a', '1'), range('b', '2')])).toMatchObject({ blame: 'LimitRange/b' });
    expect(await refusal(RANGE, [range('a', '1')])).toMatchObject({ blame: 'LimitRange/a' });
    expect(await refusal(RANGE, [range('a', '1'), range('b', '3')])).toMatchObject({ blame: 'ReplicaSet/web' });
    const ofPods = objectOf('LimitRange', 'c', { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } });
    expect(await refusal(RANGE, [ofPods, range('a', '1')])).toMatchObject({ blame: 'ReplicaSet/web' });
  });

  it('on the budget that selects the pod', async () => {
    const pod = { ...podWith('web-1', {}, {}), metadata: { ...podWith('web-1', {}, {}).metadata, labels: { app: 'web' } } };
    const budget = (name: string, app: string): KubeObject =>
      objectOf('PodDisruptionBudget', name, { spec: { selector: { matchLabels: { app } } } });
    const evicted = answerTo(
      'kubectl create --raw /api/v1/namespaces/shop/pods/web-1/eviction -f -',
      "Error from server (TooManyRequests): Cannot evict pod as it would violate the pod's disruption budget.",
    );
    const blame = async (...objects: readonly KubeObject[]): Promise<unknown> =>
      (await collected('refusal', [pod, evicted, ...objects]))[0]?.['blame'];
    expect(await blame(budget('a', 'till'), budget('b', 'web'))).toBe('PodDisruptionBudget/b');
    expect(await blame(budget('a', 'till'))).toBe('PodDisruptionBudget/a');
    expect(await blame(budget('a', 'till'), budget('b', 'cash'))).toBe('Pod/web-1');
  });

  const WEBHOOK = 'admission webhook "check.shop.example" denied the request: no';
  const configuration = (kind: string, name: string, webhook: string, more: JsonObject = {}): KubeObject =>
    objectOf(kind, name, { webhooks: [{ name: webhook, ...more }] });

  it('on the configuration that has the webhook', async () => {
    const mutating = configuration('MutatingWebhookConfiguration', 'a', 'check.shop.example');
    const validating = configuration('ValidatingWebhookConfiguration', 'b', 'check.shop.example');
    const both = { none: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] };
    expect(await refusal(WEBHOOK, [mutating], both)).toMatchObject({
      blame: 'MutatingWebhookConfiguration/a',
      config: 'MutatingWebhookConfiguration/a',
      webhookType: 'mutating',
    });
    expect(await refusal(WEBHOOK, [validating], both)).toMatchObject({
      blame: 'ValidatingWebhookConfiguration/b',
      webhookType: 'validating',
    });
    expect(await refusal(WEBHOOK, [mutating, validating], both)).toMatchObject({ blame: 'ReplicaSet/web', webhookType: 'unknown' });
    expect(await refusal(WEBHOOK, [], both)).toMatchObject({ blame: 'ReplicaSet/web', webhookType: 'unknown' });
  });

  it('on a type of webhook where only the other type was seen', async () => {
    const other = configuration('ValidatingWebhookConfiguration', 'b', 'other');
    expect(await refusal(WEBHOOK, [other])).toMatchObject({ webhookType: 'mutating' });
    expect(await refusal(WEBHOOK, [configuration('MutatingWebhookConfiguration', 'b', 'other')])).toMatchObject({
      webhookType: 'validating',
    });
    expect(await refusal(WEBHOOK)).toMatchObject({ webhookType: 'unknown' });
    expect(await refusal(WEBHOOK)).not.toHaveProperty('eitherType');
    expect(await refusal(WEBHOOK, [], { refused: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] })).toMatchObject({
      eitherType: 'mutating or validating',
    });
  });

  it('and the webhook is told with where it is called', async () => {
    const service = { clientConfig: { service: { namespace: 'shop', name: 'check' } }, failurePolicy: 'Ignore' };
    const webhooks = async (more: JsonObject, ...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      collected('webhook', [
        SET,
        refused(WEBHOOK),
        configuration('ValidatingWebhookConfiguration', 'b', 'check.shop.example', more),
        ...objects,
      ]);
    expect(await webhooks(service, objectOf('Service', 'check', {}))).toEqual([
      {
        webhook: 'check.shop.example',
        type: 'validating',
        failurePolicy: 'Ignore',
        service: 'shop/check',
        serviceExists: true,
        forPods: false,
      },
    ]);
    expect(await webhooks(service)).toMatchObject([{ serviceExists: false }]);
    expect(await webhooks({ clientConfig: { url: 'https://check.shop.example' } })).toEqual([
      { webhook: 'check.shop.example', type: 'validating', failurePolicy: 'Fail', url: 'https://check.shop.example', forPods: false },
    ]);
    for (const resources of [['pods'], ['*'], ['*/*'], ['pods/*']])
      expect(
        await webhooks({
          rules: [
            { resources: ['services'], operations: ['CREATE'] },
            { resources, operations: ['UPDATE', '*'] },
          ],
        }),
      ).toMatchObject([{ forPods: true }]);
  });
});

describe('a right that is missing', () => {
  const FORBIDDEN =
    'pods is forbidden: User "system:serviceaccount:shop:robot" cannot create resource "pods" in API group "" in the namespace "shop"';
  const binding = (role: string, subject: JsonObject, kind = 'RoleBinding', roleKind = 'Role'): KubeObject =>
    objectOf(kind, `binds-${role}`, { roleRef: { kind: roleKind, name: role }, subjects: [{ kind: 'User', name: 'other' }, subject] });
  const robot = (namespace = 'shop'): JsonObject => ({ kind: 'ServiceAccount', namespace, name: 'robot' });
  const role = (name: string, resources: readonly string[], kind = 'Role'): KubeObject =>
    objectOf(kind, name, { rules: [{ resources: ['configmaps'] }, { resources: [...resources] }] });
  const blame = async (...objects: readonly KubeObject[]): Promise<unknown> => (await refusal(FORBIDDEN, objects))['blame'];

  it('should come from the role of the account that is about the resource', async () => {
    expect(await blame(binding('a', robot()), role('a', ['secrets']), binding('b', robot()), role('b', ['pods']))).toBe('Role/shop/b');
    expect(await blame(binding('a', robot()), role('a', ['*']))).toBe('Role/shop/a');
    expect(await blame(binding('a', robot()), role('a', ['secrets']), binding('b', robot()), role('b', ['secrets']))).toBe('Role/shop/a');
    expect(await blame(binding('c', robot(), 'ClusterRoleBinding', 'ClusterRole'), role('c', ['pods'], 'ClusterRole'))).toBe(
      'ClusterRole/c',
    );
  });

  it('is that of the account, or of the user, where nothing binds it', async () => {
    expect(await blame()).toBe('ServiceAccount/shop/robot');
    expect(await blame(binding('a', robot('till')), role('a', ['pods']))).toBe('ServiceAccount/shop/robot');
    expect(await blame(binding('a', { kind: 'User', name: 'robot' }), role('a', ['pods']))).toBe('ServiceAccount/shop/robot');
    expect(await refusal(FORBIDDEN.replace('system:serviceaccount:shop:robot', 'jo'))).toMatchObject({
      blame: 'User/jo',
      user: 'jo',
      verb: 'create',
      resource: 'pods',
      where: 'shop',
    });
    expect(
      await refusal(FORBIDDEN.replace('system:serviceaccount:shop:robot', 'jo'), [
        binding('a', { kind: 'User', name: 'jo' }),
        role('a', ['pods']),
      ]),
    ).toMatchObject({ blame: 'Role/shop/a' });
  });

  it('may be of a role that does not exist, which the binding names', async () => {
    const words = `${FORBIDDEN}: RBAC: role.rbac.authorization.k8s.io "gone" not found`;
    const objects = [SET, refused(words), binding('gone', robot()), binding('other', robot())];
    expect(factsIn(await evidenceOf(objects), 'refusal')).toMatchObject([{ reason: 'role-not-found', blame: 'Role/shop/gone' }]);
    expect((await collected('reference', objects)).filter(({ via }) => via === 'roleRef')).toEqual([
      { refKind: 'Role', refName: 'gone', via: 'roleRef', optional: false, exists: false },
    ]);
  });

  it('may be of a ClusterRole that does not exist, which bindings of either kind name', async () => {
    const words = `${FORBIDDEN}: RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found`;
    const wide = { ...binding('gone', robot(), 'ClusterRoleBinding', 'ClusterRole'), metadata: { name: 'wide' } };
    const named = async (object: KubeObject, refusal: string): Promise<readonly unknown[]> =>
      (await collected('reference', [SET, refused(refusal), object])).filter(({ via }) => via === 'roleRef');
    expect(await named(wide, words)).toHaveLength(1);
    expect(await named(binding('gone', robot(), 'RoleBinding', 'ClusterRole'), words)).toHaveLength(1);
    expect(await named(binding('gone', robot()), words)).toEqual([]);
    const ofRole = { ...binding('gone', robot(), 'ClusterRoleBinding'), metadata: { name: 'wide' } };
    expect(await named(ofRole, words.replace('clusterrole', 'role'))).toEqual([]);
  });
});

describe('the refusals of a controller', () => {
  const QUOTA = 'pods "web-" is forbidden: exceeded quota: few, requested: pods=1, used: pods=4, limited: pods=4';
  const ACCOUNT = 'pods "web-" is forbidden: error looking up service account shop/robot: serviceaccount "robot" not found';
  const reasons = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    (await collected('refusal', objects)).filter(({ via }) => via !== 'derived').map(({ reason }) => reason);

  it('are those of the last minute, each reason once, the newest first', async () => {
    expect(await reasons(SET, refused(QUOTA, 65), refused(ACCOUNT, 5))).toEqual(['service-account-not-found', 'quota-exceeded']);
    expect(await reasons(SET, refused(QUOTA, 66), refused(ACCOUNT, 5))).toEqual(['service-account-not-found']);
    expect(await reasons(SET, refused(QUOTA, 20), refused(QUOTA, 5))).toEqual(['quota-exceeded']);
  });

  it('are told by warnings that a creation failed', async () => {
    expect(await reasons(SET, refused(QUOTA, 5, SET, { type: 'Normal' }))).toEqual([]);
    expect(await reasons(SET, refused(QUOTA, 5, SET, { reason: 'SuccessfulCreate' }))).toEqual([]);
    expect(await reasons(SET, refused(QUOTA, 5, SET, { reason: 'ReplicaSetCreateError' }))).toEqual(['quota-exceeded']);
    expect(await reasons(SET, refused('something unheard of'))).toEqual(['other']);
  });

  it('are over once the pods are there', async () => {
    const full = objectOf('ReplicaSet', 'web', { spec: { replicas: 2 }, status: { replicas: 2, observedGeneration: 1 } });
    expect(await reasons(full, refused(QUOTA))).toEqual([]);
    const job = objectOf('Job', 'web', { spec: {}, status: { startTime: ago(60) } });
    const pod = {
      ...podWith('web-1', {}, {}),
      metadata: { ...podWith('web-1', {}, {}).metadata, ownerReferences: [{ kind: 'Job', name: 'web', controller: true }] },
    };
    expect(await reasons(job, refused(QUOTA, 5, job))).toEqual(['quota-exceeded']);
    expect(await reasons(job, pod, refused(QUOTA, 5, job))).toEqual([]);
  });

  it('are over once a pod was made, where it was not seen to lack any', async () => {
    const hidden: KubeObject = { ...objectOf('ReplicaSet', 'web', {}), [OBSERVED]: ['metadata.name'] };
    const made = (seconds: number): KubeObject => eventOn(SET, 'SuccessfulCreate', 'Created pod: web-abcde', seconds, { type: 'Normal' });
    expect(await reasons(hidden, refused(QUOTA, 30), made(30))).toEqual([]);
    expect(await reasons(hidden, refused(QUOTA, 30), made(31))).toEqual(['quota-exceeded']);
    expect(await reasons(SET, refused(QUOTA, 30), made(10))).toEqual(['quota-exceeded']);
    const begun = (name: string, reason = 'Scheduled', count = 1): KubeObject =>
      eventOn(podWith(name, {}, {}), reason, '', 10, { type: 'Normal', count });
    const pod = podWith('web-abcde', {}, {});
    expect(await reasons(hidden, pod, refused(QUOTA, 30), begun('web-abcde'))).toEqual([]);
    expect(await reasons(hidden, pod, refused(QUOTA, 30), begun('web-abcde', 'Pulled', 3))).toEqual(['quota-exceeded']);
    expect(await reasons(hidden, pod, refused(QUOTA, 30), begun('web-abcde', 'BackOff'))).toEqual(['quota-exceeded']);
  });

  it('are told by the condition where no event does', async () => {
    const failing = (conditions: readonly JsonObject[]): KubeObject =>
      objectOf('ReplicaSet', 'web', { spec: { replicas: 2 }, status: { replicas: 0, observedGeneration: 1, conditions: [...conditions] } });
    const FAILURE = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: QUOTA };
    expect(await reasons(failing([FAILURE]))).toEqual(['quota-exceeded']);
    expect(await reasons(failing([FAILURE]), refused(ACCOUNT))).toEqual(['service-account-not-found']);
    expect(await reasons(failing([{ ...FAILURE, status: 'False' }]))).toEqual([]);
    expect(await reasons(failing([{ ...FAILURE, type: 'Available' }]))).toEqual([]);
  });
});
