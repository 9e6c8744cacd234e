import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { PodcheckError } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import { printable } from '../../base/text.ts';
import { shippedPlaybooks } from '../../catalog/bundled-data.ts';
import { openingsOf } from '../../model/frames.ts';
import type { JournalEntry, JournalPort, RunMode } from '../../model/journal.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Playbook } from '../../model/playbook.ts';
import { GIVEN_VARIABLES } from '../../model/playbook.ts';
import type { Rule } from '../../model/rule.ts';
import { flatten } from '../../runbook/flatten.ts';
import type { JournalFile } from '../../runbook/journal-file.ts';
import { beginJournal, continueJournal } from '../../runbook/journal-file.ts';
import { unlikeOriginal } from '../../runbook/clone-likeness.ts';
import { hold } from '../../runbook/lock.ts';
import { Looker } from '../../runbook/look-at-target.ts';
import { wrap } from '../../report/format/display-width.ts';
import type { Look } from '../../report/format/text-style.ts';
import { shown } from '../../report/format/text-style.ts';
import { diagnosisWords } from '../../runbook/perform-look.ts';
import type { Prompt, RunPorts } from '../../runbook/ports.ts';
import type { AtStart } from '../../runbook/resume.ts';
import { askAgain, givenBefore, secretsBefore, takeOver } from '../../runbook/resume.ts';
import type { RunEnd } from '../../runbook/run.ts';
import { continueUndo, runSteps } from '../../runbook/run.ts';
import type { Running } from '../../runbook/running.ts';
import { withoutSecretValues } from '../../runbook/running.ts';
import { askForParams, checkRights, maskedParams, prepareRun } from '../../runbook/start.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import type { OutputOptions, RuleOptions, SourceOptions } from '../options.ts';
import { outputFormat } from '../output-format.ts';
import type { NamedPlaybook } from './runbook-books.ts';
import { playbookNamed } from './runbook-books.ts';
import type { Choice, ChooseOptions } from './runbook-choose.ts';
import { choose } from './runbook-choose.ts';
import { runExitCode, tellEnd } from './runbook-end.ts';
import { journalFolder, locksFolder } from './runbook-folders.ts';
import type { Earlier } from './runbook-resume.ts';
import { checkEarlier, checkJournal, checkPlace, choiceOf, copyOf, digestOf, earlierRun } from './runbook-resume.ts';
import { absentPrompt, askingPrompt, simulatedPrompt } from './runbook-prompt.ts';
import type { RunSource } from './runbook-source.ts';
import { noteRemarks, openRunSource } from './runbook-source.ts';
import { requireTrust } from './runbook-trust.ts';
import { runView } from './runbook-view.ts';

export interface RunbookRunOptions extends SourceOptions, RuleOptions, OutputOptions, ChooseOptions {
  readonly dryRun?: boolean;
  readonly simulate?: boolean;
  /** `read`: nobody is there; what only reads is done. */
  readonly auto?: string;
  /** `name=value` each. */
  readonly param?: readonly string[];
  readonly journal?: string;
  /** Name of a run to go on with. */
  readonly resume?: string;
}

/** Goes through a playbook step by step, and writes down all that happens. */
export async function runRunbookRun(words: readonly string[], options: RunbookRunOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'runbook run');
  const before = options.resume === undefined ? undefined : earlierRun(options.resume, words, options, journalFolder(options, context));
  const mode = before?.progress.head.mode ?? modeOf(options);
  const rules = await gatherRules(options.rules ?? []);
  // A name that nobody knows, or a file that nobody trusts, is said before anything is asked of a cluster.
  const named = await namedIn(words, options, before);
  if (named !== undefined && isRealCluster(options, mode)) await requireTrust(named, mode !== 'auto-read', context);
  const source = await openRunSource({ ...options, simulate: mode === 'simulate' }, context);
  if (before !== undefined) checkPlace(before, source);
  const release = context.holdInterruption?.() ?? (() => undefined);
  try {
    const choice =
      before === undefined || named === undefined
        ? await choose({ words, named: named?.playbook }, options, source, rules, context)
        : choiceOf(before.progress, named.playbook);
    noteRemarks(source, choice.target, context);
    const carried = await carriedOut(
      choice,
      { options, context, source, rules, mode, ...(before === undefined ? {} : { before }) },
      format === 'text' ? context.write : context.note,
    );
    await tellEnd(carried.end, { ...carried, choice, mode, format }, context);
    return runExitCode(carried.end);
  } finally {
    release();
    source.opened.close();
  }
}

