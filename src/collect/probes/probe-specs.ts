import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import type { PodContainer } from '../containers/containers.ts';

/** One probe of a container as its spec has it, defaults filled in. Source: pkg/apis/core/v1/defaults.go (SetDefaults_Probe). */
export interface ProbeSpec {
  readonly probe: 'startup' | 'readiness' | 'liveness';
  readonly handler: 'http' | 'tcp' | 'grpc' | 'exec';
  /** The port asked, a named one resolved; undefined for exec, or when the name resolves to nothing. */
  readonly port: number | undefined;
  readonly portName: string | undefined;
  readonly path: string | undefined;
  /** Whom it asks instead of the pod. */
  readonly host: string | undefined;
  readonly scheme: 'HTTP' | 'HTTPS' | undefined;
  readonly command: string | undefined;
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
}

const PROBES = [
  ['startup', 'startupProbe'],
  ['readiness', 'readinessProbe'],
  ['liveness', 'livenessProbe'],
] as const;

/** The probes of a container, in the order in which they matter. */
export function probesOf(container: PodContainer): readonly ProbeSpec[] {
  return PROBES.flatMap(([probe, field]) => {
    const spec = dig(container.spec, field);
    const handler = handlerOf(spec);
    if (handler === undefined) return [];
    const raw = dig(spec, HANDLER_FIELDS[handler], 'port');
    const portName = typeof raw === 'string' && !/^\d+$/.test(raw) ? raw : undefined;
    const scheme = asText(dig(spec, 'httpGet', 'scheme'));
    return [
      {
        probe,
        handler,
        port: portName === undefined ? numberOf(raw) : portNamed(container.spec, portName),
        portName,
        path: asText(dig(spec, 'httpGet', 'path')),
        host: asText(dig(spec, HANDLER_FIELDS[handler], 'host')),
        scheme: handler !== 'http' ? undefined : scheme === 'HTTPS' ? 'HTTPS' : 'HTTP',
        command:
          handler === 'exec'
            ? asList(dig(spec, 'exec', 'command'))
                .map(String)
                .join(' ')
            : undefined,
        initialDelaySeconds: asNumber(dig(spec, 'initialDelaySeconds')) ?? 0,
        periodSeconds: asNumber(dig(spec, 'periodSeconds')) ?? 10,
        timeoutSeconds: asNumber(dig(spec, 'timeoutSeconds')) ?? 1,
        failureThreshold: asNumber(dig(spec, 'failureThreshold')) ?? 3,
        successThreshold: asNumber(dig(spec, 'successThreshold')) ?? 1,
      },
    ];
  });
}

/** Seconds the probe gives a container from its start before the kubelet acts. */
export function windowOf({ initialDelaySeconds, periodSeconds, failureThreshold }: ProbeSpec): number {
  return initialDelaySeconds + periodSeconds * failureThreshold;
}

/** The same by the name of a probe; 0 for a container without it. */
export function windowFor(container: PodContainer, probe: ProbeSpec['probe']): number {
  const spec = probesOf(container).find((one) => one.probe === probe);
  return spec === undefined ? 0 : windowOf(spec);
}

export const HANDLER_FIELDS = { http: 'httpGet', tcp: 'tcpSocket', grpc: 'grpc', exec: 'exec' } as const;

function handlerOf(spec: Json | undefined): ProbeSpec['handler'] | undefined {
  return (Object.keys(HANDLER_FIELDS) as ProbeSpec['handler'][]).find((handler) => dig(spec, HANDLER_FIELDS[handler]) !== undefined);
}

/** The protocol in which a probe asks; undefined for one that only connects, or runs a command. */
export function protocolOf({ handler, scheme }: Pick<ProbeSpec, 'handler' | 'scheme'>): 'grpc' | 'http' | 'https' | undefined {
  if (handler === 'grpc') return 'grpc';
  if (handler !== 'http') return undefined;
  return scheme === 'HTTPS' ? 'https' : 'http';
}

/** The number of a port that is given by number, also as text. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,5}$/.test(value) ? parseInteger(value) : undefined;
}

/** The number of a port of a container by its name. */
export function portNamed(spec: Json | undefined, name: string): number | undefined {
  return asNumber(
    dig(
      asList(dig(spec, 'ports')).find((port) => dig(port, 'name') === name),
      'containerPort',
    ),
  );
}
