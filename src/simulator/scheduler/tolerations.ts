import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { isLess } from '../../base/number.ts';

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

export interface Toleration {
  readonly key: string;
  readonly operator: string;
  readonly value: string;
  readonly effect: string;
}

export function taintsOf(list: Json | undefined): readonly Taint[] {
  return asList(list).map((taint) => ({ key: textAt(taint, 'key'), value: textAt(taint, 'value'), effect: textAt(taint, 'effect') }));
}

export function tolerationsOf(list: Json | undefined): readonly Toleration[] {
  return asList(list).map((one) => ({
    key: textAt(one, 'key'),
    operator: asText(dig(one, 'operator')) ?? 'Equal',
    value: textAt(one, 'value'),
    effect: textAt(one, 'effect'),
  }));
}

/** Source: staging/src/k8s.io/api/core/v1/toleration.go (ToleratesTaint). */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some(({ key, operator, value, effect }) => {
    if (effect !== '' && effect !== taint.effect) return false;
    if (key !== '' && key !== taint.key) return false;
    if (operator === 'Exists') return true;
    if (operator === 'Gt') return isLess(value, taint.value);
    if (operator === 'Lt') return isLess(taint.value, value);
    return value === taint.value;
  });
}

function textAt(value: Json, field: string): string {
  return asText(dig(value, field)) ?? '';
}
