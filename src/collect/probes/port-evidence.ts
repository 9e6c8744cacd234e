import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, inNamespace, labelsOf } from '../../model/kube-object.ts';
import type { PodContainer } from '../containers/containers.ts';
import { containersOf } from '../containers/containers.ts';
import type { Listener } from '../logs/listeners.ts';
import { listenersOf, protocolOfName } from '../logs/listeners.ts';
import type { PodLogs } from '../logs/pod-logs.ts';
import type { ProbeSpec } from './probe-specs.ts';
import { numberOf, portNamed, protocolOf } from './probe-specs.ts';
import { selectorOf, selects } from '../serving/service-backends.ts';
import type { Scene } from '../survey/scene.ts';

/** Something that says which port of a container does its work, and how it speaks. */
export interface PortEvidence {
  readonly port: number;
  readonly from: 'log' | 'probe' | 'command' | 'env' | 'service' | 'declared';
  readonly protocol: Listener['protocol'];
  /** For a person: `its log: "listening on port 8080"`. */
  readonly words: string;
  readonly loopback: boolean;
}

/** What is known of a container's ports, the surest first, without what the probe in question says itself. */
export function portEvidence(pod: KubeObject, container: PodContainer, probe: ProbeSpec, known: Known): readonly PortEvidence[] {
  const listeners = listenersOf(pod, container, known.logs);
  const of = (from: Listener['from']): readonly PortEvidence[] =>
    listeners
      .filter((listener) => listener.from === from)
      .map(({ port, protocol, quote, loopback }) => ({
        port,
        from,
        protocol,
        loopback,
        words: from === 'log' ? `its log: ${quote}` : quote,
      }));
  const others = known.passing.filter((other) => other.probe !== probe.probe).flatMap(probeEvidence);
  const elsewhere = containersOf(pod)
    .filter(({ name }) => name !== container.name)
    .flatMap((other) => listenersOf(pod, other, known.logs).filter(({ from }) => from === 'declared'));
  const neighbours = elsewhere.map(({ port, protocol, quote, container: name }) => ({
    port,
    from: 'declared' as const,
    protocol,
    loopback: false,
    words: `container ${name}: ${quote}`,
  }));
  return [
    ...of('log'),
    ...others,
    ...of('command'),
    ...of('env'),
    ...serviceEvidence(pod, container, known.services),
    ...of('declared'),
    ...neighbours,
    ...mentioned(pod, probe),
  ];
}

/** Proxies that are put into a pod serve ports nobody declares; they leave them in annotations (`prometheus.io/port: 15020`). */
function mentioned(pod: KubeObject, { port }: ProbeSpec): readonly PortEvidence[] {
  if (port === undefined) return [];
  const word = new RegExp(`(?:^|\\D)${String(port)}(?:\\D|$)`);
  const found = Object.entries(annotationsOf(pod)).find(([key, value]) => key !== LAST_APPLIED && value.length < 2000 && word.test(value));
  return found === undefined
    ? []
    : [{ port, from: 'declared', protocol: undefined, loopback: false, words: `annotation ${found[0]}: ${found[1]}` }];
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export interface Known {
  readonly logs: PodLogs;
  /** Services of the pod's namespace. */
  readonly services: readonly KubeObject[];
  /** Other probes of the container that pass. */
  readonly passing: readonly ProbeSpec[];
}

function probeEvidence(spec: ProbeSpec): readonly PortEvidence[] {
  const { probe, port, handler } = spec;
  if (port === undefined) return [];
  const words = `the ${probe} probe (${handler}) passes on port ${String(port)}`;
  return [{ port, from: 'probe', protocol: protocolOf(spec), loopback: false, words }];
}

function serviceEvidence(pod: KubeObject, container: PodContainer, services: readonly KubeObject[]): readonly PortEvidence[] {
  return services
    .filter((service) => service.metadata.namespace === pod.metadata.namespace && selects(selectorOf(service), labelsOf(pod)))
    .flatMap((service) =>
      asList(dig(service, 'spec', 'ports')).flatMap((entry) => {
        const port = targetOf(entry, container);
        if (port === undefined || (asText(dig(entry, 'protocol')) ?? 'TCP') !== 'TCP') return [];
        const name = asText(dig(entry, 'name'));
        const protocol = protocolOfName(asText(dig(entry, 'appProtocol'))) ?? protocolOfName(name);
        return [
          {
            port,
            from: 'service' as const,
            protocol,
            loopback: false,
            words: `Service ${service.metadata.name} leads to port ${String(port)}${name === undefined ? '' : ` (${name})`}`,
          },
        ];
      }),
    );
}

function targetOf(entry: Json, container: PodContainer): number | undefined {
  const target = dig(entry, 'targetPort') ?? dig(entry, 'port');
  return numberOf(target) ?? (typeof target === 'string' ? portNamed(container.spec, target) : undefined);
}

/** Services that may lead to the scene's pods: the list the Service facts are made from. */
export async function servicesOf(scene: Scene): Promise<readonly KubeObject[]> {
  const namespaces = scene.request.target === undefined ? [scene.request.namespace] : scene.namespaces;
  const lists = await Promise.all(namespaces.map((namespace) => scene.survey.list('Service', inNamespace(namespace))));
  return lists.flatMap((list) => (list.ok ? list.value : []));
}
