/** The first bytes; no further piece is asked for. */
export async function firstBytes(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    kept.push(piece);
    size += piece.length;
    if (size >= limit) break;
  }
  return Buffer.concat(kept).subarray(0, limit);
}

/** All pieces are gone through; no more than the last bytes are kept. */
export async function lastBytes(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    kept.push(piece);
    size += piece.length;
    for (let first = kept[0]; first !== undefined && size - first.length >= limit; first = kept[0]) {
      kept.shift();
      size -= first.length;
    }
  }
  return Buffer.concat(kept).subarray(-Math.max(1, limit));
}
