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
  scheme: 'HTTP',
  command: undefined,
  initialDelaySeconds: 0,
  periodSeconds: 10,
  timeoutSeconds: 1,
  failureThreshold: 3,
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
});
