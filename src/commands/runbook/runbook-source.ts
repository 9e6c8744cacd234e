import { WORKLOAD_KINDS } from '../../model/workload-kinds.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { PodcheckError } from '../../base/errors.ts';
import { printable } from '../../base/text.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import { ANYTHING } from '../../model/fact.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { Connection } from '../../runbook/interruption.ts';
import { interruptible } from '../../runbook/interruption.ts';
import { scopeOf } from '../../runbook/look-at-target.ts';
import type { Programs, RunPorts } from '../../runbook/ports.ts';
import type { CloneRemark } from '../../simulator/index.ts';
import type { CommandContext } from '../context.ts';
import type { OpenedEvidence } from '../diagnose/open-evidence.ts';
import { flagsOfCluster } from '../diagnose/cluster-commands.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';
import type { SourceOptions } from '../options.ts';
import { runProgram } from '../run-program.ts';

type Ports = Pick<RunPorts, 'reader' | 'changer' | 'programs' | 'onNode' | 'clock' | 'elapsed' | 'pause' | 'isStill' | 'recover' | 'flags'>;

/** What a run looks at and changes. */
export interface RunSource {
  readonly opened: OpenedEvidence;
  readonly ports: Ports;
  /** Whether it is a real cluster that is changed: then others must be kept away from its target. */
  readonly isReal: boolean;
  /** What a simulated clone was made of, and in what it differs from that. */
  readonly cloned?: { readonly original: ClusterReader; readonly remarks: readonly CloneRemark[] };
}

/** Opens the cluster, the scenario or what was saved; with `simulate`, a simulated clone of it. */
export async function openRunSource(options: SourceOptions & { readonly simulate?: boolean }, context: CommandContext): Promise<RunSource> {
  const { opened, close } = await openUntilClosed(options, context);
  if (opened.trouble !== undefined) throw new PodcheckError('unreachable', opened.trouble, 'nothing was done');
  const simulated = opened.simulated;
  if (simulated !== undefined)
    return { opened, ports: (await import('../../runbook/simulated-target.ts')).simulatedPorts(simulated), isReal: false };
  if (options.simulate === true) return { opened, isReal: false, ...(await clonedSource(opened, context)) };
  const isReal = opened.changer !== undefined;
  const flags = flagsOfCluster(options);
  // Ctrl-C gives up what is under way, however long the server takes; what was done may still be undone by a new way to it.
  const way = interruptible({ reader: opened.reader, changer: opened.changer, close }, () => reopened(options, context), context.signal);
  return {
    opened: { ...opened, close: way.close },
    ports: {
      reader: way.reader,
      changer: way.changer,
      recover: way.recover,
      programs: isReal ? programsOf(options, context) : undefined,
      onNode: () => Promise.resolve(undefined),
      clock: context.clock,
      elapsed: () => performance.now(),
      pause: (milliseconds) => pause(milliseconds, context.signal),
      isStill: !isReal,
      ...(flags === undefined ? {} : { flags }),
    },
    isReal,
  };
}

/** Closing it ends also what waits to be asked again. */
async function openUntilClosed(
  options: SourceOptions,
  context: CommandContext,
): Promise<{ readonly opened: OpenedEvidence; readonly close: () => void }> {
  const life = new AbortController();
  const opened = await openEvidence(options, { ...context, signal: life.signal });
  const close = (): void => {
    life.abort();
    opened.close();
  };
  return { opened, close };
}

async function reopened(options: SourceOptions, context: CommandContext): Promise<Connection> {
  const { opened, close } = await openUntilClosed(options, context);
  return { reader: opened.reader, changer: opened.changer, close };
}

async function clonedSource(
  { reader, namespace }: OpenedEvidence,
  context: CommandContext,
): Promise<Pick<RunSource, 'ports'> & Required<Pick<RunSource, 'cloned'>>> {
  const [{ simulatedPorts }, { cloneOf }] = await Promise.all([
    import('../../runbook/simulated-target.ts'),
    import('../sim/clone-source.ts'),
  ]);
  const { clone, gaps } = await context.progress('reading the objects to simulate', () =>
    cloneOf(reader, { seed: 1, wanted: [], ...(namespace === undefined ? {} : { namespace }) }),
  );
  const remarks = [...clone.leftOut, ...clone.assumed, ...gaps.map(({ about, reason }) => ({ about, why: `not read: ${reason}` }))];
  return { ports: simulatedPorts(clone.cluster), cloned: { original: reader, remarks } };
}

/** Says in what the clone differs from its original where that may concern the target. */
export function noteRemarks({ cloned }: RunSource, target: ObjectRef, { note }: CommandContext): void {
  const remarks = (cloned?.remarks ?? []).filter(({ about }) => mayConcern(about, target));
  for (const { about, why } of remarks.slice(0, REMARKS)) note(`note: ${printable(`${about.kind}/${about.name}: ${why}`)}\n`);
}

const REMARKS = 10;

/** Pods and workloads of others, and what is in other namespaces, do not. */
function mayConcern(about: ObjectRef, target: ObjectRef): boolean {
  if (scopeOf(target) !== undefined || about.namespace === undefined) return true;
  if (about.namespace !== target.namespace) return false;
  return (
    !RUNNING_KINDS.has(about.kind) || about.name === target.name || about.name.startsWith(`${target.name}-`) || about.name === ANYTHING
  );
}

const RUNNING_KINDS: ReadonlySet<string> = new Set(['Pod', ...WORKLOAD_KINDS]);

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Programs on this machine. kubectl is told which cluster is meant, and as whom. */
function programsOf(options: SourceOptions, { env, workingFolder, signal }: CommandContext): Programs {
  const words = ([program = '', ...rest]: readonly string[]): readonly string[] =>
    /(^|\/)kubectl$/.test(program) ? [program, ...clusterFlags(options), ...rest] : [program, ...rest];
  return {
    words,
    run: (argv) =>
      runProgram(words(argv), {
        folder: workingFolder,
        env,
        signal,
        credentials: argv[0] === 'kubectl' && !argv.some((word) => word.startsWith('--kube')),
      }),
  };
}

function clusterFlags({
  context,
  cluster,
  user,
  kubeconfig,
  namespace,
  as,
  asUid,
  asGroup = [],
  requestTimeout,
}: SourceOptions): readonly string[] {
  const flags = { context, cluster, user, kubeconfig, namespace, as, 'as-uid': asUid, 'request-timeout': requestTimeout };
  return [
    ...Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...asGroup.map((group) => `--as-group=${group}`),
  ];
}
