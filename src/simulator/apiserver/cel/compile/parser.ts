import type { Issue } from './issues.ts';
import { NOWHERE } from './issues.ts';
import type { Follow } from './reader.ts';
import { Reader, TooDeep } from './reader.ts';
import type { Expression } from './syntax.ts';
import { isMacro, MEMBER_MACROS } from './syntax.ts';
import type { Token } from './tokens.ts';
import { followedBy, orEnd, OPERAND, RELATIONS, SUMS, PRODUCTS } from './follow-sets.ts';
import { LITERALS, fits } from './literal-types.ts';

/** What an expression says, or what keeps it from being read. Source: cel-go parser/parser.go, parser/gen/CEL.g4. */
export function parseExpression(text: string): { readonly expression: Expression; readonly issues: readonly Issue[] } {
  const reader = new Reader(text);
  try {
    const expression = new Parser(reader).start();
    return { expression, issues: reader.issues };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { expression: { is: 'nothing', at: 0 }, issues: [{ at: NOWHERE, message: error.message }] };
  }
}

const RESERVED: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

/** As many may follow one another from left to right. Source: cel-go parser/parser.go (checkAndIncrementRecursionDepth). */
const LONGEST_CHAIN = 250;

function notTooLong(count: number): void {
  if (count > LONGEST_CHAIN) throw new TooDeep('max recursion depth exceeded');
}

/** The parts of a conjunction or disjunction, however many, not deep in one another. Source: cel-go parser/helper.go (balancer). */
function balanced(name: string, parts: readonly Expression[], places: readonly number[]): Expression {
  const middle = Math.floor(places.length / 2);
  const at = places[middle];
  if (at === undefined) return parts[0] ?? { is: 'nothing', at: 0 };
  return {
    is: 'call',
    name,
    of: undefined,
    args: [
      balanced(name, parts.slice(0, middle + 1), places.slice(0, middle)),
      balanced(name, parts.slice(middle + 1), places.slice(middle + 1)),
    ],
    at,
  };
}

