import type { Command, Help, Option } from 'commander';
import { FORMATS } from '../commands/formats.ts';
import { PodcheckError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';

/** Options of the program, by commander's names: they may stand before or after the command, but not every command has all of them. */
const CONNECTION = [
  'namespace',
  'allNamespaces',
  'now',
  'context',
  'cluster',
  'user',
  'kubeconfig',
  'as',
  'asGroup',
  'asUid',
  'requestTimeout',
] as const;
const ALWAYS: ReadonlySet<string> = new Set(['color', 'version']);

/** Which of them each command has, besides `-o` (see FORMATS) and those that all have. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  diagnose: [...CONNECTION, 'from', 'selector', 'rules'],
  scan: [...CONNECTION, 'from', 'rules'],
  preflight: ['from', 'rules', 'namespace', 'context', 'kubeconfig', 'as', 'asGroup', 'asUid', 'requestTimeout', 'now'],
  watch: [...CONNECTION.filter((flag) => flag !== 'now'), 'rules'],
  'cert-expiry': [...CONNECTION, 'from'],
  rules: ['rules'],
  explain: ['rules'],
  eval: ['rules', 'now'],
  'sim run': ['rules'],
  'sim try': ['rules', 'from', 'namespace'],
  'sim replay': ['rules'],
  'sim serve': ['kubeconfig'],
  'runbook run': [...CONNECTION, 'from', 'selector', 'rules'],
  snapshot: [...CONNECTION, 'from', 'rules'],
  rbac: ['namespace'],
  mcp: [...CONNECTION, 'from', 'rules'],
};

/** The words of a command: `rules show`. Empty for the program. */
export function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

/** What `-o` can be for a command; none where it has no `-o`. */
export function formatsOf(path: string): readonly string[] {
  return (FORMATS as Readonly<Record<string, readonly string[]>>)[path] ?? [];
}

/** Whether a command has an option of the program. A group of commands has what its commands have. */
export function hasFlag(path: string, option: string): boolean {
  if (path === '' || ALWAYS.has(option)) return true;
  if (option === 'output') return formatsOf(path).length > 0;
  return (FLAGS[path] ?? FLAGS[path.split(' ')[0] ?? ''] ?? []).includes(option);
}

/** Help that lists for each command its own flags and formats only. */
export const HELP: Partial<Help> & { readonly showGlobalOptions: boolean } = {
  showGlobalOptions: true,
  visibleGlobalOptions(command: Command): Option[] {
    const path = pathOf(command);
    return rootOf(command)
      .options.filter(
        (option) =>
          path !== '' &&
          !option.hidden &&
          option.attributeName() !== 'version' &&
          hasFlag(path, option.attributeName()) &&
          !hasOwn(command, option.attributeName()),
      )
      .map((option) => described(option, path));
  },
};

function described(option: Option, path: string): Option {
  if (option.attributeName() !== 'output') return option;
  const copy: Option = Object.assign(Object.create(Object.getPrototypeOf(option) as object) as Option, option);
  copy.description = formatsOf(path).join(', ');
  return copy;
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

/** Whether the command has an option of its own under this name: `sim try --cluster` is a preset of nodes. */
function hasOwn(command: Command, name: string): boolean {
  return command.options.some((option) => option.attributeName() === name);
}

/** What a word may have meant that a command without arguments was given: most often a file, or one object. */
export function strayWordHint(command: Command): string {
  const path = pathOf(command);
  if (hasOwn(command, 'file')) return `give files with -f: podcheck ${path} -f FILE`;
  if (hasFlag(path, 'from')) return '-n chooses a namespace, --from reads a file; podcheck diagnose NAME examines one object';
  return `podcheck ${path} --help shows its usage`;
}

/** Refuses what the command line says and the command does not have. */
export function refuseStrayWords(command: Command): void {
  const path = pathOf(command);
  const root = rootOf(command);
  for (const option of root.options) {
    const name = option.attributeName();
    if (root.getOptionValueSource(name) === 'cli' && !hasFlag(path, name) && !hasOwn(command, name)) {
      throw new PodcheckError(
        'usage',
        `podcheck ${path} has no flag ${option.flags.split(/[ ,]+/)[0] ?? option.flags}`,
        `podcheck ${path} --help lists its flags`,
      );
    }
  }
  const [word] = command.registeredArguments.length === 0 ? command.args : [];
  if (word === undefined) return;
  const siblings = command.parent?.commands.map((sibling) => sibling.name()) ?? [];
  const near = nearest(word, siblings);
  const group = path.split(' ').slice(0, -1).join(' ');
  throw new PodcheckError(
    'usage',
    `unknown command "${word}" for podcheck${group === '' ? '' : ` ${group}`}`,
    near.length === 0 ? `podcheck ${group === '' ? '' : `${group} `}--help lists the commands` : `did you mean ${near.join(' or ')}?`,
  );
}
