import { asList, asNumber, dig } from '../../base/json.ts';
import { parseInstant } from '../../base/instant.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import { keyOfObject } from '../store/store.ts';
import type { Routine } from '../time/routine.ts';
import type { SyncResult } from '../components/work-queue.ts';
import { retryUnlessGone } from '../components/work-queue.ts';
import { refOf } from '../../model/kube-object.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { isDeleted, splitKey } from './ownership.ts';

/** Deletes Jobs some time after they ended. Source: pkg/controller/ttlafterfinished/ttlafterfinished_controller.go. */
export const TTL_AFTER_FINISHED_CONTROLLER: ComponentDefinition = {
  name: 'ttl-after-finished-controller',
  process: 'kube-controller-manager',
  start,
};

function start(host: ComponentHost): void {
  const jobs = host.informer({ kind: 'Job' });
  const queue = host.queue({ name: 'ttl_jobs_to_delete' }, function* sync(key): Routine<SyncResult> {
    const job = jobs.get(...splitKey(key));
    const due = job === undefined ? undefined : expiryOf(job);
    if (job === undefined || due === undefined || isDeleted(job)) return;
    if (due > host.now()) {
      queue.addAfter(key, due - host.now(), { background: true });
      return;
    }
    const answer = yield* host.client.delete(refOf(job), {
      propagationPolicy: 'Foreground',
      preconditions: { uid: job.metadata.uid ?? '' },
    });
    return retryUnlessGone(answer);
  });
  jobs.onChange(({ object, type }) => type !== 'DELETED' && expiryOf(object) !== undefined && queue.add(keyOfObject(object)));
}

function expiryOf(job: KubeObject): number | undefined {
  const seconds = asNumber(dig(job, 'spec', 'ttlSecondsAfterFinished'));
  const end = asList(dig(job, 'status', 'conditions')).find(
    (condition) => (dig(condition, 'type') === 'Complete' || dig(condition, 'type') === 'Failed') && dig(condition, 'status') === 'True',
  );
  const at = parseInstant(dig(end, 'lastTransitionTime'));
  return seconds === undefined || at === undefined ? undefined : at + seconds * 1000;
}
