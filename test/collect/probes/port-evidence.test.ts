import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';

const REFUSED = { readinessProbe: { httpGet: { port: 9090 } } };

interface Around {
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
  readonly services?: readonly KubeObject[];
  readonly lines?: readonly string[];
}

/** What is said of a port that a readiness probe asks in vain. */
async function expected(
  container: JsonObject,
  { spec = {}, metadata = {}, services = [], lines = [] }: Around = {},
): Promise<readonly unknown[]> {
  const pod = podWith(
    'web-1',
    { ...REFUSED, ...container },
    { ready: false, started: true, state: { running: { startedAt: ago(900) } } },
    { spec },
  );
  const logs =
    lines.length === 0
      ? []
      : [{ pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' }, container: 'web', previous: false, lines, filtered: false }];
  const evidence = await evidenceOf([{ ...pod, metadata: { ...pod.metadata, ...metadata } }, ...services], { logs });
  const fact = factsIn(evidence, 'probe').find(({ probe }) => probe === 'readiness');
  return [fact?.['portKnown'], fact?.['expectedPort'], fact?.['expectedFrom']];
}

function service(ports: readonly JsonObject[], selector: JsonObject = { app: 'web' }, metadata: JsonObject = {}): KubeObject {
  return objectOf('Service', 'web', { spec: { selector, ports: [...ports] } }, metadata);
}

const LABELS = { metadata: { labels: { app: 'web' } } };
const UNKNOWN = [undefined, undefined, undefined];
const KNOWN = [true, undefined, undefined];

describe('the port that a probe should ask', () => {
  it('is that of its log, its command, a variable, or what the container declares, the surest first', async () => {
    const declared = { ports: [{ containerPort: 8083 }] };
    const variable = { ...declared, env: [{ name: 'PORT', value: '8082' }] };
    const command = { ...variable, command: ['serve', '--port=8081'] };
    expect(await expected(command, { lines: ['listening on port 8080'] })).toEqual([false, 8080, 'its log: listening on port 8080']);
    expect(await expected(command)).toEqual([false, 8081, 'command: serve --port=8081']);
    expect(await expected(variable)).toEqual([false, 8082, 'env PORT=8082']);
    expect(await expected(declared)).toEqual([false, 8083, 'containerPort: 8083']);
    expect(await expected({})).toEqual(UNKNOWN);
    expect(await expected({ ports: [{ containerPort: 9090 }] })).toEqual([true, undefined, undefined]);
  });

  it('is that where another probe of the container passes', async () => {
    const passing = (probe: JsonObject): JsonObject => ({ livenessProbe: probe, ports: [{ containerPort: 8083 }] });
    expect(await expected(passing({ tcpSocket: { port: 8080 } }))).toEqual([false, 8080, 'the liveness probe (tcp) passes on port 8080']);
    expect(await expected(passing({ exec: { command: ['true'] } }))).toEqual([false, 8083, 'containerPort: 8083']);
    expect(await expected(passing({ httpGet: { port: 9090 } }))).toEqual(KNOWN);
  });

  it('is that to which a Service leads', async () => {
    expect(await expected({}, { ...LABELS, services: [service([{ port: 80, targetPort: 8080, name: 'http' }])] })).toEqual([
      false,
      8080,
      'Service web leads to port 8080 (http)',
    ]);
    expect(await expected({}, { ...LABELS, services: [service([{ port: 8080 }])] })).toEqual([
      false,
      8080,
      'Service web leads to port 8080',
    ]);
    expect(await expected({}, { ...LABELS, services: [service([{ port: 80, targetPort: '8080' }])] })).toEqual([
      false,
      8080,
      'Service web leads to port 8080',
    ]);
    const named = { ports: [{ name: 'http', containerPort: 8081 }] };
    expect(await expected(named, { ...LABELS, services: [service([{ port: 80, targetPort: 'http' }])] })).toEqual([
      false,
      8081,
      'Service web leads to port 8081',
    ]);
    for (const other of [
      service([{ port: 80, targetPort: 'htpt' }]),
      service([{ port: 53, protocol: 'UDP' }]),
      service([{ port: 80 }], { app: 'till' }),
      service([{ port: 80 }], { app: 'web' }, { namespace: 'till' }),
    ])
      expect(await expected({}, { ...LABELS, services: [other] })).toEqual(UNKNOWN);
  });

  it('may be that of another container, or one that an annotation names', async () => {
    const two = (port: number): Around => ({
      spec: {
        containers: [
          { name: 'web', ...REFUSED },
          { name: 'proxy', ports: [{ containerPort: port }] },
        ],
      },
    });
    expect(await expected({}, two(9090))).toEqual(KNOWN);
    expect(await expected({}, two(8080))).toEqual([false, 8080, 'container proxy: containerPort: 8080']);
    const annotated = (key: string, value: string): Around => ({ metadata: { annotations: { [key]: value } } });
    expect(await expected({}, annotated('mesh.example/ports', '15020,9090'))).toEqual(KNOWN);
    expect(await expected({}, annotated('mesh.example/ports', '19090'))).toEqual(UNKNOWN);
    expect(await expected({}, annotated('kubectl.kubernetes.io/last-applied-configuration', '9090'))).toEqual(UNKNOWN);
  });

  it('speaks as a passing probe, a Service or a container beside it tells', async () => {
    const speaks = async (container: JsonObject, around: { readonly services?: readonly KubeObject[] } = {}): Promise<unknown> => {
      const pod = podWith(
        'web-1',
        { ...REFUSED, ...container },
        { ready: false, started: true, state: { running: { startedAt: ago(900) } } },
      );
      const evidence = await evidenceOf([{ ...pod, metadata: { ...pod.metadata, labels: { app: 'web' } } }, ...(around.services ?? [])]);
      return factsIn(evidence, 'probe').find(({ probe }) => probe === 'readiness')?.['speaks'];
    };
    expect(await speaks({ livenessProbe: { httpGet: { port: 9090 } } })).toBe('http');
    expect(await speaks({ livenessProbe: { httpGet: { port: 9090, scheme: 'HTTPS' } } })).toBe('https');
    expect(await speaks({ livenessProbe: { grpc: { port: 9090 } } })).toBe('grpc');
    expect(await speaks({ livenessProbe: { tcpSocket: { port: 9090 } } })).toBeUndefined();
    expect(await speaks({}, { services: [service([{ port: 9090, name: 'grpc-api' }])] })).toBe('grpc');
    expect(await speaks({}, { services: [service([{ port: 9090, name: 'api', appProtocol: 'https' }])] })).toBe('https');
    expect(await speaks({}, { services: [service([{ port: 9090, name: 'http', appProtocol: 'grpc' }])] })).toBe('grpc');
    expect(await speaks({}, { services: [service([{ port: 9090, name: 'api' }])] })).toBeUndefined();
    expect(await speaks({ ports: [{ name: 'http', containerPort: 9090 }] })).toBe('http');
  });

  it('is not read from a long annotation', async () => {
    const annotated = (length: number): Around => ({ metadata: { annotations: { note: `${'x'.repeat(length - 5)} 9090` } } });
    expect(await expected({}, annotated(1999))).toEqual(KNOWN);
    expect(await expected({}, annotated(2000))).toEqual(UNKNOWN);
    expect(await expected({ readinessProbe: { httpGet: { port: 'http' } } }, annotated(100))).toEqual(UNKNOWN);
  });
});