/** The playbook that is named, on the command line or by the run that is continued; undefined where what is wrong decides. */
async function namedIn(
  words: readonly string[],
  { forDiagnosis, alert }: RunbookRunOptions,
  before: Earlier | undefined,
): Promise<NamedPlaybook | undefined> {
  if (before !== undefined) return playbookNamed(before.progress.head.word);
  return forDiagnosis === true || alert !== undefined ? undefined : playbookNamed(words[0] ?? noPlaybook());
}

/** In a scenario, a snapshot or a simulated clone no playbook can reach anything real: there it may be tried before it is trusted. */
function isRealCluster({ scenario, from = [] }: RunbookRunOptions, mode: RunMode): boolean {
  return scenario === undefined && from.length === 0 && mode !== 'simulate';
}

function noPlaybook(): never {
  throw new PodcheckError(
    'usage',
    'no playbook is given',
    '`podcheck runbook list` lists all playbooks; --for-diagnosis chooses one for the cause',
  );
}

interface Around {
  readonly options: RunbookRunOptions;
  readonly context: CommandContext;
  readonly source: RunSource;
  readonly rules: readonly Rule[];
  readonly mode: RunMode;
  readonly before?: Earlier;
}

interface CarriedOut {
  readonly end: RunEnd;
  readonly run: string;
  readonly file: string;
  readonly atStart: AtStart | undefined;
  /** Changes that were made and stand. */
  readonly changes: number;
}

async function carriedOut(choice: Choice, around: Around, write: (text: string) => void): Promise<CarriedOut> {
  const { context, source, rules, mode, before } = around;
  const shipped = await shippedPlaybooks();
  const find = (name: string): Playbook | undefined => shipped.find((one) => one.name === name);
  const playbook = flatten(choice.playbook, find);
  const prompt = promptFor(mode, around);
  if (before !== undefined) await checkEarlier(before, playbook, prompt);
  const folder = journalFolder(around.options, context);
  const run = before?.run ?? newRun(choice.playbook.name, context.clock());
  const deferred = deferredJournal();
  const ports: RunPorts = {
    ...source.ports,
    prompt,
    view: runView(context, write),
    readPasted: (text) => pastedReader(text, rules, context),
    signal: context.signal,
  };
  const params = { ...(before === undefined ? {} : givenBefore(before.progress.head)), ...paramsOf(around.options.param ?? []) };
  const running = await prepareRun({
    playbook,
    target: choice.target,
    rules,
    mode,
    ports,
    journal: deferred.port,
    params,
    known: choice.known,
  });
  if (before !== undefined) takeOver(running, before.progress);
  await askForParams(running, before === undefined ? undefined : secretsBefore(before.progress.head));
  await checkRights(running);
  if (source.cloned !== undefined) {
    const { original } = source.cloned;
    running.state.unlike = await context.progress('comparing the clone with the cluster', async () =>
      unlikeOriginal(running, (await new Looker(original, rules).look(choice.target)).diagnosis),
    );
  }
  context.signal.throwIfAborted();
  const release = await holdRun(run, choice, around);
  try {
    const journal = openJournal(folder, run, before, ports.clock);
    try {
      deferred.open(journal);
      write(headline(running, run, context.look));
      journal.append(
        before === undefined
          ? firstEntry(running, { run, choice, around })
          : { type: 'resumed', who: personName(), step: before.progress.at, note: '' },
      );
      const seen = keepBefore(running, journal);
      const end = before === undefined ? await runSteps(running, playbook.steps[0]?.id ?? 'end') : await goOn(running, before);
      return { end, run, file: journal.file, atStart: before?.progress.atStart ?? seen, changes: running.state.changes.length };
    } finally {
      journal.close();
    }
  } finally {
    release();
  }
}

function openJournal(folder: string, run: string, before: Earlier | undefined, clock: RunPorts['clock']): JournalFile {
  if (before === undefined) return beginJournal(folder, run, clock);
  checkJournal(before);
  return continueJournal(folder, run, before.read, clock);
}

/** Goes on where an earlier run stopped, in its steps or while it undid them. */
async function goOn(running: Running, { progress }: Earlier): Promise<RunEnd> {
  await askAgain(running);
  return progress.undoing ? await continueUndo(running) : await runSteps(running, progress.at);
}

