/** A regular expression of Go's (RE2) in its parts. Source: Go's regexp/syntax/parse.go. */
export type PatternNode =
  | { readonly is: 'character'; readonly fits: (codePoint: number) => boolean }
  | { readonly is: 'place'; readonly place: Place }
  | { readonly is: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly is: 'repeat'; readonly of: PatternNode; readonly least: number; readonly most: number; readonly greedy: boolean };

/** Where something is without a character of its own: of the text, of a line, of a word. */
export type Place = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge';

/** A text that is no pattern; `words` are Go's. */
export class PatternTrouble extends Error {
  readonly words: string;

  constructor(what: string, where: string) {
    super(what);
    this.words = `error parsing regexp: ${what}: \`${where}\``;
  }
}

/** The parts of a pattern. Throws PatternTrouble. */
export function parsePattern(pattern: string): PatternNode {
  return new PatternReader(pattern).whole();
}

const DEEPEST = 200;
const MOST_REPEATS = 1000;

interface Flags {
  readonly folds: boolean;
  readonly lines: boolean;
  readonly dotAll: boolean;
  readonly swapsGreed: boolean;
}

class PatternReader {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;
  #flags: Flags = { folds: false, lines: false, dotAll: false, swapsGreed: false };

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#pattern.length) throw new PatternTrouble('unexpected )', this.#pattern);
    return node;
  }

  get #next(): string {
    return this.#pattern.charAt(this.#at);
  }

  #choice(): PatternNode {
    if (++this.#depth > DEEPEST) throw new PatternTrouble('expression nests too deeply', this.#pattern);
    const flags = this.#flags;
    const parts = [this.#sequence()];
    while (this.#next === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    this.#flags = flags;
    this.#depth--;
    return parts.length === 1 ? (parts[0] as PatternNode) : { is: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#pattern.length && this.#next !== '|' && this.#next !== ')') {
      const one = this.#pattern.startsWith('\\Q', this.#at) ? this.#quoted(parts) : this.#atom(parts.length > 0);
      if (one !== undefined) parts.push(this.#repeated(one));
    }
    return { is: 'sequence', parts };
  }

  /** Undefined for flags alone, which stand for nothing. */
  #atom(hasBefore: boolean): PatternNode | undefined {
    const start = this.#at;
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group(start);
      case '[':
        return this.#set(start);
      case '.':
        return { is: 'character', fits: this.#flags.dotAll ? () => true : (code) => code !== NEWLINE };
      case '^':
        return { is: 'place', place: this.#flags.lines ? 'line-start' : 'text-start' };
      case '$':
        return { is: 'place', place: this.#flags.lines ? 'line-end' : 'text-end' };
      case '*':
      case '+':
      case '?':
        throw new PatternTrouble('missing argument to repetition operator', character);
      case '\\':
        return this.#escaped(start);
      default: {
        if (character === '{' && !hasBefore && REPEAT.test(this.#pattern.slice(start))) throw new PatternTrouble('missing argument to repetition operator', REPEAT.exec(this.#pattern.slice(start))?.[0] ?? '{');
        return this.#literal(codeOf(character));
      }
    }
  }

  #take(): string {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #literal(code: number): PatternNode {
    return { is: 'character', fits: folded((one) => one === code, this.#flags.folds) };
  }

  #group(start: number): PatternNode | undefined {
    const rest = this.#pattern.slice(start);
    if (!rest.startsWith('(?')) return this.#inGroup();
    if (rest.startsWith('(?P<') || rest.startsWith('(?<')) {
      const name = /^\(\?P?<([A-Za-z0-9_]+)>/.exec(rest);
      if (name === null) throw new PatternTrouble('invalid named capture', rest.includes('>') ? rest.slice(0, rest.indexOf('>') + 1) : rest);
      this.#at = start + name[0].length;
      return this.#inGroup();
    }
    const flags = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
    const sign = flags?.[3] === ':';
    if (flags === null || (!sign && (flags[1] ?? '') === '' && flags[2] === undefined)) {
      const known = /^\(\?[imsU]*-?[imsU]*/.exec(rest)?.[0].length ?? 2;
      if (known >= rest.length) throw new PatternTrouble('missing closing )', this.#pattern);
      throw new PatternTrouble('invalid or unsupported Perl syntax', rest.slice(0, known + 1));
    }
    this.#at = start + flags[0].length;
    const before = this.#flags;
    this.#flags = withFlags(withFlags(before, flags[1] ?? '', true), flags[2] ?? '', false);
    if (!sign) return undefined;
    const inner = this.#inGroup();
    this.#flags = before;
    return inner;
  }

  #inGroup(): PatternNode {
    const inner = this.#choice();
    if (this.#next !== ')') throw new PatternTrouble('missing closing )', this.#pattern);
    this.#at++;
    return inner;
  }

  #repeated(of: PatternNode): PatternNode {
    let node = of;
    let before = '';
    for (;;) {
      const rest = this.#pattern.slice(this.#at, this.#at + LONGEST_REPEAT);
      const found = /^[*+?]/.exec(rest) ?? REPEAT.exec(rest);
      if (found === null) return node;
      const [text] = found;
      const lazy = rest.charAt(text.length) === '?';
      const whole = text + (lazy ? '?' : '');
      if (before !== '') throw new PatternTrouble('invalid nested repetition operator', before + whole);
      const [least, most] = boundsOf(text);
      if (least > MOST_REPEATS || (most !== Number.POSITIVE_INFINITY && (most > MOST_REPEATS || most < least))) throw new PatternTrouble('invalid repeat count', text);
      node = { is: 'repeat', of: node, least, most, greedy: lazy === this.#flags.swapsGreed };
      this.#at += whole.length;
      before = whole;
    }
  }

  #escaped(start: number): PatternNode {
    if (this.#at >= this.#pattern.length) throw new PatternTrouble('trailing backslash at end of expression', '');
    const place = PLACES.get(this.#next);
    if (place !== undefined) {
      this.#at++;
      return { is: 'place', place };
    }
    const fits = this.#classEscape(start);
    if (fits !== undefined) return { is: 'character', fits: folded(fits, this.#flags.folds) };
    return this.#literal(this.#codeEscape(start));
  }

  /** Everything to `\E` as it is; a repetition after that is of the last character, which is answered. */
  #quoted(parts: PatternNode[]): PatternNode | undefined {
    const end = this.#pattern.indexOf('\\E', this.#at);
    const text = this.#pattern.slice(this.#at + 2, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#pattern.length : end + 2;
    const characters = Array.from(text, (one) => this.#literal(codeOf(one)));
    parts.push(...characters.slice(0, -1));
    return characters.at(-1);
  }

  /** `\d`, `\p{Greek}`: after the backslash. */
  #classEscape(start: number): ((code: number) => boolean) | undefined {
    const plain = CLASSES.get(this.#next.toLowerCase());
    if (plain !== undefined) {
      const negated = this.#take() !== this.#pattern.charAt(start + 1).toLowerCase();
      return negated ? (code) => !plain(code) : plain;
    }
    if (this.#next !== 'p' && this.#next !== 'P') return undefined;
    const named = /^\\[pP](?:([A-Za-z])|\{(\^?)([A-Za-z_]+)\})/.exec(this.#pattern.slice(start));
    const fits = unicodeClass(named?.[1] ?? named?.[3] ?? '');
    if (named === null || fits === undefined) throw new PatternTrouble('invalid character class range', named?.[0] ?? this.#pattern.slice(start));
    this.#at = start + named[0].length;
    const negated = (this.#pattern.charAt(start + 1) === 'P') !== (named[2] === '^');
    return negated ? (code) => !fits(code) : fits;
  }

  /** One character by an escape, after the backslash. */
  #codeEscape(start: number): number {
    const rest = this.#pattern.slice(start, start + LONGEST_ESCAPE);
    const number = /^\\x([0-9A-Fa-f]{2})/.exec(rest) ?? /^\\x\{([0-9A-Fa-f]{1,6})\}/.exec(rest);
    const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
    const found = number ?? octal;
    if (found !== null) {
      this.#at = start + found[0].length;
      const code = Number.parseInt(found[1] ?? '0', number === null ? 8 : 16);
      if (code <= HIGHEST) return code;
    }
    const character = this.#at >= this.#pattern.length ? '' : this.#take();
    const control = CONTROLS.get(character);
    if (control !== undefined) return control;
    if (!/^[!-/:-@[-`{-~]$/.test(character)) throw new PatternTrouble('invalid escape sequence', `\\${character}`);
    return codeOf(character);
  }

  /** `[^a-z\d[:alpha:]]`, after the bracket. */
  #set(start: number): PatternNode {
    const negated = this.#next === '^';
    if (negated) this.#at++;
    const tests: ((code: number) => boolean)[] = [];
    for (let first = true; first || this.#next !== ']'; first = false) {
      if (this.#at >= this.#pattern.length) throw new PatternTrouble('missing closing ]', this.#pattern.slice(start));
      tests.push(this.#member(start));
    }
    this.#at++;
    const any = folded((code) => tests.some((fits) => fits(code)), this.#flags.folds);
    return { is: 'character', fits: negated ? (code) => !any(code) : any };
  }

  #member(start: number): (code: number) => boolean {
    const at = this.#at;
    const posix = /^\[:(\^?)([a-z]+):\]/.exec(this.#pattern.slice(at, at + LONGEST_ESCAPE));
    if (posix !== null) {
      const fits = POSIX.get(posix[2] ?? '');
      if (fits === undefined) throw new PatternTrouble('invalid character class range', posix[0]);
      this.#at += posix[0].length;
      return posix[1] === '^' ? (code) => !fits.test(String.fromCodePoint(code)) : (code) => fits.test(String.fromCodePoint(code));
    }
    if (this.#next === '\\') {
      this.#at++;
      const fits = this.#classEscape(at);
      if (fits !== undefined) return fits;
      this.#at = at;
    }
    const low = this.#setCharacter(start);
    if (this.#next !== '-' || this.#pattern.charAt(this.#at + 1) === ']' || this.#at + 1 >= this.#pattern.length) return (code) => code === low;
    this.#at++;
    const high = this.#setCharacter(start);
    if (high < low) throw new PatternTrouble('invalid character class range', this.#pattern.slice(at, this.#at));
    return (code) => code >= low && code <= high;
  }

  #setCharacter(start: number): number {
    if (this.#at >= this.#pattern.length) throw new PatternTrouble('missing closing ]', this.#pattern.slice(start));
    const at = this.#at;
    const character = this.#take();
    if (character !== '\\') return codeOf(character);
    if (this.#at >= this.#pattern.length) throw new PatternTrouble('trailing backslash at end of expression', '');
    return this.#codeEscape(at);
  }
}

const NEWLINE = 10;
const HIGHEST = 0x10_ff_ff;
const LONGEST_REPEAT = 20;
const LONGEST_ESCAPE = 20;
const REPEAT = /^\{(\d{1,9})(,?)(\d{0,9})\}/;
const PLACES: ReadonlyMap<string, Place> = new Map([['A', 'text-start'], ['z', 'text-end'], ['b', 'word-edge'], ['B', 'no-word-edge']]);
const CONTROLS: ReadonlyMap<string, number> = new Map([['a', 7], ['f', 12], ['n', 10], ['r', 13], ['t', 9], ['v', 11]]);
const CLASSES: ReadonlyMap<string, (code: number) => boolean> = new Map([
  ['d', (code) => code >= 48 && code <= 57],
  ['s', (code) => code === 9 || code === 10 || code === 12 || code === 13 || code === 32],
  ['w', isWord],
]);
const POSIX: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[0-9A-Za-z]/], ['alpha', /[A-Za-z]/], ['ascii', /[\x00-\x7f]/], ['blank', /[\t ]/], ['cntrl', /[\x00-\x1f\x7f]/], ['digit', /[0-9]/], ['graph', /[!-~]/], ['lower', /[a-z]/], ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/], ['space', /[\t\n\v\f\r ]/], ['upper', /[A-Z]/], ['word', /[0-9A-Za-z_]/], ['xdigit', /[0-9A-Fa-f]/],
]);

/** Letters, digits and `_` of ASCII. */
export function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function boundsOf(text: string): readonly [number, number] {
  if (text === '*') return [0, Number.POSITIVE_INFINITY];
  if (text === '+') return [1, Number.POSITIVE_INFINITY];
  if (text === '?') return [0, 1];
  const [, least = '0', comma = '', most = ''] = REPEAT.exec(text) ?? [];
  return [Number(least), comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)];
}

function withFlags(flags: Flags, letters: string, isOn: boolean): Flags {
  const set = (letter: string, before: boolean): boolean => (letters.includes(letter) ? isOn : before);
  return { folds: set('i', flags.folds), lines: set('m', flags.lines), dotAll: set('s', flags.dotAll), swapsGreed: set('U', flags.swapsGreed) };
}

/** The same for letters of either case. */
function folded(fits: (code: number) => boolean, folds: boolean): (code: number) => boolean {
  if (!folds) return fits;
  return (code) => {
    if (fits(code)) return true;
    const text = String.fromCodePoint(code);
    return [text.toLowerCase(), text.toUpperCase()].some((other) => other !== text && fits(codeOf(other)));
  };
}

/** A general category (`L`, `Lu`) or a script (`Greek`). */
function unicodeClass(name: string): ((code: number) => boolean) | undefined {
  for (const form of [name, `Script=${name}`]) {
    try {
      const known = new RegExp(`^\\p{${form}}$`, 'u');
      return (code) => known.test(String.fromCodePoint(code));
    } catch {
      // Not a class of this kind.
    }
  }
  return undefined;
}
