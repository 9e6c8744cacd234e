/** A command as it was typed: words without flags, flags by their long names, and what stands behind `--`. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
  readonly behind: readonly string[];
}

/** The words of a line as a shell takes them: quotes are taken off, nothing is expanded. */
export function wordsOf(line: string): readonly string[] | { readonly trouble: string } {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? '';
    if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if ('|;&<>`'.includes(letter)) return { trouble: `error: this console runs one command at a time, without "${letter}"` };
    const piece = pieceAt(line, at);
    if (piece === undefined) return { trouble: `error: the quote ${letter} is not closed` };
    word = (word ?? '') + piece.text;
    at = piece.end;
  }
  return word === undefined ? words : [...words, word];
}

/** A letter, what stands behind a backslash, or between quotes; undefined for a quote that is not closed. */
function pieceAt(line: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const letter = line[at] ?? '';
  if (letter === '\\') return { text: line[at + 1] ?? '', end: at + 1 };
  if (letter !== "'" && letter !== '"') return { text: letter, end: at };
  const end = endOfQuote(line, at);
  if (end < 0) return undefined;
  const quoted = line.slice(at + 1, end);
  return { text: letter === '"' ? quoted.replaceAll(/\\(["\\$`])/g, '$1') : quoted, end };
}

function endOfQuote(line: string, start: number): number {
  const quote = line[start] ?? '';
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === '\\' && quote === '"') at++;
    else if (line[at] === quote) return at;
  }
  return -1;
}

/**
 * Takes flags apart. `known` names them: `namespace/n=` has a value and a short form, `wide` neither. kubectl's words for an unknown one.
 * Source: github.com/spf13/pflag (flag.go).
 */
export function takeApart(words: readonly string[], known: string, command: string): CommandLine | { readonly trouble: string } {
  const flags = flagsOf(`${known} ${GLOBAL}`);
  const plain: string[] = [];
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return { words: plain, flags: given, behind: words.slice(at + 1) };
    if (!word.startsWith('-') || word === '-') {
      plain.push(word);
      continue;
    }
    const [name, value] = nameAndValue(word);
    const flag = flags.get(name);
    if (flag === undefined) return { trouble: unknownFlag(word, name, command) };
    if (!flag.hasValue) given.set(flag.name, value ?? 'true');
    else if (value !== undefined) given.set(flag.name, together(flag.name, given.get(flag.name), value));
    else if (at + 1 < words.length) given.set(flag.name, together(flag.name, given.get(flag.name), words[++at] ?? ''));
    else return { trouble: `error: flag needs an argument: ${word.startsWith('--') ? word : `'${word.slice(1)}' in ${word}`}` };
  }
  return { words: plain, flags: given, behind: [] };
}

/** The one flag that may be given several times has all its values, a line each. */
function together(name: string, before: string | undefined, value: string): string {
  return name === 'from-literal' && before !== undefined ? `${before}\n${value}` : value;
}

const GLOBAL = 'namespace/n= help/h';

function flagsOf(known: string): ReadonlyMap<string, { readonly name: string; readonly hasValue: boolean }> {
  const flags = new Map<string, { readonly name: string; readonly hasValue: boolean }>();
  for (const word of known.split(' ').filter((one) => one !== '')) {
    const [name = '', short] = word.replace('=', '').split('/');
    const flag = { name, hasValue: word.endsWith('=') };
    flags.set(`--${name}`, flag);
    if (short !== undefined) flags.set(`-${short}`, flag);
  }
  return flags;
}

/** `--name=value`, `-nvalue` and `-n=value` are told apart from `--name` and `-n`. */
function nameAndValue(word: string): readonly [name: string, value: string | undefined] {
  if (!word.startsWith('--')) return [word.slice(0, 2), word.length > 2 ? word.slice(2).replace(/^=/, '') : undefined];
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function unknownFlag(word: string, name: string, command: string): string {
  const what = word.startsWith('--') ? `unknown flag: ${name}` : `unknown shorthand flag: '${name.slice(1)}' in ${word}`;
  return `error: ${what}\nSee 'kubectl ${command} --help' for usage.`;
}
