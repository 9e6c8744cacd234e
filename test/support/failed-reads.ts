import { collect } from '../../src/collect/collect.ts';
import { diagnose } from '../../src/engine/diagnose.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { Diagnosis } from '../../src/model/diagnosis.ts';
import { RECORD_KINDS } from '../../src/model/record-kinds.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { BlindJudge } from './blind-judge.ts';
import type { AskedRead, ReadFault } from './faulty-reader.ts';
import { FAULT_WORDS, faultyReader, rememberingReader } from './faulty-reader.ts';
import { played, targetOf } from './scenario-runs.ts';

/** Looks at a scenario's cluster in which some reads fail: how many there were, and which of them led astray. */
export interface FailedReads {
  readonly looks: number;
  /** Each as `list Event, cut: the cause is containers/container-completes`. */
  readonly wrong: readonly string[];
}

/**
 * `thin`: each kind and verb, and in a scan every few kinds; `whole`: besides each single read, pairs, and what somebody with few rights
 * sees.
 */
export type Sweep = 'thin' | 'whole';

/** Diagnoses the scenario once for each set of reads that may fail, in the one cluster it was played in. */
export async function failedReads(scenario: Scenario, rules: readonly Rule[], sweep: Sweep): Promise<FailedReads> {
  const target = targetOf(scenario.expect);
  const scope = target.namespace === undefined ? {} : { namespace: target.namespace };
  const reader = rememberingReader(played(scenario).reader());
  const requests = scenario.expect?.scan === undefined ? [{ target, ...scope }, scope] : [scenario.expect.scan === 'cluster' ? {} : scope];
  const wrong: string[] = [];
  let looks = 0;
  for (const request of requests) {
    const isSecond = request !== requests[0];
    const { reads, diagnosis: whole } = await look(reader, () => undefined);
    const judge = new BlindJudge(scenario, rules, whole, isSecond);
    for (const [index, failure] of failuresOf([...reads.values()], sweep).entries()) {
      // A scan makes the same reads again, and many more: of these the thin sweep takes some, others for each scenario.
      if (sweep === 'thin' && isSecond && (index + scenario.id.length) % 5 !== 0) continue;
      const { diagnosis } = await look(reader, (read) => (failure.hits(read) ? failure.fault : undefined));
      looks += 1;
      const isNamed =
        failure.ofRecords ||
        diagnosis.gaps.some(({ kind, reason }) => reason.includes(FAULT_WORDS) || (kind === 'log' && failure.name.startsWith('logs')));
      const trouble = judge.troubleOf(diagnosis, isNamed, failure.ofRecords);
      if (trouble !== undefined) wrong.push(`${isSecond ? 'in a scan, ' : ''}${failure.name}, ${failure.fault}: ${trouble}`);
    }
    async function look(
      from: ClusterReader,
      faultOf: (read: AskedRead) => ReadFault | undefined,
    ): Promise<{ readonly reads: ReadonlyMap<string, AskedRead>; readonly diagnosis: Diagnosis }> {
      const faulty = faultyReader(from, faultOf);
      const evidence = await collect(faulty.reader, request, rules);
      return { reads: faulty.reads, diagnosis: diagnose(evidence, rules, target) };
    }
  }
  return { looks, wrong };
}

/** Reads that fail together. */
interface Failure {
  readonly name: string;
  readonly fault: ReadFault;
  readonly hits: (read: AskedRead) => boolean;
  /** Only sources beside the API have these: a live cluster never does, and its diagnosis names no gap for that. */
  readonly ofRecords: boolean;
}

function failuresOf(reads: readonly AskedRead[], sweep: Sweep): readonly Failure[] {
  const failures = new Map<string, Failure>();
  const add = (name: string, faults: readonly ReadFault[], hits: Failure['hits'], ofRecords = false): void => {
    for (const fault of faults) failures.set(`${name}, ${fault}`, { name, fault, hits, ofRecords });
  };
  for (const read of reads) {
    const { verb, kind, namespace, what } = read;
    if (RECORD_KINDS.includes(kind)) {
      add(kind, ['not-served'], (other) => other.kind === kind, true);
      continue;
    }
    const isOfKind = (other: AskedRead): boolean => other.kind === kind && other.verb === verb;
    // What is not a list fails as a whole when it breaks off.
    const broken: readonly ReadFault[] = verb === 'get' ? ['failed'] : ['cut'];
    add(`${verb} ${kind}`, ['forbidden', ...broken, ...(sweep === 'whole' ? (['failed', 'not-served'] as const) : [])], isOfKind);
    if (sweep === 'thin') continue;
    add(`all of ${kind}`, ['forbidden', 'not-served'], (other) => other.kind === kind);
    add(`${verb} ${kind} in ${namespace ?? 'all'}`, ['forbidden', ...broken], (other) => isOfKind(other) && other.namespace === namespace);
    add(
      `${verb} ${kind} in ${namespace ?? 'all'} ${what}`,
      ['forbidden', ...broken],
      (other) => isOfKind(other) && other.namespace === namespace && other.what === what,
    );
    for (const second of PAIRED)
      if (second !== kind) add(`all of ${kind} and ${second}`, ['forbidden'], (other) => other.kind === kind || other.kind === second);
  }
  if (sweep === 'whole') {
    add(
      'what is outside of the namespace',
      ['forbidden'],
      ({ kind, namespace }) => !RECORD_KINDS.includes(kind) && namespace !== reads.find((read) => read.namespace !== undefined)?.namespace,
    );
    add('all but pods', ['forbidden'], ({ kind }) => !RECORD_KINDS.includes(kind) && kind !== 'Pod');
    add('everything', ['failed'], ({ kind }) => !RECORD_KINDS.includes(kind));
  }
  return [...failures.values()];
}

/** Kinds that people often may not read, each together with each other one. */
const PAIRED = ['Node', 'Event', 'Secret'];
