import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { append } from '../../base/lists.ts';
import { diagnoseTarget, scanScope } from '../../library/diagnose-target.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { momentWords } from '../../model/moment-words.ts';
import type { Rule } from '../../model/rule.ts';
import type { MomentWord } from '../../model/trace-record.ts';
import { diagnosisJson } from '../../report/diagnosis/diagnosis-json.ts';
import { diagnosisText } from '../../report/diagnosis/diagnosis-text.ts';
import type { Look } from '../../report/format/text-style.ts';
import type { ReplayReport } from '../../report/simulation/replay-text.ts';
import { momentLine, replayJson, replayText } from '../../report/simulation/replay-text.ts';
import { scanJson } from '../../report/diagnosis/scan-json.ts';
import { scanText } from '../../report/diagnosis/scan-text.ts';
import { traceTime } from '../../report/simulation/trace-words.ts';
import type { ComponentDefinition, RecordedTrace, Replay } from '../../simulator/index.ts';
import { endOf, moments, replayTrace } from '../../simulator/index.ts';
import { namedTarget } from '../diagnose/choose-target.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import type { OutputOptions, RuleOptions } from '../options.ts';
import type { FormatOf } from '../formats.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { scanExitCode } from '../diagnose/scan.ts';
import { openTrace, timeInTrace } from './trace-source.ts';

export interface SimReplayOptions extends RuleOptions, OutputOptions {
  readonly namespace?: string;
  /** How long after the cluster was up: `42s`; the end of the recording when not given. */
  readonly at?: string;
  /** Goes from what happened to what happened next, from `at` or the beginning on. */
  readonly step?: boolean;
}

/**
 * Plays a recorded trace again and shows state and diagnosis at an instant of it: of the object that is named, or of everything.
 * `components` are what the cluster runs; those of every cluster when not given. Says so when it does not play as recorded
 * (then the exit code is that of an inconclusive answer, whatever the diagnosis).
 */
export async function runSimReplay(
  file: string,
  target: string | undefined,
  options: SimReplayOptions,
  context: CommandContext,
  components?: readonly ComponentDefinition[],
): Promise<ExitCode> {
  const format = outputFormat(options.output, 'sim replay');
  const trace = await openTrace(file, context);
  const t = timeInTrace(options.at, trace);
  if (trace.end === undefined)
    context.note(
      `note: the trace is cut off at ${traceTime(endOf(trace) - trace.start - trace.up)}: without its digest the replay cannot be verified\n`,
    );
  const table: Table = { trace, rules: await gatherRules(options.rules ?? []), target, options, context, components };
  if (options.step === true) {
    if (format === 'json' || format === 'yaml')
      throw new PodcheckError(
        'usage',
        `--step cannot be used with -o ${format}`,
        'leave out -o; the trace file itself is JSON, one record per line',
      );
    return steps(table, t ?? trace.up);
  }
  const shown = await context.progress('replaying', () => showing(table, t));
  context.write(await written(shown, format, context));
  return shown.report.trouble.length > 0 ? EXIT.inconclusive : shown.finding.exit;
}

/** What is on the table while a trace is looked at. */
interface Table {
  readonly trace: RecordedTrace;
  readonly rules: readonly Rule[];
  readonly target: string | undefined;
  readonly options: SimReplayOptions;
  readonly context: CommandContext;
  readonly components: readonly ComponentDefinition[] | undefined;
}

interface Shown {
  readonly report: ReplayReport;
  readonly finding: Finding;
}

interface Finding {
  readonly exit: ExitCode;
  readonly text: (look: Look, wide: boolean) => string;
  readonly json: () => JsonObject;
}

async function showing(table: Table, t: number | undefined): Promise<Shown> {
  const { trace } = table;
  const replay = playedUntil(table, t);
  const reader = replay.cluster.reader();
  const at = replay.cluster.now();
  const until = at - trace.start;
  const report: ReplayReport = {
    file: trace.file,
    at,
    t: until - trace.up,
    records: Math.min(replay.records, trace.records.length),
    of: trace.records.length,
    trouble: troubleOf(replay, trace),
    digest: trace.end?.digest,
    objects: await objectsOf(reader, table.options.namespace),
    lately: happenings(trace, 0, until).slice(-LATELY),
  };
  return { report, finding: await findingOf(reader, table) };
}

const LATELY = 8;

function playedUntil({ trace, components }: Table, t: number | undefined): Replay {
  return replayTrace(trace, t === undefined ? undefined : trace.start + t, components === undefined ? {} : { components });
}

