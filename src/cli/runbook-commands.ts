import type { Command } from 'commander';
import type { Finish } from './finish.ts';

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
