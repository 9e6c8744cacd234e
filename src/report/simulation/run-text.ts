import { counted } from '../../base/counted.ts';
import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/text.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import { hanging } from '../diagnosis/cause-lines.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { diagnosisJson } from '../diagnosis/diagnosis-json.ts';
import { diagnosisText } from '../diagnosis/diagnosis-text.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';
import { objectWords } from '../format/object-words.ts';
import type { WayStage } from './stage-story.ts';
import { sinceStart, wayLines } from './stage-story.ts';

/** What came of a scenario that was played, or of manifests that were applied to a simulated cluster. */
export interface RunReport {
  readonly id: string;
  readonly title: string;
  readonly seed: number | string;
  readonly digest: string;
  readonly start: Instant;
  readonly now: Instant;
  /** Undefined when it was looked at before it had come to rest. */
  readonly settled:
    | { readonly settled: boolean; readonly limit?: 'tasks' | 'milliseconds'; readonly pending: readonly string[] }
    | undefined;
  readonly steps: readonly PlayedStep[];
  readonly way: readonly WayStage[];
  readonly diagnosis: Diagnosis;
  readonly refusals: readonly RefusedDocument[];
  /** What was applied came up, though not all that could keep it from that was known. */
  readonly cameUp: boolean;
  /** Objects of the cluster it began as that are not in it. */
  readonly leftOut: readonly { readonly about: ObjectRef; readonly why: string }[];
  /** What else was applied and is not well. */
  readonly others: readonly { readonly ref: ObjectRef; readonly reason: string }[];
  readonly alsoHealthy: readonly ObjectRef[];
  /** It was taken for granted that there is a default StorageClass that makes volumes. */
  readonly assumesStorage: boolean;
  /** Images that were run of which nothing is known. */
  readonly unknownImages: readonly { readonly image: string; readonly pod: ObjectRef }[];
}

export interface PlayedStep {
  readonly at: Instant;
  readonly what: string;
}

/** A document that was not accepted: where it stands, which of its fields are wrong and where, and what kubectl printed. */
export interface RefusedDocument {
  readonly file: string;
  readonly line: number;
  readonly fields: readonly { readonly field: string; readonly line: number }[];
  readonly said: string;
  /** Its kind is none of Kubernetes' own: clusters have it where somebody added it. */
  readonly addedKind: boolean;
}

export function runText(report: RunReport, look: Look, wide: boolean): string {
  const { start, now, steps, settled, diagnosis, refusals, leftOut, others } = report;
  const lines = [
    paint(look, 'bold', printable(report.title)),
    paint(look, 'dim', `${printable(report.id)}, seed ${printable(String(report.seed))}, digest ${report.digest}`),
    '',
    ...steps.flatMap(({ at, what }) => hanging(`  ${sinceStart(at - start).padStart(8)}  `, what, look)),
    ...hanging(`  ${sinceStart(now - start).padStart(8)}  `, restWords(settled), look),
    '',
  ];
  const more = [
    ...trafficLines(diagnosis, look),
    ...(others.length === 0
      ? []
      : [
          '',
          paint(look, 'bold', 'ALSO UNHEALTHY'),
          ...others.flatMap(({ ref, reason }) => hanging('  - ', `${objectWords(ref)}: ${clusterLine(reason)}`, look)),
        ]),
    ...alsoHealthyLines(report, look),
    ...(refusals.length === 0 ? [] : ['', paint(look, 'bold', 'REJECTED'), ...refusals.flatMap((one) => refusalLines(one, look))]),
    ...(leftOut.length === 0 ? [] : ['', paint(look, 'bold', 'NOT IN THE SIMULATED CLUSTER'), ...leftOutLines(leftOut, look, wide)]),
    ...grantedLines(report, look),
  ];
  const told = diagnosisText(diagnosis, look, {
    wide,
    timeline: false,
    way: wayLines(report.way, look, wide),
    ...(report.cameUp ? { standing: 'would become healthy, as far as checked' } : {}),
  });
  return `${shown(look, lines)}${told}${more.length === 0 ? '' : shown(look, more)}`;
}

export function runJson(report: RunReport): JsonObject {
  const { start, now, settled, steps, way, refusals, leftOut, others, unknownImages } = report;
  return {
    schema: 'podcheck.run/v1',
    scenario: report.id,
    seed: report.seed,
    digest: report.digest,
    playedMilliseconds: Math.round(now - start),
    settled: settled === undefined ? null : { settled: settled.settled, limit: settled.limit ?? null, pending: settled.pending },
    steps: steps.map(({ at, what }) => ({ atMilliseconds: Math.round(at - start), what })),
    stages: way.map(({ id, verdict, reason, sinceMilliseconds }) => ({
      id,
      verdict,
      sinceMilliseconds: sinceMilliseconds ?? null,
      reason: reason ?? null,
    })),
    refusals: refusals.map(({ file, line, fields, said }) => ({ file, line, fields: fields.map((field) => ({ ...field })), said })),
    leftOut: leftOut.map(({ about, why }) => ({ about: formatRef(about), why })),
    others: others.map(({ ref, reason }) => ({ object: formatRef(ref), reason })),
    alsoHealthy: report.alsoHealthy.map(formatRef),
    assumesStorage: report.assumesStorage,
    unknownImages: unknownImages.map(({ image, pod }) => ({ image, pod: formatRef(pod) })),
    diagnosis: diagnosisJson(report.diagnosis),
  };
}

