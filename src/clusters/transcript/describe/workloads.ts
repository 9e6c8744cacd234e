import type { Json } from '../../../base/json.ts';
import type { Draft } from '../draft.ts';
import { given, integer, labelMap } from '../draft.ts';
import { accessModes, labelSelectorJson } from '../printed-values.ts';
import type { DescribeReader } from './describe-reader.ts';
import { describeConditions, describeMetadata, describeOwner, showInteger, showText, showTime } from './metadata.ts';
import { describePodTemplate } from './pod-template.ts';
import type { Section, Sections } from './sections.ts';
import { Sections as SectionsOf, sectionsOf } from './sections.ts';

/** Controllers of pods. Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go. */
export const WORKLOAD_DESCRIBES: Readonly<Record<string, DescribeReader>> = {
  Deployment(fields, draft) {
    describeMetadata(fields, draft);
    showSelector(fields, draft);
    counts(fields.value('Replicas'), draft, {
      desired: 'spec.replicas',
      updated: 'status.updatedReplicas',
      total: 'status.replicas',
      available: 'status.availableReplicas',
      unavailable: 'status.unavailableReplicas',
    });
    readyByAvailable(fields, draft);
    showText(fields, draft, 'StrategyType', 'spec.strategy.type');
    showInteger(fields, draft, 'MinReadySeconds', 'spec.minReadySeconds');
    const rolling = /^(\S+) max unavailable, (\S+) max surge$/.exec(fields.value('RollingUpdateStrategy') ?? '');
    if (rolling !== null) {
      draft.show('spec.strategy.rollingUpdate.maxUnavailable', integer(rolling[1]) ?? rolling[1] ?? '');
      draft.show('spec.strategy.rollingUpdate.maxSurge', integer(rolling[2]) ?? rolling[2] ?? '');
    }
    describePodTemplate(fields.get('Pod Template'), draft, fields.cut === 'Pod Template');
    conditionsAfter('Pod Template', fields, draft);
    const paused = fields.get('Conditions')?.body.some(({ text }) => /\bDeploymentPaused\b/.test(text));
    if (paused === true) draft.set('spec.paused', true);
  },
  ReplicaSet: replicaSet,
  ReplicationController: replicaSet,
  StatefulSet(fields, draft) {
    describeMetadata(fields, draft);
    showSelector(fields, draft);
    counts(fields.value('Replicas'), draft, { desired: 'spec.replicas', total: 'status.replicas' });
    noneReady(fields, draft, 'status.readyReplicas');
    const strategy = fields.get('Update Strategy');
    if (strategy !== undefined) {
      draft.show('spec.updateStrategy.type', given(strategy.value));
      const partition = integer(new SectionsOf(strategy.body).value('Partition'));
      if (partition !== undefined) draft.show('spec.updateStrategy.rollingUpdate.partition', partition);
    }
    describePodTemplate(fields.get('Pod Template'), draft, fields.cut === 'Pod Template');
    claimTemplates(fields.get('Volume Claims'), draft);
  },
  DaemonSet(fields, draft) {
    describeMetadata(fields, draft);
    showSelector(fields, draft);
    const nodeSelector = fields.value('Node-Selector');
    if (nodeSelector !== undefined) draft.show('spec.template.spec.nodeSelector', labelMap(given(nodeSelector)?.split(',') ?? []));
    showInteger(fields, draft, 'Desired Number of Nodes Scheduled', 'status.desiredNumberScheduled');
    showInteger(fields, draft, 'Current Number of Nodes Scheduled', 'status.currentNumberScheduled');
    showInteger(fields, draft, 'Number of Nodes Scheduled with Up-to-date Pods', 'status.updatedNumberScheduled');
    showInteger(fields, draft, 'Number of Nodes Scheduled with Available Pods', 'status.numberAvailable');
    showInteger(fields, draft, 'Number of Nodes Misscheduled', 'status.numberMisscheduled');
    noneReady(fields, draft, 'status.numberReady');
    describePodTemplate(fields.get('Pod Template'), draft, fields.cut === 'Pod Template');
  },
  Job(fields, draft) {
    describeMetadata(fields, draft);
    if (fields.has('Parallelism')) describeOwner(fields, draft);
    showSelector(fields, draft);
    showInteger(fields, draft, 'Parallelism', 'spec.parallelism');
    showInteger(fields, draft, 'Completions', 'spec.completions');
    showText(fields, draft, 'Completion Mode', 'spec.completionMode');
    showInteger(fields, draft, 'Backoff Limit', 'spec.backoffLimit');
    const suspend = fields.value('Suspend');
    if (suspend !== undefined) draft.show('spec.suspend', suspend.toLowerCase() === 'true');
    if (fields.has('Pods Statuses')) {
      draft.show('spec.activeDeadlineSeconds', seconds(fields.value('Active Deadline Seconds')));
      draft.show('spec.ttlSecondsAfterFinished', integer(fields.value('TTL Seconds After Finished')));
      showTimes(fields, draft, [
        ['Start Time', 'status.startTime'],
        ['Completed At', 'status.completionTime'],
      ]);
    }
    jobCounts(fields.value('Pods Statuses'), draft);
    showText(fields, draft, 'Completed Indexes', 'status.completedIndexes');
    describePodTemplate(fields.get('Pod Template'), draft, fields.cut === 'Pod Template');
  },
  CronJob(fields, draft) {
    describeMetadata(fields, draft);
    showText(fields, draft, 'Schedule', 'spec.schedule');
    showText(fields, draft, 'Time Zone', 'spec.timeZone');
    showText(fields, draft, 'Concurrency Policy', 'spec.concurrencyPolicy');
    const suspend = fields.value('Suspend');
    if (suspend !== undefined) draft.show('spec.suspend', suspend.toLowerCase() === 'true');
    showInteger(fields, draft, 'Successful Job History Limit', 'spec.successfulJobsHistoryLimit');
    showInteger(fields, draft, 'Failed Job History Limit', 'spec.failedJobsHistoryLimit');
    if (fields.has('Starting Deadline Seconds'))
      draft.show('spec.startingDeadlineSeconds', seconds(fields.value('Starting Deadline Seconds')));
    showInteger(fields, draft, 'Parallelism', 'spec.jobTemplate.spec.parallelism');
    showInteger(fields, draft, 'Completions', 'spec.jobTemplate.spec.completions');
    describePodTemplate(fields.get('Pod Template'), draft, fields.cut === 'Pod Template', 'spec.jobTemplate.spec.template');
    showTime(fields, draft, 'Last Schedule Time', 'status.lastScheduleTime');
    const active = fields.value('Active Jobs');
    if (active !== undefined)
      draft.show(
        'status.active',
        (given(active)?.split(',') ?? []).map((name) => ({ name: name.trim() })),
      );
  },
};

