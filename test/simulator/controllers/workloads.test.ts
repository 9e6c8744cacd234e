import { describe, expect, test } from 'vitest';
import { dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { controllerOf } from '../../../src/model/kube-object.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, deployment, objectOf, pod, send } from '../shop.ts';
import { apply, condition, eventsOf, get, list, names, workshop } from './workshop.ts';

/** Revision and size of every ReplicaSet, the oldest first. */
function sizesOf(cluster: Cluster): readonly (readonly unknown[])[] {
  const sizes = list(cluster, 'ReplicaSet').map((set) => [
    dig(set, 'metadata', 'annotations', 'deployment.kubernetes.io/revision'),
    dig(set, 'spec', 'replicas'),
  ]);
  return sizes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const quota = (hard: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'team' },
  spec: { hard },
});

describe('Deployments and ReplicaSets', () => {
  test('a Deployment becomes a ReplicaSet and its pods, and says when it is complete', () => {
    const cluster = workshop();
    apply(cluster, [deployment('web', 3)]);
    const web = get(cluster, 'Deployment', 'web');
    const [set] = list(cluster, 'ReplicaSet');
    expect(condition(web, 'Progressing')).toBe('True NewReplicaSetAvailable');
    expect(condition(web, 'Available')).toBe('True MinimumReplicasAvailable');
    expect(web.metadata['annotations']).toMatchObject({ 'deployment.kubernetes.io/revision': '1' });
    expect(eventsOf(cluster, 'Deployment', 'web')).toEqual([
      `Normal ScalingReplicaSet Scaled up replica set ${set?.metadata.name ?? ''} from 0 to 3`,
    ]);
    expect(list(cluster, 'Pod').map((one) => controllerOf(one)?.name)).toEqual([
      set?.metadata.name,
      set?.metadata.name,
      set?.metadata.name,
    ]);
  });

  test('a new template is rolled out step by step and the old set stays at nothing', () => {
    const cluster = workshop();
    apply(cluster, [deployment('web', 3)]);
    apply(
      cluster,
      [withPath(deployment('web', 3), ['spec', 'minReadySeconds'], 0), deployment('web', 3, { image: 'shop/web:2.0' })],
      20_000,
    );
    expect(sizesOf(cluster)).toEqual([
      ['1', 0],
      ['2', 3],
    ]);
    expect(eventsOf(cluster, 'Deployment', 'web')).toHaveLength(7);
  });

  test('a set whose pods nobody lets in waits each time for who does not answer', () => {
    const cluster = workshop();
    const certificate = {
      name: 'hook',
      commonName: 'hook',
      organizations: [],
      issuer: 'hook-ca',
      notBefore: 0,
      notAfter: Date.UTC(2030, 0, 1),
      dnsNames: [],
      ipAddresses: ['127.0.0.1'],
    };
    cluster.inject({ fault: 'webhook-server', server: { address: '127.0.0.1:9443', certificate, paths: { '/slow': { answer: 'hang' } } } });
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
    const webhook = {
      name: 'slow.guard.example',
      clientConfig: { url: 'https://127.0.0.1:9443/slow', caBundle: 'QQ==' },
      rules,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 2,
    };
    cluster.apply([
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'guard' },
        webhooks: [webhook],
      },
    ]);
    cluster.advance(500);
    apply(cluster, [deployment('web', 3)], 9000);
    expect(
      list(cluster, 'Event')
        .filter((event) => event['reason'] === 'FailedCreate')
        .map((event) => event['count']),
    ).toEqual([4]);
    const before = cluster.now();
    apply(cluster, [pod('alone')], 0);
    expect(cluster.now() - before).toBeGreaterThanOrEqual(2000);
  });

  test('a rollout whose new pods do not get ready takes no more old ones away than may be unavailable', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [deployment('web', 4)]);
    apply(cluster, [deployment('web', 4, { image: 'shop/web:2.0' })], 60_000);
    // At most 5 pods, at least 3 available: none is, so each new pod that is not ready keeps an old one.
    expect(sizesOf(cluster)).toEqual([
      ['1', 3],
      ['2', 2],
    ]);
  });

  test('of old sets as many stay as revisionHistoryLimit says, the latest of them', () => {
    const cluster = workshop();
    for (const version of ['1.0', '2.0', '3.0', '4.0'])
      apply(cluster, [withPath(deployment('web', 1, { image: `shop/web:${version}` }), ['spec', 'revisionHistoryLimit'], 2)], 10_000);
    expect(sizesOf(cluster)).toEqual([
      ['2', 0],
      ['3', 0],
      ['4', 1],
    ]);
  });

  test('Recreate ends all old pods before it makes a new one', () => {
    const cluster = workshop();
    const recreate = withPath(deployment('web', 2), ['spec', 'strategy'], { type: 'Recreate' });
    apply(cluster, [recreate]);
    apply(cluster, [withPath(recreate, ['spec', 'template', 'spec', 'containers'], [{ name: 'web', image: 'shop/web:2.0' }])], 20_000);
    const events = eventsOf(cluster, 'Deployment', 'web').map((event) => event.replace(/set \S+ /, 'set '));
    expect(events).toEqual([
      'Normal ScalingReplicaSet Scaled up replica set from 0 to 2',
      'Normal ScalingReplicaSet Scaled down replica set from 2 to 0',
      'Normal ScalingReplicaSet Scaled up replica set from 0 to 2',
    ]);
  });

  test('a paused Deployment makes nothing and says so; it is resumed', () => {
    const cluster = workshop();
    apply(cluster, [withPath(deployment('web'), ['spec', 'paused'], true)]);
    expect(condition(get(cluster, 'Deployment', 'web'), 'Progressing')).toBe('Unknown DeploymentPaused');
    expect(names(cluster, 'ReplicaSet')).toEqual([]);
    apply(cluster, [deployment('web')]);
    expect(condition(get(cluster, 'Deployment', 'web'), 'Progressing')).toBe('True NewReplicaSetAvailable');
  });

  test('refused pods are tried again more and more slowly, and the first refusal is what the conditions say', () => {
    const cluster = workshop();
    apply(cluster, [quota({ pods: '0' }), deployment('web')], 15_000);
    const [set] = list(cluster, 'ReplicaSet');
    const events = eventsOf(cluster, 'ReplicaSet', set?.metadata.name ?? '');
    expect(events).toHaveLength(10);
    expect(events[0]).toMatch(
      /^Warning FailedCreate Error creating: pods "web-\w+-\w{5}" is forbidden: exceeded quota: team, requested: pods=1, used: pods=0, limited: pods=0$/,
    );
    expect(events[9]).toContain('(combined from similar events): Error creating: ');
    expect(condition(get(cluster, 'Deployment', 'web'), 'ReplicaFailure')).toBe('True FailedCreate');
    apply(cluster, [quota({ pods: '1' })], 30_000);
    expect(condition(get(cluster, 'Deployment', 'web'), 'ReplicaFailure')).toBeUndefined();
    expect(list(cluster, 'Pod')).toHaveLength(1);
  });

  test('a rollout that does not get on misses its deadline', () => {
    const cluster = workshop();
    apply(cluster, [quota({ pods: '0' }), withPath(deployment('web'), ['spec', 'progressDeadlineSeconds'], 30)], 40_000);
    expect(condition(get(cluster, 'Deployment', 'web'), 'Progressing')).toBe('False ProgressDeadlineExceeded');
  });

  test('the name of a set that is taken by another is not used', () => {
    const first = workshop();
    apply(first, [deployment('web')]);
    const [name = ''] = names(first, 'ReplicaSet');
    const second = workshop();
    objectOf(
      create(second, {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: { name, namespace: 'shop' },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'other' } },
          template: { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'web', image: 'shop/web:1.0' }] } },
        },
      }),
    );
    apply(second, [deployment('web')]);
    expect(dig(get(second, 'Deployment', 'web'), 'status', 'collisionCount')).toBe(1);
    expect(names(second, 'ReplicaSet')).toHaveLength(2);
  });

  test('a ReplicaSet adopts a pod that fits and lets one go that does not any more', () => {
    const cluster = workshop();
    const labels = { app: 'web' };
    apply(cluster, [withPath(pod('lonely'), ['metadata', 'labels'], labels)]);
    apply(cluster, [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: { name: 'web' },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'shop/web:1.0' }] } },
        },
      },
    ]);
    expect(names(cluster, 'Pod')).toEqual(['lonely']);
    expect(controllerOf(get(cluster, 'Pod', 'lonely'))?.name).toBe('web');
    objectOf(send(cluster, 'patch', 'Pod', 'lonely', { patch: { type: 'merge', body: { metadata: { labels: { app: 'debug' } } } } }));
    cluster.advance(3000);
    expect(controllerOf(get(cluster, 'Pod', 'lonely'))).toBeUndefined();
    expect(names(cluster, 'Pod')).toHaveLength(2);
  });
});
