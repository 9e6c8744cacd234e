import type { Instant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { formatQuantity, parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { asItems } from '../lists.ts';
import { age, text } from './cells.ts';
import { CLUSTER } from './cluster.ts';
import type { Printer } from './columns.ts';
import { columns } from './columns.ts';
import { NETWORK } from './network.ts';
import { PODS } from './pods.ts';
import { POLICIES } from './policies.ts';
import { STORAGE } from './storage.ts';
import { WORKLOADS } from './workloads.ts';

/** What rows of a Table carry of their objects. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly version: 'v1' | 'v1beta1';
  readonly includeObject: IncludeObject;
  readonly now: Instant;
  /** False for all but the first event of a watch. */
  readonly columns: boolean;
}

/**
 * A list, or one object, as the Table of its kind: what `kubectl get` prints.
 * Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/response.go (asTable).
 */
export function tableOf(printer: Printer, answered: KubeObject, options: TableOptions): JsonObject {
  const isList = Array.isArray(answered['items']) && answered.kind.endsWith('List');
  const objects = isList ? asItems(answered) : [answered];
  const { resourceVersion, continue: more, remainingItemCount } = answered.metadata;
  const metadata = Object.fromEntries(
    Object.entries({ resourceVersion, ...(isList ? { continue: more, remainingItemCount } : {}) }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.columns ? (printer.columns as unknown as readonly JsonObject[]) : null,
    rows: objects.map((object) => rowOf(printer, object, options)),
  };
}

function rowOf(printer: Printer, object: KubeObject, { includeObject, now, version }: TableOptions): JsonObject {
  const cells: readonly Json[] = printer.row(object, now);
  if (includeObject === 'None') return { cells };
  return { cells, object: includeObject === 'Object' ? object : partialMetadata(object, version) };
}

/** An object's metadata alone. */
export function partialMetadata(object: KubeObject, version: 'v1' | 'v1beta1'): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}

/** A list of metadata alone, or that of one object. */
export function partialMetadataOf(answered: KubeObject, version: 'v1' | 'v1beta1'): JsonObject {
  if (!Array.isArray(answered['items']) || !answered.kind.endsWith('List')) return partialMetadata(answered, version);
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: answered.metadata,
    items: asItems(answered).map((object) => partialMetadata(object, version)),
  };
}

/** The printer of a built-in resource, by where it lies in the store; name and age for those that have none of their own. */
export function printerFor(key: string): Printer {
  return PRINTERS[key] ?? DEFAULT;
}

/** A Status in the place of an object: on a watch that fails. */
export const STATUS_PRINTER: Printer = {
  columns: columns('Status, Reason, Message'),
  row: (it) => [text(it, 'status'), text(it, 'reason'), text(it, 'message')],
};

/** What metrics.k8s.io serves, by kind. Source: kubernetes-sigs/metrics-server/pkg/api/table.go. */
export function metricsPrinter(kind: string): Printer {
  const usages = (it: KubeObject): readonly Json[] =>
    kind === 'NodeMetrics' ? [it['usage'] ?? null] : asList(it['containers']).map((one) => dig(one, 'usage') ?? null);
  const sum = (it: KubeObject, what: 'cpu' | 'memory'): string => {
    const total = usages(it)
      .map((usage) => parseQuantity(textOf(dig(usage, what))) ?? 0n)
      .reduce((a, b) => a + b, 0n);
    return formatQuantity(total, what === 'memory' ? 'bytes' : 'decimal');
  };
  return {
    columns: columns('Name, cpu, memory, Window'),
    row: (it) => [it.metadata.name, sum(it, 'cpu'), sum(it, 'memory'), text(it, 'window')],
  };
}

const DEFAULT: Printer = { columns: columns('Name, Age'), row: (it, now) => [it.metadata.name, age(it, now)] };

const PRINTERS: Readonly<Record<string, Printer>> = { pods: PODS, ...WORKLOADS, ...NETWORK, ...CLUSTER, ...STORAGE, ...POLICIES };
