import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { COMPONENTS } from '../../../src/simulator/components/components.ts';
import { namespace } from '../shop.ts';

const IMAGE = 'registry.example/shop/web:1.0';
const METRICS = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1beta1.metrics.k8s.io' },
  spec: {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { name: 'metrics-server', namespace: 'kube-system' },
  },
};

function behaviour(cluster: Cluster, cpu: readonly { readonly afterSeconds: number; readonly cores: number }[]): void {
  cluster.inject({ fault: 'part', part: 'behaviour', what: IMAGE, with: { cpu } });
}

/** A shop that scales with its load; each of its pods uses so many cores. */
function shop(
  cpu: readonly { readonly afterSeconds: number; readonly cores: number }[],
  {
    installed = true,
    replicas = 2,
    requests = { cpu: '100m' },
    spec = {},
  }: { readonly installed?: boolean; readonly replicas?: number; readonly requests?: JsonObject; readonly spec?: JsonObject } = {},
): Cluster {
  const cluster = createCluster({ seed: 2, preset: 'three-nodes' }, { components: COMPONENTS, freeze: true });
  behaviour(cluster, cpu);
  const container = { name: 'web', image: IMAGE, resources: { requests } };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    },
  };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }];
  const autoscaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 1, maxReplicas: 8, metrics, ...spec },
  };
  for (const applied of cluster.apply([namespace('shop'), ...(installed ? [METRICS] : []), deployment, autoscaler], { namespace: 'shop' }))
    if (applied.did === 'refused') throw new Error(applied.output);
  return cluster;
}

function replicasOf(cluster: Cluster): unknown {
  return dig(cluster.store.get('deployments.apps', 'shop', 'web'), 'spec', 'replicas');
}

function conditions(cluster: Cluster): readonly string[] {
  return asList(dig(cluster.store.get('horizontalpodautoscalers.autoscaling', 'shop', 'web'), 'status', 'conditions')).map(
    (one) => `${asText(dig(one, 'type'))} ${asText(dig(one, 'status'))} ${asText(dig(one, 'reason'))}: ${asText(dig(one, 'message'))}`,
  );
}

function eventsOf(cluster: Cluster): readonly string[] {
  return cluster.store
    .list('events')
    .filter((event) => dig(event, 'involvedObject', 'kind') === 'HorizontalPodAutoscaler')
    .map((event) => `${asText(event['type'])} ${asText(event['reason'])} ${asText(event['message'])}`);
}

test('a load above the target is met with more pods, once it has been measured', () => {
  const cluster = shop([{ afterSeconds: 0, cores: 0.1 }]);
  cluster.advance(20_000);
  expect(replicasOf(cluster)).toBe(2);
  cluster.advance(160_000);
  expect(replicasOf(cluster)).toBe(4);
  expect(eventsOf(cluster)).toContain(
    'Normal SuccessfulRescale New size: 4; reason: cpu resource utilization (percentage of request) above target',
  );
  cluster.advance(900_000);
  expect(replicasOf(cluster)).toBe(8);
  expect(conditions(cluster)).toEqual([
    'AbleToScale True ReadyForNewScale: recommended size matches current size',
    'ScalingActive True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
    'ScalingLimited True TooManyReplicas: the desired replica count is more than the maximum replica count',
  ]);
});

test('a load within a tenth of the target changes nothing, and then nothing is done at all', () => {
  const cluster = shop([{ afterSeconds: 0, cores: 0.054 }]);
  cluster.advance(900_000);
  expect(replicasOf(cluster)).toBe(2);
  expect(dig(cluster.store.get('horizontalpodautoscalers.autoscaling', 'shop', 'web'), 'status', 'currentMetrics')).toEqual([
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 54, averageValue: '54m' } } },
  ]);
  // An hour has 240 turns; events that expire are all that is left to happen in it.
  const before = cluster.steps;
  cluster.advance(3_600_000);
  expect(cluster.steps - before).toBeLessThan(150);
});

test('when the load goes the pods go after five minutes', () => {
  const cluster = shop(
    [
      { afterSeconds: 0, cores: 0.05 },
      { afterSeconds: 400, cores: 0 },
    ],
    { replicas: 3 },
  );
  cluster.advance(390_000);
  expect(replicasOf(cluster)).toBe(3);
  cluster.advance(250_000);
  expect(conditions(cluster)[0]).toBe(
    'AbleToScale True ScaleDownStabilized: recent recommendations were higher than current one, applying the highest recent recommendation',
  );
  expect(replicasOf(cluster)).toBe(3);
  cluster.advance(400_000);
  expect(replicasOf(cluster)).toBe(1);
  expect(eventsOf(cluster)).toContain('Normal SuccessfulRescale New size: 1; reason: All metrics below target');
});

test('policies of its own limit how fast it grows', () => {
  const cluster = shop([{ afterSeconds: 0, cores: 0.4 }], {
    replicas: 1,
    spec: { behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } } },
  });
  cluster.advance(135_000);
  expect(replicasOf(cluster)).toBe(2);
  expect(conditions(cluster)[2]).toBe(
    'ScalingLimited True ScaleUpLimit: the desired replica count is increasing faster than the maximum scale rate',
  );
});

test('without a metrics server it says so every fifteen seconds, and begins when there is one', () => {
  const cluster = shop([{ afterSeconds: 0, cores: 0.1 }], { installed: false });
  cluster.advance(130_000);
  const why =
    'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';
  expect(eventsOf(cluster)).toEqual([
    `Warning FailedGetResourceMetric ${why}`,
    `Warning FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`,
  ]);
  expect(conditions(cluster)[1]).toBe(
    `ScalingActive False FailedGetResourceMetric: the HPA was unable to compute the replica count: ${why}`,
  );
  expect(replicasOf(cluster)).toBe(2);
  cluster.apply([METRICS]);
  cluster.advance(180_000);
  expect(replicasOf(cluster)).toBeGreaterThan(2);
});

test('a metrics server that is down is another thing than none', () => {
  const cluster = shop([{ afterSeconds: 0, cores: 0.05 }]);
  cluster.advance(200_000);
  cluster.inject({ fault: 'stop', process: 'metrics-server' });
  cluster.advance(30_000);
  expect(conditions(cluster)[1]).toContain('the server is currently unable to handle the request (get pods.metrics.k8s.io)');
});

test('a container without a request for the resource is named', () => {
  const cluster = shop([{ afterSeconds: 0, cores: 0.1 }], { requests: {} });
  cluster.advance(200_000);
  expect(conditions(cluster)[1]).toMatch(
    /^ScalingActive False FailedGetResourceMetric: the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container web of Pod web-/,
  );
});

test('a target that is not there cannot be scaled', () => {
  const cluster = shop([], { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'till' } } });
  cluster.advance(20_000);
  expect(conditions(cluster)).toEqual([
    'AbleToScale False FailedGetScale: the HPA controller was unable to get the target\'s current scale: deployments.apps "till" not found',
  ]);
  expect(eventsOf(cluster)).toEqual(['Warning FailedGetScale deployments.apps "till" not found']);
});

test('more replicas than it may have are taken back at once', () => {
  const cluster = shop([{ afterSeconds: 0, cores: 0 }], { replicas: 10 });
  cluster.advance(30_000);
  expect(eventsOf(cluster)[0]).toBe('Normal SuccessfulRescale New size: 8; reason: Current number of replicas above Spec.MaxReplicas');
  expect(replicasOf(cluster)).toBe(8);
});
