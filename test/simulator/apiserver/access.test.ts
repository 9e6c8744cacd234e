import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { Credential } from '../../../src/simulator/apiserver/request.ts';
import { ANONYMOUS } from '../../../src/simulator/apiserver/request.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';

function role(name: string, rules: readonly JsonObject[]): JsonObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name, namespace: 'shop' }, rules };
}

function binding(name: string, roleName: string, subject: JsonObject, kind = 'Role'): JsonObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace: 'shop' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName },
    subjects: [subject],
  };
}

const JANE: JsonObject = { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' };

function withReaders(): { readonly cluster: Cluster; readonly jane: Credential } {
  const cluster = shop({
    objects: [role('reader', [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]), binding('jane-reads', 'reader', JANE)],
  });
  return { cluster, jane: cluster.userCredential('jane') };
}

describe('an API server that allows everything', () => {
  test('lets every user do everything, and nobody in who is anonymous', () => {
    const cluster = shop({ configuration: { alwaysAllow: true } });
    expect(send(cluster, 'list', 'Secret', undefined, { credential: cluster.userCredential('jane') }).ok).toBe(true);
    expect(failureOf(send(cluster, 'list', 'Pod', undefined, { credential: ANONYMOUS })).code).toBe(401);
  });
});

describe('authentication', () => {
  test('a certificate that has ended, or of another authority, is nobody', () => {
    const cluster = shop();
    const jane = cluster.userCredential('jane');
    if (jane.kind !== 'certificate') throw new Error('a certificate');
    const foreign: Credential = { kind: 'certificate', certificate: { ...jane.certificate, issuer: 'another-ca' } };
    for (const credential of [foreign, { kind: 'token' as const, token: 'made-up' }])
      expect(failureOf(send(cluster, 'list', 'Pod', undefined, { credential })).status).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    const ended: Credential = { kind: 'certificate', certificate: { ...jane.certificate, notAfter: cluster.now() + 1000 } };
    expect(failureOf(send(cluster, 'list', 'Pod', undefined, { credential: ended })).code).toBe(403);
    cluster.advance(2000);
    expect(failureOf(send(cluster, 'list', 'Pod', undefined, { credential: ended })).code).toBe(401);
  });

  test('no credential at all is anonymous, who may look at nothing', () => {
    expect(failureOf(send(shop(), 'list', 'Pod', undefined, { credential: ANONYMOUS })).message).toBe(
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "shop"',
    );
  });

  test('a token of an account that was deleted and made again is good no more', () => {
    const cluster = shop();
    const token = textOf(
      dig(objectOf(send(cluster, 'create', 'ServiceAccount', 'default', { subresource: 'token', body: { spec: {} } })), 'status', 'token'),
    );
    send(cluster, 'delete', 'ServiceAccount', 'default');
    create(cluster, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } });
    expect(failureOf(send(cluster, 'list', 'Pod', undefined, { credential: { kind: 'token', token } })).code).toBe(401);
  });

  test('an administrator may act as another, who then has their own rights only', () => {
    const { cluster, jane } = withReaders();
    expect(send(cluster, 'list', 'Pod', undefined, { impersonate: { user: 'jane' } }).ok).toBe(true);
    expect(failureOf(send(cluster, 'list', 'Secret', undefined, { impersonate: { user: 'jane' } })).code).toBe(403);
    expect(failureOf(send(cluster, 'list', 'Pod', undefined, { credential: jane, impersonate: { user: 'mary' } })).message).toBe(
      'users "mary" is forbidden: User "jane" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  });
});

describe('rbac', () => {
  test('what a role gives is allowed where it is bound, and nothing else', () => {
    const { cluster, jane } = withReaders();
    expect(send(cluster, 'list', 'Pod', undefined, { credential: jane }).ok).toBe(true);
    const denied = failureOf(create(cluster, pod('web'), { credential: jane }));
    expect(denied.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Forbidden',
      code: 403,
      details: { kind: 'pods' },
      message: 'pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "shop"',
    });
    expect(failureOf(send(cluster, 'get', 'Deployment', 'web', { credential: jane })).message).toBe(
      'deployments.apps "web" is forbidden: User "jane" cannot get resource "deployments" in API group "apps" in the namespace "shop"',
    );
    expect(failureOf(cluster.request({ verb: 'list', group: '', version: 'v1', resource: 'pods', credential: jane })).message).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope',
    );
    expect(failureOf(send(cluster, 'get', 'Pod', 'web', { credential: jane, subresource: 'log' })).message).toContain(
      'cannot get resource "pods/log"',
    );
  });

  test('a change of a role counts at once', () => {
    const { cluster, jane } = withReaders();
    expect(send(cluster, 'list', 'ConfigMap', undefined, { credential: jane }).ok).toBe(false);
    send(cluster, 'patch', 'Role', 'reader', {
      patch: { type: 'merge', body: { rules: [{ apiGroups: [''], resources: ['*'], verbs: ['list'] }] } },
    });
    expect(send(cluster, 'list', 'ConfigMap', undefined, { credential: jane }).ok).toBe(true);
    send(cluster, 'delete', 'RoleBinding', 'jane-reads');
    expect(send(cluster, 'list', 'ConfigMap', undefined, { credential: jane }).ok).toBe(false);
  });

  test('a rule for names is for those names', () => {
    const cluster = shop({
      objects: [
        role('one', [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['app-config'], verbs: ['get'] }]),
        binding('jane-one', 'one', JANE),
      ],
    });
    const credential = cluster.userCredential('jane');
    const codeOf = (name: string): number => failureOf(send(cluster, 'get', 'ConfigMap', name, { credential })).code;
    expect([codeOf('app-config'), codeOf('other'), codeOf('app-config')]).toEqual([404, 403, 404]);
  });

  test('a binding to a role that is not there says so', () => {
    const cluster = shop({ objects: [binding('jane-gone', 'gone', JANE)] });
    const failure = failureOf(send(cluster, 'list', 'Pod', undefined, { credential: cluster.userCredential('jane') }));
    expect(failure.message).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "shop": RBAC: role.rbac.authorization.k8s.io "gone" not found',
    );
  });

  test('groups and service accounts are subjects too', () => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
    const cluster = shop({
      objects: [
        role('reader', rules),
        binding('team', 'reader', { kind: 'Group', name: 'team-web', apiGroup: 'rbac.authorization.k8s.io' }),
        binding('account', 'reader', { kind: 'ServiceAccount', name: 'default', namespace: 'shop' }),
      ],
    });
    const token = textOf(
      dig(objectOf(send(cluster, 'create', 'ServiceAccount', 'default', { subresource: 'token', body: { spec: {} } })), 'status', 'token'),
    );
    expect(send(cluster, 'list', 'Pod', undefined, { credential: cluster.userCredential('mary', ['team-web']) }).ok).toBe(true);
    expect(send(cluster, 'list', 'Pod', undefined, { credential: { kind: 'token', token } }).ok).toBe(true);
    expect(send(cluster, 'list', 'Pod', undefined, { credential: cluster.userCredential('mary') }).ok).toBe(false);
  });

  test('nobody gives away what they do not have', () => {
    const cluster = shop({
      objects: [
        role('roles', [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['create'] }]),
        binding('jane-roles', 'roles', JANE),
      ],
    });
    const failure = failureOf(
      create(cluster, role('secrets', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]), {
        credential: cluster.userCredential('jane'),
      }),
    );
    expect(failure.message).toBe(
      'roles.rbac.authorization.k8s.io "secrets" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    );
  });

  test('an access review says who may, and by which binding', () => {
    const { cluster } = withReaders();
    const review = (verb: string) =>
      objectOf(
        cluster.request({
          verb: 'create',
          group: 'authorization.k8s.io',
          version: 'v1',
          resource: 'subjectaccessreviews',
          body: {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SubjectAccessReview',
            metadata: {},
            spec: { user: 'jane', resourceAttributes: { verb, group: '', resource: 'pods', namespace: 'shop' } },
          },
        }),
      );
    expect(review('list')['status']).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "jane-reads/shop" of Role "reader" to User "jane"',
    });
    expect(review('delete')['status']).toEqual({ allowed: false });
  });

  test('everyone may ask what they may', () => {
    const { cluster, jane } = withReaders();
    const rules = objectOf(
      cluster.request({
        verb: 'create',
        group: 'authorization.k8s.io',
        version: 'v1',
        resource: 'selfsubjectrulesreviews',
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', metadata: {}, spec: { namespace: 'shop' } },
        credential: jane,
      }),
    );
    expect(dig(rules, 'status', 'resourceRules')).toContainEqual({ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] });
  });
});

