import type { Follow } from './reader.ts';

export function followedBy(kinds: readonly string[]): Follow {
  return { kinds, mayEnd: false };
}

export function orEnd(...kinds: readonly string[]): Follow {
  return { kinds, mayEnd: true };
}

export const OPERAND = [
  "'['",
  "'{'",
  "'('",
  "'.'",
  "'-'",
  "'!'",
  "'true'",
  "'false'",
  "'null'",
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];
export const RELATIONS = ["'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'"];
export const SUMS = ["'+'", "'-'"];
export const PRODUCTS = ["'*'", "'/'", "'%'"];
