import { stat, readdir } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { counted } from '../base/counted.ts';
import { PodcheckError } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import { systemReason } from '../base/system-error.ts';
import { nearest } from '../base/text.ts';
import { filePieces } from '../files/file-pieces.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import type { Opening } from '../model/rule.ts';
import type { Conceal } from './conceal-secret.ts';
import type { StoredEvidence } from './memory-reader.ts';
import { memoryReader } from './memory-reader.ts';
import type { Note } from './note.ts';
import { openArchive, packingOf } from './snapshot/archive.ts';
import { decodeText, isUtf16 } from './snapshot/decode-text.ts';
import { MAX_DOCUMENT_BYTES, MAX_TEXT_BYTES, SAMPLE_BYTES, STREAMED_FROM_BYTES } from './snapshot/limits.ts';
import { isManifestPath } from './snapshot/manifests.ts';
import { PipedFile } from './snapshot/piped-file.ts';
import { isDocumentName } from './snapshot/read-files.ts';
import { recogniseText } from './snapshot/recognise.ts';
import type { SourceFile } from './snapshot/source-file.ts';
import { bytesFile, diskFile } from './snapshot/source-file.ts';
import type { FoundFiles } from './snapshot/walk-folder.ts';
import { walkFolder } from './snapshot/walk-folder.ts';
import type { SourceFiles } from './stored-evidence.ts';
import { NOT_TEXT, readEvidence } from './stored-evidence.ts';

/** What is known of a cluster from files or from text. */
export interface OpenedSource {
  readonly reader: ClusterReader;
  readonly evidence: StoredEvidence;
  /** What was left out and what could not be read. */
  readonly notes: readonly Note[];
  /** How each line of its texts was read; empty unless asked for. */
  readonly readings: readonly Note[];
  /** For a headline: `bundle.tar.gz: 214 objects, 31 logs`. */
  readonly description: string;
}

export interface OpenOptions {
  /** By which messages that stand alone in a text are found: those of the rules. */
  readonly openings: () => Promise<readonly Opening[]>;
  /** Taken for the time of the source instead of its own. */
  readonly now?: Instant;
  /** What `-` reads. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** The time of a source that names none and has no file times. */
  readonly clock: () => Instant;
  /** What becomes of Secrets; their values are emptied without it. */
  readonly conceal?: Conceal;
  /** Where objects tell no time but that of their creation, which may be long ago, the time of the files counts as well. */
  readonly datedByFiles?: boolean;
  /** False: logs of containers are not wanted, and not read. */
  readonly logs?: boolean;
  /** A text of nothing but lines that are part of nothing is no mistake: rules may know their words. */
  readonly looseTexts?: boolean;
  /** Tell how each line of a text was read. */
  readonly explainReading?: boolean;
  /** JSON files of so many bytes and more are read piece by piece. */
  readonly streamedFrom?: number;
  /**
   * The reader will be asked for few objects: most of those in large files are read only then, and before that the evidence has no more of
   * them than what names them.
   */
  readonly sparse?: boolean;
}

/**
 * Opens a snapshot or a transcript: a folder, a file, an archive (tar, tar.gz, zip) or, for `-`, stdin. What it is is told by its
 * content. Everything in a folder is taken together as one evidence. Throws a PodcheckError for a path that does not exist
 * (bad-input), malformed, empty or binary input (bad-input, with file and line), and archives it does not know (unsupported).
 */
export function openSource(path: string, options: OpenOptions): Promise<OpenedSource> {
  return openSources([path], options);
}

/** Opens several paths and takes them together as one evidence. */
export async function openSources(paths: readonly string[], options: OpenOptions): Promise<OpenedSource> {
  const found: FoundSource[] = [];
  for (const path of paths) found.push(await findFiles(path, options));
  const [only] = found;
  const name = found.map((source) => source.name).join(', ');
  const files =
    found.length === 1 && only !== undefined ? only.files : found.flatMap((source) => source.files.map((file) => within(source, file)));
  const whole: SourceFiles = {
    name,
    files,
    isSingle: found.every(({ isSingle }) => isSingle),
    isStreamed: found.every(({ isStreamed }) => isStreamed === true),
    notes: found.flatMap((source) => source.notes),
  };
  const { evidence, notes, readings } = await readEvidence(whole, options);
  const logs = evidence.logs.length === 0 ? '' : `, ${counted(evidence.logs.length, 'log')}`;
  return {
    reader: memoryReader(evidence),
    evidence,
    notes: [...found.flatMap((source) => source.notes), ...notes],
    readings,
    description: `${name}: ${counted(evidence.objects.length, 'object')}${logs}`,
  };
}

