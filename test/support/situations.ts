import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { StoredEvidence } from '../../src/clusters/memory-reader.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import { recorder } from '../../src/clusters/recorder.ts';
import { collect } from '../../src/collect/collect.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { played, targetOf } from './scenario-runs.ts';

/**
 * What a diagnosis of each scenario reads, in their order. It is played once: the file, where one is given, keeps it for later test runs.
 */
export async function situationsOf(
  scenarios: readonly Scenario[],
  rules: readonly Rule[],
  file: string | undefined,
): Promise<readonly StoredEvidence[]> {
  if (file !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as readonly StoredEvidence[];
  const situations: StoredEvidence[] = [];
  for (const scenario of scenarios) situations.push(await recorded(scenario, rules));
  if (file !== undefined) writeFileSync(file, JSON.stringify(situations));
  return situations;
}

async function recorded(scenario: Scenario, rules: readonly Rule[]): Promise<StoredEvidence> {
  const recording = recorder(played(scenario).reader());
  await collect(recording.reader, wantedOf(scenario), rules);
  return recording.evidence();
}

/** What is asked about a scenario: its target, or all of its namespace or cluster. */
export function wantedOf({ expect }: Scenario): Parameters<typeof collect>[1] {
  const target = targetOf(expect);
  const scope = target.namespace === undefined || expect?.scan === 'cluster' ? {} : { namespace: target.namespace };
  return expect?.scan === undefined ? { target, ...scope } : scope;
}

/** Reads what was recorded as the cluster was read: not as a file, of which more is read on suspicion. */
export function readerOf(situation: StoredEvidence): ClusterReader {
  const { stored: _, ...reader } = memoryReader(situation);
  return reader;
}
