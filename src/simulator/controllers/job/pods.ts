import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import { withFields } from '../../../base/json-edit.ts';
import { largest } from '../../../base/lists.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { NewObject } from '../../components/client.ts';
import { isDeleted } from '../ownership.ts';
import { podOfTemplate } from '../pod-control.ts';
import { createdAt, phaseOf } from '../pod-state.ts';

/** A Job's pods. Source: pkg/controller/job/{job_controller,indexed_job_utils,backoff_utils}.go. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';
const FAILURE_BACKOFF_MILLISECONDS = 10_000;
const FAILURE_BACKOFF_LIMIT_MILLISECONDS = 600_000;

export function isTracked(pod: KubeObject): boolean {
  return asList(pod.metadata['finalizers']).includes(TRACKING);
}

export function isIndexed(job: KubeObject): boolean {
  return dig(job, 'spec', 'completionMode') === 'Indexed';
}

export function indexOf(pod: KubeObject): number | undefined {
  return parseInteger(annotationsOf(pod)[INDEX]);
}

/** How often the pods of an index failed before the one that has this. */
export const FAILURE_COUNT = 'batch.kubernetes.io/job-index-failure-count';

/** The pod of a Job, with the number it has when the Job is indexed, and how often that index failed where it matters. */
export function jobPod(job: KubeObject, index: number | undefined, failures?: number): NewObject {
  const pod = podOfTemplate(job, asObject(dig(job, 'spec', 'template')));
  const metadata: JsonObject & { readonly namespace?: string } = {
    ...pod.metadata,
    finalizers: [...asList(pod.metadata['finalizers']), TRACKING],
  };
  if (index === undefined) return { ...pod, metadata };
  const { name } = job.metadata;
  const annotations = {
    ...asTextMap(metadata['annotations']),
    [INDEX]: String(index),
    ...(failures === undefined ? {} : { [FAILURE_COUNT]: String(failures) }),
  };
  const labels = { ...asTextMap(metadata['labels']), [INDEX]: String(index) };
  const spec = asObject(pod['spec']);
  const numbered = withFields(spec, {
    hostname: `${name}-${index}`,
    containers: withIndex(spec['containers']),
    initContainers: spec['initContainers'] === undefined ? undefined : withIndex(spec['initContainers']),
  });
  return { ...pod, metadata: { ...metadata, annotations, labels, generateName: `${name}-${index}-` }, spec: numbered };
}

function withIndex(containers: Json | undefined): readonly JsonObject[] {
  const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } } };
  return asList(containers).map((container) => withFields(asObject(container), { env: [...asList(dig(container, 'env')), variable] }));
}

/** Milliseconds until a pod may take the place of the last that failed; each failure in a row doubles it. */
export function backoffOf(failed: readonly KubeObject[], succeeded: readonly KubeObject[], already: number, now: Instant): number {
  const lastSuccess = largest([Number.NEGATIVE_INFINITY, ...succeeded.map(finishedAt)]);
  const recent = failed.filter((pod) => finishedAt(pod) > lastSuccess);
  if (recent.length === 0) return 0;
  const failures = recent.length + (succeeded.length === 0 ? already : 0);
  const wait = Math.min(FAILURE_BACKOFF_LIMIT_MILLISECONDS, FAILURE_BACKOFF_MILLISECONDS * 2 ** Math.min(30, failures - 1));
  return Math.max(0, largest(recent.map(finishedAt)) + wait - now);
}

export function finishedAt(pod: KubeObject): Instant {
  const times = asList(dig(pod, 'status', 'containerStatuses'))
    .map((status) => parseInstant(dig(status, 'state', 'terminated', 'finishedAt')))
    .filter((time) => time !== undefined);
  return times.length === 0 ? (parseInstant(pod.metadata['deletionTimestamp']) ?? createdAt(pod)) : largest(times);
}

