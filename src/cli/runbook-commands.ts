import type { Command } from 'commander';
import type { Finish } from './finish.ts';
import { addScenarioOptions } from './scenario-options.ts';

/** Procedures for who is on call: read, checked and written; run step by step. */
export function addRunbook(runbook: Command, finish: Finish): void {
  runbook
    .command('list', { isDefault: true })
    .allowExcessArguments(true)
    .description('list the playbooks, also by alert, stage or rule')
    .option('--alert <name>', 'only for this alert')
    .option('--stage <stage>', 'only for this stage')
    .option('--rule <id>', 'only for this rule')
    .action((_: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/runbook/runbook-list.ts')).runRunbookList(options, context)),
    );
  runbook
    .command('show')
    .description('show one playbook in full')
    .argument('<name>', 'playbook name or file')
    .action((name: string, _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/runbook/runbook-list.ts')).runRunbookShow(name, options, context),
      ),
    );
  addRun(runbook, finish);
  addJournal(runbook, finish);
  runbook
    .command('lint')
    .description('check playbooks: prints file, line and field of each error, and what a valid playbook can do')
    .argument('[file...]', 'playbook files; default: the bundled playbooks')
    .action((files: readonly string[], _: unknown, command: Command) =>
      finish(command, async (context) => (await import('../commands/runbook/runbook-lint.ts')).runRunbookLint(files, context)),
    );
  runbook
    .command('trust')
    .description('show what a playbook file can do, and trust it by its digest; needed before it runs on a cluster')
    .argument('[file]', 'playbook file; default: list the trusted files')
    .option('--remove', 'stop trusting the file')
    .action((file: string | undefined, _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/runbook/runbook-trust.ts')).runRunbookTrust(file, options, context),
      ),
    );
  runbook
    .command('new')
    .description('create a playbook with an example of each kind of step')
    .argument('<name>', 'playbook name: slow-disk creates slow-disk.yaml')
    .action((name: string, _: unknown, command: Command) =>
      finish(command, async (context) => (await import('../commands/runbook/runbook-lint.ts')).runRunbookNew(name, context)),
    );
}

function addRun(runbook: Command, finish: Finish): void {
  const run = runbook
    .command('run')
    .description('run a playbook step by step; each change is confirmed first')
    .argument('[words...]', 'playbook (name or file) and target: NAME, KIND/NAME, ns/NAME or cluster')
    .option('--for-diagnosis', 'choose the playbook for the cause that is found')
    .option('--alert <file>', 'Alertmanager webhook JSON (- for stdin): chooses playbook and target')
    .option('--dry-run', 'read only, start no program, and show what would be changed and run')
    .option('--simulate', 'try the changes in a simulated clone first')
    .option('--auto <what>', 'read: run without prompts, only steps and commands that read')
    .option('--param <name=value>', 'parameter, or answer to a question; repeatable', gathered)
    .option('--journal <folder>', 'folder of the journals')
    .option('--resume <run>', 'resume an interrupted run')
    .action((words: readonly string[], _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/runbook/runbook-run.ts')).runRunbookRun(words, options, context),
      ),
    );
  addScenarioOptions(run);
}

function addJournal(runbook: Command, finish: Finish): void {
  const journal = runbook.command('journal').description('show what earlier runs did');
  const folder = (command: Command): Command => command.option('--journal <folder>', 'folder of the journals');
  folder(journal.command('list', { isDefault: true }))
    .allowExcessArguments(true)
    .description('list all runs, oldest first')
    .action((_: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/runbook/runbook-journal.ts')).runJournalList(options, context),
      ),
    );
  folder(journal.command('show'))
    .description('show a run step by step')
    .argument('<run>')
    .action((run: string, _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/runbook/runbook-journal.ts')).runJournalShow(run, options, context),
      ),
    );
  folder(journal.command('verify'))
    .description('check that a journal is complete and unchanged')
    .argument('<run>')
    .action((run: string, _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/runbook/runbook-journal.ts')).runJournalVerify(run, options, context),
      ),
    );
  folder(journal.command('export'))
    .description('export an incident timeline as Markdown or JSON')
    .argument('<run>')
    .action((run: string, _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/runbook/runbook-journal.ts')).runJournalExport(run, options, context),
      ),
    );
}

function gathered(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
