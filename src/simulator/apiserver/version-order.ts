import { parseInteger } from '../../base/number.ts';

/** v2 before v1 before v1beta1 before v1alpha1. Source: staging/src/k8s.io/apimachinery/pkg/version/helpers.go. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [weigh(a), weigh(b)];
  for (let index = 0; index < 3; index++) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

function weigh(version: string): readonly number[] {
  const parts = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (parts === null) return [0, 0, 0];
  const [, major, stage, minor] = parts;
  return [stage === undefined ? 3 : stage === 'beta' ? 2 : 1, parseInteger(major) ?? 0, parseInteger(minor) ?? 0];
}
