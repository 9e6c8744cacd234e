import type { Fact, Gap, Scalar } from '../model/fact.ts';
import type { FactKind } from '../model/fact-kinds.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Pattern } from '../model/rule.ts';
import type { Bindings } from './bind-variables.ts';
import { fieldOf } from './bind-variables.ts';

/** Facts by kind and, made on demand, by the value of a field: joins over thousands of pods stay linear. */
export class FactIndex {
  readonly #byKind = new Map<FactKind, Fact[]>();
  readonly #gaps = new Map<Gap['kind'], Gap[]>();
  #seen: Set<string> | undefined;
  readonly #byField = new Map<string, Map<string, Fact[]>>();

  constructor(facts: readonly Fact[], gaps: readonly Gap[]) {
    for (const fact of facts) add(this.#byKind, fact.kind, fact);
    for (const gap of gaps) add(this.#gaps, gap.kind, gap);
  }

  /** Facts that can fit the pattern under these bindings, in the order they were collected; maybe more than really fit. */
  candidates(pattern: Pattern, bindings: Bindings): readonly Fact[] {
    let facts: readonly Fact[] = this.#byKind.get(pattern.fact) ?? [];
    // The fewest: of a large cluster thousands of facts have a field of the same word, and a few are about one pod.
    for (const [field, predicate] of Object.entries(pattern.where)) {
      if (facts.length < 16) return facts;
      const value = predicate.test === 'equals' ? predicate.value : predicate.test === 'variable' ? bindings[predicate.name] : undefined;
      const having = value === undefined ? facts : this.#having(pattern.fact, field, value);
      if (having.length < facts.length) facts = having;
    }
    return facts;
  }

  /** Whether any fact of the kind is about this object. */
  isSeen(kind: FactKind, about: ObjectRef): boolean {
    this.#seen ??= new Set([...this.#byKind].flatMap(([known, facts]) => facts.map((fact) => `${known} ${formatRef(fact.about)}`)));
    return this.#seen.has(`${kind} ${formatRef(about)}`);
  }

  /** Facts of the kind about this object. */
  about(kind: FactKind, about: ObjectRef): readonly Fact[] {
    return this.#having(kind, 'name', about.name).filter((fact) => formatRef(fact.about) === formatRef(about));
  }

  gapsOf(kind: FactKind): readonly Gap[] {
    return this.#gaps.get(kind) ?? [];
  }

  #having(kind: FactKind, field: string, value: Scalar): readonly Fact[] {
    const key = `${kind} ${field}`;
    let byValue = this.#byField.get(key);
    if (byValue === undefined) {
      byValue = new Map();
      for (const fact of this.#byKind.get(kind) ?? []) {
        const found = fieldOf(fact, field);
        if (found !== undefined) add(byValue, String(found), fact);
      }
      this.#byField.set(key, byValue);
    }
    return byValue.get(String(value)) ?? [];
  }
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
