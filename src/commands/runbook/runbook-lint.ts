import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import { append } from '../../base/lists.ts';
import { systemReason } from '../../base/system-error.ts';
import { nearest, printable } from '../../base/text.ts';
import { ALERTS, alertNamed } from '../../catalog/alerts.ts';
import { readPlaybooks } from '../../catalog/load-playbooks.ts';
import { bindWhen } from '../../catalog/rule-variables.ts';
import { shippedPlaybooks, shippedRules } from '../../catalog/bundled-data.ts';
import type { Problem } from '../../catalog/yaml-problem.ts';
import type { Playbook } from '../../model/playbook.ts';
import type { Rule } from '../../model/rule.ts';
import { abilitiesText } from '../../report/playbooks/playbook-abilities.ts';
import { flatten } from '../../runbook/flatten.ts';
import { whyNotReadOnly } from '../../runbook/read-only-command.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { PLAYBOOK_TEMPLATE } from './playbook-template.ts';
import { problemLines } from '../../catalog/yaml-problem.ts';

/**
 * Checks playbook files, or the bundled ones when none is named: file, line and field of everything that is wrong, and what valid files can
 * do.
 */
export async function runRunbookLint(files: readonly string[], context: CommandContext): Promise<ExitCode> {
  const [shipped, rules] = [await shippedPlaybooks(), await shippedRules()];
  const { playbooks, problems, texts } =
    files.length === 0 ? { playbooks: shipped, problems: [], texts: new Map<string, string>() } : await readPlaybooks(files, shipped);
  const found = [...problems];
  for (const playbook of playbooks) append(found, strangeNames(playbook, fileOf(playbook, files), rules));
  for (const [file, text] of texts) append(found, secretsIn(file, text));
  if (found.length === 0) {
    context.write(`${playbooks.length === 1 ? 'the playbook is' : `${playbooks.length} playbooks are`} valid\n`);
    const known = [...shipped, ...playbooks];
    if (files.length > 0)
      for (const playbook of playbooks)
        context.write(
          `\n${abilitiesText(
            flatten(playbook, (name) => known.find((one) => one.name === name)),
            whyNotReadOnly,
            context.look,
          )}`,
        );
    return EXIT.healthy;
  }
  context.write(`${printable([...problemLines(found, 40)].join('\n'))}\n`);
  return EXIT.usage;
}

function fileOf({ name }: Playbook, files: readonly string[]): string {
  return files.find((file) => file.replace(/\.ya?ml$/, '').endsWith(name)) ?? `${name}.yaml`;
}

/** Alerts, rules and parameters of causes that nobody knows. */
function strangeNames(playbook: Playbook, file: string, rules: readonly Rule[]): readonly Problem[] {
  const problems: Problem[] = [];
  const say = (field: string, message: string): void => void problems.push({ file, line: 1, field, message });
  for (const alert of playbook.for.alerts)
    if (alertNamed(alert) === undefined && alert.startsWith('Kube'))
      say(
        'for.alerts',
        `kubernetes-mixin has no alert ${JSON.stringify(alert)}${near(
          alert,
          ALERTS.map((one) => one.alert),
        )}`,
      );
  const ids = rules.map(({ id }) => id);
  for (const id of playbook.for.rules)
    if (!id.endsWith('/*') && !ids.includes(id)) say('for.rules', `unknown rule ${JSON.stringify(id)}${near(id, ids)}`);
  for (const id of causesNamed(playbook))
    if (!id.endsWith('/*') && !ids.includes(id)) say('steps', `unknown rule ${JSON.stringify(id)}${near(id, ids)}`);
  for (const { name, cause } of playbook.params) {
    const known = paramsOfCauses(playbook, rules);
    if (cause !== undefined && !known.includes(cause))
      say(`params.${name}.cause`, `no cause of this playbook has a parameter ${JSON.stringify(cause)}${near(cause, known)}`);
  }
  return problems;
}

/** Parameters of the causes a playbook is for: of the rules it names and that name it, else of all. */
function paramsOfCauses(playbook: Playbook, rules: readonly Rule[]): readonly string[] {
  const patterns = [...playbook.for.rules, ...causesNamed(playbook)];
  const own = rules.filter(
    (rule) =>
      rule.playbook === playbook.name ||
      patterns.some((pattern) => pattern === rule.id || (pattern.endsWith('/*') && rule.id.startsWith(pattern.slice(0, -1)))),
  );
  return [...new Set((own.length === 0 ? rules : own).flatMap(publishedParams))];
}

/** What a diagnosis publishes of a rule's variables: those it names, else all that its patterns bind. */
function publishedParams(rule: Rule): readonly string[] {
  if (rule.params !== undefined) return rule.params;
  const bound = new Set<string>();
  bindWhen(rule.when, bound, bound, undefined);
  return [...bound];
}

function near(word: string, known: readonly string[]): string {
  const names = nearest(word, known);
  return names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`;
}

function causesNamed({ steps, preconditions }: Playbook): readonly string[] {
  const found: string[] = [];
  JSON.stringify([steps, preconditions], (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'test' in value && value.test === 'cause' && 'is' in value)
      append(found, value.is as readonly string[]);
    return value;
  });
  return found;
}

const SECRETS = [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, /\beyJ[\w-]{20,}\.[\w-]{10,}/, /\bAKIA[0-9A-Z]{16}\b/, /\bgh[pousr]_\w{30,}/];

function secretsIn(file: string, text: string): readonly Problem[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      SECRETS.some((secret) => secret.test(line.slice(0, 2000)))
        ? [{ file, line: index + 1, field: '', message: 'this looks like a secret: every reader of the playbook can see it' }]
        : [],
    );
}

/** Writes a playbook to begin with, with an example of every kind of step. */
export async function runRunbookNew(name: string, context: CommandContext): Promise<ExitCode> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new PodcheckError('usage', `"${name}" is not a valid playbook name`, 'use lowercase letters, digits and hyphens: slow-disk');
  const file = join(context.workingFolder, `${name}.yaml`);
  try {
    await writeFile(file, PLAYBOOK_TEMPLATE, { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new PodcheckError('usage', `${name}.yaml already exists`, 'choose another name; nothing was written');
    await rm(file, { force: true });
    throw new PodcheckError('bad-input', `cannot write ${name}.yaml: ${systemReason(error)}`, 'nothing was written');
  }
  context.write(
    `wrote ${name}.yaml\ncheck it with \`podcheck runbook lint ${name}.yaml\`, try it with \`podcheck runbook run ${name}.yaml --scenario ID\`;\nbefore it runs on a cluster, trust it with \`podcheck runbook trust ${name}.yaml\`\n`,
  );
  return EXIT.healthy;
}
