/**
 * What kubectl makes of an unquoted YAML scalar; undefined for one that YAML has and JSON has not (`.inf`).
 * Follows go-yaml v2, which sigs.k8s.io/yaml uses (resolve.go): YAML 1.1 booleans, octals with a leading zero, underscores in
 * numbers; sexagesimal numbers and dates stay text.
 */
export function kubeScalar(text: string): string | number | boolean | null | undefined {
  const first = text.charCodeAt(0);
  if (text.length > MAX_SCALAR) return text;
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (NOT_JSON.test(text)) return undefined;
  const numeric = (first >= 0x30 && first <= 0x39) || first === PLUS || first === MINUS || first === DOT;
  return numeric ? numberOf(text, first) : text;
}

/** Longer text is never a number or a word. */
const MAX_SCALAR = 128;
const [PLUS, MINUS, DOT] = [0x2b, 0x2d, 0x2e];
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...(['', '~', 'null', 'Null', 'NULL'] as const).map((word) => [word, null] as const),
  ...(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'] as const).map((word) => [word, true] as const),
  ...(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'] as const).map((word) => [word, false] as const),
]);
const NOT_JSON = /^(?:\.(?:nan|NaN|NAN)|[-+]?\.(?:inf|Inf|INF))$/;

/** Base prefixes as Go's strconv.ParseInt(text, 0, 64) has them: a bare leading zero is octal. */
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

function numberOf(text: string, first: number): number | string {
  const plain = first === DOT ? text : text.replaceAll('_', '');
  const integer = first === DOT ? null : INTEGER.exec(plain);
  if (integer !== null) {
    const exact = integerOf(integer);
    if (exact !== undefined) return exact;
  }
  if (!FLOAT.test(plain)) return text;
  const value = Number(plain);
  // A number that is too large stays text (strconv.ParseFloat gives ErrRange), so kubectl prints a commit such as `5e12345` unquoted.
  return Number.isFinite(value) ? value + 0 : text;
}

function integerOf([, sign, hex, binary, octal, decimal]: RegExpExecArray): number | undefined {
  const digits =
    hex !== undefined ? `0x${hex}` : binary !== undefined ? `0b${binary}` : octal !== undefined ? `0o${octal}` : (decimal ?? '0');
  if (digits.length < 15) return sign === '-' ? 0 - Number(digits) : Number(digits);
  const magnitude = BigInt(digits);
  const value = sign === '-' ? -magnitude : magnitude;
  const fits = value >= MIN_INT64 && (value <= MAX_INT64 || (sign === '' && value <= MAX_UINT64));
  return fits ? Number(value) : undefined;
}
