import { formatRef } from '../../model/kube-object.ts';
import type { AnswerVerdict } from './accepted.ts';
import { isRightObject } from './right-object.ts';
import type { ScoredCause } from './scored-cause.ts';

/** The truth about a case, from its expected.json. */
export interface Expected {
  readonly namespace?: string;
  /** `app/NAME`, `node/NAME`, `namespace/NAME` or `Kind/NAME`; without it the rule alone decides. */
  readonly object?: string;
  /** The label. */
  readonly rootCause: string;
  readonly category?: string;
}

/** What counts as right for a label: one of the rules with these parameters, no cause at all, or nothing that podcheck could tell. */
export type Label =
  | { readonly kind: 'rule'; readonly rules: readonly string[]; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'none' }
  | { readonly kind: 'outside' };

export interface JudgedCase {
  readonly case: string;
  readonly expected: Expected;
  readonly label: Label;
  /** Undefined when the evidence could not be read: a miss whatever the label says, for nothing was judged. */
  readonly causes: readonly ScoredCause[] | undefined;
  /** For a case of which several answers are accepted. */
  readonly verdict?: AnswerVerdict;
}

/** `top3`: right, but not first. */
export type Score = 'top1' | 'top3' | 'miss' | 'outside';

/** How right the ranked causes of one case are. */
export function scoreCase({ expected, label, causes }: JudgedCase): Score {
  switch (label.kind) {
    case 'outside':
      return 'outside';
    case 'none':
      return causes?.length === 0 ? 'top1' : 'miss';
    case 'rule': {
      const rank = (causes ?? []).slice(0, 3).findIndex((cause) => isRightCause(cause, expected, label));
      return rank < 0 ? 'miss' : rank === 0 ? 'top1' : 'top3';
    }
  }
}

/** `top1` and `top3` are shares (0 to 1) of the cases that are not outside; `perLabel` leaves out the labels that are. */
export interface EvalScore {
  readonly cases: number;
  readonly scored: number;
  readonly outside: number;
  readonly top1: number;
  readonly top3: number;
  readonly perLabel: Readonly<Record<string, { readonly cases: number; readonly top1: number }>>;
  readonly misses: readonly Miss[];
  /** Of cases with accepted answers: how many of each verdict. */
  readonly verdicts?: Readonly<Record<AnswerVerdict, number>>;
}

/** A case whose first cause is not the right one. */
export interface Miss {
  readonly case: string;
  /** `rules` is empty where no cause may be named. */
  readonly expected: { readonly rootCause: string; readonly rules: readonly string[]; readonly object?: string };
  /** The cause named first; null when there was none. */
  readonly got: { readonly rule: string; readonly object: string } | null;
  readonly verdict?: AnswerVerdict;
}

/** Adds up the cases. */
export function scoreCases(judged: readonly JudgedCase[]): EvalScore {
  const scores = judged.map((one) => ({ ...one, score: scoreCase(one) }));
  const scored = scores.filter(({ score }) => score !== 'outside');
  const first = scored.filter(({ score }) => score === 'top1').length;
  const third = scored.filter(({ score }) => score !== 'miss').length;
  const labels = [...new Set(scored.map(({ expected }) => expected.rootCause))].toSorted();
  const perLabel = labels.map((label) => {
    const own = scored.filter(({ expected }) => expected.rootCause === label);
    return [label, { cases: own.length, top1: share(own.filter(({ score }) => score === 'top1').length, own.length) }] as const;
  });
  return {
    cases: scores.length,
    scored: scored.length,
    outside: scores.length - scored.length,
    top1: share(first, scored.length),
    top3: share(third, scored.length),
    perLabel: Object.fromEntries(perLabel),
    misses: scored.filter(({ score, verdict }) => (verdict === undefined ? score !== 'top1' : verdict !== 'right')).map(missOf),
    ...verdictsOf(judged),
  };
}

function verdictsOf(judged: readonly JudgedCase[]): Pick<EvalScore, 'verdicts'> {
  const given = judged.flatMap(({ verdict }) => verdict ?? []);
  const count = (verdict: AnswerVerdict): number => given.filter((one) => one === verdict).length;
  return given.length === 0
    ? {}
    : {
        verdicts: {
          right: count('right'),
          'less-exact': count('less-exact'),
          inconclusive: count('inconclusive'),
          wrong: count('wrong'),
          unreadable: count('unreadable'),
        },
      };
}

/** Whether it is the cause of the label, with its parameters, at the right object. */
export function isRightCause(cause: ScoredCause, expected: Expected, { rules, params }: Label & { readonly kind: 'rule' }): boolean {
  if (!rules.includes(cause.rule)) return false;
  const fits = Object.entries(params).every(([name, value]) => Object.hasOwn(cause.params, name) && String(cause.params[name]) === value);
  return fits && (expected.object === undefined || isRightObject(cause, expected.object));
}

function missOf({ case: name, expected, label, causes, verdict }: JudgedCase): Miss {
  const first = causes?.[0];
  const { rootCause, object } = expected;
  const rules = label.kind === 'rule' ? label.rules : [];
  return {
    case: name,
    expected: { rootCause, rules, ...(object === undefined ? {} : { object }) },
    got: first === undefined ? null : { rule: first.rule, object: formatRef(first.object) },
    ...(verdict === undefined ? {} : { verdict }),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
