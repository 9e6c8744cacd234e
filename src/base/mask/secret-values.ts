import { decodeBase64 } from '../base64.ts';
import { beginsOther, isPlaceholder } from './placeholder.ts';
import type { SecretWord } from './secret-words.ts';
import { surenessOf } from './secret-words.ts';

/** How a value stands behind its word. */
export interface Standing {
  /** `name = value` and quoted values, where nobody writes prose; `name: value` may be a sentence. */
  readonly isSure: boolean;
  readonly isQuoted: boolean;
}

/** Words that a sentence goes on with: `password: must not be empty`, `invalid token: signature is invalid`. */
const PROSE = new Set(
  `a all already an and any are argument as at authentication authorization bad be been by can cannot change changed could credentials
  denied did do does error empty expected expired failed failure file flag flags for format from generated has have if in incorrect
  insufficient invalid is it key keys length malformed may mismatch missing must no none not null of on option or parameter permission
  please provided read refused rejected required secret server should the this timed to too token unable unauthorized undefined unexpected
  unknown unset unsupported using value verification was we were when will with would wrong yes you your`.split(/\s+/),
);

/** Whether what stands behind the word is its secret, and not a name, a sentence or something that only stands for it. */
export function isSecretValue(value: string, word: SecretWord, standing: Standing): boolean {
  if (isPlaceholder(value) || beginsOther(value) || isProse(value, standing)) return false;
  if (word.kind === 'login') return isLogin(value);
  if (word.kind === 'signature') return value.length >= 16 && /\d/.test(value);
  if (isPath(value, word)) return false;
  if (/^pass$/i.test(word.identifier) && /^\d{1,4}$/.test(value)) return false;
  if (surenessOf(word) === 'opens') return true;
  return word.kind === 'token' ? isTokenLike(value, standing) : isNoName(value, standing);
}

function isProse(value: string, { isQuoted, isSure }: Standing): boolean {
  const [first = '', second] = value.split(/\s/, 2);
  const isWord = PROSE.has(first.toLowerCase().replace(/[.,:;!]$/, ''));
  // In quotes a sentence has several words; behind a plain colon one is enough.
  return isWord && (isQuoted ? second !== undefined : !isSure);
}

/** `pwd` is also the folder one is in, and a key is often said by its file. */
function isPath(value: string, { identifier, kind }: SecretWord): boolean {
  if (kind === 'key' && /\.(?:key|pem|crt|cer|der|p12|pub)$/.test(value)) return true;
  return (/^(?:old)?pwd$/i.test(identifier) || kind === 'key') && /^(?:\/|\.\.?\/|~\/|[A-Za-z]:\\)/.test(value);
}

/** `auth` of a docker configuration: base64 of `user:password`, or a configuration in base64. */
function isLogin(value: string): boolean {
  return /^[\w+/-]{6,}={0,2}$/.test(value) && /^[\u0020-\u007E]{1,200}:|^\{/.test(decodeBase64(value.slice(0, 400)));
}

function isTokenLike(value: string, { isSure }: Standing): boolean {
  if (isSure) return !/^[A-Z]?[a-z]+$/.test(value) || value.length >= 8;
  return value.length >= 20 || (value.length >= 6 && /\d/.test(value));
}

/** A Secret's name is a DNS name, and mostly of several parts, or has its namespace before it. */
function isNoName(value: string, { isSure }: Standing): boolean {
  if (/^[A-Za-z][a-z]*(?: [a-z]+){2}/.test(value)) return false;
  if (/^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?(?:\/[a-z0-9.-]{1,253})?$/.test(value))
    return !/[./-]/.test(value) && (isSure || /\d/.test(value));
  return isSure || /\d/.test(value) || !/^[A-Z]?[a-z]+$/.test(value);
}
