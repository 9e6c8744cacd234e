import { describe, expect, it } from 'vitest';
import { shows } from '../../../src/model/kube-object.ts';
import { eventsIn, fieldOf, objectIn, read } from '../../support/transcripts.ts';

const NEW_LAYOUT = `Name:                 web-6d4b75cb6d-hx7bk
Namespace:            shop
Priority:             1000
Priority Class Name:  front
Runtime Class Name:   gvisor
Service Account:      web
Node:                 worker-1/192.168.0.11
Start Time:           Fri, 20 Nov 2026 13:40:00 +0200
Labels:               app=web
                      pod-template-hash=6d4b75cb6d
Annotations:          shop.example/owner: front team
                      shop.example/story:
                        once upon
                        a time: there was
Status:               Running
IP:                   10.0.1.7
IPs:
  IP:           10.0.1.7
  IP:           fd00::7
Controlled By:  ReplicaSet/web-6d4b75cb6d
Init Containers:
  migrate:
    Container ID:  containerd://a1
    Image:         registry.example/migrate:1
    Image ID:      registry.example/migrate@sha256:a1
    Port:          <none>
    Host Port:     <none>
    Command:
      migrate
      --to: latest
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Fri, 20 Nov 2026 13:40:01 +0200
      Finished:     Fri, 20 Nov 2026 13:40:02 +0200
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
  mesh:
    Container ID:   containerd://b2
    Image:          registry.example/mesh:1
    Image ID:       registry.example/mesh@sha256:b2
    Port:           15090/TCP (metrics)
    Host Port:      0/TCP (metrics)
    State:          Running
      Started:      Fri, 20 Nov 2026 13:40:03 +0200
    Ready:          True
    Restart Count:  0
    Environment:    <none>
    Mounts:         <none>
Containers:
  web:
    Container ID:  containerd://c3
    Image:         registry.example/web:1.4
    Image ID:      registry.example/web@sha256:c3
    Ports:         8080/TCP (http), 9090/UDP
    Host Ports:    0/TCP (http), 19090/UDP
    Command:
      sh
      -c
    Args:
      exec web --listen :8080
    State:       Waiting
      Reason:    CrashLoopBackOff
    Last State:  Terminated
      Reason:    Error
      Message:   cannot open: catalogue
Error: no such file

giving up
      Exit Code:    137
      Signal:       9
      Started:      Fri, 20 Nov 2026 13:50:00 +0200
      Finished:     Fri, 20 Nov 2026 13:50:09 +0200
    Ready:          False
    Restart Count:  6
    Limits:
      memory:          128Mi
      nvidia.com/gpu:  1
    Requests:
      cpu:      100m
      memory:   128Mi
    Liveness:   http-get http://:http/healthz delay=5s timeout=1s period=10s #success=1 #failure=3
    Readiness:  tcp-socket :8080 delay=0s timeout=2s period=5s #success=1 #failure=3
    Startup:    exec [cat /tmp/ready] delay=0s timeout=1s period=10s #success=1 #failure=30
    Environment Variables from:
      web-conf  ConfigMap with prefix 'WEB_'  Optional: false
      web-keys  Secret                        Optional: true
    Environment:
      MODE:      front: fast
      EMPTY:     
      STORY:     one
                 two: three
      DB_PASS:   <set to the key 'password' in secret 'db'>      Optional: false
      DB_HOST:   <set to the key 'host' of config map 'db-conf'>  Optional: true
      POD_NAME:  web-6d4b75cb6d-hx7bk (v1:metadata.name)
      CPUS:      1 (requests.cpu)
    Mounts:
      /data from data (rw)
      /etc/web from conf (ro,path="web.toml")
Readiness Gates:
  Type                    Status
  shop.example/warmed     <none> 
Conditions:
  Type              Status
  Initialized       True 
  Ready             False 
  ContainersReady   False 
  PodScheduled      True 
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data
    ReadOnly:   false
  conf:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      web-conf
    Optional:  false
  token:
    Type:                    Projected (a volume that contains injected data from multiple sources)
    TokenExpirationSeconds:  3607
    ConfigMapName:           kube-root-ca.crt
    ConfigMapOptional:       <nil>
    DownwardAPI:             true
QoS Class:                   Burstable
Node-Selectors:              disk=ssd
                             zone=a
Tolerations:                 dedicated=front:NoSchedule
                             node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
                             op=Exists
Topology Spread Constraints: zone:DoNotSchedule when max skew 1 is exceeded for selector app=web
Events:
  Type     Reason     Age                   From               Message
  ----     ------     ----                  ----               -------
  Normal   Scheduled  20m                   default-scheduler  Successfully assigned shop/web-6d4b75cb6d-hx7bk to worker-1
  Warning  BackOff    30s (x60 over 19m)    kubelet            spec.containers{web}: Back-off restarting failed container web
  Warning  Unhealthy  5m                    kubelet            Readiness probe failed: first
second: line
`;

