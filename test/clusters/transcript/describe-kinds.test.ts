import { describe, expect, it } from 'vitest';
import { shows } from '../../../src/model/kube-object.ts';
import { fieldOf, objectIn, read, refsIn } from '../../support/transcripts.ts';

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
    containers: [{ name: 'web', image: 'web:1', ports: [{ containerPort: 8080, protocol: 'TCP' }], env: [{ name: 'A', value: '1' }], resources: {} }],
    volumes: [{ name: 'conf', configMap: { name: 'web-conf', optional: false } }],
    nodeSelector: {},
    tolerations: [],
  },
};

// Hand-written in the layouts of kubectl 1.18 to 1.36, with the object each stands for.
const DESCRIBES: readonly (readonly [ref: string, text: string, object: object])[] = [
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
        selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['back', 'front'] }, { key: 'legacy', operator: 'DoesNotExist' }] },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: '25%' } },
        template: POD,
      },
      status: { updatedReplicas: 2, replicas: 4, availableReplicas: 1, unavailableReplicas: 3, conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }] },
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
    { metadata: { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] }, spec: { replicas: 3, template: POD }, status: { replicas: 0, conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }] } },
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
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], resources: { requests: { storage: '1Gi' } } } }],
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
    { status: { desiredNumberScheduled: 3, currentNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1, numberMisscheduled: 0 } },
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
      spec: { schedule: '*/5 * * * *', concurrencyPolicy: 'Forbid', suspend: true, startingDeadlineSeconds: 10, jobTemplate: { spec: { template: POD } } },
      status: { lastScheduleTime: '2026-11-20T11:55:00Z', active: [{ name: 'report-1' }, { name: 'report-2' }] },
    },
  ],
  [
    'Service/shop/web',
    `Name:                     web
Namespace:                shop
Labels:                   <none>
Annotations:              <none>
Selector:                 app=web,tier=front
Type:                     LoadBalancer
IP Family Policy:         SingleStack
IP Families:              IPv4
IP:                       10.96.0.10
IPs:                      10.96.0.10
LoadBalancer Ingress:     192.0.2.7, lb.example
Port:                     http  80/TCP
TargetPort:               web/TCP
NodePort:                 http  30080/TCP
Endpoints:                10.0.1.7:8080,10.0.2.9:8080
Port:                     dns  53/UDP
TargetPort:               5353/UDP
NodePort:                 dns  30053/UDP
Endpoints:                
Session Affinity:         None
External Traffic Policy:  Cluster
Events:                   <none>
`,
    {
      spec: {
        selector: { app: 'web', tier: 'front' },
        type: 'LoadBalancer',
        clusterIP: '10.96.0.10',
        ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'web', nodePort: 30080 }, { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353, nodePort: 30053 }],
      },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }, { hostname: 'lb.example' }] } },
    },
  ],
  [
    'Endpoints/shop/web',
    `Name:         web
Namespace:    shop
Labels:       <none>
Annotations:  <none>
Subsets:
  Addresses:          10.0.1.7
  NotReadyAddresses:  10.0.2.9,10.0.2.10
  Ports:
    Name     Port  Protocol
    ----     ----  --------
    http     8080  TCP
    <unset>  9090  UDP

Events:  <none>
`,
    { subsets: [{ addresses: [{ ip: '10.0.1.7' }], notReadyAddresses: [{ ip: '10.0.2.9' }, { ip: '10.0.2.10' }], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }, { port: 9090, protocol: 'UDP' }] }] },
  ],
  [
    'EndpointSlice/shop/web-x7k2p',
    `Name:         web-x7k2p
Namespace:    shop
Labels:       kubernetes.io/service-name=web
Annotations:  <none>
AddressType:  IPv4
Ports:
  Name     Port  Protocol
  ----     ----  --------
  http     8080  TCP
Endpoints:
  - Addresses:  10.0.1.7
    Conditions:
      Ready:    true
    Hostname:   <unset>
    TargetRef:  Pod/web-1
    NodeName:   worker-1
    Zone:       a
  - Addresses:  10.0.2.9
    Conditions:
      Ready:   false
    Hostname:  <unset>
    NodeName:  <unset>
    Zone:      <unset>
Events:        <none>
`,
    {
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      endpoints: [{ addresses: ['10.0.1.7'], conditions: { ready: true }, targetRef: { kind: 'Pod', name: 'web-1' }, nodeName: 'worker-1', zone: 'a' }, { addresses: ['10.0.2.9'], conditions: { ready: false } }],
    },
  ],
  [
    'PersistentVolumeClaim/shop/data',
    `Name:          data
Namespace:     shop
StorageClass:  fast
Status:        Pending
Volume:        
Labels:        <none>
Annotations:   volume.kubernetes.io/selected-node: worker-1
Finalizers:    [kubernetes.io/pvc-protection]
Capacity:      
Access Modes:  
VolumeMode:    Filesystem
Mounted By:    web-1
Events:        <none>
`,
    { metadata: { finalizers: ['kubernetes.io/pvc-protection'] }, spec: { storageClassName: 'fast', volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
  ],
  [
    'PersistentVolume/pv-1',
    `Name:              pv-1
Labels:            <none>
Annotations:       <none>
Finalizers:        []
StorageClass:      fast
Status:            Bound
Claim:             shop/data
Reclaim Policy:    Retain
Access Modes:      RWO
VolumeMode:        Filesystem
Capacity:          5Gi
Node Affinity:     
  Required Terms:  
    Term 0:        kubernetes.io/hostname in [worker-1, worker-2]
                   zone notin [c]
    Term 1:        ssd exists
Message:           
Source:
    Type:  LocalVolume (a persistent volume backed by local storage on a node)
    Path:  /disks/1
Events:    <none>
`,
    {
      spec: {
        claimRef: { namespace: 'shop', name: 'data' },
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '5Gi' },
        local: { path: '/disks/1' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['worker-1', 'worker-2'] }, { key: 'zone', operator: 'NotIn', values: ['c'] }] },
              { matchExpressions: [{ key: 'ssd', operator: 'Exists', values: [] }] },
            ],
          },
        },
      },
      status: { phase: 'Bound' },
    },
  ],
  [
    'StorageClass/fast',
    `Name:            fast
IsDefaultClass:  Yes
Annotations:     kubectl.kubernetes.io/last-applied-configuration={"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"fast"}}
,storageclass.kubernetes.io/is-default-class=true
Provisioner:           disk.example
Parameters:            type=ssd
AllowVolumeExpansion:  <unset>
MountOptions:          <none>
ReclaimPolicy:         Delete
VolumeBindingMode:     WaitForFirstConsumer
Events:                <none>
`,
    { metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }, provisioner: 'disk.example', parameters: { type: 'ssd' }, reclaimPolicy: 'Delete', volumeBindingMode: 'WaitForFirstConsumer' },
  ],
  ['ResourceQuota/shop/team', 'Name:            team\nNamespace:       shop\nResource         Used   Hard\n--------         ----   ----\npods             3      5\nrequests.cpu     1500m  2\n', { spec: { hard: { pods: '5', 'requests.cpu': '2' } }, status: { used: { pods: '3', 'requests.cpu': '1500m' } } }],
  [
    'LimitRange/shop/limits',
    'Name:       limits\nNamespace:  shop\nType        Resource  Min   Max  Default Request  Default Limit  Max Limit/Request Ratio\n----        --------  ---   ---  ---------------  -------------  -----------------------\nContainer   cpu       100m  2    200m             500m           -\nContainer   memory    -     1Gi  -                -              -\nPod         cpu       -     4    -                -              -\n',
    { spec: { limits: [{ type: 'Container', min: { cpu: '100m' }, max: { cpu: '2', memory: '1Gi' }, defaultRequest: { cpu: '200m' }, default: { cpu: '500m' } }, { type: 'Pod', max: { cpu: '4' } }] } },
  ],
  ['ServiceAccount/shop/web', 'Name:                web\nNamespace:           shop\nLabels:              <none>\nAnnotations:         <none>\nImage pull secrets:  registry\n                     other (not found)\nMountable secrets:   <none>\nTokens:              <none>\nEvents:              <none>\n', { imagePullSecrets: [{ name: 'registry' }, { name: 'other' }], secrets: [] }],
  [
    'ConfigMap/shop/web-conf',
    'Name:         web-conf\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\n\nData\n====\nweb.toml:\n----\nName: other\n\n[server]\nport: 8080\n\nmode:\n----\nfast\n\nBinaryData\n====\nlogo.png: 12 bytes\n\nEvents:  <none>\n',
    { metadata: { name: 'web-conf' }, data: { 'web.toml': 'Name: other\n\n[server]\nport: 8080', mode: 'fast' }, binaryData: { 'logo.png': '' } },
  ],
  ['Secret/shop/db', 'Name:         db\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\n\nType:  Opaque\n\nData\n====\npassword:  9 bytes\nuser:      2 bytes\n', { type: 'Opaque', data: { password: '', user: '' } }],
  ['Namespace/shop', 'Name:         shop\nLabels:       pod-security.kubernetes.io/enforce=restricted\nAnnotations:  <none>\nStatus:       Active\n\nNo resource quota.\n\nNo LimitRange resource.\n', { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } }, status: { phase: 'Active' } }],
  [
    'Ingress/shop/web',
    'Name:             web\nLabels:           <none>\nNamespace:        shop\nAddress:          192.0.2.7\nIngress Class:    nginx\nDefault backend:  <default>\nTLS:\n  web-tls terminates shop.example,www.shop.example\nRules:\n  Host          Path  Backends\n  ----          ----  --------\n  shop.example  \n                /      web:http (10.0.1.7:8080)\n                /api   api:81 (<error: services "api" not found>)\nAnnotations:    <none>\nEvents:         <none>\n',
    {
      spec: {
        ingressClassName: 'nginx',
        tls: [{ secretName: 'web-tls', hosts: ['shop.example', 'www.shop.example'] }],
        rules: [{ host: 'shop.example', http: { paths: [{ path: '/', backend: { service: { name: 'web', port: { name: 'http' } } } }, { path: '/api', backend: { service: { name: 'api', port: { number: 81 } } } }] } }],
      },
    },
  ],
  [
    'HorizontalPodAutoscaler/shop/web',
    'Name:                     web\nNamespace:                shop\nLabels:                   <none>\nAnnotations:              <none>\nCreationTimestamp:        Fri, 20 Nov 2026 11:00:00 +0000\nReference:                Deployment/web\nMetrics:                  ( current / target )\n  resource cpu on pods:   <unknown> / 80%\nMin replicas:             1\nMax replicas:             5\nDeployment pods:          1 current / 3 desired\nConditions:\n  Type           Status  Reason                   Message\n  ----           ------  ------                   -------\n  ScalingActive  False   FailedGetResourceMetric  the HPA was unable to compute the replica count\nEvents:          <none>\n',
    { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 1, maxReplicas: 5 }, status: { currentReplicas: 1, desiredReplicas: 3, conditions: [{ type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message: 'the HPA was unable to compute the replica count' }] } },
  ],
  ['PodDisruptionBudget/shop/web', 'Name:           web\nNamespace:      shop\nMin available:  50%\nSelector:       app=web\nStatus:\n    Allowed disruptions:  0\n    Current:              1\n    Desired:              2\n    Total:                3\nEvents:                   <none>\n', { spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } }, status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, expectedPods: 3 } }],
  [
    'NetworkPolicy/shop/front',
    'Name:         front\nNamespace:    shop\nCreated on:   2026-11-20 11:00:00 +0000 UTC\nLabels:       <none>\nAnnotations:  <none>\nSpec:\n  PodSelector:     app=web\n  Allowing ingress traffic:\n    To Port: 8080/TCP\n    From:\n      PodSelector: role=proxy\n    From:\n      NamespaceSelector: team=front\n      PodSelector: app=test\n    ----------\n    To Port: <any> (traffic allowed to all ports)\n    From:\n      IPBlock:\n        CIDR: 10.0.0.0/8\n        Except: 10.1.0.0/16\n  Allowing egress traffic:\n    <none> (Selected pods are isolated for egress connectivity)\n  Policy Types: Ingress, Egress\n',
    {
      spec: {
        podSelector: { matchLabels: { app: 'web' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          { ports: [{ port: 8080, protocol: 'TCP' }], from: [{ podSelector: { matchLabels: { role: 'proxy' } } }, { namespaceSelector: { matchLabels: { team: 'front' } }, podSelector: { matchLabels: { app: 'test' } } }] },
          { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] },
        ],
        egress: [],
      },
    },
  ],
  [
    'ValidatingWebhookConfiguration/guard',
    'Name:         guard\nNamespace:    \nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  admissionregistration.k8s.io/v1\nKind:         ValidatingWebhookConfiguration\nMetadata:\n  Creation Timestamp:  2026-11-20T11:00:00Z\n  Resource Version:    5\nWebhooks:\n  Admission Review Versions:\n    v1\n  Client Config:\n    Ca Bundle:  Q0E=\n    Service:\n      Name:        guard\n      Namespace:   shop\n      Port:        443\n  Failure Policy:  Fail\n  Name:            pods.guard.example\n  Rules:\n    API Groups:\n      \n      apps\n    Operations:\n      CREATE\n    Resources:\n      pods\n  Timeout Seconds:  10\n  Client Config:\n    URL:           https://guard.example/check\n  Failure Policy:  Ignore\n  Name:            other.guard.example\nEvents:            <none>\n',
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      webhooks: [
        { name: 'pods.guard.example', failurePolicy: 'Fail', timeoutSeconds: 10, clientConfig: { service: { name: 'guard', namespace: 'shop', port: 443 } }, rules: [{ apiGroups: ['', 'apps'], operations: ['CREATE'], resources: ['pods'] }] },
        { name: 'other.guard.example', failurePolicy: 'Ignore', clientConfig: { url: 'https://guard.example/check' } },
      ],
    },
  ],
  ['RoleBinding/shop/readers', 'Name:         readers\nLabels:       <none>\nAnnotations:  <none>\nRole:\n  Kind:  Role\n  Name:  reader\nSubjects:\n  Kind            Name  Namespace\n  ----            ----  ---------\n  ServiceAccount  web   shop\n  User            jane  \n', { roleRef: { kind: 'Role', name: 'reader' }, subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'shop' }, { kind: 'User', name: 'jane' }] }],
];

