import { assert } from '../base/assert.ts';
import type { Instant } from '../base/instant.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { Cause } from '../model/diagnosis.ts';
import type { Drill } from '../model/drill.ts';
import type { Rule } from '../model/rule.ts';
import { doStep } from '../simulator/scenario/play.ts';
import type { Cluster } from '../simulator/cluster.ts';
import type { Alert } from './alert.ts';
import { alertsOf } from './alert.ts';
import type { Answered } from './answer.ts';
import { judgeAnswer } from './answer.ts';
import type { Baseline } from './baseline.ts';
import { causeOf, takeBaseline } from './baseline.ts';
import type { CheckResult } from './check.ts';
import { checkDrill } from './check.ts';
import { cluesOf, showsClue } from './clues.ts';
import type { Hint, HintLevel } from './hints.ts';
import { nextHint } from './hints.ts';
import type { Action, FaultRecord, Moment, RunRecord } from './run-record.ts';
import type { Score } from './score.ts';
import { scoreOf } from './score.ts';
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
  readonly faults: number;
  readonly named: number;
  readonly hints: number;
  readonly requests: number;
  readonly ending: RunRecord['ending'];
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
  #wrongAnswers = 0;
  #handedOver = false;
  #lastCheck: CheckResult | undefined;
  #ending: RunRecord['ending'] = 'open';
  #ended: Moment | undefined;

  private constructor(start: SessionStart, baseline: Baseline) {
    this.#start = start;
    this.#baseline = baseline;
    this.#causes = start.drill.faults.map((fault, index) => causeOf(baseline.diagnoses[index], fault));
    const ready = new Set(baseline.targets.filter(({ state }) => state === 'healthy').map(({ ref }) => `${ref.kind}/${ref.namespace ?? ''}/${ref.name}`));
    this.alerts = alertsOf(start.drill.faults, (target) => (ready.has(`${target.kind}/${target.namespace ?? ''}/${target.name}`) ? 'ready' : 'not-ready'));
  }

  static async open(start: SessionStart): Promise<DrillSession> {
    return new DrillSession(start, await takeBaseline(start.drill, start.cluster, start.rules));
  }

  /** Told of every request the trainee makes. */
  observe(entry: AuditEntry): void {
    if (entry.resource === '' || this.#ending !== 'open') return;
    this.#audit.push(entry);
    const telling = this.#causes.flatMap((cause, index) => (cause !== undefined && cluesOf(cause).some((clue) => showsClue(entry, clue)) ? [index] : []));
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
      faults: drill.faults.length,
      named: this.#named.size,
      hints: this.#hints.length,
      requests: this.#audit.length,
      ending: this.#ending,
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
      this.#act('hint', `hint (${hint.level}, ${hint.cost} points): ${hint.says}`, this.#moment(wall));
      return hint;
    }
    return undefined;
  }

  async check(wall: Instant): Promise<CheckResult> {
    const result = await checkDrill(this.#start.drill, this.#start.cluster, this.#baseline, this.#start.rules, this.#writes());
    const moment = this.#moment(wall);
    this.#lastCheck = result;
    for (const [index, { state }] of result.faults.entries()) {
      if (state === 'mended' || state === 'coming') this.#mended.set(index, this.#mended.get(index) ?? moment);
      else this.#mended.delete(index);
    }
    this.#act('check', result.fixed ? 'check: everything works again' : `check: ${result.faults.filter(({ state }) => state === 'failing' || state === 'symptom').length} of ${result.faults.length} not mended`, moment);
    if (result.fixed) this.#end('fixed', moment);
    return result;
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
      practise: faults.filter(({ named, state }) => named === undefined || state === 'failing' || state === 'symptom').map(({ cause }) => cause),
    };
  }

  /** What no request could mend is mended by those whose work it is, once every cause is named. */
  #handOver(): string | undefined {
    const { drill, cluster } = this.#start;
    const outside = drill.scenario.cure.filter(({ do: action }) => action === 'fault');
    if (outside.length === 0 || this.#handedOver) return undefined;
    this.#handedOver = true;
    for (const step of outside) doStep(cluster, { ...step, atMilliseconds: undefined }, cluster.now());
    return 'This is not yours to mend through the API: those whose work it is were told, and have done it.';
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
      path: distinct(cluesOf(cause), ({ resource, log }) => `${resource} ${String(log)}`).map(({ command }) => command),
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
      faults: faults.map(({ named, state }) => ({ named: named !== undefined, mended: state === 'mended' || state === 'coming' ? 'really' : state === 'symptom' ? 'symptom' : 'no' })),
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

/** The first of each: two pods of one workload tell the same. */
function distinct<T>(members: readonly T[], keyOf: (member: T) => string): readonly T[] {
  return [...new Map(members.toReversed().map((member) => [keyOf(member), member])).values()].toReversed();
}

function momentOf({ at, wall }: AuditEntry): Moment {
  return { at, wall };
}
