/** How sure a word makes that the value behind it opens something: `names` is said of things as often as of their content. */
export type Sureness = 'opens' | 'names';

/** A word for something that opens, at the end of an identifier: `DB_PASSWORD`, `clientSecret`, `x-api-key`. */
export interface SecretWord {
  /** Where the whole identifier begins. */
  readonly start: number;
  readonly end: number;
  readonly identifier: string;
  readonly kind: WordKind;
}

export type WordKind = 'password' | 'token' | 'secret' | 'key' | 'login' | 'header' | 'signature';

const QUALIFIED_KEY =
  '(?:api|access|private|secret|account|encryption|signing|master|auth|ssh|shared[_-]?access|storage|session|consumer|license|hmac|jwt|aes|app|client)[_-]?key(?:[_-]?base)?';
const WORDS: readonly (readonly [WordKind, string])[] = [
  ['password', 'pass(?:word|wd|phrase|code)?|pwd|passwort|contrase(?:ñ|n)a'],
  ['key', QUALIFIED_KEY],
  ['token', 'token'],
  ['secret', 'secret|credentials?'],
  ['login', 'dockerconfigjson|dockercfg|auth'],
  ['header', 'authorization|cookie'],
  ['signature', 'sig(?:nature)?|x-amz-credential'],
];
const WORD = new RegExp(
  String.raw`(?:${WORDS.map(([, words]) => `(${words})`).join('|')})(?:[_-]?(?:\d{1,3}|hash|value|plain(?:text)?|old|new|prod|base64|b64))?(?![\w-]|[.]\w)`,
  'gi',
);
/** Characters of an identifier before the word. */
const LONGEST_BEFORE = 64;

/** All words of a text that may stand before something secret. */
export function* secretWords(text: string): Generator<SecretWord> {
  for (const match of text.matchAll(WORD)) {
    const kind = WORDS.find((_, index) => match[index + 1] !== undefined)?.[0];
    const start = identifierStart(text, match.index);
    const end = match.index + match[0].length;
    if (kind !== undefined && isWholeWord(text, match.index, match[0]) && text.charAt(start - 1) !== '/')
      yield { start, end, identifier: text.slice(start, end), kind };
  }
}

function identifierStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && from - start < LONGEST_BEFORE && /[\w.-]/.test(text.charAt(start - 1))) start--;
  return start;
}

/** Short words are found in others (`bypass`, `compass`, `oauth`): they count where a word begins, also in `dbPass`. */
function isWholeWord(text: string, at: number, word: string): boolean {
  if (!/^(?:pass|pwd|auth|sig|signature|cookie|authorization|token|secret|credentials?)$/i.test(word)) return true;
  const before = text.charAt(at - 1);
  if (!/[A-Za-z]/.test(before)) return true;
  const isCamel = /[a-z]/.test(before) && /[A-Z]/.test(word.charAt(0)) && /[a-z]/.test(word.charAt(1));
  return isCamel || (word.length > 4 && /^(?:token|secret|credentials?)$/i.test(word));
}

/** Secrets that are told from a Secret's name by what stands before the word: `client_secret`, `JWT_SECRET`. */
const OWNED =
  /(?:client|app|api|shared|jwt|oauth2?|consumer|webhook|signing|session|cookie|hmac|user|db|admin|aws|root|login|access)[_.-]?secret\d{0,3}$/i;

/** How sure an identifier makes of what stands behind it. */
export function surenessOf({ identifier, kind }: Pick<SecretWord, 'identifier' | 'kind'>): Sureness {
  switch (kind) {
    case 'secret':
      return OWNED.test(identifier) || (/_/.test(identifier) && /^[A-Z0-9_]+$/.test(identifier)) ? 'opens' : 'names';
    case 'token':
      return /^token$/.test(identifier) ? 'names' : 'opens';
    case 'login':
    case 'signature':
      return 'names';
    case 'password':
    case 'key':
    case 'header':
      return 'opens';
  }
}
