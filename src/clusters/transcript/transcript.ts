import type { Instant } from '../../base/instant.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Opening } from '../../model/rule.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { LOOSE_TEXT } from '../../model/record-kinds.ts';
import type { StoredEvidence } from '../memory-reader.ts';
import { memoryReader } from '../memory-reader.ts';
import type { Note } from '../note.ts';
import { finish } from './assemble-evidence.ts';
import { markOf, readCustomResources } from './custom-resources.ts';
import { Gathering } from './gathering.ts';
import { takeKnownWords } from './known-words.ts';
import { readManifest } from './manifests.ts';
import { readingsOf } from './readings.ts';
import { OpeningSearch } from './loose/opening-search.ts';
import { readSegment } from './read-segment.ts';
import type { Reading } from './reading.ts';
import { segmentsOf } from './segments.ts';
import { segmentTimes } from './segment-times.ts';

/** A pasted text, read. */
export interface Transcript {
  readonly reader: ClusterReader;
  /** What the reader serves, to be merged with other sources of the same cluster. */
  readonly evidence: StoredEvidence;
  readonly objects: readonly KubeObject[];
  /** Lines that were not understood, with their numbers; they stop nothing. */
  readonly notes: readonly Note[];
  /** How each line was read. */
  readonly readings: () => readonly Note[];
  /** Whether anything of Kubernetes was found at all. */
  readonly recognised: boolean;
}

export interface TranscriptOptions {
  /** By which messages that stand alone are found. */
  readonly openings: readonly Opening[];
  /** What the text is called in messages. */
  readonly name: string;
  /** Overrides the time the transcript itself tells; ages are relative to it. */
  readonly now?: Instant;
  /** Time to take when the transcript tells none, such as that of its file; the present without it. */
  readonly written?: Instant;
  /** The namespace of commands that name none, until one chooses another; what objects beside the transcript tell. */
  readonly namespace?: string;
}

/**
 * Reads text that a person pasted: kubectl commands with their output, outputs alone, manifests, service states of nodes. What cannot
 * be read is left out with a note; each object says which fields its sources show (`OBSERVED`), and what was not listed is not absent.
 */
export function readTranscript(text: string, options: TranscriptOptions): Transcript {
  const segments = segmentsOf(text);
  const times = segmentTimes(segments, options.now, options.written ?? Date.now());
  const gathering = new Gathering();
  const openings = new OpeningSearch(options.openings.filter(({ known }) => known !== true));
  if (options.namespace !== undefined) gathering.useContext(options.namespace);
  const files: Reading['files'] = new Map();
  for (const [index, segment] of segments.entries()) {
    gathering.enter(index);
    const since = markOf(gathering);
    const reading: Reading = {
      gathering,
      openings,
      at: times.of(segment),
      zoneMinutes: times.zoneMinutes,
      name: options.name,
      files,
      last: index === segments.length - 1,
    };
    readSegment(segment, reading);
    readCustomResources(segment.output, reading, since);
  }
  for (const [file, { text: shown, namespace, applied, last }] of files) {
    const documents = readManifest(shown, file, namespace);
    // What cannot be parsed where a text breaks off within a line was cut off there.
    for (const document of last === true && !applied && !text.endsWith('\n')
      ? documents.filter(({ spec }) => spec['error'] === undefined)
      : documents)
      gathering.manifests.push(document);
  }
  takeKnownWords(gathering, () => new OpeningSearch(options.openings.filter(({ known }) => known === true)));
  const evidence = finish(gathering, times.now);
  return {
    reader: memoryReader(evidence),
    evidence,
    objects: evidence.objects,
    notes: gathering.notes,
    readings: () => readingsOf(segments, gathering),
    recognised:
      [...evidence.objects, ...evidence.collected].some(({ kind }) => kind !== LOOSE_TEXT) ||
      evidence.logs.length > 0 ||
      evidence.absent.length > 0 ||
      evidence.refused.length > 0,
  };
}
