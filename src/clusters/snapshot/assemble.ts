import type { Json } from '../../base/json.ts';
import { dig } from '../../base/json.ts';
import type { Instant } from '../../base/instant.ts';
import { append } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { APPLIED_MANIFEST } from '../../model/record-kinds.ts';
import type { Collected, Refusal, StoredEvidence, StoredLog } from '../memory-reader.ts';
import { SNAPSHOT_CONTENTS, readRecording } from '../recording.ts';
import type { Conceal } from '../conceal-secret.ts';
import { concealManifest, concealSecrets } from '../conceal-secret.ts';
import type { ReadList } from './completeness.ts';
import { completenessOf } from './completeness.ts';
import type { Documents } from './documents.ts';
import { exportedEvents } from './exported-events.ts';
import { isManifest, manifestRecords } from './manifests.ts';
import { ObjectIndex } from './object-index.ts';
import type { Place } from './file-place.ts';
import { dumpRoots, placeOf } from './file-place.ts';
import { certificateRecordsIn } from './printed-certificates.ts';
import { refusalsIn } from './refusals.ts';
import { newestTime, tellsItsTime } from './snapshot-time.ts';
import { listItems } from './list-items.ts';

/** A file of documents, parsed. */
export interface ParsedFile {
  readonly path: string;
  readonly documents: Documents;
}

/** What the files of a snapshot hold together. */
export interface Snapshot {
  readonly objects: readonly KubeObject[];
  readonly manifests: readonly KubeObject[];
  readonly collected: readonly Collected[];
  readonly refused: readonly Refusal[];
  readonly logs: readonly StoredLog[];
  /** Recordings of podcheck's own, whole. */
  readonly recordings: readonly StoredEvidence[];
  /** Newest time in the objects; undefined where they have none. */
  readonly newest: Instant | undefined;
  /** The objects tell more than when they were created, so that the newest of their times is about when they were read. */
  readonly dated: boolean;
  /** Files that hold nothing of Kubernetes. */
  readonly foreign: readonly string[];
}

/** Puts the files together as one look at one cluster; `paths` are those of all files, read or not, which tell whose layout it is. */
export function assembleSnapshot(files: readonly ParsedFile[], paths: readonly string[], conceal?: Conceal): Snapshot {
  const parts: Parts = {
    conceal: conceal ?? concealSecrets,
    concealManifest: conceal ?? concealManifest,
    index: new ObjectIndex(),
    lists: [],
    manifests: [],
    refused: [],
    logs: [],
    recordings: [],
    foreign: [],
  };
  const roots = dumpRoots(paths);
  for (const file of files) if (!takeFile(file, roots, parts)) parts.foreign.push(file.path);
  const objects = parts.index.objects();
  const listed = completenessOf(parts.lists, objects, parts.index.isDistinct);
  const collected = parts.manifests.length === 0 ? listed : [...listed, { kind: APPLIED_MANIFEST, complete: true }];
  const { manifests, refused, logs, recordings, foreign } = parts;
  return { objects, manifests, collected, refused, logs, recordings, newest: newestTime(objects), dated: tellsItsTime(objects), foreign };
}

interface Parts {
  readonly conceal: Conceal;
  readonly concealManifest: Conceal;
  readonly index: ObjectIndex;
  readonly lists: ReadList[];
  readonly manifests: KubeObject[];
  readonly refused: Refusal[];
  readonly logs: StoredLog[];
  readonly recordings: StoredEvidence[];
  readonly foreign: string[];
}

/** Whether there was anything of Kubernetes in the file. */
function takeFile({ path, documents: read }: ParsedFile, roots: ReadonlySet<string>, parts: Parts): boolean {
  append(parts.logs, read.logs);
  if (isManifest(path, read)) {
    append(parts.manifests, manifestRecords(path, read, parts.concealManifest));
    return true;
  }
  const place = placeOf(path, roots);
  let found = read.logs.length > 0;
  for (const { value, isCut } of read.documents)
    if (takeDocument(value, { path, place, isCut: isCut === true }, parts) || takeExported(value, parts)) found = true;
  return found;
}

interface Found {
  readonly path: string;
  readonly place: Place;
  /** Some objects of the list could not be read. */
  readonly isCut: boolean;
}

function takeDocument(value: Json, { path, place, isCut }: Found, parts: Parts): boolean {
  if (takeRecording(value, parts)) return true;
  if (place.refusals === true) {
    append(parts.refused, refusalsIn(value, place));
    return true;
  }
  const certificates = certificateRecordsIn(value, path);
  for (const certificate of certificates) parts.index.add(certificate);
  if (certificates.length > 0) return true;
  const { objects, deleted, list: told } = listItems(value, place, parts.conceal);
  const list = told !== undefined && isCut ? { ...told, paged: true, cut: true as const } : told;
  for (const object of objects) parts.index.add(object);
  for (const object of deleted) parts.index.delete(object);
  const counts = list !== undefined && (objects.length > 0 || (list.kind !== undefined && isEmptyList(value)));
  if (counts) parts.lists.push({ form: list, place, objects });
  return objects.length > 0 || deleted.length > 0 || counts;
}

function takeExported(value: Json, { index }: Parts): boolean {
  const events = exportedEvents(value);
  for (const event of events) index.add(event);
  return events.length > 0;
}

/** The list of contents beside a recording says nothing that the recording does not. */
function takeRecording(value: Json, { recordings, conceal }: Parts): boolean {
  const recording = readRecording(value);
  if (recording === undefined) return dig(value, 'schema') === SNAPSHOT_CONTENTS;
  recordings.push({ ...recording, objects: recording.objects.map((object) => conceal(object) as KubeObject) });
  return true;
}

/** A list whose members are all of another kind of thing is not an empty list. */
function isEmptyList(document: unknown): boolean {
  const items: unknown = Array.isArray(document) ? document : (document as { readonly items?: unknown } | null)?.items;
  return items === null || (Array.isArray(items) && items.length === 0);
}
