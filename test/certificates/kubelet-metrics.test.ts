import { describe, expect, it } from 'vitest';
import { metricSightings } from '../../src/certificates/kubelet-metrics.ts';

const CLIENT = 'kubelet_certificate_manager_client_ttl_seconds';
const SERVER = 'kubelet_certificate_manager_server_ttl_seconds';
const YEARS = 31_536_000_000;

describe("a kubelet's metrics", () => {
  it('tell when its certificates end, to the second, in the past, too', () => {
    const metrics = `# HELP ${CLIENT} [ALPHA] Gauge of the TTL\n# TYPE ${CLIENT} gauge\n${CLIENT} 3.6e+03\n${SERVER} -60.4\n`;
    expect(metricSightings('n1', metrics, 1_000_000).map(({ where, role, rotatedBy, seen }) => [where, role, rotatedBy, seen])).toEqual(
      (
        [
          [CLIENT, 'kubelet-client', 4_600_000],
          [SERVER, 'kubelet-serving', 940_000],
        ] as const
      ).map(([metric, role, notAfter]) => [
        `Node/n1 ${metric}`,
        role,
        'kubelet',
        { kind: 'described', value: { subject: 'CN=system:node:n1,O=system:nodes', notAfter } },
      ]),
    );
  });

  it.each([
    ['a gauge that was never set', `${CLIENT} 9.223372036854776e+09${'9'.repeat(6)}`],
    ['more than a thousand years', `${CLIENT} ${String(YEARS + 1)}`],
    ['no number', `${CLIENT} NaN`],
    ['another metric', `${CLIENT}_total 5\nx_${CLIENT} 5`],
    ['nothing', ''],
  ])('tell nothing by %s', (_, metrics) => {
    expect(metricSightings('n1', metrics, 0)).toEqual([]);
  });

  it('tell what ends in a thousand years', () => {
    expect(metricSightings('n1', `${CLIENT} ${String(YEARS)}`, 0)).toHaveLength(1);
  });
});
