import type { Json } from '../../../base/json.ts';
import { asList, digAt, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { parseInteger } from '../../../base/number.ts';

/**
 * What a simple JSON path finds, as columns of definitions have them: `.spec.replicas`, `.status.conditions[?(@.type=="Ready")].status`,
 * `.spec.hosts[*]`, `.metadata.labels['app']`. Nothing for a path that is not of this form.
 * Source: staging/src/k8s.io/client-go/util/jsonpath/jsonpath.go.
 */
export function readJsonPath(root: Json, path: string): readonly Json[] {
  const steps = stepsOf(path);
  let found: readonly Json[] = steps === undefined ? [] : [root];
  for (const step of steps ?? []) found = found.flatMap((value) => take(value, step));
  return found;
}

type Step =
  | { readonly field: string }
  | { readonly index: number }
  | { readonly all: true }
  | { readonly where: readonly string[]; readonly is: string };

/** Longer paths are nobody's. */
const LONGEST = 512;

function stepsOf(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = path.startsWith('$') ? path.slice(1) : path;
  if (path.length > LONGEST) return undefined;
  while (rest !== '') {
    const found =
      /^\.((?:[^.[\]\\]|\\.)+)/.exec(rest) ??
      /^\[\s*(\d+|\*)\s*\]/.exec(rest) ??
      /^\[\s*'([^']*)'\s*\]/.exec(rest) ??
      /^\[\?\(\s*@\.([\w.]+)\s*==\s*["']([^"']*)["']\s*\)\]/.exec(rest);
    if (found === null) return undefined;
    steps.push(stepOf(found));
    rest = rest.slice(found[0].length);
  }
  return steps;
}

function stepOf([whole, first = '', value]: RegExpExecArray): Step {
  if (value !== undefined) return { where: first.split('.'), is: value };
  if (first === '*') return { all: true };
  if (whole.startsWith('[') && /^\d+$/.test(first)) return { index: parseInteger(first) ?? Number.MAX_SAFE_INTEGER };
  return { field: first.replaceAll('\\', '') };
}

function take(value: Json, step: Step): readonly Json[] {
  if ('field' in step) return present(isJsonObject(value) ? value[step.field] : undefined);
  if ('index' in step) return present(asList(value)[step.index]);
  if ('all' in step) return isJsonObject(value) ? Object.values(value).filter((one): one is Json => one !== undefined) : asList(value);
  return asList(value).filter((one) => textOf(digAt(one, step.where)) === step.is);
}

function present(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}
