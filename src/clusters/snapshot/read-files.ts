import { getHeapStatistics } from 'node:v8';
import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { asList, dig } from '../../base/json.ts';
import { systemReason } from '../../base/system-error.ts';
import type { StoredLog } from '../memory-reader.ts';
import { isMemoryFull } from '../memory-full.ts';
import type { Note } from '../note.ts';
import { growSlowly } from '../slow-growth.ts';
import { packingOf } from './archive.ts';
import type { ParsedFile } from './assemble.ts';
import { decodeLog, decodeText, isUtf16 } from './decode-text.ts';
import type { Documents } from './documents.ts';
import { formatFault, readDocuments, startsAsJson } from './documents.ts';
import { cutDumpLogs } from './dump-logs.ts';
import {
  BYTES_A_VALUE,
  MAX_ALL_LOGS_BYTES,
  MAX_DOCUMENT_BYTES,
  MAX_LOG_BYTES,
  MAX_TEXT_BYTES,
  MAX_TEXT_LINES,
  MAX_TOTAL_BYTES,
  MAX_VALUES,
  MEMORY_A_VALUE,
  SAMPLE_BYTES,
  STREAMED_FROM_BYTES,
} from './limits.ts';
import type { PodNames } from './log-places.ts';
import { placeOfLog } from './log-places.ts';
import { readLogText } from './log-text.ts';
import { isManifestPath } from './manifests.ts';
import { printedCertificates, showsCertificates } from './printed-certificates.ts';
import { recogniseText } from './recognise.ts';
import { sharing } from './sharing.ts';
import type { SourceFile } from './source-file.ts';
import { MORE_MEMORY, streamDocuments } from './stream-documents.ts';
import { DamagedEntry } from './zip.ts';

/** A text to be read as what a terminal showed. */
export interface TranscriptText {
  readonly path: string;
  readonly text: string;
}

/** What became of a file that is no document by its name. */
export type ReadText =
  | { readonly kind: 'documents'; readonly file: ParsedFile }
  | { readonly kind: 'transcript'; readonly transcript: TranscriptText }
  | { readonly kind: 'logs'; readonly logs: readonly StoredLog[] }
  | { readonly kind: 'other' };

/** Why a file or a part of it could not be read, and what to do. */
export interface Trouble extends Note {
  readonly hint?: string;
}

/** Whether the file's name says that it holds documents. */
export function isDocumentName(path: string): boolean {
  return /\.(?:json|ya?ml|jsonl|ndjson)$/i.test(path);
}

/**
 * Reads the files of one source within the bounds for all of them together. What cannot be read becomes a note, so that one
 * bad file does not cost the others.
 */
export class FileReader {
  readonly notes: Note[] = [];
  /** Faults in documents, the first of which explains a source that turns out to hold nothing. */
  readonly faults: Trouble[] = [];
  readonly #streamedFrom: number;
  readonly #isSparse: boolean;
  readonly #shared = sharing();
  #documentBytes = 0;
  #streamedBytes = 0;
  #values = 0;
  #logBytes = 0;
  #isFull = false;

  /** JSON files of so many bytes and more are read piece by piece. `isSparse`: of most of their objects only the outline is kept. */
  constructor(streamedFrom: number = STREAMED_FROM_BYTES, isSparse = false) {
    this.#streamedFrom = streamedFrom;
    this.#isSparse = isSparse;
  }

