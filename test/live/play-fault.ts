import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/base/json.ts';
import type { Fault } from './fault.ts';
import { manifestsOf } from './fault.ts';
import type { Step } from '../support/first-alternative.ts';
import { firstAlternative, worthUntried } from '../support/first-alternative.ts';
import { kubectl, podcheck, runBeside } from './real-commands.ts';

interface Said {
  readonly outcome: string;
  readonly causes: readonly { readonly rule: string; readonly fix: readonly Step[] }[];
}

/** What podcheck says of a fault at one moment. */
export interface Look {
  readonly seconds: number;
  readonly outcome: string;
  /** Of the causes in their order. */
  readonly rules: readonly string[];
  readonly fix: readonly Step[];
  readonly failed?: string;
}

export interface PlayedFault {
  readonly fault: string;
  readonly looks: readonly Look[];
  /** The commands that were run as the cure, and whether they are the printed ones. */
  readonly cure: { readonly printed: boolean; readonly commands: readonly string[]; readonly failed?: string };
  readonly healthy: Look | undefined;
}

/** Moments at which it is looked at, in seconds after it was applied; the last is after the deadline of its Deployment. */
export const LOOKS = [3, 40, 60];

export async function playFault(fault: Fault): Promise<PlayedFault> {
  await makeFault(fault);
  const began = performance.now();
  const looks: Look[] = [];
  for (const seconds of LOOKS) {
    await sleep(Math.max(0, began + seconds * 1000 - performance.now()));
    looks.push(await lookAt(fault, began));
  }
  return playCure(fault, looks, CURE_SECONDS);
}

/** As long as a slow machine may need until the cause shows, and then until the cure has helped. */
const PATIENT_SECONDS = 270;

/** Looks until the cause is named: for a machine of which nobody knows how fast it is. */
export async function playPatiently(fault: Fault): Promise<PlayedFault> {
  await makeFault(fault);
  const began = performance.now();
  let look = await lookAt(fault, began);
  while (!fault.rules.includes(look.rules[0] ?? '') && look.seconds < PATIENT_SECONDS) {
    await sleep(5000);
    look = await lookAt(fault, began);
  }
  return playCure(fault, [look], PATIENT_SECONDS);
}

async function playCure(fault: Fault, looks: readonly Look[], seconds: number): Promise<PlayedFault> {
  const cure = await cureOf(fault, looks.at(-1)?.fix ?? []);
  const healthy = cure.commands.length === 0 || cure.failed !== undefined ? undefined : await untilHealthy(fault, seconds);
  // One node has room for a hundred pods only.
  await kubectl(['delete', 'namespace', fault.fault, '--wait=false']);
  return { fault: fault.fault, looks, cure, healthy };
}

async function makeFault(fault: Fault): Promise<void> {
  const name = fault.fault;
  await kubectl(['create', 'namespace', name]);
  for (const [label, value] of Object.entries(fault.labels ?? {})) await kubectl(['label', 'namespace', name, `${label}=${value}`]);
  if (fault.image !== undefined) await runBeside('python3', [process.env['PODCHECK_LIVE_IMAGE'] ?? '', ...fault.image]);
  if (fault.earlier !== undefined) {
    await apply(name, fault.earlier);
    await sleep(POLICY_MILLISECONDS);
  }
  await apply(name, manifestsOf(fault));
  if (fault.after === undefined) return;
  if (fault.web !== undefined) await kubectl(['-n', name, 'rollout', 'status', 'deploy/web', '--timeout=90s']);
  for (const command of fault.after) await shell(name, command);
}

/** A policy holds once the API server's informers have it, which upstream's own tests wait for as well. */
const POLICY_MILLISECONDS = 10_000;

async function apply(namespace: string, items: readonly JsonObject[]): Promise<void> {
  await kubectl(['-n', namespace, 'apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

function shell(namespace: string, command: string): ReturnType<typeof runBeside> {
  return runBeside('bash', ['-c', command.startsWith('kubectl ') ? command : `kubectl -n ${namespace} ${command}`]);
}

export async function lookAt(fault: Fault, began: number): Promise<Look> {
  const { out, err, code } = await podcheck(['diagnose', fault.target ?? 'deploy/web', '-n', fault.fault, '-o', 'json']);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  try {
    const said = JSON.parse(out) as Said;
    return { seconds, outcome: said.outcome, rules: said.causes.map(({ rule }) => rule), fix: said.causes[0]?.fix ?? [] };
  } catch {
    return { seconds, outcome: 'failed', rules: [], fix: [], failed: `exit ${code}: ${err}` };
  }
}

/** Runs the first alternative of the printed fix where it is a command, or what the fault names instead. */
async function cureOf(fault: Fault, fix: Look['fix']): Promise<PlayedFault['cure']> {
  const printed = fault.other === undefined;
  const steps = firstAlternative(fix);
  const worth = printed ? worthUntried(steps) : undefined;
  if (worth !== undefined) return { printed, commands: [], failed: worth };
  const commands = fault.other ?? steps.flatMap(({ run }) => run ?? []);
  for (const command of commands) {
    const { code, err } = await shell(fault.fault, command);
    if (code !== 0) return { printed, commands, failed: `${command}: ${err}` };
  }
  return { printed, commands };
}

const CURE_SECONDS = 150;

async function untilHealthy(fault: Fault, limitSeconds: number): Promise<Look> {
  const began = performance.now();
  if (fault.gone === true) {
    const { code, err } = await kubectl(['-n', fault.fault, 'wait', '--for=delete', fault.target ?? '', `--timeout=${limitSeconds}s`]);
    const seconds = Math.round((performance.now() - began) / 1000);
    return { seconds, outcome: code === 0 ? 'healthy' : 'failed', rules: [], fix: [], ...(code === 0 ? {} : { failed: err }) };
  }
  let look = await lookAt(fault, began);
  // A container that crashes after some seconds looks well before: it counts when it is well twice.
  for (
    let well = look.outcome === 'healthy' ? 1 : 0;
    well < 2 && look.seconds < limitSeconds;
    well = look.outcome === 'healthy' ? well + 1 : 0
  ) {
    await sleep(well > 0 ? 10_000 : 5000);
    look = await lookAt(fault, began);
  }
  return look;
}
