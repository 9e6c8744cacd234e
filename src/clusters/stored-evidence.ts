import { PodcheckError } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import { parseInstant } from '../base/instant.ts';
import type { Json } from '../base/json.ts';
import { dig } from '../base/json.ts';
import { append } from '../base/lists.ts';
import type { Opening } from '../model/rule.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import { LOOSE_TEXT } from '../model/record-kinds.ts';
import { isToldAlone, logExportsOf, textsOfBareFolder } from './bare-folder.ts';
import { manifestsAsApplied } from './applied-manifests.ts';
import type { Conceal } from './conceal-secret.ts';
import { joinTexts } from './join-texts.ts';
import type { StoredEvidence, StoredLog } from './memory-reader.ts';
import { mergeEvidence } from './merge-evidence.ts';
import type { Note } from './note.ts';
import { placeEvents } from './place-events.ts';
import { reconcile } from './reconcile.ts';
import type { ParsedFile, Snapshot } from './snapshot/assemble.ts';
import { assembleSnapshot } from './snapshot/assemble.ts';
import { decodeText } from './snapshot/decode-text.ts';
import { exportedEvents } from './snapshot/exported-events.ts';
import { reasonToLeaveOut } from './snapshot/ignored-file.ts';
import { MAX_DOCUMENT_BYTES, SAMPLE_BYTES } from './snapshot/limits.ts';
import { placeOfLog, podNames } from './snapshot/log-places.ts';
import type { TranscriptText, Trouble } from './snapshot/read-files.ts';
import { FileReader, isDocumentName } from './snapshot/read-files.ts';
import { isLogExport, recogniseText } from './snapshot/recognise.ts';
import type { SourceFile } from './snapshot/source-file.ts';
import { withImpliedByEventsAlone } from './transcript/implied-evidence.ts';
import type { Transcript } from './transcript/transcript.ts';
import { readTranscript } from './transcript/transcript.ts';

/** The files of one source. `isSingle`: the person named each of them, so that none is left out for its name. */
export interface SourceFiles {
  readonly name: string;
  readonly files: readonly SourceFile[];
  readonly isSingle: boolean;
  /** It came through a pipe, and is no archive. */
  readonly isStreamed?: boolean;
  /** What of the source could not be given as files. */
  readonly notes: readonly Note[];
}

export interface ReadEvidence {
  readonly evidence: StoredEvidence;
  readonly notes: readonly Note[];
  readonly readings: readonly Note[];
}

interface ReadOptions {
  /** By which messages that stand alone in a text are found. */
  readonly openings: () => Promise<readonly Opening[]>;
  readonly now?: Instant;
  readonly clock: () => Instant;
  /** What becomes of Secrets; their values are emptied without it. */
  readonly conceal?: Conceal;
  /** Where objects tell no time but that of their creation, which may be long ago, the time of the files counts as well. */
  readonly datedByFiles?: boolean;
  /** False: logs of containers are not wanted, and not read. */
  readonly logs?: boolean;
  /** Lines that are part of nothing are evidence, too: rules may know their words. */
  readonly looseTexts?: boolean;
  readonly explainReading?: boolean;
  /** JSON files of so many bytes and more are read piece by piece. */
  readonly streamedFrom?: number;
  /** Few objects are asked for: of most that are in large files only the outline is kept. */
  readonly sparse?: boolean;
}

/**
 * Reads all files of a source and takes them together. Throws a PodcheckError (bad-input) when nothing of Kubernetes comes of
 * it, which says what was wrong with the first file that could not be parsed.
 */
