import { describe, expect, it } from 'vitest';
import { shows } from '../../../src/model/kube-object.ts';
import { eventsIn, objectIn, read } from '../../support/transcripts.ts';
import { NEW_LAYOUT } from './pod-description.ts';

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
