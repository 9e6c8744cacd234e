import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { create, deployment, objectOf, pod, shop } from '../shop.ts';

describe('what is left out is filled in as a real server does', () => {
  test('a pod', () => {
    const stored = objectOf(
      create(
        shop(),
        pod(
          'web',
          { volumes: [{ name: 'config', configMap: { name: 'app-config' } }], automountServiceAccountToken: false },
          { ports: [{ containerPort: 8080, name: 'http' }], readinessProbe: { httpGet: { path: '/healthz', port: 'http' } } },
        ),
      ),
    );
    expect(stored['spec']).toEqual({
      automountServiceAccountToken: false,
      containers: [
        {
          image: 'shop/web:1.0',
          imagePullPolicy: 'IfNotPresent',
          name: 'web',
          ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
          readinessProbe: {
            failureThreshold: 3,
            httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
            periodSeconds: 10,
            successThreshold: 1,
            timeoutSeconds: 1,
          },
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      serviceAccount: 'default',
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 30,
      tolerations: [
        { effect: 'NoExecute', key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 300 },
        { effect: 'NoExecute', key: 'node.kubernetes.io/unreachable', operator: 'Exists', tolerationSeconds: 300 },
      ],
      volumes: [{ configMap: { defaultMode: 420, name: 'app-config' }, name: 'config' }],
    });
    expect(stored['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  test.each([
    ['shop/web', 'Always'],
    ['shop/web:latest', 'Always'],
    ['shop/web:1.0', 'IfNotPresent'],
    ['localhost:5000/web', 'Always'],
    ['shop/web@sha256:abc', 'IfNotPresent'],
  ])('image %s is pulled %s', (image, policy) => {
    expect(objectOf(create(shop(), pod('web', {}, { image })))['spec']).toMatchObject({ containers: [{ imagePullPolicy: policy }] });
  });

  test.each<[JsonObject, string]>([
    [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
    [{ requests: { cpu: '1' } }, 'Burstable'],
    [{}, 'BestEffort'],
  ])('a pod with resources %j is %s', (resources, qosClass) => {
    expect(objectOf(create(shop(), pod('web', {}, { resources })))['status']).toMatchObject({ qosClass });
  });

  test('a Deployment, a StatefulSet, a CronJob', () => {
    const cluster = shop();
    expect(objectOf(create(cluster, deployment('web')))['spec']).toMatchObject({
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
    });
    const template = { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'shop/db:1' }] } };
    const claims = [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }];
    expect(
      objectOf(
        create(cluster, {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { name: 'db', namespace: 'shop' },
          spec: { serviceName: 'db', selector: { matchLabels: { app: 'db' } }, template, volumeClaimTemplates: claims },
        }),
      )['spec'],
    ).toMatchObject({
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      podManagementPolicy: 'OrderedReady',
      replicas: 1,
      revisionHistoryLimit: 10,
      updateStrategy: { rollingUpdate: { partition: 0 }, type: 'RollingUpdate' },
      volumeClaimTemplates: [
        { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
      ],
    });
    const jobTemplate = {
      spec: { template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'report', image: 'shop/report:1' }] } } },
    };
    expect(
      objectOf(
        create(cluster, {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata: { name: 'report', namespace: 'shop' },
          spec: { schedule: '* * * * *', jobTemplate },
        }),
      )['spec'],
    ).toMatchObject({ concurrencyPolicy: 'Allow', failedJobsHistoryLimit: 1, successfulJobsHistoryLimit: 3, suspend: false });
  });

  test('a Job gets a selector of its own', () => {
    const job = objectOf(
      create(shop(), {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'import', namespace: 'shop' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'shop/import:1' }] } } },
      }),
    );
    expect(job['spec']).toMatchObject({
      backoffLimit: 6,
      completions: 1,
      parallelism: 1,
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': job.metadata.uid } },
      template: { metadata: { labels: { 'job-name': 'import', 'controller-uid': job.metadata.uid } } },
    });
  });

  test('a Secret of plain texts', () => {
    expect(
      objectOf(
        create(shop(), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db', namespace: 'shop' }, stringData: { user: 'shöp' } }),
      ),
    ).toMatchObject({ type: 'Opaque', data: { user: 'c2jDtnA=' } });
  });
});
