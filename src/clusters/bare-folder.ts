import type { ParsedFile, Snapshot } from './snapshot/assemble.ts';
import { decodeText } from './snapshot/decode-text.ts';
import { SAMPLE_BYTES } from './snapshot/limits.ts';
import type { FileReader, TranscriptText } from './snapshot/read-files.ts';
import { isLogExport } from './snapshot/recognise.ts';
import type { SourceFile } from './snapshot/source-file.ts';
import { isCustom } from './transcript/custom-resources.ts';
import { eachMember } from './transcript/documents.ts';

interface BareFolder {
  readonly wanted: readonly SourceFile[];
  readonly parsed: readonly ParsedFile[];
  /** Texts in which nothing of Kubernetes was recognised. */
  readonly unplaced: readonly SourceFile[];
  readonly snapshot: Snapshot;
}

const MAX_FILES = 20;

/**
 * Somebody put what they had into a folder of its own: with nothing else in it, each text is read as if it had been named. None where there
 * is more, which may be any folder.
 */
export async function textsOfBareFolder(folder: BareFolder, reader: FileReader): Promise<readonly TranscriptText[]> {
  const { wanted, parsed, unplaced, snapshot } = folder;
  if (wanted.length > MAX_FILES || !snapshot.objects.every(isCustom)) return [];
  const told = new Set(parsed.filter((file) => isToldAlone(file, 0)).map(({ path }) => path));
  const transcripts: TranscriptText[] = [];
  for (const file of [...unplaced, ...wanted.filter(({ path }) => told.has(path))]) {
    const isText = (await sampleOf(file)).trim() !== '';
    if (isText) transcripts.push(await reader.transcript(file));
  }
  return transcripts;
}

/** Logs that were exported as JSON, which is no document of Kubernetes. */
export async function logExportsOf(files: readonly SourceFile[], { foreign }: Snapshot): Promise<readonly SourceFile[]> {
  const others = new Set(foreign);
  const found: SourceFile[] = [];
  for (const file of files) if (others.has(file.path) && isLogExport(await sampleOf(file))) found.push(file);
  return found;
}

async function sampleOf(file: SourceFile): Promise<string> {
  return decodeText(await file.head(SAMPLE_BYTES)) ?? '';
}

/** Only objects of kinds that have no reader: nothing that can be diagnosed, but they pass on what others said. */
export function isToldAlone({ documents: { documents } }: ParsedFile, others: number): boolean {
  if (others > 0 || documents.length > MAX_CUSTOM) return false;
  let isTold = false;
  for (const { value } of documents) {
    for (const object of value === undefined ? [] : eachMember(value)) {
      // The first that is not tells enough of a hundred thousand.
      if (!isCustom(object)) return false;
      isTold = true;
    }
  }
  return isTold;
}

const MAX_CUSTOM = 100;
