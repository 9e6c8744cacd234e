import { parseInstant } from '../../base/instant.ts';
import { asText, dig } from '../../base/json.ts';
import { parseBigint } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';

/**
 * Every object once, however many files hold it. Of several states of one object (the same uid) the highest resourceVersion
 * counts; of several objects that had a name one after another the one created last.
 */
export class ObjectIndex {
  readonly #byUid = new Map<string, KubeObject>();
  readonly #deleted = new Set<string>();

  add(object: KubeObject): void {
    const key = identity(object);
    const known = this.#byUid.get(key);
    if (known === undefined || isLater(object, known)) this.#byUid.set(key, object);
    this.#deleted.delete(key);
  }

  delete(object: KubeObject): void {
    this.#deleted.add(identity(object));
  }

  objects(): readonly KubeObject[] {
    const byRef = new Map<string, KubeObject>();
    for (const [key, object] of this.#byUid) {
      if (this.#deleted.has(key)) continue;
      const ref = formatRef(refOf(object));
      const known = byRef.get(ref);
      if (known === undefined || isLater(object, known)) byRef.set(ref, object);
    }
    return [...byRef.values()];
  }
}

export function identity(object: KubeObject): string {
  const { uid } = object.metadata;
  return uid === undefined || uid === '' ? formatRef(refOf(object)) : `${object.kind} ${uid}`;
}

/** Among equals the one that came last stays. A state without any version gives way to one that has one. */
function isLater(object: KubeObject, than: KubeObject): boolean {
  const [born, before] = [createdAt(object), createdAt(than)];
  if (identity(object) !== identity(than) && born !== before) return born > before;
  return versionOf(object) >= versionOf(than);
}

function createdAt(object: KubeObject): number {
  return parseInstant(dig(object, 'metadata', 'creationTimestamp')) ?? 0;
}

function versionOf(object: KubeObject): bigint {
  return parseBigint(asText(dig(object, 'metadata', 'resourceVersion'))) ?? -1n;
}
