import { PodcheckError } from '../base/errors.ts';
import { MASK } from '../base/mask/masked.ts';
import { nearest } from '../base/text.ts';
import type { Scalar } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { sameObject } from '../model/kube-object.ts';
import { checkParam } from '../model/playbook-value.ts';
import type { AskedValue, PlaybookParam } from '../model/playbook.ts';
import type { Rule } from '../model/rule.ts';
import { missingRights } from './change-access.ts';
import type { FlatPlaybook } from './flatten.ts';
import type { JournalPort, RunMode } from '../model/journal.ts';
import { Looker } from './look-at-target.ts';
import type { RunPorts } from './ports.ts';
import type { Running } from './running.ts';
import { lookAgain } from './running.ts';
import type { Variables } from './variables.ts';
import { variablesOfTarget } from './variables.ts';

export interface StartOptions {
  readonly playbook: FlatPlaybook;
  readonly target: ObjectRef;
  readonly rules: readonly Rule[];
  readonly mode: RunMode;
  readonly ports: RunPorts;
  readonly journal: JournalPort;
  /** As given on the command line: name and text. */
  readonly params: Readonly<Record<string, string>>;
  /** What an alert says besides its target: container, node. */
  readonly known?: Variables;
}

/**
 * A run that is ready to take its first step: parameters checked, the target looked at, rights known. Throws a PodcheckError for an
 * unknown parameter or a value of the wrong type, before anything is looked at.
 */
export async function prepareRun(options: StartOptions): Promise<Running> {
  const { playbook, target, rules, mode, ports, journal } = options;
  const given = givenValues(playbook, options.params);
  const secrets = new Set(
    askedOrParams(playbook)
      .filter(({ secret, name }) => secret && given[name] !== undefined)
      .map(({ name }) => String(given[name])),
  );
  const start = ports.elapsed();
  const running: Running = {
    playbook,
    target,
    rules,
    mode,
    ports,
    journal,
    looker: new Looker(ports.reader, rules),
    start,
    given,
    state: {
      variables: { ...defaultsOf(playbook), ...variablesOfTarget(target), ...options.known, ...given },
      results: new Map(),
      secrets,
      touched: new Set(),
      changes: [],
      barred: new Set(),
      withheld: undefined,
      wasDeleting: false,
      unlike: undefined,
      byHand: undefined,
      sight: undefined,
      begun: undefined,
    },
  };
  const { evidence } = await lookAgain(running);
  running.state.wasDeleting = evidence.facts.some(({ kind, about }) => kind === 'deletion' && sameObject(about, target));
  return running;
}

/** Asks for what is required, or was known before the run was interrupted, and has no value; an error where nobody answers. */
export async function askForParams(running: Running, knownBefore: ReadonlySet<string> = new Set()): Promise<void> {
  const { playbook, state, ports } = running;
  for (const param of playbook.params) {
    if (!(param.required || knownBefore.has(param.name)) || state.variables[param.name] !== undefined) continue;
    const text = await ports.prompt.value(`${param.says} (${param.name})`, askedValue(param));
    if (text === undefined)
      throw new PodcheckError('usage', `the playbook needs ${param.name}: ${param.says}`, `give it with --param ${param.name}=…`);
    const checked = checkParam(param, text);
    if (!checked.ok) throw new PodcheckError('usage', `${param.name}: ${checked.expected}`, `give it with --param ${param.name}=…`);
    state.variables[param.name] = checked.value;
    if (param.secret) state.secrets.add(text);
  }
}

/** Finds rights that are missing before the first step. Without them it is refused, unless somebody wants to go on without those steps. */
export async function checkRights(running: Running): Promise<void> {
  const { playbook, state, ports, mode } = running;
  if (ports.changer === undefined || mode === 'dry-run' || mode === 'auto-read') return;
  const lacking = await missingRights([...playbook.steps, ...playbook.rollback], state.variables, ports.changer);
  if (lacking.length === 0) return;
  // Many steps may do the same fix: which of them is taken is not known yet.
  const lines = [...new Set(lacking.map(({ needs }) => needs))].map((needs) => {
    const steps = lacking.filter((right) => right.needs === needs).map(({ step }) => step);
    return `${steps.length === 1 ? `step ${steps.join()} needs` : `steps ${steps.join(', ')} need`}: ${needs}`;
  });
  const answer = await ports.prompt.confirm({ question: 'Continue without these steps?', lines: ['Permissions are missing:', ...lines] });
  if (answer !== 'yes')
    throw new PodcheckError(
      'unsupported',
      ['permissions are missing for steps of the playbook:', ...lines.map((line) => `  ${line}`)].join('\n'),
      'request them, or use --dry-run; nothing was done',
    );
  for (const { step } of lacking) state.barred.add(step);
}

function askedValue({ type, pattern, oneOf, secret }: PlaybookParam): AskedValue {
  return { type, ...(pattern === undefined ? {} : { pattern }), ...(oneOf === undefined ? {} : { oneOf }), secret };
}

/** The parameters as they may be written down. */
export function maskedParams({ state, playbook, given }: Running): Readonly<Record<string, Scalar>> {
  const names = new Set([...playbook.params.map(({ name }) => name), ...Object.keys(given)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = state.variables[name];
      return value === undefined ? [] : [[name, state.secrets.has(String(value)) ? MASK : value] as const];
    }),
  );
}

type Asked = Pick<PlaybookParam, 'name' | 'type' | 'pattern' | 'oneOf' | 'secret'>;

/** Everything a value may be given for: parameters, and what steps ask for. */
function askedOrParams({ params, steps }: FlatPlaybook): readonly Asked[] {
  return [...params, ...steps.flatMap(({ action }) => (action.kind === 'ask' ? [{ ...action.question, name: action.variable }] : []))];
}

function givenValues(playbook: FlatPlaybook, texts: Readonly<Record<string, string>>): Record<string, Scalar> {
  const known = askedOrParams(playbook);
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const param = known.find((one) => one.name === name);
      if (param === undefined) throw unknownParam(name, playbook, known);
      const checked = checkParam(param, text);
      if (!checked.ok)
        throw new PodcheckError(
          'usage',
          `--param ${name}: ${checked.expected}`,
          `see the parameter with \`podcheck runbook show ${playbook.name}\``,
        );
      return [name, checked.value] as const;
    }),
  );
}

function unknownParam(name: string, { name: playbook }: FlatPlaybook, known: readonly Asked[]): PodcheckError {
  const near = nearest(
    name,
    known.map((one) => one.name),
  );
  const has = known.length === 0 ? 'it has none' : `it has ${known.map((one) => one.name).join(', ')}`;
  return new PodcheckError(
    'usage',
    `playbook ${playbook} has no parameter "${name}"`,
    near.length === 0 ? has : `did you mean ${near.join(' or ')}?`,
  );
}

function defaultsOf({ params }: FlatPlaybook): Record<string, Scalar> {
  return Object.fromEntries(params.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value] as const])));
}
