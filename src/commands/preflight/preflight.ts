import { PodcheckError } from '../../base/errors.ts';
import { withoutUndefined } from '../../base/without-undefined.ts';
import { formatRef } from '../../model/kube-object.ts';
import { isPresetName, PRESET_NAMES } from '../../model/preset.ts';
import type { Preflight, WorkloadOutcome } from '../../report/preflight/preflight.ts';
import { isBlocked, isUnknown } from '../../report/preflight/preflight.ts';
import type { Problem } from '../../report/pipeline/check.ts';
import type { CommandContext } from '../context.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions, RuleOptions, SourceOptions } from '../options.ts';
import { outputFormat } from '../output-format.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import type { ManifestOptions } from './manifests.ts';
import { gatherManifests } from './manifests.ts';
import { preflightText } from './preflight-output.ts';
import type { Trial } from './trial.ts';
import { tryManifests } from './trial.ts';

export interface PreflightOptions extends ManifestOptions, SourceOptions, RuleOptions, OutputOptions {
  /** Manifests of the target branch: what stops these, too, is left out. */
  readonly baseline?: readonly string[];
  readonly failOn?: string;
}

/** Whether manifests would start in a cluster, and all that would stop them, before anything is applied. */
export async function runPreflight(options: PreflightOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'preflight');
  checkOptions(options);
  const rules = await gatherRules(options.rules ?? []);
  const documents = await gatherManifests(options, context);
  const baseline = options.baseline === undefined ? undefined : await gatherManifests({ file: options.baseline, recursive: true }, context);
  const opened = isPreset(options) ? undefined : await openEvidence(cloneSource(options), context, { datedByFiles: true, logs: false });
  try {
    const { namespace, seed, cluster: preset } = options;
    const trial: Trial = { opened, isSaved: (options.from ?? []).length > 0, preset, namespace, seed, rules, context };
    const preflight = await context.progress('playing the manifests', () => tryManifests(documents, trial));
    const before = baseline === undefined ? undefined : await context.progress('playing the baseline', () => tryManifests(baseline, trial));
    const told = before === undefined ? preflight : withoutKnown(preflight, before);
    context.write(await preflightText(told, format, context));
    return exitCode(told, options);
  } finally {
    opened?.close();
  }
}

function checkOptions({ file = [], kustomize = [], from = [], cluster, context, failOn, baseline = [] }: PreflightOptions): void {
  if (file.length + kustomize.length === 0)
    throw new PodcheckError('usage', 'no manifest is given', 'for example podcheck preflight -f manifest.yaml');
  if (cluster !== undefined && !isPresetName(cluster))
    throw new PodcheckError('usage', `--cluster: unknown preset ${JSON.stringify(cluster)}`, `one of: ${PRESET_NAMES.join(', ')}`);
  if ([from.length > 0, cluster !== undefined, context !== undefined].filter(Boolean).length > 1)
    throw new PodcheckError(
      'usage',
      '--from, --context and --cluster cannot be used together',
      'keep the one that names the target cluster',
    );
  if ([...file, ...from, ...baseline].filter((word) => word === '-').length > 1)
    throw new PodcheckError('usage', '-f, --from and --baseline cannot all read stdin', 'save one of them to a file');
  if (failOn !== undefined && failOn !== 'unknown')
    throw new PodcheckError('usage', `--fail-on: unknown value ${JSON.stringify(failOn)}`, 'use --fail-on unknown');
}

/** Without a snapshot and without a context the manifests are played in a simulated cluster of ordinary nodes. */
function isPreset({ from = [], context, kubeconfig }: PreflightOptions): boolean {
  return from.length === 0 && context === undefined && kubeconfig === undefined;
}

/** All namespaces are read: pods of all of them take room on the nodes. */
function cloneSource({
  from = [],
  context,
  kubeconfig,
  as,
  asGroup,
  asUid,
  requestTimeout,
  now,
  rules,
}: PreflightOptions): SourceOptions & RuleOptions {
  const given = { context, kubeconfig, as, asGroup, asUid, requestTimeout, now, rules };
  return { ...withoutUndefined(given), ...(from.length === 0 ? { allNamespaces: true } : { from }) };
}

/** Only what the change brings: an old fault does not stop a new merge. */
function withoutKnown(preflight: Preflight, before: Preflight): Preflight {
  const keyOf = ({ rule, subject, object }: Problem): string => [rule, formatRef(subject), formatRef(object)].join('\n');
  const old = new Set([...before.workloads.flatMap(({ obstacles }) => obstacles), ...before.remarks, ...before.effects].map(keyOf));
  let known = 0;
  const fresh = <One extends Problem>(problems: readonly One[]): readonly One[] => {
    const left = problems.filter((problem) => !old.has(keyOf(problem)));
    known += problems.length - left.length;
    return left;
  };
  const workloads = preflight.workloads.map((one): WorkloadOutcome => {
    const obstacles = fresh(one.obstacles);
    return obstacles.length > 0 || one.verdict !== 'blocked'
      ? { ...one, obstacles }
      : { ...one, obstacles, verdict: 'unknown', unknown: ['it is blocked in the baseline, too'] };
  });
  return { ...preflight, workloads, remarks: fresh(preflight.remarks), effects: fresh(preflight.effects), known };
}

function exitCode(preflight: Preflight, { failOn }: PreflightOptions): ExitCode {
  if (isBlocked(preflight)) return EXIT.causeFound;
  return failOn === 'unknown' && isUnknown(preflight) ? EXIT.inconclusive : EXIT.healthy;
}