function replicaSet(fields: Sections, draft: Draft): void {
  describeMetadata(fields, draft);
  showSelector(fields, draft);
  if (fields.has('Replicas')) describeOwner(fields, draft);
  const [, current, desired] = /^(\d+) current \/ (\d+) desired/.exec(fields.value('Replicas') ?? '') ?? [];
  if (current !== undefined) draft.show('status.replicas', integer(current)).show('spec.replicas', integer(desired));
  noneReady(fields, draft, 'status.readyReplicas');
  describePodTemplate(fields.get('Pod Template'), draft, fields.cut === 'Pod Template');
  conditionsAfter('Pod Template', fields, draft);
}

/** Conditions are left out when there are none, so that a text that goes on after where they would stand shows that. */
function conditionsAfter(key: string, fields: Sections, draft: Draft): void {
  if (fields.has('Conditions')) describeConditions(fields, draft);
  else if (fields.has(key) && fields.cut !== key) draft.show('status.conditions', []);
}

/** What is available has been ready for the minimum of time: without a minimum both are the same. */
function readyByAvailable(fields: Sections, draft: Draft): void {
  const available = /\| (\d+) available \|/.exec(fields.value('Replicas') ?? '')?.[1];
  if (available !== undefined && integer(fields.value('MinReadySeconds')) === 0) draft.show('status.readyReplicas', integer(available));
}

