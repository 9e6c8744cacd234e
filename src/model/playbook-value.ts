import { knownPattern } from '../base/pattern/known-pattern.ts';
import { parseDuration } from '../base/duration.ts';
import { parseDecimal } from '../base/number.ts';
import { parseQuantity } from '../base/quantity.ts';
import type { Scalar } from './fact.ts';
import { parseRef } from './kube-object.ts';
import type { AskedValue } from './playbook.ts';

export type CheckedValue = { readonly ok: true; readonly value: Scalar } | { readonly ok: false; readonly expected: string };

/** Nobody needs a longer one. */
const LONGEST = 4096;

/** A text as a value of a parameter's or question's type, or what was expected instead, in words that do not repeat the text. */
export function checkParam({ type, pattern, oneOf }: Pick<AskedValue, 'type' | 'pattern' | 'oneOf'>, text: string): CheckedValue {
  if (text.length > LONGEST) return { ok: false, expected: `expected at most ${LONGEST} characters` };
  const typed = typedValue(type, text);
  if (!typed.ok) return typed;
  if (oneOf !== undefined && !oneOf.some((value) => value === typed.value || String(value) === text))
    return { ok: false, expected: `expected one of ${oneOf.join(', ')}` };
  if (pattern !== undefined && !fits(pattern, text)) return { ok: false, expected: `expected a text that matches ${pattern}` };
  return typed;
}

function fits(pattern: string, text: string): boolean {
  const known = knownPattern(`^(?:${pattern})$`);
  return !('trouble' in known) && known.test(text);
}

function typedValue(type: AskedValue['type'], text: string): CheckedValue {
  switch (type) {
    case 'text':
      return text === '' ? { ok: false, expected: 'expected a text' } : { ok: true, value: text };
    case 'number':
      return /^-?\d{1,15}(\.\d{1,9})?$/.test(text)
        ? { ok: true, value: parseDecimal(text) ?? 0 }
        : { ok: false, expected: 'expected a number' };
    case 'flag':
      return /^(true|yes|y|false|no|n)$/i.test(text)
        ? { ok: true, value: /^[ty]/i.test(text) }
        : { ok: false, expected: 'expected yes or no' };
    case 'name':
      return /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(text)
        ? { ok: true, value: text }
        : { ok: false, expected: "expected a Kubernetes name: lowercase letters, digits, '-' and '.'" };
    case 'object':
      return parseRef(text) === undefined
        ? { ok: false, expected: 'expected an object: Kind/name or Kind/namespace/name' }
        : { ok: true, value: text };
    case 'duration':
      return parseDuration(text) === undefined ? { ok: false, expected: 'expected a duration: 30s, 2m, 1h30m' } : { ok: true, value: text };
    case 'quantity':
      return parseQuantity(text) === undefined ? { ok: false, expected: 'expected a quantity: 500m, 2, 128Mi' } : { ok: true, value: text };
  }
}
