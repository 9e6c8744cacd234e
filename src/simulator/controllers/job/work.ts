import type { Json, JsonObject } from '../../../base/json.ts';
import { asNumber, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import { timeOf } from '../../time/api-times.ts';
import type { Expectations } from '../expectations.ts';

/** What a sync has found out so far. */
export interface Work {
  readonly job: KubeObject;
  readonly key: string;
  readonly pods: readonly KubeObject[];
  /** Neither finished nor being deleted. */
  active: readonly KubeObject[];
  terminating: number;
  status: JsonObject;
  conditions: readonly Json[];
  /** How the Job ends, once it does. */
  ending: Ending | undefined;
}

export interface Ending {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

export interface Controller {
  readonly host: ComponentHost;
  readonly jobs: Informer;
  readonly pods: Informer;
  readonly expectations: Expectations;
  /** Uids of pods whose finalizer was taken away, until the cache has seen it. */
  readonly released: Set<string>;
}

/** Source: staging/src/k8s.io/api/batch/v1/types.go, job_controller.go. */
export const WORDS = {
  complete: { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' },
  backoff: { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
  deadline: { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' },
  suspended: { reason: 'JobSuspended', message: 'Job suspended' },
  resumed: { reason: 'JobResumed', message: 'Job resumed' },
} as const;

export function isSuspended(job: KubeObject): boolean {
  return dig(job, 'spec', 'suspend') === true;
}

export function countOf({ status }: Pick<Work, 'status'>, field: string): number {
  return asNumber(status[field]) ?? 0;
}

export function condition(
  host: ComponentHost,
  type: string,
  status: string,
  words: { readonly reason: string; readonly message: string },
): JsonObject {
  return {
    type,
    status,
    lastProbeTime: timeOf(host.now()),
    lastTransitionTime: timeOf(host.now()),
    reason: words.reason,
    message: words.message,
  };
}
