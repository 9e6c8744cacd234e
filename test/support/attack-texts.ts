import type { AST } from '@eslint-community/regexpp';
import { RegExpParser } from '@eslint-community/regexpp';

/** A text that an expression may take long for: its beginning, what is repeated behind it, and its end. */
export interface AttackText {
  readonly begin: string;
  readonly repeat: string;
  readonly end: string;
}

/**
 * Texts that make a backtracking matcher begin again and again. What is repeated fits a repetition of the expression, or all that
 * stands from one repetition to the beginning of another: so both can share the text out between them in many ways. The end
 * lets the expression fail, as it must for the ways to be tried.
 */
export function attackTexts(pattern: string, flags: string): readonly AttackText[] {
  const ast = new RegExpParser().parsePattern(pattern, 0, pattern.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const samples = new Samples(ast, flags);
  const texts = new Map<string, AttackText>();
  const add = (begin: string, repeat: string): void => {
    if (repeat === '' || repeat.length > 2000 || begin.length > 2000) return;
    for (const end of flags.includes('m') ? ENDS_OF_LINES : ENDS) texts.set(JSON.stringify([begin, repeat, end]), { begin, repeat, end });
  };
  const repetitions = repetitionsOf(ast, samples);
  for (const [index, { words, before }] of repetitions.entries()) {
    for (const word of words) add(before, word);
    for (const word of words) add('', word);
    add('', before);
    for (const later of repetitions.slice(index + 1)) {
      if (!later.before.startsWith(before)) continue;
      const between = later.before.slice(before.length);
      for (const repeat of [between, between.slice(words[0]?.length ?? 0), between + (later.words[0] ?? '')])
        for (const begin of ['', before]) add(begin, repeat);
    }
  }
  for (const word of [...samples.characters, samples.of(ast), ...GENERAL]) add('', word);
  return [...texts.values()];
}

/** The text, as long as this many characters. */
export function attackText({ begin, repeat, end }: AttackText, length: number): string {
  return begin + repeat.repeat(Math.ceil(length / repeat.length)).slice(0, Math.max(0, length - begin.length - end.length)) + end;
}

/** Nothing, and a new line, which `.` stops at, with what no class but a negated one has. */
const ENDS = ['', '\n\u0000'];
/** Where `$` fits in front of each new line. */
const ENDS_OF_LINES = [...ENDS, '\u0000'];
const GENERAL = [' ', '"', "'", '0', '/', 'a', '\n', '-', ':', '=', '(', '{', '\\', '.', ', ', ' a'];
/** Repetitions of fewer need not be told from none. */
const MANY = 20;
/** Of a class, as many characters are tried. */
const MAX_CHARACTERS = 3;

interface Repetition {
  /** What it repeats: a sample, and further characters that fit as well. */
  readonly words: readonly string[];
  /** A sample of all in front of it. */
  readonly before: string;
}

/** Everything that may be repeated often, from left to right, each behind all that stands in front of it. */
function repetitionsOf(ast: AST.Pattern, samples: Samples): readonly Repetition[] {
  const found: Repetition[] = [];
  const walk = (node: AST.Node, before: string): void => {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        for (const alternative of node.alternatives) walk(alternative, before);
        return;
      case 'Assertion':
        if ('alternatives' in node) for (const alternative of node.alternatives) walk(alternative, before);
        return;
      case 'Alternative': {
        let so = before;
        for (const element of node.elements) {
          walk(element, so);
          so += samples.of(element);
        }
        return;
      }
      case 'Quantifier':
        if (node.max >= MANY) found.push({ words: [...new Set([samples.of(node.element), ...samples.wordsOf(node.element)])], before });
        walk(node.element, before);
        break;
      default:
    }
  };
  walk(ast, '');
  return found;
}

/** Texts that fit parts of an expression. */
class Samples {
  readonly #flags: string;
  readonly #candidates: readonly string[];

  constructor(ast: AST.Pattern, flags: string) {
    this.#flags = flags.replaceAll(/[gy]/g, '');
    this.#candidates = [...new Set([...PRINTABLE, ...charactersOf(ast)])];
  }

  /** Every character that is written in the expression, and ends of its ranges. */
  get characters(): readonly string[] {
    return this.#candidates.slice(PRINTABLE.length);
  }

  /** The first alternatives, each repetition once. */
  of(node: AST.Node): string {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return this.of(node.alternatives[0] as AST.Node);
      case 'Alternative':
        return node.elements.map((element) => this.of(element)).join('');
      case 'Quantifier':
        return this.of(node.element).repeat(Math.max(1, Math.min(node.min, 300)));
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        return this.#fitting(node)[0] ?? '';
      default:
        return '';
    }
  }

  /** Each alternative of a group; of a class, characters that other parts of the expression have as well. */
  wordsOf(node: AST.Node): readonly string[] {
    if (node.type === 'Group' || node.type === 'CapturingGroup') return node.alternatives.map((alternative) => this.of(alternative));
    if (node.type !== 'CharacterClass' && node.type !== 'CharacterSet') return [];
    const fitting = this.#fitting(node);
    const shared = fitting.filter((character) => this.characters.includes(character) || '\n :/0'.includes(character));
    return [...shared.slice(0, MAX_CHARACTERS), ...fitting.slice(0, 1)];
  }

  #fitting(node: AST.Node): readonly string[] {
    const expression = new RegExp(`^(?:${node.raw})$`, this.#flags);
    return this.#candidates.filter((character) => expression.test(character));
  }
}

const PRINTABLE: readonly string[] = [
  'a',
  '0',
  'A',
  ' ',
  '-',
  '_',
  '/',
  '.',
  ':',
  '=',
  '"',
  "'",
  '\n',
  '\t',
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
];

function charactersOf(ast: AST.Pattern): readonly string[] {
  const found = new Set<number>();
  const walk = (node: AST.Node): void => {
    if (node.type === 'Character') found.add(node.value);
    else if (node.type === 'CharacterClassRange') for (const end of [node.min, node.max]) found.add(end.value);
    else if (node.type === 'Quantifier') walk(node.element);
    else if (node.type === 'CharacterClass' || node.type === 'Alternative') for (const element of node.elements) walk(element);
    else if ('alternatives' in node) for (const alternative of node.alternatives) walk(alternative);
  };
  walk(ast);
  return [...found].map((code) => String.fromCodePoint(code));
}
