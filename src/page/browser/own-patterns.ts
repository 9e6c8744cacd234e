/** In the place of re2js in the page: Go's expressions by those of the browser, as far as base/pattern/linear-pattern.ts needs them. */

export class RE2JSException extends Error {}

class Matcher {
  readonly #expression: RegExp;
  readonly #text: string;
  #found: RegExpExecArray | null = null;

  constructor(expression: RegExp, text: string) {
    this.#expression = expression;
    this.#text = text;
  }

  find(from = 0): boolean {
    this.#expression.lastIndex = from;
    this.#found = this.#expression.exec(this.#text);
    return this.#found !== null;
  }

  start(): number {
    return this.#found?.index ?? -1;
  }

  group(): string | null {
    return this.#found?.[0] ?? null;
  }
}

export class RE2JS {
  readonly #expression: RegExp;

  private constructor(expression: RegExp) {
    this.#expression = expression;
  }

  /** Throws a RE2JSException for what is no expression, in the browser's words. */
  static compile(pattern: string): RE2JS {
    const [, flags = '', rest = ''] = /^(?:\(\?([ims]+)\))?([^]*)$/.exec(pattern) ?? [];
    try {
      return new RE2JS(new RegExp(inWordsOfTheBrowser(rest), `gu${flags}`));
    } catch (error) {
      throw new RE2JSException(`error parsing regexp: ${error instanceof Error ? error.message : ''}`);
    }
  }

  matcher(text: string): Matcher {
    return new Matcher(this.#expression, text);
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: '0-9A-Za-z',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  word: '\\w',
};

/** What Go writes in another way: ends of the text, names of groups, classes, and escapes of what needs none. */
function inWordsOfTheBrowser(pattern: string): string {
  return pattern
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\[:(\w{1,6}):\]/g, (whole, name: string) => CLASSES[name] ?? whole)
    .replaceAll(/\\([Az_:;,'"!@#%&=<>~` -])/g, (whole, letter: string) =>
      letter === 'A' ? '(?<![^])' : letter === 'z' ? '(?![^])' : letter === '-' ? whole : letter,
    );
}
