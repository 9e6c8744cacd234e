import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PodcheckError } from '../base/errors.ts';
import { printable } from '../base/text.ts';
import type { RunPorts } from '../runbook/ports.ts';
import type { CommandContext } from './context.ts';
import type { OpenedEvidence } from './open-evidence.ts';
import { openEvidence } from './open-evidence.ts';
import type { SourceOptions } from './options.ts';

type Ports = Pick<RunPorts, 'reader' | 'changer' | 'programs' | 'onNode' | 'clock' | 'pause' | 'isStill'>;

/** What a run looks at and changes. */
export interface RunSource {
  readonly opened: OpenedEvidence;
  readonly ports: Ports;
  /** Whether it is a real cluster that is changed: then others must be kept away from its target. */
  readonly isReal: boolean;
}

/** Opens the cluster, the scenario or what was saved; with `simulate`, a simulated clone of it. */
export async function openRunSource(options: SourceOptions & { readonly simulate?: boolean }, context: CommandContext): Promise<RunSource> {
  // Ctrl-C stops a run between its steps: what is under way is brought to an end, and what was done may still be undone.
  const opened = await openEvidence(options, { ...context, signal: new AbortController().signal });
  if (opened.trouble !== undefined) throw new PodcheckError('unreachable', opened.trouble, 'nothing was done');
  const simulated = opened.simulated;
  if (simulated !== undefined) return { opened, ports: (await import('../runbook/simulated-target.ts')).simulatedPorts(simulated), isReal: false };
  if (options.simulate === true) return { opened, ports: await clonedPorts(opened, context), isReal: false };
  const isReal = opened.changer !== undefined;
  return {
    opened,
    ports: {
      reader: opened.reader,
      changer: opened.changer,
      programs: isReal ? { run: (argv) => runProgram(argv, options, context) } : undefined,
      onNode: () => Promise.resolve(undefined),
      clock: context.clock,
      pause: (milliseconds) => pause(milliseconds, context.signal),
      isStill: !isReal,
    },
    isReal,
  };
}

async function clonedPorts({ reader, namespace }: OpenedEvidence, context: CommandContext): Promise<Ports> {
  const [{ simulatedPorts }, { cloneOf }] = await Promise.all([import('../runbook/simulated-target.ts'), import('./clone-source.ts')]);
  const { clone, gaps } = await context.progress('reading what is to be simulated', () => cloneOf(reader, { seed: 1, wanted: [], ...(namespace === undefined ? {} : { namespace }) }));
  const remarks = [...clone.leftOut, ...clone.assumed, ...gaps.map(({ about, reason }) => ({ about, why: `not seen: ${reason}` }))];
  for (const { about, why } of remarks.slice(0, REMARKS)) context.note(`note: ${printable(`${about.kind}/${about.name}: ${why}`)}\n`);
  return simulatedPorts(clone.cluster);
}

const REMARKS = 10;

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

const PROGRAM_SECONDS = 120;
const PROGRAM_BYTES = 4 * 1024 * 1024;

/** Runs a program by its words, without a shell. kubectl is told which cluster is meant. */
function runProgram(argv: readonly string[], options: SourceOptions, { env, workingFolder }: CommandContext): Promise<{ readonly code: number; readonly output: string }> {
  const [program = '', ...words] = argv;
  const given = /(^|\/)kubectl$/.test(program) ? [...clusterFlags(options), ...words] : words;
  return new Promise((resolve) => {
    execFile(program, given, { cwd: workingFolder, env: { ...env }, timeout: PROGRAM_SECONDS * 1000, maxBuffer: PROGRAM_BYTES, windowsHide: true }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (error === null) return resolve({ code: 0, output });
      const code = typeof error.code === 'number' ? error.code : 1;
      return resolve({ code, output: output === '' ? error.message : output });
    });
  });
}

function clusterFlags({ context, cluster, user, kubeconfig, as }: SourceOptions): readonly string[] {
  const flags = { context, cluster, user, kubeconfig, as };
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
}
