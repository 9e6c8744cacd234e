import type { JsonObject } from '../../src/base/json.ts';
import { asList, dig } from '../../src/base/json.ts';

/** What the loads are made of. */
export const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

export function deployment(name: string, replicas: number, container: JsonObject): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  };
}

export function isReadyPod(pod: JsonObject): boolean {
  return asList(dig(pod, 'status', 'conditions')).some(
    (condition) => dig(condition, 'type') === 'Ready' && dig(condition, 'status') === 'True',
  );
}