describe('the describe', () => {
  it.each(DESCRIBES)('of %s is the object that it shows', (ref, text, object) => {
    const kind = ref.split('/')[0] ?? '';
    const { objects, notes } = read(`$ kubectl -n shop describe ${kind}\n${text}`);
    expect(notes).toEqual([]);
    expect(objectIn({ ...read(''), objects }, ref)).toMatchObject(object);
  });

  it.each(DESCRIBES)('of %s is known for what it is without a command', (ref, text) => {
    expect(read(`${text}\n`).objects.map(({ kind }) => kind)).toContain(ref.split('/')[0]);
  });

  it('of all objects of a kind is each of them', () => {
    const two = [0, 2].map((index) => (DESCRIBES[index]?.[1] ?? '')).join('\n\n');
    expect(refsIn(read(`$ kubectl -n shop describe deploy,sts\n${two}`))).toEqual(['Deployment/shop/web', 'StatefulSet/shop/db']);
  });

  it('of a controller shows that it has no conditions, unless it was cut before they would stand', () => {
    const [, text = ''] = DESCRIBES[0] ?? [];
    const without = text.replace(/Conditions:[^]*?OldReplicaSets/, 'OldReplicaSets');
    expect(shows(objectIn(read(without), 'Deployment/shop/web'), 'status.conditions')).toBe(true);
    expect(shows(objectIn(read(without.replace(/OldReplicaSets[^]*$/, '')), 'Deployment/shop/web'), 'status.conditions')).toBe(false);
  });

  it('of a Service lists the ready addresses behind it, unless they were cut', () => {
    const [, text = ''] = DESCRIBES[6] ?? [];
    const service = read(text);
    expect(fieldOf(service, 'Endpoints/shop/web', 'subsets')).toEqual([{ addresses: [{ ip: '10.0.1.7' }, { ip: '10.0.2.9' }], ports: [{ name: 'http', port: 8080 }] }]);
    expect(shows(objectIn(service, 'Endpoints/shop/web'), 'subsets.notReadyAddresses')).toBe(false);
    expect(refsIn(read(text.replace('10.0.2.9:8080', '10.0.2.9:8080 + 3 more...')))).toEqual(['Service/shop/web']);
  });
});

