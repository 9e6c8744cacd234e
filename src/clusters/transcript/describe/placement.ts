import type { JsonObject } from '../../../base/json.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import { given, integer, labelMap } from '../draft.ts';
import { labelSelectorJson } from '../printed-values.ts';
import type { Section, Sections } from './sections.ts';
import { valuesOf } from './sections.ts';

/**
 * `k=v:NoSchedule`, `node.kubernetes.io/not-ready:NoExecute op=Exists for 300s`, `op=Exists`, `q op=Exists`.
 * Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (printTolerationsMultilineWithIndent).
 */
export function tolerationsIn(section: Section): readonly JsonObject[] {
  return valuesOf(section)
    .filter((text) => given(text) !== undefined)
    .map(tolerationOf);
}

function tolerationOf(text: string): JsonObject {
  const [head = '', lasting = ''] = text.split(' for ');
  const words = head.split(' ');
  const operator = words.includes('op=Exists') ? 'Exists' : /(?:^|\s)op=(\w+)/.exec(head)?.[1];
  const [first = ''] = words;
  const { key, value, effect } = taintParts(first.startsWith('op=') ? '' : first);
  return withoutUndefined({
    key: key === '' ? undefined : key,
    operator: operator ?? 'Equal',
    value: operator === undefined ? value : undefined,
    effect,
    tolerationSeconds: integer(/^(\d+)s$/.exec(lasting)?.[1]),
  });
}

/** `key=value:Effect`, `key:Effect`, `key`. */
export function taintParts(text: string): { readonly key: string; readonly value?: string; readonly effect?: string } {
  const [, key = '', value, effect] = /^([^=:]*)(?:=([^:]*))?(?::(\w+))?$/.exec(text) ?? [];
  return withoutUndefined({ key, value, effect });
}

/** Fields of a spread constraint that are printed; the line as a whole is printed since kubectl 1.22, and only when there is one. */
export const SPREAD_SHOWN: readonly string[] = ['maxSkew', 'topologyKey', 'whenUnsatisfiable', 'labelSelector'];

/** `zone:DoNotSchedule when max skew 1 is exceeded for selector app=web`. */
export function spreadIn(section: Section | undefined): readonly JsonObject[] | undefined {
  if (section === undefined) return undefined;
  return valuesOf(section).flatMap((text) => {
    const [, topologyKey, whenUnsatisfiable, skew, selector] =
      /^([^:\s]+):(\w+) when max skew (\d+) is exceeded(?: for selector (.*))?$/.exec(text) ?? [];
    if (topologyKey === undefined || whenUnsatisfiable === undefined) return [];
    const labelSelector = labelSelectorJson(selector);
    return [{ maxSkew: integer(skew), topologyKey, whenUnsatisfiable, ...(labelSelector === undefined ? {} : { labelSelector }) }];
  });
}

export function nodeSelectorIn(fields: Sections): Readonly<Record<string, string>> | undefined {
  const section = fields.get('Node-Selectors');
  if (section === undefined) return undefined;
  return labelMap(valuesOf(section).filter((text) => given(text) !== undefined));
}