/** What a client gets is more than fits into the line of the stage. */
function trafficLines({ stages }: Diagnosis, look: Look): readonly string[] {
  const { verdict, reason } = stages.find(({ id }) => id === 'traffic') ?? {};
  if (reason === undefined || (verdict !== 'blocked' && verdict !== 'unknown') || reason.length < SHORT) return [];
  return ['', paint(look, 'bold', 'TRAFFIC'), ...hanging('  ', clusterLine(reason), look)];
}

/** Reasons so long are cut off in their line. */
const SHORT = 44;
const SAID_LINES = 12;

function refusalLines({ file, line, fields, said }: RefusedDocument, look: Look): readonly string[] {
  const places =
    fields.length === 0
      ? [`  ${printable(file)}:${line}`]
      : fields.map((one) => `  ${printable(file)}:${one.line}: ${printable(one.field)}`);
  return [
    ...places,
    ...said
      .split('\n')
      .slice(0, SAID_LINES)
      .flatMap((words) => hanging('    │ ', clusterLine(words), look)),
  ];
}

const LEFT_OUT = 6;

/** Objects that are missing for the same reason are one line. */
export function leftOutWords(leftOut: RunReport['leftOut']): readonly string[] {
  const byWhy = new Map<string, string[]>();
  for (const { about, why } of leftOut) {
    const key = `${about.kind}: ${why}`;
    byWhy.set(key, [...(byWhy.get(key) ?? []), about.namespace === undefined ? about.name : `${about.namespace}/${about.name}`]);
  }
  return [...byWhy].map(
    ([why, names]) =>
      `${clusterLine(why)} (${clusterLine(names.slice(0, 3).join(', '))}${names.length > 3 ? `, and ${names.length - 3} more` : ''})`,
  );
}

function leftOutLines(leftOut: RunReport['leftOut'], look: Look, wide: boolean): readonly string[] {
  const told = leftOutWords(leftOut).flatMap((words) => hanging('  - ', words, look));
  return wide
    ? told
    : [...told.slice(0, LEFT_OUT), ...(told.length > LEFT_OUT ? [`  and ${counted(told.length - LEFT_OUT, 'more line')} (-o wide)`] : [])];
}

/** In one line, as nobody needs to do anything about it. */
function alsoHealthyLines({ alsoHealthy }: RunReport, look: Look): readonly string[] {
  if (alsoHealthy.length === 0) return [];
  const more = alsoHealthy.length - LEFT_OUT;
  const names = alsoHealthy.slice(0, LEFT_OUT).map(objectWords).join(', ');
  return ['', paint(look, 'bold', 'ALSO HEALTHY'), ...hanging('  - ', more > 0 ? `${names}, and ${more} more` : names, look)];
}

/** What was taken for granted, with the images. */
export function assumedWords({ assumesStorage, unknownImages }: RunReport): readonly string[] {
  const images = unknownImages.map(({ image }) => clusterLine(image)).join(', ');
  return [...(assumesStorage ? [STORAGE] : []), ...(images === '' ? [] : [`${IMAGES}: ${images}`])];
}

const STORAGE = 'the cluster has a default StorageClass that creates volumes';
const IMAGES =
  'only the names of these images are known. Assumed: they can be pulled, and their programs keep running and answer their probes';

function grantedLines({ assumesStorage, unknownImages }: RunReport, look: Look): readonly string[] {
  const storage = assumesStorage ? hanging('  - ', STORAGE, look) : [];
  const images = unknownImages.length === 0 ? [] : imageLines(unknownImages, look);
  return storage.length + images.length === 0 ? [] : ['', paint(look, 'bold', 'ASSUMED'), ...storage, ...images];
}

function imageLines(images: RunReport['unknownImages'], look: Look): readonly string[] {
  const names = images.slice(0, LEFT_OUT).flatMap(({ image }) => hanging('    ', clusterLine(image), look));
  const more = images.length > LEFT_OUT ? [`    and ${images.length - LEFT_OUT} more`] : [];
  return [...hanging('  - ', IMAGES, look), ...names, ...more];
}

const PENDING = 5;

export function restWords(settled: RunReport['settled']): string {
  if (settled === undefined) return 'observed';
  if (settled.settled) return 'settled: nothing more happens';
  const what = [...new Set(settled.pending)].slice(0, PENDING).join(', ');
  return `not settled: stopped at the limit of ${settled.limit === 'tasks' ? '2 million tasks' : '3 minutes'}; still running: ${printable(what)}`;
}
