import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { vocabularyOf } from '../../../src/collect/survey/vocabulary.ts';
import { classifyProbe, probeOfMessage } from '../../../src/collect/probes/probe-failures.ts';

const VOCABULARY = vocabularyOf(await shippedRules());

describe("a failed probe's message", () => {
  it.each([
    ['http', 'Readiness probe failed: HTTP probe failed with statuscode: 503', { failure: 'status', status: 503 }],
    [
      'http',
      'Liveness probe failed: Get "http://10.0.1.7:8080/": dial tcp 10.0.1.7:8080: connect: connection refused',
      { failure: 'refused' },
    ],
    [
      'http',
      'Readiness probe failed: Get "https://10.0.1.7:8080/": http: server gave HTTP response to HTTPS client',
      { failure: 'speaks-http' },
    ],
    [
      'http',
      'Readiness probe failed: Get "http://10.0.1.7:8080/": net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x00\\x00\\x06\\x04"',
      { failure: 'speaks-http2' },
    ],
    [
      'http',
      'Readiness probe failed: Get "http://10.0.1.7:8443/": net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x15\\x03\\x01\\x00\\x02\\x02"',
      { failure: 'speaks-tls' },
    ],
    [
      'http',
      'Readiness probe failed: Get "http://10.0.1.7:6379/": net/http: HTTP/1.x transport connection broken: malformed HTTP response "-ERR wrong number of arguments"',
      { failure: 'speaks-other' },
    ],
    [
      'http',
      'Readiness probe failed: Get "http://10.0.1.7:8080/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      { failure: 'timeout' },
    ],
    [
      'http',
      'Readiness probe errored and resulted in unknown state: strconv.Atoi: parsing "http": invalid syntax',
      { failure: 'port-name' },
    ],
    [
      'grpc',
      'Liveness probe failed: timeout: failed to connect service "10.0.1.7:8080" within 1s: context deadline exceeded',
      { failure: 'no-answer' },
    ],
    ['grpc', 'Liveness probe failed: timeout: health rpc did not complete within 1s', { failure: 'timeout' }],
    ['grpc', 'Liveness probe failed: service unhealthy (responded with "NOT_SERVING")', { failure: 'unhealthy' }],
    [
      'grpc',
      'Liveness probe failed: error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service',
      { failure: 'no-health-service' },
    ],
    [
      'exec',
      'Readiness probe errored: rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec failed: unable to start container process: exec: "check": executable file not found in $PATH: unknown',
      { failure: 'command-missing' },
    ],
    ['exec', 'Readiness probe failed: command "check" timed out', { failure: 'command-timeout' }],
    ['exec', 'Readiness probe failed: curl: (7) Failed to connect to localhost port 80: Connection refused', { failure: 'command-failed' }],
    ['tcp', 'Readiness probe failed: dial tcp 10.0.1.7:8080: i/o timeout', { failure: 'timeout' }],
  ])('of a %s probe is classified: %j', (handler, message, expected) => {
    expect(classifyProbe(message, handler, VOCABULARY)).toEqual(expected);
  });

  it('names its probe', () => {
    expect(probeOfMessage('Startup probe failed: x')).toBe('startup');
    expect(probeOfMessage('Liveness probe errored and resulted in unknown state: x')).toBe('liveness');
    expect(probeOfMessage('Container web failed liveness probe, will be restarted')).toBeUndefined();
  });
});
