import { printableUpTo } from '../base/text.ts';
import type { PlaybookStep, StepAction } from '../model/playbook.ts';
import { fill } from '../model/placeholders.ts';
import { commandLine } from '../report/format/kubectl-words.ts';
import { kept } from './perform-show.ts';
import type { ProgramEnd } from './ports.ts';
import { whyNotReadOnly } from './read-only-command.ts';
import { withoutSecrets } from './redact.ts';
import type { Running, StepOutcome } from './running.ts';
import { decided, keepOutput } from './running.ts';
import { missing } from './variables.ts';

type RunAction = Extract<StepAction, { readonly kind: 'run' }>;

/**
 * A command. One for a node is shown, and what is pasted back becomes evidence; any other is run where programs can be run: at once
 * if it is known to only read, else after a person has confirmed it. A dry run starts no program.
 */
export async function performRun(step: PlaybookStep, action: RunAction, running: Running): Promise<StepOutcome> {
  const { variables } = running.state;
  const lacking = missing([action.argv, action.node], variables);
  if (lacking.length > 0)
    return { result: 'not-evaluated', words: `${lacking.join(', ')} ${lacking.length === 1 ? 'has' : 'have'} no value` };
  const argv = action.argv.map((word) => fill(word, variables));
  if (action.node !== undefined) return performOnNode(step, { node: fill(action.node, variables), argv, effect: action.effect }, running);
  const { programs } = running.ports;
  const why = whyNotReadOnly(argv);
  const command = withoutSecrets(commandLine(programs?.words(argv) ?? argv), running.state.secrets);
  if (running.mode === 'dry-run') return notRun(step, command, why, running);
  if (programs === undefined) return { result: 'not-evaluated', words: `programs cannot be run here: ${command}` };
  const refused = why === undefined ? undefined : await refusedByWord(step, action, { command, program: argv[0] ?? '', why }, running);
  if (refused !== undefined) return refused;
  const end = await running.ports.view.during(command, () => programs.run(argv));
  const lines = end.ended === 'not-started' ? [] : kept(running, step.id, command, end.output.replace(/\n$/, '').split('\n'));
  // Nobody knows what it has done: what was seen before may no longer hold.
  if (why !== undefined) running.state.sight = undefined;
  return { ...outcomeOf(end, command, running), lines };
}

function notRun(step: PlaybookStep, command: string, why: string | undefined, { state }: Running): StepOutcome {
  if (why === undefined) return { result: 'not-evaluated', words: 'not run in a dry run', lines: [command] };
  state.withheld ??= step.id;
  return { result: 'skipped', words: 'not run in a dry run; it would run after you confirm it', lines: [command] };
}

/** What came of asking, unless the answer is yes. */
async function refusedByWord(
  step: PlaybookStep,
  { effect }: RunAction,
  { command, program, why }: { readonly command: string; readonly program: string; readonly why: string },
  running: Running,
): Promise<StepOutcome | undefined> {
  const lines = [command, `It runs on this machine, with your rights: ${why}.`];
  const answer = await running.ports.prompt.confirm({
    question: 'Run this command?',
    lines,
    ...(effect === 'destructive' ? { typed: program } : {}),
  });
  decided(running, step.id, `run ${command}?`, answer);
  if (answer === 'yes') return undefined;
  if (answer === 'stop') return { result: 'declined', words: 'stopped', stop: { status: 'aborted', why: 'the user stopped the run' } };
  if (answer === 'no') return { result: 'declined', words: 'the user declined' };
  running.state.withheld ??= step.id;
  return { result: 'not-evaluated', words: `not run, not confirmed (not interactive): ${command}` };
}

/** A program that did not come to its own end says nothing: neither yes nor no. */
function outcomeOf({ ended, code, output }: ProgramEnd, command: string, { ports }: Running): StepOutcome {
  switch (ended) {
    case 'exit':
      return { result: code === 0 ? 'passed' : 'failed', words: `${command}: exit code ${code ?? 0}` };
    case 'not-started':
      return { result: 'unknown', words: `${command}: could not be started: ${printableUpTo(output, 200)}` };
    case 'time':
      return { result: 'unknown', words: `${command}: stopped, it took too long` };
    case 'output':
      return { result: 'unknown', words: `${command}: stopped, it printed too much` };
    case 'killed':
      return { result: 'unknown', words: `${command}: terminated by a signal` };
    case 'interrupted':
      return {
        result: 'unknown',
        words: `${command}: interrupted`,
        ...(ports.signal.aborted ? { stop: { status: 'interrupted' as const, why: 'interrupted' } } : {}),
      };
  }
}

async function performOnNode(
  step: PlaybookStep,
  { node, argv, effect }: { readonly node: string; readonly argv: readonly string[]; readonly effect: string },
  running: Running,
): Promise<StepOutcome> {
  const { prompt, readPasted, onNode } = running.ports;
  const command = withoutSecrets(commandLine(argv), running.state.secrets);
  if (running.mode === 'dry-run') return { result: 'not-evaluated', words: `would run on ${node}: ${command}` };
  const printed = await onNode(node, argv);
  if (printed !== undefined) {
    const lines = kept(running, step.id, `${node}: ${command}`, printed.split('\n'));
    running.state.sight = undefined;
    return { result: 'done', lines, words: `${node}: ${printableUpTo(printed.split('\n')[0] ?? '', 120)}` };
  }
  const text = await prompt.paste(node, command);
  if (text === undefined || text.trim() === '') return { result: 'not-evaluated', words: `the output of ${command} on ${node} is missing` };
  decided(running, step.id, `run on ${node}: ${command}`, `${text.length} characters pasted`);
  keepOutput(running, step.id, `${node}: ${command}`, text);
  const pasted = await readPasted(`root@${node}:~# ${command}\n${text}\n`);
  const facts = pasted === undefined ? [] : await running.looker.take(pasted);
  running.state.sight = undefined;
  const words = facts.slice(0, 3).map(({ quote, kind }) => (quote === '' ? kind : printableUpTo(quote, 120)));
  return {
    result: 'done',
    words:
      facts.length === 0
        ? `the output contains nothing that podcheck recognizes${effect === 'read' ? '' : '; the command was run'}`
        : `${facts.length} ${facts.length === 1 ? 'fact' : 'facts'}: ${words.join('; ')}`,
  };
}
