import { asList, asText, dig, digAt } from '../../base/json.ts';
import type { Cause, Diagnosis } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { sameObject } from '../../model/kube-object.ts';
import type { StageId } from '../../model/stage.ts';
import { causeProblem } from '../../report/pipeline/diagnosis-checks.ts';
import type { Problem } from '../../report/pipeline/check.ts';
import type { Obstacle, WorkloadOutcome } from '../../report/preflight/preflight.ts';
import { isStale, STALE_DAYS } from '../../report/preflight/preflight.ts';
import { objectWords } from '../../report/format/object-words.ts';
import type { RefusedDocument } from '../../report/simulation/run-text.ts';
import type { PlacedDocument } from '../sim/manifest-scenario.ts';
import { causePlace, placeOf, podSpecPath } from './cause-place.ts';
import { documentRef } from './manifests.ts';
import type { PlayedWorkload } from './play-through.ts';

export interface Around {
  readonly documents: readonly PlacedDocument[];
  readonly namespace: string | undefined;
  /** Images that nobody asked for. */
  readonly unknown: readonly string[];
  readonly ageSeconds?: number;
}

/** What is told of a workload that was played: what it met, where that stands, and what cannot be told. */
export function workloadOutcome({ target, met, diagnosis }: PlayedWorkload, around: Around): WorkloadOutcome {
  const { documents, namespace } = around;
  const document = documents.findLast((one) => sameObject(documentRef(one, namespace ?? 'default'), target));
  const obstacles = met.map(({ cause, assumed }) => obstacleOf(cause, assumed, { target, document, documents }));
  const dead = deadEnd(diagnosis, target, document);
  const all = dead === undefined || met.some(({ assumed }) => assumed === undefined) ? obstacles : [...obstacles, dead];
  // What stops the pods behind a Service is told of their workload.
  const waits = diagnosis.outcome === 'explained' && all.length === 0 && target.kind === 'Service' ? ['its pods do not become ready'] : [];
  const unknown = [...waits, ...unknownOf(diagnosis, document, around)];
  const lastStage = diagnosis.stages.findLast(({ verdict }) => verdict === 'passed')?.id;
  return {
    ref: target,
    place: document === undefined ? { file: documents[0]?.file ?? '' } : placeOf(document),
    verdict: all.length > 0 ? 'blocked' : unknown.length > 0 ? 'unknown' : 'starts',
    ...(lastStage === undefined ? {} : { lastStage }),
    obstacles: all,
    unknown,
  };
}

function obstacleOf(
  cause: Cause,
  assumed: string | undefined,
  {
    target,
    document,
    documents,
  }: { readonly target: ObjectRef; readonly document: PlacedDocument | undefined; readonly documents: readonly PlacedDocument[] },
): Obstacle {
  const place = document === undefined ? undefined : causePlace(cause, document, documents);
  const problem = causeProblem(cause, 'error', { subject: target, ...(place === undefined ? {} : { place }) });
  return { ...problem, stage: cause.stage, ...(assumed === undefined ? {} : { assumed }) };
}

/** All was seen, it does not come up, and no rule names why. */
function deadEnd({ outcome, stages, reason }: Diagnosis, target: ObjectRef, document: PlacedDocument | undefined): Obstacle | undefined {
  if (outcome !== 'unexplained') return undefined;
  const blocked = stages.find(({ verdict }) => verdict === 'blocked' || verdict === 'waiting');
  const stage: StageId = blocked?.id ?? 'traffic';
  return {
    rule: 'podcheck/unexplained',
    level: 'error',
    title: 'Unhealthy, and no rule names the cause',
    says: `${objectWords(target)} does not become healthy: ${blocked?.reason ?? reason ?? 'no rule names the cause'}.`,
    fix: [],
    evidence: [],
    subject: target,
    object: target,
    stage,
    ...(document === undefined ? {} : { place: placeOf(document) }),
    references: [],
  };
}

function unknownOf(
  { outcome, gaps, stages }: Diagnosis,
  document: PlacedDocument | undefined,
  { unknown, ageSeconds }: Around,
): readonly string[] {
  const images = document === undefined ? [] : imagesIn(document).filter((image) => unknown.includes(image));
  const open =
    outcome === 'inconclusive' || outcome === 'waiting'
      ? [gaps[0]?.reason ?? stages.find(({ verdict }) => verdict === 'unknown')?.reason ?? 'required evidence is missing']
      : [];
  return [
    ...open,
    ...images.map((image) => `image ${image} was not pulled, and its program was not run`),
    ...(isStale(ageSeconds) ? [`the snapshot is older than ${STALE_DAYS === 1 ? '1 day' : `${String(STALE_DAYS)} days`}`] : []),
  ];
}

function imagesIn(document: PlacedDocument): readonly string[] {
  const spec = digAt(document.object, podSpecPath(document.object));
  const images = ['initContainers', 'containers']
    .flatMap((field) => asList(dig(spec, field)))
    .flatMap((one) => asText(dig(one, 'image')) ?? []);
  return [...new Set(images)];
}

/** Documents that were not accepted, but for workloads that have said why. A kind that somebody added may be there: that is not known. */
export function refusedRemarks(
  refusals: readonly RefusedDocument[],
  documents: readonly PlacedDocument[],
  { namespace, blocked }: { readonly namespace: string | undefined; readonly blocked: readonly ObjectRef[] },
): readonly Problem[] {
  return refusals.flatMap(({ file, line, fields, said, addedKind }): readonly Problem[] => {
    const document = documents.find(
      (one) => one.file === file && (one.line === line || fields.some(({ field }) => one.places.of(field)?.line === line)),
    );
    const ref = document === undefined ? { kind: 'Manifest', name: file } : documentRef(document, namespace);
    if (blocked.some((one) => one.kind === ref.kind && one.name === ref.name)) return [];
    const [rule, level, title] = addedKind
      ? (['podcheck/unknown-kind', 'note', 'The kind is not known in this cluster'] as const)
      : (['podcheck/rejected', 'error', 'The API server rejects the object'] as const);
    const place =
      fields[0] === undefined || document === undefined ? { file, line } : { file, line, ...document.places.of(fields[0].field) };
    return [{ rule, level, title, says: said.trim(), fix: [], evidence: [], subject: ref, object: ref, place, references: [] }];
  });
}
