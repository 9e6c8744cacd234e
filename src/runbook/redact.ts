import { createHash } from 'node:crypto';
import { printable } from '../base/text.ts';

/** Characters of an output that are kept: its beginning and its end. */
const KEPT = 16_384;
const SHORTEST_SECRET = 3;

export interface Kept {
  readonly text: string;
  /** Of the whole, before anything was left out. */
  readonly digest: string;
  readonly cut: boolean;
}

/** An output as it may be written down: harmless, without secrets, and bounded. */
export function keptOutput(text: string, secrets: Iterable<string>): Kept {
  const digest = sha256(text);
  const safe = withoutSecrets(printable(text.length > KEPT * 4 ? `${text.slice(0, KEPT * 2)}\n…\n${text.slice(-KEPT * 2)}` : text), secrets);
  if (safe.length <= KEPT) return { text: safe, digest, cut: text.length > KEPT * 4 };
  return { text: `${safe.slice(0, KEPT / 2)}\n…\n${safe.slice(-KEPT / 2)}`, digest, cut: true };
}

/** The text with the values of these secrets, and whatever looks like one, left out. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  let safe = text;
  for (const secret of secrets) if (secret.length >= SHORTEST_SECRET) safe = safe.replaceAll(secret, '***');
  return safe
    .replaceAll(/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g, '(private key)')
    .replaceAll(/\beyJ[\w-]{16,}\.[\w-]{8,}(\.[\w-]*)?/g, '(token)')
    .replaceAll(/\b((?:[\w-]{0,40})(?:password|passwd|secret|token|api[_-]?key))(["']?\s{0,3}[=:]\s{0,3}["']?)([^\s"',;&]{3,})/gi, '$1$2***');
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
