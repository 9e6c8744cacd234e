import { Command, Option } from 'commander';
import type { DiagnoseOptions } from '../commands/diagnose/diagnose.ts';
import type { EvalOptions } from '../commands/eval/eval.ts';
import type { PreflightOptions } from '../commands/preflight/preflight.ts';
import type { RulesOptions } from '../commands/rules/rules.ts';
import type { FixedOptions } from '../commands/mcp/tool.ts';
import type { RbacOptions } from '../commands/rbac/rbac.ts';
import type { WatchOptions } from '../commands/watch/watch.ts';
import type { ScanOptions } from '../commands/diagnose/scan.ts';
import type { SnapshotOptions } from '../commands/snapshot/snapshot.ts';
import { HELP, refuseStrayWords } from './command-flags.ts';
import { addCertExpiry } from './cert-commands.ts';
import { SHELLS } from './shells.ts';
import type { Finish } from './finish.ts';
import type { Runner } from './runner.ts';
import { addScenarioOptions, seedOption } from './scenario-options.ts';
import { VERSION } from './version.ts';

const EXIT_CODES = `
Exit codes:
  0 healthy   1 a cause was found   2 wrong usage or bad input
  3 inconclusive: required evidence is missing, or no rule matches
  70 a bug in podcheck   130 interrupted`;

/** What a newcomer types first. */
export const FIRST_STEPS = `Type one of these:
  podcheck diagnose web -n shop     why pod or workload web does not come up
  podcheck scan -A                  all unhealthy workloads, grouped by cause
  kubectl describe pod web-1 | podcheck diagnose --from -

podcheck --help lists all commands.
`;

const EXAMPLES = `
Examples:
  podcheck diagnose web -n shop                       from the live cluster
  kubectl describe pod web-1 | podcheck diagnose --from -
  podcheck scan --from dump.json                      all unhealthy objects
  podcheck diagnose --from example:missing-configmap  a bundled example
  podcheck explain CrashLoopBackOff`;

/** The command line. Every command loads what it needs only when it runs, and a group its commands only when one of the words names it. */
export async function makeProgram(runner: Runner, words: readonly string[]): Promise<Command> {
  const program = new Command('podcheck')
    .description('Names the one cause that keeps a pod from coming up: stage by stage, with proof and a fix.')
    .version(VERSION, '-V, --version')
    .helpOption('-h, --help', 'help for a command')
    .showSuggestionAfterError(true)
    .configureHelp(HELP)
    .hook('preAction', (_, command) => refuseStrayWords(command))
    .addHelpText('after', `${EXAMPLES}\n${EXIT_CODES}`);
  for (const option of globalOptions()) program.addOption(option);
  addDiagnose(program, runner);
  addScan(program, runner);
  addPreflight(program, runner);
  addWatch(program, runner);
  addRules(program, runner);
  addExplain(program, runner);
  addCertExpiry(program, runner);
  for (const group of GROUPS) await addGroup(program, group, runner, words);
  addEval(program, runner);
  addSnapshot(program, runner);
  addRbac(program, runner);
  addMcp(program, runner);
  addCompletion(program, runner);
  return program;
}

/** Commands that have commands of their own. */
const GROUPS: readonly {
  readonly name: string;
  readonly says: string;
  readonly load: () => Promise<(group: Command, finish: Finish) => void>;
}[] = [
  { name: 'sim', says: 'run scenarios and manifests in a simulated cluster', load: async () => (await import('./sim-commands.ts')).addSim },
  {
    name: 'drill',
    says: 'practise: find and fix faults in a simulated cluster',
    load: async () => (await import('./drill-commands.ts')).addDrill,
  },
  { name: 'runbook', says: 'run on-call procedures step by step', load: async () => (await import('./runbook-commands.ts')).addRunbook },
];

async function addGroup(
  program: Command,
  { name, says, load }: (typeof GROUPS)[number],
  runner: Runner,
  words: readonly string[],
): Promise<void> {
  const group = program.command(name).description(says);
  if (!words.includes(name)) return;
  (await load())(group, async (command, run) => {
    const options: Shown = command.optsWithGlobals();
    runner.exit(await run(runner.context(options), options));
  });
}

