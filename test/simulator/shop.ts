import type { JsonObject } from '../../src/base/json.ts';
import { textOf } from '../../src/base/json-text.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Answer, Failure } from '../../src/simulator/apiserver/request.ts';
import type { ClusterOptions, OutsideRequest } from '../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster } from '../../src/simulator/cluster.ts';

/** A control plane without nodes and controllers, with the namespace `shop` and its service account: nothing moves by itself. */
export function shop(options: Partial<ClusterOptions> = {}): Cluster {
  const objects = [
    namespace('shop'),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } },
    ...(options.objects ?? []),
  ];
  return createCluster({ seed: 1, preset: 'no-nodes', ...options, objects }, { components: [], freeze: true });
}

export function namespace(name: string, labels: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** A pod of one container. */
export function pod(name: string, spec: JsonObject = {}, container: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop' },
    spec: { containers: [{ name: 'web', image: 'shop/web:1.0', ...container }], ...spec },
  };
}

export function deployment(name: string, replicas = 1, container: JsonObject = {}): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'shop/web:1.0', ...container }] } },
    },
  };
}

export function send(
  cluster: Cluster,
  verb: OutsideRequest['verb'],
  kind: string,
  name: string | undefined,
  more: Partial<OutsideRequest> = {},
): Answer {
  const resource = cluster.server.resources.named(kind);
  if (resource === undefined) throw new Error(`${kind} is not served`);
  const place = resource.namespaced ? { namespace: 'shop' } : {};
  return cluster.request({
    verb,
    group: resource.group,
    version: resource.version,
    resource: resource.plural,
    ...place,
    ...(name === undefined ? {} : { name }),
    ...more,
  });
}

export function create(cluster: Cluster, object: JsonObject, more: Partial<OutsideRequest> = {}): Answer {
  return send(cluster, 'create', textOf(object['kind']), undefined, { body: object, ...more });
}

/** The object of an answer that must be one. */
export function objectOf(answer: Answer): KubeObject {
  if (!answer.ok) throw new Error(answer.message);
  return answer.object;
}

/** The failure of an answer that must be one. */
export function failureOf(answer: Answer): Failure {
  if (answer.ok) throw new Error(`${answer.object.kind} was accepted`);
  return answer;
}
