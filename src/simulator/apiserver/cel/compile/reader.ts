import { append } from '../../../../base/lists.ts';
import type { Issue } from './issues.ts';
import type { Token } from './tokens.ts';
import { KINDS, tokensOf } from './tokens.ts';

/** What may follow a rule where it was called for, and whether the caller may end there. */
export interface Follow {
  readonly kinds: readonly string[];
  readonly mayEnd: boolean;
}

/** Leaves a rule that cannot be gone on with. */
class Mismatch extends Error {
  readonly words: string;
  /** What else is said of the same place. */
  readonly also: string | undefined;

  constructor(words: string, also?: string) {
    super(words);
    this.words = words;
    this.also = also;
  }
}

/**
 * Reads tokens as ANTLR's parsers do, above all where they are wrong: a token too many or too few is passed over, anything else
 * ends the rule, whose caller goes on with the next token it can use. After an error nothing is said until a token fits again.
 * Source: github.com/antlr4-go/antlr (DefaultErrorStrategy).
 */
export class Reader {
  readonly issues: Issue[] = [];
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #callers: Follow[] = [];
  #index = 0;
  #recovering = false;
  #lastErrorIndex = -1;
  #lastErrorRules = new Set<string>();

  constructor(text: string) {
    const { tokens, issues } = tokensOf(text);
    this.#text = text;
    this.#tokens = tokens;
    append(this.issues, issues);
  }

  get token(): Token {
    return this.ahead(0);
  }

  /** The kind of the next token. */
  get kind(): string {
    return this.token.kind;
  }

  ahead(count: number): Token {
    return this.#tokens[Math.min(this.#index + count, this.#tokens.length - 1)] ?? { kind: '<EOF>', text: '<EOF>', at: this.#text.length };
  }

  note(at: number, message: string): void {
    this.issues.push({ at, message });
  }

  /** Runs a rule called for where `follow` comes next; what it made, or nothing where it could not be gone on with. */
  rule<T>(name: string, follow: Follow, run: () => T): T | undefined {
    if (this.#callers.length > DEEPEST) throw new TooDeep('expression recursion limit exceeded: 250');
    this.#callers.push(follow);
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.#report(error.words);
      if (error.also !== undefined) this.note(this.token.at, `Syntax error: ${error.also}`);
      this.#recover(name);
      return undefined;
    } finally {
      this.#callers.pop();
    }
  }

  /** The token wanted, when it is there or can be made up; `next` is what comes after it in the rule. */
  match(kind: string, next: Follow): Token | undefined {
    if (this.kind === kind) return this.#take();
    if (this.ahead(1).kind === kind) {
      this.#reportUnwanted([kind]);
      this.#index++;
      return this.#take();
    }
    if (!this.#expected(next).includes(this.kind)) throw new Mismatch(`mismatched input ${this.#shown()} expecting ${listed([kind])}`);
    this.#report(`missing ${kind} at ${this.#shown()}`);
    return undefined;
  }

  /** The next token whatever it is. */
  #take(): Token {
    const { token } = this;
    this.#recovering = false;
    if (this.#index < this.#tokens.length - 1) this.#index++;
    return token;
  }

  /** Where a choice is to be made: the next token is one of these, or one too many, or the rule ends. */
  sync(kinds: readonly string[]): void {
    if (this.#recovering || kinds.includes(this.kind)) return;
    if (kinds.includes(this.ahead(1).kind)) {
      this.#reportUnwanted(kinds);
      this.#index++;
      this.#recovering = false;
      return;
    }
    throw new Mismatch(`mismatched input ${this.#shown()} expecting ${listed(kinds)}`);
  }

  /** The same where something may come again. */
  syncLoop(kinds: readonly string[]): void {
    if (this.#recovering || kinds.includes(this.kind)) return;
    this.#reportUnwanted(kinds);
    this.#skipTo(new Set([...kinds, ...this.#callers.flatMap((caller) => caller.kinds)]));
  }

  /** The tokens from the next one to the `count`th after it make no sense together; at the end, what was expected there is said, too. */
  noAlternative(count: number, expected: readonly string[] = []): never {
    const [start, stop] = [this.token, this.ahead(count)];
    const last = stop.kind === '<EOF>' ? this.ahead(count - 1) : stop;
    const text = this.#text.slice(start.at, last.at + last.text.length);
    const reserved = /^\.(true|false|null)$/.exec(text)?.[1];
    const shown = start.kind === '<EOF>' ? '<EOF>' : text;
    this.#index = Math.min(this.#index + count, this.#tokens.length - 1);
    const also = expected.length > 0 && this.kind === '<EOF>' ? `mismatched input '<EOF>' expecting ${listed(expected)}` : undefined;
    throw new Mismatch(
      reserved === undefined ? `no viable alternative at input '${shown}'` : `mismatched input '${reserved}' expecting IDENTIFIER`,
      also,
    );
  }

  #expected(next: Follow): readonly string[] {
    const kinds = [...next.kinds];
    if (!next.mayEnd) return kinds;
    for (const caller of this.#callers.toReversed()) {
      append(kinds, caller.kinds);
      if (!caller.mayEnd) break;
    }
    return kinds;
  }

  #reportUnwanted(kinds: readonly string[]): void {
    this.#report(`extraneous input ${this.#shown()} expecting ${listed(kinds)}`);
  }

  #report(words: string): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.note(this.token.at, `Syntax error: ${words}`);
  }

  /** A second failure at the same place would go on for ever: a token is passed over. */
  #recover(rule: string): void {
    if (this.#lastErrorIndex === this.#index && this.#lastErrorRules.has(rule) && this.kind !== '<EOF>') this.#index++;
    if (this.#lastErrorIndex !== this.#index) this.#lastErrorRules = new Set();
    this.#lastErrorIndex = this.#index;
    this.#lastErrorRules.add(rule);
    this.#skipTo(new Set(this.#callers.flatMap((caller) => caller.kinds)));
  }

  #skipTo(kinds: ReadonlySet<string>): void {
    while (this.kind !== '<EOF>' && !kinds.has(this.kind)) this.#index++;
  }

  #shown(): string {
    return `'${this.token.text}'`;
  }
}

/** As many rules are open when 250 expressions stand in one another. Source: cel-go parser/options.go (maxRecursionDepth). */
const DEEPEST = 2000;

/** Ends the reading of an expression with more in one another, or one after another, than is allowed. */
export class TooDeep extends Error {}

function listed(kinds: readonly string[]): string {
  const sorted = KINDS.filter((kind) => kinds.includes(kind));
  if (kinds.includes('<EOF>')) sorted.unshift('<EOF>');
  return sorted.length === 1 ? (sorted[0] ?? '') : `{${sorted.join(', ')}}`;
}
