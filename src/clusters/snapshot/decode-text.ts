/**
 * The text of a file, or undefined when it is not text. UTF-8 with or without a byte order mark; UTF-16 with one, which is what
 * PowerShell's `>` writes. Bytes that are no UTF-8 become replacement characters: a log may hold anything.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  if (encoding === undefined) return undefined;
  const text = new TextDecoder(encoding).decode(bytes);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** A part of a log, which may hold any bytes. */
export function decodeLog(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Whether a text begins with the byte order mark of UTF-16. */
export function isUtf16(bytes: Uint8Array): boolean {
  return encodingOf(bytes)?.startsWith('utf-16') === true;
}

const BINARY_SAMPLE = 8192;

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes.subarray(0, BINARY_SAMPLE).includes(0) ? undefined : 'utf-8';
}
