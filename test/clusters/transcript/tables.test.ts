import { describe, expect, it } from 'vitest';
import { shows } from '../../../src/model/kube-object.ts';
import { fieldOf, objectIn, read, refsIn } from '../../support/transcripts.ts';

describe('a table of pods', () => {
  const table = read(`$ kubectl get pods -n shop -o wide
NAME                   READY   STATUS             RESTARTS      AGE    IP           NODE       NOMINATED NODE   READINESS GATES
web-6d4b75cb6d-hx7bk   0/1     CrashLoopBackOff   4 (85s ago)   10m    10.0.1.7     worker-1   <none>           <none>
web-6d4b75cb6d-zk2lw   1/1     Running            0             2d3h   10.0.2.9     worker-2   <none>           <none>
db-0                   0/2     Pending            0             5s     <none>       <none>     <none>           <none>
old-1                  1/1     Terminating        0             9d     10.0.1.1     worker-1   <none>           <none>
job-x7k2p              0/1     Evicted            0             3h     <none>       worker-2   <none>           <none>
`);

  it('shows phase, node, address and readiness, and that they are not set', () => {
    expect(fieldOf(table, 'Pod/shop/web-6d4b75cb6d-zk2lw', 'status')).toEqual({
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      podIP: '10.0.2.9',
    });
    expect(fieldOf(table, 'Pod/shop/db-0', 'status')).toEqual({ phase: 'Pending', conditions: [{ type: 'Ready', status: 'False' }] });
    const pending = objectIn(table, 'Pod/shop/db-0');
    expect(pending['spec']).toBeUndefined();
    expect([shows(pending, 'spec.nodeName'), shows(pending, 'status.podIP')]).toEqual([true, true]);
  });

  it('shows nothing of what has no column', () => {
    const pod = objectIn(table, 'Pod/shop/web-6d4b75cb6d-zk2lw');
    for (const path of ['spec.containers', 'status.conditions', 'status.containerStatuses', 'metadata.labels', 'spec.tolerations'])
      expect(shows(pod, path), path).toBe(false);
  });

  it('takes the ReplicaSet from the name of its pod, and no other owner', () => {
    expect(fieldOf(table, 'Pod/shop/web-6d4b75cb6d-zk2lw', 'metadata.ownerReferences')).toMatchObject([
      { kind: 'ReplicaSet', name: 'web-6d4b75cb6d', controller: true },
    ]);
    const others = read(
      '$ kubectl get pods -n shop\nNAME    READY   STATUS    RESTARTS   AGE\nimport-28391234-x7k2p   0/1     Error   0   1m\ndb-0   0/1     Error   0   1m\n',
    );
    for (const pod of ['Pod/shop/import-28391234-x7k2p', 'Pod/shop/db-0', 'Pod/shop/job-x7k2p'])
      expect(shows(objectIn(pod.includes('job') ? table : others, pod), 'metadata.ownerReferences'), pod).toBe(false);
  });

  it('keeps the word of STATUS as the reason where it is no phase', () => {
    expect(fieldOf(table, 'Pod/shop/web-6d4b75cb6d-hx7bk', 'status')).toMatchObject({ phase: 'Running', reason: 'CrashLoopBackOff' });
    expect(fieldOf(table, 'Pod/shop/job-x7k2p', 'status')).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
  });

  it('says of gated pods what their condition says', () => {
    const gated = read(
      '$ kubectl get pods -n shop\nNAME    READY   STATUS            RESTARTS   AGE\nweb-1   0/1     SchedulingGated   0          1m\n',
    );
    expect(fieldOf(gated, 'Pod/shop/web-1', 'status.conditions')).toEqual([
      { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' },
      { type: 'Ready', status: 'False' },
    ]);
  });

  it('shows which pods are being deleted', () => {
    expect(fieldOf(table, 'Pod/shop/old-1', 'metadata.deletionTimestamp')).toBe('2026-11-20T12:00:00Z');
    expect(shows(objectIn(table, 'Pod/shop/db-0'), 'metadata.deletionTimestamp')).toBe(true);
  });

  it('counts ages back from when it was printed', () => {
    expect(fieldOf(table, 'Pod/shop/web-6d4b75cb6d-hx7bk', 'metadata.creationTimestamp')).toBe('2026-11-20T11:50:00Z');
    expect(fieldOf(table, 'Pod/shop/web-6d4b75cb6d-zk2lw', 'metadata.creationTimestamp')).toBe('2026-11-18T09:00:00Z');
  });

  it('shows labels when it was asked to', () => {
    const labelled = read(
      '$ kubectl get pods -n shop --show-labels\nNAME    READY   STATUS    RESTARTS   AGE   LABELS\nweb-1   1/1     Running   0          1m    app=web,tier=front\nweb-2   1/1     Running   0          1m    <none>\n',
    );
    expect(fieldOf(labelled, 'Pod/shop/web-1', 'metadata.labels')).toEqual({ app: 'web', tier: 'front' });
    expect(shows(objectIn(labelled, 'Pod/shop/web-2'), 'metadata.labels')).toBe(true);
  });

  it('may be of all namespaces', () => {
    expect(
      refsIn(
        read(
          '$ kubectl get po -A\nNAMESPACE   NAME    READY   STATUS    RESTARTS   AGE\nshop        web-1   1/1     Running   0          1m\nstock       web-1   1/1     Running   0          1m\n',
        ),
      ),
    ).toEqual(['Pod/shop/web-1', 'Pod/stock/web-1']);
  });

  it('may have lost its alignment, or its last columns', () => {
    const squeezed = read('$ kubectl get pods -n shop\nNAME READY STATUS RESTARTS AGE\nweb-1 0/1 ImagePullBackOff 3 (10s ago) 5m\n');
    expect(fieldOf(squeezed, 'Pod/shop/web-1', 'status')).toMatchObject({ phase: 'Pending', reason: 'ImagePullBackOff' });
    expect(fieldOf(squeezed, 'Pod/shop/web-1', 'metadata.creationTimestamp')).toBe('2026-11-20T11:55:00Z');
    const cut = read(
      '$ kubectl get pods -n shop -o wide\nNAME    READY   STATUS    RESTARTS   AGE   IP\nweb-1   1/1     Running   0          1m    10.0.\n',
    );
    expect(shows(objectIn(cut, 'Pod/shop/web-1'), 'spec.nodeName')).toBe(false);
  });

  it('may be parted by tabs', () => {
    expect(
      fieldOf(
        read('$ kubectl get pods -n shop\nNAME\tREADY\tSTATUS\tRESTARTS\tAGE\nweb-1\t1/1\tRunning\t0\t1m\n'),
        'Pod/shop/web-1',
        'status.phase',
      ),
    ).toBe('Running');
  });
});

describe('get all', () => {
  it('is several tables, whose names tell the kinds', () => {
    const all = read(`$ kubectl get all -n shop
NAME                       READY   STATUS    RESTARTS   AGE
pod/web-6d4b75cb6d-hx7bk   1/1     Running   0          10m

NAME          TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)           AGE
service/web   NodePort    10.96.0.10   <none>        80:30080/TCP      10m

NAME                  READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/web   1/3     2            1           10m

NAME                             DESIRED   CURRENT   READY   AGE
replicaset.apps/web-6d4b75cb6d   3         2         1       10m
`);
    expect(refsIn(all)).toEqual([
      'Deployment/shop/web',
      'Pod/shop/web-6d4b75cb6d-hx7bk',
      'ReplicaSet/shop/web-6d4b75cb6d',
      'Service/shop/web',
    ]);
    expect(fieldOf(all, 'Deployment/shop/web', 'status')).toEqual({ readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 });
    expect(fieldOf(all, 'Deployment/shop/web', 'spec.replicas')).toBe(3);
    expect(fieldOf(all, 'ReplicaSet/shop/web-6d4b75cb6d', 'status')).toEqual({ replicas: 2, readyReplicas: 1 });
    expect(fieldOf(all, 'ReplicaSet/shop/web-6d4b75cb6d', 'metadata.ownerReferences')).toMatchObject([{ kind: 'Deployment', name: 'web' }]);
    expect(fieldOf(all, 'Service/shop/web', 'spec')).toEqual({
      type: 'NodePort',
      clusterIP: '10.96.0.10',
      ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }],
    });
    expect(all.evidence.collected).toContainEqual({ kind: 'Job', namespace: 'shop', complete: true });
  });
});

