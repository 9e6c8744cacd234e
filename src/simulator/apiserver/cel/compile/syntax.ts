import { own } from '../../../../base/own-property.ts';

/** An expression as it is written, every part at the offset where messages point: an operator's sign, a call's parenthesis. */
export type Expression =
  | {
      readonly is: 'constant';
      readonly type: 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'bool' | 'null';
      readonly text: string;
      readonly at: number;
    }
  | { readonly is: 'name'; readonly name: string; readonly at: number }
  | { readonly is: 'select'; readonly of: Expression; readonly field: string; readonly optional: boolean; readonly at: number }
  | {
      readonly is: 'call';
      readonly name: string;
      readonly of: Expression | undefined;
      readonly args: readonly Expression[];
      readonly at: number;
    }
  | { readonly is: 'list'; readonly members: readonly { readonly value: Expression; readonly optional: boolean }[]; readonly at: number }
  | {
      readonly is: 'map';
      readonly entries: readonly {
        readonly key: Expression;
        readonly value: Expression;
        readonly optional: boolean;
        readonly at: number;
      }[];
      readonly at: number;
    }
  | {
      readonly is: 'object';
      readonly type: string;
      readonly fields: readonly { readonly name: string; readonly value: Expression; readonly optional: boolean; readonly at: number }[];
      readonly at: number;
    }
  | { readonly is: 'nothing'; readonly at: number };

/**
 * Calls that are written out before types are looked at, by name and number of arguments. Source: cel-go parser/macro.go,
 * ext/comprehensions.go.
 */
export const MEMBER_MACROS: Readonly<Record<string, readonly number[]>> = {
  all: [2, 3],
  exists: [2, 3],
  exists_one: [2],
  existsOne: [2, 3],
  map: [2, 3],
  filter: [2],
  optMap: [2],
  optFlatMap: [2],
  transformList: [3, 4],
  transformMap: [3, 4],
  transformMapEntry: [3, 4],
};

/** Whether a call is such a macro. */
export function isMacro(call: Expression & { readonly is: 'call' }): boolean {
  return call.of === undefined
    ? call.name === 'has' && call.args.length === 1
    : (own(MEMBER_MACROS, call.name) ?? []).includes(call.args.length) && !(call.of.is === 'name' && call.of.name === 'cel');
}