export async function readEvidence(source: SourceFiles, options: ReadOptions): Promise<ReadEvidence> {
  const reader = new FileReader(options.streamedFrom, isSparse(source, options));
  const read = source.isSingle ? await readNamed(source, reader, options.conceal) : await readFolder(source, reader, options);
  const { collected, refused, recordings, foreign } = read.snapshot;
  const objects = placeEvents(read.snapshot.objects);
  const transcript = await readTexts(read, source.name, writtenAt(source, read, options), options);
  const shown = objectsOf(transcript);
  const { manifests, notes } = manifestsAsApplied(read.snapshot.manifests, [...objects, ...shown]);
  const logs = [...read.snapshot.logs, ...read.logs, ...(await logsOf(read.unplaced, reader, shown))];
  const reconciled = transcript === undefined ? undefined : reconcile(transcript.evidence, read.snapshot);
  const others = [...(reconciled === undefined ? [] : [reconciled.evidence]), ...recordings];
  const ages = transcript === undefined ? undefined : timeByAges(transcript.evidence, objects);
  const now = options.now ?? momentOf(source, read, options, [...others.map((one) => one.now), ages]);
  const implied = recordings.length > 0 ? { objects, collected } : withImpliedByEventsAlone(objects, collected, shown);
  const own: StoredEvidence = {
    objects: [...implied.objects, ...manifests],
    collected: implied.collected,
    absent: [],
    refused,
    logs,
    now,
  };
  const merged = { ...mergeEvidence([...others, own]), now, ...recordedAlone(read.snapshot, transcript, own) };
  const evidence = withRestHidden(merged, [...source.notes, ...reader.notes]);
  const isForeign = transcript?.recognised !== true && evidence.objects.every(({ kind }) => kind === LOOSE_TEXT);
  const isLoose = options.looseTexts === true && evidence.objects.length > 0 && reader.faults.length === 0;
  if (isForeign && !isLoose) throw nothingIn(source, [...reader.faults, ...source.notes.map((note) => ({ ...note, hint: UNPACK }))]);
  const ofTexts = [...notesOf(isForeign ? undefined : transcript), ...notesOf(reconciled)];
  return {
    evidence,
    readings: options.explainReading === true ? readingsOf(transcript) : [],
    notes: [...reader.notes, ...foreignNotes(foreign), ...notes, ...ofTexts],
  };
}

/** Where the rest of a source was not read, none of its lists is known to be whole. */
function withRestHidden(evidence: StoredEvidence, notes: readonly Note[]): StoredEvidence {
  const note = notes.find(({ hidesRest }) => hidesRest === true);
  if (note === undefined) return evidence;
  const collected = evidence.collected.map((one) => ({ ...one, complete: false }));
  return { ...evidence, collected, unread: note.file === undefined ? note.text : `${note.file}: ${note.text}` };
}

/** Logs and transcripts beside them are read together with all that the objects hold. */
function isSparse({ files }: SourceFiles, { sparse, conceal }: ReadOptions): boolean {
  return sparse === true && conceal === undefined && files.every(({ path }) => isDocumentName(path));
}

/** Beside a recording there is nothing else. */
function recordedAlone({ recordings }: Snapshot, transcript: unknown, own: StoredEvidence): Pick<StoredEvidence, 'recorded'> {
  return recordings.length > 0 && transcript === undefined && own.objects.length + own.logs.length === 0 ? { recorded: true } : {};
}

function objectsOf(transcript: Awaited<ReturnType<typeof readTexts>>): readonly KubeObject[] {
  return transcript?.evidence.objects ?? [];
}

function readingsOf(transcript: Awaited<ReturnType<typeof readTexts>>): ReadEvidence['readings'] {
  return transcript?.readings() ?? [];
}

function notesOf<T>(told: { readonly notes: readonly T[] } | undefined): readonly T[] {
  return told?.notes ?? [];
}

type Read = Awaited<ReturnType<typeof readFolder>>;

/** When the source was written, as far as its objects or its files tell. */
function writtenAt({ files }: SourceFiles, { snapshot }: Read, { clock }: ReadOptions): Instant {
  return snapshot.newest ?? newestOf(files.map((file) => file.modified)) ?? clock();
}

/** The moment of which the source tells: the latest that anything in it names. */
function momentOf(source: SourceFiles, read: Read, options: ReadOptions, named: readonly (Instant | undefined)[]): Instant {
  const { dated, newest } = read.snapshot;
  const seen = newestOf([newest, ...named]) ?? writtenAt(source, read, options);
  const told = presentOf(seen, source, read, options.clock());
  if (dated || options.datedByFiles !== true) return told;
  const modified = newestOf(source.files.map((file) => file.modified)) ?? options.clock();
  return newestOf([told, modified]) ?? told;
}

/**
 * What comes through a pipe was mostly read from the cluster just now, however long ago something happened there. Older things are from a
 * file.
 */
const PIPED_MILLISECONDS = 7 * 24 * 3600_000;

function presentOf(seen: Instant, { isStreamed }: SourceFiles, { transcripts, snapshot }: ReadFiles, clock: Instant): Instant {
  // A recording has the time at which it was made.
  return isStreamed === true &&
    transcripts.length === 0 &&
    snapshot.recordings.length === 0 &&
    seen <= clock &&
    clock - seen <= PIPED_MILLISECONDS
    ? clock
    : seen;
}

