import type { Command } from 'commander';
import type { Finish } from './finish.ts';
import { addScenarioOptions } from './scenario-options.ts';

/** Procedures for who is on call: read, checked and written; run step by step. */
export function addRunbook(runbook: Command, finish: Finish): void {
  runbook
    .command('list', { isDefault: true })
    .description('the playbooks, or those for an alert, a stage or a rule')
    .option('--alert <name>', 'that this alert leads to')
    .option('--stage <stage>', 'that are about this stage')
    .option('--rule <id>', 'that this rule leads to')
    .action((_: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/runbook-list.ts')).runRunbookList(options, context)));
  runbook
    .command('show')
    .description('one playbook in full')
    .argument('<name>', 'a name or a file')
    .action((name: string, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/runbook-list.ts')).runRunbookShow(name, options, context)));
  addRun(runbook, finish);
  addJournal(runbook, finish);
  runbook
    .command('lint')
    .description('file, line and field of everything that is wrong with playbooks')
    .argument('[file...]', 'those that come along without any')
    .action((files: readonly string[], _: unknown, command: Command) => finish(command, async (context) => (await import('../commands/runbook-lint.ts')).runRunbookLint(files, context)));
  runbook
    .command('new')
    .description('write a playbook to begin with, with an example of every kind of step')
    .argument('<name>', 'slow-disk writes slow-disk.yaml')
    .action((name: string, _: unknown, command: Command) => finish(command, async (context) => (await import('../commands/runbook-lint.ts')).runRunbookNew(name, context)));
}

function addRun(runbook: Command, finish: Finish): void {
  const run = runbook
    .command('run')
    .description('go through a playbook step by step: podcheck looks and decides, you confirm each change')
    .argument('[words...]', 'a playbook (name or file) and a target: NAME, KIND/NAME, ns/NAME or cluster')
    .option('--for-diagnosis', 'take the playbook for what is wrong with the target')
    .option('--alert <file>', "JSON of Alertmanager's webhook (- for stdin): says which playbook, for what")
    .option('--dry-run', 'look, and show what would be changed')
    .option('--simulate', 'change a simulated clone instead, and say whether it would help')
    .option('--auto <what>', 'read: nobody is there; do what only reads')
    .option('--param <name=value>', 'a parameter, or the answer to a question; repeatable', gathered)
    .option('--journal <folder>', 'where runs are written down')
    .option('--resume <run>', 'go on with an interrupted run')
    .action((words: readonly string[], _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/runbook-run.ts')).runRunbookRun(words, options, context)));
  addScenarioOptions(run);
}

function addJournal(runbook: Command, finish: Finish): void {
  const journal = runbook.command('journal').description('what was done in earlier runs');
  const folder = (command: Command): Command => command.option('--journal <folder>', 'where runs are written down');
  folder(journal.command('list', { isDefault: true }))
    .description('all runs, oldest first')
    .action((_: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/runbook-journal.ts')).runJournalList(options, context)));
  folder(journal.command('show'))
    .description('a run step by step')
    .argument('<run>')
    .action((run: string, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/runbook-journal.ts')).runJournalShow(run, options, context)));
  folder(journal.command('verify'))
    .description('whether every record is present and unaltered: exit code 0 yes, 1 altered or cut, 3 not known')
    .argument('<run>')
    .action((run: string, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/runbook-journal.ts')).runJournalVerify(run, options, context)));
  folder(journal.command('export'))
    .description('an incident timeline with a short note, as Markdown or JSON')
    .argument('<run>')
    .action((run: string, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/runbook-journal.ts')).runJournalExport(run, options, context)));
}

function gathered(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
