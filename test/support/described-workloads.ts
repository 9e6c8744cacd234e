const TEMPLATE = `Pod Template:
  Labels:           app=web
  Service Account:  web
  Containers:
   web:
    Image:      web:1
    Port:       8080/TCP
    Host Port:  0/TCP
    Environment:
      A:  1
    Mounts:  <none>
  Volumes:
   conf:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      web-conf
    Optional:  false
  Node-Selectors:  <none>
  Tolerations:     <none>
`;
const POD = {
  metadata: { labels: { app: 'web' } },
  spec: {
    serviceAccountName: 'web',
    containers: [
      { name: 'web', image: 'web:1', ports: [{ containerPort: 8080, protocol: 'TCP' }], env: [{ name: 'A', value: '1' }], resources: {} },
    ],
    volumes: [{ name: 'conf', configMap: { name: 'web-conf', optional: false } }],
    nodeSelector: {},
    tolerations: [],
  },
};

/** Hand-written in the layouts of kubectl 1.18 to 1.36, with the object each stands for. */
export const WORKLOADS: readonly (readonly [ref: string, text: string, object: object])[] = [
  [
    'Deployment/shop/web',
    `Name:                   web
Namespace:              shop
CreationTimestamp:      Fri, 20 Nov 2026 11:00:00 +0000
Labels:                 app=web
Annotations:            deployment.kubernetes.io/revision: 2
Selector:               app=web,tier in (back,front),!legacy
Replicas:               3 desired | 2 updated | 4 total | 1 available | 3 unavailable
StrategyType:           RollingUpdate
MinReadySeconds:        5
RollingUpdateStrategy:  1 max unavailable, 25% max surge
${TEMPLATE}Conditions:
  Type           Status  Reason
  ----           ------  ------
  Progressing    False   ProgressDeadlineExceeded
OldReplicaSets:  web-1 (2/2 replicas created)
NewReplicaSet:   web-2 (2/2 replicas created)
Events:          <none>
`,
    {
      metadata: { creationTimestamp: '2026-11-20T11:00:00Z', annotations: { 'deployment.kubernetes.io/revision': '2' } },
      spec: {
        replicas: 3,
        minReadySeconds: 5,
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [
            { key: 'tier', operator: 'In', values: ['back', 'front'] },
            { key: 'legacy', operator: 'DoesNotExist' },
          ],
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: '25%' } },
        template: POD,
      },
      status: {
        updatedReplicas: 2,
        replicas: 4,
        availableReplicas: 1,
        unavailableReplicas: 3,
        conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
      },
    },
  ],
  [
    'ReplicaSet/shop/web-2',
    `Name:           web-2
Namespace:      shop
Selector:       app=web
Labels:         app=web
Annotations:    <none>
Controlled By:  Deployment/web
Replicas:       0 current / 3 desired
Pods Status:    0 Running / 0 Waiting / 0 Succeeded / 0 Failed
${TEMPLATE}Conditions:
  Type             Status  Reason
  ----             ------  ------
  ReplicaFailure   True    FailedCreate
Events:            <none>
`,
    {
      metadata: { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] },
      spec: { replicas: 3, template: POD },
      status: { replicas: 0, readyReplicas: 0, conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }] },
    },
  ],
  [
    'StatefulSet/shop/db',
    `Name:               db
Namespace:          shop
CreationTimestamp:  Fri, 20 Nov 2026 11:00:00 +0000
Selector:           app=db
Labels:             <none>
Annotations:        <none>
Replicas:           2 desired | 1 total
Update Strategy:    RollingUpdate
  Partition:        1
Pods Status:        1 Running / 0 Waiting / 0 Succeeded / 0 Failed
${TEMPLATE}Volume Claims:
  Name:          data
  StorageClass:  fast
  Labels:        <none>
  Annotations:   <none>
  Capacity:      1Gi
  Access Modes:  [ReadWriteOnce ReadOnlyMany]
Events:          <none>
`,
    {
      spec: {
        replicas: 2,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
      status: { replicas: 1 },
    },
  ],
  [
    'DaemonSet/shop/agent',
    `Name:           agent
Namespace:      shop
Selector:       app=agent
Node-Selector:  disk=ssd
Labels:         <none>
Annotations:    <none>
Desired Number of Nodes Scheduled: 3
Current Number of Nodes Scheduled: 2
Number of Nodes Scheduled with Up-to-date Pods: 2
Number of Nodes Scheduled with Available Pods: 1
Number of Nodes Misscheduled: 0
Pods Status:  1 Running / 1 Waiting / 0 Succeeded / 0 Failed
${TEMPLATE}Events:            <none>
`,
    {
      status: {
        desiredNumberScheduled: 3,
        currentNumberScheduled: 2,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
        numberMisscheduled: 0,
      },
    },
  ],
  [
    'Job/shop/import',
    `Name:                     import
Namespace:                shop
Selector:                 batch.kubernetes.io/controller-uid=1
Labels:                   <none>
Annotations:              <none>
Controlled By:            CronJob/imports
Parallelism:              1
Completions:              2
Completion Mode:          NonIndexed
Suspend:                  false
Backoff Limit:            4
Start Time:               Fri, 20 Nov 2026 11:00:00 +0000
Active Deadline Seconds:  100s
Pods Statuses:            1 Active (0 Ready) / 0 Succeeded / 3 Failed
${TEMPLATE}Events:          <none>
`,
    {
      metadata: { ownerReferences: [{ kind: 'CronJob', name: 'imports' }] },
      spec: { parallelism: 1, completions: 2, suspend: false, backoffLimit: 4, activeDeadlineSeconds: 100 },
      status: { startTime: '2026-11-20T11:00:00Z', active: 1, ready: 0, succeeded: 0, failed: 3 },
    },
  ],
  [
    'CronJob/shop/report',
    `Name:                          report
Namespace:                     shop
Labels:                        <none>
Annotations:                   <none>
Schedule:                      */5 * * * *
Concurrency Policy:            Forbid
Suspend:                       True
Successful Job History Limit:  3
Failed Job History Limit:      1
Starting Deadline Seconds:     10s
Selector:                      <unset>
Parallelism:                   <unset>
Completions:                   <unset>
${TEMPLATE}Last Schedule Time:  Fri, 20 Nov 2026 11:55:00 +0000
Active Jobs:         report-1, report-2
Events:              <none>
`,
    {
      spec: {
        schedule: '*/5 * * * *',
        concurrencyPolicy: 'Forbid',
        suspend: true,
        startingDeadlineSeconds: 10,
        jobTemplate: { spec: { template: POD } },
      },
      status: { lastScheduleTime: '2026-11-20T11:55:00Z', active: [{ name: 'report-1' }, { name: 'report-2' }] },
    },
  ],
];
