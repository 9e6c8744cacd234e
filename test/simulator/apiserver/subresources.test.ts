import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { asItems } from '../../../src/simulator/apiserver/lists.ts';
import { create, deployment, failureOf, objectOf, pod, send, shop } from '../shop.ts';

describe('subresources', () => {
  test('a binding gives a pod its node, once, with the zone of the node', () => {
    const cluster = shop();
    cluster.request({
      verb: 'create',
      group: '',
      version: 'v1',
      resource: 'nodes',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1', labels: { 'topology.kubernetes.io/zone': 'zone-a' } } },
    });
    create(cluster, pod('web'));
    const bind = (node: string) =>
      send(cluster, 'create', 'Pod', 'web', {
        subresource: 'binding',
        body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'web' }, target: { kind: 'Node', name: node } },
      });
    expect(bind('worker-1').ok).toBe(true);
    const bound = cluster.store.get('pods', 'shop', 'web');
    expect([dig(bound, 'spec', 'nodeName'), dig(bound, 'metadata', 'labels'), dig(bound, 'status', 'conditions', 0, 'type')]).toEqual([
      'worker-1',
      { 'topology.kubernetes.io/zone': 'zone-a' },
      'PodScheduled',
    ]);
    expect(failureOf(bind('worker-2')).message).toBe(
      'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "worker-1"',
    );
  });

  test('an eviction asks the disruption budget, and uses it up', () => {
    const cluster = shop();
    for (const name of ['web-1', 'web-2']) {
      create(cluster, withPath(pod(name, { nodeName: 'worker-1' }), ['metadata', 'labels'], { app: 'web' }));
      send(cluster, 'patch', 'Pod', name, {
        subresource: 'status',
        patch: { type: 'merge', body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } },
      });
    }
    create(cluster, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    });
    send(cluster, 'patch', 'PodDisruptionBudget', 'web', {
      subresource: 'status',
      patch: {
        type: 'merge',
        body: { status: { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 } },
      },
    });
    const evict = (name: string, deleteOptions?: JsonObject) =>
      send(cluster, 'create', 'Pod', name, {
        subresource: 'eviction',
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...(deleteOptions === undefined ? {} : { deleteOptions }) },
      });
    // As `kubectl drain --dry-run=server` asks for it.
    expect(evict('web-1', { dryRun: ['All'] }).ok).toBe(true);
    expect(cluster.store.get('pods', 'shop', 'web-1')?.metadata['deletionTimestamp']).toBeUndefined();
    expect(evict('web-1').ok).toBe(true);
    expect(cluster.store.get('pods', 'shop', 'web-1')?.metadata['deletionTimestamp']).toBeDefined();
    const refused = failureOf(evict('web-2'));
    expect(refused).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
    });
    expect(dig(refused.status, 'details', 'causes', 0)).toEqual({
      reason: 'DisruptionBudget',
      message: 'The disruption budget web needs 1 healthy pods and has 2 currently',
    });
  });

  test('an eviction marks a pod that has not started, too, but none that is another', () => {
    const cluster = shop();
    create(cluster, withPath(pod('web', { nodeName: 'worker-1' }), ['metadata', 'finalizers'], ['example.com/held']));
    const evict = (deleteOptions: JsonObject) =>
      send(cluster, 'create', 'Pod', 'web', {
        subresource: 'eviction',
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web' }, deleteOptions },
      });
    const mark = () =>
      asList(dig(cluster.store.get('pods', 'shop', 'web'), 'status', 'conditions')).find((one) => dig(one, 'type') === 'DisruptionTarget');
    expect(failureOf(evict({ preconditions: { uid: 'another' } })).code).toBe(409);
    expect(mark()).toBeUndefined();
    expect(evict({}).ok).toBe(true);
    const marked = mark();
    expect(marked).toMatchObject({ status: 'True', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' });
    cluster.advance(5000);
    expect(evict({}).ok).toBe(true);
    expect(mark()).toEqual(marked);
  });

  test('a scale is a view of the replicas', () => {
    const cluster = shop();
    create(cluster, deployment('web', 2));
    const scale = objectOf(send(cluster, 'get', 'Deployment', 'web', { subresource: 'scale' }));
    expect([scale.kind, dig(scale, 'spec', 'replicas'), dig(scale, 'status', 'selector')]).toEqual(['Scale', 2, 'app=web']);
    send(cluster, 'patch', 'Deployment', 'web', { subresource: 'scale', patch: { type: 'merge', body: { spec: { replicas: 5 } } } });
    expect(dig(cluster.store.get('deployments.apps', 'shop', 'web'), 'spec', 'replicas')).toBe(5);
  });

  test('a token is good for its service account until it ends or the account is gone', () => {
    const cluster = shop();
    const requested = objectOf(
      send(cluster, 'create', 'ServiceAccount', 'default', {
        subresource: 'token',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: { expirationSeconds: 600 } },
      }),
    );
    const credential = { kind: 'token' as const, token: asText(dig(requested, 'status', 'token')) ?? '' };
    const whoAmI = () =>
      cluster.request({
        verb: 'create',
        group: 'authentication.k8s.io',
        version: 'v1',
        resource: 'selfsubjectreviews',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} },
        credential,
      });
    expect(dig(objectOf(whoAmI()), 'status', 'userInfo', 'username')).toBe('system:serviceaccount:shop:default');
    cluster.advance(601_000);
    expect(failureOf(whoAmI())).toMatchObject({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
  });

  test('logs of a pod without a node, of a container that is not there, of one among several', () => {
    const cluster = shop();
    create(cluster, pod('web'));
    create(cluster, {
      ...pod('two'),
      spec: {
        containers: [
          { name: 'web', image: 'a' },
          { name: 'log', image: 'b' },
        ],
      },
    });
    const log = (name: string, container?: string) =>
      failureOf(send(cluster, 'get', 'Pod', name, { subresource: 'log', log: container === undefined ? {} : { container } })).message;
    expect(log('web')).toBe('pod web does not have a host assigned');
    expect(log('web', 'db')).toBe('container db is not valid for pod web');
    expect(log('two')).toBe('a container name must be specified for pod two, choose one of: [web log]');
  });
});