interface FoundSource extends FoundFiles {
  readonly name: string;
  /** One file that the person named, which is therefore read whatever it is called. */
  readonly isSingle: boolean;
  readonly isStreamed?: boolean;
}

function within({ name, isSingle }: FoundSource, file: SourceFile): SourceFile {
  return isSingle ? file : { ...file, path: `${name}/${file.path}` };
}

async function findFiles(path: string, options: OpenOptions): Promise<FoundSource> {
  if (path === '-') return streamed('stdin', options.stdin(), options.clock());
  const found = await statOf(path);
  const name = basename(path) === '' || basename(path) === '.' ? path : basename(path);
  if (found.isDirectory()) return { ...(await walkFolder(path)), name, isSingle: false };
  // A pipe (`<(kubectl get …)`) has no size and can be read only once.
  if (!found.isFile()) return streamed(name, piecesFrom(path), options.clock());
  return unpacked(diskFile(name, path, found.size, Math.trunc(found.mtimeMs)), name);
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new PodcheckError('bad-input', `${path} cannot be read: ${systemReason(error)}`, 'Check the path and its permissions.');
    const siblings = await readdir(dirname(path)).catch(() => []);
    const near = nearest(basename(path), siblings);
    throw new PodcheckError(
      'bad-input',
      `${path} does not exist`,
      near.length === 0 ? 'Give a file, a folder, or - for stdin.' : `Similar names: ${near.join(', ')}.`,
    );
  }
}

async function streamed(name: string, stream: AsyncIterable<Uint8Array>, now: Instant): Promise<FoundSource> {
  const piped = new PipedFile(name, stream, now);
  await piped.fill(SAMPLE_BYTES);
  const sample = await piped.head(SAMPLE_BYTES);
  // What is binary is not read to its end, which a device does not have.
  if (piped.size >= SAMPLE_BYTES && !isReadable(sample)) throw new PodcheckError('bad-input', `${name} is not text`, NOT_TEXT);
  if (isReadInPieces(name, sample)) {
    await piped.fill(STREAMED_FROM_BYTES);
    if (!piped.isEnded) return { files: [piped], notes: [], name, isSingle: true, isStreamed: true };
  }
  await piped.fill(MAX_DOCUMENT_BYTES + 1);
  if (piped.size > MAX_DOCUMENT_BYTES) throw tooLong(name);
  const source = await unpacked(bytesFile(name, await piped.head(piped.size), now), name);
  return { ...source, isStreamed: packingOf(sample) === undefined };
}

/** Documents may come without an end. */
function isReadInPieces(name: string, sample: Uint8Array): boolean {
  if (packingOf(sample) !== undefined || isUtf16(sample) || isManifestPath(name)) return false;
  return isDocumentName(name) || recogniseText(decodeText(sample) ?? '') === 'documents';
}

function isReadable(beginning: Uint8Array): boolean {
  return packingOf(beginning) !== undefined || decodeText(beginning) !== undefined;
}

async function* piecesFrom(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* filePieces(path);
  } catch (error) {
    throw new PodcheckError('bad-input', `${path} cannot be read: ${systemReason(error)}`, 'Give a file, a folder, or - for stdin.');
  }
}

/** An archive is a folder packed; any other file stands for itself. */
async function unpacked(file: SourceFile, name: string): Promise<FoundSource> {
  const packing = packingOf(await file.head(SAMPLE_BYTES));
  if (packing === undefined) return { files: [file], notes: [], name, isSingle: true };
  const { files, notes } = await openArchive(file, packing);
  return { files, notes, name, isSingle: packing === 'gzip' && files.length === 1 };
}

function tooLong(name: string): PodcheckError {
  const megabytes = (bytes: number): string => String(bytes / 1024 / 1024);
  return new PodcheckError(
    'bad-input',
    `${name} is larger than ${megabytes(MAX_DOCUMENT_BYTES)} MiB`,
    `Give the file by its path to read the last ${megabytes(MAX_TEXT_BYTES)} MiB, or narrow the output with kubectl -n and -l.`,
  );
}
