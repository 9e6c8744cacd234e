import { parseBigint } from '../../../../base/number.ts';
import type { Expression } from './syntax.ts';

export const LITERALS: Readonly<Record<string, (Expression & { readonly is: 'constant' })['type']>> = {
  NUM_INT: 'int',
  NUM_UINT: 'uint',
  NUM_FLOAT: 'double',
  STRING: 'string',
  BYTES: 'bytes',
  "'true'": 'bool',
  "'false'": 'bool',
  "'null'": 'null',
};

export function fits(text: string, type: 'int' | 'uint'): boolean {
  const negative = text.startsWith('-');
  const digits = text.replace(/^-/, '').replace(/[uU]$/, '');
  if (digits.length > 40) return false;
  const value = parseBigint(digits) ?? 0n;
  return type === 'uint' ? value < 2n ** 64n : negative ? value <= 2n ** 63n : value < 2n ** 63n;
}
