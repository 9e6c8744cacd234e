import { apiFindings, LIGHT_KINDS } from '../../certificates/api-objects.ts';
import { inventory } from '../../certificates/inventory.ts';
import { recordFindings } from '../../certificates/records.ts';
import type { CertificateRow, CertificateStatus } from '../../model/certificate.ts';
import { CERTIFICATE_RECORD } from '../../model/record-kinds.ts';
import type { CommandContext } from '../context.ts';
import type { OpenedEvidence } from '../diagnose/open-evidence.ts';
import type { SourceOptions } from '../options.ts';

/**
 * Certificates that have ended, do not hold yet or end soon, as far as a scan comes across them: a running cluster is asked for
 * nothing that is large, and what could not be read is for `cert-expiry` to say.
 */
export async function scanCertificates(
  options: SourceOptions,
  { reader, namespace }: OpenedEvidence,
  context: CommandContext,
): Promise<readonly CertificateRow[]> {
  const isLive = options.from === undefined && options.scenario === undefined;
  const scope = namespace === undefined ? {} : { namespace };
  const findings = [
    ...recordFindings(await reader.list(CERTIFICATE_RECORD, {})),
    await apiFindings(reader, scope, isLive ? LIGHT_KINDS : undefined),
  ];
  if (isLive) {
    const { kubeconfigFindings } = await import('./cert-expiry-live.ts');
    findings.push(await kubeconfigFindings(options, context));
  }
  const { certificates } = inventory(
    findings.flatMap(({ sightings }) => sightings),
    findings.map(({ tier }) => tier),
    { now: reader.now(), source: '' },
  );
  return certificates.filter(({ status }) => TOLD.has(status));
}

const TOLD: ReadonlySet<CertificateStatus> = new Set(['EXPIRED', 'NOT_YET_VALID', 'CRITICAL', 'WARN', 'DUE']);
