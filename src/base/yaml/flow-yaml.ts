import { withoutTail } from '../text.ts';
import type { Json } from '../json.ts';
import { kubeScalar } from './kube-scalar.ts';

/**
 * A flow collection that stands on one line (`["sh", "-c"]`, `{ app: web }`). Undefined for what is written in a less common way,
 * or wrongly, which is left to a full parser.
 */
export function parseFlow(text: string): { readonly value: Json } | undefined {
  const reader = new FlowReader(text);
  const value = reader.value(0);
  return value === undefined || !reader.atEnd() ? undefined : { value };
}

const MAX_DEPTH = 32;
const ENDS_PLAIN = /[,[\]{}]|:(?=[ ,[\]{}]|$)| #/g;
const NOT_PLAIN = /^[-?:](?:[ ,[\]{}]|$)|^[,[\]{}#&*!|>'"%@`]/;

class FlowReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined when the text is beyond this reader. */
  value(depth: number): Json | undefined {
    if (depth > MAX_DEPTH) return undefined;
    this.#skipSpaces();
    switch (this.#text.charAt(this.#at)) {
      case '[':
        return this.#list(depth);
      case '{':
        return this.#map(depth);
      case '"':
      case "'":
        return this.#quoted();
      default:
        return this.#plain();
    }
  }

  atEnd(): boolean {
    this.#skipSpaces();
    const rest = this.#text.slice(this.#at);
    return rest === '' || (rest.startsWith('#') && this.#text.charAt(this.#at - 1) === ' ');
  }

  #list(depth: number): Json | undefined {
    const items: Json[] = [];
    this.#at++;
    while (!this.#take(']')) {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#take(',') && !this.#sees(']')) return undefined;
    }
    return items;
  }

  #map(depth: number): Json | undefined {
    const members: Record<string, Json> = {};
    this.#at++;
    while (!this.#take('}')) {
      this.#skipSpaces();
      const isQuoted = /["']/.test(this.#text.charAt(this.#at));
      const key = isQuoted ? this.#quoted() : this.#plain();
      if (key === undefined || key === null || typeof key === 'object' || key === '__proto__' || key === '<<' || !this.#take(':'))
        return undefined;
      const value = this.#sees(',') || this.#sees('}') ? null : this.value(depth + 1);
      if (value === undefined) return undefined;
      members[String(key)] = value;
      if (!this.#take(',') && !this.#sees('}')) return undefined;
    }
    return members;
  }

  /** Quoted scalars with escapes beyond the simplest are left to a full parser. */
  #quoted(): string | undefined {
    const quote = this.#text.charAt(this.#at);
    const pattern = quote === '"' ? /"([^"\\]*)"/y : /'((?:[^']|'')*)'/y;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return quote === '"' ? found[1] : found[1]?.replaceAll("''", "'");
  }

  #plain(): Json | undefined {
    ENDS_PLAIN.lastIndex = this.#at;
    const end = ENDS_PLAIN.exec(this.#text)?.index ?? this.#text.length;
    const text = withoutTail(this.#text.slice(this.#at, end), ' \t');
    if (text === '' || NOT_PLAIN.test(this.#text.slice(this.#at, this.#at + 2))) return undefined;
    this.#at = end;
    return kubeScalar(text);
  }

  #sees(character: string): boolean {
    this.#skipSpaces();
    return this.#text.charAt(this.#at) === character;
  }

  #take(character: string): boolean {
    const sees = this.#sees(character);
    if (sees) this.#at++;
    return sees;
  }

  #skipSpaces(): void {
    while (this.#text.charAt(this.#at) === ' ') this.#at++;
  }
}
