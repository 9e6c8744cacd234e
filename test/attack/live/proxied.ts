import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Prng } from '../../../src/base/prng.ts';
import { loadRules } from '../../../src/catalog/load-rules.ts';
import { loadScenarios } from '../../../src/catalog/load-scenarios.ts';
import { openLive } from '../../../src/clusters/live/open-live.ts';
import { collect } from '../../../src/collect/collect.ts';
import { diagnose } from '../../../src/engine/diagnose.ts';
import type { Diagnosis } from '../../../src/model/diagnosis.ts';
import { isUnread } from '../../../src/model/fact.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { readJournal } from '../../../src/runbook/journal-file.ts';
import { journalState } from '../../../src/runbook/journal-state.ts';
import { BlindJudge } from '../../support/blind-judge.ts';
import { podcheck } from '../../support/command-line.ts';
import { targetOf } from '../../support/scenario-runs.ts';
import type { Faults, ServedScenario } from '../../support/served-scenario.ts';
import { closeServed, keyOf, servedScenario } from '../../support/served-scenario.ts';
import { WIRE_FAULTS } from '../../support/wire-faults.ts';
import { broken } from '../invariants.ts';
import type { LiveWorld } from '../live-case.ts';
import { pick } from '../mutation.ts';
import type { Outcome } from '../runner.ts';

/** Of different stages, and each explained by what a running cluster shows. */
const IDS = [
  'volumes/configmap-not-found',
  'scheduling/claim-access-mode-mismatch',
  'endpoints/no-ready-endpoints',
  'containers/port-conflict',
  'probes/liveness-too-early',
  'validating-admission/quota-exceeded',
  'kubelet/node-not-ready',
];
const FORMS = Object.keys(WIRE_FAULTS);
/** An empty list without a sign that it is wrong contradicts nothing that the judge could know of. */
const SILENT = 'nothing by selector';

interface Stage {
  readonly served: ServedScenario;
  readonly rules: readonly Rule[];
  readonly whole: Diagnosis;
}

/** A cluster of which several reads go wrong, each in its own way: no other cause is named, none is left out, nothing is changed. */
export async function proxyCase(prng: Prng, world: LiveWorld): Promise<Outcome> {
  const id = pick(IDS, prng);
  const stage = await staged(id, world);
  const { served } = stage;
  const share = pick([0.1, 0.3, 0.7], prng);
  const met = new Map<string, string>();
  const faults: Faults = (read) => {
    const own = prng.split(keyOf(read));
    if (read.verb === 'version' || own.fraction() > share) return undefined;
    const form = pick(
      FORMS.filter((one) => one !== SILENT),
      own,
    );
    met.set(keyOf(read), form);
    return form;
  };
  const fell: string[] = [];
  const diagnosis = await diagnosed(served, stage.rules, faults);
  const trouble = new BlindJudge(served.scenario, stage.rules, stage.whole, false).troubleOf(diagnosis, diagnosis.gaps.some(isUnread));
  if (trouble !== undefined) fell.push(trouble);
  served.faults.set('', faults);
  const before = served.proxy.seen.length;
  const target = targetOf(served.scenario.expect);
  const argv = pick(
    [
      ['diagnose', `${target.kind}/${target.name}`, '-n', 'shop', '-o', 'json'],
      ['scan', '-n', 'shop'],
      ['cert-expiry', '--secrets'],
      [
        'runbook',
        'run',
        'missing-config',
        `${target.kind}/${target.name}`,
        '-n',
        'shop',
        '--auto',
        'read',
        '--journal',
        join(world.folder, 'journal'),
      ],
    ],
    prng,
  );
  const begun = performance.now();
  const ran = await podcheck([...argv, '--request-timeout', '2s'], { env: { KUBECONFIG: served.kubeconfig, HOME: world.folder } });
  fell.push(...broken(argv, [], { ...ran, milliseconds: 0, megabytes: 0 }, world.folder));
  if (performance.now() - begun > 120_000) fell.push(`${argv.join(' ')} takes ${String(Math.round((performance.now() - begun) / 1000))} s`);
  if (/Fixed\./.test(ran.out)) fell.push('it is said to be fixed');
  for (const { method, path, isDryRun } of served.proxy.seen.slice(before))
    if (method !== 'GET' && !isDryRun && !/selfsubject/.test(path)) fell.push(`a write: ${method} ${path}`);
  fell.push(...brokenJournals(join(world.folder, 'journal')));
  const way = [...met].map(([key, form]) => `${key}: ${form}`).join(', ');
  return {
    fell: fell.map((words) => `${id} with ${way}: ${words}`),
    refused: false,
    said: `${id} with ${way}\n${argv.join(' ')}: exit code ${String(ran.code)}\n${ran.out}${ran.err}`,
  };
}

function staged(id: string, world: LiveWorld): Promise<Stage> {
  return world.once(`scenario ${id}`, async () => {
    const [{ rules }, { scenarios }] = [await loadRules('rules'), await loadScenarios('rules')];
    const scenario = scenarios.find((one) => one.id === id);
    if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
    const served = await servedScenario(scenario);
    return { value: { served, rules, whole: await diagnosed(served, rules, () => undefined) }, close: () => closeServed(served) };
  });
}

async function diagnosed(served: ServedScenario, rules: readonly Rule[], faults: Faults): Promise<Diagnosis> {
  const target = targetOf(served.scenario.expect);
  served.faults.set('attack', faults);
  const cluster = await openLive({
    kubeconfig: served.kubeconfig,
    around: { env: {}, homeFolder: '/nonexistent', workingFolder: '/' },
    clock: Date.now,
    interactive: false,
    userAgent: 'attack',
    limits: { idleSeconds: 1, totalSeconds: 2, connectSeconds: 10 },
  });
  try {
    return diagnose(
      await collect(cluster.reader, { target, ...(target.namespace === undefined ? {} : { namespace: target.namespace }) }, rules),
      rules,
      target,
    );
  } finally {
    cluster.close();
  }
}

function brokenJournals(folder: string): readonly string[] {
  let runs: readonly string[] = [];
  try {
    runs = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => name.replace('.jsonl', ''));
  } catch {
    return [];
  }
  return runs.flatMap((run) => {
    const state = journalState(readJournal(folder, run));
    return state === 'complete' || state === 'unfinished' ? [] : [`the journal is ${state}`];
  });
}
