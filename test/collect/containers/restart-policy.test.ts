import { describe, expect, it } from 'vitest';
import { restartPolicyOf } from '../../../src/collect/containers/container-health.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';

function podOf(kind: string | undefined, restartPolicy?: string): KubeObject {
  const owner =
    kind === undefined ? {} : { ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'web', uid: 'uid-1', controller: true }] };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop', ...owner },
    spec: restartPolicy === undefined ? {} : { restartPolicy },
  };
}

describe('the restart policy of a pod', () => {
  it.each(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController'])('is Always where only %s made it', (kind) => {
    expect(restartPolicyOf(podOf(kind))).toBe('Always');
  });

  it.each(['Job', 'CronJob', undefined])('is not known where %s made it and nothing shows it', (kind) => {
    expect(restartPolicyOf(podOf(kind))).toBeUndefined();
  });

  it('is what its spec says', () => {
    expect(restartPolicyOf(podOf('Job', 'Never'))).toBe('Never');
    expect(restartPolicyOf(podOf('ReplicaSet', 'OnFailure'))).toBe('OnFailure');
  });
});
