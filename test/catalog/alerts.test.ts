import { describe, expect, it } from 'vitest';
import { alertNamed, ALERTS } from '../../src/catalog/alerts.ts';

describe('the alerts of kubernetes-mixin', () => {
  it('are each there once, by their own names', () => {
    const names = ALERTS.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^(?:Kube[A-Z]|Kubelet[A-Z]|CPU)\w+$/);
    expect(alertNamed('KubeTillEmpty')).toBeUndefined();
  });

  it.each([
    ['KubePodCrashLooping', 'pod'],
    ['KubeDeploymentRolloutStuck', 'deployment'],
    ['KubeStatefulSetReplicasMismatch', 'statefulset'],
    ['KubeDaemonSetNotScheduled', 'daemonset'],
    ['KubeJobFailed', 'job_name'],
    ['KubeHpaMaxedOut', 'horizontalpodautoscaler'],
    ['KubePdbNotEnoughHealthyPods', 'poddisruptionbudget'],
    ['KubeQuotaExceeded', 'namespace'],
    ['KubeNodeNotReady', 'node'],
    ['KubeNodePressure', 'node'],
    ['KubeletClientCertificateExpiration', 'node'],
    ['KubePersistentVolumeFillingUp', 'persistentvolumeclaim'],
    ['KubePersistentVolumeErrors', 'persistentvolume'],
    ['KubeAPIDown', 'cluster'],
    ['KubeAggregatedAPIDown', 'cluster'],
    ['CPUThrottlingHigh', 'cluster'],
  ])('%s names its object by the label %s', (alert, about) => {
    expect(alertNamed(alert)?.about).toBe(about);
  });

  it('are nearer to the cause the lower they stand', () => {
    const order = [
      ['KubeNodeNotReady', 'KubeAPIDown'],
      ['KubePodCrashLooping'],
      ['KubePodNotReady', 'KubeNodePressure', 'KubePersistentVolumeFillingUp', 'KubePersistentVolumeErrors'],
      ['KubeContainerWaiting', 'KubeletClientCertificateExpiration'],
      ['KubeDeploymentRolloutStuck', 'KubeStatefulSetReplicasMismatch', 'KubeDaemonSetNotScheduled', 'KubeJobFailed'],
      ['KubeHpaMaxedOut', 'KubePdbNotEnoughHealthyPods', 'KubeQuotaExceeded'],
      ['KubeAggregatedAPIDown'],
      ['CPUThrottlingHigh'],
    ].map((alerts) => alerts.map((alert) => alertNamed(alert)?.rank));
    for (const [index, ranks] of order.entries()) {
      expect(new Set(ranks).size, String(index)).toBe(1);
      expect(ranks[0], String(index)).toBeGreaterThan(order[index - 1]?.[0] ?? -1);
    }
  });
});
