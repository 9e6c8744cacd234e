import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { PodcheckError, reasonOf } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { asText } from '../../base/json.ts';
import { printable } from '../../base/text.ts';
import { shippedRules } from '../../catalog/bundled-data.ts';
import { yieldToEvents } from '../../drill/yield-to-events.ts';
import { composeDrill } from '../../drill/compose/compose.ts';
import { DrillSession } from '../../drill/session.ts';
import { beginText, endText } from '../../drill/session-text.ts';
import { makeFolder } from '../../files/make-folder.ts';
import type { AuditEntry } from '../../model/audit.ts';
import type { Drill } from '../../model/drill.ts';
import { stepWords } from '../../report/simulation/scenario-text.ts';
import type { ControlRoutes } from '../../server/control.ts';
import { announced, isAwaited, launchDetached } from '../../server/launch.ts';
import { isOnPath, openShell } from '../../server/open-shell.ts';
import { runsFolder } from '../../server/run-folder.ts';
import type { ServedRun } from '../../server/served-run.ts';
import { startRun } from '../../server/served-run.ts';
import { speedOf } from '../../server/time-control.ts';
import { playScenario, traceEnd } from '../../simulator/index.ts';
import type { CommandContext } from '../context.ts';
import { optionDifficulty, optionStage } from './drill-list.ts';
import type { TraineeFolder } from './drill-files.ts';
import { prepareFiles } from './drill-files.ts';
import { drillNamed } from './drill-named.ts';
import { keepRecord, recordsFolder } from './drill-records.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { optionSeed } from '../sim/scenario-named.ts';

export interface DrillStartOptions {
  readonly random?: boolean;
  readonly seed?: string;
  readonly stage?: string;
  readonly difficulty?: string;
  readonly speed?: string;
  readonly detach?: boolean;
}