/** All texts are read as one transcript; a namespace that none of them names is the only one of the objects beside them. */
async function readTexts(
  { transcripts, snapshot }: ReadFiles,
  name: string,
  written: Instant,
  { now, openings }: ReadOptions,
): Promise<Pick<Transcript, 'evidence' | 'notes' | 'readings' | 'recognised'> | undefined> {
  const [only] = transcripts;
  if (only === undefined) return undefined;
  const { text, placed } = joinTexts(transcripts);
  const namespace = homeOf(snapshot.objects);
  const options = {
    name: transcripts.length === 1 ? only.path : name,
    written,
    openings: await openings(),
    ...(now === undefined ? {} : { now }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  const { evidence, notes, readings, recognised } = readTranscript(text, options);
  return { evidence, notes: notes.map(placed), readings: () => readings().map(placed), recognised };
}

/**
 * The time that ages of a table tell together with the documents: `31s` is 31 seconds after the creation that the object itself has. A
 * transcript is about as old as the documents beside it, so that what is further away belongs to an earlier object of that name.
 */
function timeByAges(transcript: StoredEvidence, objects: readonly KubeObject[]): Instant | undefined {
  const created = new Map(objects.map((object) => [formatRef(refOf(object)), parseInstant(object.metadata['creationTimestamp'])] as const));
  const told = transcript.objects.map((object) => {
    const [there, here] = [created.get(formatRef(refOf(object))), parseInstant(object.metadata['creationTimestamp'])];
    return there === undefined || here === undefined ? undefined : there + (transcript.now - here);
  });
  return newestOf(told.filter((time) => time !== undefined && time - transcript.now <= AGES_LEAD_MILLISECONDS));
}

const AGES_LEAD_MILLISECONDS = 5 * 60_000;

/** The namespace of what people run, if it is just one. */
function homeOf(objects: readonly KubeObject[]): string | undefined {
  const namespaces = new Set(
    objects.flatMap(({ metadata }) =>
      metadata.namespace === undefined || metadata.namespace.startsWith('kube-') ? [] : [metadata.namespace],
    ),
  );
  if (namespaces.size > 1) namespaces.delete('default');
  return namespaces.size === 1 ? [...namespaces][0] : undefined;
}

interface ReadFiles {
  readonly snapshot: Snapshot;
  readonly transcripts: readonly TranscriptText[];
  readonly logs: readonly StoredLog[];
  /** Texts that may be logs of pods that only a transcript shows. */
  readonly unplaced: readonly SourceFile[];
}

/** Files that were named one by one: each is either documents or what a terminal showed. */
async function readNamed({ files }: SourceFiles, reader: FileReader, conceal: Conceal | undefined): Promise<ReadFiles> {
  const parsed: ParsedFile[] = [];
  const transcripts: TranscriptText[] = [];
  for (const file of files) {
    const sample = decodeText(await file.head(SAMPLE_BYTES));
    if (sample === undefined) throw new PodcheckError('bad-input', `${file.path} is not text`, NOT_TEXT);
    if (sample.trim() === '' && file.size <= SAMPLE_BYTES) throw new PodcheckError('bad-input', `${file.path} is empty`, HOW_TO);
    if (isLogExport(sample) || (!isDocumentName(file.path) && recogniseText(sample) !== 'documents')) {
      transcripts.push(await reader.transcript(file));
      continue;
    }
    const documents = await reader.documents(file);
    if (documents === undefined && file.size > MAX_DOCUMENT_BYTES)
      throw new PodcheckError('bad-input', `${file.path} is too large`, 'Narrow the output with kubectl -n and -l.');
    if (documents === undefined) continue;
    const isPart = mayBePart(documents) && isFragment(documents);
    if (!isPart) parsed.push(documents);
    if (isPart || isToldAlone(documents, files.length - 1)) transcripts.push(await reader.transcript(file));
  }
  return {
    snapshot: assembleSnapshot(
      parsed,
      files.map(({ path }) => path),
      conceal,
    ),
    transcripts,
    logs: [],
    unplaced: [],
  };
}

/** Also what is called JSON and is JSON: the result of a tool, with what that printed. */
function mayBePart({ path, documents: { syntax, faults } }: ParsedFile): boolean {
  return !isDocumentName(path) || (syntax === 'json' && faults.length === 0);
}

/** A text that begins as a document but holds no object: a part of one, a log in JSON. */
function isFragment({ documents: { documents, logs } }: ParsedFile): boolean {
  return (
    logs.length === 0 &&
    !documents.some(({ value }) =>
      (Array.isArray(value) ? (value as readonly Json[]) : [value]).some(
        (one) =>
          ['kind', 'apiVersion', 'items', 'involvedObject'].some((field) => dig(one, field) !== undefined) && dig(one, 'kind') !== 'Status',
      ),
    ) &&
    documents.every(({ value }) => exportedEvents(value).length === 0)
  );
}

/** A folder: first what is documents by name, which tell the pods, then all else, which may be logs of these. */
async function readFolder({ files }: SourceFiles, reader: FileReader, { conceal, logs: wantsLogs }: ReadOptions): Promise<ReadFiles> {
  const paths = files.map(({ path }) => path);
  const known = new Set(paths);
  const wanted = files.filter((file) => isWanted(file, known, reader));
  const parsed: ParsedFile[] = [];
  for (const file of wanted.filter(({ path }) => isDocumentName(path))) {
    const documents = await reader.documents(file);
    if (documents !== undefined) parsed.push(documents);
  }
  const named = assembleSnapshot(parsed, paths, conceal);
  const names = podNames(named.objects);
  const transcripts: TranscriptText[] = [];
  for (const file of await logExportsOf(wanted, named)) transcripts.push(await reader.transcript(file));
  const logs: StoredLog[] = [];
  const unplaced: SourceFile[] = [];
  const before = parsed.length;
  for (const file of wanted.filter(({ path }) => !isDocumentName(path))) {
    if (wantsLogs === false && placeOfLog(file.path, names) !== undefined) continue;
    const read = await reader.text(file, names);
    if (read.kind === 'documents') parsed.push(read.file);
    else if (read.kind === 'transcript') transcripts.push(read.transcript);
    else if (read.kind === 'logs') append(logs, read.logs);
    else unplaced.push(file);
  }
  const snapshot = parsed.length === before ? named : assembleSnapshot(parsed, paths, conceal);
  const isBare = snapshot.recordings.length + transcripts.length === 0;
  if (isBare) append(transcripts, await textsOfBareFolder({ wanted, parsed, unplaced, snapshot }, reader));
  return { snapshot, transcripts, logs, unplaced };
}

function isWanted({ path }: SourceFile, paths: ReadonlySet<string>, reader: FileReader): boolean {
  const reason = reasonToLeaveOut(path, paths);
  if (reason !== undefined) reader.notes.push({ file: path, text: `not read: ${reason}` });
  return reason === undefined;
}

async function logsOf(files: readonly SourceFile[], reader: FileReader, objects: readonly KubeObject[]): Promise<readonly StoredLog[]> {
  const names = podNames(objects);
  const logs: StoredLog[] = [];
  for (const file of names.byName.size === 0 ? [] : files) {
    const read = await reader.text(file, names);
    if (read.kind === 'logs') append(logs, read.logs);
  }
  return logs;
}

function newestOf(times: readonly (Instant | undefined)[]): Instant | undefined {
  let newest: Instant | undefined;
  for (const time of times) if (time !== undefined && (newest === undefined || time > newest)) newest = time;
  return newest;
}

const MAX_NAMED = 5;

function foreignNotes(files: readonly string[]): readonly Note[] {
  if (files.length === 0) return [];
  const named = `${files.slice(0, MAX_NAMED).join(', ')}${files.length > MAX_NAMED ? ', …' : ''}`;
  return [{ text: `not Kubernetes output: ${String(files.length)} files: ${named}` }];
}

export const NOT_TEXT = 'Give kubectl output: JSON, YAML or plain text, or an archive of it (tar, tar.gz, zip).';
const UNPACK = 'Unpack it and give the folder with the cluster resources.';
const HOW_TO = 'Save kubectl output first: kubectl get pods,events -o json > shop.json';

function nothingIn({ name, isSingle }: SourceFiles, faults: readonly Trouble[]): PodcheckError {
  const [fault] = faults;
  if (fault === undefined) return new PodcheckError('bad-input', `${name} contains no Kubernetes output that podcheck can read`, HOW_TO);
  const where = isSingle ? fault.file : `${name}: ${fault.file ?? ''}`;
  return new PodcheckError(
    'bad-input',
    `${where ?? name}, ${fault.text}`,
    fault.hint ?? 'Correct the file, or save it again: it may be cut off.',
  );
}
