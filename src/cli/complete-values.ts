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
      return plain(formatsOf(path));
    case 'from':
      return { proposals: await exampleProposals(), besides: 'files' };
    case 'rules':
      return { proposals: [], besides: 'folders' };
    case 'kubeconfig':
    case 'labels':
      return { proposals: [], besides: 'files' };
    case 'dir':
      return { proposals: await presetProposals(), besides: 'files' };
    case 'within':
      return plain(['7d', '30d', '90d', '1y']);
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
      return path === 'sim try' ? plain(PRESET_NAMES) : NOTHING;
    case 'trace':
    case 'file':
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
  switch (path) {
    case 'diagnose': {
      if (given.length > 0 || words.some((word) => word === '--from' || word.startsWith('--from='))) return NOTHING;
      const { targetNames } = await import('../commands/live-names.ts');
      return plain(await targetNames(flagsOf(words), words.at(-1) ?? '', context));
    }
    case 'runbook show':
      return given.length > 0 ? NOTHING : { proposals: await playbookProposals(), besides: 'files' };
    case 'runbook run': {
      if (given.length === 0) return { proposals: await playbookProposals(), besides: 'files' };
      const { targetNames } = await import('../commands/live-names.ts');
      return given.length > 1 ? NOTHING : plain(await targetNames(flagsOf(words), words.at(-1) ?? '', context));
    }
    case 'sim show':
    case 'sim run':
    case 'sim serve':
      return given.length > 0 ? NOTHING : { proposals: await scenarioProposals(), besides: 'files' };
    case 'sim replay':
    case 'sim diff':
      return { proposals: [], besides: 'files' };
    case 'sim time':
      return given.length > 0 ? NOTHING : plain(['pause', 'resume', 'speed', 'advance']);
    case 'runbook journal show':
    case 'runbook journal verify':
    case 'runbook journal export':
      return given.length > 0 ? NOTHING : plain(await journalNames(context));
    case 'runbook lint':
      return { proposals: [], besides: 'files' };
    case 'drill start':
      return given.length > 0 ? NOTHING : { proposals: await drillProposals(), besides: 'files' };
    case 'drill answer':
      return given.length > 0 ? NOTHING : { proposals: await ruleProposals(), besides: 'nothing' };
    case 'drill board':
      return { proposals: [], besides: 'folders' };
    case 'rules show':
      return given.length > 0 ? NOTHING : { proposals: await ruleProposals(), besides: 'nothing' };
    case 'rules facts':
      return given.length > 0 ? NOTHING : { proposals: await factProposals(), besides: 'nothing' };
    case 'explain':
      return given.length > 0 ? NOTHING : { proposals: await explainProposals(), besides: 'nothing' };
    case 'rules test':
      return given.length > 0 ? NOTHING : { proposals: await ruleProposals(), besides: 'folders' };
    case 'eval':
      return { proposals: [], besides: 'folders' };
    case 'completion':
      return given.length > 0 ? NOTHING : plain(SHELLS);
    default:
      return NOTHING;
  }
}

function plain(values: readonly string[]): Values {
  return { proposals: values.map((value) => ({ value, says: '' })), besides: 'nothing' };
}

async function factProposals(): Promise<readonly Proposal[]> {
  const { FACT_KINDS } = await import('../model/fact-kinds.ts');
  return Object.entries(FACT_KINDS).map(([value, { says }]) => ({ value, says }));
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
