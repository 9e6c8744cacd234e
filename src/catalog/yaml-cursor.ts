import type { Document, Node, Pair } from 'yaml';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { didYouMean } from '../base/text.ts';
import type { Problem } from './yaml-problem.ts';

/** A place in a YAML file: reads what is expected there and notes a problem for everything else. */
export class YamlCursor {
  readonly #file: YamlFile;
  readonly node: Node | null;
  readonly path: string;
  /** Where the member's name stands; the value of a name may be missing. */
  readonly #name: Node | null;

  constructor(file: YamlFile, node: Node | null, path: string, name: Node | null = null) {
    this.#file = file;
    this.node = node;
    this.path = path;
    this.#name = name;
  }

  /** Counts from 1. */
  get line(): number {
    return this.#position(this.node).line;
  }

  problem(message: string): undefined {
    return this.#note(this.node, message);
  }

  #note(node: Node | null, message: string): undefined {
    const { line, column } = this.#position(node);
    this.#file.problems.push({ file: this.#file.name, line, column, field: this.path, message });
    return undefined;
  }

  #position(node: Node | null): { readonly line: number; readonly column: number } {
    const { line, col } = this.#file.lines.linePos((node?.range ?? this.#name?.range)?.[0] ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  /** The members of a map by name; a problem for each member that is not allowed and each one that is required and missing. */
  fields(allowed: readonly string[], required: readonly string[] = []): ReadonlyMap<string, YamlCursor> {
    const found = this.entries();
    for (const [name, cursor] of found) {
      if (!allowed.includes(name))
        cursor.#note(cursor.#name, `unknown field ${JSON.stringify(name)}${didYouMean(name, allowed, 'known here')}`);
    }
    if (isMap(this.node)) for (const name of required) if (!found.has(name)) this.problem(`${JSON.stringify(name)} is missing`);
    return found;
  }

  /** All members of a map by name. */
  entries(): ReadonlyMap<string, YamlCursor> {
    const found = new Map<string, YamlCursor>();
    if (!isMap(this.node)) {
      this.problem('expected a map');
      return found;
    }
    for (const pair of this.node.items as readonly Pair<Node, Node | null>[]) {
      const name = isScalar(pair.key) ? String(pair.key.value) : '';
      found.set(name, new YamlCursor(this.#file, pair.value, this.path === '' ? name : `${this.path}.${name}`, pair.key));
    }
    return found;
  }

  items(): readonly YamlCursor[] {
    if (!isSeq(this.node)) {
      this.problem('expected a list');
      return [];
    }
    return (this.node.items as readonly Node[]).map((item, index) => new YamlCursor(this.#file, item, `${this.path}[${index}]`));
  }

  isList(): boolean {
    return isSeq(this.node);
  }

  isMap(): boolean {
    return isMap(this.node);
  }

  /** The text, without a problem where there is none. */
  textIfAny(): string | undefined {
    const value: unknown = isScalar(this.node) ? this.node.value : undefined;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  }

  scalar(): string | number | boolean | undefined {
    const value: unknown = isScalar(this.node) ? this.node.value : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    return this.problem('expected a text, a number or true/false');
  }

  text(): string | undefined {
    return this.textIfAny() ?? this.problem('expected a text');
  }

  /** A text with the blanks around it. */
  exactText(): string | undefined {
    const value: unknown = isScalar(this.node) ? this.node.value : undefined;
    return typeof value === 'string' && value.trim() !== '' ? value : this.problem('expected a text');
  }

  number(): number | undefined {
    const value: unknown = isScalar(this.node) ? this.node.value : undefined;
    return typeof value === 'number' ? value : this.problem('expected a number');
  }

  flag(): boolean | undefined {
    const value: unknown = isScalar(this.node) ? this.node.value : undefined;
    return typeof value === 'boolean' ? value : this.problem('expected true or false');
  }

  oneOf<T extends string>(words: readonly T[]): T | undefined {
    const value = this.text();
    if (value === undefined) return undefined;
    return (
      words.find((word) => word === value) ?? this.problem(`unknown value ${JSON.stringify(value)}${didYouMean(value, words, 'one of')}`)
    );
  }
}

export interface YamlFile {
  readonly name: string;
  readonly lines: LineCounter;
  readonly problems: Problem[];
}

/** Opens a file's one document; syntax errors are problems with their line. */
export function openYaml(name: string, source: string, problems: Problem[]): YamlCursor {
  const lines = new LineCounter();
  const document: Document.Parsed = parseDocument(source, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  for (const error of document.errors)
    problems.push({
      file: name,
      line: lines.linePos(error.pos[0]).line,
      column: lines.linePos(error.pos[0]).col,
      field: '',
      message: error.message,
    });
  return new YamlCursor({ name, lines, problems }, document.contents, '');
}
