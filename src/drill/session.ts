import { assert } from '../base/assert.ts';
import type { Instant } from '../base/instant.ts';
import { asText, dig } from '../base/json.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { Cause } from '../model/diagnosis.ts';
import type { Drill } from '../model/drill.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { CLIENT_ANSWER } from '../model/record-kinds.ts';
import type { Cluster } from '../simulator/index.ts';
import { doStep } from '../simulator/index.ts';
import type { Alert } from './alert.ts';
import { alertsOf, beganAt } from './alert.ts';
import type { Answered } from './answer.ts';
import { judgeAnswer } from './answer.ts';
import type { Baseline } from './baseline.ts';
import { takeBaseline } from './baseline.ts';
import type { CheckResult } from './check.ts';
import { checkDrill } from './check.ts';
import { cluesOf, showsClue } from './clues.ts';
import { counted } from '../base/counted.ts';
import type { Hint, HintLevel } from './hints.ts';
import { nextHint } from './hints.ts';
import type { Action, FaultRecord, Moment, RunRecord } from './run-record.ts';
import type { Score } from './score.ts';
import type { FailedCommand } from './trainee-files.ts';
import { BREAK_GLASS } from './trainee-files.ts';
import { failedApply, refusedCommand, stepsOfOthers } from './goal.ts';
import { insecureSetting } from './insecure-kubeconfig.ts';
import { scoreOf } from './score.ts';
import { causeOf } from './target-state.ts';
import { isDestructive, isWrite, lookWords, writeWords } from './trainee-actions.ts';

export interface SessionStart {
  readonly run: string;
  readonly trainee: string;
  readonly drill: Drill;
  /** The drill's cluster, after its scenario was played in it. */
  readonly cluster: Cluster;
  readonly rules: readonly Rule[];
  readonly wall: Instant;
  readonly broke: RunRecord['broke'];
}

/** What the trainee may know of their run while it goes on. */
export interface SessionStatus {
  readonly drill: string;
  readonly difficulty: Drill['difficulty'];
  readonly alerts: readonly Alert[];
  readonly story: string | undefined;
  readonly wallMilliseconds: number;
  readonly virtualMilliseconds: number;
  /** By the clock of the cluster. */
  readonly now: Instant;
  readonly faults: number;
  readonly named: number;
  readonly hints: number;
  readonly requests: number;
  readonly ending: RunRecord['ending'];
  /** What lies ready, and where; absent when there is nothing but the cluster. */
  readonly files?: LaidOut['files'];
  readonly folder?: string;
}

/** What was laid ready for the trainee, as the session needs to know of it. */
export interface LaidOut {
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly about: string }[];
  /** As whom requests with the trainee's own kubeconfig are answered; undefined when they have the cluster's. */
  readonly user: string | undefined;
  /** Anybody will do but who came by another way in. */
  readonly anybody?: boolean;
  /** The trainee's own kubeconfig as it is now. */
  kubeconfig(): string | undefined;
  /** New credentials are laid down beside; the file they are in, where somebody else gives them out. */
  renew(): string | undefined;
}

export interface AnswerResult {
  readonly answered: Answered;
  /** What the cause is, when it was named. */
  readonly cause?: Cause;
  /** What others did about it, where its cure is nothing that the API could do. */
  readonly handedOver?: string;
}

/** One trainee's way through one drill: what they did, and what podcheck said to it. Requests of others are not theirs. */
export class DrillSession {
  readonly alerts: readonly Alert[];
  readonly #start: SessionStart;
  readonly #baseline: Baseline;
  readonly #causes: readonly (Cause | undefined)[];
  readonly #audit: AuditEntry[] = [];
  readonly #actions: Action[] = [];
  readonly #hints: { readonly fault: number; readonly hint: Hint }[] = [];
  readonly #named = new Map<number, Moment>();
  readonly #looked = new Map<number, Moment>();
  readonly #mended = new Map<number, Moment>();
  #laidOut: LaidOut | undefined;
  #signedIn = false;
  #wrongAnswers = 0;
  #handedOver = false;
  #lastCheck: CheckResult | undefined;
  #ending: RunRecord['ending'] = 'open';
  #ended: Moment | undefined;

