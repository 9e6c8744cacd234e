import { parseDuration } from '../../base/duration.ts';
import { PodcheckError } from '../../base/errors.ts';
import type { CertificateReport } from '../../model/certificate.ts';
import { certificatesJson } from '../../report/cert-expiry/certificates-json.ts';
import { certificatesMarkdown } from '../../report/cert-expiry/certificates-markdown.ts';
import { certificatesPrometheus } from '../../report/cert-expiry/certificates-prometheus.ts';
import { certificatesText } from '../../report/cert-expiry/certificates-text.ts';
import { certificatesManifest } from './cert-expiry-manifest.ts';
import type { CertExpiryOptions } from './cert-expiry-options.ts';
import { certificateReport } from './cert-expiry-sources.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { FormatOf } from '../formats.ts';
import { dataText, outputFormat } from '../output-format.ts';

/** Every certificate a cluster lives on, what ends first at the top. */
export async function runCertExpiry(options: CertExpiryOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'cert-expiry');
  const within = windowMilliseconds(options.within);
  if (options.manifest === true) {
    if (options.from !== undefined || options.scenario !== undefined || options.dir !== undefined)
      throw new PodcheckError(
        'usage',
        '--manifest cannot be combined with --from, --scenario or --dir: the CronJob checks its own cluster',
        'leave out --from, --scenario and --dir',
      );
    context.write(certificatesManifest(options));
    return EXIT.healthy;
  }
  const report = await context.progress('reading certificates', (say) => certificateReport(options, within, context, say));
  context.write(await textOf(report, format, context));
  return certificatesExitCode(report);
}

async function textOf(report: CertificateReport, format: FormatOf<'cert-expiry'>, { look }: CommandContext): Promise<string> {
  switch (format) {
    case 'table':
    case 'wide':
      return certificatesText(report, look, format === 'wide');
    case 'json':
    case 'yaml':
      return dataText(certificatesJson(report), format);
    case 'prometheus':
      return certificatesPrometheus(report);
    case 'markdown':
      return certificatesMarkdown(report);
    case 'html':
      return (await import('../../report/cert-expiry/certificates-page.ts')).certificatesPage(report);
  }
}

function windowMilliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < 0)
    throw new PodcheckError('usage', `--within: "${text}" is not a valid duration`, 'for example 30d, 12h or 1y');
  return seconds * 1000;
}

/** What has ended weighs more than what will, and that more than what nobody could look at. */
export function certificatesExitCode({ certificates, tiers }: CertificateReport): ExitCode {
  const statuses = new Set(certificates.map(({ status }) => status));
  if (statuses.has('EXPIRED') || statuses.has('NOT_YET_VALID')) return EXIT.ended;
  if (statuses.has('MISMATCH') || statuses.has('MISSING') || statuses.has('CRITICAL') || statuses.has('WARN') || statuses.has('DUE'))
    return EXIT.causeFound;
  if (
    certificates.length === 0 ||
    statuses.has('UNREADABLE') ||
    statuses.has('NOT_CHECKED') ||
    tiers.some(({ asked, state }) => asked && state !== 'CHECKED')
  )
    return EXIT.inconclusive;
  return EXIT.healthy;
}
