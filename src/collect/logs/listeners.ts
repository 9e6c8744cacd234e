import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { PodContainer } from '../containers/containers.ts';
import { containersOf } from '../containers/containers.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { ListenAddress } from './listen-words.ts';
import { listenCommand, listenLine, listenVariable } from './listen-words.ts';
import type { PodLogs } from './pod-logs.ts';
import { podLogs } from './pod-logs.ts';
import type { Scene } from '../survey/scene.ts';

/** A port a container listens on, or is said to listen on. */
export interface Listener {
  readonly container: string;
  readonly port: number;
  readonly from: 'log' | 'command' | 'env' | 'declared';
  readonly loopback: boolean;
  readonly protocol: 'http' | 'https' | 'grpc' | 'tcp' | undefined;
  readonly portName: string | undefined;
  /** The words that say so. */
  readonly quote: string;
}

/** `listener` facts for every container: what it declares, is told by its command and variables, and logs. */
export async function collectListeners(scene: Scene, sink: FactSink): Promise<void> {
  const logs = await podLogs(scene);
  for (const pod of scene.judged) {
    const ref = refOf(pod);
    for (const container of containersOf(pod)) {
      if (container.role === 'init' || container.role === 'ephemeral') continue;
      for (const { port, from, loopback, protocol, portName, quote } of listenersOf(pod, container, logs)) {
        const source = from === 'log' ? `log of ${formatRef(ref)} container ${container.name}` : `${formatRef(ref)} spec`;
        sink.fact('listener', ref, { container: container.name, port, from, loopback, protocol, portName }, { source, quote });
      }
    }
  }
}

/** What tells on which ports a container listens, the surest first. */
export function listenersOf(pod: KubeObject, container: PodContainer, logs: PodLogs): readonly Listener[] {
  const base = { container: container.name, portName: undefined };
  const fromLog = logs.of(pod, container.name).flatMap(({ lines }) =>
    lines.flatMap((line) => {
      const address = listenLine(line);
      return address === undefined ? [] : [{ ...base, ...complete(address), from: 'log' as const, quote: line.slice(0, 500) }];
    }),
  );
  return [...unique(fromLog), ...commanded(container), ...declared(container)];
}

function commanded(container: PodContainer): readonly Listener[] {
  const base = { container: container.name, portName: undefined };
  const command = [...asList(dig(container.spec, 'command')), ...asList(dig(container.spec, 'args'))].map(String).join(' ');
  const ports = listenCommand(command).map((address) => ({
    ...base,
    ...complete(address),
    from: 'command' as const,
    quote: `command: ${command.slice(0, 500)}`,
  }));
  const variables = asList(dig(container.spec, 'env')).flatMap((entry) => {
    const [name, value] = [asText(dig(entry, 'name')), asText(dig(entry, 'value'))];
    const address = name === undefined || value === undefined ? undefined : listenVariable(name, value);
    return address === undefined
      ? []
      : [{ ...base, ...complete(address), from: 'env' as const, quote: `env ${name ?? ''}=${value ?? ''}` }];
  });
  return unique([...ports, ...variables]);
}

function declared(container: PodContainer): readonly Listener[] {
  return asList(dig(container.spec, 'ports')).flatMap((entry) => {
    const port = asNumber(dig(entry, 'containerPort'));
    if (port === undefined || (asText(dig(entry, 'protocol')) ?? 'TCP') !== 'TCP') return [];
    const portName = asText(dig(entry, 'name'));
    const quote = `containerPort: ${String(port)}${portName === undefined ? '' : ` (${portName})`}`;
    return [
      { container: container.name, port, from: 'declared' as const, loopback: false, protocol: protocolOfName(portName), portName, quote },
    ];
  });
}

/** What a port's name promises: by custom it is the protocol, alone or with a suffix (`http-web`, `grpc`). */
export function protocolOfName(name: string | undefined): Listener['protocol'] {
  const word = /^(https?|h2c?|http2|grpc|grpcs|tcp)(?:-|$)/.exec(name ?? '')?.[1];
  if (word === undefined) return undefined;
  if (word.startsWith('grpc') || word === 'h2' || word === 'h2c' || word === 'http2') return 'grpc';
  return word === 'https' ? 'https' : word === 'tcp' ? 'tcp' : 'http';
}

function complete({ port, loopback, protocol }: ListenAddress): Pick<Listener, 'port' | 'loopback' | 'protocol'> {
  return { port, loopback, protocol };
}

/** Each port once, as it was told last. */
function unique(listeners: readonly Listener[]): readonly Listener[] {
  return [...new Map(listeners.map((listener) => [`${String(listener.port)} ${listener.from}`, listener])).values()];
}