class Parser {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  start(): Expression {
    return (
      this.#reader.rule('start', followedBy([]), () => {
        const expression = this.#expression(followedBy(['<EOF>']));
        this.#reader.match('<EOF>', followedBy([]));
        return expression;
      }) ?? this.#nothing()
    );
  }

  #nothing(): Expression {
    return { is: 'nothing', at: this.#reader.token.at };
  }

  #expression(follow: Follow): Expression {
    return (
      this.#reader.rule('expr', follow, () => {
        const condition = this.#logical("'||'", orEnd("'?'"));
        if (this.#reader.kind !== "'?'") return condition;
        const { at } = this.#reader.token;
        this.#reader.match("'?'", followedBy([...OPERAND]));
        const yes = this.#logical("'||'", followedBy(["':'"]));
        this.#reader.match("':'", followedBy([...OPERAND]));
        return { is: 'call', name: '_?_:_', of: undefined, args: [condition, yes, this.#expression(orEnd())], at };
      }) ?? this.#nothing()
    );
  }

  #logical(sign: "'||'" | "'&&'", follow: Follow): Expression {
    return (
      this.#reader.rule(sign, follow, () => {
        const part = (): Expression => (sign === "'||'" ? this.#logical("'&&'", orEnd(sign)) : this.#relation(orEnd(sign)));
        const parts = [part()];
        const places: number[] = [];
        while (this.#reader.kind === sign) {
          places.push(this.#reader.token.at);
          this.#reader.match(sign, followedBy([...OPERAND]));
          parts.push(part());
        }
        return balanced(sign === "'||'" ? '_||_' : '_&&_', parts, places);
      }) ?? this.#nothing()
    );
  }

  #relation(follow: Follow): Expression {
    return (
      this.#reader.rule('relation', follow, () => this.#chain(RELATIONS, () => this.#calculation(orEnd(...RELATIONS)))) ?? this.#nothing()
    );
  }

  #calculation(follow: Follow): Expression {
    const all = orEnd(...SUMS, ...PRODUCTS);
    return (
      this.#reader.rule('calc', follow, () => this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#unary(all)))) ?? this.#nothing()
    );
  }

  /** Operands with signs of the same rank between them, from left to right. */
  #chain(signs: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (let count = 1; signs.includes(this.#reader.kind); count++) {
      notTooLong(count);
      const { at, text } = this.#reader.token;
      this.#reader.match(this.#reader.kind, followedBy([...OPERAND]));
      left = { is: 'call', name: text === 'in' ? '@in' : `_${text}_`, of: undefined, args: [left, operand()], at };
    }
    return left;
  }

  #unary(follow: Follow): Expression {
    return (
      this.#reader.rule('unary', follow, () => {
        this.#reader.sync(OPERAND);
        const first = this.#reader.token;
        const negative = first.kind === "'-'" && ['NUM_INT', 'NUM_FLOAT'].includes(this.#reader.ahead(1).kind);
        if ((first.kind !== "'!'" && first.kind !== "'-'") || negative) return this.#member(orEnd());
        let count = 0;
        while (this.#reader.kind === first.kind) {
          if (first.kind === "'-'") this.#noteLoneMinus();
          this.#reader.match(first.kind, followedBy([...OPERAND]));
          count++;
          if (first.kind === "'!'") this.#reader.syncLoop(OPERAND);
        }
        const member = this.#member(orEnd());
        return count % 2 === 0
          ? member
          : { is: 'call', name: first.kind === "'!'" ? '!_' : '-_', of: undefined, args: [member], at: first.at };
      }) ?? this.#nothing()
    );
  }

  /** A minus with nothing after it is two errors at once. */
  #noteLoneMinus(): void {
    if (!OPERAND.includes(this.#reader.ahead(1).kind)) this.#reader.noAlternative(1, OPERAND);
  }

  #member(follow: Follow): Expression {
    let last: Expression | undefined;
    const whole = this.#reader.rule('member', follow, () => {
      let found: Expression = this.#primary(orEnd("'.'", "'['"));
      last = found;
      for (let count = 1; this.#reader.kind === "'.'" || this.#reader.kind === "'['"; count++) {
        notTooLong(count);
        found = this.#reader.kind === "'.'" ? this.#select(found) : this.#element(found);
        last = found;
      }
      return found;
    });
    return whole ?? last ?? this.#nothing();
  }

  #select(of: Expression): Expression {
    const dot = this.#reader.token;
    const optional = this.#reader.ahead(1).kind === "'?'";
    if (this.#reader.ahead(optional ? 2 : 1).kind !== 'IDENTIFIER') this.#reader.noAlternative(optional ? 2 : 1);
    this.#reader.match("'.'", followedBy(["'?'", 'IDENTIFIER']));
    if (optional) this.#reader.match("'?'", followedBy(['IDENTIFIER']));
    const field = this.#reader.match('IDENTIFIER', orEnd())?.text ?? '';
    if (optional || this.#reader.kind !== "'('") return { is: 'select', of, field, optional, at: dot.at };
    return this.#macro({ is: 'call', name: field, of, ...this.#arguments() });
  }

  #element(of: Expression): Expression {
    const { at } = this.#reader.token;
    this.#reader.match("'['", followedBy(["'?'", ...OPERAND]));
    const optional = this.#reader.kind === "'?'";
    if (optional) this.#reader.match("'?'", followedBy([...OPERAND]));
    const index = this.#expression(followedBy(["']'"]));
    this.#reader.match("']'", orEnd("'.'", "'['"));
    return { is: 'call', name: optional ? '_[?_]' : '_[_]', of: undefined, args: [of, index], at };
  }

  /** The parenthesis and what is in it. */
  #arguments(): { readonly args: readonly Expression[]; readonly at: number } {
    const { at } = this.#reader.token;
    this.#reader.match("'('", followedBy([...OPERAND, "')'"]));
    this.#reader.sync([...OPERAND, "')'"]);
    const args =
      this.#reader.kind === "')'"
        ? []
        : (this.#reader.rule('exprList', followedBy(["')'"]), () => this.#separated(() => this.#expression(orEnd("','")))) ?? []);
    this.#reader.match("')'", orEnd("'.'", "'['"));
    return { args, at };
  }

  #separated<T>(one: () => T, more: () => boolean = () => true): readonly T[] {
    const found = [one()];
    while (this.#reader.kind === "','" && more()) {
      this.#reader.match("','", followedBy([...OPERAND]));
      found.push(one());
    }
    return found;
  }

  /** Macros want names and fields in their places. */
  #macro(call: Expression & { readonly is: 'call' }): Expression {
    if (!isMacro(call)) return call;
    const [first] = call.args;
    if (call.of === undefined) {
      if (first?.is !== 'select') this.#reader.note(first?.at ?? call.at, 'invalid argument to has() macro');
      return call;
    }
    const most = MEMBER_MACROS[call.name] ?? [];
    const names = call.name.startsWith('transform') || (call.args.length === 3 && call.name !== 'map' && most.includes(3)) ? 2 : 1;
    for (const name of call.args.slice(0, names)) if (name.is !== 'name') this.#reader.note(name.at, 'argument is not an identifier');
    return call;
  }

  #primary(follow: Follow): Expression {
    return (
      this.#reader.rule('primary', follow, () => {
        this.#reader.sync(OPERAND.filter((kind) => kind !== "'!'"));
        const { kind, at } = this.#reader.token;
        switch (kind) {
          case "'('": {
            this.#reader.match(kind, followedBy([...OPERAND]));
            const inner = this.#expression(followedBy(["')'"]));
            this.#reader.match("')'", orEnd());
            return inner;
          }
          case "'['":
            return this.#list(at);
          case "'{'":
            return this.#map(at);
          case "'.'":
          case 'IDENTIFIER':
            return this.#named();
          default:
            return this.#literal();
        }
      }) ?? this.#nothing()
    );
  }

  #list(at: number): Expression {
    const first = ["'?'", ...OPERAND];
    this.#reader.match("'['", followedBy([...first, "','", "']'"]));
    this.#reader.sync([...first, "','", "']'"]);
    const one = (): { readonly value: Expression; readonly optional: boolean } =>
      this.#optional((optional) => ({ value: this.#expression(orEnd()), optional }), orEnd("','"));
    const members = first.includes(this.#reader.kind)
      ? (this.#reader.rule('listInit', followedBy(["','", "']'"]), () =>
          this.#separated(one, () => first.includes(this.#reader.ahead(1).kind)),
        ) ?? [])
      : [];
    this.#trailing("']'");
    return { is: 'list', members, at };
  }

  #trailing(end: string): void {
    this.#reader.sync(["','", end]);
    if (this.#reader.kind === "','") this.#reader.match("','", followedBy([end]));
    this.#reader.match(end, orEnd());
  }

  #optional<T>(run: (optional: boolean) => T, follow: Follow): T {
    const fallback = (): T => run(false);
    return (
      this.#reader.rule('optExpr', follow, () => {
        this.#reader.sync(["'?'", ...OPERAND]);
        const optional = this.#reader.kind === "'?'";
        if (optional) this.#reader.match("'?'", followedBy([...OPERAND]));
        return run(optional);
      }) ?? fallback()
    );
  }

  #map(at: number): Expression {
    const first = ["'?'", ...OPERAND];
    this.#reader.match("'{'", followedBy([...first, "','", "'}'"]));
    this.#reader.sync([...first, "','", "'}'"]);
    const entries: { key: Expression; value: Expression; optional: boolean; at: number }[] = [];
    const one = (): void => {
      const [key, optional] = this.#optional((is): readonly [Expression, boolean] => [this.#expression(orEnd()), is], followedBy(["':'"]));
      const colon = this.#reader.match("':'", followedBy([...OPERAND]));
      entries.push({ key, optional, value: this.#expression(orEnd("','")), at: colon?.at ?? at });
    };
    if (first.includes(this.#reader.kind))
      this.#reader.rule('mapInitializerList', followedBy(["','", "'}'"]), () =>
        this.#separated(one, () => first.includes(this.#reader.ahead(1).kind)),
      );
    this.#trailing("'}'");
    return { is: 'map', entries, at };
  }

  /** A name, a call of a function, or an object written by its type. */
  #named(): Expression {
    const dotted = this.#reader.kind === "'.'";
    if (dotted && this.#reader.ahead(1).kind !== 'IDENTIFIER') this.#reader.noAlternative(1);
    let after = dotted ? 2 : 1;
    while (this.#reader.ahead(after).kind === "'.'" && this.#reader.ahead(after + 1).kind === 'IDENTIFIER') after += 2;
    if (this.#reader.ahead(after).kind === "'{'") return this.#object(after);
    if (dotted) this.#reader.match("'.'", followedBy(['IDENTIFIER']));
    const word = this.#reader.match('IDENTIFIER', orEnd("'('"));
    const [name, at] = [word?.text ?? '', word?.at ?? this.#reader.token.at];
    if (RESERVED.has(name)) this.#reader.note(at, `reserved identifier: ${name}`);
    if (this.#reader.kind !== "'('") return { is: 'name', name, at };
    return this.#macro({ is: 'call', name, of: undefined, ...this.#arguments() });
  }

  #object(words: number): Expression {
    const parts: string[] = [];
    for (let count = 0; count < words; count++) parts.push(this.#reader.match(this.#reader.kind, followedBy(["'.'", "'{'"]))?.text ?? '');
    const { at } = this.#reader.token;
    const first = ["'?'", 'IDENTIFIER', 'ESC_IDENTIFIER'];
    this.#reader.match("'{'", followedBy([...first, "','", "'}'"]));
    this.#reader.sync([...first, "','", "'}'"]);
    const fields: { name: string; value: Expression; optional: boolean; at: number }[] = [];
    const one = (): void => {
      const optional = this.#reader.kind === "'?'";
      if (optional) this.#reader.match("'?'", followedBy(['IDENTIFIER']));
      this.#reader.sync(['IDENTIFIER', 'ESC_IDENTIFIER']);
      const name = this.#reader.match('IDENTIFIER', followedBy(["':'"]))?.text ?? '';
      const colon = this.#reader.match("':'", followedBy([...OPERAND]));
      fields.push({ name, optional, value: this.#expression(orEnd("','")), at: colon?.at ?? at });
    };
    if (first.includes(this.#reader.kind))
      this.#reader.rule('fieldInitializerList', followedBy(["','", "'}'"]), () =>
        this.#separated(one, () => first.includes(this.#reader.ahead(1).kind)),
      );
    this.#trailing("'}'");
    return { is: 'object', type: parts.join('').replace(/^\./, ''), fields, at };
  }

  #literal(): Expression {
    const negative = this.#reader.kind === "'-'" && ['NUM_INT', 'NUM_FLOAT'].includes(this.#reader.ahead(1).kind);
    if (negative) this.#reader.match("'-'", followedBy(['NUM_INT', 'NUM_FLOAT']));
    const { kind } = this.#reader;
    const type = LITERALS[kind];
    if (type === undefined) this.#reader.noAlternative(0);
    const word: Token | undefined = this.#reader.match(kind, orEnd());
    const [text, at] = [`${negative ? '-' : ''}${word?.text ?? ''}`, word?.at ?? this.#reader.token.at];
    if ((type === 'int' || type === 'uint') && !fits(text, type)) this.#reader.note(at, `invalid ${type} literal`);
    return { is: 'constant', type: type ?? 'null', text, at };
  }
}
