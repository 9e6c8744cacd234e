import { resourceNamed } from '../../model/resources.ts';
import type { Words } from './shell-words.ts';
import { shellLine } from './shell-words.ts';

/** A command somebody typed, as far as it matters for reading its output. */
export interface Command {
  readonly text: string;
  readonly tool: 'kubectl' | 'cat' | 'systemctl' | 'journalctl' | 'other';
  /** The host it ran on, when it went through ssh or a prompt names it. */
  readonly node?: string;
  /** First argument of kubectl and systemctl: `get`, `status`. */
  readonly verb: string;
  /** Further arguments that are no flags. */
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
  /** What the output went through took lines away: grep, tail, head. */
  readonly filtered: boolean;
  /** Other programs changed the output so that its layout is not kubectl's: awk, jq, wc. */
  readonly reshaped: boolean;
  readonly heredoc?: string;
  /** The file that `cat > FILE` writes its here-document to. */
  readonly writes?: string;
}

/** Flags of kubectl that take the next word as their value; source: staging/src/k8s.io/kubectl/pkg/cmd. */
const VALUE_FLAGS = new Set(
  (
    'n namespace l selector o output c container f filename s server k kustomize context kubeconfig as as-group as-uid cluster user token tail since since-time ' +
    'sort-by field-selector request-timeout limit-bytes for types L label-columns type patch image replicas timeout grace-period template ' +
    'max-log-requests certificate-authority client-certificate client-key cache-dir v profile to-revision revision from-literal from-file ' +
    'overrides subresource pod-running-timeout field-manager output-watch-events'
  ).split(' '),
);
const KUBECTL = new Set(['kubectl', 'oc', 'k', 'kubectl.exe', 'kc', 'kctl', 'microk8s.kubectl']);
/** People keep several: `kubectl-1.27.3`, `kubectl1.31`. */
export const VERSIONED = /^kubectl[-_]?v?1\.\d{1,2}(?:\.\d{1,3})?$/;
const READERS = new Set(['cat', 'less', 'more', 'bat', 'batcat', 'nl', 'type', 'tac']);
const KEEPS_ALL = new Set(['cat', 'less', 'more', 'sort', 'tee', 'column', 'bat']);
const TAKES_AWAY = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'zgrep', 'head', 'tail', 'uniq', 'findstr', 'Select-String']);
/** Distributions that bring a kubectl of their own: `k3s kubectl get pods`. */
const DISTRIBUTIONS = new Set(['microk8s', 'k3s', 'k0s', 'minikube']);
const WRAPPERS = new Set(['sudo', 'time', 'watch', 'command', 'stdbuf', 'timeout', 'nohup', 'doas', 'winpty']);

/** Reads a command line; `host` is the one its prompt names. */
export function parseCommand(text: string, host?: string): Command {
  const { pipelines: written, heredoc } = shellLine(text);
  const pipelines = written.map((programs) => programs.map((words) => words.map((word) => (isGiven(word) ? word : ''))));
  const known = pipelines.map((programs) => ({ programs, first: unwrapped(programs[0] ?? []) }));
  const main = known.find(({ first }) => toolOf(first.words) !== 'other') ?? known[0];
  if (main === undefined) return { text, tool: 'other', verb: '', args: [], flags: new Map(), filtered: false, reshaped: false };
  const node = main.first.node ?? host;
  const rest = main.programs.slice(1);
  const piped = rest.find((words) => toolOf(words) === 'kubectl');
  const words = piped !== undefined && toolOf(main.first.words) !== 'kubectl' ? piped : main.first.words;
  const tool = known.filter(({ first }) => toolOf(first.words) === 'kubectl').length > 1 ? 'other' : toolOf(words);
  const filters = rest.filter((program) => program !== piped).map(([name = '']) => name);
  const writes = /(?:^|\s)>\s*([^\s>|&;<]+)/.exec(text)?.[1];
  return {
    text,
    tool,
    ...(node === undefined ? {} : { node }),
    ...argumentsOf(tool, words),
    filtered: filters.some((name) => TAKES_AWAY.has(name)),
    reshaped: filters.some((name) => !TAKES_AWAY.has(name) && !KEEPS_ALL.has(name)),
    ...(heredoc === undefined ? {} : { heredoc }),
    ...(writes === undefined ? {} : { writes }),
  };
}

/** False for what a person is to replace, or a variable whose value nobody sees: `<pod>`, `$POD`, `-n=<namespace>`. */
function isGiven(word: string): boolean {
  return !/^(?:--?\w[\w-]{0,40}=)?(?:<.*>|\$\{?\w+\}?)$/.test(word);
}

