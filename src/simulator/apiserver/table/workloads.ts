import { formatDuration } from '../../../base/duration.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asNumber, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { age, boolOr, containerCells, count, hasCondition, labels, listed, NONE, selector, since, text, textOr, UNSET } from './cells.ts';
import type { Printer } from './columns.ts';
import { columns } from './columns.ts';

const WIDE = 'Containers+, Images+, Selector+';

/** Source: pkg/printers/internalversion/printers.go. */
export const WORKLOADS: Readonly<Record<string, Printer>> = {
  'deployments.apps': {
    columns: columns(`Name, Ready, Up-to-date:integer, Available:integer, Age, ${WIDE}`),
    row: (it, now) => [
      it.metadata.name,
      `${count(it, 'status', 'readyReplicas')}/${count(it, 'spec', 'replicas')}`,
      count(it, 'status', 'updatedReplicas'),
      count(it, 'status', 'availableReplicas'),
      age(it, now),
      ...templateCells(it),
    ],
  },
  'replicasets.apps': replicas((it) => selector(dig(it, 'spec', 'selector'))),
  replicationcontrollers: replicas((it) => labels(dig(it, 'spec', 'selector'))),
  'statefulsets.apps': {
    columns: columns('Name, Ready, Age, Containers+, Images+'),
    row: (it, now) => [
      it.metadata.name,
      `${count(it, 'status', 'readyReplicas')}/${count(it, 'spec', 'replicas')}`,
      age(it, now),
      ...containerCells(dig(it, 'spec', 'template', 'spec')),
    ],
  },
  'daemonsets.apps': {
    columns: columns(
      `Name, Desired:integer, Current:integer, Ready:integer, Up-to-date:integer, Available:integer, Node Selector, Age, ${WIDE}`,
    ),
    row: (it, now) => [
      it.metadata.name,
      ...['desiredNumberScheduled', 'currentNumberScheduled', 'numberReady', 'updatedNumberScheduled', 'numberAvailable'].map((field) =>
        count(it, 'status', field),
      ),
      labels(dig(it, 'spec', 'template', 'spec', 'nodeSelector')),
      age(it, now),
      ...templateCells(it),
    ],
  },
  'jobs.batch': {
    columns: columns(`Name, Status, Completions, Duration, Age, ${WIDE}`),
    row: (it, now) => [it.metadata.name, jobStatus(it), completions(it), jobDuration(it, now), age(it, now), ...templateCells(it)],
  },
  'cronjobs.batch': {
    columns: columns(`Name, Schedule, Timezone, Suspend:boolean, Active:integer, Last Schedule, Age, ${WIDE}`),
    row: (it, now) => {
      const last = dig(it, 'status', 'lastScheduleTime');
      const job = dig(it, 'spec', 'jobTemplate', 'spec');
      return [
        it.metadata.name,
        text(it, 'spec', 'schedule'),
        textOr(NONE, it, 'spec', 'timeZone'),
        boolOr(dig(it, 'spec', 'suspend'), UNSET),
        asList(dig(it, 'status', 'active')).length,
        last === undefined ? NONE : since(last, now),
        age(it, now),
        ...containerCells(dig(job, 'template', 'spec')),
        selector(dig(job, 'selector')),
      ];
    },
  },
  'controllerrevisions.apps': {
    columns: columns('Name, Controller, Revision, Age'),
    row: (it, now) => {
      const owner = asList(it.metadata['ownerReferences']).find((one) => dig(one, 'controller') === true);
      return [it.metadata.name, owner === undefined ? NONE : ownerWords(owner), count(it, 'revision'), age(it, now)];
    },
  },
  podtemplates: {
    columns: columns('Name, Containers, Images, Pod Labels'),
    row: (it) => [it.metadata.name, ...containerCells(dig(it, 'template', 'spec')), labels(dig(it, 'template', 'metadata', 'labels'))],
  },
  'horizontalpodautoscalers.autoscaling': {
    columns: columns('Name, Reference, Targets, MinPods, MaxPods, Replicas:integer, Age'),
    row: (it, now) => [
      it.metadata.name,
      `${text(it, 'spec', 'scaleTargetRef', 'kind')}/${text(it, 'spec', 'scaleTargetRef', 'name')}`,
      targets(it),
      textOr(UNSET, it, 'spec', 'minReplicas'),
      count(it, 'spec', 'maxReplicas'),
      count(it, 'status', 'currentReplicas'),
      age(it, now),
    ],
  },
  'poddisruptionbudgets.policy': {
    columns: columns('Name, Min Available, Max Unavailable, Allowed Disruptions:integer, Age'),
    row: (it, now) => [
      it.metadata.name,
      textOr('N/A', it, 'spec', 'minAvailable'),
      textOr('N/A', it, 'spec', 'maxUnavailable'),
      count(it, 'status', 'disruptionsAllowed'),
      age(it, now),
    ],
  },
};

