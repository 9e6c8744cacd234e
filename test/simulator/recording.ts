import type { JsonObject } from '../../src/base/json.ts';
import type { ClusterOptions } from '../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster } from '../../src/simulator/cluster.ts';
import type { ComponentDefinition } from '../../src/simulator/components/component.ts';
import { traceEnd } from '../../src/simulator/trace/trace-file.ts';
import { namespace } from './shop.ts';

/** Records what a script does to a cluster with the namespace `shop`, as a trace's file has it. */
export function recorded(
  script: (cluster: Cluster) => void,
  options: Partial<ClusterOptions> = {},
  components?: readonly ComponentDefinition[],
): string {
  const lines: string[] = [];
  const cluster = createCluster(
    { seed: 3, ...options },
    { trace: (line) => lines.push(line), ...(components === undefined ? {} : { components }) },
  );
  cluster.apply([namespace('shop')]);
  cluster.advance(1000);
  script(cluster);
  return [...lines, traceEnd(cluster), ''].join('\n');
}

/** A Deployment of containers that end with an exit code a moment after they started. */
export function crashing(name: string, replicas = 1): JsonObject {
  const labels = { app: name };
  const container = { name: 'web', image: 'busybox:1.36', command: ['sh', '-c', 'exit 3'] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  };
}

/** A Deployment of containers that run and run. */
export function serving(name: string, replicas = 2): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
    },
  };
}
