import { isWorkloadKind } from '../../model/workload-kinds.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import type { AnswerVerdict } from './accepted.ts';
import { isRightCause, scoreCase } from './score.ts';
import type { JudgedCase } from './score.ts';
import type { ScoredCause } from './scored-cause.ts';

/** A part of a case: its text, and what is named where the whole case is seen. */
export interface CasePart {
  readonly text: string;
  readonly whole: readonly ScoredCause[];
}

/**
 * How the answer to a part of a case fits its label; undefined for a case outside of what podcheck can tell. Less exact is the right cause
 * behind
 * another one or at a pod of the right workload. A symptom of the right cause, or what that explains, is less exact only where the part
 * shows none of
 * the cause's own proof, at the right object or one that the cause affects, and if the answer says where to look next; else it is wrong.
 */
export function verdictOnPart(judged: JudgedCase, rules: ReadonlyMap<string, Rule>, part?: CasePart): AnswerVerdict | undefined {
  const { causes, label } = judged;
  const score = scoreCase(judged);
  if (score === 'outside') return undefined;
  if (causes === undefined) return 'unreadable';
  const [first] = causes;
  if (score === 'top1') return 'right';
  if (first === undefined) return 'inconclusive';
  if (label.kind !== 'rule') return 'wrong';
  return score === 'top3' ? 'less-exact' : verdictOnOther(first, { ...judged, label }, rules, part);
}

/** An answer that names another rule or another object than the label. */
function verdictOnOther(
  first: ScoredCause,
  { label, expected }: JudgedCase & { readonly label: { readonly kind: 'rule' } },
  rules: ReadonlyMap<string, Rule>,
  part: CasePart | undefined,
): AnswerVerdict {
  const right = part?.whole.find((cause) => isRightCause(cause, expected, label));
  const near = isNear(first, expected.object) || (right !== undefined && suffersFrom(right, first));
  if (label.rules.includes(first.rule))
    return near || first.affected.some((object) => isNear({ ...first, object }, expected.object)) ? 'less-exact' : 'wrong';
  if (!near || !isEffectOf(first, label.rules, rules)) return 'wrong';
  return part !== undefined && right !== undefined && isShown(right, first, part.text) ? 'wrong' : 'less-exact';
}

/** Whether the answer is a symptom, or what one of these rules explains, and says where to look next. */
function isEffectOf({ rule: id }: ScoredCause, right: readonly string[], rules: ReadonlyMap<string, Rule>): boolean {
  const rule = rules.get(id);
  if (rule === undefined || !looksFurther(rule)) return false;
  return rule.kind === 'symptom' || right.some((one) => rules.get(one)?.explains.some((other) => covers(other, id)));
}

function covers(explained: string, rule: string): boolean {
  return explained === rule || (explained.endsWith('/*') && rule.startsWith(explained.slice(0, -1)));
}

/** Whether a step of the rule reads on, instead of changing something. */
function looksFurther({ fix }: Rule): boolean {
  return fix.some(({ run }) => run !== undefined && READS.test(run));
}

const READS = /\b(?:describe|logs|get|top|diagnose|journalctl|status)\b|--list|--dry-run/;

function suffersFrom({ affected }: ScoredCause, { object, workload }: ScoredCause): boolean {
  const keys = new Set(affected.map(formatRef));
  return [object, workload].some((ref) => ref !== undefined && keys.has(formatRef(ref)));
}

/** Whether the text has words that the right cause cannot do without and that the answer does not quote itself. */
function isShown(right: ScoredCause, answer: ScoredCause, text: string): boolean {
  const quoted = new Set(answer.evidence.map(({ quote }) => words(quote)));
  const shown = words(text);
  return right.evidence.some(({ quote, support }) => {
    const proof = words(quote);
    return support === undefined && proof.length >= SHORTEST_PROOF && !quoted.has(proof) && shown.includes(proof);
  });
}

/** A shorter text may stand anywhere. */
const SHORTEST_PROOF = 12;
const EVENT_HEAD = /^(?:Normal|Warning) [A-Za-z]+: /;

/** Without an event's type and reason, which stand in other columns of a table, and with single blanks. */
function words(text: string): string {
  return text.replace(EVENT_HEAD, '').split(/\s+/).join(' ').trim();
}

/**
 * Whether the cause is at the workload that is expected, or at what its name begins with: a pod of a workload that was not seen. Other
 * objects may be unseen.
 */
function isNear({ object, workload }: ScoredCause, expected: string | undefined): boolean {
  const [kind = '', name = ''] = expected?.split('/') ?? [];
  const isWorkload = kind === 'app' || kind === 'Pod' || isWorkloadKind(kind);
  if (!isWorkload || UNNAMED.has(object.kind)) return true;
  return [object, workload].some(
    (ref) => ref !== undefined && (ref.name === name || ref.name.startsWith(`${name}-`) || ref.name.startsWith('<')),
  );
}

/** What stands for an object that was never made, or that no text names. */
const UNNAMED: ReadonlySet<string> = new Set(['Manifest', 'Cluster', 'User', 'Text']);