function troubleOf({ difference, intact }: Replay, trace: RecordedTrace): readonly string[] {
  const changed =
    intact === false
      ? [
          `The digest no longer matches: the lines of ${trace.file} have ${trace.digest}, but the recorded digest is ${trace.end?.digest ?? ''}. The file was changed.`,
        ]
      : [];
  if (difference === undefined) return changed;
  const when = traceTime(difference.at - trace.start - trace.up);
  const why = intact === false ? '' : ' Another version of podcheck recorded it.';
  return [
    ...changed,
    `The digest no longer matches: from ${when} on (line ${difference.line}) the replay differs from the recording.${why} The output shows the replay of this version from the same start and inputs.`,
  ];
}

const SHOWN_KINDS = ['Node', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Pod'] as const;

async function objectsOf(reader: ClusterReader, namespace: string | undefined): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const kind of SHOWN_KINDS) {
    const read = await reader.list(kind, namespace === undefined || kind === 'Node' ? {} : { namespace });
    if (read.ok) append(objects, read.value);
  }
  return objects;
}

async function findingOf(reader: ClusterReader, { rules, target: word, options: { namespace } }: Table): Promise<Finding> {
  const scope = namespace === undefined ? {} : { namespace };
  if (word === undefined) {
    const result = await scanScope(reader, rules, scope);
    return { exit: scanExitCode(result), text: (look, wide) => scanText(result, look, wide), json: () => scanJson(result) };
  }
  const target = await namedTarget(reader, { word, ...scope });
  const diagnosis = await diagnoseTarget(reader, rules, target);
  return {
    exit: exitCodeOf(diagnosis.outcome),
    text: (look, wide) => diagnosisText(diagnosis, look, { wide, timeline: false }),
    json: () => diagnosisJson(diagnosis),
  };
}

async function written({ report, finding }: Shown, format: FormatOf<'sim replay'>, { look }: CommandContext): Promise<string> {
  if (format === 'json' || format === 'yaml') return dataText(replayJson(report, finding.json()), format);
  return `${replayText(report, look)}\n${finding.text(look, format === 'wide')}`;
}

interface Happening {
  /** Milliseconds since the cluster was up. */
  readonly t: number;
  readonly word: MomentWord;
}

/** All that is worth a word between two times of a trace, both counted from its beginning. */
function happenings(trace: RecordedTrace, from: number, until: number): readonly Happening[] {
  const found: Happening[] = [];
  for (const moment of moments(trace.records)) {
    const { t } = moment.record;
    if (t > until) break;
    if (t < from) continue;
    for (const word of momentWords(moment)) found.push({ t: t - trace.up, word });
  }
  return found;
}

/** One step is all that happened at one time. Where somebody sits at a terminal, each waits for Enter. */
async function steps(table: Table, from: number): Promise<ExitCode> {
  const { trace, context } = table;
  const trouble = troubleOf(playedUntil(table, undefined), trace);
  for (const line of trouble) context.note(`note: ${line}\n`);
  const grouped = groupedByTime(happenings(trace, from, Number.POSITIVE_INFINITY));
  const keys = context.stdinIsTerminal ? linesOf(context) : undefined;
  if (keys !== undefined) context.note('Enter: next step; s: show the state and the diagnosis; q: quit\n');
  for (const [t, group] of grouped) {
    for (const happening of group) context.write(`${momentLine(happening, context.look)}\n`);
    if (keys !== undefined && !(await goesOn(keys, table, t + trace.up))) break;
  }
  await keys?.return(undefined);
  return trouble.length > 0 ? EXIT.inconclusive : EXIT.healthy;
}

function groupedByTime(found: readonly Happening[]): ReadonlyMap<number, readonly Happening[]> {
  const groups = new Map<number, Happening[]>();
  for (const happening of found) {
    const group = groups.get(happening.t);
    if (group === undefined) groups.set(happening.t, [happening]);
    else group.push(happening);
  }
  return groups;
}

async function goesOn(keys: AsyncGenerator<string, undefined>, table: Table, t: number): Promise<boolean> {
  for (;;) {
    const { value, done } = await keys.next();
    const word = done === true ? 'q' : value.trim().toLowerCase();
    if (word === 'q' || table.context.signal.aborted) return false;
    if (word !== 's') return true;
    table.context.write(await written(await showing(table, t), 'text', table.context));
  }
}

async function* linesOf(context: CommandContext): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of context.stdin()) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}
