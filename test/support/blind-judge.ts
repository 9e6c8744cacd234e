import type { Diagnosis } from '../../src/model/diagnosis.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';

/** What may be said of a scenario when not all of it is seen, by what is said of it when all is. */
export class BlindJudge {
  readonly #scenario: Scenario;
  readonly #rules: readonly Rule[];
  readonly #whole: Diagnosis;
  readonly #allowed: ReadonlySet<string>;
  readonly #objects: ReadonlySet<string>;

  constructor(scenario: Scenario, rules: readonly Rule[], whole: Diagnosis, isScan: boolean) {
    const { expect } = scenario;
    const cause = rules.find(({ id }) => id === expect?.cause);
    const named = (cause?.explains ?? []).filter((id) => !id.endsWith('*'));
    this.#scenario = scenario;
    this.#rules = rules;
    this.#whole = whole;
    // A finding that the cause accounts for is as true without it; whoever sees all is only told the cause. In a scan there are others
    // beside.
    this.#allowed = new Set([
      expect?.cause ?? '',
      ...(expect?.also ?? []),
      ...named,
      ...whole.causes.flatMap(({ explains }) => explains),
      ...(isScan ? whole.causes.map(({ rule }) => rule) : []),
    ]);
    this.#objects = new Set(
      [
        whole.target,
        ...whole.causes.flatMap(({ object, workload, affected }) => [object, ...affected, ...(workload === undefined ? [] : [workload])]),
      ].map(formatRef),
    );
  }

  /**
   * What is wrong with a diagnosis made without some of the reads, and with these named or not; undefined when it says nothing that is not
   * so. `ofRecords`: what failed are records beside the API.
   */
  troubleOf({ outcome, causes }: Diagnosis, isNamed: boolean, ofRecords = false): string | undefined {
    const [cause] = causes;
    const other = causes.find(({ rule }) => !this.#mayBeSaid(rule, ofRecords));
    if (other !== undefined) return `the cause is ${other.rule} (${formatRef(other.object)})`;
    if (cause === undefined) {
      if (outcome === this.#whole.outcome) return undefined;
      if (outcome === 'healthy') return ofRecords && this.#whole.state === 'healthy' ? undefined : 'it is called healthy';
      if (outcome === 'unexplained') return 'it is called unexplained, as if all had been seen';
      return isNamed ? undefined : 'it is inconclusive, and the read is not named';
    }
    if (cause.rule !== this.#whole.causes[0]?.rule) return isNamed ? undefined : `the answer is ${cause.rule}, and the read is not named`;
    return ofRecords || this.#isKnown(cause.object) ? undefined : `the object is ${formatRef(cause.object)}`;
  }

  #mayBeSaid(rule: string, ofRecords: boolean): boolean {
    if (this.#allowed.has(rule) || this.#rules.find(({ id }) => id === rule)?.kind === 'symptom') return true;
    const cause = this.#rules.find(({ id }) => id === this.#scenario.expect?.cause);
    return ofRecords && cause?.explains.some((pattern) => pattern.endsWith('/*') && rule.startsWith(pattern.slice(0, -1))) === true;
  }

  /** With less to see the object at fault may be one of those that suffer. */
  #isKnown(object: ObjectRef): boolean {
    return this.#objects.has(formatRef(object));
  }
}
