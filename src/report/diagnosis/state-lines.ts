import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { asList, asNumber, asText, dig, digAt } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import { clusterLine } from '../format/cluster-text.ts';
import type { Look } from '../format/text-style.ts';
import { objectWords } from '../format/object-words.ts';
import { podWord } from './pod-columns.ts';
import { tableText } from '../format/table.ts';

/** Pods that are shown when there are many: those that are not well first. */
const PODS = 40;

/** Objects of a cluster at an instant: workloads, pods and nodes as kubectl would list them. Objects of other kinds are not shown. */
export function stateLines(objects: readonly KubeObject[], at: Instant, look: Look): readonly string[] {
  const rows = stateRows(objects, at);
  if (rows.length === 0) return ['No workloads, pods or nodes'];
  const text = tableText(
    ['OBJECT', 'READY', 'STATUS', 'RESTARTS', 'AGE', 'NODE'],
    rows.slice(0, ROWS).map((row) => row.map((cell) => clusterLine(cell, 120))),
    look,
  );
  const more = rows.length - ROWS;
  return [...text.trimEnd().split('\n'), ...(more > 0 ? [`and ${more} more`] : [])];
}

const ROWS = 60;

type Row = readonly [object: string, ready: string, status: string, restarts: string, age: string, node: string];

export function stateRows(objects: readonly KubeObject[], at: Instant): readonly Row[] {
  const pods = objects.filter(({ kind }) => kind === 'Pod').map((pod) => podRow(pod, at));
  const shown = pods.length > PODS ? [...pods].sort((a, b) => (isWell(a) ? 1 : 0) - (isWell(b) ? 1 : 0)) : pods;
  return [
    ...objects.filter(({ kind }) => kind === 'Node').map((node) => nodeRow(node, at)),
    ...objects.flatMap((object) => workloadRow(object, at)),
    ...shown,
  ];
}

function podRow(pod: KubeObject, at: Instant): Row {
  const { ready, status, restarts } = podWord(pod);
  return [objectWords(refOf(pod)), ready, status, String(restarts), age(pod, at), asText(dig(pod, 'spec', 'nodeName')) ?? ''];
}

function isWell([, ready, status]: Row): boolean {
  const [now, wanted] = ready.split('/');
  return status === 'Completed' || (status === 'Running' && now === wanted);
}

function nodeRow(node: KubeObject, at: Instant): Row {
  const ready = asList(dig(node, 'status', 'conditions')).find((condition) => dig(condition, 'type') === 'Ready');
  const word = dig(ready, 'status') === 'True' ? 'Ready' : ready === undefined ? 'Unknown' : 'NotReady';
  return [
    objectWords(refOf(node)),
    '',
    dig(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word,
    '',
    age(node, at),
    '',
  ];
}

/** Ready and wanted pods, by the fields each kind has them in. */
const COUNTS: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  Deployment: [
    ['status', 'readyReplicas'],
    ['spec', 'replicas'],
  ],
  ReplicaSet: [
    ['status', 'readyReplicas'],
    ['spec', 'replicas'],
  ],
  StatefulSet: [
    ['status', 'readyReplicas'],
    ['spec', 'replicas'],
  ],
  DaemonSet: [
    ['status', 'numberReady'],
    ['status', 'desiredNumberScheduled'],
  ],
  Job: [
    ['status', 'succeeded'],
    ['spec', 'completions'],
  ],
};

function workloadRow(object: KubeObject, at: Instant): readonly Row[] {
  const paths = COUNTS[object.kind];
  if (paths === undefined) return [];
  const [now, wanted] = paths.map((path) => asNumber(digAt(object, path)) ?? 0) as [number, number];
  if (object.kind === 'ReplicaSet' && wanted === 0 && now === 0) return [];
  const bad = asList(dig(object, 'status', 'conditions')).find(
    (condition) =>
      (dig(condition, 'type') === 'Progressing' && dig(condition, 'status') === 'False') ||
      (/Failure|Failed/.test(asText(dig(condition, 'type')) ?? '') && dig(condition, 'status') === 'True'),
  );
  return [[objectWords(refOf(object)), `${now}/${wanted}`, asText(dig(bad, 'reason')) ?? '', '', age(object, at), '']];
}

function age(object: KubeObject, at: Instant): string {
  const created = parseInstant(dig(object, 'metadata', 'creationTimestamp'));
  return created === undefined ? '' : formatDuration((at - created) / 1000);
}