describe('versions', () => {
  test('an Event of one group is read in the other', () => {
    const cluster = shop();
    const regarding = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' };
    cluster.request({
      verb: 'create',
      group: 'events.k8s.io',
      version: 'v1',
      resource: 'events',
      namespace: 'shop',
      body: {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: 'web.1', namespace: 'shop' },
        eventTime: '2026-11-20T09:00:00.000000Z',
        regarding,
        note: 'Successfully assigned',
        reason: 'Scheduled',
        action: 'Binding',
        type: 'Normal',
        reportingController: 'default-scheduler',
        reportingInstance: 'default-scheduler-1',
      },
    });
    expect(objectOf(send(cluster, 'get', 'Event', 'web.1'))).toMatchObject({
      apiVersion: 'v1',
      involvedObject: regarding,
      message: 'Successfully assigned',
      reportingComponent: 'default-scheduler',
      source: {},
      firstTimestamp: null,
    });
  });

  test('an autoscaler of version 1 is read in version 2', () => {
    const cluster = shop();
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    cluster.request({
      verb: 'create',
      group: 'autoscaling',
      version: 'v1',
      resource: 'horizontalpodautoscalers',
      namespace: 'shop',
      body: {
        apiVersion: 'autoscaling/v1',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'web' },
        spec: { maxReplicas: 4, scaleTargetRef, targetCPUUtilizationPercentage: 60 },
      },
    });
    expect(
      dig(
        objectOf(send(cluster, 'get', 'HorizontalPodAutoscaler', 'web')),
        'spec',
        'metrics',
        0,
        'resource',
        'target',
        'averageUtilization',
      ),
    ).toBe(60);
  });

  test('a CustomResourceDefinition makes its kind known, until it goes', () => {
    const cluster = shop();
    const list = () => cluster.request({ verb: 'list', group: 'shop.example', version: 'v1', resource: 'carts', namespace: 'shop' });
    expect(failureOf(list()).code).toBe(404);
    create(cluster, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'carts.shop.example' },
      spec: {
        group: 'shop.example',
        scope: 'Namespaced',
        names: { plural: 'carts', kind: 'Cart' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    expect(asItems(objectOf(list()))).toEqual([]);
    expect(
      create(cluster, { apiVersion: 'shop.example/v1', kind: 'Cart', metadata: { name: 'first', namespace: 'shop' }, items: 3 }).ok,
    ).toBe(true);
    send(cluster, 'delete', 'CustomResourceDefinition', 'carts.shop.example');
    expect(failureOf(list()).code).toBe(404);
  });
});