  /** A file that its name says holds documents. */
  async documents(file: SourceFile): Promise<ParsedFile | undefined> {
    return this.#guarded(file, async () => {
      if (this.#isMemoryFull(file)) return undefined;
      const streamed = await this.#streamed(file);
      if (streamed !== undefined) return this.#noting(file.path, streamed);
      if (file.size > MAX_DOCUMENT_BYTES || this.#documentBytes + file.size > MAX_TOTAL_BYTES) {
        this.#unread(file.path, `not read: too large (${megabytes(file.size)})`);
        return undefined;
      }
      this.#documentBytes += file.size;
      const text = decodeText(await file.head(file.size));
      if (text === undefined) this.notes.push({ file: file.path, text: 'not read: not text' });
      return text === undefined || text.trim() === '' ? undefined : this.#parsed(file, text);
    });
  }

  /** A file of any name: documents, a transcript, or a log of one of the pods. */
  async text(file: SourceFile, names: PodNames): Promise<ReadText> {
    const read = await this.#guarded(file, async (): Promise<ReadText> => {
      const sample = decodeText(await file.head(SAMPLE_BYTES));
      if (sample === undefined) {
        if (packingOf(await file.head(SAMPLE_BYTES)) !== undefined)
          this.notes.push({ file: file.path, text: 'not read: an archive inside the source; unpack it first' });
        return { kind: 'other' };
      }
      if (placeOfLog(file.path, names) !== undefined) return { kind: 'logs', logs: await this.#logs(file, names) };
      const kind = recogniseText(sample);
      if (kind === 'documents') {
        const parsed = await this.documents(file);
        return parsed === undefined ? { kind: 'other' } : { kind, file: parsed };
      }
      if (kind === 'other' && showsCertificates(sample)) {
        const { text } = await this.transcript(file);
        return { kind: 'documents', file: { path: file.path, documents: printedCertificates(file.path, text) } };
      }
      return kind === 'transcript' ? { kind, transcript: await this.transcript(file) } : { kind };
    });
    return read ?? { kind: 'other' };
  }

  /** The whole text, or the end of one that is too long. */
  async transcript(file: SourceFile): Promise<TranscriptText> {
    const isWhole = file.size <= MAX_TEXT_BYTES;
    const text = decodeText(await (isWhole ? file.head(file.size) : file.tail(MAX_TEXT_BYTES)));
    if (text === undefined)
      throw new PodcheckError('bad-input', `${file.path} is not text`, 'Give kubectl output: JSON, YAML or plain text.');
    if (!isWhole)
      this.notes.push({ file: file.path, text: `only the last ${megabytes(MAX_TEXT_BYTES)} of ${megabytes(file.size)} were read` });
    const [read, start] = [isWhole ? text : text.slice(text.indexOf('\n') + 1), startOfLast(text, MAX_TEXT_LINES)];
    if (start === 0) return { path: file.path, text: read };
    this.notes.push({ file: file.path, text: `only the last ${String(MAX_TEXT_LINES)} lines were read` });
    return { path: file.path, text: text.slice(start) };
  }

  async #logs(file: SourceFile, names: PodNames): Promise<readonly StoredLog[]> {
    if (this.#logBytes > MAX_ALL_LOGS_BYTES) return [];
    const place = placeOfLog(file.path, names);
    const mayHoldSeveral = /(?:^|\/)logs\.txt$/.test(file.path);
    const limit = mayHoldSeveral ? MAX_TEXT_BYTES : MAX_LOG_BYTES;
    const text = decodeLog(await file.tail(limit));
    const cut = mayHoldSeveral ? cutDumpLogs(text).logs : [];
    const logs = cut.length > 0 || place === undefined ? cut : [{ ...place, ...readLogText(text, file.size > limit) }];
    // Collectors write an empty file where there was no previous container.
    if (place?.previous === true && logs.every(({ lines }) => lines.length === 0)) return [];
    for (const { lines } of logs) for (const line of lines) this.#logBytes += line.length;
    if (this.#logBytes > MAX_ALL_LOGS_BYTES) this.notes.push({ file: file.path, text: 'later logs were not read: too many' });
    return logs;
  }

  /** Large JSON or YAML, read piece by piece; undefined where it has to be read whole, to tell what is wrong with it. */
  async #streamed(file: SourceFile): Promise<Documents | undefined> {
    if (file.size < this.#streamedFrom || isManifestPath(file.path)) return undefined;
    const sample = await file.head(SAMPLE_BYTES);
    const text = isUtf16(sample) ? undefined : decodeText(sample);
    if (text === undefined) return undefined;
    const syntax = startsAsJson(text) ? 'json' : 'yaml';
    const outlined = this.#isSparse && syntax === 'json' ? await this.#outlined(file) : undefined;
    const documents = outlined ?? (await streamDocuments(file.pieces(), (bytes) => this.#mostValues(bytes), { syntax }));
    const isOdd = documents === undefined || (documents.faults.length > 0 && documents.values <= this.#mostValues(file.size));
    if (isOdd && !hasCutList(documents) && file.size <= MAX_DOCUMENT_BYTES) return undefined;
    this.#streamedBytes += file.size;
    return documents;
  }

  /** Undefined where anything is not as usual: what was wrong, and where, is told by what is read whole. */
  async #outlined(file: SourceFile): Promise<Documents | undefined> {
    const { range } = file;
    if (range === undefined) return undefined;
    const documents = await streamDocuments(file.pieces(), (bytes) => this.#mostValues(bytes), { again: { range } });
    const isOdd = documents === undefined || documents.faults.length > 0 || documents.documents.some(({ value }) => isRecording(value));
    return isOdd ? undefined : documents;
  }

  async #parsed(file: SourceFile, text: string): Promise<ParsedFile> {
    const [{ path }, most] = [file, this.#room()];
    const read = readDocuments(text, path, most);
    const isDamaged = read.faults.length > 0 && read.syntax === 'json' && read.values <= most;
    // A larger one was read piece by piece already.
    const isLarge = file.size >= this.#streamedFrom;
    if (!isDamaged || isLarge || isManifestPath(path) || isUtf16(await file.head(SAMPLE_BYTES)))
      return this.#noting(path, this.#sharing(read));
    // The objects of a list that is cut off, or damaged, are a list all the same, of which the rest is missing.
    const pieces = await streamDocuments(file.pieces(), (bytes) => this.#mostValues(bytes));
    return this.#noting(path, pieces !== undefined && hasCutList(pieces) ? pieces : read);
  }

  /** Folders with a file for each object: what a pod has in common with the one before it is kept once. */
  #sharing(read: Documents): Documents {
    const shared = (value: Json): Json => (dig(value, 'items') === undefined ? this.#shared(value) : value);
    return { ...read, documents: read.documents.map((document) => ({ ...document, value: shared(document.value) })) };
  }

  #noting(path: string, documents: Documents): ParsedFile {
    this.#values += documents.values;
    const isExpected = isManifestPath(path);
    for (const fault of documents.faults.slice(0, MAX_FAULTS)) {
      const note = { file: path, line: fault.line, text: formatFault(fault) };
      this.faults.push(fault.hint === undefined ? note : { ...note, hint: fault.hint });
      if (!isExpected) this.notes.push({ ...note, text: fault.isLeftOut === true ? fault.message : `cannot be parsed: ${note.text}` });
    }
    return { path, documents };
  }

  async #guarded<T>(file: SourceFile, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof DamagedEntry) throw error;
      this.#unread(file.path, `cannot be read: ${systemReason(error)}`);
      return undefined;
    }
  }

  /** Once memory is full no further file is read; only the first of them is reported. */
  #isMemoryFull({ path }: SourceFile): boolean {
    growSlowly();
    if (!this.#isFull && isMemoryFull()) {
      this.#isFull = true;
      this.#unread(path, 'this and later files were not read: memory is full', MORE_MEMORY);
    }
    return this.#isFull;
  }

  #unread(file: string, text: string, hint = 'Unpack it, or save it again with less in it.'): void {
    this.notes.push({ file, text });
    this.faults.push({ file, text, hint });
  }

  /** How many values there may be in the next document: those of all together take no more than the memory that Node may use. */
  #room(): number {
    const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
    return Math.max(0, Math.min(this.#mostValues(0), Math.floor((limit - used) / MEMORY_A_VALUE)));
  }

  /** The same by the bytes that have been read, and so many more. */
  #mostValues(more: number): number {
    const bytes = this.#documentBytes + this.#streamedBytes + more;
    return Math.max(MAX_VALUES, Math.floor(bytes / BYTES_A_VALUE)) - this.#values;
  }
}

/** Whether there are objects of a list of which others could not be read. */
function hasCutList(read: Documents | undefined): boolean {
  return (
    read?.documents.some(({ value, isCut }) => isCut === true && asList(Array.isArray(value) ? value : dig(value, 'items')).length > 0) ===
    true
  );
}

/** It has accounts of its objects that are read together with all of these. */
function isRecording(value: Json): boolean {
  return dig(value, 'recording') !== undefined;
}

/** Where the last so many lines of a text begin. */
function startOfLast(text: string, lines: number): number {
  let at = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let left = lines; left > 0 && at > 0; left--) at = text.lastIndexOf('\n', at - 1);
  return at <= 0 ? 0 : at + 1;
}

const MAX_FAULTS = 5;

function megabytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${String(Math.ceil(bytes / 1024))} KiB` : `${String(Math.round(bytes / 1024 / 1024))} MiB`;
}
