import { assert } from '../base/assert.ts';
import type { Instant } from '../base/instant.ts';
import type { Json } from '../base/json.ts';
import { asNumber, asText, isJsonObject } from '../base/json.ts';
import { largest } from '../base/lists.ts';
import type { AuditEntry } from '../model/audit.ts';
import { MOST_PODS } from './most-pods.ts';
import type { Scenario } from '../model/scenario.ts';
import type { Cluster, Failure, OutsideRequest, Played } from '../simulator/index.ts';
import { failure, playInSlices } from '../simulator/index.ts';
import type { CommandAnswer, Kubectl } from './kubectl/call.ts';
import { auditOf } from './audit-entry.ts';

/** A command as it was given, with its place in the run: enough to do all of it again. */
export interface Given {
  /** Slices of the scenario that had been played. */
  readonly slices: number;
  /** Milliseconds after the start. */
  readonly at: number;
  readonly line: string;
  /** What stood in the editor. */
  readonly text?: string;
}

/** Carries out a line of the console. */
export type Perform = (line: string, kube: Kubectl) => CommandAnswer | Promise<CommandAnswer>;

export interface PlaySource {
  readonly scenario: Scenario;
  readonly seed: number | string;
  /** Told of every request that the console makes. */
  readonly audit?: (entry: AuditEntry) => void;
}

/** A scenario that is played as far as somebody wants to see it, with the commands they gave. The same source and commands give the same. */
export class Play {
  readonly cluster: Cluster;
  readonly start: Instant;
  readonly #source: PlaySource;
  readonly #playing: Generator<Cluster, Played>;
  readonly #given: Given[] = [];
  #slices = 0;
  #done = false;

  constructor(source: PlaySource) {
    this.#source = source;
    this.#playing = playInSlices(source.scenario, { seed: source.seed });
    const first = this.#playing.next();
    assert(first.done !== true, 'the cluster is handed over before the first step');
    this.cluster = first.value;
    this.start = this.cluster.now();
  }

  /** Milliseconds after the start. */
  get elapsed(): number {
    return this.cluster.now() - this.start;
  }

  /** Whether all steps of the scenario are done, and it was waited for what they lead to. */
  get isPlayed(): boolean {
    return this.#done;
  }

  get given(): readonly Given[] {
    return this.#given;
  }

  /** Plays up to so many milliseconds after the start. What takes longer in one piece, a step of the scenario, is done whole. */
  advanceTo(milliseconds: number): void {
    // Instants are compared, not spans: the sum of a start and a span is rounded.
    const end = this.start + milliseconds;
    while (!this.#done && this.cluster.now() < end) this.#slice();
    // In pieces: a long time in one piece would be fast-forwarded, and come out a little different from many short ones.
    while (this.cluster.now() < end) this.cluster.advanceTo(Math.min(end, this.cluster.now() + PIECE));
  }

  /** Plays all of the scenario. */
  finish(): void {
    while (!this.#done) this.#slice();
  }

  /** What happens next: a slice of the scenario, or all that is due at the next moment. */
  step(): void {
    if (!this.#done) this.#slice();
    else if (this.cluster.step()) this.cluster.advanceTo(this.cluster.now());
  }

  /** Lets time pass in one piece: what is only repeated in a long one is not played each time. */
  sleep(milliseconds: number): void {
    const end = this.cluster.now() + milliseconds;
    while (!this.#done && this.cluster.now() < end) this.#slice();
    if (this.cluster.now() < end) this.cluster.advanceTo(end);
  }

  /** Carries out a command of the console, and remembers it where it did something. */
  async run(line: string, text: string | undefined, perform: Perform): Promise<CommandAnswer> {
    const given = { slices: this.#slices, at: this.elapsed, line, ...(text === undefined ? {} : { text }) };
    const answer = await perform(line, this.#kubectl(text));
    if (answer.edit === undefined) this.#given.push(given);
    return answer;
  }

  /** Does again what was done up to a moment, at its moments. */
  async replay(given: readonly Given[], perform: Perform, answered: (one: Given, answer: CommandAnswer) => void): Promise<void> {
    for (const one of given) {
      while (!this.#done && this.#slices < one.slices) this.#slice();
      this.advanceTo(one.at);
      answered(one, await this.run(one.line, one.text, perform));
    }
  }

  #slice(): void {
    this.#done = this.#playing.next().done === true;
    this.#slices++;
  }

  #kubectl(text: string | undefined): Kubectl {
    const { cluster } = this;
    const sent: Kubectl['sent'] = (request, code) => this.#source.audit?.(auditOf(request, code, cluster.now()));
    return {
      cluster,
      text,
      send: (request) => {
        const answer = tooLarge(request) ?? cluster.request(request);
        sent(request, answer.code);
        return answer;
      },
      sent,
      passUntil: (done, milliseconds) => {
        cluster.advanceWhile(cluster.now() + milliseconds, () => !done());
        return done();
      },
    };
  }
}

/** Why a page does not send it: so many pods take a machine of their own. */
function tooLarge({ body, patch }: OutsideRequest): Failure | undefined {
  const most = largestCount([body ?? null, patch?.body ?? null]);
  return most > MOST_PODS ? failure(413, '', `${most} pods are too many for this page: it simulates up to ${MOST_PODS}`) : undefined;
}

/** The largest number of pods that a body asks for. */
function largestCount(value: Json): number {
  if (Array.isArray(value)) return largest((value as readonly Json[]).map(largestCount));
  if (!isJsonObject(value)) return 0;
  const own = COUNTS.map((field) => asNumber(value[field]) ?? 0);
  const patched = /\/(?:replicas|parallelism|maxReplicas)$/.test(asText(value['path']) ?? '') ? (asNumber(value['value']) ?? 0) : 0;
  return largest([patched, ...own, ...Object.values(value).map((inner) => largestCount(inner ?? null))]);
}

const COUNTS = ['replicas', 'parallelism', 'maxReplicas'];

/** Milliseconds. */
const PIECE = 1_200_000;