function globalOptions(): readonly Option[] {
  return [
    new Option('-n, --namespace <name>', 'namespace'),
    new Option('-A, --all-namespaces', 'all namespaces'),
    new Option('-l, --selector <labels>', 'label selector: the workload of the matching pods'),
    new Option('-o, --output <format>', 'output format; each command lists its own'),
    new Option('--from <path>', 'read a file, a folder, - (stdin) or example:NAME instead of a live cluster; repeatable').argParser(
      gathered,
    ),
    new Option('--rules <folder>', 'folder with additional rules; repeatable').argParser(gathered),
    new Option('--now <time>', 'use this as the current time (RFC 3339)'),
    new Option('--context <name>', 'kubeconfig context'),
    new Option('--cluster <name>', 'kubeconfig cluster'),
    new Option('--user <name>', 'kubeconfig user'),
    new Option('--kubeconfig <file>', 'kubeconfig file'),
    new Option('--as <user>', 'impersonate this user'),
    new Option('--as-group <group>', 'impersonate this group; repeatable').argParser(gathered),
    new Option('--as-uid <uid>', 'impersonate this UID'),
    new Option('--request-timeout <duration>', 'time limit for one request, with its retries: 30s, 2m'),
    new Option('--no-color', 'no colors (also: NO_COLOR, FORCE_COLOR)'),
  ];
}

function gathered(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function addDiagnose(program: Command, runner: Runner): void {
  const diagnose = program
    .command('diagnose')
    .description('find out why a pod or workload does not come up')
    .argument('[target...]', 'NAME, KIND/NAME, KIND/NAMESPACE/NAME or KIND NAME; default: the only unhealthy object')
    .option('--timeline', 'show when each stage was passed')
    .option('-w, --watch', 'diagnose again until healthy; print what changes')
    .option(
      '--try-fixes',
      'try fixes for scheduling and quota in a simulated clone (default with --from), and check your permissions for the fix',
    )
    .option('--no-try-fixes', 'do not try fixes')
    .option('--explain-reading', 'with --from: print how each line was read')
    .action(async (target: readonly string[], _options: unknown, command: Command) => {
      const options: DiagnoseOptions & Shown = command.optsWithGlobals();
      const { runDiagnose } = await import('../commands/diagnose/diagnose.ts');
      runner.exit(await runDiagnose(target, options, runner.context(options)));
    });
  addScenarioOptions(diagnose);
}

function addScan(program: Command, runner: Runner): void {
  const scan = program
    .command('scan')
    .description('list all unhealthy objects of a namespace or cluster, grouped by cause')
    .option('--since <duration>', 'only causes seen within this time: 10m, 2h')
    .action(async (_options: unknown, command: Command) => {
      const options: ScanOptions & Shown = command.optsWithGlobals();
      const { runScan } = await import('../commands/diagnose/scan.ts');
      runner.exit(await runScan(options, runner.context(options)));
    });
  addScenarioOptions(scan);
}

function addPreflight(program: Command, runner: Runner): void {
  program
    .command('preflight')
    .description('list all that would stop manifests from starting, before they are applied')
    .option('-f, --file <path...>', 'manifests: files, folders, - (stdin)')
    .option('-k, --kustomize <folder...>', 'kustomizations, built by kubectl')
    .option('-R, --recursive', 'read folders recursively')
    .option('--cluster <preset>', 'node preset instead of a cluster: one-node, three-nodes, with-gpus, …')
    .option('--baseline <path...>', 'manifests of the target branch: leave out what these meet, too')
    .option('--fail-on <verdict>', 'unknown: exit with 3 if it cannot be told whether all start')
    .addOption(seedOption())
    .addHelpText('after', PREFLIGHT_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options: PreflightOptions & Shown = command.optsWithGlobals();
      const { runPreflight } = await import('../commands/preflight/preflight.ts');
      runner.exit(await runPreflight(options, runner.context(options)));
    });
}