describe('the describe of a node', () => {
  const node = read(`$ kubectl describe node worker-1
Name:               worker-1
Roles:              worker
Labels:             disk=ssd
                    kubernetes.io/hostname=worker-1
Annotations:        <none>
CreationTimestamp:  Tue, 10 Nov 2026 12:00:00 +0000
Taints:             dedicated=front:NoSchedule
                    node.kubernetes.io/unreachable:NoExecute
Unschedulable:      true
Lease:
  HolderIdentity:  worker-1
  AcquireTime:     <unset>
  RenewTime:       Fri, 20 Nov 2026 11:58:00 +0000
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------    -----------------                 ------------------                ------              -------
  Ready            Unknown   Fri, 20 Nov 2026 11:57:00 +0000   Fri, 20 Nov 2026 11:59:00 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
Addresses:
  InternalIP:  192.168.0.11
Capacity:
  cpu:     4
  memory:  8Gi
Allocatable:
  cpu:     3900m
  memory:  7Gi
System Info:
  Kubelet Version:            v1.31.2
PodCIDR:                      10.0.1.0/24
Non-terminated Pods:          (2 in total)
  Namespace                   Name       CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
  ---------                   ----       ------------  ----------  ---------------  -------------  ---
  shop                        web-1      250m (6%)     500m (12%)  64Mi (0%)        1Gi (14%)      24h
  kube-system                 proxy-abc  0 (0%)        0 (0%)      0 (0%)           0 (0%)         9d
Allocated resources:
  Resource           Requests   Limits
  --------           --------   ------
  cpu                250m (6%)  500m (12%)
Events:
  Type    Reason        Age   From             Message
  ----    ------        ----  ----             -------
  Normal  NodeNotReady  60s   node-controller  Node worker-1 status is now: NodeNotReady
`);

  it('is the node, with its lease', () => {
    expect(objectIn(node, 'Node/worker-1')).toMatchObject({
      spec: { unschedulable: true, taints: [{ key: 'dedicated', value: 'front', effect: 'NoSchedule' }, { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] },
      status: {
        conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.', lastHeartbeatTime: '2026-11-20T11:57:00Z', lastTransitionTime: '2026-11-20T11:59:00Z' }],
        allocatable: { cpu: '3900m', memory: '7Gi' },
        addresses: [{ type: 'InternalIP', address: '192.168.0.11' }],
        nodeInfo: { kubeletVersion: 'v1.31.2' },
      },
    });
    expect(fieldOf(node, 'Lease/kube-node-lease/worker-1', 'spec.renewTime')).toBe('2026-11-20T11:58:00Z');
  });

  it('tells what runs on it and what that requests, but makes no targets of these pods', async () => {
    expect(refsIn(node)).not.toContain('Pod/kube-system/proxy-abc');
    const on = await node.reader.list('Pod', { fieldSelector: 'spec.nodeName=worker-1' });
    expect(on).toMatchObject({ ok: true, value: [{ metadata: { name: 'web-1', namespace: 'shop' }, spec: { nodeName: 'worker-1', resources: { requests: { cpu: '250m', memory: '64Mi' } } } }, { metadata: { name: 'proxy-abc' } }] });
    expect(on).not.toHaveProperty('partial');
  });

  it('has its events in the namespace default, as the node controller writes them', async () => {
    const events = await node.reader.list('Event', { namespace: 'default', fieldSelector: 'involvedObject.kind=Node,involvedObject.name=worker-1' });
    expect(events).toMatchObject({ ok: true, value: [{ reason: 'NodeNotReady', involvedObject: { kind: 'Node', name: 'worker-1' } }] });
    expect(events).not.toHaveProperty('partial');
  });
});
