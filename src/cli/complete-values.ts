import type { CommandContext } from '../commands/context.ts';
import { formatsOf } from './command-flags.ts';
import { SHELLS } from './shells.ts';
import { PRESET_NAMES } from '../model/preset.ts';

export interface Proposal {
  readonly value: string;
  readonly says: string;
}

export interface Values {
  readonly proposals: readonly Proposal[];
  /** What the shell may propose of its own. */
  readonly besides: 'files' | 'folders' | 'nothing';
}

const NOTHING: Values = { proposals: [], besides: 'nothing' };

/** Values of an option, by commander's name for it. `path` is the command: `rules show`. */
export async function optionValues(option: string, path: string, words: readonly string[], context: CommandContext): Promise<Values> {
  switch (option) {
    case 'output':
      return path === 'sim page' ? { proposals: [], besides: 'folders' } : plain(formatsOf(path));
    case 'from':
      return { proposals: await exampleProposals(), besides: 'files' };
    case 'rules':
    case 'kustomize':
      return { proposals: [], besides: 'folders' };
    case 'kubeconfig':
    case 'labels':
      return { proposals: [], besides: 'files' };
    case 'dir':
      return { proposals: await presetProposals(), besides: 'files' };
    case 'within':
      return plain(['7d', '30d', '90d', '1y']);
    case 'failOn':
      return plain(['unknown']);
    case 'auto':
      return plain(['read']);
    case 'resume':
      return plain(await journalNames(context));
    case 'journal':
      return { proposals: [], besides: 'folders' };
    case 'alert':
      return path === 'runbook run'
        ? { proposals: [], besides: 'files' }
        : plain((await import('../catalog/alerts.ts')).ALERTS.map(({ alert }) => alert));
    case 'difficulty':
      return plain((await import('../model/drill.ts')).DIFFICULTIES);
    case 'stage':
      return plain((await import('../model/stage.ts')).STAGE_IDS);
    case 'scenario':
      return { proposals: await scenarioProposals(), besides: 'nothing' };
    case 'cluster':
      return path === 'sim try' || path === 'preflight' ? plain(PRESET_NAMES) : NOTHING;
    case 'trace':
    case 'file':
    case 'baseline':
      return { proposals: [], besides: 'files' };
    case 'speed':
      return plain(['1', '10', 'max']);
    case 'rule':
      return { proposals: await ruleProposals(), besides: 'nothing' };
    case 'namespace': {
      const { namespaceNames } = await import('../commands/live-names.ts');
      return plain(await namespaceNames(flagsOf(words), context));
    }
    case 'context': {
      const { contextNames } = await import('../commands/live-names.ts');
      return plain(await contextNames(flagsOf(words), context));
    }
    default:
      return NOTHING;
  }
}

/** Values of the next argument of a command. */
export async function argumentValues(
  path: string,
  given: readonly string[],
  words: readonly string[],
  context: CommandContext,
): Promise<Values> {
  const values = ARGUMENTS[path];
  return values === undefined || given.length >= (values.most ?? 1) ? NOTHING : await values.of({ given, words, context });
}

interface Asked {
  /** Arguments before the one that is completed. */
  readonly given: readonly string[];
  readonly words: readonly string[];
  readonly context: CommandContext;
}

interface ArgumentValues {
  /** How many arguments there may be; 1 when not given. */
  readonly most?: number;
  readonly of: (asked: Asked) => Values | Promise<Values>;
}

const FILES: ArgumentValues = { most: Number.POSITIVE_INFINITY, of: () => ({ proposals: [], besides: 'files' }) };
const FOLDERS: ArgumentValues = { most: Number.POSITIVE_INFINITY, of: () => ({ proposals: [], besides: 'folders' }) };
const SCENARIO: ArgumentValues = { of: async () => ({ proposals: await scenarioProposals(), besides: 'files' }) };
const JOURNAL: ArgumentValues = { of: async ({ context }) => plain(await journalNames(context)) };
const RULE: ArgumentValues = { of: async () => ({ proposals: await ruleProposals(), besides: 'nothing' }) };

