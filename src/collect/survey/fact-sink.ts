import type { Instant } from '../../base/instant.ts';
import { shorten } from '../../base/text.ts';
import type { Unread } from '../../model/cluster-reader.ts';
import type { Target } from '../../model/diagnosis.ts';
import type { Fact, Gap, Scalar } from '../../model/fact.ts';
import type { FACT_KINDS, FactKind } from '../../model/fact-kinds.ts';
import type { FieldSpec, WordSpec } from '../../model/fact-kinds/spec.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef, sameObject } from '../../model/kube-object.ts';

/** Values for the fields of a kind of fact; what was not observed is undefined and left out. */
export type FieldValues<K extends FactKind> = {
  readonly [F in keyof (typeof FACT_KINDS)[K]['fields']]?: ValueOf<(typeof FACT_KINDS)[K]['fields'][F]> | undefined;
};
type ValueOf<S> = S extends WordSpec<infer V> ? V : S extends FieldSpec<'text'> ? string : S extends FieldSpec<'number'> ? number : boolean;

/** The words that a field of closed values may have. */
export type WordOf<K extends FactKind, F extends keyof FieldValues<K>> = NonNullable<FieldValues<K>[F]>;

/** Where a fact was read and the words that prove it. */
export interface Proof {
  readonly source: string;
  readonly quote: string;
  readonly at?: Instant | undefined;
  /** How often the source says that it was seen. */
  readonly count?: number | undefined;
}

/** No quoted text is longer: a report is for reading, and the source has the rest. */
const QUOTE_LIMIT = 2000;
const FIELD_LIMIT = 8000;

/** Where collectors put what they saw, what they could not see, and what may be asked about. */
export class FactSink {
  readonly facts: Fact[] = [];
  readonly gaps: Gap[] = [];
  readonly targets: Target[] = [];
  readonly #told = new Set<string>();
  readonly #workloadOf: (ref: ObjectRef) => ObjectRef | undefined;
  #last: { readonly about: ObjectRef; readonly workload: ObjectRef | undefined } | undefined;

  constructor(workloadOf: (ref: ObjectRef) => ObjectRef | undefined) {
    this.#workloadOf = workloadOf;
  }

  fact<K extends FactKind>(kind: K, about: ObjectRef, fields: FieldValues<K>, proof: Proof): void {
    // Put together field by field: of a large cluster there are a hundred thousand, and spreading takes three times as long.
    const fact: { -readonly [F in keyof Fact]: Fact[F] } = {
      kind,
      about,
      fields: observed(fields),
      source: proof.source,
      quote: shorten(proof.quote, QUOTE_LIMIT),
    };
    const workload = this.#ownerOf(about);
    if (workload !== undefined) fact.workload = workload;
    if (proof.at !== undefined) fact.at = proof.at;
    if (proof.count !== undefined && proof.count > 1) fact.count = proof.count;
    this.facts.push(fact);
  }

  /** Mostly the object that the last fact was about. */
  #ownerOf(about: ObjectRef): ObjectRef | undefined {
    if (this.#last === undefined || !sameObject(about, this.#last.about)) this.#last = { about, workload: this.#workloadOf(about) };
    return this.#last.workload;
  }

  /** A read that was refused or impossible: facts of this kind about the object (or `ANYTHING`) may exist unseen. Each is kept once. */
  gap(kind: Gap['kind'], about: ObjectRef, unread: Pick<Unread, 'detail' | 'needs'>): void {
    // One list that could not be read whole is met by each of thousands of Services.
    const key = [kind, formatRef(about), unread.detail, unread.needs ?? ''].join('\n');
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.gaps.push({ kind, about, reason: unread.detail, ...(unread.needs === undefined ? {} : { needs: unread.needs }) });
  }

  target(target: Target): void {
    this.targets.push(target);
  }
}

function observed(fields: Readonly<Record<string, Scalar | undefined>>): Readonly<Record<string, Scalar>> {
  const kept: Record<string, Scalar> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined) kept[name] = typeof value === 'string' ? shorten(value, FIELD_LIMIT) : value;
  }
  return kept;
}
