import { parseDuration } from '../../base/duration.ts';
import { PodcheckError } from '../../base/errors.ts';
import type { Cause, ScanResult, Target } from '../../model/diagnosis.ts';
import { isUnread } from '../../model/fact.ts';
import { scanMarkdown } from '../../report/diagnosis/diagnosis-markdown.ts';
import { scanJson } from '../../report/diagnosis/scan-json.ts';
import { scanText } from '../../report/diagnosis/scan-text.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import { forCluster } from './cluster-commands.ts';
import { openEvidence } from './open-evidence.ts';
import type { OutputOptions, RuleOptions, SourceOptions } from '../options.ts';
import type { FormatOf } from '../formats.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { scanCertificates } from '../cert-expiry/scan-certificates.ts';
import { refuseForeign } from './refuse-foreign.ts';
import { scanSource } from './scan-source.ts';
import { sourceFlags } from './source-flags.ts';
import { wrongNamespace } from './wrong-namespace.ts';

export interface ScanOptions extends SourceOptions, RuleOptions, OutputOptions {
  readonly since?: string;
}

/** Everything that is not well in a scope, grouped by cause. */
export async function runScan(options: ScanOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'scan');
  const since = options.since === undefined ? undefined : sinceSeconds(options.since);
  const { result: found, targets } = await context.progress('scanning', (say) => scanned(options, context, say));
  const result =
    since === undefined ? found : { ...found, causes: found.causes.filter((cause) => isRecent(cause, found.at - since * 1000)) };
  context.write(await reportOf({ result, targets }, format, options, context));
  return scanExitCode(result);
}

/** What a scan found, and all that it looked at. */
interface Scanned {
  readonly result: ScanResult;
  readonly targets: readonly Target[];
}

/** Opens what the options name, looks for all that is not well in it, and closes it again. `say` is told what goes on. */
export async function scanned(
  options: SourceOptions & RuleOptions,
  context: CommandContext,
  say: (doing: string) => void,
): Promise<Scanned> {
  const rules = await gatherRules(options.rules ?? []);
  say('opening the evidence');
  const opened = await openEvidence(options, context, { looseTexts: true });
  try {
    const scope = opened.namespace === undefined ? {} : { namespace: opened.namespace };
    say(`reading ${opened.namespace === undefined ? 'all namespaces' : `namespace ${opened.namespace}`}`);
    const { evidence, result: found } = await scanSource(opened.reader, rules, scope);
    if (opened.trouble !== undefined && found.causes.length === 0) {
      throw new PodcheckError(
        'unreachable',
        opened.trouble,
        'check the connection with `kubectl version` and the same flags, or use --from with saved output',
      );
    }
    if (found.causes.length === 0) refuseForeign(evidence);
    const wrong =
      options.namespace === undefined || found.causes.length > 0 || found.counts.targets > 0
        ? undefined
        : await wrongNamespace(opened.reader, options.namespace);
    if (wrong !== undefined) throw wrong;
    const certificates = await scanCertificates(options, opened, context);
    return { result: forCluster({ ...found, certificates }, options), targets: evidence.targets };
  } finally {
    opened.close();
  }
}

function sinceSeconds(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds <= 0)
    throw new PodcheckError('usage', `--since is not a valid duration: "${text}"`, 'for example 10m, 2h, 1d');
  return seconds;
}

/** Whether a cause was seen after an instant. A state that still holds has no time in its evidence: it is seen now. */
function isRecent({ evidence }: Cause, after: number): boolean {
  const times = evidence.flatMap(({ at }) => (at === undefined ? [] : [at]));
  return times.length === 0 || times.some((at) => at >= after);
}

/** Of a running cluster a scan reads certificates only where it comes by. */
const NO_HANDSHAKE = 'Certificates checked: kubeconfig, webhooks, signing requests. Serving certificates: podcheck cert-expiry [--probe].';

async function reportOf(
  { result, targets }: Scanned,
  format: FormatOf<'scan'>,
  options: ScanOptions,
  context: CommandContext,
): Promise<string> {
  const { look } = context;
  switch (format) {
    case 'text':
    case 'wide':
      return scanText(result, look, format === 'wide', {
        flags: sourceFlags(options),
        notes: options.from === undefined && options.scenario === undefined ? [NO_HANDSHAKE] : [],
      });
    case 'json':
    case 'yaml':
      return dataText(scanJson(result), format);
    case 'markdown':
      return scanMarkdown(result);
    case 'html':
      return (await import('../../report/html/scan-page.ts')).scanPage(result);
    default: {
      const { scanChecks } = await import('../../report/pipeline/diagnosis-checks.ts');
      const { pipelineText, placeOfSource } = await import('../pipeline-text.ts');
      return pipelineText(scanChecks(result, targets, placeOfSource(options)), format, result.at, context);
    }
  }
}

/**
 * Whether a scan found all well, a cause, or something nobody can explain. A certificate that has ended is a cause, if one of what will be
 * seen later.
 */
export function scanExitCode({ causes, counts, certificates = [], gaps }: ScanResult): ExitCode {
  if (causes.length > 0 || certificates.some(({ status }) => status === 'EXPIRED')) return EXIT.causeFound;
  return counts.unexplained > 0 || counts.unhealthy > 0 || counts.unknown > 0 || counts.targets === 0 || gaps.some(isUnread)
    ? EXIT.inconclusive
    : EXIT.healthy;
}
