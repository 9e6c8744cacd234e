import { asText, dig } from '../../base/json.ts';
import { append } from '../../base/lists.ts';
import type { ClusterReader, ListRead, Unread } from '../../model/cluster-reader.ts';
import type { Gap } from '../../model/fact.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import { ANYTHING } from '../../model/fact.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { RESOURCES } from '../../model/resources.ts';
import type { Clone } from '../../simulator/index.ts';
import { cloneCluster } from '../../simulator/index.ts';

export interface CloneSourceOptions {
  readonly seed: number | string;
  /** What will be applied, if anything is: its namespaces are read closely. */
  readonly wanted: readonly KubeObject[];
  /** Only this namespace and what belongs to none, where a person may not look further. */
  readonly namespace?: string;
  readonly trace?: (line: string) => void;
}

/** A simulated cluster made of all that a reader shows, and what it did not show though it could decide. */
export async function cloneOf(
  reader: ClusterReader,
  { seed, wanted, namespace, trace }: CloneSourceOptions,
): Promise<{ readonly clone: Clone; readonly gaps: readonly Gap[] }> {
  const objects: KubeObject[] = [];
  const complete = new Set<string>();
  const gaps: Gap[] = [];
  const namespaces = namespacesOf(wanted, namespace);
  for (const resource of RESOURCES) {
    const { kind, namespaced } = resource;
    if (SKIPPED.has(kind)) continue;
    const { read, isWide } = await listOf(reader, resource, namespace);
    if (read.ok) append(objects, read.value);
    const unread = unreadOf(read);
    if (unread === undefined) {
      complete.add(namespaced && !isWide ? inPlace(kind, namespace) : kind);
      continue;
    }
    // Who may not read all namespaces may well read these. A list of all that is not whole has what these have, too.
    const missing = namespaced ? await readIn(reader, kind, { namespaces, objects: read.ok ? [] : objects, complete }) : undefined;
    // Pods of all namespaces share the nodes.
    const isOwn = namespaced && kind !== 'Pod';
    if (!isOwn) append(gaps, gapOf(kind, undefined, unread));
    // What is needed is no more than those; what was never collected is not there by namespace either.
    else if (missing !== undefined) append(gaps, gapOf(kind, missing.namespace, unread.why === 'forbidden' ? missing.unread : unread));
  }
  append(objects, await customObjects(reader, objects, namespace));
  const isComplete = (kind: string, place = ''): boolean => complete.has(kind) || complete.has(`${kind} ${place}`);
  const clone = cloneCluster(objects, {
    now: reader.now(),
    seed,
    isComplete,
    wanted,
    ...(trace === undefined ? {} : { surroundings: { trace } }),
  });
  return { clone, gaps };
}

interface Places {
  readonly namespaces: readonly string[];
  /** What is read is added here. */
  readonly objects: KubeObject[];
  readonly complete: Set<string>;
}

/** Reads a kind namespace by namespace: the first that could not be read as a whole, and why. */
async function readIn(
  reader: ClusterReader,
  kind: string,
  { namespaces, objects, complete }: Places,
): Promise<{ readonly namespace: string; readonly unread: Unread } | undefined> {
  let missing: { readonly namespace: string; readonly unread: Unread } | undefined;
  for (const namespace of namespaces) {
    const read = await reader.list(kind, { namespace });
    if (read.ok) append(objects, read.value);
    const unread = unreadOf(read);
    if (unread === undefined) complete.add(`${kind} ${namespace}`);
    else missing ??= { namespace, unread };
  }
  return missing;
}

function inPlace(kind: string, namespace: string | undefined): string {
  return namespace === undefined ? kind : `${kind} ${namespace}`;
}

/** What is missing of a list; undefined for a whole one. */
function unreadOf(read: Awaited<ReturnType<typeof listOf>>['read']): Unread | undefined {
  if (!read.ok) return read;
  return read.partial === undefined ? undefined : { ok: false, why: 'not-collected', detail: read.partial };
}

async function customObjects(
  reader: ClusterReader,
  objects: readonly KubeObject[],
  namespace: string | undefined,
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for (const kind of customKinds(objects)) {
    const read = await reader.list(kind, namespace === undefined ? {} : { namespace });
    if (read.ok) append(found, read.value);
  }
  return found;
}

/** All objects of a kind, or those of the namespace; pods of all where a person may see them, for they take room on the same nodes. */
async function listOf(
  reader: ClusterReader,
  { kind, namespaced }: (typeof RESOURCES)[number],
  namespace: string | undefined,
): Promise<{ readonly read: ListRead; readonly isWide: boolean }> {
  const everywhere = kind === 'Pod' && namespace !== undefined ? await reader.list(kind, {}) : undefined;
  if (everywhere?.ok === true && everywhere.partial === undefined) return { read: everywhere, isWide: true };
  return { read: await reader.list(kind, namespaced && namespace !== undefined ? { namespace } : {}), isWide: false };
}

/** What is not known without a kind; nothing for kinds that keep no pod from coming up. */
function gapOf(kind: string, namespace: string | undefined, { detail, needs }: Unread): readonly Gap[] {
  const decides = DECIDING[kind];
  if (decides === undefined) return [];
  return [
    {
      kind: decides,
      about: { kind, ...(namespace === undefined ? {} : { namespace }), name: ANYTHING },
      reason: detail,
      ...(needs === undefined ? {} : { needs }),
    },
  ];
}

/** What a clone makes anew by itself. */
const SKIPPED: ReadonlySet<string> = new Set(['Event', 'Lease', 'VolumeAttachment', 'CSIStorageCapacity']);

/** Kinds that may keep any pod from coming up, and the kind of fact that is not known without them. */
const DECIDING: Readonly<Record<string, FactKind>> = {
  Node: 'node-fit',
  Pod: 'node-fit',
  ResourceQuota: 'quota',
  LimitRange: 'quota',
  MutatingWebhookConfiguration: 'webhook',
  ValidatingWebhookConfiguration: 'webhook',
  ValidatingAdmissionPolicy: 'refusal',
  ValidatingAdmissionPolicyBinding: 'refusal',
};

function namespacesOf(wanted: readonly KubeObject[], namespace: string | undefined): readonly string[] {
  return [...new Set(namespace === undefined ? wanted.map(({ metadata }) => metadata.namespace ?? 'default') : [namespace])];
}

/** Kinds that CustomResourceDefinitions define. */
function customKinds(objects: readonly KubeObject[]): readonly string[] {
  return objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap((definition) => asText(dig(definition, 'spec', 'names', 'kind')) ?? [])
    .filter((kind) => !RESOURCES.some((resource) => resource.kind === kind));
}
