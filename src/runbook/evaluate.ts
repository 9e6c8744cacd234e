import { FactIndex } from '../engine/fact-index.ts';
import { match } from '../engine/match.ts';
import type { Diagnosis, Evidence } from '../model/diagnosis.ts';
import type { Scalar } from '../model/fact.ts';
import type { Condition, StepResult } from '../model/playbook-condition.ts';
import type { Variables } from './variables.ts';

/** What a condition is asked about. */
export interface Seen {
  readonly evidence: Evidence;
  /** Undefined when nothing was diagnosed. */
  readonly diagnosis: Diagnosis | undefined;
  readonly variables: Variables;
  readonly results: ReadonlyMap<string, StepResult>;
}

/** `why` says in a few words what it rests on; `bindings` are the variables that patterns have bound. */
export interface Answer {
  readonly is: 'true' | 'false' | 'unknown';
  readonly why: string;
  readonly bindings: Variables;
}

/** Whether a condition holds. Three-valued: what rests on something that could not be looked at is unknown. */
export function evaluate(condition: Condition, seen: Seen): Answer {
  switch (condition.test) {
    case 'facts':
      return factsAnswer(condition.when, seen);
    case 'outcome':
      return diagnosed(
        seen,
        ({ outcome }) => (outcome === 'inconclusive' && !condition.is.includes(outcome) ? 'unknown' : condition.is.includes(outcome)),
        ({ outcome, causes: [cause] }) => `the outcome is ${outcome}${cause === undefined ? '' : `: ${cause.title}`}`,
      );
    case 'cause':
      return diagnosed(
        seen,
        ({ outcome, causes: [cause] }) =>
          cause === undefined && outcome === 'inconclusive'
            ? 'unknown'
            : cause !== undefined && condition.is.some((pattern) => fitsRule(pattern, cause.rule)),
        ({ causes: [cause] }) => (cause === undefined ? 'no cause was found' : `the cause is ${cause.rule}`),
      );
    case 'stage': {
      const verdict = seen.diagnosis?.stages.find(({ id }) => id === condition.stage)?.verdict;
      if (verdict === undefined || (verdict === 'unknown' && !condition.is.includes('unknown')))
        return answer('unknown', `the state of stage ${condition.stage} is unknown`);
      return answer(condition.is.includes(verdict), `stage ${condition.stage} is ${verdict}`);
    }
    case 'step': {
      const result = seen.results.get(condition.step);
      if (result === undefined) return answer(false, `step ${condition.step} was not taken`);
      if (result === 'not-evaluated' && !condition.is.includes(result))
        return answer('unknown', `step ${condition.step} was not evaluated`);
      return answer(condition.is.includes(result), `step ${condition.step} is ${result}`);
    }
    case 'variable': {
      const value = seen.variables[condition.name];
      if (value === undefined) return answer('unknown', `${condition.name} has no value`);
      return answer(
        condition.is.some((one) => same(one, value)),
        `${condition.name} is ${String(value)}`,
      );
    }
    case 'known':
      return answer(
        seen.variables[condition.name] !== undefined,
        seen.variables[condition.name] === undefined
          ? `${condition.name} has no value`
          : `${condition.name} is ${String(seen.variables[condition.name])}`,
      );
    case 'not': {
      const inner = evaluate(condition.condition, seen);
      return { is: inner.is === 'unknown' ? 'unknown' : inner.is === 'true' ? 'false' : 'true', why: inner.why, bindings: {} };
    }
  }
}

/** `volumes/*` stands for all rules of a stage. */
export function fitsRule(pattern: string, rule: string): boolean {
  return pattern === rule || (pattern.endsWith('/*') && rule.startsWith(pattern.slice(0, -1)));
}

function same(a: Scalar, b: Scalar): boolean {
  return a === b || String(a) === String(b);
}

/** Only what names the same thing as a run's variable is joined; the run's other variables say nothing of facts. */
function factsAnswer(when: Extract<Condition, { test: 'facts' }>['when'], { evidence, variables }: Seen): Answer {
  const { matches, undecided } = match({ when }, new FactIndex(evidence.facts, evidence.gaps), variables);
  const [first] = matches;
  if (first !== undefined) {
    const bindings = Object.fromEntries(Object.entries(first.bindings).filter(([name, value]) => variables[name] !== value));
    return {
      is: 'true',
      why:
        first.facts
          .map(({ quote }) => quote)
          .filter((quote) => quote !== '')
          .slice(0, 3)
          .join('; ') || 'no matching evidence',
      bindings,
    };
  }
  const [gap] = undecided;
  if (gap !== undefined) return answer('unknown', `${gap.reason}${gap.needs === undefined ? '' : ` (needs: ${gap.needs})`}`);
  return answer(false, 'the evidence does not match');
}

function diagnosed(
  { diagnosis }: Seen,
  test: (diagnosis: Diagnosis) => boolean | 'unknown',
  why: (diagnosis: Diagnosis) => string,
): Answer {
  return diagnosis === undefined ? answer('unknown', 'nothing was diagnosed') : answer(test(diagnosis), why(diagnosis));
}

function answer(is: boolean | 'unknown', why: string): Answer {
  return { is: is === 'unknown' ? 'unknown' : is ? 'true' : 'false', why, bindings: {} };
}
