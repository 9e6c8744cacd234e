import type { Json } from '../../base/json.ts';
import { asList, asText, asTextMap, dig, digAt } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { representationOf } from '../../simulator/index.ts';
import type { Call, CommandAnswer } from './call.ts';
import { failed } from './call.ts';
import { inColumns } from './columns.ts';
import type { Resource, Wanted } from './named-objects.ts';
import { objectsOf, qualifiedName, wantedOf } from './named-objects.ts';
import { yamlText } from './yaml-text.ts';

export const GET_FLAGS = 'output/o= selector/l= field-selector= all-namespaces/A show-labels no-headers sort-by= watch/w';

/**
 * Prints objects as `kubectl get` does: as the server's Table, as YAML, as JSON or as names.
 * Source: staging/src/k8s.io/kubectl/pkg/cmd/get/get.go, staging/src/k8s.io/cli-runtime/pkg/printers/tableprinter.go.
 */
export function get(call: Call): CommandAnswer {
  const wanted = wantedOf(call);
  if ('trouble' in wanted) return failed(wanted.trouble);
  if (call.flags.has('watch')) return failed('error: this console does not watch: let time pass, and run it again');
  const output = call.flags.get('output') ?? '';
  if (!['', 'wide', 'yaml', 'json', 'name'].includes(output))
    return failed(`error: unable to match a printer suitable for the output format "${output}", allowed formats are: json,name,wide,yaml`);
  const everywhere = call.flags.has('all-namespaces');
  const read = wanted.map((one) => ({ ...one, ...objectsOf(one, call, everywhere) }));
  const troubles = read.flatMap((one) => one.troubles);
  const code = troubles.length === 0 ? 0 : 1;
  const found = read.flatMap(({ resource, objects }) => objects.map((object) => ({ resource, object })));
  if (output === 'yaml' || output === 'json') return { output: joined([asData(found, wanted, output), ...troubles]), code };
  if (found.length === 0 && troubles.length === 0) return { output: noneFound(wanted, everywhere, call), code };
  if (output === 'name')
    return { output: joined([...found.map((one) => qualifiedName(one, one.object.metadata.name)), ...troubles]), code };
  const tables = read.filter(({ objects }) => objects.length > 0).map(({ resource, objects }) => ({ resource, objects }));
  const texts = tables.map((one) => tableOf(one, { call, everywhere, named: tables.length > 1 || wanted.length > 1 }));
  return { output: joined([texts.join('\n\n'), ...troubles]), code };
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

function noneFound(wanted: readonly Wanted[], everywhere: boolean, { namespace }: Call): string {
  const namespaced = wanted.every(({ resource }) => resource.namespaced) && !everywhere;
  return `No resources found${namespaced ? ` in ${namespace} namespace.` : ''}`;
}

interface Shown {
  readonly call: Call;
  readonly everywhere: boolean;
  /** Names carry their kind, where there are several. */
  readonly named: boolean;
}

function tableOf(
  { resource, objects }: { readonly resource: Resource; readonly objects: readonly KubeObject[] },
  { call, everywhere, named }: Shown,
): string {
  const { server } = call.kube.cluster;
  const source = { now: () => call.kube.cluster.now(), resources: server.resources };
  const as = representationOf({ accept: 'application/json;as=Table;v=v1;g=meta.k8s.io', includeObject: 'None' }, source);
  const sorted = sortedBy(objects, call.flags.get('sort-by'));
  const list = { apiVersion: sorted[0]?.apiVersion ?? '', kind: `${resource.kind}List`, metadata: { name: '' }, items: sorted };
  const table = as?.body(list) ?? {};
  const wide = call.flags.get('output') === 'wide';
  const columns = asList(table['columnDefinitions']).flatMap((column, at) => {
    const [name, priority] = [asText(dig(column, 'name')) ?? '', dig(column, 'priority') ?? 0];
    return wide || priority === 0 ? [{ at, name: name.toUpperCase() }] : [];
  });
  const [where, labels] = [everywhere && resource.namespaced, call.flags.has('show-labels')];
  const head = [...(where ? ['NAMESPACE'] : []), ...columns.map(({ name }) => name), ...(labels ? ['LABELS'] : [])];
  const rows = asList(table['rows']).map((row, at) => {
    const cells = columns.map((column, place) => {
      const text = cellText(dig(row, 'cells', column.at));
      return place === 0 && named ? qualifiedName({ resource }, text) : text;
    });
    const object = sorted[at];
    return [...(where ? [object?.metadata.namespace ?? ''] : []), ...cells, ...(labels ? [labelsText(object?.metadata['labels'])] : [])];
  });
  return inColumns(
    [...(call.flags.has('no-headers') ? [] : [head]), ...rows].map((cells) => cells.join('\t')),
    { least: 6, padding: 3 },
  );
}

/** A cell stands in one line. */
function cellText(cell: Json | undefined): string {
  if (cell === undefined || cell === null) return '';
  const text = textOf(cell) ?? '';
  const end = text.search(/[\n\r\f]/);
  return (end < 0 ? text : `${text.slice(0, end)}...`).replaceAll('\t', ' ');
}

export function labelsText(labels: Json | undefined): string {
  const pairs = Object.entries(asTextMap(labels)).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.toSorted().join(',');
}

/** By a path like `.metadata.creationTimestamp`; what has none comes first. */
function sortedBy(objects: readonly KubeObject[], path: string | undefined): readonly KubeObject[] {
  if (path === undefined) return objects;
  const steps = path
    .replace(/^\{(.*)\}$/, '$1')
    .split('.')
    .filter((step) => step !== '');
  const keyOf = (object: KubeObject): string => textOf(digAt(object, steps)) ?? '';
  return objects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}

function asData(
  found: readonly { readonly resource: Resource; readonly object: KubeObject }[],
  wanted: readonly Wanted[],
  output: 'yaml' | 'json',
): string {
  const objects = found.map(({ object }) => withoutManagers(object));
  const [only] = objects;
  const isOne = wanted.length === 1 && wanted[0]?.names.length === 1;
  if (isOne && only === undefined) return '';
  const data: Json =
    isOne && only !== undefined ? only : { apiVersion: 'v1', items: objects, kind: 'List', metadata: { resourceVersion: '' } };
  return output === 'json' ? JSON.stringify(data, sortedKeys, 4) : yamlText(data);
}

/** kubectl hides who manages which field. */
export function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
