import { asText, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { OBSERVED, refOf } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';
import type { Gathering } from './gathering.ts';

/** Finds the namespace of what a command without `-n` printed. */
export interface NamespaceFinder {
  /** For a list or a table of a segment: what any of its rows has elsewhere, else the context's. */
  readonly ofSegment: (segment: number) => string;
  /** Whether that is more than a guess: a list is complete only for a namespace it surely was of. */
  readonly isSure: (segment: number) => boolean;
  /** For one object, which another command may have shown with its namespace. */
  readonly ofObject: (ref: ObjectRef, segment: number) => string;
  /** Undefined where nothing but a guess could tell. */
  readonly surely: (ref: ObjectRef, segment: number) => string | undefined;
}

/**
 * kubectl leaves out the namespace of the current context. It is the one chosen before (`config set-context`, `kubens`) or printed by a
 * describe without `-n`; an object of the same kind and name seen elsewhere tells as well; else the only namespace of the transcript, else
 * `default`.
 */
export function namespaceFinder(gathering: Gathering): NamespaceFinder {
  const { known, all } = namespacesIn(gathering);
  const bySegment = new Map<number, string>();
  const unique = ({ kind, name }: ObjectRef): string | undefined => {
    const namespaces = known.get(`${kind}/${name}`);
    return namespaces?.size === 1 ? [...namespaces][0] : undefined;
  };
  const shown = gathering.sightings.map(({ object, segment }) => ({ ref: refOf(object), segment }));
  for (const { ref, segment } of [...shown, ...involvedIn(gathering)]) {
    if (ref.namespace !== undefined || !isNamespaced(ref.kind) || bySegment.has(segment)) continue;
    const namespace = unique(ref);
    if (namespace !== undefined) bySegment.set(segment, namespace);
  }
  const shops = [...all].filter((namespace) => !/^(?:kube-|default$)/.test(namespace));
  const fallback = shops.length === 1 ? (shops[0] ?? 'default') : 'default';
  const context = (segment: number): string | undefined =>
    gathering.contexts.findLast((one) => one.segment <= segment)?.namespace ?? gathering.contexts[0]?.namespace;
  const ofSegment = (segment: number): string => bySegment.get(segment) ?? context(segment) ?? fallback;
  const surely = (ref: ObjectRef, segment: number): string | undefined => unique(ref) ?? bySegment.get(segment) ?? context(segment);
  const isSure = (segment: number): boolean => shops.length === 0 || (bySegment.get(segment) ?? context(segment)) !== undefined;
  return { ofSegment, isSure, surely, ofObject: (ref, segment) => surely(ref, segment) ?? fallback };
}

/** What events are about: the message of one of them may tell the namespace of a pod. */
function involvedIn({ events }: Gathering): readonly { readonly ref: ObjectRef; readonly segment: number }[] {
  return events.map(({ object, segment }) => {
    const [kind = '', name = '', namespace] = ['kind', 'name', 'namespace'].map((field) => asText(dig(object, 'involvedObject', field)));
    return { ref: { kind, name, ...(namespace === undefined ? {} : { namespace }) }, segment };
  });
}

/** The namespaces of objects by their kind and name, and all that are named. */
function namespacesIn(gathering: Gathering): {
  readonly known: ReadonlyMap<string, ReadonlySet<string>>;
  readonly all: ReadonlySet<string>;
} {
  const { sightings, logs, collected, mentioned } = gathering;
  const known = new Map<string, Set<string>>();
  const all = new Set<string>();
  const note = (kind: string, name: string, namespace: string | undefined): void => {
    if (namespace === undefined) return;
    const key = `${kind}/${name}`;
    known.set(key, (known.get(key) ?? new Set()).add(namespace));
  };
  for (const { ref } of involvedIn(gathering)) note(ref.kind, ref.name, ref.namespace);
  for (const { object } of sightings) note(object.kind, object.metadata.name, object.metadata.namespace);
  for (const { of, namespace } of logs) if (of.by === 'pod') note('Pod', of.pod, namespace);
  const named = [
    ...sightings.map(({ object }) => object.metadata),
    ...logs.filter(({ of }) => of.by === 'pod'),
    ...collected.map((one) => one.collected),
    ...mentioned,
  ];
  for (const { namespace } of named) if (namespace !== undefined && namespace !== '') all.add(namespace);
  return { known, all };
}

export function isNamespaced(kind: string): boolean {
  return resourceOfKind(kind)?.namespaced !== false;
}

/** The object with its namespace filled in. */
export function inNamespace(object: KubeObject, namespace: string): KubeObject {
  const observed = object[OBSERVED];
  const placed = { ...object, metadata: { ...object.metadata, namespace } };
  return observed === undefined ? placed : { ...placed, [OBSERVED]: [...observed, 'metadata.namespace'] };
}