describe('a row of another kind', () => {
  it.each([
    [
      'deployments',
      'NAME   READY   UP-TO-DATE   AVAILABLE   AGE   CONTAINERS   IMAGES        SELECTOR\nweb    1/1     1            1           1m    web,proxy    web:1,envoy:2   app=web',
      'Deployment/shop/web',
      {
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'web', image: 'web:1' },
                { name: 'proxy', image: 'envoy:2' },
              ],
            },
          },
          selector: { matchLabels: { app: 'web' } },
        },
      },
    ],
    [
      'statefulsets',
      'NAME   READY   AGE\ndb     1/3     1m',
      'StatefulSet/shop/db',
      { spec: { replicas: 3 }, status: { readyReplicas: 1 } },
    ],
    [
      'daemonsets',
      'NAME    DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR   AGE\nagent   3         2         1       2            1           disk=ssd        1m',
      'DaemonSet/shop/agent',
      {
        status: { desiredNumberScheduled: 3, currentNumberScheduled: 2, numberReady: 1, updatedNumberScheduled: 2, numberAvailable: 1 },
        spec: { template: { spec: { nodeSelector: { disk: 'ssd' } } } },
      },
    ],
    [
      'jobs',
      'NAME     STATUS     COMPLETIONS   DURATION   AGE\nimport   Failed     0/1           5m         5m',
      'Job/shop/import',
      { spec: { completions: 1 }, status: { succeeded: 0, conditions: [{ type: 'Failed', status: 'True' }] } },
    ],
    [
      'cronjobs',
      'NAME     SCHEDULE      TIMEZONE   SUSPEND   ACTIVE   LAST SCHEDULE   AGE\nreport   */5 * * * *   <none>     True      1        2m              9d',
      'CronJob/shop/report',
      { spec: { schedule: '*/5 * * * *', suspend: true }, status: { active: [{}], lastScheduleTime: '2026-11-20T11:58:00Z' } },
    ],
    [
      'svc',
      'NAME   TYPE           CLUSTER-IP    EXTERNAL-IP   PORT(S)        AGE   SELECTOR\nweb    LoadBalancer   10.96.0.10    <pending>     80:30080/TCP,53/UDP   1m    app=web',
      'Service/shop/web',
      {
        spec: {
          selector: { app: 'web' },
          ports: [
            { port: 80, nodePort: 30080, protocol: 'TCP' },
            { port: 53, protocol: 'UDP' },
          ],
        },
        status: { loadBalancer: { ingress: [] } },
      },
    ],
    [
      'ep',
      'NAME   ENDPOINTS                     AGE\nweb    10.0.1.7:80,10.0.2.9:80       1m',
      'Endpoints/shop/web',
      { subsets: [{ addresses: [{ ip: '10.0.1.7' }, { ip: '10.0.2.9' }], ports: [{ port: 80 }] }] },
    ],
    [
      'endpointslices',
      'NAME        ADDRESSTYPE   PORTS   ENDPOINTS            AGE\nweb-x7k2p   IPv4          8080    10.0.1.7,10.0.2.9    1m',
      'EndpointSlice/shop/web-x7k2p',
      { addressType: 'IPv4', ports: [{ port: 8080 }], endpoints: [{ addresses: ['10.0.1.7'] }, { addresses: ['10.0.2.9'] }] },
    ],
    [
      'nodes',
      'NAME       STATUS                        ROLES    AGE   VERSION   INTERNAL-IP\nworker-1   NotReady,SchedulingDisabled   <none>   9d    v1.31.2   192.168.0.11',
      'Node/worker-1',
      {
        spec: { unschedulable: true },
        status: { conditions: [{ type: 'Ready', status: 'False' }], addresses: [{ type: 'InternalIP', address: '192.168.0.11' }] },
      },
    ],
    [
      'pvc',
      'NAME   STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   VOLUMEATTRIBUTESCLASS   AGE\ndata   Pending                                     fast           <unset>                 1m',
      'PersistentVolumeClaim/shop/data',
      { spec: { storageClassName: 'fast' }, status: { phase: 'Pending' } },
    ],
    [
      'pv',
      'NAME   CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS   CLAIM       STORAGECLASS   REASON   AGE\npv-1   5Gi        RWO,ROX        Retain           Bound    shop/data                           1m',
      'PersistentVolume/pv-1',
      {
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
          claimRef: { namespace: 'shop', name: 'data' },
        },
        status: { phase: 'Bound' },
      },
    ],
    [
      'sc',
      'NAME             PROVISIONER   RECLAIMPOLICY   VOLUMEBINDINGMODE      ALLOWVOLUMEEXPANSION   AGE\nfast (default)   disk.example  Delete          WaitForFirstConsumer   true                   1m',
      'StorageClass/fast',
      {
        provisioner: 'disk.example',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowVolumeExpansion: true,
        metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      },
    ],
    [
      'quota',
      'NAME   AGE   REQUEST                              LIMIT\nteam   1m    pods: 3/5, requests.cpu: 1500m/2     limits.memory: 1Gi/4Gi',
      'ResourceQuota/shop/team',
      {
        status: {
          hard: { pods: '5', 'requests.cpu': '2', 'limits.memory': '4Gi' },
          used: { pods: '3', 'requests.cpu': '1500m', 'limits.memory': '1Gi' },
        },
      },
    ],
    [
      'hpa',
      'NAME   REFERENCE        TARGETS         MINPODS   MAXPODS   REPLICAS   AGE\nweb    Deployment/web   cpu: 10%/80%    1         5         2          1m',
      'HorizontalPodAutoscaler/shop/web',
      { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 1, maxReplicas: 5 }, status: { currentReplicas: 2 } },
    ],
    [
      'pdb',
      'NAME   MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE\nweb    50%             N/A               0                     1m',
      'PodDisruptionBudget/shop/web',
      { spec: { minAvailable: '50%' }, status: { disruptionsAllowed: 0 } },
    ],
    [
      'ing',
      'NAME   CLASS   HOSTS                ADDRESS     PORTS   AGE\nweb    nginx   shop.example,*       10.0.0.1    80      1m',
      'Ingress/shop/web',
      { spec: { ingressClassName: 'nginx', rules: [{ host: 'shop.example' }, {}] } },
    ],
    ['netpol', 'NAME   POD-SELECTOR   AGE\ndeny   <none>         1m', 'NetworkPolicy/shop/deny', { spec: { podSelector: {} } }],
    ['secrets', 'NAME   TYPE     DATA   AGE\ndb     Opaque   2      1m', 'Secret/shop/db', { type: 'Opaque' }],
    ['ns', 'NAME   STATUS        AGE\nshop   Terminating   1m', 'Namespace/shop', { status: { phase: 'Terminating' } }],
  ])('of %s', (kind, table, ref, expected) => {
    expect(objectIn(read(`$ kubectl get ${kind} -n shop -o wide\n${table}\n`), ref)).toMatchObject(expected);
  });

  it('may be of a kind that no pod needs', () => {
    const csr =
      'NAME        AGE   SIGNERNAME                      REQUESTOR        REQUESTEDDURATION   CONDITION\ncsr-abcde   10m   kubernetes.io/kubelet-serving   system:node:n2   <none>              Pending\n';
    const api =
      'NAME                     SERVICE                      AVAILABLE                  AGE\nv1beta1.metrics.k8s.io   kube-system/metrics-server   False (MissingEndpoints)   10d\n';
    expect([csr, api].flatMap((text) => refsIn(read(text)))).toEqual([
      'CertificateSigningRequest/csr-abcde',
      'APIService/v1beta1.metrics.k8s.io',
    ]);
  });

  it('is known by its columns where there is no command', () => {
    const bare = read(
      'NAME   READY   UP-TO-DATE   AVAILABLE   AGE\nweb    0/2     2            0           1m\n\nNAME   DATA   AGE\nweb    2      1m\n',
    );
    expect(refsIn(bare)).toEqual(['ConfigMap/default/web', 'Deployment/default/web']);
  });

  it('with a list that was cut does not show that list', () => {
    const cut = objectIn(
      read(
        '$ kubectl get ep -n shop\nNAME   ENDPOINTS                                        AGE\nweb    10.0.1.7:80,10.0.1.8:80,10.0.1.9:80 + 3 more...   1m\n',
      ),
      'Endpoints/shop/web',
    );
    expect([cut['subsets'], shows(cut, 'subsets.addresses.ip')]).toEqual([undefined, false]);
  });
});

describe('names alone', () => {
  it('are objects of which nothing else is shown', () => {
    const names = read('$ kubectl get pods,svc -n shop -o name\npod/web-1\nservice/web\n');
    expect(refsIn(names)).toEqual(['Pod/shop/web-1', 'Service/shop/web']);
    expect(shows(objectIn(names, 'Pod/shop/web-1'), 'status.phase')).toBe(false);
  });
});