const PREFLIGHT_HELP = `
The manifests are played in a clone of the cluster of --from or --context, and
nothing is applied. Without these flags the cluster is a simulated one.
Exit codes: 0 no known obstacle, 1 blocked or rejected, 3 with --fail-on`;

function addWatch(program: Command, runner: Runner): void {
  program
    .command('watch')
    .description('watch a live cluster: tell each cause once when it is found, changes or is cured')
    .option('--concurrency <number>', 'diagnoses at a time', '4')
    .option('--serve <address>', 'serve /metrics, /causes, /healthz, /readyz and a page, for example on :8080')
    .option('--webhook <url>', 'send each change as JSON; signed with PODCHECK_WEBHOOK_SECRET')
    .option('--alertmanager <url>', 'send causes as alerts (API v2)')
    .option('--events', 'write an Event on the workload of each cause')
    .option('--namespaces <names>', 'several namespaces, separated by commas')
    .option('--state-namespace <namespace>', 'keep what was told in ConfigMaps there, so that a restart does not tell it again')
    .option('--replicas <number>', 'processes that share the work, by Leases in that namespace', '1')
    .option('--hub <url...>', 'show the causes of other watches, each served at NAME=URL')
    .option('--manifest', 'print the YAML that runs it in a cluster; -n: where to install it (default podcheck)')
    .option('--image <image>', 'with --manifest: the image; default podcheck:VERSION')
    .option('--logs', 'with --manifest: allow reading the logs of containers')
    .option('--monitoring', 'with --manifest: also a ServiceMonitor, a PrometheusRule and a dashboard')
    .option('--egress-ports <numbers>', 'with --manifest: allow connections to these ports and DNS only')
    .option('--chart <folder>', 'write a Helm chart instead of YAML')
    .option('--kustomize <folder>', 'write a base for kustomize instead of YAML')
    .option('--dashboard', 'print a Grafana dashboard instead of YAML')
    .action(async (_options: unknown, command: Command) => {
      const options: WatchOptions & Shown = command.optsWithGlobals();
      const { runWatch } = await import('../commands/watch/watch.ts');
      runner.exit(await runWatch(options, runner.context(options)));
    });
}

function addRules(program: Command, runner: Runner): void {
  const rules = program.command('rules').description('list, show and test rules');
  rules
    .command('list', { isDefault: true })
    .allowExcessArguments(true)
    .description('list all rules in the order of the stages')
    .action(async (_options: unknown, command: Command) => {
      const options: RulesOptions & Shown = command.optsWithGlobals();
      const { runRulesList } = await import('../commands/rules/rules.ts');
      runner.exit(await runRulesList(options, runner.context(options)));
    });
  rules
    .command('show')
    .description('show one rule in full')
    .argument('<id>', 'rule ID, as in `rules list`')
    .action(async (id: string, _options: unknown, command: Command) => {
      const options: RulesOptions & Shown = command.optsWithGlobals();
      const { runRulesShow } = await import('../commands/rules/rules.ts');
      runner.exit(await runRulesShow(id, options, runner.context(options)));
    });
  rules
    .command('facts')
    .description('list the kinds of facts that rules use, or show one')
    .argument('[kind]', 'kind of fact, as `rules facts` lists it')
    .action(async (kind: string | undefined, _options: unknown, command: Command) => {
      const options: RulesOptions & Shown = command.optsWithGlobals();
      const { runRulesFacts } = await import('../commands/rules/rules-facts.ts');
      runner.exit(await runRulesFacts(kind, options, runner.context(options)));
    });
  rules
    .command('test')
    .description('check rules and try them on their situations')
    .argument(
      '[id|folder]',
      'rule ID, or folder with <stage>/<name>.yaml, <name>.match.txt, <name>.scenario.yaml, <name>.match-<how>.yaml and <name>.near-<why>.txt or .yaml',
    )
    .action(async (word: string | undefined, _options: unknown, command: Command) => {
      const options: RulesOptions & Shown = command.optsWithGlobals();
      const { runRulesTest } = await import('../commands/rules/rules-test.ts');
      runner.exit(await runRulesTest(word, runner.context(options)));
    });
}