/** Restarts of the pods that live; with restartPolicy OnFailure they count as failures. */
export function restartSum(pods: readonly KubeObject[]): number {
  let sum = 0;
  for (const pod of pods) {
    if (phaseOf(pod) !== 'Running' && phaseOf(pod) !== 'Pending') continue;
    for (const status of [...asList(dig(pod, 'status', 'initContainerStatuses')), ...asList(dig(pod, 'status', 'containerStatuses'))])
      sum += asNumber(dig(status, 'restartCount')) ?? 0;
  }
  return sum;
}

export interface PolicyMatch {
  readonly action: string;
  /** Why the Job fails, when the rule says it does. */
  readonly message: string;
}

/** The first rule of the podFailurePolicy a failed pod fits. Source: pkg/controller/job/pod_failure_policy.go. */
export function matchPolicy(job: KubeObject, pod: KubeObject): PolicyMatch | undefined {
  for (const [index, rule] of asList(dig(job, 'spec', 'podFailurePolicy', 'rules')).entries()) {
    const action = asText(dig(rule, 'action')) ?? '';
    const place = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
    const container = containerFitting(dig(rule, 'onExitCodes'), pod);
    if (container !== undefined)
      return {
        action,
        message: `Container ${container.name} for pod ${place} failed with exit code ${container.code} matching ${action} rule at index ${index}`,
      };
    for (const pattern of asList(dig(rule, 'onPodConditions'))) {
      const fits = asList(dig(pod, 'status', 'conditions')).some(
        (condition) => dig(condition, 'type') === dig(pattern, 'type') && dig(condition, 'status') === (dig(pattern, 'status') ?? 'True'),
      );
      if (fits)
        return {
          action,
          message: `Pod ${place} has condition ${asText(dig(pattern, 'type')) ?? ''} matching ${action} rule at index ${index}`,
        };
    }
  }
  return undefined;
}

function containerFitting(requirement: Json | undefined, pod: KubeObject): { readonly name: string; readonly code: number } | undefined {
  if (requirement === undefined) return undefined;
  const only = asText(dig(requirement, 'containerName'));
  const values = asList(dig(requirement, 'values'));
  const wanted = dig(requirement, 'operator') === 'In';
  for (const status of [...asList(dig(pod, 'status', 'containerStatuses')), ...asList(dig(pod, 'status', 'initContainerStatuses'))]) {
    const name = asText(dig(status, 'name')) ?? '';
    const code = asNumber(dig(status, 'state', 'terminated', 'exitCode'));
    if (code === undefined || code === 0 || (only !== undefined && only !== name)) continue;
    if (values.includes(code) === wanted) return { name, code };
  }
  return undefined;
}

/** Phase Failed, or on its way out without success when that counts already. */
export function countsAsFailed(job: KubeObject, pod: KubeObject): boolean {
  if (phaseOf(pod) === 'Failed') return true;
  const onlyFailed = dig(job, 'spec', 'podReplacementPolicy') === 'Failed' || dig(job, 'spec', 'podFailurePolicy') !== undefined;
  return !onlyFailed && isDeleted(pod) && phaseOf(pod) !== 'Succeeded';
}

/** `0-2,5`: indexes as a Job's status lists them. Source: indexed_job_utils.go. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let from = 0; from < sorted.length;) {
    let to = from;
    while (to + 1 < sorted.length && sorted[to + 1] === (sorted[to] ?? 0) + 1) to++;
    const [first, last] = [sorted[from] ?? 0, sorted[to] ?? 0];
    parts.push(first === last ? String(first) : last === first + 1 ? `${first},${last}` : `${first}-${last}`);
    from = to + 1;
  }
  return parts.join(',');
}

/** Source: pkg/apis/batch/validation/validation.go (maxParallelismForIndexedJob). */
const LAST_INDEX = 100_000;

export function parseIndexes(text: string): Set<number> {
  const indexes = new Set<number>();
  for (const part of text.split(',').filter((piece) => piece !== '')) {
    const [first = 0, last = first] = part.split('-').map((bound) => parseInteger(bound) ?? 0);
    for (let index = first; index <= Math.min(last, LAST_INDEX); index++) indexes.add(index);
  }
  return indexes;
}