describe('the node authorizer', () => {
  const asNode = (cluster: Cluster, name: string): Credential => cluster.userCredential(`system:node:${name}`, ['system:nodes']);

  function withPods(): Cluster {
    const cluster = shop({
      objects: [
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', namespace: 'shop' } },
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'app-config', namespace: 'shop' } },
      ],
    });
    create(
      cluster,
      pod(
        'web',
        { nodeName: 'worker-1', volumes: [{ name: 'config', configMap: { name: 'app-config' } }] },
        { env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'value' } } }] },
      ),
    );
    return cluster;
  }

  test('lets a kubelet read what the pods of its node use, and another kubelet not', () => {
    const cluster = withPods();
    for (const [kind, name] of [
      ['Secret', 'token'],
      ['ConfigMap', 'app-config'],
    ] as const) {
      expect(send(cluster, 'get', kind, name, { credential: asNode(cluster, 'worker-1') }).ok).toBe(true);
      const plural = `${kind.toLowerCase()}s`;
      expect(failureOf(send(cluster, 'get', kind, name, { credential: asNode(cluster, 'worker-2') })).message).toBe(
        `${plural} "${name}" is forbidden: User "system:node:worker-2" cannot get resource "${plural}" in API group "" in the namespace "shop": no relationship found between node 'worker-2' and this object`,
      );
    }
  });

  test('lets it list the pods of its node only', () => {
    const cluster = withPods();
    const list = (fieldSelector?: string) =>
      cluster.request({
        verb: 'list',
        group: '',
        version: 'v1',
        resource: 'pods',
        credential: asNode(cluster, 'worker-1'),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      });
    expect(list('spec.nodeName=worker-1').ok).toBe(true);
    expect(failureOf(list('spec.nodeName=worker-2')).message).toContain('can only list/watch pods with spec.nodeName field selector');
    expect(failureOf(list()).code).toBe(403);
  });

  test('and NodeRestriction lets it touch its own node and pods only', () => {
    const cluster = withPods();
    const status = (credential: Credential) =>
      send(cluster, 'patch', 'Pod', 'web', {
        subresource: 'status',
        patch: { type: 'merge', body: { status: { phase: 'Running' } } },
        credential,
      });
    expect(status(asNode(cluster, 'worker-1')).ok).toBe(true);
    expect(failureOf(status(asNode(cluster, 'worker-2'))).message).toBe(
      'pods "web" is forbidden: node "worker-2" can only update pod status for pods with spec.nodeName set to itself',
    );
    expect(
      failureOf(create(cluster, pod('bare', { nodeName: 'worker-1' }), { credential: asNode(cluster, 'worker-1') })).message,
    ).toContain('can only create mirror pods');
  });

  test('someone of the group without the name of a node is nobody to it', () => {
    const cluster = withPods();
    expect(
      failureOf(send(cluster, 'list', 'Pod', undefined, { credential: cluster.userCredential('worker-1', ['system:nodes']) })).message,
    ).toContain(': unknown node for user "worker-1"');
  });
});
