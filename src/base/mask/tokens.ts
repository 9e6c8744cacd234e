import type { Span } from './span.ts';

/** Tokens and keys that are known by how they are written, whatever stands before them. */
export function tokenSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(SHAPE)) spans.push({ start: match.index, end: match.index + match[0].length });
  for (const match of text.matchAll(HOOK)) spans.push(tailOf(match));
  for (const match of text.matchAll(SCHEME)) if (!isWord(match[1] ?? '')) spans.push(tailOf(match));
  for (const match of text.matchAll(LONG_WORD))
    if (isRandom(match[0])) spans.push({ start: match.index, end: match.index + match[0].length });
  return spans;
}

/** The first group of a match, which ends with it. */
function tailOf(match: RegExpExecArray): Span {
  const end = match.index + match[0].length;
  return { start: end - (match[1] ?? '').length, end };
}

const SHAPES: readonly string[] = [
  // JSON in base64: JWTs, and what docker and others keep of their configuration.
  String.raw`eyJ[\w+/-]{8,}={0,2}(?:\.[\w+/=-]*){0,4}`,
  String.raw`LS0tLS1CRUdJTi[\w+/-]{0,60}(?:UFJJVkFUR|QUklWQVRF|BSSVZBVE)[\w+/-]*={0,2}`,
  // AWS, Google.
  '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}',
  String.raw`AIza[\w-]{20,}`,
  String.raw`ya29\.[\w.-]{10,}`,
  String.raw`GOCSPX-[\w-]{10,}`,
  // GitHub, GitLab.
  String.raw`gh[a-z]_[A-Za-z0-9]{10,}`,
  String.raw`github_pat_\w{10,}`,
  String.raw`gl(?:pat|dt|rt|ft|soat|cbt|ptt|agent)-[\w.-]{10,}`,
  // Slack.
  String.raw`xox[a-z](?:\.xox[a-z])?-[\w-]{6,}`,
  String.raw`xapp-[\w-]{6,}`,
  // Stripe, OpenAI, SendGrid, Vault, DigitalOcean, registries, OpenShift, Grafana, Databricks, Hugging Face, age, Tailscale.
  String.raw`(?:[sr]k_(?:live|test)|whsec)_\w{8,}`,
  String.raw`sk-(?:proj-|ant-|svcacct-)[\w-]{16,}`,
  String.raw`sk-[A-Za-z0-9]{32,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`hv[sbr]\.[\w-]{16,}`,
  'do[opr]_v1_[a-f0-9]{16,}',
  String.raw`dckr_(?:pat|oat)_[\w-]{10,}`,
  'npm_[A-Za-z0-9]{16,}',
  String.raw`pypi-[\w-]{16,}`,
  String.raw`sha256~[\w-]{20,}`,
  String.raw`gl(?:sa|c)_[\w+/=]{16,}`,
  'dapi[a-f0-9]{32}',
  'hf_[A-Za-z0-9]{20,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{20,}',
  String.raw`tskey-[\w-]{16,}`,
  // Hashes of passwords as crypt(3) writes them.
  String.raw`\$(?:2[aby]|argon2i?d?|[156y])\$[\w$./=,+-]{16,}`,
];
const SHAPE = new RegExp(String.raw`(?<![A-Za-z0-9])(?:${SHAPES.join('|')})`, 'g');

/** Addresses whose path is the secret. */
const HOOK =
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/|api\.telegram\.org\/bot)([\w:./-]{8,200})/g;

/** `Bearer TOKEN`, `Basic BASE64`. A challenge (`Bearer realm="…"`) has a `=` and a quote behind its first word. */
const SCHEME = /(?<![A-Za-z0-9])(?:Bearer|Basic|Negotiate)[ \t]{1,8}((?![a-z_]{1,40}=["'\\])[\w.~+/:-]{8,}={0,2})/gi;

/** Words of a sentence: `Bearer authentication`. */
function isWord(value: string): boolean {
  return value.length < 24 && /^[A-Za-z]?[a-z]*[.,:]?$/.test(value);
}

const LONG_WORD = /[A-Za-z0-9+/_-]{32,}={0,2}/g;
/** Characters of a word that are looked at: what is random is so from its beginning. */
const LOOKED_AT = 256;
/**
 * In random base64 two of three characters are of another class (A-Z, a-z, 0-9) than the one before, in words one of four; and two of five
 * are capitals.
 */
const [CHANGES, LETTERS, MARKS] = [0.4, 0.15, 0.125];

/**
 * Whether a long word was drawn by lot: a key, a line of a key, a token of no known shape. Digests and uids have no capitals, names
 * hardly any.
 */
function isRandom(word: string): boolean {
  const count = { upper: 0, lower: 0, digit: 0, mark: 0 };
  const seen = word.slice(0, LOOKED_AT);
  let [changes, last] = [0, ''];
  for (const character of seen) {
    const of = classOf(character);
    count[of]++;
    if (of !== last) changes++;
    last = of;
  }
  return (
    changes >= seen.length * CHANGES &&
    Math.min(count.upper, count.lower) >= seen.length * LETTERS &&
    count.digit > 0 &&
    count.mark <= seen.length * MARKS
  );
}

function classOf(character: string): 'upper' | 'lower' | 'digit' | 'mark' {
  if (character >= 'a' && character <= 'z') return 'lower';
  if (character >= 'A' && character <= 'Z') return 'upper';
  return character >= '0' && character <= '9' ? 'digit' : 'mark';
}
