import { PodcheckError } from '../../base/errors.ts';
import { gunzipped, megabytes, tooLarge } from './decompress.ts';
import { MAX_TOTAL_BYTES } from './limits.ts';
import type { SourceFile } from './source-file.ts';
import { isTar, readTar } from './tar.ts';
import type { FoundFiles } from './walk-folder.ts';
import { readZip } from './zip.ts';

/** What the first bytes of a file say it is. */
export type Packing = 'gzip' | 'tar' | 'zip' | 'xz' | 'zstd' | 'bzip2';

export function packingOf(head: Uint8Array): Packing | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)) return 'zip';
  if (startsWith(head, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])) return 'xz';
  if (startsWith(head, [0x28, 0xb5, 0x2f, 0xfd])) return 'zstd';
  if (startsWith(head, [0x42, 0x5a, 0x68]) && (head[3] ?? 0) >= 0x31 && (head[3] ?? 0) <= 0x39) return 'bzip2';
  return isTar(head) ? 'tar' : undefined;
}

/**
 * The files in an archive, without unpacking them anywhere. Throws a PodcheckError for one that cannot be read or grows beyond all measure.
 * `keepsArchive`: a tar.gz of more bytes is not kept in memory.
 */
export async function openArchive(file: SourceFile, packing: Packing, keepsArchive?: number): Promise<FoundFiles> {
  if (packing === 'xz' || packing === 'zstd' || packing === 'bzip2') {
    throw new PodcheckError(
      'unsupported',
      `${file.path}: ${packing} archives cannot be read`,
      `Unpack it (${UNPACK[packing]}) and give the folder.`,
    );
  }
  if (packing === 'zip') {
    if (file.size > MAX_TOTAL_BYTES) throw tooLarge(file.path, `is larger than ${megabytes(MAX_TOTAL_BYTES)}`);
    return readZip(await file.head(file.size), file.path, file.modified);
  }
  if (packing === 'tar') return readTar(file, file.path, CUT);
  const { file: unpacked, isTar, isCut } = await gunzipped(file, keepsArchive);
  if (isTar) return readTar(unpacked, file.path, CUT);
  return { files: [unpacked], notes: isCut ? [{ file: file.path, text: CUT, hidesRest: true }] : [] };
}

const CUT = 'the archive is cut off: only its beginning was read';
const UNPACK = { xz: 'tar -xJf', zstd: 'tar --zstd -xf', bzip2: 'tar -xjf' } as const;

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}
