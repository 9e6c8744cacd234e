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
  readonly #objects: KubeObject[] = [];
  readonly #places = new ObjectMap<number>(identityPath);
  readonly #deleted = new ObjectMap<boolean>(identityPath);
  /** No object was added twice. */
  isDistinct = true;

  add(object: KubeObject): void {
    const place = this.#places.get(object);
    if (place === undefined) this.#places.set(object, this.#objects.push(object) - 1);
    else {
      this.isDistinct = false;
      if (isLater(object, this.#objects[place] ?? object)) this.#objects[place] = object;
    }
    if (this.#deleted.size > 0 && this.#deleted.get(object) === true) this.#deleted.set(object, false);
  }

  delete(object: KubeObject): void {
    this.#deleted.set(object, true);
  }

  objects(): readonly KubeObject[] {
    const [objects, places] = [[] as KubeObject[], new ObjectMap<number>(namePath)];
    for (const object of this.#objects) {
      if (this.#deleted.size > 0 && this.#deleted.get(object) === true) continue;
      const place = places.get(object);
      if (place === undefined) places.set(object, objects.push(object) - 1);
      else if (isLater(object, objects[place] ?? object)) objects[place] = object;
    }
    return objects;
  }
}

/**
 * Values by what tells objects apart, in maps within maps: to put keys together for all objects of a large cluster takes as long as to copy
 * them.
 */
export class ObjectMap<T> {
  readonly #kinds = new Map<string, Map<string, Map<string, T>>>();
  readonly #pathOf: typeof namePath;
  /** Where the last object was looked for: mostly the next one is of the same kind and place. */
  #last: { readonly kind: string; readonly place: string; readonly names: Map<string, T> } | undefined;
  size = 0;

  constructor(pathOf: typeof namePath) {
    this.#pathOf = pathOf;
  }

  get(object: KubeObject): T | undefined {
    const [place, name] = this.#pathOf(object);
    const last = this.#last;
    if (last !== undefined && last.place === place && last.kind === object.kind) return last.names.get(name);
    return this.#kinds.get(object.kind)?.get(place)?.get(name);
  }

  set(object: KubeObject, value: T): void {
    const [place, name] = this.#pathOf(object);
    const names = this.#namesAt(object.kind, place);
    const before = names.size;
    names.set(name, value);
    this.size += names.size - before;
  }

  #namesAt(kind: string, place: string): Map<string, T> {
    const last = this.#last;
    if (last !== undefined && last.place === place && last.kind === kind) return last.names;
    const places = this.#kinds.get(kind) ?? new Map<string, Map<string, T>>();
    this.#kinds.set(kind, places);
    const names = places.get(place) ?? new Map<string, T>();
    places.set(place, names);
    this.#last = { kind, place, names };
    return names;
  }
}

/** Namespace and name; cluster-scoped objects have no namespace. */
function namePath({ metadata: { namespace = '', name } }: KubeObject): readonly [place: string, name: string] {
  return [namespace, name];
}

/** Objects without a uid are told apart by their names: no namespace begins with a line break. */
export function identityPath({ metadata: { uid, namespace, name } }: KubeObject): readonly [place: string, name: string] {
  return uid === undefined || uid === '' ? [`\n${namespace ?? ''}`, name] : ['', uid];
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