/** Breaks a simulated cluster, serves it, says what an alert would say, and opens a shell in which kubectl talks to it. */
export async function runDrillStart(word: string | undefined, options: DrillStartOptions, context: CommandContext): Promise<ExitCode> {
  const speed = speedOf(options.speed ?? '10');
  const random = options.random === true || word === undefined;
  if (options.random === true && word !== undefined)
    throw new PodcheckError('usage', 'a drill name and --random cannot be used together', 'leave out one of them');
  if (!random && (options.stage !== undefined || options.difficulty !== undefined))
    throw new PodcheckError('usage', '--stage and --difficulty only work for a random drill', 'leave them out, or leave out the name');
  const seed = optionSeed(options.seed ?? (random ? String(context.clock() % 1_000_000) : undefined));
  if (options.detach === true && !isAwaited(context.env)) return detached(word, { ...options, seed: String(seed) }, context);
  const rules = await shippedRules();
  const { stage, difficulty } = { stage: optionStage(options.stage), difficulty: optionDifficulty(options.difficulty) };
  const drill = await context.progress('preparing the cluster', () =>
    word === undefined
      ? composeDrill({ seed, ...(stage === undefined ? {} : { stage }), ...(difficulty === undefined ? {} : { difficulty }) }, rules)
      : drillNamed(word),
  );
  const records = recordsFolder(context);
  await yieldToEvents();
  const trace: string[] = [];
  const broke: { at: Instant; what: string }[] = [];
  const { cluster } = playScenario(drill.scenario, {
    seed: word === undefined ? drill.id : seed,
    surroundings: { trace: (line) => void trace.push(line) },
    onStep: (step, played) => void broke.push({ at: played.now(), what: stepWords(step) }),
  });
  await yieldToEvents();
  let session: DrillSession | undefined;
  const ended = new AbortController();
  const keep = (): string | undefined => {
    try {
      if (session !== undefined) keepRecord(records, session.record(context.clock()));
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  };
  const heed = context.heedInterruption ?? ((work) => work());
  return heed(async () => {
    const served = await startRun({
      cluster,
      speed,
      seed,
      scenario: drill.id,
      about: { drill: drill.id },
      wall: context.clock,
      runs: runsFolder(context.env, context.homeFolder),
      audit: (entry: AuditEntry) => session?.observe(entry),
      control: controlOf(() => session, context, keep),
      stop: () => ended.abort(),
      failed: (error) => context.note(`${printable(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`),
    });
    const clean = (): void => {
      session?.stop(context.clock());
      keep();
      served.clean();
    };
    context.signal.addEventListener('abort', clean);
    try {
      session = await DrillSession.open({
        run: served.run.id,
        trainee: traineeName(context),
        drill,
        cluster,
        rules,
        wall: context.clock(),
        broke,
      });
      await yieldToEvents();
      const folder = await prepareFiles(session, served);
      await attend(served, { drill, session, folder, ended: ended.signal }, context);
      keepRecord(records, session.stop(context.clock()));
      await keepTrace(join(records, `${served.run.id}.trace.jsonl`), [...trace, traceEnd(cluster)]);
      if (!isAwaited(context.env)) context.write(endText(session.record(context.clock()), context.look));
      return context.signal.aborted ? EXIT.interrupted : EXIT.healthy;
    } finally {
      await served.close();
      context.signal.removeEventListener('abort', clean);
    }
  });
}

function traineeName({ env }: CommandContext): string {
  return [env['USER'], env['LOGNAME']].find((name) => name !== undefined && name !== '') ?? 'trainee';
}

/** Columns that kubectl's tables need to be read. */
const NARROW = 80;

interface Attended {
  readonly drill: Drill;
  readonly session: DrillSession;
  readonly folder: TraineeFolder | undefined;
  readonly ended: AbortSignal;
}

async function attend(served: ServedRun, { drill, session, folder, ended }: Attended, context: CommandContext): Promise<void> {
  const { run } = served;
  const kubeconfig = folder?.kubeconfig ?? run.kubeconfig;
  const begin = beginText(session.status(context.clock()), context.look, isAwaited(context.env) ? 'podcheck drill stop' : 'exit');
  if (isAwaited(context.env)) {
    context.write(`${JSON.stringify({ id: run.id, url: run.url, kubeconfig, folder: folder?.folder ?? null, drill: drill.id, begin })}\n`);
    await interruption([context.signal, ended]);
    return;
  }
  if (!isOnPath('kubectl', context.env)) context.note('warning: kubectl is not installed; podcheck works in the shell\n');
  if (context.look.width < NARROW)
    context.note(`warning: the terminal has ${context.look.width} columns; kubectl's tables need ${NARROW}\n`);
  context.write(begin);
  await openShell({ env: context.env, kubeconfig, run: run.id, ended, ...(folder === undefined ? {} : { folder: folder.folder }) });
}

/** What the other drill commands ask of the process that serves the cluster. A full disk costs the record, not the drill. */
function controlOf(session: () => DrillSession | undefined, context: CommandContext, keep: () => string | undefined): ControlRoutes {
  const route =
    (answer: (session: DrillSession, body: JsonObject) => unknown) =>
    async (body: JsonObject): Promise<JsonObject> => {
      const open = session();
      if (open === undefined) throw new PodcheckError('bad-input', 'the drill is not ready yet', 'try again in a few seconds');
      const said = await answer(open, body);
      const unsaved = keep();
      return { answer: said as JsonObject, ...(unsaved === undefined ? {} : { unsaved }) };
    };
  const wall = (): Instant => context.clock();
  return {
    'drill/status': route((open) => open.status(wall())),
    'drill/hint': route((open) => open.hint(wall()) ?? null),
    'drill/check': route((open) => open.check(wall())),
    'drill/answer': route((open, body) => open.answer(asText(body['words']) ?? '', wall())),
    'drill/give-up': route((open) => open.giveUp(wall())),
    // Each answer keeps the record. Nothing but an ended drill gives it out: it has the causes.
    'drill/keep': route(() => null),
  };
}

/** The same once more as a process of its own, which `podcheck drill stop` ends. */
async function detached(
  word: string | undefined,
  { seed, stage, difficulty, speed }: DrillStartOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const words = Object.entries({ seed, stage, difficulty, speed }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const run = await context.progress('preparing the cluster', () =>
    launchDetached(['drill', 'start', '--detach', ...words, ...(word === undefined ? ['--random'] : ['--', word])], context.env),
  );
  const folder = announced(run, 'folder');
  context.write(
    `${announced(run, 'begin')}\n${folder === '' ? '' : `  cd ${printable(folder)}\n`}  export KUBECONFIG=${printable(announced(run, 'kubeconfig'))}\n${folder === '' ? '' : '\nThe folder is deleted when the drill ends.\n'}`,
  );
  return EXIT.healthy;
}

/** What happened in the cluster, for `podcheck sim replay`. */
function keepTrace(file: string, lines: readonly string[]): Promise<void> {
  makeFolder(dirname(file));
  return new Promise((resolve) => {
    const out = createWriteStream(file, { mode: 0o600 });
    // A full disk costs the trace, not the run.
    out.on('error', () => resolve());
    out.end(`${lines.join('\n')}\n`, () => resolve());
  });
}

function interruption(signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some(({ aborted }) => aborted)) resolve();
    for (const signal of signals) signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
