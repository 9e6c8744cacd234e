import { formatDuration } from '../../base/duration.ts';
import { textOf } from '../../base/json-text.ts';
import type { Playbook, PlaybookParam, PlaybookStep } from '../../model/playbook.ts';
import type { ChangeAction } from '../../model/playbook-change.ts';
import type { Condition } from '../../model/playbook-condition.ts';
import type { Check, Pattern, Predicate } from '../../model/rule.ts';
import { withPlaceholders } from '../../model/placeholders.ts';
import { changeCommand, commandLine, showCommand } from '../format/kubectl-words.ts';

/** A line below a step: a command to copy, or words. */
export interface StepDetail {
  readonly kind: 'command' | 'words';
  readonly text: string;
}

/** What a step does, beyond what it says. */
export function stepDetails({ action, tells, withinMilliseconds, next }: PlaybookStep): readonly StepDetail[] {
  return [
    ...actionDetails(action),
    ...(tells === undefined ? [] : [words(withPlaceholders(tells))]),
    ...(withinMilliseconds === undefined ? [] : [words(`within ${duration(withinMilliseconds)} of the start`)]),
    ...(next === undefined ? [] : [words(`then: ${next === 'end' ? 'done' : `go to ${next}`}`)]),
  ];
}

function actionDetails(action: PlaybookStep['action']): readonly StepDetail[] {
  switch (action.kind) {
    case 'diagnose':
      return [
        { kind: 'command', text: `podcheck diagnose ${withPlaceholders(action.object ?? '{{ target }}')}` },
        ...action.branches.map(({ when, goto }) => words(`${conditionWords(when)}: go to ${goto}`)),
        ...goTo('otherwise', action.else),
      ];
    case 'check':
      return [
        words(`passes if ${conditionWords(action.condition)}`),
        ...(['pass', 'fail', 'unknown'] as const).flatMap((answer) => goTo(answer, action[answer])),
      ];
    case 'show':
      return [command(showCommand(action.show))];
    case 'run':
      return runDetails(action);
    case 'decide':
      return [
        ...action.branches.map(({ when, goto }) => words(`if ${conditionWords(when)}: go to ${goto}`)),
        words(`otherwise: go to ${action.else}`),
      ];
    case 'ask':
      return [words(`asks: ${action.variable} (${askedWords(action.question)})`)];
    case 'manual':
      return action.commands.map((text) => ({ kind: 'command', text: withPlaceholders(text) }));
    case 'wait':
      return [
        words(`until ${conditionWords(action.until)}, at most ${duration(action.limitMilliseconds)}`),
        ...goTo('if it takes longer', action.timeout),
      ];
    case 'change':
      return changeDetails(action);
    case 'include':
      return [words(`runs playbook ${action.playbook}${mapped(action.params)}`)];
    case 'note':
      return [];
    case 'escalate':
      return escalationDetails(action.escalation);
  }
}

type Action<K extends PlaybookStep['action']['kind']> = PlaybookStep['action'] & { readonly kind: K };

function runDetails({ node, argv, effect }: Action<'run'>): readonly StepDetail[] {
  return [
    ...(node === undefined ? [] : [words(`on node ${withPlaceholders(node)}; then paste its output:`)]),
    command(argv),
    ...(effect === 'read' ? [] : [words(`effect: ${effect}`)]),
  ];
}

function changeDetails({ change, effect, verify, undo, fail }: Action<'change'>): readonly StepDetail[] {
  return [
    command(changeCommand(change)),
    ...(change.change === 'fix' ? [words('the change is the command that it prints as Fix')] : []),
    ...(effect === 'destructive' ? [words('effect: destructive')] : []),
    words(`done when ${conditionWords(verify.until)}, at most ${duration(verify.limitMilliseconds)}`),
    words(`undo: ${undoWords(undo)}`),
    ...goTo('if it is skipped or does not help', fail),
  ];
}

function escalationDetails({ to, bring }: Action<'escalate'>['escalation']): readonly StepDetail[] {
  return [...(to === undefined ? [] : [words(`call ${to}`)]), ...(bring.length === 0 ? [] : [words(`bring: ${bring.join(', ')}`)])];
}

function words(text: string): StepDetail {
  return { kind: 'words', text };
}

function command(argv: readonly string[]): StepDetail {
  return { kind: 'command', text: commandLine(argv) };
}

