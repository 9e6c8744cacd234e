/** What a kubectl command line asks for, as far as answers to it are judged. */
export interface KubectlCommand {
  /** `apply`, `get`, `auth can-i`, …; undefined when it is no kubectl command. */
  readonly verb: string | undefined;
  /** Words behind the verb that are no flags. */
  readonly words: readonly string[];
  readonly namespace: string | undefined;
  readonly files: readonly string[];
  readonly context: string | undefined;
  /** Whose credentials it uses: commands of one identity stand or fall together. */
  readonly identity: string;
  readonly credential: 'token' | 'client-certificate' | 'kubeconfig' | undefined;
  readonly dryRun: boolean;
}

/**
 * Flags that take a value as the next word. Source: staging/src/k8s.io/cli-runtime/pkg/genericclioptions/config_flags.go and the commands'
 * own.
 */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '-n',
  '--namespace',
  '-f',
  '--filename',
  '-k',
  '--kustomize',
  '--kubeconfig',
  '--context',
  '--cluster',
  '--user',
  '--token',
  '--as',
  '--as-group',
  '--as-uid',
  '-s',
  '--server',
  '--client-certificate',
  '--client-key',
  '--certificate-authority',
  '--tls-server-name',
  '--request-timeout',
  '-l',
  '--selector',
  '-o',
  '--output',
  '--field-selector',
  '-c',
  '--container',
  '--sort-by',
  '--tail',
  '--since',
  '-p',
  '--patch',
  '--type',
  '--raw',
  '--replicas',
  '--image',
  '--timeout',
  '--grace-period',
]);
const IDENTITY: readonly string[] = [
  '--kubeconfig',
  '--context',
  '--cluster',
  '--user',
  '--token',
  '--as',
  '--client-certificate',
  '--server',
  '-s',
];
const COMMANDS: ReadonlySet<string> = new Set(['kubectl', 'k', 'oc', 'kubectl.exe']);
/** Verbs of two words. */
const GROUPS: ReadonlySet<string> = new Set(['auth', 'rollout', 'config', 'set', 'cluster-info', 'certificate']);
/** Writes by their verb: what fails there should have changed something. */
const WRITES: ReadonlySet<string> = new Set([
  'apply',
  'create',
  'replace',
  'patch',
  'edit',
  'delete',
  'scale',
  'run',
  'expose',
  'label',
  'annotate',
  'taint',
  'cordon',
  'uncordon',
  'drain',
  'autoscale',
  'rollout',
  'set',
  'evict',
]);

export function readCommand(line: string): KubectlCommand {
  const words = wordsOf(line.slice(0, LINE_LIMIT));
  const start = words.findIndex((word) => COMMANDS.has(word.slice(word.lastIndexOf('/') + 1)));
  const flags = new Map<string, string[]>();
  const plain = start < 0 ? [] : sortFlags(words.slice(start + 1), flags);
  const first = (...names: readonly string[]): string | undefined => names.flatMap((name) => flags.get(name) ?? [])[0];
  const environment = words.slice(0, Math.max(0, start)).find((word) => word.startsWith('KUBECONFIG='));
  const [verb, ...rest] = plain;
  const grouped = verb !== undefined && GROUPS.has(verb) && rest[0] !== undefined;
  const dryRun = flags.get('--dry-run')?.[0];
  return {
    verb: grouped ? `${verb} ${rest[0] ?? ''}` : verb,
    words: grouped ? rest.slice(1) : rest,
    namespace: first('-n', '--namespace'),
    files: [...(flags.get('-f') ?? []), ...(flags.get('--filename') ?? [])]
      .flatMap((value) => value.split(','))
      .filter((file) => file !== '-'),
    context: first('--context'),
    identity: [environment ?? '', ...IDENTITY.flatMap((flag) => (flags.get(flag) ?? []).map((value) => `${flag}=${value}`))]
      .join(' ')
      .trim(),
    credential: credentialIn(flags, environment),
    dryRun: dryRun !== undefined && dryRun !== 'none' && dryRun !== 'false',
  };
}

function credentialIn(flags: ReadonlyMap<string, unknown>, environment: string | undefined): KubectlCommand['credential'] {
  if (flags.has('--token')) return 'token';
  if (flags.has('--client-certificate')) return 'client-certificate';
  return flags.has('--kubeconfig') || environment !== undefined ? 'kubeconfig' : undefined;
}

const LOOKS = /^rollout (?:status|history)\b/;

/** Whether a command should have changed something in the cluster. */
export function isWrite(command: KubectlCommand): boolean {
  return command.verb !== undefined && WRITES.has(command.verb.split(' ')[0] ?? '') && !LOOKS.test(command.verb);
}

const LINE_LIMIT = 4000;

/** Words as a shell would split them, up to the first pipe, redirection or next command. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (const [whole, double, single] of line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)) {
    if (/^(?:[|;&]+|[<>]+)$/.test(whole)) break;
    words.push(double ?? single ?? whole);
  }
  return words;
}

/** Puts flags with their values into the map and returns the other words. */
function sortFlags(words: readonly string[], flags: Map<string, string[]>): readonly string[] {
  const plain: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') return [...plain, ...words.slice(index + 1)];
    if (!word.startsWith('-') || word === '-') plain.push(word);
    else if (word.includes('=')) put(flags, word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1));
    else if (WITH_VALUE.has(word) && index + 1 < words.length) put(flags, word, words[++index] ?? '');
    else if (/^-[nflcok]./.test(word)) put(flags, word.slice(0, 2), word.slice(2));
    else put(flags, word, '');
  }
  return plain;
}

function put(flags: Map<string, string[]>, flag: string, value: string): void {
  const values = flags.get(flag);
  if (values === undefined) flags.set(flag, [value]);
  else values.push(value);
}
