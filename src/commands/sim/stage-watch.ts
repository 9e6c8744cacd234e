import type { Instant } from '../../base/instant.ts';
import { examine, requestAbout } from '../../library/examine.ts';
import type { Diagnosis, StageVerdict } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import type { StageId } from '../../model/stage.ts';
import { STAGE_IDS } from '../../model/stage.ts';
import type { WayStage } from '../../report/simulation/stage-story.ts';
import type { Cluster } from '../../simulator/index.ts';

/** So often a cluster is looked at in detail; a longer story is looked at less closely, and its end always. */
const LOOKS = 400;

/** Follows one object through the stages while its cluster is played: when each stage was passed, or since when it is stopped. */
export class StageWatch {
  readonly target: ObjectRef;
  readonly #rules: readonly Rule[];
  readonly #start: Instant;
  readonly #since = new Map<StageId, { readonly state: string; readonly at: number }>();
  #revision = -1;
  #looks = 0;
  #way: readonly WayStage[] = STAGE_IDS.map((id) => ({ id, verdict: 'not-reached' }));

  constructor(target: ObjectRef, rules: readonly Rule[], start: Instant) {
    this.target = target;
    this.#rules = rules;
    this.#start = start;
  }

  get way(): readonly WayStage[] {
    return this.#way;
  }

  /** Looks if anything has changed; the way as it is now, or undefined when it is what it was. */
  async look(cluster: Cluster): Promise<readonly WayStage[] | undefined> {
    if (cluster.store.revision === this.#revision || this.#looks >= LOOKS) return undefined;
    this.#revision = cluster.store.revision;
    this.#looks++;
    const { evidence, diagnosisOf } = await examine(cluster.reader(), this.#rules, requestAbout(this.target));
    const seen = evidence.targets.some(({ ref }) => ref.kind === this.target.kind && ref.name === this.target.name);
    return seen || evidence.facts.some(({ kind }) => kind === 'answer') ? this.note(diagnosisOf(this.target), cluster.now()) : undefined;
  }

  /** Takes what a diagnosis says of the stages as the state at an instant. */
  note({ stages }: Diagnosis, at: Instant): readonly WayStage[] | undefined {
    const before = this.#way;
    this.#way = stages.map((stage) => this.#stageOf(stage, at - this.#start));
    return this.#way.every((stage, index) => stage.verdict === before[index]?.verdict && stage.reason === before[index].reason)
      ? undefined
      : this.#way;
  }

  #stageOf({ id, verdict, reason }: StageVerdict, at: number): WayStage {
    const state = verdict === 'passed' || verdict === 'not-reached' ? verdict : 'stopped';
    const known = this.#since.get(id);
    const since = known?.state === state ? known : { state, at };
    this.#since.set(id, since);
    return {
      id,
      verdict,
      ...(reason === undefined ? {} : { reason }),
      ...(verdict === 'not-reached' ? {} : { sinceMilliseconds: Math.round(since.at) }),
    };
  }
}