describe('the describe of a pod', () => {
  const pod = read(NEW_LAYOUT);
  const ref = 'Pod/shop/web-6d4b75cb6d-hx7bk';

  it('is the pod with everything that is printed', () => {
    const { apiVersion, kind, metadata, spec, status } = objectIn(pod, ref);
    expect({ apiVersion, kind, metadata }).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web-6d4b75cb6d-hx7bk',
        namespace: 'shop',
        labels: { app: 'web', 'pod-template-hash': '6d4b75cb6d' },
        annotations: { 'shop.example/owner': 'front team', 'shop.example/story': 'once upon\na time: there was' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-6d4b75cb6d', controller: true }],
      },
    });
    expect(spec).toEqual({
      priority: 1000,
      priorityClassName: 'front',
      runtimeClassName: 'gvisor',
      serviceAccountName: 'web',
      nodeName: 'worker-1',
      initContainers: [
        { name: 'migrate', image: 'registry.example/migrate:1', command: ['migrate', '--to: latest'], resources: {} },
        {
          name: 'mesh',
          image: 'registry.example/mesh:1',
          ports: [{ name: 'metrics', containerPort: 15090, protocol: 'TCP' }],
          resources: {},
          restartPolicy: 'Always',
        },
      ],
      containers: [
        {
          name: 'web',
          image: 'registry.example/web:1.4',
          ports: [
            { name: 'http', containerPort: 8080, protocol: 'TCP' },
            { containerPort: 9090, hostPort: 19090, protocol: 'UDP' },
          ],
          command: ['sh', '-c'],
          args: ['exec web --listen :8080'],
          resources: { limits: { memory: '128Mi', 'nvidia.com/gpu': '1' }, requests: { cpu: '100m', memory: '128Mi' } },
          livenessProbe: {
            httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
            initialDelaySeconds: 5,
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          readinessProbe: { tcpSocket: { port: 8080 }, timeoutSeconds: 2, periodSeconds: 5, successThreshold: 1, failureThreshold: 3 },
          startupProbe: {
            exec: { command: ['cat', '/tmp/ready'] },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 30,
          },
          envFrom: [
            { prefix: 'WEB_', configMapRef: { name: 'web-conf', optional: false } },
            { secretRef: { name: 'web-keys', optional: true } },
          ],
          env: [
            { name: 'MODE', value: 'front: fast' },
            { name: 'EMPTY' },
            { name: 'STORY', value: 'one\ntwo: three' },
            { name: 'DB_PASS', valueFrom: { secretKeyRef: { name: 'db', key: 'password', optional: false } } },
            { name: 'DB_HOST', valueFrom: { configMapKeyRef: { name: 'db-conf', key: 'host', optional: true } } },
            { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
            { name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'requests.cpu' } } },
          ],
          volumeMounts: [
            { name: 'data', mountPath: '/data' },
            { name: 'conf', mountPath: '/etc/web', readOnly: true, subPath: 'web.toml' },
          ],
        },
      ],
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'conf', configMap: { name: 'web-conf', optional: false } },
        {
          name: 'token',
          projected: {
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607 } },
              { configMap: { name: 'kube-root-ca.crt', optional: false } },
              { downwardAPI: {} },
            ],
          },
        },
      ],
      readinessGates: [{ conditionType: 'shop.example/warmed' }],
      nodeSelector: { disk: 'ssd', zone: 'a' },
      tolerations: [
        { key: 'dedicated', operator: 'Equal', value: 'front', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { operator: 'Exists' },
      ],
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    });
    expect(status).toEqual({
      phase: 'Running',
      startTime: '2026-11-20T11:40:00Z',
      hostIP: '192.168.0.11',
      podIP: '10.0.1.7',
      podIPs: [{ ip: '10.0.1.7' }, { ip: 'fd00::7' }],
      qosClass: 'Burstable',
      conditions: [
        { type: 'Initialized', status: 'True' },
        { type: 'Ready', status: 'False' },
        { type: 'ContainersReady', status: 'False' },
        { type: 'PodScheduled', status: 'True' },
      ],
      initContainerStatuses: [
        {
          name: 'migrate',
          containerID: 'containerd://a1',
          imageID: 'registry.example/migrate@sha256:a1',
          ready: true,
          restartCount: 0,
          state: {
            terminated: { reason: 'Completed', exitCode: 0, startedAt: '2026-11-20T11:40:01Z', finishedAt: '2026-11-20T11:40:02Z' },
          },
          lastState: {},
        },
        {
          name: 'mesh',
          containerID: 'containerd://b2',
          imageID: 'registry.example/mesh@sha256:b2',
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: '2026-11-20T11:40:03Z' } },
          lastState: {},
        },
      ],
      containerStatuses: [
        {
          name: 'web',
          containerID: 'containerd://c3',
          imageID: 'registry.example/web@sha256:c3',
          ready: false,
          restartCount: 6,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: {
            terminated: {
              reason: 'Error',
              message: 'cannot open: catalogue\nError: no such file\n\ngiving up',
              exitCode: 137,
              signal: 9,
              startedAt: '2026-11-20T11:50:00Z',
              finishedAt: '2026-11-20T11:50:09Z',
            },
          },
        },
      ],
    });
  });

  it('shows what is not set, and does not claim what is never printed', () => {
    const object = objectIn(pod, ref);
    for (const path of [
      'status.reason',
      'status.nominatedNodeName',
      'metadata.deletionTimestamp',
      'spec.ephemeralContainers',
      'spec.containers.livenessProbe',
      'spec.containers.ports.name',
      'status.conditions.status',
      'spec.volumes.configMap.optional',
    ]) {
      expect(shows(object, path), path).toBe(true);
    }
    const unseen = [
      'spec.affinity',
      'spec.securityContext',
      'spec.imagePullSecrets',
      'spec.restartPolicy',
      'spec.hostNetwork',
      'spec.schedulingGates',
      'spec.containers.imagePullPolicy',
      'spec.containers.securityContext',
      'spec.containers.lifecycle',
      'status.conditions.message',
      'status.conditions.lastTransitionTime',
      'status.containerStatuses.state.waiting.message',
      'metadata.uid',
      'metadata.creationTimestamp',
      'spec.volumes.secret.defaultMode',
    ];
    for (const path of unseen) expect(shows(object, path), path).toBe(false);
  });

  it('has its events, with all lines of their messages', () => {
    expect(eventsIn(pod)).toEqual([
      'Normal Scheduled x1 Pod/shop/web-6d4b75cb6d-hx7bk: Successfully assigned shop/web-6d4b75cb6d-hx7bk to worker-1',
      'Warning BackOff x60 Pod/shop/web-6d4b75cb6d-hx7bk: Back-off restarting failed container web',
      'Warning Unhealthy x1 Pod/shop/web-6d4b75cb6d-hx7bk: Readiness probe failed: first\nsecond: line',
    ]);
    const backOff = pod.objects.find((object) => object['reason'] === 'BackOff');
    expect(backOff).toMatchObject({
      involvedObject: { fieldPath: 'spec.containers{web}' },
      firstTimestamp: '2026-11-20T11:41:00Z',
      lastTimestamp: '2026-11-20T11:59:30Z',
      source: { component: 'kubelet' },
    });
    expect(pod.evidence.collected).toContainEqual({
      kind: 'Event',
      namespace: 'shop',
      complete: true,
      about: { kind: 'Pod', namespace: 'shop', name: 'web-6d4b75cb6d-hx7bk' },
    });
  });

  it('tells the time: the start of the pod and the age of its Scheduled event', () => {
    expect(pod.evidence.now).toBe(Date.parse('2026-11-20T12:00:00Z'));
    expect(read(NEW_LAYOUT, { now: Date.parse('2026-11-20T13:00:00Z') }).evidence.now).toBe(Date.parse('2026-11-20T13:00:00Z'));
  });
});