function addExplain(program: Command, runner: Runner): void {
  program
    .command('explain')
    .description('explain a stage, a rule or a Kubernetes status word')
    .argument('<word...>', 'volumes, volumes/configmap-not-found, CrashLoopBackOff, Insufficient cpu, …')
    .action(async (words: readonly string[], _options: unknown, command: Command) => {
      const options: RulesOptions & Shown = command.optsWithGlobals();
      const { runExplain } = await import('../commands/explain.ts');
      runner.exit(await runExplain(words, options, runner.context(options)));
    });
}

function addEval(program: Command, runner: Runner): void {
  program
    .command('eval')
    .description('diagnose labelled cases and count the right answers')
    .argument('<folder>', 'one folder per case, with expected.json')
    .option('--labels <file>', 'file that maps labels to rules')
    .option('--reduce <cuts>', 'judge each case by a part of it, or in another layout: all, or names of cuts')
    .action(async (folder: string, _options: unknown, command: Command) => {
      const options: EvalOptions & Shown = command.optsWithGlobals();
      const { runEval } = await import('../commands/eval/eval.ts');
      runner.exit(await runEval(folder, options, runner.context(options)));
    });
}

function addSnapshot(program: Command, runner: Runner): void {
  const snapshot = program
    .command('snapshot')
    .description('save what a diagnosis reads, to send it or to diagnose it later with --from')
    .option('-o, --output <file>', 'file to write: .tgz, .json, or - (stdout)')
    .option('--for <target>', 'only for this object: NAME or KIND/NAME; default: the namespace, or the cluster with -A')
    .option('--no-redact', 'keep values of environment variables and ConfigMaps')
    .option('--no-logs', 'leave out logs')
    .action(async (_options: unknown, command: Command) => {
      const options: SnapshotOptions & Shown = command.optsWithGlobals();
      const { runSnapshot } = await import('../commands/snapshot/snapshot.ts');
      runner.exit(await runSnapshot(options, runner.context(options)));
    });
  addScenarioOptions(snapshot);
}

function addRbac(program: Command, runner: Runner): void {
  program
    .command('rbac')
    .description('print the Roles with which podcheck sees all that it needs')
    .option('--scope <namespaces>', 'only these namespaces, separated by commas; default: the cluster')
    .option('--bind <subject>', 'also bind them: serviceaccount:NAMESPACE/NAME, user:NAME or group:NAME')
    .option('--name <name>', 'name of the Roles (default: podcheck)')
    .option('--watch', 'for podcheck watch')
    .option('--state-namespace <namespace>', 'with --watch: also for its Leases and ConfigMaps in this namespace')
    .option('--replicas <number>', 'with --state-namespace: how many of each', '1')
    .option('--certificates', 'also for podcheck cert-expiry')
    .option('--secrets', 'also whether Secrets exist; this right shows their values to other clients')
    .option('--no-logs', 'without logs of containers')
    .action(async (_options: unknown, command: Command) => {
      const options: RbacOptions & Shown = command.optsWithGlobals();
      const { runRbac } = await import('../commands/rbac/rbac.ts');
      runner.exit(await runRbac(options, runner.context(options)));
    });
}

function addMcp(program: Command, runner: Runner): void {
  const mcp = program
    .command('mcp')
    .description('answer an agent on stdin and stdout, by the Model Context Protocol')
    .action(async (_options: unknown, command: Command) => {
      const options: FixedOptions & Shown = command.optsWithGlobals();
      const { runMcp } = await import('../commands/mcp/mcp.ts');
      runner.exit(await runMcp(options, runner.context(options)));
    });
  addScenarioOptions(mcp);
}

function addCompletion(program: Command, runner: Runner): void {
  program
    .command('completion')
    .description(`print the completion script for a shell (${SHELLS.join(', ')})`)
    .argument('<shell>', SHELLS.join(', '))
    .action(async (shell: string, _options: unknown, command: Command) => {
      const options: Shown = command.optsWithGlobals();
      const { runCompletion } = await import('./completion.ts');
      runner.exit(runCompletion(shell, runner.context(options)));
    });
}

interface Shown {
  readonly color?: boolean;
}
