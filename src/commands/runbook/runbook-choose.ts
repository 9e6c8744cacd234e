import { resolve } from 'node:path';
import { assert } from '../../base/assert.ts';
import { PodcheckError } from '../../base/errors.ts';
import { printable } from '../../base/text.ts';
import { shippedPlaybooks, shippedRules } from '../../catalog/bundled-data.ts';
import { readText } from '../../files/read-bounded.ts';
import { collect } from '../../collect/collect.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef, parseRef } from '../../model/kube-object.ts';
import type { Playbook } from '../../model/playbook.ts';
import type { Rule } from '../../model/rule.ts';
import { alertGroups } from '../../runbook/alert.ts';
import { Looker } from '../../runbook/look-at-target.ts';
import type { Variables } from '../../runbook/variables.ts';
import { namedTarget, theOneTarget } from '../diagnose/choose-target.ts';
import type { CommandContext } from '../context.ts';
import type { RunSource } from './runbook-source.ts';
import { playbooksForRule } from './runbook-books.ts';

export interface ChooseOptions {
  readonly forDiagnosis?: boolean;
  readonly alert?: string;
}

/** Which playbook is run for what. */
export interface Choice {
  readonly playbook: Playbook;
  /** As it was named: a name or a file. */
  readonly word: string;
  readonly target: ObjectRef;
  readonly known: Variables;
  readonly alerts: readonly string[];
}

/** What stands on the command line: a playbook and a target, or a target alone when the playbook is chosen by what is wrong. */
export interface ChooseWords {
  readonly words: readonly string[];
  /** The playbook that the first word names. */
  readonly named: Playbook | undefined;
}

export async function choose(
  { words, named }: ChooseWords,
  options: ChooseOptions,
  source: RunSource,
  rules: readonly Rule[],
  context: CommandContext,
): Promise<Choice> {
  if (options.forDiagnosis === true && options.alert !== undefined)
    throw new PodcheckError('usage', '--for-diagnosis and --alert cannot be used together', 'leave out one of them');
  if (options.alert !== undefined) return byAlert(words, options.alert, source, rules, context);
  if (options.forDiagnosis === true) {
    const target = await targetOf(words, source);
    return { ...(await byDiagnosis(target, source, rules, context)), target, known: {}, alerts: [] };
  }
  const [word = '', ...rest] = words;
  assert(named !== undefined, 'no playbook is given');
  return { playbook: named, word, target: await targetOf(rest, source), known: {}, alerts: [] };
}

/** `NAME`, `KIND/NAME`, `KIND NAME`, `namespace/NAME`, `cluster`; without any, the one thing that is not well, else the scope itself. */
async function targetOf(words: readonly string[], { opened, ports, cloned }: RunSource): Promise<ObjectRef> {
  const [first, second, third] = words;
  if (third !== undefined) throw new PodcheckError('usage', 'runbook run takes one target', 'give one target as KIND/NAME');
  const scope = opened.namespace === undefined ? {} : { namespace: opened.namespace };
  const word = second === undefined ? first : `${first ?? ''}/${second}`;
  if (word === undefined)
    return theOneTarget(await collect(cloned?.original ?? ports.reader, scope, await shippedRules())) ?? scopeTarget(opened.namespace);
  if (/^cluster(\/.*)?$/i.test(word)) return scopeTarget(undefined);
  const whole = parseRef(word);
  if (whole?.namespace !== undefined) return whole;
  if (/^(namespaces?|ns)\//i.test(word)) return scopeTarget(word.slice(word.indexOf('/') + 1));
  return namedTarget(cloned?.original ?? ports.reader, { word, ...scope });
}

function scopeTarget(namespace: string | undefined): ObjectRef {
  return namespace === undefined ? { kind: 'Cluster', name: 'cluster' } : { kind: 'Namespace', name: namespace };
}

/** The playbook of what is wrong; where nobody knows what that is, the first response. */
async function byDiagnosis(
  target: ObjectRef,
  { ports, cloned }: RunSource,
  rules: readonly Rule[],
  context: CommandContext,
  among?: readonly Playbook[],
): Promise<Pick<Choice, 'playbook' | 'word'>> {
  const playbooks = await shippedPlaybooks();
  const { diagnosis } = await context.progress('diagnosing', () => new Looker(cloned?.original ?? ports.reader, rules).look(target));
  const [cause] = diagnosis.causes;
  const fitting = cause === undefined ? [] : playbooksForRule(cause.rule, rules, playbooks);
  const first = playbooks.find(({ name }) => name === 'first-response');
  const chosen =
    among === undefined
      ? (fitting[0] ?? first)
      : (fitting.find(({ name }) => among.some((one) => one.name === name)) ??
        fitting[0] ??
        among.find(({ name }) => name === 'first-response') ??
        among[0]);
  if (chosen === undefined)
    throw new PodcheckError(
      'unsupported',
      `no playbook for ${cause?.rule ?? diagnosis.outcome}`,
      '`podcheck runbook list` lists all playbooks',
    );
  if (cause !== undefined) context.note(`${printable(cause.what)} (${cause.rule}): playbook ${chosen.name}\n`);
  return { playbook: chosen, word: chosen.name };
}

async function byAlert(
  words: readonly string[],
  file: string,
  source: RunSource,
  rules: readonly Rule[],
  context: CommandContext,
): Promise<Choice> {
  if (words.length > 0)
    throw new PodcheckError(
      'usage',
      '--alert chooses the playbook and the target itself',
      `leave out ${words.join(' ')}, or leave out --alert`,
    );
  const groups = await alertGroups(await alertText(file, context), source.cloned?.original ?? source.ports.reader);
  const [group, ...others] = groups;
  if (group === undefined) throw new PodcheckError('bad-input', 'no alert is firing');
  for (const other of others.slice(0, OTHERS))
    context.note(`note: also ${other.alerts.map(printable).join(', ')} about ${printable(formatRef(other.target))}\n`);
  const { target, alerts, known } = group;
  const playbooks = await shippedPlaybooks();
  for (const alert of alerts) {
    const fitting = playbooks.filter((playbook) => playbook.for.alerts.includes(alert));
    const [only] = fitting;
    // An alert that may mean anything leads to what is really wrong, where that is known.
    if (only !== undefined && fitting.length === 1 && only.name !== 'first-response')
      return { playbook: only, word: only.name, target, known, alerts };
    if (only !== undefined) return { ...(await byDiagnosis(target, source, rules, context, fitting)), target, known, alerts };
  }
  context.note(`note: no playbook for ${alerts.map(printable).join(', ')}: chosen by the diagnosed cause\n`);
  return { ...(await byDiagnosis(target, source, rules, context)), target, known, alerts };
}

const OTHERS = 5;
const MOST_BYTES = 8 * 1024 * 1024;

async function alertText(file: string, { stdin, workingFolder }: CommandContext): Promise<string> {
  if (file !== '-') return readText(resolve(workingFolder, file), 'the alert', 'give a file, or - for stdin', MOST_BYTES);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin()) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new PodcheckError('bad-input', 'the alert is too long', 'give one message of the Alertmanager webhook');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