/** Keeps others away from the run, and from its target where that is a real one that is changed. */
async function holdRun(run: string, { target }: Choice, { options, context, source, mode }: Around): Promise<() => void> {
  const things = [`run ${run}`, ...(source.isReal && mode === 'run' ? [`${formatRef(target)} on ${source.opened.place}`] : [])];
  const folder = locksFolder(options, context);
  const held: (() => void)[] = [];
  function release(): void {
    for (const one of held) one();
  }
  try {
    for (const thing of things) held.push(await hold(folder, thing, run));
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

function modeOf({ dryRun, simulate, auto }: RunbookRunOptions): RunMode {
  if (auto !== undefined && auto !== 'read')
    throw new PodcheckError('usage', `--auto: unknown value "${auto}"`, 'the only value is --auto read: run only steps that read');
  const given = [dryRun === true ? '--dry-run' : '', simulate === true ? '--simulate' : '', auto === undefined ? '' : '--auto'].filter(
    (flag) => flag !== '',
  );
  if (given.length > 1) throw new PodcheckError('usage', `${given.join(' and ')} cannot be used together`, 'leave out one of them');
  return dryRun === true ? 'dry-run' : simulate === true ? 'simulate' : auto === undefined ? 'run' : 'auto-read';
}

/** A person where one sits; what is for a person to decide is left undone where nobody does. */
function promptFor(mode: RunMode, { context }: Around): Prompt {
  if (mode === 'simulate') return simulatedPrompt();
  return mode === 'auto-read' || context.typing === undefined ? absentPrompt() : askingPrompt(context.typing, context, personName());
}

function personName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody';
  }
}

function paramsOf(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1) throw new PodcheckError('usage', '--param needs a name and a value', 'for example --param replicas=2');
      return [text.slice(0, equals), text.slice(equals + 1)] as const;
    }),
  );
}

/** `missing-config-20261121-130508-1f3a`: its end sorts by time, and is hardly ever the same twice. */
function newRun(playbook: string, now: Instant): string {
  const [date = '', time = ''] = formatInstant(now).replaceAll(/[-:Z]/g, '').split('T');
  return `${playbook}-${date}-${time}-${randomBytes(2).toString('hex')}`;
}

/** Nothing is written down before the run begins, but what prepares it needs somewhere to write. */
function deferredJournal(): { readonly port: JournalPort; readonly open: (journal: JournalPort) => void } {
  let opened: JournalPort | undefined;
  return { port: { append: (entry: JournalEntry) => opened?.append(entry) }, open: (journal) => (opened = journal) };
}

async function pastedReader(text: string, rules: readonly Rule[], context: CommandContext): ReturnType<RunPorts['readPasted']> {
  const { openSources } = await import('../../clusters/open-source.ts');
  try {
    return (await openSources(['-'], { stdin: () => bytesOf(text), clock: context.clock, openings: async () => openingsOf(rules) })).reader;
  } catch (error) {
    // What somebody pastes may be anything: that podcheck cannot read it is no reason to end a run.
    if (error instanceof PodcheckError) return undefined;
    throw error;
  }
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

function headline({ playbook, target, mode, state }: Running, run: string, look: Look): string {
  const how =
    mode === 'run'
      ? ''
      : mode === 'dry-run'
        ? ', dry run: nothing is changed'
        : mode === 'simulate'
          ? ', in a simulated clone: the real cluster is not changed'
          : ', without prompts: only steps that read run';
  const texts = [
    playbook.title,
    `${playbook.name} for ${formatRef(target)}${how}`,
    ...(state.sight === undefined ? [] : [diagnosisWords(state.sight.diagnosis)]),
    `run ${run}`,
    '',
  ];
  return shown(
    look,
    texts.flatMap((text) => wrap(printable(text), look.width)),
  );
}

function firstEntry(
  running: Running,
  { run, choice, around: { mode, source, context } }: { readonly run: string; readonly choice: Choice; readonly around: Around },
): JournalEntry {
  const copy = copyOf(running.playbook);
  return {
    type: 'run',
    run,
    playbook: choice.playbook.name,
    word: choice.word,
    digest: digestOf(copy),
    copy,
    params: maskedParams(running),
    given: Object.keys(running.given),
    target: formatRef(choice.target),
    known: choice.known,
    mode,
    who: personName(),
    context: source.opened.place,
    versions: { podcheck: context.version ?? '', node: process.version },
    alerts: choice.alerts,
  };
}

function keepBefore(running: Running, journal: JournalFile): AtStart | undefined {
  const { sight, variables } = running.state;
  if (sight === undefined) return undefined;
  const told = Object.fromEntries(Object.entries(variables).filter(([name]) => Object.hasOwn(GIVEN_VARIABLES, name)));
  const atStart = { outcome: sight.diagnosis.outcome, cause: sight.diagnosis.causes[0]?.rule ?? '' };
  journal.append({ type: 'before', ...atStart, words: diagnosisWords(sight.diagnosis), variables: withoutSecretValues(told, running) });
  return atStart;
}
