import { writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { PodcheckError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-error.ts';
import { ValueMasks } from '../../clusters/mask-values.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import { sameObject } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import type { Scenario } from '../../model/scenario.ts';
import type { PlayedStep, RunReport } from '../../report/simulation/run-text.ts';
import { runJson, runText } from '../../report/simulation/run-text.ts';
import { stepWords } from '../../report/simulation/scenario-text.ts';
import type { WayStage } from '../../report/simulation/stage-story.ts';
import type { CloneRemark, Cluster, Played, PlayOptions } from '../../simulator/index.ts';
import { playInSlices, traceEnd, unknownImages } from '../../simulator/index.ts';
import type { AssumedStorage } from './assumed-storage.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import type { PlacedDocument } from './manifest-scenario.ts';
import { maskedScenario } from './masked-scenario.ts';
import type { OutputOptions, RuleOptions } from '../options.ts';
import type { FormatOf } from '../formats.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { answersTo, codeOfRefusals, refusalsIn } from './refused-documents.ts';
import { optionMilliseconds, optionSeed } from './scenario-named.ts';
import { judged, targetOf, workloadsOf } from './chosen-target.ts';
import { StageWatch } from './stage-watch.ts';
import { storageGaps } from './undecided-trial.ts';

export interface SimRunOptions extends RuleOptions, OutputOptions {
  readonly namespace?: string;
  readonly seed?: string;
  /** How long after the start it is looked at. */
  readonly until?: string;
  /** Folders of manifests are looked into to their bottom. */
  readonly recursive?: boolean;
  /** File the trace is written to. */
  readonly trace?: string;
  /** Values of environment variables and ConfigMaps are masked in the trace, too; those of Secrets always are. */
  readonly redact?: boolean;
}

export interface Playing {
  readonly options: SimRunOptions;
  readonly context: CommandContext;
  /** The manifests that are applied, where it is not a scenario that is played. */
  readonly documents?: readonly PlacedDocument[];
  /** What of storage was put into the cluster for them. */
  readonly storage?: AssumedStorage;
  /** Instead of a cluster of the scenario's own; `trace` has what was recorded of it so far, and gets the rest. */
  readonly cluster?: Cluster;
  readonly trace?: string[];
  /** The same cluster once more, made of masked objects where it is asked for, for a trace of its own. */
  readonly again?: (trace: (line: string) => void) => Promise<Cluster>;
  /** What was not known of the cluster, and what was not taken over into it. */
  readonly gaps?: readonly Gap[];
  readonly leftOut?: readonly CloneRemark[];
}

/** Plays a scenario before the eyes of whoever watches, and tells the way of what it is about through the stages, and the cause. */
export async function playAndShow(scenario: Scenario, playing: Playing): Promise<ExitCode> {
  const { options, context } = playing;
  const format = outputFormat(options.output, 'sim run');
  const rules = await gatherRules(options.rules ?? []);
  const lines = playing.trace ?? [];
  const steps: PlayedStep[] = [];
  const playOptions = playOptionsOf(playing, lines, steps);
  const ran = await watched(scenario, playOptions, rules, context);
  const chosen = await targetOf(ran.played.cluster, scenario, { isTrial: playing.documents !== undefined, namespace: options.namespace });
  const { diagnosis, others } = await judged(chosen, scenario, ran.played.cluster, { rules, isTrial: playing.documents !== undefined });
  const report = reportOf(
    scenario,
    ran,
    withGaps(diagnosis, [...(playing.gaps ?? []), ...(playing.storage === undefined ? [] : storageGaps(playing.storage))]),
    steps,
  );
  const { cluster } = ran.played;
  const tried = playing.documents ?? [];
  const answers = await answersTo(
    cluster,
    tried.map(({ object }) => object),
  );
  const refusals = refusalsIn(answers, tried, cluster);
  if (options.trace !== undefined)
    await writeTrace(options.trace, (await maskedTrace(scenario, playing, playOptions)) ?? [...lines, traceEnd(ran.played.cluster)]);
  const whole: RunReport = {
    ...report,
    refusals,
    cameUp: diagnosis.outcome === 'healthy' && report.diagnosis.outcome !== 'healthy',
    leftOut: playing.leftOut ?? [],
    others,
    alsoHealthy: chosen.healthy,
    assumesStorage: playing.storage?.hasDefault === true,
    unknownImages: playing.documents === undefined ? [] : unknownImages(ran.played.cluster, ran.played.start),
  };
  context.write(await runReportText(whole, format, context));
  const code = exitCodeOf(whole.diagnosis.outcome);
  return code === EXIT.healthy ? codeOfRefusals(refusals) : code;
}

async function runReportText(report: RunReport, format: FormatOf<'sim run'>, { look }: CommandContext): Promise<string> {
  if (format === 'html') return (await import('../../report/simulation/run-page.ts')).runPage(report);
  return format === 'json' || format === 'yaml' ? dataText(runJson(report), format) : runText(report, look, format === 'wide');
}

function playOptionsOf({ options, cluster, documents }: Playing, lines: string[], steps: PlayedStep[]): PlayOptions {
  if (options.redact === true && options.trace === undefined)
    throw new PodcheckError('usage', '--redact needs --trace', 'it masks values in the trace file; other output has none of them');
  const until = optionMilliseconds('--until', options.until);
  return {
    seed: optionSeed(options.seed),
    ...(cluster === undefined ? {} : { cluster }),
    ...(until === undefined ? {} : { atMilliseconds: until }),
    ...(options.trace === undefined ? {} : { surroundings: { trace: (line: string) => void lines.push(line) } }),
    firstRuns: documents !== undefined,
    onStep: (step, played) => void steps.push({ at: played.now(), what: stepWords(step) }),
  };
}

interface Ran {
  readonly played: Played;
  readonly watch: StageWatch | undefined;
}

/** Looks on while it is played: with somebody at the terminal every change is shown. Ctrl-C is heeded between two slices of time. */
function watched(scenario: Scenario, options: PlayOptions, rules: readonly Rule[], context: CommandContext): Promise<Ran> {
  const play = async (show: (way: readonly WayStage[]) => Promise<void>): Promise<Ran> => {
    const target = scenario.expect?.target ?? workloadsOf(scenario)[0];
    const playing = playInSlices(scenario, options);
    let watch: StageWatch | undefined;
    for (;;) {
      const { done, value } = playing.next();
      const cluster = done === true ? value.cluster : value;
      watch ??= target === undefined ? undefined : new StageWatch(target, rules, cluster.now());
      const changed = await watch?.look(cluster);
      if (changed !== undefined) await show(changed);
      if (done === true) return { played: value, watch };
      await setImmediate();
      context.signal.throwIfAborted();
    }
  };
  const { liveStages } = context;
  return liveStages === undefined ? context.progress(`playing ${scenario.id}`, () => play(() => Promise.resolve())) : liveStages(play);
}

/**
 * The trace of the same with masked values, where there are any to mask: it is played once more, since a trace is played again by who
 * reads it, and the name of a ReplicaSet depends on all of its template. Undefined where nothing is masked.
 */
async function maskedTrace(
  scenario: Scenario,
  { options, context, again }: Playing,
  { onStep: _, ...play }: PlayOptions,
): Promise<readonly string[] | undefined> {
  void _;
  const masks = new ValueMasks({ plain: options.redact === true });
  const masked = maskedScenario(scenario, masks);
  if (masks.count === 0 && (again === undefined || options.redact !== true)) return undefined;
  const lines: string[] = [];
  const trace = (line: string): void => void lines.push(line);
  const cluster = await again?.(trace);
  const playing = playInSlices(masked, { ...play, surroundings: { trace }, ...(cluster === undefined ? {} : { cluster }) });
  for (;;) {
    const { done, value } = playing.next();
    if (done === true) return [...lines, traceEnd(value.cluster)];
    await setImmediate();
    context.signal.throwIfAborted();
  }
}

/** What was not known of the cluster may decide otherwise: then it is not certain that all would be well. */
function withGaps(diagnosis: Diagnosis, gaps: readonly Gap[]): Diagnosis {
  if (gaps.length === 0) return diagnosis;
  return { ...diagnosis, outcome: diagnosis.outcome === 'explained' ? 'explained' : 'inconclusive', gaps: [...diagnosis.gaps, ...gaps] };
}

function reportOf(
  scenario: Scenario,
  { played, watch }: Ran,
  diagnosis: Diagnosis,
  steps: readonly PlayedStep[],
): Omit<RunReport, 'refusals' | 'leftOut' | 'cameUp' | 'others' | 'alsoHealthy' | 'assumesStorage' | 'unknownImages'> {
  const { cluster, start, settled } = played;
  const follows = watch !== undefined && sameObject(watch.target, diagnosis.target);
  if (follows) watch.note(diagnosis, cluster.now());
  const way = follows
    ? watch.way
    : diagnosis.stages.map(({ id, verdict, at, reason }): WayStage => ({
        id,
        verdict,
        ...(reason === undefined ? {} : { reason }),
        ...(at === undefined ? {} : { sinceMilliseconds: Math.max(0, at - start) }),
      }));
  return {
    id: scenario.id,
    title: scenario.title,
    seed: cluster.options.seed,
    digest: cluster.digest(),
    start,
    now: cluster.now(),
    settled,
    steps,
    diagnosis,
    way,
  };
}

async function writeTrace(file: string, lines: readonly string[]): Promise<void> {
  try {
    await writeFile(file, `${lines.join('\n')}\n`);
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot write the trace to ${file}: ${systemReason(error)}`);
  }
}