/** Values of the arguments of each command. */
const ARGUMENTS: Readonly<Partial<Record<string, ArgumentValues>>> = {
  diagnose: {
    of: ({ words, context }) =>
      words.some((word) => word === '--from' || word.startsWith('--from=')) ? NOTHING : liveTargets(words, context),
  },
  'runbook show': { of: playbooks },
  'runbook run': { most: 2, of: ({ given, words, context }) => (given.length === 0 ? playbooks() : liveTargets(words, context)) },
  'runbook lint': FILES,
  'runbook journal show': JOURNAL,
  'runbook journal verify': JOURNAL,
  'runbook journal export': JOURNAL,
  'sim show': SCENARIO,
  'sim run': SCENARIO,
  'sim serve': SCENARIO,
  'sim replay': FILES,
  'sim diff': FILES,
  'sim time': { of: () => plain(['pause', 'resume', 'speed', 'advance']) },
  'drill start': { of: async () => ({ proposals: await drillProposals(), besides: 'files' }) },
  'drill answer': RULE,
  'drill board': FOLDERS,
  'rules show': RULE,
  'rules facts': { of: async () => ({ proposals: await factProposals(), besides: 'nothing' }) },
  'rules test': { of: async () => ({ proposals: await ruleProposals(), besides: 'folders' }) },
  explain: { of: async () => ({ proposals: await explainProposals(), besides: 'nothing' }) },
  eval: FOLDERS,
  completion: { of: () => plain(SHELLS) },
};

async function playbooks(): Promise<Values> {
  return { proposals: await playbookProposals(), besides: 'files' };
}

async function liveTargets(words: readonly string[], context: CommandContext): Promise<Values> {
  const { targetNames } = await import('../commands/live-names.ts');
  return plain(await targetNames(flagsOf(words), words.at(-1) ?? '', context));
}

function plain(values: readonly string[]): Values {
  return { proposals: values.map((value) => ({ value, says: '' })), besides: 'nothing' };
}

async function factProposals(): Promise<readonly Proposal[]> {
  const { shippedFactKinds } = await import('../catalog/bundled-data.ts');
  return Object.entries(await shippedFactKinds()).map(([value, { says }]) => ({ value, says }));
}

async function ruleProposals(): Promise<readonly Proposal[]> {
  const { shippedRules } = await import('../catalog/bundled-data.ts');
  return (await shippedRules()).map(({ id, title }) => ({ value: id, says: title }));
}

async function scenarioProposals(): Promise<readonly Proposal[]> {
  const { shippedScenarios } = await import('../catalog/bundled-data.ts');
  return (await shippedScenarios()).map(({ id, title }) => ({ value: id, says: title }));
}

async function drillProposals(): Promise<readonly Proposal[]> {
  const { allDrills } = await import('../commands/drill/drill-named.ts');
  return (await allDrills()).map(({ id, difficulty }) => ({ value: id, says: difficulty }));
}

async function journalNames({ env, homeFolder }: CommandContext): Promise<readonly string[]> {
  const { defaultJournalFolder, runsIn } = await import('../runbook/journal-file.ts');
  return runsIn(defaultJournalFolder(env, homeFolder)).toReversed();
}

async function playbookProposals(): Promise<readonly Proposal[]> {
  const { shippedPlaybooks } = await import('../catalog/bundled-data.ts');
  return (await shippedPlaybooks()).map(({ name, title }) => ({ value: name, says: title }));
}

async function presetProposals(): Promise<readonly Proposal[]> {
  const { FILE_PRESETS } = await import('../certificates/file-presets.ts');
  return Object.entries(FILE_PRESETS).map(([value, places]) => ({ value, says: places.join(', ') }));
}

async function exampleProposals(): Promise<readonly Proposal[]> {
  const { shippedExamples } = await import('../catalog/bundled-data.ts');
  return [...(await shippedExamples()).keys()].map((name) => ({ value: `example:${name}`, says: 'a bundled example' }));
}

async function explainProposals(): Promise<readonly Proposal[]> {
  const { STAGES } = await import('../model/stage.ts');
  const { REASONS } = await import('../catalog/reasons.ts');
  return [
    ...STAGES.map(({ id, question }) => ({ value: id as string, says: question as string })),
    ...REASONS.filter(({ reason }) => !reason.includes(' ')).map(({ reason, means }) => ({ value: reason, says: means })),
    ...(await ruleProposals()),
  ];
}

/** The flags that say which cluster is meant, as far as they have been typed. */
function flagsOf(words: readonly string[]): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  for (const [at, word] of words.slice(0, -1).entries()) {
    const [name = '', inline] = word.split('=', 2);
    const key = KEYS[name];
    const value = inline ?? words[at + 1];
    if (key !== undefined && value !== undefined && value !== '') flags[key] = value;
  }
  return flags;
}

const KEYS: Readonly<Record<string, string>> = {
  '-n': 'namespace',
  '--namespace': 'namespace',
  '--context': 'context',
  '--cluster': 'cluster',
  '--user': 'user',
  '--kubeconfig': 'kubeconfig',
  '--as': 'as',
};
