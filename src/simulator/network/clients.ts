import { asList, asNumber, asText, asTextMap, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import { selectsLabels } from '../apiserver/selectors.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../outside/outside-world.ts';

/** What clients get that connect to a port of a Service by its name, from a pod without labels on every machine. */
export interface ServiceReach {
  readonly service: KubeObject;
  readonly port: number;
  /** The first of them that got nowhere, with the NetworkPolicy that kept it out, if one did; undefined when all were answered. */
  readonly trouble: { readonly why: string; readonly policy: string | undefined } | undefined;
}

/** The Services that lead to one of these pods, and whether a client in their namespace would reach each TCP port of them. */
export function reachOfServices(world: World, store: Store, pods: readonly KubeObject[]): readonly ServiceReach[] {
  const machines = store
    .list('nodes')
    .filter((node) => world.datacenter.has(node.metadata.name) && isReady(node))
    .map(({ metadata }) => metadata.name);
  if (machines.length === 0) return [];
  const namespaces = new Set(pods.map(({ metadata }) => metadata.namespace));
  const services = [...namespaces]
    .flatMap((namespace) => store.list('services', namespace))
    .filter((service) => {
      const selector = asTextMap(dig(service, 'spec', 'selector'));
      return (
        Object.keys(selector).length > 0 &&
        pods.some((pod) => pod.metadata.namespace === service.metadata.namespace && selectsLabels(selector, labelsOf(pod)))
      );
    });
  return services.flatMap((service) =>
    asList(dig(service, 'spec', 'ports')).flatMap((port): readonly ServiceReach[] => {
      const number = asNumber(dig(port, 'port'));
      if (number === undefined || (asText(dig(port, 'protocol')) ?? 'TCP') !== 'TCP') return [];
      return [{ service, port: number, trouble: troubleOf(world, machines, service, number) }];
    }),
  );
}

function troubleOf(world: World, machines: readonly string[], service: KubeObject, port: number): ServiceReach['trouble'] {
  const { name, namespace = '' } = service.metadata;
  const client: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'client', namespace }, spec: {} };
  // A headless Service is connected to at the port of its pods.
  const target =
    dig(service, 'spec', 'clusterIP') === 'None'
      ? (asNumber(
          dig(
            asList(dig(service, 'spec', 'ports')).find((one) => dig(one, 'port') === port),
            'targetPort',
          ),
        ) ?? port)
      : port;
  for (const node of machines) {
    const attempt = world.datacenter.network.reach({ node, netns: undefined, pod: client }, `${name}.${namespace}`, target);
    if (!attempt.ok)
      return {
        why: `a pod on ${node} that connects to ${name}.${namespace}:${target} gets "${attempt.trouble}": ${attempt.why}`,
        policy: attempt.policy,
      };
  }
  return undefined;
}

function isReady(node: KubeObject): boolean {
  return asList(dig(node, 'status', 'conditions')).some(
    (condition) => dig(condition, 'type') === 'Ready' && dig(condition, 'status') === 'True',
  );
}
