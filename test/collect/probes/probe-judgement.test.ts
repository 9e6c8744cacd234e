import { describe, expect, it } from 'vitest';
import type { PortEvidence } from '../../../src/collect/probes/port-evidence.ts';
import { judgePort } from '../../../src/collect/probes/probe-judgement.ts';
import type { ProbeSpec } from '../../../src/collect/probes/probe-specs.ts';

const HTTP: ProbeSpec = {
  probe: 'readiness',
  handler: 'http',
  port: 8080,
  portName: undefined,
  path: '/',
  host: undefined,
  scheme: 'HTTP',
  command: undefined,
  initialDelaySeconds: 0,
  periodSeconds: 10,
  timeoutSeconds: 1,
  failureThreshold: 3,
  successThreshold: 1,
};
const GRPC: ProbeSpec = { ...HTTP, handler: 'grpc', scheme: undefined };

function port(number: number, from: PortEvidence['from'], more: Partial<PortEvidence> = {}): PortEvidence {
  return { port: number, from, protocol: undefined, loopback: false, words: `${from} ${String(number)}`, ...more };
}

describe('the port a probe asks', () => {
  it('is the wrong one when all that is known speaks for another, the surest of which is named', () => {
    expect(judgePort({ ...HTTP, port: 9090 }, { failure: 'refused' }, [port(8081, 'log'), port(8080, 'declared')])).toMatchObject({
      portKnown: false,
      expectedPort: 8081,
      expectedFrom: 'log 8081',
    });
  });

  it('is right when anything speaks for it, and open when nothing is known', () => {
    expect(judgePort(HTTP, { failure: 'refused' }, [port(9090, 'log'), port(8080, 'declared')])).toMatchObject({ portKnown: true });
    expect(judgePort(HTTP, { failure: 'refused' }, []).portKnown).toBeUndefined();
  });

  it('is where a variable tells the program to listen, if only the manifest has the port that refuses', () => {
    const REFUSED = { failure: 'refused' } as const;
    const told = port(9090, 'env', { words: 'env PORT=9090' });
    const judged = (...evidence: readonly PortEvidence[]): unknown => {
      const { portKnown, expectedPort } = judgePort(HTTP, REFUSED, evidence);
      return [portKnown, expectedPort];
    };
    const MOVED = [false, 9090];
    const RIGHT = [true, undefined];
    expect(judged(told, port(8080, 'declared'))).toEqual(MOVED);
    expect(judged(told, port(8080, 'service'))).toEqual(MOVED);
    for (const from of ['log', 'command', 'probe', 'env'] as const) expect(judged(told, port(8080, from)), from).toEqual(RIGHT);
    for (const from of ['declared', 'service'] as const)
      expect(judged(told, port(8080, 'declared'), port(8081, from)), from).toEqual(RIGHT);
    expect(judged(told, port(8080, 'declared'), port(8081, 'log'))).toEqual(MOVED);
    expect(judged(told, port(9091, 'env'), port(8080, 'declared'))).toEqual(RIGHT);
    expect(judged({ ...told, protocol: 'grpc' }, port(8080, 'declared'))).toEqual(RIGHT);
    expect(judged({ ...told, words: 'env DB_PORT=9090' }, port(8080, 'declared'))).toEqual(RIGHT);
    expect(judged(port(8080, 'declared'))).toEqual(RIGHT);
    expect(judgePort(HTTP, { failure: 'timeout' }, [told, port(8080, 'declared')]).portKnown).toBe(true);
    expect(judgePort(HTTP, undefined, [told, port(8080, 'declared')]).portKnown).toBe(true);
    expect(judgePort({ ...HTTP, port: undefined }, REFUSED, [told])).toEqual({});
  });

  it('is bound to loopback as far as a log, a command and variables tell', () => {
    const local = { loopback: true };
    for (const from of ['log', 'command', 'env'] as const)
      expect(judgePort(HTTP, { failure: 'no-answer' }, [port(8080, from, local)]).loopback, from).toBe(`${from} 8080`);
    expect(judgePort(HTTP, undefined, [port(8080, 'log', local)]).loopback).toBe('log 8080');
    expect(judgePort(HTTP, undefined, [port(8080, 'declared', local)]).loopback).toBeUndefined();
    expect(judgePort(HTTP, undefined, [port(8081, 'log', local)]).loopback).toBeUndefined();
  });

  it('is bound to loopback when everything that tells an address says so', () => {
    expect(judgePort(HTTP, { failure: 'refused' }, [port(8080, 'log', { loopback: true }), port(8080, 'declared')]).loopback).toBe(
      'log 8080',
    );
    expect(
      judgePort(HTTP, { failure: 'refused' }, [port(8080, 'log', { loopback: true }), port(8080, 'command')]).loopback,
    ).toBeUndefined();
    expect(judgePort(HTTP, { failure: 'status', status: 500 }, [port(8080, 'log', { loopback: true })]).loopback).toBeUndefined();
  });
});