/** The first of several flags that was given. */
export function flagOf(command: Command, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = command.flags.get(name);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

export function hasFlag(command: Command, ...names: readonly string[]): boolean {
  const value = flagOf(command, ...names);
  return value !== undefined && value !== 'false';
}

/** Takes off what only surrounds a command: sudo, environment variables, ssh to a host. */
function unwrapped(words: Words): Wrapped {
  let inner: Wrapped = { words, node: undefined };
  for (let depth = 0; depth < MAX_WRAPPERS; depth++) {
    const next = withoutWrapper(inner);
    if (next === undefined) break;
    inner = next;
  }
  return inner;
}

const MAX_WRAPPERS = 6;

/** A command within what surrounds it. */
interface Wrapped {
  readonly words: Words;
  /** The host on which ssh runs it. */
  readonly node: string | undefined;
}

/** The command without the outermost of what surrounds it; undefined when nothing does. */
function withoutWrapper({ words: [typed = '', ...rest], node }: Wrapped): Wrapped | undefined {
  if (/^\w+=/.test(typed) || typed === '+') return { words: rest, node };
  const first = programIn(typed);
  if (WRAPPERS.has(first)) return { words: afterFlags(rest, first === 'timeout' || first === 'watch'), node };
  if (DISTRIBUTIONS.has(first) && rest[0] === 'kubectl') return { words: rest.filter((word, index) => index !== 1 || word !== '--'), node };
  return first === 'ssh' ? throughSsh(rest) : undefined;
}

/** `ssh node-1 kubectl get pods`, or the command as one word in quotation marks. */
function throughSsh(rest: Words): Wrapped {
  const [target, ...command] = afterFlags(rest, false);
  const [line = ''] = command;
  return {
    words: command.length === 1 ? (shellLine(line).pipelines[0]?.[0] ?? []) : command,
    node: target?.replace(/^[^@]*@/, ''),
  };
}

/** Words after leading flags; ssh's `-i KEY` and the like take a word with them, and some programs a number. */
function afterFlags(words: Words, number: boolean): Words {
  let index = 0;
  while (index < words.length && words[index]?.startsWith('-') === true) index += /^-[ipolFJn]$/.test(words[index] ?? '') ? 2 : 1;
  return words.slice(number && /^[\d.]+[smh]?$/.test(words[index] ?? '') ? index + 1 : index);
}

function toolOf([program = '', ...rest]: Words): Command['tool'] {
  const name = programIn(program);
  if (KUBECTL.has(name) || VERSIONED.test(name)) return 'kubectl';
  if (READERS.has(name) || ((name === 'head' || name === 'tail') && rest.some((word) => !word.startsWith('-')))) return 'cat';
  if (name === 'systemctl' || name === 'journalctl') return name;
  return name === 'service' && rest[1] === 'status' ? 'systemctl' : 'other';
}

/** A program without the way to it: `./k3s`, `/usr/local/bin/kubectl`. */
function programIn(word: string): string {
  return word.replace(/^.*[/\\]/, '');
}

function argumentsOf(tool: Command['tool'], words: Words): Pick<Command, 'verb' | 'args' | 'flags'> {
  const flags = new Map<string, string>();
  const args: string[] = [];
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') break;
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) flags.set(name, value);
    else if (name !== undefined) index += longFlag(name, words[index + 1], tool, flags);
    else if (/^-[A-Za-z]/.test(word)) index += shortFlags(word.slice(1), words[index + 1], tool, flags, args);
    else args.push(word);
  }
  if (tool === 'systemctl' && words[0] === 'service') return { verb: 'status', args: args.slice(0, 1), flags };
  const takesVerb = tool === 'kubectl' || tool === 'systemctl';
  return { verb: takesVerb ? (args[0] ?? '') : '', args: takesVerb ? args.slice(1) : args, flags };
}

/** `--namespace shop`, `--watch`: a flag without `=` takes the next word where it needs a value. Returns how many words it took. */
function longFlag(name: string, next: string | undefined, tool: Command['tool'], flags: Map<string, string>): number {
  const takes = tool === 'kubectl' && VALUE_FLAGS.has(name);
  flags.set(name, takes ? (next ?? '') : 'true');
  return takes ? 1 : 0;
}

/**
 * `-n shop`, `-nshop`, `-n=shop`, `-it`, `-xeu kubelet`: the first letter that takes a value takes the rest, or the next word. Returns how
 * many words it took.
 */
function shortFlags(
  text: string,
  next: string | undefined,
  tool: Command['tool'],
  flags: Map<string, string>,
  before: readonly string[],
): number {
  const follows = tool === 'kubectl' && (before[0] === 'logs' || before[0] === 'log');
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index);
    const takes =
      tool === 'kubectl' ? VALUE_FLAGS.has(letter) && !(follows && letter === 'f') : tool === 'journalctl' && 'un'.includes(letter);
    if (!takes) {
      flags.set(letter, 'true');
      continue;
    }
    const rest = text.slice(index + 1).replace(/^=/, '');
    flags.set(letter, rest === '' ? (next ?? '') : rest);
    return rest === '' ? 1 : 0;
  }
  return 0;
}

/** What a kubectl command names: kinds alone, or objects. */
export interface Named {
  readonly kinds: readonly string[];
  readonly objects: readonly { readonly kind: string; readonly name: string }[];
}

/** Kinds that `kubectl get all` lists; source: the resources' category `all`. */
const ALL = [
  'Pod',
  'ReplicationController',
  'Service',
  'DaemonSet',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'HorizontalPodAutoscaler',
  'CronJob',
  'Job',
];

/** Reads `pods`, `deploy,rs`, `pod/web-1`, `pods web-1 web-2` after get and describe. Kinds podcheck does not know are left out. */
export function namedBy(args: readonly string[]): Named {
  const objects: { kind: string; name: string }[] = [];
  const [first = '', ...rest] = args.filter((arg) => arg !== '');
  if (args.some((arg) => arg.includes('/'))) {
    for (const arg of args) {
      const slash = arg.indexOf('/');
      const kind = resourceNamed(arg.slice(0, slash))?.kind;
      if (slash > 0 && kind !== undefined) objects.push({ kind, name: arg.slice(slash + 1) });
    }
    return { kinds: [...new Set(objects.map(({ kind }) => kind))], objects };
  }
  const kinds = first.split(',').flatMap((word) => (word === 'all' ? ALL : (resourceNamed(word)?.kind ?? [])));
  for (const kind of kinds) for (const name of rest) objects.push({ kind, name });
  return { kinds, objects };
}
