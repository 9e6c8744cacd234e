import { printable } from '../../base/text.ts';
import type { Check, Pattern, Predicate, Rule, Wording } from '../../model/rule.ts';
import type { StageId } from '../../model/stage.ts';
import { STAGES } from '../../model/stage.ts';
import { wordingsOf } from '../../model/wording.ts';
import { hanging } from '../diagnosis/cause-lines.ts';
import { fixWords } from '../format/fix-words.ts';
import { clusterLine } from '../format/cluster-text.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';

/** A rule in full, for a person: what it says, when it says it, what to do. */
export function ruleText(rule: Rule, look: Look): string {
  const { when } = rule;
  const lines = [
    paint(look, 'bold', clusterLine(rule.title)),
    paint(look, 'dim', `${rule.id}, ${rule.kind === 'cause' ? 'a cause' : 'a symptom: any cause replaces it'}`),
    '',
    ...hanging('  ', rule.what, look),
    ...hanging('  ', rule.why, look),
    ...section('Recognized by the messages', wordingsOf(rule).map(wordingWords), look),
    ...section('When', when.all.map(patternWords), look),
    ...section(
      'and one of',
      when.any.map((patterns) => (patterns.length === 0 ? 'nothing more' : patterns.map(patternWords).join('; and '))),
      look,
    ),
    ...section('and never', when.none.map(patternWords), look),
    ...section('unless there is', when.unless.map(patternWords), look),
    ...section('with, if present', when.optional.map(patternWords), look),
    ...section('Supported by', rule.support.map(patternWords), look),
    '',
    paint(look, 'dim', '  Fix'),
    ...rule.fix.flatMap((step) => [...hanging('    - ', fixWords(step), look), ...commandLines(step.run, look)]),
    ...(rule.explains.length === 0 ? [] : ['', ...hanging('  Explains  ', rule.explains.join(', '), look)]),
    ...(rule.before.length === 0 ? [] : hanging('  Before    ', rule.before.join(', '), look)),
    ...(rule.playbook === undefined ? [] : [...hanging('  Playbook  ', rule.playbook, look)]),
    ...rule.references.flatMap((reference) => hanging('  See       ', reference, look)),
  ];
  return shown(look, lines);
}

function commandLines(run: string | undefined, look: Look): readonly string[] {
  return run === undefined
    ? []
    : printable(run)
        .trimEnd()
        .split('\n')
        .map((line) => `        ${paint(look, 'green', line)}`);
}

/** A stage: what is asked there and which rules answer. */
export function stageText(id: StageId, rules: readonly Rule[], look: Look): string {
  const at = STAGES.findIndex((stage) => stage.id === id);
  const stage = STAGES[at];
  const [before, after] = [STAGES[at - 1]?.id, STAGES[at + 1]?.id];
  const here = rules.filter((rule) => rule.stage === id);
  const lines = [
    paint(look, 'bold', `${id} (stage ${at + 1} of ${STAGES.length})`),
    '',
    ...hanging('  ', stage?.question ?? '', look),
    ...hanging('  Answered by  ', stage?.component ?? '', look),
    ...(before === undefined ? [] : hanging('  After        ', before, look)),
    ...(after === undefined ? [] : hanging('  Before       ', after, look)),
    '',
    ...(here.length === 0 ? ['  No rule for it.'] : [paint(look, 'dim', `  Rules (${here.length})`)]),
    ...here.flatMap((rule) => [`    ${paint(look, 'bold', rule.id)}`, ...hanging('        ', rule.title, look)]),
  ];
  return shown(look, lines);
}

function section(title: string, lines: readonly string[], look: Look): readonly string[] {
  if (lines.length === 0) return [];
  return ['', paint(look, 'dim', `  ${title}`), ...lines.flatMap((line) => hanging('    - ', line, look))];
}

/** A wording with where it is said: `event FailedMount: hostPath type check failed: {{ path }} is not {{ expected }}`. */
function wordingWords({ in: places, reason, text, since, until }: Wording): string {
  const where = [...places, ...reason].join(' ');
  const when = [...(since === undefined ? [] : [`since ${since}`]), ...(until === undefined ? [] : [`until ${until}`])];
  return `${where === '' ? 'anywhere' : where}${text === '' ? '' : `: ${text}`}${when.length === 0 ? '' : ` (${when.join(', ')})`}`;
}

function patternWords({ fact, where }: Pattern): string {
  const parts = Object.entries(where).map(([field, predicate]) => `${field} ${predicateWords(predicate)}`);
  return parts.length === 0 ? `a fact "${fact}"` : `a fact "${fact}" with ${parts.join(', ')}`;
}

function predicateWords(predicate: Predicate): string {
  switch (predicate.test) {
    case 'equals':
      return `= ${String(predicate.value)}`;
    case 'variable':
      return `= $${predicate.name}`;
    case 'checks':
      return predicate.checks.map(checkWords).join(' and ');
  }
}

function checkWords(check: Check): string {
  switch (check.check) {
    case 'not':
      return `not ${quoted([check.value].flat())}`;
    case 'oneOf':
      return `one of ${quoted(check.values)}`;
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'lacks':
    case 'parse':
      return `${SAID[check.check]} ${quoted(check.any)}`;
    case 'above':
    case 'below':
    case 'atLeast':
    case 'atMost':
      return `${SAID[check.check]} ${check.value}`;
    case 'absent':
      return 'absent';
    case 'as':
      return `(as $${check.name})`;
    case 'maybe':
      return `(as $${check.name}, if present)`;
  }
}

const SAID = {
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  lacks: 'lacks',
  parse: 'reads',
  above: '>',
  below: '<',
  atLeast: '>=',
  atMost: '<=',
} as const;

function quoted(values: readonly (string | number | boolean)[]): string {
  return values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(' or ');
}
