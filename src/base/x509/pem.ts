import { bytesOfBase64 } from '../base64.ts';

/** One block of PEM that may hold certificates, or why it cannot be read. */
export interface PemBlock {
  /** As it stands behind BEGIN: `CERTIFICATE`, `PKCS7`. */
  readonly label: string;
  readonly content: { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly reason: string };
}

/** The only blocks that are read. Whatever else stands in a text, private keys above all, is passed over undecoded. */
const READ: ReadonlySet<string> = new Set(['CERTIFICATE', 'TRUSTED CERTIFICATE', 'X509 CERTIFICATE', 'PKCS7', 'CMS']);
/** The reason of a block that a collector emptied. */
export const REDACTED = 'it was redacted when it was collected';
const BEGIN = '-----BEGIN ';
const DASHES = '-----';
/** A certificate has a few kilobytes; a PKCS#7 bundle of all public roots some hundreds. */
const MAX_BLOCK_CHARACTERS = 4 * 1024 * 1024;

/** Whether there can be a certificate in the text at all. */
export function mayHoldPem(text: string): boolean {
  return text.includes(BEGIN);
}

/**
 * The blocks of a text that may hold certificates, in their order: any line ends, comments between them, JSON's `\n` for line
 * ends. A block ends at its END or, cut off, at the next BEGIN.
 */
export function pemBlocks(text: string): readonly PemBlock[] {
  return blockPlaces(text).map(({ label, start, limit }) => ({ label, content: contentOf(text, start, limit, label) }));
}

/** The blocks of a text that may hold certificates, as they stand there, and nothing else of it. */
export function certificateBlocks(text: string): string {
  return blockPlaces(text)
    .map(({ begin, start, limit, label }) => {
      const end = text.slice(start, limit).indexOf(`${DASHES}END ${label}${DASHES}`);
      // What follows a block that is cut off may be anything.
      return end < 0 ? `${BEGIN}${label}${DASHES}\n` : `${text.slice(begin, start + end)}${DASHES}END ${label}${DASHES}\n`;
    })
    .join('');
}

interface BlockPlace {
  readonly label: string;
  readonly begin: number;
  /** Behind the BEGIN line's dashes. */
  readonly start: number;
  /** Where the next block begins, or the text ends. */
  readonly limit: number;
}

function blockPlaces(text: string): readonly BlockPlace[] {
  const places: BlockPlace[] = [];
  for (let begin = text.indexOf(BEGIN); begin >= 0;) {
    const from = begin + BEGIN.length;
    const next = text.indexOf(BEGIN, from);
    const labelEnd = text.indexOf(DASHES, from);
    if (labelEnd < 0) break;
    const label = text.slice(from, Math.min(labelEnd, from + 64));
    if (READ.has(label)) places.push({ label, begin, start: labelEnd + DASHES.length, limit: next < 0 ? text.length : next });
    begin = next;
  }
  return places;
}

function contentOf(text: string, start: number, limit: number, label: string): PemBlock['content'] {
  // What comes after its END line does not count: files hold notes beside certificates.
  const body = text.slice(start, Math.min(limit, start + MAX_BLOCK_CHARACTERS));
  const end = body.indexOf(`${DASHES}END ${label}${DASHES}`);
  if (end < 0 && limit - start > MAX_BLOCK_CHARACTERS) return { ok: false, reason: 'the PEM block is too long for a certificate' };
  if (end < 0) return { ok: false, reason: `the PEM block has no END ${label}: it is cut off` };
  const inner = body.slice(0, end);
  if (/^\s*(?:anonymized|redacted|\*+|x+)\s*$/i.test(inner.slice(0, 4096))) return { ok: false, reason: REDACTED };
  const plain = inner.includes('\\') ? inner.replaceAll(/\\[nrt]/g, '\n') : inner;
  const bytes = bytesOfBase64(withoutHeaders(plain));
  if (bytes === undefined || bytes.length === 0) return { ok: false, reason: 'the PEM block is not base64' };
  return { ok: true, bytes };
}

/** Headers (`Proc-Type: …`) stand before an empty line; comments of some tools begin with `#`. */
function withoutHeaders(body: string): string {
  if (!body.includes(':') && !body.includes('#')) return body;
  return body
    .split('\n')
    .filter((line) => !line.includes(':') && !line.trimStart().startsWith('#'))
    .join('\n');
}