function replicas(selectorOf: (object: KubeObject) => string): Printer {
  return {
    columns: columns(`Name, Desired:integer, Current:integer, Ready:integer, Age, ${WIDE}`),
    row: (it, now) => [
      it.metadata.name,
      count(it, 'spec', 'replicas'),
      count(it, 'status', 'replicas'),
      count(it, 'status', 'readyReplicas'),
      age(it, now),
      ...containerCells(dig(it, 'spec', 'template', 'spec')),
      selectorOf(it),
    ],
  };
}

function templateCells(object: KubeObject): readonly Json[] {
  return [...containerCells(dig(object, 'spec', 'template', 'spec')), selector(dig(object, 'spec', 'selector'))];
}

function jobStatus(job: KubeObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (job.metadata['deletionTimestamp'] !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => hasCondition(job, type)) ?? 'Running';
}

function completions(job: KubeObject): string {
  const succeeded = count(job, 'status', 'succeeded');
  const wanted = asNumber(dig(job, 'spec', 'completions'));
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = count(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: KubeObject, now: Instant): string {
  const [started, completed] = ['startTime', 'completionTime'].map((field) => parseInstant(dig(job, 'status', field)));
  return started === undefined ? '' : formatDuration(((completed ?? now) - started) / 1000);
}

function ownerWords(owner: Json): string {
  const group = textOf(dig(owner, 'apiVersion')).split('/').slice(0, -1).join('/');
  const kind = textOf(dig(owner, 'kind')).toLowerCase();
  return `${kind}${group === '' ? '' : `.${group}`}/${textOf(dig(owner, 'name'))}`;
}

/** `cpu: 12%/80%`, two of them at most. */
function targets(autoscaler: KubeObject): string {
  const current = asList(dig(autoscaler, 'status', 'currentMetrics'));
  return listed(
    asList(dig(autoscaler, 'spec', 'metrics')).map((metric, index) => targetWords(metric, current[index])),
    2,
    ', ',
    NONE,
  );
}

function targetWords(metric: Json, status: Json | undefined): string {
  const type = textOf(dig(metric, 'type'));
  const source = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const target = dig(metric, source, 'target');
  const current = dig(status, source, 'current');
  const valueOf = (field: string, unit = ''): string => {
    const value = textOf(dig(current, field));
    return value === '' ? '<unknown>' : `${value}${unit}`;
  };
  const isResource = type === 'Resource' || type === 'ContainerResource';
  const prefix = isResource ? `${textOf(dig(metric, source, 'name'))}: ` : '';
  const average = textOf(dig(target, 'averageValue'));
  if (average !== '') return `${prefix}${valueOf('averageValue')}/${average}${isResource || type === 'Pods' ? '' : ' (avg)'}`;
  if (!isResource) return `${valueOf('value')}/${textOf(dig(target, 'value'))}`;
  const utilization = textOf(dig(target, 'averageUtilization'));
  return `${prefix}${valueOf('averageUtilization', '%')}/${utilization === '' ? '<auto>' : `${utilization}%`}`;
}
