import type { Instant } from '../../base/instant.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceNamed } from '../../model/resources.ts';
import { Draft, given, labelMap } from './draft.ts';
import type { Line } from './clean-lines.ts';
import { instantBefore } from './printed-values.ts';
import type { RowReader } from './row-reader.ts';
import type { Row, Table } from './tables.ts';
import { CLUSTER_ROWS } from './table-rows-cluster.ts';
import { SERVING_ROWS } from './table-rows-serving.ts';
import { WORKLOAD_ROWS } from './table-rows-workloads.ts';

const READERS: Readonly<Record<string, RowReader>> = { ...WORKLOAD_ROWS, ...SERVING_ROWS, ...CLUSTER_ROWS };

/** Columns that only tables of this kind have, most telling first. Source: pkg/printers/internalversion/printers.go. */
const TELLING: readonly (readonly [kind: string, ...columns: readonly string[]])[] = [
  ['Event', 'LAST SEEN', 'REASON'],
  ['Event', 'KIND', 'NAME', 'REASON', 'MESSAGE'],
  ['Event', 'OBJECT', 'REASON', 'MESSAGE'],
  ['Pod', 'READY', 'STATUS', 'RESTARTS'],
  ['Pod', 'STATUS', 'RESTARTS'],
  ['DaemonSet', 'DESIRED', 'CURRENT', 'NODE SELECTOR'],
  ['Deployment', 'UP-TO-DATE', 'AVAILABLE'],
  ['ReplicaSet', 'DESIRED', 'CURRENT', 'READY'],
  ['CronJob', 'SCHEDULE', 'SUSPEND'],
  ['Job', 'COMPLETIONS'],
  ['Service', 'CLUSTER-IP'],
  ['EndpointSlice', 'ADDRESSTYPE'],
  ['Endpoints', 'ENDPOINTS'],
  ['Node', 'ROLES', 'VERSION'],
  ['PersistentVolume', 'RECLAIM POLICY', 'CLAIM'],
  ['PersistentVolumeClaim', 'VOLUME', 'ACCESS MODES'],
  ['StorageClass', 'PROVISIONER'],
  ['HorizontalPodAutoscaler', 'REFERENCE', 'TARGETS'],
  ['PodDisruptionBudget', 'ALLOWED DISRUPTIONS'],
  ['Ingress', 'HOSTS'],
  ['NetworkPolicy', 'POD-SELECTOR'],
  ['ResourceQuota', 'REQUEST', 'LIMIT'],
  ['Secret', 'TYPE', 'DATA'],
  ['ConfigMap', 'DATA'],
  ['ServiceAccount', 'SECRETS'],
  ['StatefulSet', 'READY', 'AGE'],
  ['Namespace', 'STATUS', 'AGE'],
  ['CertificateSigningRequest', 'SIGNERNAME', 'REQUESTOR'],
  ['APIService', 'SERVICE', 'AVAILABLE'],
];

/** What kind of objects a table without a command lists; undefined when its columns do not tell. */
export function kindOfTable({ columns, rows }: Table): string | undefined {
  const prefix = /^([a-z]+(?:\.[a-z0-9.-]+)?)\//.exec(rows[0]?.cells.get('NAME') ?? '')?.[1];
  const named = prefix === undefined ? undefined : resourceNamed(prefix)?.kind;
  if (columns.includes('KIND') && columns.includes('HEALTH')) return resourceNamed(rows[0]?.cells.get('KIND') ?? '')?.kind;
  const told = named ?? TELLING.find(([, ...telling]) => telling.every((title) => columns.includes(title)))?.[0];
  return told !== undefined && isCustom(told, rows[0]) ? undefined : told;
}

/** Whether a table of an unknown kind may tell in its rows why objects are not ready: of Flux, Knative, cert-manager. */
export function tellsReasons({ columns }: Table): boolean {
  return ['MESSAGE', 'REASON'].some((title) => columns.includes(title)) || (columns.includes('READY') && columns.includes('STATUS'));
}

