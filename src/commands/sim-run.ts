import { readFile, writeFile } from 'node:fs/promises';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import type { JsonObject } from '../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../base/json.ts';
import { printable } from '../base/text.ts';
import { parseKubeYaml } from '../base/yaml/kube-yaml.ts';
import { collect } from '../collect/collect.ts';
import { diagnose } from '../engine/diagnose.ts';
import type { Diagnosis } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import type { Scenario, ScenarioStep } from '../model/scenario.ts';
import { diagnosisJson } from '../report/diagnosis-json.ts';
import { diagnosisText } from '../report/diagnosis-text.ts';
import { paint, shown } from '../report/look.ts';
import { stepWords } from '../report/scenario-text.ts';
import type { Cluster, Settled } from '../simulator/cluster.ts';
import type { Played } from '../simulator/scenario/play.ts';
import { playScenario } from '../simulator/scenario/play.ts';
import { traceEnd } from '../simulator/trace-file.ts';
import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { exitCodeOf } from './exit-codes.ts';
import { gatherRules } from './gather-rules.ts';
import type { OutputOptions, RuleOptions } from './options.ts';
import { dataText, outputFormat } from './output-format.ts';
import { optionMilliseconds, optionSeed, scenarioNamed } from './scenario-named.ts';

export interface SimRunOptions extends RuleOptions, OutputOptions {
  readonly namespace?: string;
  readonly seed?: string;
  /** How long after the start it is looked at. */
  readonly until?: string;
  /** File the trace is written to. */
  readonly trace?: string;
}

export interface SimTryOptions extends SimRunOptions {
  readonly file?: readonly string[];
  readonly from?: readonly string[];
  /** A preset of nodes. */
  readonly cluster?: string;
}

export const SIM_FORMATS = ['text', 'wide', 'json', 'yaml'] as const;

/** Plays a scenario, or applies manifests to a new cluster, and shows the way of what was asked for through the stages. */
export async function runSimRun(words: readonly string[], options: SimRunOptions, context: CommandContext): Promise<ExitCode> {
  const [word, ...more] = words;
  if (word === undefined) throw new PodcheckError('usage', 'which scenario?', '`podcheck sim list` has them all');
  const scenario = more.length === 0 && !(await isManifest(word)) ? await scenarioNamed(word) : await scenarioOf(words, 'three-nodes', options);
  return play(scenario, options, context);
}

/** What would happen if these manifests were applied to a cluster of a preset. */
export async function runSimTry(options: SimTryOptions, context: CommandContext): Promise<ExitCode> {
  const files = options.file ?? [];
  if (options.from !== undefined) throw new PodcheckError('unsupported', 'sim try starts from a preset, not from a snapshot', 'leave --from out; --cluster chooses the nodes');
  if (files.length === 0) throw new PodcheckError('usage', 'what is to be applied?', 'podcheck sim try -f manifest.yaml');
  return play(await scenarioOf(files, options.cluster ?? 'three-nodes', options), options, context);
}

interface Step {
  readonly at: Instant;
  readonly what: string;
}

interface Ran extends Played {
  readonly steps: readonly Step[];
  readonly diagnosis: Diagnosis;
}

async function play(scenario: Scenario, options: SimRunOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, SIM_FORMATS);
  const until = optionMilliseconds('--until', options.until);
  const lines: string[] = [];
  const steps: Step[] = [];
  const ran: Ran = await context.progress(`playing ${scenario.id}`, async (say) => {
    const rules = await gatherRules(options.rules ?? []);
    const played = playScenario(scenario, {
      seed: optionSeed(options.seed),
      ...(until === undefined ? {} : { atMilliseconds: until }),
      ...(options.trace === undefined ? {} : { surroundings: { trace: (line: string) => void lines.push(line) } }),
      onStep: (step, cluster) => {
        say(stepWords(step));
        steps.push({ at: cluster.now(), what: stepWords(step) });
      },
    });
    say('diagnosing');
    return { ...played, steps, diagnosis: await diagnosisOf(played.cluster, scenario, rules, options.namespace) };
  });
  if (options.trace !== undefined) await writeTrace(options.trace, [...lines, traceEnd(ran.cluster)]);
  context.write(format === 'json' || format === 'yaml' ? await dataText(runJson(scenario, ran), format) : runText(scenario, ran, context, format === 'wide'));
  return exitCodeOf(ran.diagnosis.outcome);
}

/** What the scenario asks about; else the one thing that is not well. */
async function diagnosisOf(cluster: Cluster, scenario: Scenario, rules: readonly Rule[], namespace: string | undefined): Promise<Diagnosis> {
  const reader = cluster.reader();
  const target = scenario.expect?.target ?? (await chosenTarget(cluster, namespace)) ?? workloadOf(scenario);
  if (target === undefined) throw new PodcheckError('bad-input', 'there is nothing in the cluster to ask about', 'apply a workload, a pod or a Service');
  const place = target.namespace === undefined ? {} : { namespace: target.namespace };
  const scope = scenario.expect?.scan === 'cluster' ? {} : scenario.expect?.scan === 'namespace' ? place : { target, ...place };
  return diagnose(await collect(reader, scope), rules, target);
}

