import { once, onceFor } from '../base/once.ts';
import type { Scope } from '../model/cluster-reader.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { fieldText, parseFieldSelector } from '../model/selectors.ts';

/** Objects of one kind, found by what is mostly asked for: the pods of a node, the events about an object, those of a namespace. */
export interface StoredObjects {
  readonly all: readonly KubeObject[];
  /** Those that may be in the scope, in the order of all; maybe more than really are. */
  readonly within: (scope: Scope) => readonly KubeObject[];
}

export function storedObjects(all: readonly KubeObject[]): StoredObjects {
  const byField = onceFor((field: string) => {
    const path = field.split('.');
    return indexed(all, (object) => fieldText(object, field, path));
  });
  const byNamespace = once(() => indexed(all, ({ metadata }) => metadata.namespace));
  return {
    all,
    within: ({ namespace, fieldSelector }) => {
      const asked = parseFieldSelector(fieldSelector ?? '').find(({ field, equal }) => equal && TELLING.has(field));
      if (asked !== undefined) return byField(asked.field)(asked.value);
      return namespace === undefined ? all : byNamespace()(namespace);
    },
  };
}

/** Fields whose values are different for most objects: to go through all for each node of a large cluster takes the square of its size. */
const TELLING: ReadonlySet<string> = new Set(['spec.nodeName', 'involvedObject.name', 'metadata.name']);

/** Objects by a value; those that do not show it may have any. */
function indexed(
  all: readonly KubeObject[],
  valueOf: (object: KubeObject) => string | undefined,
): (value: string) => readonly KubeObject[] {
  const byValue = new Map<string, number[]>();
  const unsure: number[] = [];
  for (const [position, object] of all.entries()) {
    const value = valueOf(object);
    const known = value === undefined ? unsure : byValue.get(value);
    if (known === undefined) byValue.set(value ?? '', [position]);
    else known.push(position);
  }
  return (value) => {
    const found = byValue.get(value) ?? [];
    const positions = unsure.length === 0 ? found : [...found, ...unsure].toSorted((a, b) => a - b);
    return positions.map((position) => all[position] as KubeObject);
  };
}