/** Custom resources have titles as StatefulSets and Namespaces have, but say True or False below them. */
function isCustom(kind: string, row: Row | undefined): boolean {
  return (kind === 'StatefulSet' || kind === 'Namespace') && /^(?:True|False|Unknown)$/.test(row?.cells.get('READY') ?? '');
}

export interface RowObject {
  readonly object: KubeObject;
  readonly line: number;
}

/**
 * The objects a table lists. `kind` is what the command asked for; names of the form `deployment.apps/web` say it themselves.
 * `namespace` is the command's; a NAMESPACE column goes before it.
 */
export function tableObjects(table: Table, kind: string | undefined, namespace: string | undefined, at: Instant): readonly RowObject[] {
  const guessed = kind ?? kindOfTable(table);
  return table.rows.flatMap((row) => {
    // Only a list of resources of all kinds has their health beside them.
    const own = table.columns.includes('HEALTH') ? resourceNamed(row.cells.get('KIND') ?? '')?.kind : undefined;
    const object = isCut(row, table.columns) ? undefined : rowObject(row, own ?? guessed, namespace, at);
    return object === undefined ? [] : [{ object, line: row.line }];
  });
}

/** The lines of a table that are rows of no object: what follows it without a blank line between them, or words amid it. */
export function linesBeside(objects: readonly RowObject[], lines: readonly Line[]): readonly Line[] {
  const rows = new Set(objects.map(({ line }) => line));
  return lines.filter(({ number }) => !rows.has(number));
}

/** A row with nothing but a name, in a table with more columns, is the beginning of a line that was cut off, or no row at all. */
function isCut({ cells }: Row, columns: readonly string[]): boolean {
  return columns.length > 2 && [...cells.values()].filter((cell) => cell !== '').length < 2;
}

const NAME = /^[a-z0-9](?:[a-z0-9.:_-]{0,251}[a-z0-9])?$/i;

/** What a person put in the place of a name: `(node-1-ip)`, `<node-1>`. */
const MASKED = /^[(<[{](\S{1,253})[)>\]}]$/;

/** The branches that lead to an object below another one. */
const TREE = /^[\s│├└─]{1,40}/;

/** A word of a title row, which was broken or came once more, or of a sentence: names of most kinds have no capital letters. */
const TITLE = /^[A-Z](?:[A-Z()-]+|[a-z]*)$/;
const MIXED: ReadonlySet<string> = new Set(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);

/** A pod's column READY. */
const COUNTS = /^(?:\d{1,4}\/\d{1,4}.*)?$/;

/** Words that somebody wrote below a list: they have other words where a row has numbers, or begin with a capital letter. */
function isSentence(kind: string, name: string, ready: string): boolean {
  return (kind === 'Pod' && !COUNTS.test(ready)) || (TITLE.test(name) && !MIXED.has(kind));
}

function rowObject(row: Row, kind: string | undefined, namespace: string | undefined, at: Instant): KubeObject | undefined {
  const cell = (title: string): string | undefined => row.cells.get(title);
  const written = (cell('NAME') ?? '')
    .replace(/ \(default\)$/, '')
    .replace(TREE, '')
    .replace(MASKED, '$1');
  const slash = written.indexOf('/');
  const actual = slash > 0 ? resourceNamed(written.slice(0, slash))?.kind : kind;
  const name = written.slice(slash + 1);
  if (actual === undefined || !NAME.test(name) || isSentence(actual, name, cell('READY') ?? '')) return undefined;
  const draft = new Draft(actual, name, given(cell('NAMESPACE')) ?? namespace);
  const created = instantBefore(at, cell('AGE'));
  if (created !== undefined) draft.time('metadata.creationTimestamp', created);
  const labels = cell('LABELS');
  if (labels !== undefined) draft.show('metadata.labels', labelMap(given(labels)?.split(',') ?? []));
  READERS[actual]?.(cell, draft, at);
  return draft.build();
}
