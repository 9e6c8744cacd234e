import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { openSources } from '../src/clusters/open-source.ts';
import { writeRecording } from '../src/clusters/recording.ts';
import { recordLook } from '../src/commands/snapshot/record-look.ts';
import { diagnoseTarget } from '../src/library/diagnose-target.ts';
import type { Diagnosis } from '../src/model/diagnosis.ts';
import { formatRef } from '../src/model/kube-object.ts';
import { emptyFolder } from './support/built-program.ts';
import { played, targetOf } from './support/scenario-runs.ts';

const folder = emptyFolder();
afterAll(folder.remove);
const rules = await shippedRules();
const scenarios = (await shippedScenarios()).filter(({ expect: expected }) => expected?.scan === undefined);

const NO_OBJECTS: ReadonlySet<string> = new Set(['Cluster', 'Manifest']);

/** All that decides; what is not there, a reader of a file says in other words than a cluster. */
function answerOf({ outcome, state, stages, causes, gaps }: Diagnosis): unknown {
  return {
    outcome,
    state,
    stages: stages.map(({ id, verdict }) => `${id} ${verdict}`),
    causes: causes.map(({ rule, object, fix }) => ({ rule, object: formatRef(object), fix })),
    gaps: gaps.map(({ kind, about }) => `${kind} ${formatRef(about)}`).toSorted(),
  };
}

describe('a redacted snapshot', () => {
  it('finds scenarios', () => {
    expect(scenarios.length).toBeGreaterThan(300);
  });

  it.each(scenarios.map((scenario) => [scenario.id, scenario] as const))('gives the answer of the cluster: %s', async (_, scenario) => {
    const reader = played(scenario).reader();
    const target = targetOf(scenario.expect);
    const live = await diagnoseTarget(reader, rules, target);
    // A command that reached no cluster is no object that can be named.
    const word = NO_OBJECTS.has(target.kind) ? undefined : formatRef(target);
    const { evidence } = await recordLook({ reader, place: '', close: () => undefined }, rules, word, () => undefined);
    const file = join(folder.path, 'recording.json');
    writeFileSync(file, writeRecording(evidence, { redact: true }));
    const source = await openSources([file], {
      stdin: () => {
        throw new Error('nothing is read from stdin');
      },
      clock: () => 0,
      openings: () => Promise.resolve([]),
    });
    expect(answerOf(await diagnoseTarget(source.reader, rules, target))).toEqual(answerOf(live));
  });
});
