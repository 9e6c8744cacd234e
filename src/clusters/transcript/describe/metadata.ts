import { formatInstant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import type { Draft } from '../draft.ts';
import { given, integer, labelMap } from '../draft.ts';
import { rfc1123 } from '../segment-times.ts';
import type { Section, Sections } from './sections.ts';
import { describedTable, indentOf, marginOf, valuesOf } from './sections.ts';

/** Labels, annotations, creation and owner, which describes of all kinds print alike. */
export function describeMetadata(fields: Sections, draft: Draft): void {
  const labels = fields.get('Labels');
  if (labels !== undefined) draft.show('metadata.labels', labelMap(valuesOf(labels)));
  const annotations = fields.get('Annotations');
  if (annotations !== undefined) draft.show('metadata.annotations', annotationsIn(annotations));
  const created = rfc1123(fields.value('CreationTimestamp') ?? '');
  if (created !== undefined) draft.time('metadata.creationTimestamp', created.instant);
  const finalizers = fields.value('Finalizers');
  if (finalizers !== undefined)
    draft.show(
      'metadata.finalizers',
      finalizers
        .replace(/[[\]]/g, '')
        .split(' ')
        .filter((word) => word !== ''),
    );
}

const GROUPS: Readonly<Record<string, string>> = {
  ReplicaSet: 'apps/v1',
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Node: 'v1',
  ReplicationController: 'v1',
};

/** `Controlled By:  ReplicaSet/web-1`; kinds that print it leave it out when nothing controls the object. */
export function describeOwner(fields: Sections, draft: Draft): void {
  const owner = /^([A-Z]\w*)\/(\S+)$/.exec(fields.value('Controlled By') ?? '');
  const references: Json[] | undefined =
    owner === null
      ? undefined
      : [{ apiVersion: GROUPS[owner[1] ?? ''] ?? '', kind: owner[1] ?? '', name: owner[2] ?? '', controller: true }];
  draft.show('metadata.ownerReferences', references);
}

/** `key: value` to a line; a long value, or one with line breaks, stands on lines of its own under its key. */
export function annotationsIn({ value, body }: Section): Readonly<Record<string, string>> {
  const annotations: Record<string, string> = {};
  const base = marginOf(body);
  let open: string | undefined;
  for (const { text, indent } of [
    { text: value, indent: base },
    ...body.map((line) => ({ text: line.text, indent: indentOf(line.text) })),
  ]) {
    const piece = text.trim();
    if (piece === '' || given(piece) === undefined) continue;
    const entry = indent <= base || open === undefined ? /^([a-zA-Z0-9][\w./-]{0,316})[:=](?:\s?(.*))?$/s.exec(piece) : null;
    if (entry !== null && entry[1] !== '__proto__') {
      open = entry[1] ?? '';
      annotations[open] = entry[2] ?? '';
    } else if (open !== undefined) annotations[open] = annotations[open] === '' ? piece : `${annotations[open] ?? ''}\n${piece}`;
  }
  return annotations;
}

/** A Conditions table. Which columns it has differs between kinds. */
export function conditionsIn(section: Section | undefined): readonly Json[] {
  if (section === undefined) return [];
  return describedTable(section.body).flatMap(({ cells }) => {
    const type = given(cells.get('Type'));
    const status = given(cells.get('Status'));
    if (type === undefined || status === undefined || /^-+$/.test(type)) return [];
    const condition: Record<string, Json> = { type, status };
    for (const [title, field] of CONDITION_TEXTS) {
      const text = given(cells.get(title));
      if (text !== undefined) condition[field] = text;
    }
    for (const [title, field] of CONDITION_TIMES) {
      const at = rfc1123(cells.get(title) ?? '');
      if (at !== undefined) condition[field] = formatInstant(at.instant);
    }
    return [condition];
  });
}

const CONDITION_TEXTS = [
  ['Reason', 'reason'],
  ['Message', 'message'],
] as const;
const CONDITION_TIMES = [
  ['LastHeartbeatTime', 'lastHeartbeatTime'],
  ['LastTransitionTime', 'lastTransitionTime'],
  ['LastProbeTime', 'lastProbeTime'],
] as const;

/** Paths of the columns a Conditions table has. */
export function conditionPaths(section: Section): readonly string[] {
  const [row] = describedTable(section.body);
  const titles = row === undefined ? ['Type', 'Status'] : [...row.cells.keys()];
  const fields = [['Type', 'type'], ['Status', 'status'], ...CONDITION_TEXTS, ...CONDITION_TIMES] as const;
  return fields.filter(([title]) => titles.includes(title)).map(([, field]) => `status.conditions.${field}`);
}

export function describeConditions(fields: Sections, draft: Draft): void {
  const section = fields.get('Conditions');
  if (section === undefined) return;
  draft.set('status.conditions', conditionsIn(section)).covers(...conditionPaths(section));
}

/** A field that is a plain text, or shown not to be set. */
export function showText(fields: Sections, draft: Draft, key: string, path: string): void {
  const value = fields.value(key);
  if (value !== undefined) draft.show(path, given(value));
}

export function showInteger(fields: Sections, draft: Draft, key: string, path: string): void {
  const value = fields.value(key);
  if (value !== undefined) draft.show(path, integer(value));
}

export function showTime(fields: Sections, draft: Draft, key: string, path: string): void {
  const value = fields.value(key);
  if (value !== undefined) draft.time(path, rfc1123(value)?.instant);
}
