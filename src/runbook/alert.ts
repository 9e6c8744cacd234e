import { isWorkloadKind } from '../model/workload-kinds.ts';
import { PodcheckError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { asList, asText, asTextMap, dig } from '../base/json.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { controllerOf, formatRef, inNamespace } from '../model/kube-object.ts';
import { alertNamed } from '../catalog/alerts.ts';
import type { Variables } from './variables.ts';

/** Alerts about one target, the one that is nearest to the cause first. */
export interface AlertGroup {
  readonly target: ObjectRef;
  readonly alerts: readonly string[];
  /** What the labels say besides the target. */
  readonly known: Variables;
  readonly rank: number;
}

type Labels = Readonly<Record<string, string>>;

const MOST_ALERTS = 2000;
const OTHER_RANK = 8;

/**
 * The targets that a message of Alertmanager's webhook (or a list of alerts of its API) is about, the most urgent first: alerts about
 * pods of one workload, and about the workload itself, are one. Resolved alerts do not count. Throws when there is none.
 */
export async function alertGroups(text: string, reader: ClusterReader): Promise<readonly AlertGroup[]> {
  const firing = labelsOfAlerts(parsed(text));
  if (firing.length === 0)
    throw new PodcheckError(
      'bad-input',
      'no alert is firing',
      'give the Alertmanager webhook JSON: { "alerts": [ { "status": "firing", "labels": { "alertname": … } } ] }',
    );
  const groups = new Map<string, AlertGroup>();
  for (const labels of firing) {
    const target = await targetOf(labels, reader);
    const alert = labels['alertname'] ?? '';
    const rank = alertNamed(alert)?.rank ?? OTHER_RANK;
    const before = groups.get(formatRef(target));
    const known = knownOf(labels);
    const first = before === undefined || rank < before.rank;
    const alerts =
      before === undefined
        ? [alert]
        : before.alerts.includes(alert)
          ? before.alerts
          : first
            ? [alert, ...before.alerts]
            : [...before.alerts, alert];
    groups.set(formatRef(target), {
      target,
      alerts,
      known: first ? { ...before?.known, ...known } : { ...known, ...before.known },
      rank: Math.min(rank, before?.rank ?? rank),
    });
  }
  return [...groups.values()].toSorted((a, b) => a.rank - b.rank);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new PodcheckError('bad-input', 'the alert is not valid JSON', 'give the Alertmanager webhook JSON, in a file or on stdin');
  }
}

function labelsOfAlerts(message: Json): readonly Labels[] {
  const common = asTextMap(dig(message, 'commonLabels'));
  const alerts = Array.isArray(message) ? (message as readonly Json[]) : asList(dig(message, 'alerts'));
  return alerts.slice(0, MOST_ALERTS).flatMap((alert) => {
    const state = asText(dig(alert, 'status')) ?? asText(dig(alert, 'status', 'state')) ?? 'firing';
    const labels = { ...common, ...asTextMap(dig(alert, 'labels')) };
    return state === 'resolved' || labels['alertname'] === undefined ? [] : [labels];
  });
}

/** What the alert's labels name: its own kind of object where it is known which, else the most exact one there is. */
async function targetOf(labels: Labels, reader: ClusterReader): Promise<ObjectRef> {
  const { namespace } = labels;
  const about = alertNamed(labels['alertname'] ?? '')?.about;
  const named = [
    about,
    'pod',
    'deployment',
    'statefulset',
    'daemonset',
    'job_name',
    'horizontalpodautoscaler',
    'poddisruptionbudget',
    'persistentvolumeclaim',
    'persistentvolume',
    'node',
  ].find(
    (label) => label !== undefined && label !== 'namespace' && label !== 'cluster' && labels[label] !== undefined && labels[label] !== '',
  );
  const name = named === undefined ? undefined : labels[named];
  if (named === undefined || name === undefined || about === 'cluster')
    return namespace === undefined || about === 'cluster' ? { kind: 'Cluster', name: 'cluster' } : { kind: 'Namespace', name: namespace };
  const kind = KINDS[named] ?? 'Pod';
  if (kind === 'Node' || kind === 'PersistentVolume') return { kind, name };
  const ref = { kind, ...inNamespace(namespace), name };
  return kind === 'Pod' ? workloadOf(ref, reader) : ref;
}

const KINDS: Readonly<Record<string, string>> = {
  pod: 'Pod',
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
  job_name: 'Job',
  horizontalpodautoscaler: 'HorizontalPodAutoscaler',
  poddisruptionbudget: 'PodDisruptionBudget',
  persistentvolumeclaim: 'PersistentVolumeClaim',
  persistentvolume: 'PersistentVolume',
  node: 'Node',
};

const OWNERS = 4;

/** The workload of a pod: by its owners, or for a pod that is gone by its name. The pod itself when it has none. */
async function workloadOf(pod: ObjectRef, reader: ClusterReader): Promise<ObjectRef> {
  const read = await reader.get(pod);
  if (!read.ok) return (await workloadByName(pod, reader)) ?? pod;
  let [object, ref] = [read.value, pod];
  for (let left = OWNERS; left > 0; left--) {
    const owner = controllerOf(object);
    if (owner === undefined || !isWorkloadKind(owner.kind)) break;
    ref = { kind: owner.kind, ...inNamespace(owner.namespace), name: owner.name };
    const above = await reader.get(ref);
    if (!above.ok) break;
    object = above.value;
  }
  return ref;
}

async function workloadByName(pod: ObjectRef, reader: ClusterReader): Promise<ObjectRef | undefined> {
  const shapes = [
    ['Deployment', /^(.+)-[a-z0-9]{6,10}-[a-z0-9]{5}$/],
    ['StatefulSet', /^(.+)-\d+$/],
    ['DaemonSet', /^(.+)-[a-z0-9]{5}$/],
  ] as const;
  for (const [kind, shape] of shapes) {
    const name = shape.exec(pod.name)?.[1];
    if (name === undefined) continue;
    const ref = { kind, ...inNamespace(pod.namespace), name };
    if ((await reader.get(ref)).ok) return ref;
  }
  return undefined;
}

function knownOf(labels: Labels): Variables {
  return Object.fromEntries(
    ['namespace', 'pod', 'container', 'node'].flatMap((name) =>
      labels[name] === undefined || labels[name] === '' ? [] : [[name, labels[name]] as const],
    ),
  );
}