function goTo(when: string, step: string | undefined): readonly StepDetail[] {
  return step === undefined ? [] : [words(`${when}: go to ${step}`)];
}

/** A parameter in a line. */
export function paramWords({ name, type, says, required, default: fallback, oneOf, secret, cause }: PlaybookParam): string {
  const more = [
    type,
    required ? 'required' : undefined,
    fallback === undefined ? undefined : `default ${String(fallback)}`,
    oneOf === undefined ? undefined : `one of ${oneOf.join(', ')}`,
    secret ? 'secret' : undefined,
    cause === undefined ? undefined : 'known from the cause',
  ];
  return `${name}: ${says} (${more.filter((word) => word !== undefined).join(', ')})`;
}

/** What leads to a playbook, in a line each. */
export function purposeWords({ alerts, rules, stages }: Playbook['for']): readonly string[] {
  return [
    ...(alerts.length === 0 ? [] : [`alerts: ${alerts.join(', ')}`]),
    ...(rules.length === 0 ? [] : [`rules: ${rules.join(', ')}`]),
    ...(stages.length === 0 ? [] : [`stages: ${stages.join(', ')}`]),
  ];
}

/** A condition as a clause: `the outcome is healthy`. */
export function conditionWords(condition: Condition): string {
  switch (condition.test) {
    case 'facts': {
      const { all, any, none } = condition.when;
      return [
        all.map(patternWords).join(' and '),
        any.map((patterns) => patterns.map(patternWords).join(' and ')).join(' or '),
        none.map((pattern) => `no ${patternWords(pattern)}`).join(' and '),
      ]
        .filter((part) => part !== '')
        .join(', and ');
    }
    case 'outcome':
      return `the outcome is ${condition.is.join(' or ')}`;
    case 'cause':
      return `the cause is ${condition.is.join(' or ')}`;
    case 'stage':
      return `stage ${condition.stage} is ${condition.is.join(' or ')}`;
    case 'step':
      return `step ${condition.step} is ${condition.is.join(' or ')}`;
    case 'variable':
      return `${condition.name} is ${condition.is.join(' or ')}`;
    case 'known':
      return `${condition.name} is known`;
    case 'not':
      return `not: ${conditionWords(condition.condition)}`;
  }
}

function patternWords({ fact, where }: Pattern): string {
  const parts = Object.entries(where).map(([field, predicate]) => `${field} ${predicateWords(predicate)}`);
  return parts.length === 0 ? fact : `${fact} (${parts.join(', ')})`;
}

function predicateWords(predicate: Predicate): string {
  if (predicate.test === 'equals') return String(predicate.value);
  return predicate.test === 'variable' ? `$${predicate.name}` : predicate.checks.map(checkWords).join(' ');
}

function checkWords(check: Check): string {
  if ('any' in check) return `${check.check} ${check.any.join(' or ')}`;
  if ('values' in check) return `is ${check.values.join(' or ')}`;
  if ('name' in check) return check.check === 'as' ? `$${check.name}` : `$${check.name} if known`;
  return 'value' in check ? `${check.check} ${textOf(check.value)}` : 'absent';
}

function undoWords(undo: Extract<PlaybookStep['action'], { kind: 'change' }>['undo']): string {
  if (undo.undo === 'restore') return 'the previous state is restored';
  return undo.undo === 'none'
    ? `not possible: ${withPlaceholders(undo.why)}`
    : commandLine(changeCommand(undo.change satisfies ChangeAction));
}

function askedWords({ type, default: fallback, oneOf, secret }: Extract<PlaybookStep['action'], { kind: 'ask' }>['question']): string {
  return [
    type,
    oneOf === undefined ? undefined : `one of ${oneOf.join(', ')}`,
    fallback === undefined ? undefined : `default ${withPlaceholders(fallback)}`,
    secret ? 'secret' : undefined,
  ]
    .filter((word) => word !== undefined)
    .join(', ');
}

function mapped(params: Readonly<Record<string, string>>): string {
  const given = Object.entries(params).map(([name, value]) => `${name} = ${withPlaceholders(value)}`);
  return given.length === 0 ? '' : ` with ${given.join(', ')}`;
}

function duration(milliseconds: number): string {
  return formatDuration(milliseconds / 1000);
}
