/** Hand-written in the layouts of kubectl 1.18 to 1.36, with the object each stands for. */
export const OTHERS: readonly (readonly [ref: string, text: string, object: object])[] = [
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
        ports: [
          { name: 'http', port: 80, protocol: 'TCP', targetPort: 'web', nodePort: 30080 },
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353, nodePort: 30053 },
        ],
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
    {
      subsets: [
        {
          addresses: [{ ip: '10.0.1.7' }],
          notReadyAddresses: [{ ip: '10.0.2.9' }, { ip: '10.0.2.10' }],
          ports: [
            { name: 'http', port: 8080, protocol: 'TCP' },
            { port: 9090, protocol: 'UDP' },
          ],
        },
      ],
    },
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
      endpoints: [
        {
          addresses: ['10.0.1.7'],
          conditions: { ready: true },
          targetRef: { kind: 'Pod', name: 'web-1' },
          nodeName: 'worker-1',
          zone: 'a',
        },
        { addresses: ['10.0.2.9'], conditions: { ready: false } },
      ],
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
    {
      metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
      spec: { storageClassName: 'fast', volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
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
              {
                matchExpressions: [
                  { key: 'kubernetes.io/hostname', operator: 'In', values: ['worker-1', 'worker-2'] },
                  { key: 'zone', operator: 'NotIn', values: ['c'] },
                ],
              },
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
    {
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'disk.example',
      parameters: { type: 'ssd' },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
    },
  ],
  [
    'ResourceQuota/shop/team',
    'Name:            team\nNamespace:       shop\nResource         Used   Hard\n--------         ----   ----\npods             3      5\nrequests.cpu     1500m  2\n',
    { spec: { hard: { pods: '5', 'requests.cpu': '2' } }, status: { used: { pods: '3', 'requests.cpu': '1500m' } } },
  ],
  [
    'LimitRange/shop/limits',
    'Name:       limits\nNamespace:  shop\nType        Resource  Min   Max  Default Request  Default Limit  Max Limit/Request Ratio\n----        --------  ---   ---  ---------------  -------------  -----------------------\nContainer   cpu       100m  2    200m             500m           -\nContainer   memory    -     1Gi  -                -              -\nPod         cpu       -     4    -                -              -\n',
    {
      spec: {
        limits: [
          {
            type: 'Container',
            min: { cpu: '100m' },
            max: { cpu: '2', memory: '1Gi' },
            defaultRequest: { cpu: '200m' },
            default: { cpu: '500m' },
          },
          { type: 'Pod', max: { cpu: '4' } },
        ],
      },
    },
  ],
  [
    'ServiceAccount/shop/web',
    'Name:                web\nNamespace:           shop\nLabels:              <none>\nAnnotations:         <none>\nImage pull secrets:  registry\n                     other (not found)\nMountable secrets:   <none>\nTokens:              <none>\nEvents:              <none>\n',
    { imagePullSecrets: [{ name: 'registry' }, { name: 'other' }], secrets: [] },
  ],
  [
    'ConfigMap/shop/web-conf',
    'Name:         web-conf\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\n\nData\n====\nweb.toml:\n----\nName: other\n\n[server]\nport: 8080\n\nmode:\n----\nfast\n\nBinaryData\n====\nlogo.png: 12 bytes\n\nEvents:  <none>\n',
    {
      metadata: { name: 'web-conf' },
      data: { 'web.toml': 'Name: other\n\n[server]\nport: 8080', mode: 'fast' },
      binaryData: { 'logo.png': '' },
    },
  ],
  [
    'Secret/shop/db',
    'Name:         db\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\n\nType:  Opaque\n\nData\n====\npassword:  9 bytes\nuser:      2 bytes\n',
    { type: 'Opaque', data: { password: '', user: '' } },
  ],
  [
    'Namespace/shop',
    'Name:         shop\nLabels:       pod-security.kubernetes.io/enforce=restricted\nAnnotations:  <none>\nStatus:       Active\n\nNo resource quota.\n\nNo LimitRange resource.\n',
    { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } }, status: { phase: 'Active' } },
  ],
  [
    'Ingress/shop/web',
    'Name:             web\nLabels:           <none>\nNamespace:        shop\nAddress:          192.0.2.7\nIngress Class:    nginx\nDefault backend:  <default>\nTLS:\n  web-tls terminates shop.example,www.shop.example\nRules:\n  Host          Path  Backends\n  ----          ----  --------\n  shop.example  \n                /      web:http (10.0.1.7:8080)\n                /api   api:81 (<error: services "api" not found>)\nAnnotations:    <none>\nEvents:         <none>\n',
    {
      spec: {
        ingressClassName: 'nginx',
        tls: [{ secretName: 'web-tls', hosts: ['shop.example', 'www.shop.example'] }],
        rules: [
          {
            host: 'shop.example',
            http: {
              paths: [
                { path: '/', backend: { service: { name: 'web', port: { name: 'http' } } } },
                { path: '/api', backend: { service: { name: 'api', port: { number: 81 } } } },
              ],
            },
          },
        ],
      },
    },
  ],
  [
    'HorizontalPodAutoscaler/shop/web',
    'Name:                     web\nNamespace:                shop\nLabels:                   <none>\nAnnotations:              <none>\nCreationTimestamp:        Fri, 20 Nov 2026 11:00:00 +0000\nReference:                Deployment/web\nMetrics:                  ( current / target )\n  resource cpu on pods:   <unknown> / 80%\nMin replicas:             1\nMax replicas:             5\nDeployment pods:          1 current / 3 desired\nConditions:\n  Type           Status  Reason                   Message\n  ----           ------  ------                   -------\n  ScalingActive  False   FailedGetResourceMetric  the HPA was unable to compute the replica count\nEvents:          <none>\n',
    {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 1, maxReplicas: 5 },
      status: {
        currentReplicas: 1,
        desiredReplicas: 3,
        conditions: [
          {
            type: 'ScalingActive',
            status: 'False',
            reason: 'FailedGetResourceMetric',
            message: 'the HPA was unable to compute the replica count',
          },
        ],
      },
    },
  ],
  [
    'PodDisruptionBudget/shop/web',
    'Name:           web\nNamespace:      shop\nMin available:  50%\nSelector:       app=web\nStatus:\n    Allowed disruptions:  0\n    Current:              1\n    Desired:              2\n    Total:                3\nEvents:                   <none>\n',
    {
      spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, expectedPods: 3 },
    },
  ],
  [
    'NetworkPolicy/shop/front',
    'Name:         front\nNamespace:    shop\nCreated on:   2026-11-20 11:00:00 +0000 UTC\nLabels:       <none>\nAnnotations:  <none>\nSpec:\n  PodSelector:     app=web\n  Allowing ingress traffic:\n    To Port: 8080/TCP\n    From:\n      PodSelector: role=proxy\n    From:\n      NamespaceSelector: team=front\n      PodSelector: app=test\n    ----------\n    To Port: <any> (traffic allowed to all ports)\n    From:\n      IPBlock:\n        CIDR: 10.0.0.0/8\n        Except: 10.1.0.0/16\n  Allowing egress traffic:\n    <none> (Selected pods are isolated for egress connectivity)\n  Policy Types: Ingress, Egress\n',
    {
      spec: {
        podSelector: { matchLabels: { app: 'web' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            ports: [{ port: 8080, protocol: 'TCP' }],
            from: [
              { podSelector: { matchLabels: { role: 'proxy' } } },
              { namespaceSelector: { matchLabels: { team: 'front' } }, podSelector: { matchLabels: { app: 'test' } } },
            ],
          },
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
        {
          name: 'pods.guard.example',
          failurePolicy: 'Fail',
          timeoutSeconds: 10,
          clientConfig: { service: { name: 'guard', namespace: 'shop', port: 443 } },
          rules: [{ apiGroups: ['', 'apps'], operations: ['CREATE'], resources: ['pods'] }],
        },
        { name: 'other.guard.example', failurePolicy: 'Ignore', clientConfig: { url: 'https://guard.example/check' } },
      ],
    },
  ],
  [
    'RoleBinding/shop/readers',
    'Name:         readers\nLabels:       <none>\nAnnotations:  <none>\nRole:\n  Kind:  Role\n  Name:  reader\nSubjects:\n  Kind            Name  Namespace\n  ----            ----  ---------\n  ServiceAccount  web   shop\n  User            jane  \n',
    {
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [
        { kind: 'ServiceAccount', name: 'web', namespace: 'shop' },
        { kind: 'User', name: 'jane' },
      ],
    },
  ],
];
