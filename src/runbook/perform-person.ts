import { checkParam } from '../model/playbook-value.ts';
import type { Escalation, PlaybookStep, StepAction } from '../model/playbook.ts';
import { fill, fillCommand } from '../model/placeholders.ts';
import { withoutSecrets } from './redact.ts';
import type { Running, StepOutcome } from './running.ts';
import { commandOfPerson, decided, inWords } from './running.ts';

type Action<K extends StepAction['kind']> = Extract<StepAction, { readonly kind: K }>;

/** Times somebody may answer what does not fit. */
const TRIES = 3;

/** Asks for a value; what was given on the command line, or stands as the default when nobody is there, is taken instead. */
export async function performAsk(step: PlaybookStep, { variable, question }: Action<'ask'>, running: Running): Promise<StepOutcome> {
  const { given, state, ports } = running;
  const asked = question.default === undefined ? question : { ...question, default: fill(question.default, state.variables) };
  const known = given[variable];
  if (known !== undefined) return answered(step, variable, String(known), asked, running);
  if (running.mode === 'dry-run')
    return asked.default === undefined
      ? { result: 'not-evaluated', words: `would ask: ${variable}` }
      : answered(step, variable, asked.default, asked, running);
  for (let left = TRIES; left > 0; left--) {
    const text = (await ports.prompt.value(inWords(running, step.say), asked)) ?? asked.default;
    if (text === undefined) return { result: 'not-evaluated', words: `no answer (not interactive): ${variable} has no value` };
    const outcome = answered(step, variable, text, asked, running);
    if (outcome.result !== 'failed') return outcome;
    ports.view.lines([outcome.words]);
  }
  return { result: 'not-evaluated', words: `${variable} has no value: no valid answer` };
}

function answered(step: PlaybookStep, variable: string, text: string, question: Action<'ask'>['question'], running: Running): StepOutcome {
  const checked = checkParam(question, text);
  if (!checked.ok) return { result: 'failed', words: checked.expected };
  if (question.secret) running.state.secrets.add(text);
  decided(running, step.id, inWords(running, step.say), question.secret ? '***' : String(checked.value));
  return {
    result: 'done',
    words: `${variable} is ${question.secret ? '***' : withoutSecrets(String(checked.value), running.state.secrets)}`,
    bound: { [variable]: checked.value },
  };
}

/** Tells the person what to do, and waits for their word. */
export async function performManual(step: PlaybookStep, { commands }: Action<'manual'>, running: Running): Promise<StepOutcome> {
  const task = {
    step: step.id,
    say: inWords(running, step.say),
    commands: commands.map((command) => fillCommand(command, running.state.variables)).map((command) => commandOfPerson(command, running)),
  };
  if (running.mode === 'dry-run') {
    running.state.withheld ??= step.id;
    return { result: 'skipped', words: 'manual step', lines: task.commands };
  }
  const { word, note } = await running.ports.prompt.manual(task);
  // Whatever was done there, what was seen before it may no longer hold.
  running.state.sight = undefined;
  if (word === 'done') running.looker.forgetPasted();
  if (word !== 'nobody') decided(running, step.id, task.say, note === undefined || note === '' ? word : `${word}: ${note}`);
  switch (word) {
    case 'done':
      return { result: 'done', words: note === undefined || note === '' ? 'done manually' : `done manually: ${note}` };
    case 'not-done':
      return { result: 'declined', words: note === undefined || note === '' ? 'not done' : `not done: ${note}` };
    case 'stop':
      return { result: 'declined', words: 'stopped', stop: { status: 'aborted', why: 'the user stopped the run' } };
    case 'nobody':
      // In a clone it is known what comes of not doing it.
      if (running.mode === 'simulate') {
        running.state.byHand ??= { step: step.id, say: task.say };
        return { result: 'skipped', words: 'manual step, not simulated' };
      }
      running.state.withheld ??= step.id;
      return { result: 'skipped', words: 'manual step, skipped (not interactive)', lines: task.commands };
  }
}

/** Ends the run: prints the team to call, and what to bring. */
export function performEscalate(step: PlaybookStep, escalation: Escalation, running: Running): StepOutcome {
  const say = inWords(running, escalation.say);
  const to = escalation.to === undefined ? '' : inWords(running, escalation.to);
  const bring = escalation.bring.map((words) => inWords(running, words));
  return {
    result: 'done',
    words: to === '' ? say : `${say} Call ${to}.`,
    lines: bring.length === 0 ? [] : ['Bring:', ...bring.map((words) => `  ${words}`)],
    stop: { status: 'completed', why: '', escalated: { step: step.id, say, to } },
  };
}
