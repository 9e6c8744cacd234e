import type { JsonObject } from '../../../src/base/json.ts';
import { of, tpl, sel } from './right-object-parts.ts';

/** Workloads that a real server takes. */
export const RIGHT_WORKLOADS: readonly JsonObject[] = [
  of('apps/v1', 'StatefulSet', {
    spec: {
      serviceName: 'a',
      selector: sel,
      template: tpl(
        {
          securityContext: {
            fsGroup: 0,
            runAsNonRoot: true,
            fsGroupChangePolicy: 'OnRootMismatch',
            seccompProfile: { type: 'RuntimeDefault' },
            sysctls: [
              { name: 'net.core.somaxconn', value: '1024' },
              { name: 'net/ipv4/tcp', value: '1' },
            ],
          },
        },
        {
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
          securityContext: { capabilities: { drop: ['ALL'] }, allowPrivilegeEscalation: false, privileged: false },
        },
      ),
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ],
      updateStrategy: { type: 'OnDelete' },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
    },
  }),
  of('apps/v1', 'StatefulSet', {
    spec: { serviceName: '', selector: sel, template: tpl(), updateStrategy: { rollingUpdate: { partition: 1 } } },
  }),
  of('apps/v1', 'DaemonSet', {
    spec: {
      selector: sel,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: tpl(
        {
          hostNetwork: true,
          hostPID: true,
          dnsPolicy: 'ClusterFirstWithHostNet',
          tolerations: [{ operator: 'Exists' }, { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }],
          priorityClassName: 'system-node-critical',
          volumes: [
            { name: 'sys', hostPath: { path: '/sys' } },
            {
              name: 'tok',
              projected: {
                sources: [
                  { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
                  { configMap: { name: 'a', optional: true } },
                  { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
                ],
              },
            },
            {
              name: 'eph',
              ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
            },
            { name: 'csi', csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true, volumeAttributes: { a: 'b' } } },
            { name: 'nfs', nfs: { server: 'a', path: '/' } },
          ],
        },
        {
          securityContext: { privileged: true, procMount: 'Default' },
          ports: [{ containerPort: 9100, hostPort: 9100, hostIP: '127.0.0.1' }],
          volumeMounts: [
            { name: 'sys', mountPath: '/sys', mountPropagation: 'Bidirectional' },
            { name: 'sys', mountPath: '/host/sys', readOnly: true, mountPropagation: 'HostToContainer' },
          ],
        },
      ),
    },
  }),
  of('apps/v1', 'Deployment', {
    spec: {
      selector: sel,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '50%' } },
      template: tpl(
        {
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                {
                  weight: 100,
                  podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: sel, matchLabelKeys: ['pod-template-hash'] },
                },
              ],
            },
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  {
                    matchExpressions: [{ key: 'cpus', operator: 'Gt', values: ['4'] }],
                    matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['a'] }],
                  },
                ],
              },
            },
          },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: sel,
              matchLabelKeys: ['pod-template-hash'],
              nodeTaintsPolicy: 'Honor',
              minDomains: 2,
            },
            { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: sel },
          ],
          initContainers: [
            { name: 'side', image: 'x', restartPolicy: 'Always', startupProbe: { exec: { command: ['a'] } } },
            { name: 'i', image: 'x' },
          ],
          dnsConfig: {
            searches: ['ns1.svc.cluster-domain.example', '_a.b', '.'],
            options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
          },
          hostAliases: [{ ip: '127.0.0.1', hostnames: ['foo.local'] }],
          os: { name: 'linux' },
          terminationGracePeriodSeconds: 0,
        },
        {
          resources: {
            requests: { cpu: '100m', memory: '64Mi', 'nvidia.com/gpu': 1 },
            limits: { memory: '64Mi', 'nvidia.com/gpu': '1', 'hugepages-2Mi': '4Mi' },
          },
          resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
          env: [
            { name: 'a.b-c', value: '' },
            { name: 'P', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['x/y']" } } },
            { name: 'L', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
          ],
          envFrom: [{ prefix: 'X_', secretRef: { name: 's', optional: true } }],
          livenessProbe: { grpc: { port: 9000 } },
          readinessProbe: { httpGet: { path: '/', port: 'http', httpHeaders: [{ name: 'X-A', value: 'b' }] }, successThreshold: 2 },
          lifecycle: { preStop: { sleep: { seconds: 0 } } },
          ports: [{ name: 'http', containerPort: 8080 }],
        },
      ),
    },
  }),
  of('batch/v1', 'Job', {
    spec: {
      completions: 5,
      parallelism: 5,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 2,
      podFailurePolicy: {
        rules: [
          { action: 'FailIndex', onExitCodes: { operator: 'In', values: [1, 42] } },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
        ],
      },
      successPolicy: { rules: [{ succeededIndexes: '0,2-3', succeededCount: 2 }] },
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } },
    },
  }),
  of('batch/v1', 'Job', {
    spec: {
      manualSelector: true,
      selector: sel,
      ttlSecondsAfterFinished: 0,
      managedBy: 'shop.example/mine',
      suspend: true,
      template: { ...tpl({ restartPolicy: 'OnFailure' }) },
    },
  }),
  of('batch/v1', 'CronJob', {
    spec: {
      schedule: '@hourly',
      timeZone: 'Europe/Berlin',
      startingDeadlineSeconds: 0,
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'b' }] } } } },
    },
  }),
  of('policy/v1', 'PodDisruptionBudget', { spec: { maxUnavailable: 0, selector: sel, unhealthyPodEvictionPolicy: 'AlwaysAllow' } }),
  of(
    'v1',
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany'],
        nfs: { server: 'nfs', path: '/x' },
        mountOptions: ['nfsvers=4'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: '',
        claimRef: { namespace: 'shop', name: 'c' },
      },
    },
    false,
  ),
  of(
    'v1',
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOncePod'],
        volumeMode: 'Block',
        csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'v', nodeStageSecretRef: { name: 'a', namespace: 'b' } },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.ebs.csi.aws.com/zone', operator: 'In', values: ['a'] }] }],
          },
        },
      },
    },
    false,
  ),
  of('v1', 'PersistentVolumeClaim', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
      storageClassName: '',
    },
  }),
  of(
    'storage.k8s.io/v1',
    'StorageClass',
    {
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['a', 'b'] }] }],
      allowVolumeExpansion: true,
    },
    false,
  ),
  of(
    'storage.k8s.io/v1',
    'CSIDriver',
    {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }, { audience: '' }],
      },
    },
    false,
  ),
];
