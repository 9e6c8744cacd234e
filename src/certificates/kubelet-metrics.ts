import type { Instant } from '../base/instant.ts';
import { parseDecimal } from '../base/number.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { Sighting } from './seen-certificate.ts';

/** Source: pkg/kubelet/metrics and pkg/kubelet/certificate/kubelet.go: seconds until the certificate ends, negative afterwards. */
const TTLS: readonly (readonly [metric: string, role: CertificateRoleId])[] = [
  ['kubelet_certificate_manager_client_ttl_seconds', 'kubelet-client'],
  ['kubelet_certificate_manager_server_ttl_seconds', 'kubelet-serving'],
];

/** When the certificates of a node's kubelet end, by its own metrics; a kubelet that manages none of a kind says nothing of it. */
export function metricSightings(node: string, metrics: string, now: Instant): readonly Sighting[] {
  return TTLS.flatMap(([metric, role]): readonly Sighting[] => {
    const seconds = valueOf(metrics, metric);
    if (seconds === undefined || !Number.isFinite(seconds) || Math.abs(seconds) > MAX_SECONDS) return [];
    const notAfter = Math.round((now + seconds * 1000) / 1000) * 1000;
    return [
      {
        tier: 'nodes',
        where: `Node/${node} ${metric}`,
        role,
        rotatedBy: 'kubelet',
        seen: { kind: 'described', value: { subject: `CN=system:node:${node},O=system:nodes`, notAfter } },
      },
    ];
  });
}

/** A gauge that was never set holds the largest number there is; no certificate lives for a thousand years. */
const MAX_SECONDS = 1000 * 31_536_000;

function valueOf(metrics: string, name: string): number | undefined {
  for (let at = metrics.indexOf(name); at >= 0; at = metrics.indexOf(name, at + name.length)) {
    const isLineStart = at === 0 || metrics.charAt(at - 1) === '\n';
    const rest = metrics.slice(at + name.length, at + name.length + 64);
    const found = /^ ([-+\d.e]+)/.exec(rest);
    if (isLineStart && found !== null) return parseDecimal(found[1]);
  }
  return undefined;
}
