import { asList, asText, dig } from '../../base/json.ts';
import { PodcheckError } from '../../base/errors.ts';
import type { Gap } from '../../model/fact.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { sameObject } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import type { Effect, Preflight, WorkloadOutcome } from '../../report/preflight/preflight.ts';
import type { RefusedDocument } from '../../report/simulation/run-text.ts';
import type { Problem } from '../../report/pipeline/check.ts';
import type { Cluster } from '../../simulator/index.ts';
import { unknownImages } from '../../simulator/index.ts';
import type { CommandContext } from '../context.ts';
import type { OpenedEvidence } from '../diagnose/open-evidence.ts';
import { assumedStorage } from '../sim/assumed-storage.ts';
import { workloadsOf } from '../sim/chosen-target.ts';
import type { PlacedDocument } from '../sim/manifest-scenario.ts';
import { manifestScenario, namespacesOf, wantedObjects } from '../sim/manifest-scenario.ts';
import { refusalsIn } from '../sim/refused-documents.ts';
import { optionSeed } from '../sim/scenario-named.ts';
import { trialClone } from '../sim/trial-clone.ts';
import { storageGaps } from '../sim/undecided-trial.ts';
import type { Today } from './effects.ts';
import { effectsOn, todayIn } from './effects.ts';
import { narrowedReader } from './narrow-reader.ts';
import { duplicates } from './manifests.ts';
import type { PlayThrough } from './play-through.ts';
import { playThrough } from './play-through.ts';
import { refusedRemarks, workloadOutcome } from './workload-outcome.ts';

export interface Trial {
  /** A saved or live cluster to clone; without it a preset is simulated. */
  readonly opened: OpenedEvidence | undefined;
  readonly isSaved: boolean;
  readonly preset: string | undefined;
  readonly namespace: string | undefined;
  readonly seed: string | undefined;
  readonly rules: readonly Rule[];
  readonly context: CommandContext;
}

/** Plays manifests in a cluster of their own, and tells what became of each. */
export async function tryManifests(documents: readonly PlacedDocument[], trial: Trial): Promise<Preflight> {
  const { opened, namespace, rules, context, seed } = trial;
  const place = await placeFor(documents, trial);
  let effects: readonly Effect[] = [];
  const { cluster, workloads, answers } = await playThrough({
    ...place.play,
    seed: optionSeed(seed),
    rules,
    targets: distinct(workloadsOf(place.play.scenario)),
    wanted: wantedObjects(documents, namespace),
    signal: context.signal,
    onApplied: (applied) => {
      effects = place.today === undefined ? [] : effectsOn(place.today, applied, documents, namespace);
    },
  });
  const age = opened === undefined || !trial.isSaved ? undefined : (context.clock() - opened.reader.now()) / 1000;
  const aged = age === undefined || age < 0 ? {} : { ageSeconds: age };
  const around = { documents, namespace, unknown: imagesNotPulled(cluster, place.today), ...aged };
  const outcomes = workloads.map((workload) => workloadOutcome(workload, around));
  const remarks = [
    ...duplicates(documents, namespace),
    ...remarksOn(refusalsIn(answers, documents, cluster), documents, outcomes, namespace),
  ];
  const isOf = ({ level, subject }: Problem, ref: ObjectRef): boolean =>
    level === 'error' && subject.kind === ref.kind && subject.name === ref.name && (subject.namespace ?? ref.namespace) === ref.namespace;
  return {
    files: [...new Set(documents.map(({ file }) => file))],
    cluster: place.words,
    at: cluster.now(),
    ...aged,
    workloads: outcomes.map((outcome) =>
      rejectedBy(
        remarks.filter((remark) => isOf(remark, outcome.ref)),
        outcome,
      ),
    ),
    remarks: remarks.filter((remark) => !outcomes.some(({ ref }) => isOf(remark, ref))),
    effects,
    gaps: place.gaps,
    known: 0,
  };
}

/** A workload that was not accepted has met its obstacle, whatever else is not known. */
function rejectedBy(remarks: readonly Problem[], outcome: WorkloadOutcome): WorkloadOutcome {
  if (remarks.length === 0) return outcome;
  return { ...outcome, verdict: 'blocked', obstacles: remarks.map((remark) => ({ ...remark, stage: 'apply' })), unknown: [] };
}

interface TrialPlace {
  readonly play: Pick<PlayThrough, 'scenario' | 'cluster'>;
  readonly words: string;
  readonly gaps: readonly Gap[];
  /** Of a clone: what runs in it. */
  readonly today?: Today;
}

async function placeFor(
  documents: readonly PlacedDocument[],
  { opened, preset = 'three-nodes', namespace, seed }: Trial,
): Promise<TrialPlace> {
  if (opened === undefined) {
    const storage = assumedStorage(documents);
    const made = namespacesOf(documents, namespace).filter((name) => name !== 'default');
    const scenario = manifestScenario(documents, { preset, namespace, made, storage: storage.objects });
    return { play: { scenario, cluster: undefined }, words: `a simulated cluster (${preset})`, gaps: storageGaps(storage) };
  }
  if (opened.trouble !== undefined) throw new PodcheckError('unreachable', opened.trouble, 'use --from with a saved cluster');
  const narrowed = await narrowedReader(opened.reader, wantedObjects(documents, namespace));
  const { cluster, gaps } = await trialClone(narrowed ?? opened.reader, documents, { namespace, seed });
  const scenario = manifestScenario(documents, { preset: 'no-nodes', namespace, made: [] });
  return { play: { scenario, cluster }, words: `a clone of ${opened.place}`, gaps, today: todayIn(cluster) };
}

/** Images of which nothing is known but their names; what runs in the cluster today was pulled there. */
function imagesNotPulled(cluster: Cluster, today: Today | undefined): readonly string[] {
  const pulled = new Set((today?.pods ?? []).flatMap(imagesOf));
  return unknownImages(cluster, 0).flatMap(({ image }) => (pulled.has(image) ? [] : [image]));
}

/** Documents that were not accepted, and about which no workload says why. */
function remarksOn(
  refusals: readonly RefusedDocument[],
  documents: readonly PlacedDocument[],
  outcomes: readonly WorkloadOutcome[],
  namespace: string | undefined,
): readonly Problem[] {
  const blocked = outcomes.filter(({ verdict }) => verdict === 'blocked').map(({ ref }) => ref);
  return refusedRemarks(refusals, documents, { namespace, blocked });
}

function imagesOf(pod: KubeObject): readonly string[] {
  return ['initContainerStatuses', 'containerStatuses']
    .flatMap((field) => asList(dig(pod, 'status', field)))
    .flatMap((status) => ((asText(dig(status, 'imageID')) ?? '') === '' ? [] : (asText(dig(status, 'image')) ?? [])));
}

function distinct(refs: readonly ObjectRef[]): readonly ObjectRef[] {
  return refs.filter((ref, index) => refs.findIndex((one) => sameObject(one, ref)) === index);
}