/** How many pods are ready is not printed, but how many run: where none does none is ready. */
function noneReady(fields: Sections, draft: Draft, path: string): void {
  if (fields.value('Pods Status')?.startsWith('0 Running /') === true) draft.show(path, 0);
}

function showSelector(fields: Sections, draft: Draft): void {
  const text = fields.value('Selector');
  if (text === undefined) return;
  const selector = draft.kind === 'ReplicationController' ? labelMap(given(text)?.split(',') ?? []) : labelSelectorJson(text);
  if (selector !== undefined || given(text) === undefined) draft.show('spec.selector', selector);
}

/** `3 desired | 2 updated | 3 total | 1 available | 2 unavailable`. */
function counts(text: string | undefined, draft: Draft, paths: Readonly<Record<string, string>>): void {
  for (const piece of text?.split('|') ?? []) {
    const [, amount, word = ''] = /^\s*(\d+) (\w+)\s*$/.exec(piece) ?? [];
    const path = paths[word];
    if (amount !== undefined && path !== undefined) draft.show(path, integer(amount));
  }
}

/** `1 Active (1 Ready) / 1 Succeeded / 0 Failed`; before kubectl 1.24 `1 Running / …`. */
function jobCounts(text: string | undefined, draft: Draft): void {
  const paths: ReadonlyMap<string | undefined, string> = new Map([
    ['Active', 'status.active'],
    ['Running', 'status.active'],
    ['Ready', 'status.ready'],
    ['Succeeded', 'status.succeeded'],
    ['Failed', 'status.failed'],
  ]);
  for (const [, amount, word] of (text ?? '').matchAll(/(\d{1,15}) ([A-Z][a-z]{1,20})/g)) {
    const path = paths.get(word);
    if (path !== undefined) draft.show(path, integer(amount));
  }
}

function claimTemplates(section: Section | undefined, draft: Draft): void {
  if (section === undefined) return;
  const templates: Json[] = [];
  let current: { name: string; storageClassName?: string; storage?: string; modes?: readonly string[] } | undefined;
  const finish = (): void => {
    if (current === undefined) return;
    const { name, storageClassName, storage, modes } = current;
    const spec = {
      ...(modes === undefined ? {} : { accessModes: modes }),
      ...(storageClassName === undefined ? {} : { storageClassName }),
      ...(storage === undefined ? {} : { resources: { requests: { storage } } }),
    };
    templates.push({ metadata: { name }, spec });
  };
  for (const { key, value } of sectionsOf(section.body)) {
    const text = given(value);
    if (key === 'Name') {
      finish();
      current = { name: value };
    } else if (current !== undefined && text !== undefined) {
      if (key === 'StorageClass') current.storageClassName = text;
      else if (key === 'Capacity') current.storage = text;
      else if (key === 'Access Modes') current.modes = accessModes(text.replace(/[[\]]/g, '').replaceAll(' ', ',')) ?? [];
    }
  }
  finish();
  const path = 'spec.volumeClaimTemplates';
  draft
    .set(path, templates)
    .covers(
      `${path}.metadata.name`,
      `${path}.spec.storageClassName`,
      `${path}.spec.accessModes`,
      `${path}.spec.resources.requests.storage`,
    );
}

function seconds(text: string | undefined): number | undefined {
  return integer(text?.replace(/s$/, ''));
}

function showTimes(fields: Sections, draft: Draft, times: readonly (readonly [key: string, path: string])[]): void {
  for (const [key, path] of times) {
    if (fields.has(key)) showTime(fields, draft, key, path);
    else draft.show(path);
  }
}