async function chosenTarget(cluster: Cluster, namespace: string | undefined): Promise<ObjectRef | undefined> {
  const evidence = await collect(cluster.reader(), namespace === undefined ? {} : { namespace });
  return evidence.targets.find(({ state }) => state !== 'healthy')?.ref;
}

/** The first thing that runs pods among what was applied. */
function workloadOf({ steps }: Scenario): ObjectRef | undefined {
  for (const step of steps) {
    if (step.do !== 'apply') continue;
    for (const document of step.documents) {
      const [kind, name] = [asText(document['kind']) ?? '', asText(dig(document, 'metadata', 'name'))];
      if (name !== undefined && WORKLOADS.includes(kind)) return { kind, namespace: asText(dig(document, 'metadata', 'namespace')) ?? step.namespace ?? 'default', name };
    }
  }
  return undefined;
}

const WORKLOADS: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'ReplicaSet', 'Pod', 'Service'];

/** Whether a word names a file of Kubernetes objects and not a scenario. */
async function isManifest(word: string): Promise<boolean> {
  if (!/\.(ya?ml|json)$/.test(word)) return false;
  return documentsIn(await textOf(word), word).every((document) => asText(document['kind']) !== undefined);
}

/** A scenario that applies manifests, with the namespaces they need. */
async function scenarioOf(files: readonly string[], preset: string, { namespace }: SimRunOptions): Promise<Scenario> {
  const steps: ScenarioStep[] = [];
  const needed = new Set<string>();
  for (const file of files) {
    const documents = documentsIn(await textOf(file), file);
    for (const document of documents) needed.add(asText(dig(document, 'metadata', 'namespace')) ?? namespace ?? 'default');
    steps.push({ do: 'apply', documents, namespace, create: false, atMilliseconds: undefined, place: file });
  }
  const own = new Set(steps.flatMap((step) => (step.do === 'apply' ? step.documents : [])).filter((document) => document['kind'] === 'Namespace').map((document) => asText(dig(document, 'metadata', 'name'))));
  const missing = [...needed].filter((name) => name !== 'default' && !own.has(name)).map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  const before: readonly ScenarioStep[] = missing.length === 0 ? [] : [{ do: 'apply', documents: missing, namespace: undefined, create: false, atMilliseconds: undefined, place: files[0] ?? '' }, { do: 'wait', atMilliseconds: undefined, place: files[0] ?? '' }];
  return { id: files.join(' '), title: files.join(', '), cluster: { preset, configuration: {} }, setup: [], steps: [...before, ...steps], untilMilliseconds: undefined, expect: undefined, cure: [] };
}

function documentsIn(text: string, file: string): readonly JsonObject[] {
  const { documents, errors } = parseKubeYaml(text, file);
  const [error] = errors;
  if (error !== undefined) throw new PodcheckError('bad-input', `${error.file}:${error.line}: ${error.message}`, 'kubectl would not read it either');
  return documents.flatMap(({ value }) => {
    if (!isJsonObject(value)) return [];
    return value['kind'] === 'List' ? asList(value['items']).filter(isJsonObject) : [value];
  });
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot read ${file}: ${reasonOf(error)}`, '`podcheck sim list` names the scenarios that come along');
  }
}

async function writeTrace(file: string, lines: readonly string[]): Promise<void> {
  try {
    await writeFile(file, `${lines.join('\n')}\n`);
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot write the trace to ${file}: ${reasonOf(error)}`);
  }
}

function runJson(scenario: Scenario, { cluster, start, settled, steps, diagnosis }: Ran): JsonObject {
  return {
    schema: 'podcheck.run/v1',
    scenario: scenario.id,
    seed: cluster.options.seed,
    digest: cluster.digest(),
    playedMilliseconds: Math.round(cluster.now() - start),
    settled: settled === undefined ? null : { settled: settled.settled, limit: settled.limit ?? null, pending: settled.pending },
    steps: steps.map(({ at, what }) => ({ atMilliseconds: Math.round(at - start), what })),
    diagnosis: diagnosisJson(diagnosis),
  };
}

function runText(scenario: Scenario, { cluster, start, settled, steps, diagnosis }: Ran, { look }: CommandContext, wide: boolean): string {
  const lines = [
    paint(look, 'bold', printable(scenario.title)),
    paint(look, 'dim', `${printable(scenario.id)}, seed ${String(cluster.options.seed)}, digest ${cluster.digest()}`),
    '',
    ...steps.map(({ at, what }) => `  ${since(at, start).padStart(7)}  ${what}`),
    `  ${since(cluster.now(), start).padStart(7)}  ${restWords(settled)}`,
    '',
  ];
  return `${shown(look, lines)}${diagnosisText(diagnosis, look, { wide, timeline: false })}`;
}

function since(at: Instant, start: Instant): string {
  return `+${((at - start) / 1000).toFixed(1)}s`;
}

function restWords(settled: Settled | undefined): string {
  if (settled === undefined) return 'looked at';
  if (settled.settled) return 'settled: nothing is left to be done';
  return `still busy when ${settled.limit === 'tasks' ? 'the limit of tasks was reached' : 'its time was up'}: ${printable(settled.pending.slice(0, 3).join(', '))}`;
}
