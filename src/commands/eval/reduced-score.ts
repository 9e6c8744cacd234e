import { formatRef } from '../../model/kube-object.ts';
import type { AnswerVerdict } from './accepted.ts';
import type { ScoredCause } from './scored-cause.ts';

/** The answer to what a cut left of a case. */
export interface ReducedAnswer {
  readonly cut: string;
  readonly case: string;
  /** Undefined where the cut leaves nothing of the case, or the case is outside of what podcheck can tell. */
  readonly verdict: AnswerVerdict | undefined;
  readonly expected: string;
  readonly first: Pick<ScoredCause, 'rule' | 'object'> | undefined;
}

export type Counts = Readonly<Record<AnswerVerdict | 'judged', number>>;

/** An answer that was not right; `got` is empty where no cause was named. */
export interface ReducedMiss {
  readonly cut: string;
  readonly case: string;
  readonly expected: string;
  readonly got: string;
}

/** Counts of each cut and of all together, and the answers that were not right. */
export interface ReducedScore {
  readonly cuts: readonly (Counts & { readonly cut: string })[];
  readonly total: Counts;
  readonly wrong: readonly ReducedMiss[];
  readonly lessExact: readonly ReducedMiss[];
  readonly inconclusive: readonly ReducedMiss[];
  readonly unreadable: readonly { readonly cut: string; readonly case: string }[];
}

export function scoreReduced(answers: readonly ReducedAnswer[], cuts: readonly string[]): ReducedScore {
  return {
    cuts: cuts.map((cut) => ({ cut, ...countsOf(answers.filter((answer) => answer.cut === cut)) })),
    total: countsOf(answers),
    wrong: missesOf(answers, 'wrong'),
    lessExact: missesOf(answers, 'less-exact'),
    inconclusive: missesOf(answers, 'inconclusive'),
    unreadable: answers.filter(({ verdict }) => verdict === 'unreadable').map(({ cut, case: name }) => ({ cut, case: name })),
  };
}

function missesOf(answers: readonly ReducedAnswer[], wanted: AnswerVerdict): readonly ReducedMiss[] {
  return answers
    .filter(({ verdict }) => verdict === wanted)
    .map(({ cut, case: name, expected, first }) => ({
      cut,
      case: name,
      expected,
      got: first === undefined ? '' : `${first.rule} at ${formatRef(first.object)}`,
    }));
}

function countsOf(answers: readonly ReducedAnswer[]): Counts {
  const count = (wanted: AnswerVerdict): number => answers.filter(({ verdict }) => verdict === wanted).length;
  return {
    judged: answers.filter(({ verdict }) => verdict !== undefined).length,
    right: count('right'),
    'less-exact': count('less-exact'),
    inconclusive: count('inconclusive'),
    wrong: count('wrong'),
    unreadable: count('unreadable'),
  };
}