  private constructor(start: SessionStart, baseline: Baseline) {
    this.#start = start;
    this.#baseline = baseline;
    this.#causes = start.drill.faults.map((fault, index) => causeOf(baseline.diagnoses[index], fault));
    const ready = new Set(
      baseline.targets.filter(({ state }) => state === 'healthy').map(({ ref }) => `${ref.kind}/${ref.namespace ?? ''}/${ref.name}`),
    );
    this.alerts = alertsOf(
      start.drill.faults,
      baseline.goals,
      this.#causes,
      (target) => (ready.has(`${target.kind}/${target.namespace ?? ''}/${target.name}`) ? 'ready' : 'not-ready'),
      (fault) => beganAt(this.#causes[fault], start.broke, baseline.at),
    );
  }

  static async open(start: SessionStart): Promise<DrillSession> {
    return new DrillSession(start, await takeBaseline(start.drill, start.cluster, start.rules));
  }

  /** Commands that failed before the trainee came: what they need to be able to do better. */
  async failedCommands(): Promise<readonly FailedCommand[]> {
    const { drill, cluster } = this.#start;
    const said = await cluster.reader().list(CLIENT_ANSWER, {});
    return drill.faults.flatMap((fault, index): readonly FailedCommand[] => {
      const [cause, goal] = [this.#causes[index], this.#baseline.goals[index]];
      const failed = cause === undefined ? undefined : failedApply(cause, fault, drill.scenario);
      if (cause === undefined || failed === undefined) return [];
      const meant = goal?.by === 'object' ? { wanted: goal.wanted, login: goal.login } : { wanted: undefined, login: false };
      return [{ failed, stage: cause.stage, terminal: terminalText(cause, said.ok ? said.value : []), ...meant }];
    });
  }

  /** Told of what was laid ready for the trainee. */
  layOut(laidOut: LaidOut): void {
    this.#laidOut = laidOut;
  }

  /** Told of every request the trainee makes. */
  observe(entry: AuditEntry): void {
    if (this.#isOwn(entry)) this.#signedIn = true;
    if (entry.resource === '' || this.#ending !== 'open') return;
    this.#audit.push(entry);
    const telling = this.#causes.flatMap((cause, index) =>
      cause !== undefined && cluesOf(cause).some((clue) => showsClue(entry, clue)) ? [index] : [],
    );
    for (const index of telling) if (!this.#looked.has(index)) this.#looked.set(index, momentOf(entry));
    if (isWrite(entry)) this.#act(isDestructive(entry) ? 'destroy' : 'write', writeWords(entry), entry);
    else this.#look(entry, telling.length > 0);
  }

  status(wall: Instant): SessionStatus {
    const { drill } = this.#start;
    const end = this.#ended ?? this.#moment(wall);
    return {
      drill: drill.id,
      difficulty: drill.difficulty,
      alerts: this.alerts,
      story: drill.story,
      wallMilliseconds: end.wall - this.#start.wall,
      virtualMilliseconds: end.at - this.#baseline.at,
      now: end.at,
      faults: drill.faults.length,
      named: this.#named.size,
      hints: this.#hints.length,
      requests: this.#audit.length,
      ending: this.#ending,
      ...(this.#laidOut === undefined ? {} : { files: this.#laidOut.files, folder: this.#laidOut.folder }),
    };
  }

  /** The next hint for the first thing that is not mended yet; undefined when all has been said. */
  hint(wall: Instant): Hint | undefined {
    for (const [index, cause] of this.#causes.entries()) {
      const diagnosis = this.#baseline.diagnoses[index];
      if (cause === undefined || diagnosis === undefined || this.#mended.has(index)) continue;
      const given: HintLevel[] = this.#hints.filter(({ fault }) => fault === index).map(({ hint }) => hint.level);
      const hint = nextHint({ diagnosis, cause, looked: this.#audit, named: this.#named.has(index), given });
      if (hint === undefined) continue;
      this.#hints.push({ fault: index, hint });
      this.#act('hint', `hint (${hint.level}, ${counted(hint.cost, 'point')}): ${hint.says}`, this.#moment(wall));
      return hint;
    }
    return undefined;
  }

  async check(wall: Instant): Promise<CheckResult> {
    const { drill, cluster, rules } = this.#start;
    const [alert] = this.alerts;
    const careless = this.#laidOut === undefined || alert === undefined ? [] : insecureSetting(this.#laidOut.kubeconfig(), alert.about);
    const doings = { writes: this.#writes(), handedOver: this.#handedOver, signedIn: this.#signedIn, careless };
    const result = await checkDrill(drill, cluster, this.#baseline, rules, doings);
    const moment = this.#moment(wall);
    this.#lastCheck = result;
    for (const [index, { state }] of result.faults.entries()) {
      if (state === 'mended' || state === 'coming') this.#mended.set(index, this.#mended.get(index) ?? moment);
      else this.#mended.delete(index);
    }
    this.#act(
      'check',
      result.fixed
        ? 'check: all faults are fixed'
        : `check: ${result.faults.filter(({ state }) => state === 'failing' || state === 'symptom').length} of ${result.faults.length} not fixed`,
      moment,
    );
    if (result.fixed) this.#end('fixed', moment);
    return { ...result, unnamed: drill.faults.length - this.#named.size };
  }

  answer(words: string, wall: Instant): AnswerResult {
    const moment = this.#moment(wall);
    const answered = judgeAnswer(words, this.#causes, this.#start.rules);
    if (answered.verdict === 'unclear') return { answered };
    this.#act('answer', `answer ${answered.rule}: ${answered.verdict}`, moment);
    if (answered.verdict !== 'right') {
      if (answered.verdict === 'wrong') this.#wrongAnswers++;
      return { answered };
    }
    this.#named.set(answered.fault, this.#named.get(answered.fault) ?? moment);
    const cause = this.#causes[answered.fault];
    assert(cause !== undefined, 'an answer is right about a cause there is');
    const handedOver = this.#named.size === this.#causes.length ? this.#handOver() : undefined;
    return { answered, cause, ...(handedOver === undefined ? {} : { handedOver }) };
  }

  giveUp(wall: Instant): RunRecord {
    this.#end('gave-up', this.#moment(wall));
    return this.record(wall);
  }

  stop(wall: Instant): RunRecord {
    if (this.#ending === 'open') this.#end('stopped', this.#moment(wall));
    return this.record(wall);
  }

  /** All of it, as far as it has got. */
  record(wall: Instant): RunRecord {
    const { drill, run, trainee, broke, cluster } = this.#start;
    const faults = drill.faults.map((_, index) => this.#faultRecord(index));
    const writes = this.#writes();
    const destructive = writes.filter(isDestructive).length;
    return {
      schema: 'podcheck.drill/v1',
      run,
      trainee,
      drill: drill.id,
      title: drill.scenario.title,
      difficulty: drill.difficulty,
      seed: cluster.options.seed,
      started: { at: this.#baseline.at, wall: this.#start.wall },
      ended: this.#ended,
      ending: this.#ending,
      broke,
      faults,
      timeline: [...this.#actions],
      requests: { reads: this.#audit.length - writes.length, writes: writes.length, destructive },
      hints: { given: this.#hints.length, cost: this.#hintCost() },
      wrongAnswers: this.#wrongAnswers,
      shortcuts: this.#lastCheck?.shortcuts.map(({ says }) => says) ?? [],
      damage: this.#lastCheck?.damage ?? [],
      score: this.#score(wall, destructive, faults),
      practise: faults
        .filter(({ named, state }) => named === undefined || state === 'failing' || state === 'symptom')
        .map(({ cause }) => cause),
    };
  }

  /** What no request could mend is mended by those whose work it is, once every cause is named. */
  #handOver(): string | undefined {
    const { drill, cluster } = this.#start;
    const outside = stepsOfOthers(drill.scenario.cure);
    if (this.#handedOver) return undefined;
    if (outside.length === 0) return this.#renew();
    this.#handedOver = true;
    for (const step of outside) doStep(cluster, { ...step, atMilliseconds: undefined }, cluster.now());
    return 'This cannot be fixed through the API. The responsible team was informed and has fixed it.';
  }

  /** Credentials are given out by somebody else, once they know which are needed. */
  #renew(): string | undefined {
    const file = this.#laidOut?.renew();
    if (file === undefined) return undefined;
    this.#handedOver = true;
    return `You cannot issue credentials. An administrator was informed and has sent new ones for ${this.#laidOut?.user ?? 'you'} in ${file}.`;
  }

  /** A request with the trainee's own credentials that the API server knew. Nobody else's, and nobody in the name of another. */
  #isOwn({ user, impersonator, code }: AuditEntry): boolean {
    const wanted = this.#laidOut?.user;
    if (wanted === undefined || impersonator !== undefined || code === 401 || NOT_OWN.includes(user)) return false;
    return user === wanted || this.#laidOut?.anybody === true;
  }

  #faultRecord(index: number): FaultRecord {
    const fault = this.#start.drill.faults[index];
    const cause = this.#causes[index];
    assert(fault !== undefined && cause !== undefined, 'every fault of a drill is found by its own cause');
    return {
      cause: fault.cause,
      stage: cause.stage,
      title: cause.title,
      target: fault.target,
      object: cause.object,
      what: cause.what,
      evidence: distinct(cause.evidence, ({ quote }) => quote).slice(0, 4),
      path: distinct(
        distinct(cluesOf(cause), ({ resource, log }) => `${resource} ${String(log)}`).map(({ command }) => command),
        (command) => command,
      ),
      fix: cause.fix,
      looked: this.#looked.get(index),
      named: this.#named.get(index),
      mended: this.#mended.get(index),
      state: this.#lastCheck?.faults[index]?.state ?? 'failing',
    };
  }

  #score(wall: Instant, destructive: number, faults: readonly FaultRecord[]): Score {
    const end = this.#ended ?? this.#moment(wall);
    return scoreOf({
      difficulty: this.#start.drill.difficulty,
      faults: faults.map(({ named, state }) => ({
        named: named !== undefined,
        mended: state === 'mended' || state === 'coming' ? 'really' : state === 'symptom' ? 'symptom' : 'no',
      })),
      wallMilliseconds: end.wall - this.#start.wall,
      wrongAnswers: this.#wrongAnswers,
      hintCost: this.#hintCost(),
      destructive,
      damage: this.#lastCheck?.damage.length ?? 0,
    });
  }

  #hintCost(): number {
    let cost = 0;
    for (const { hint } of this.#hints) cost += hint.cost;
    return cost;
  }

  #writes(): readonly AuditEntry[] {
    return this.#audit.filter((entry) => isWrite(entry) && entry.code < 400 && entry.dryRun !== true);
  }

  /** Reads that kubectl makes for one command become one line of the timeline. */
  #look(entry: AuditEntry, telling: boolean): void {
    const what = lookWords(entry);
    const last = this.#actions.at(-1);
    if (last?.kind === 'look' && last.what === what && entry.wall - last.wall < 10_000) return;
    this.#actions.push({ kind: 'look', what, ...momentOf(entry), ...(telling ? { telling: true } : {}) });
  }

  #act(kind: Action['kind'], what: string, moment: Moment): void {
    this.#actions.push({ kind, what, at: moment.at, wall: moment.wall });
  }

  #end(ending: RunRecord['ending'], moment: Moment): void {
    if (this.#ending !== 'open') return;
    this.#ending = ending;
    this.#ended = moment;
    this.#act('end', ending, moment);
  }

  #moment(wall: Instant): Moment {
    return { at: this.#start.cluster.now(), wall };
  }
}

/** Nobody in particular, and who came by the other way in. */
const NOT_OWN: readonly string[] = ['', 'system:anonymous', BREAK_GLASS];

/** The command that failed, as its terminal shows it, and what the same manifest was answered before. */
function terminalText(cause: Cause, answers: readonly KubeObject[]): string {
  const failed = refusedCommand(cause);
  const last = answers.findLastIndex((answer) => asText(dig(answer, 'spec', 'command')) === failed);
  const shown = last < 0 ? [] : [answers[last]].filter((answer) => answer !== undefined);
  return shown
    .map((answer) => `$ ${asText(dig(answer, 'spec', 'command')) ?? ''}\n${asText(dig(answer, 'spec', 'output')) ?? ''}\n`)
    .join('\n');
}

/** The first of each: two pods of one workload tell the same. */
function distinct<T>(members: readonly T[], keyOf: (member: T) => string): readonly T[] {
  return [...new Map(members.toReversed().map((member) => [keyOf(member), member])).values()].toReversed();
}

function momentOf({ at, wall }: AuditEntry): Moment {
  return { at, wall };
}
