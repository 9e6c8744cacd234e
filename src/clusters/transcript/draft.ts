import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { OBSERVED } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';

interface Tree {
  [field: string]: Json | Tree | undefined;
}

/** An object put together from what a source shows of it, with the account of which fields those are. */
export class Draft {
  readonly kind: string;
  readonly name: string;
  namespace: string | undefined;
  readonly #fields: Tree = {};
  readonly #observed = new Set<string>(['metadata.name']);
  #apiVersion: string | undefined;

  constructor(kind: string, name: string, namespace: string | undefined) {
    this.kind = kind;
    this.name = name;
    this.namespace = resourceOfKind(kind)?.namespaced === false ? undefined : namespace;
  }

  /** The source shows the field: its value, or that it is not set. */
  show(path: string, value?: Json): this {
    this.#observed.add(path);
    return this.set(path, value);
  }

  /** A value that is known although the source would not always show the field. */
  set(path: string, value?: Json): this {
    if (value === undefined) return this;
    const steps = path.split('.');
    const last = steps.pop() ?? path;
    let here = this.#fields;
    for (const step of steps) {
      const next = here[step];
      if (typeof next === 'object' && next !== null && !Array.isArray(next)) here = next as Tree;
      else {
        const made: Tree = {};
        here[step] = made;
        here = made;
      }
    }
    here[last] = value;
    return this;
  }

  /** Fields the source shows, whose values stand in a list that was set as a whole. */
  covers(...paths: readonly string[]): this {
    for (const path of paths) this.#observed.add(path);
    return this;
  }

  time(path: string, instant: Instant | undefined): this {
    return this.show(path, instant === undefined ? undefined : formatInstant(instant));
  }

  apiVersion(version: string): this {
    this.#apiVersion = version;
    return this;
  }

  build(): KubeObject {
    const { metadata, ...rest } = this.#fields;
    const namespace = this.namespace;
    if (namespace !== undefined) this.#observed.add('metadata.namespace');
    return {
      apiVersion: this.#apiVersion ?? resourceOfKind(this.kind)?.apiVersion ?? 'v1',
      kind: this.kind,
      metadata: { ...(metadata as JsonObject | undefined), name: this.name, ...(namespace === undefined ? {} : { namespace }) },
      ...rest,
      [OBSERVED]: [...this.#observed],
    };
  }
}

/** A pod of which only that is known that it uses a claim. */
export function userOfClaim(name: string, namespace: string | undefined, claimName: string): KubeObject {
  return new Draft('Pod', name, namespace).set('spec.volumes', [{ name: '<volume>', persistentVolumeClaim: { claimName } }]).build();
}

/** kubectl's `<none>`, `<unset>`, `<unknown>` and empty cells: nothing is set, or nothing is known. */
export function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' || /^<(?:none|unset|unknown|nil|pending|invalid|no value)>$/.test(trimmed)
    ? undefined
    : trimmed;
}

/** A whole number, if the text is one. */
export function integer(text: string | undefined): number | undefined {
  return parseInteger(text?.trim());
}

/** `a=b,c=d` as labels; pieces without `=` have an empty value. */
export function labelMap(pieces: readonly string[]): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const piece of pieces) {
    const equals = piece.indexOf('=');
    const key = (equals < 0 ? piece : piece.slice(0, equals)).trim();
    if (key !== '' && given(key) !== undefined && key !== '__proto__') labels[key] = equals < 0 ? '' : piece.slice(equals + 1).trim();
  }
  return labels;
}
