import { resolve } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import { formatInstant } from '../../base/instant.ts';
import { printable } from '../../base/text.ts';
import { shippedPlaybooks } from '../../catalog/bundled-data.ts';
import { commandLine } from '../../report/format/kubectl-words.ts';
import { abilitiesText } from '../../report/playbooks/playbook-abilities.ts';
import { playbookText } from '../../report/playbooks/playbook-text.ts';
import { tableText } from '../../report/format/table.ts';
import { flatten } from '../../runbook/flatten.ts';
import { whyNotReadOnly } from '../../runbook/read-only-command.ts';
import { addTrust, removeTrust, trustFolder, trustOf, trusts } from '../../runbook/trust.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { NamedPlaybook } from './runbook-books.ts';
import { playbookNamed } from './runbook-books.ts';

export interface TrustOptions {
  readonly remove?: boolean;
}

/** Shows a playbook file with all it can do, and trusts it as it is; without a file lists what is trusted. */
export async function runRunbookTrust(file: string | undefined, options: TrustOptions, context: CommandContext): Promise<ExitCode> {
  const folder = folderOf(context);
  if (file === undefined) return listTrusted(folder, options, context);
  if (options.remove === true) return removeTrusted(file, folder, context);
  const named = await playbookNamed(file);
  const { source } = named;
  if (source === undefined) throw new PodcheckError('usage', `${file} is a bundled playbook`, 'bundled playbooks are always trusted');
  await showPlaybook(named, context);
  if (trustOf(folder, source.digest) !== undefined) {
    context.write(`${printable(file)} is already trusted.\n`);
    return EXIT.healthy;
  }
  if (context.typing !== undefined && !isYes(await context.typing.line('Trust this version? [y/N] '))) {
    context.write('The playbook was not trusted.\n');
    return EXIT.inconclusive;
  }
  trust(source, folder, context);
  context.write(`${printable(file)} is now trusted (sha256 ${source.digest}). After a change you must trust it again.\n`);
  return EXIT.healthy;
}

/**
 * Refuses a playbook file that nobody has trusted as it is. On a terminal it is shown and the person is asked; `isAttended` is false
 * where podcheck was told that nobody is there.
 */
export async function requireTrust(named: NamedPlaybook, isAttended: boolean, context: CommandContext): Promise<void> {
  const { source } = named;
  const folder = folderOf(context);
  if (source === undefined || trustOf(folder, source.digest) !== undefined) return;
  const path = resolve(context.workingFolder, source.file);
  const before = trusts(folder).findLast(({ file }) => file === path);
  const why =
    before === undefined
      ? `${source.file} is not a bundled playbook and is not trusted`
      : `${source.file} has changed since it was trusted (${before.at})`;
  const typing = isAttended ? context.typing : undefined;
  if (typing !== undefined) {
    await showPlaybook(named, context);
    context.write(`${printable(why)}.\n`);
    if (isYes(await typing.line('Trust this version and run it? [y/N] '))) return trust(source, folder, context);
  }
  throw new PodcheckError(
    'unsupported',
    why,
    `review and trust it: ${commandLine(['podcheck', 'runbook', 'trust', source.file])}. Nothing was done`,
  );
}

async function showPlaybook({ playbook }: NamedPlaybook, { write, look }: CommandContext): Promise<void> {
  const shipped = await shippedPlaybooks();
  write(playbookText(playbook, look));
  write(
    `\n${abilitiesText(
      flatten(playbook, (name) => shipped.find((one) => one.name === name)),
      whyNotReadOnly,
      look,
    )}\n`,
  );
}

function trust({ file, digest }: NonNullable<NamedPlaybook['source']>, folder: string, { workingFolder, clock }: CommandContext): void {
  addTrust(folder, { digest, file: resolve(workingFolder, file), at: formatInstant(clock()) });
}

function listTrusted(folder: string, { remove }: TrustOptions, { write, look }: CommandContext): ExitCode {
  if (remove === true) throw new PodcheckError('usage', 'no playbook is given', '`podcheck runbook trust` lists the trusted playbooks');
  const all = trusts(folder);
  write(
    all.length === 0
      ? 'No playbook file is trusted.\n'
      : tableText(
          ['SINCE', 'SHA256', 'FILE'],
          all.map(({ at, digest, file }) => [at, digest.slice(0, 12), file].map(printable)),
          look,
        ),
  );
  return EXIT.healthy;
}

/** By its file, whatever it held when it was trusted, or by the beginning of a digest: the file may be gone. */
function removeTrusted(word: string, folder: string, { write, workingFolder }: CommandContext): ExitCode {
  const path = resolve(workingFolder, word);
  const found = trusts(folder).filter(({ file, digest }) => file === path || (/^[0-9a-f]{8,64}$/.test(word) && digest.startsWith(word)));
  if (found.length === 0)
    throw new PodcheckError('not-found', `${word} is not trusted`, '`podcheck runbook trust` lists the trusted playbooks');
  for (const { digest } of found) removeTrust(folder, digest);
  write(`${printable(word)} is no longer trusted.\n`);
  return EXIT.healthy;
}

function folderOf({ env, homeFolder }: CommandContext): string {
  return trustFolder(env, homeFolder);
}

function isYes(answer: string | undefined): boolean {
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