describe('the describe of a pod by an older kubectl', () => {
  const old = read(`Name:         web-1
Namespace:    shop
Priority:     0
Node:         <none>
Labels:       app=web
Annotations:  <none>
Status:       Pending
IP:           
IPs:          <none>
Containers:
  web:
    Image:      registry.example/web:1.4
    Port:       8080/TCP
    Host Port:  0/TCP
    Environment:  <none>
    Mounts:
      /var/run/secrets/kubernetes.io/serviceaccount from default-token-x7k2p (ro)
Conditions:
  Type           Status
  PodScheduled   False 
Volumes:
  default-token-x7k2p:
    Type:        Secret (a volume populated by a Secret)
    SecretName:  default-token-x7k2p
    Optional:    false
QoS Class:       BestEffort
Node-Selectors:  <none>
Tolerations:     node.kubernetes.io/not-ready:NoExecute for 300s
Events:
  Type     Reason            Age        From               Message
  ----     ------            ----       ----               -------
  Warning  FailedScheduling  <unknown>  default-scheduler  0/3 nodes are available: 3 Insufficient cpu.
  Normal   Pulled            2m         kubelet, worker-1  Container image already present
`);
  const object = objectIn(old, 'Pod/shop/web-1');

  it('shows that it is bound to no node and has no container statuses', () => {
    expect(object['spec']).not.toHaveProperty('nodeName');
    expect([shows(object, 'spec.nodeName'), shows(object, 'status.containerStatuses'), shows(object, 'metadata.ownerReferences')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(object['status']).toEqual({
      phase: 'Pending',
      podIPs: [],
      qosClass: 'BestEffort',
      conditions: [{ type: 'PodScheduled', status: 'False' }],
    });
  });

  it('does not show the service account, nor names of ports', () => {
    expect([
      shows(object, 'spec.serviceAccountName'),
      shows(object, 'spec.containers.ports.name'),
      shows(object, 'spec.containers.ports.containerPort'),
    ]).toEqual([false, false, true]);
  });

  it('has events without an age, and events whose source names the node', () => {
    const [scheduling, pulled] = old.objects.filter(({ kind }) => kind === 'Event');
    expect(scheduling).not.toHaveProperty('lastTimestamp');
    expect(pulled).toMatchObject({ source: { component: 'kubelet', host: 'worker-1' }, lastTimestamp: '2026-11-20T11:58:00Z' });
  });
});

describe('a describe that is not all there', () => {
  const lines = NEW_LAYOUT.split('\n');
  const upTo = (mark: string): string => lines.slice(0, lines.findIndex((line) => line.includes(mark)) + 1).join('\n');

  it('claims nothing about the list it breaks off in', () => {
    const cut = objectIn(read(upTo('Restart Count:  6')), 'Pod/shop/web-6d4b75cb6d-hx7bk');
    expect(fieldOf(read(upTo('Restart Count:  6')), 'Pod/shop/web-6d4b75cb6d-hx7bk', 'status.containerStatuses.0.restartCount')).toBe(6);
    expect([
      shows(cut, 'spec.containers.env'),
      shows(cut, 'spec.initContainers.env'),
      shows(cut, 'status.conditions.status'),
      shows(cut, 'spec.volumes.name'),
      shows(cut, 'spec.tolerations'),
    ]).toEqual([false, true, false, false, false]);
  });

  it('does not say that there are no events', () => {
    expect(read(upTo('Tolerations:')).evidence.collected).toEqual([]);
    expect(read(`${upTo('Tolerations:')}\nEvents:          <none>\n`).evidence.collected).toHaveLength(1);
  });

  it('of only a few lines is still a pod', () => {
    expect(fieldOf(read(upTo('Start Time')), 'Pod/shop/web-6d4b75cb6d-hx7bk', 'spec')).toEqual({
      priority: 1000,
      priorityClassName: 'front',
      runtimeClassName: 'gvisor',
      serviceAccountName: 'web',
      nodeName: 'worker-1',
    });
  });
});

describe('a pod being deleted', () => {
  it('has its deletion counted back from when it was printed', () => {
    const dying = read(
      '$ kubectl describe pod web-1 -n shop\nName:                      web-1\nNamespace:                 shop\nNode:                      worker-1/10.0.0.1\nStatus:                    Terminating (lasts 5m)\nTermination Grace Period:  30s\nIP:                        10.0.1.7\nContainers:\n  web:\n    Image:  web:1\nVolumes:  <none>\nEvents:   <none>\n',
    );
    expect(fieldOf(dying, 'Pod/shop/web-1', 'metadata')).toMatchObject({
      deletionTimestamp: '2026-11-20T11:55:00Z',
      deletionGracePeriodSeconds: 30,
    });
  });
});