describe('the protocol a probe speaks', () => {
  it('is wrong when the server answers in another', () => {
    expect(judgePort(HTTP, { failure: 'speaks-http2' }, [])).toMatchObject({ speaks: 'grpc', wrongProtocol: true });
    expect(judgePort({ ...HTTP, scheme: 'HTTPS' }, { failure: 'speaks-http' }, [])).toMatchObject({ speaks: 'http', wrongProtocol: true });
    expect(judgePort(HTTP, { failure: 'speaks-other' }, [])).toMatchObject({ speaks: 'other', wrongProtocol: true });
    expect(judgePort(HTTP, { failure: 'speaks-other' }, [port(8080, 'declared', { protocol: 'http' })])).toMatchObject({
      speaks: 'other',
      wrongProtocol: true,
    });
  });

  it('is wrong when nothing answers and a passing probe or the name of the port tells another', () => {
    expect(judgePort(GRPC, { failure: 'no-answer' }, [port(8080, 'probe', { protocol: 'http' })])).toMatchObject({ wrongProtocol: true });
    expect(judgePort(GRPC, { failure: 'no-answer' }, [port(8080, 'service', { protocol: 'http' })])).toMatchObject({ wrongProtocol: true });
    expect(judgePort(HTTP, { failure: 'status', status: 400 }, [port(8080, 'probe', { protocol: 'grpc' })])).toMatchObject({
      wrongProtocol: true,
    });
  });

  it('is not called wrong for what a log or a command hints at, for a refused connection, or for its own kind', () => {
    expect(judgePort(GRPC, { failure: 'no-answer' }, [port(8080, 'log', { protocol: 'http' })]).wrongProtocol).toBeUndefined();
    expect(judgePort(HTTP, { failure: 'refused' }, [port(8080, 'declared', { protocol: 'grpc' })]).wrongProtocol).toBeUndefined();
    expect(
      judgePort(HTTP, { failure: 'status', status: 400 }, [port(8080, 'declared', { protocol: 'http' })]).wrongProtocol,
    ).toBeUndefined();
  });

  it('is told by the surest that tells it', () => {
    const order = ['probe', 'declared', 'service', 'log', 'command', 'env'] as const;
    for (const [index, from] of order.entries()) {
      const about = order.slice(index).map((one) => port(8080, one, { protocol: one === from ? 'grpc' : 'http' }));
      expect(judgePort(HTTP, undefined, about.toReversed()), from).toMatchObject({ speaks: 'grpc', speaksFrom: `${from} 8080` });
    }
    expect(judgePort(HTTP, undefined, [port(8080, 'probe'), port(8080, 'env', { protocol: 'http' })])).toMatchObject({ speaks: 'http' });
    expect(judgePort(HTTP, undefined, [port(8081, 'probe', { protocol: 'http' })])).not.toHaveProperty('speaks', 'http');
    const answer = judgePort(HTTP, { failure: 'speaks-tls' }, [port(8080, 'probe', { protocol: 'grpc' })]);
    expect(answer).toMatchObject({ speaks: 'https', speaksFrom: 'its answer to the probe', wrongProtocol: true });
  });

  it('is another than HTTP where the answer is none of HTTP', () => {
    const other = { failure: 'speaks-other' } as const;
    expect(judgePort(HTTP, other, [port(8080, 'log', { protocol: 'tcp' })])).toMatchObject({ speaks: 'tcp', wrongProtocol: true });
    expect(judgePort(HTTP, other, [port(8080, 'probe', { protocol: 'https' }), port(8080, 'env', { protocol: 'grpc' })])).toMatchObject({
      speaks: 'grpc',
      wrongProtocol: true,
    });
  });

  it('is wrong where the server rebuffs what it does not speak', () => {
    const wrong = (
      spec: ProbeSpec,
      failure: Parameters<typeof judgePort>[1],
      protocol: PortEvidence['protocol'],
      from: PortEvidence['from'] = 'declared',
    ) => judgePort(spec, failure, [port(8080, from, { protocol })]).wrongProtocol;
    for (const failure of ['no-answer', 'closed', 'timeout'] as const) expect(wrong(GRPC, { failure }, 'http'), failure).toBe(true);
    expect(wrong(GRPC, { failure: 'status', status: 400 }, 'http')).toBeUndefined();
    expect(wrong(HTTP, { failure: 'closed' }, 'grpc')).toBe(true);
    for (const failure of ['no-answer', 'timeout'] as const) expect(wrong(HTTP, { failure }, 'grpc'), failure).toBeUndefined();
    for (const status of [400, 415, 426, 464, 505]) expect(wrong(HTTP, { failure: 'status', status }, 'https'), String(status)).toBe(true);
    expect(wrong(HTTP, { failure: 'status', status: 500 }, 'https')).toBeUndefined();
    expect(wrong(HTTP, { failure: 'other', status: 400 }, 'https')).toBeUndefined();
    expect(wrong({ ...HTTP, scheme: 'HTTPS' }, { failure: 'closed' }, 'http')).toBe(true);
    expect(wrong({ ...HTTP, scheme: 'HTTPS' }, { failure: 'closed' }, 'https')).toBeUndefined();
    expect(wrong(HTTP, { failure: 'closed' }, 'tcp')).toBeUndefined();
    expect(wrong({ ...HTTP, handler: 'tcp', scheme: undefined }, { failure: 'closed' }, 'http')).toBeUndefined();
    expect(wrong(HTTP, undefined, 'grpc')).toBeUndefined();
    for (const from of ['command', 'env', 'log'] as const) expect(wrong(HTTP, { failure: 'closed' }, 'grpc', from), from).toBeUndefined();
    for (const from of ['probe', 'service'] as const) expect(wrong(HTTP, { failure: 'closed' }, 'grpc', from), from).toBe(true);
  });
});
