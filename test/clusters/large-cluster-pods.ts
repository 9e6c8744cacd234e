import type { Json, JsonObject } from '../../src/base/json.ts';
import {
  addressOf,
  digits,
  failureOf,
  hashOf,
  labelsOf,
  metadata,
  namespaceOf,
  nodeName,
  owner,
  podName,
  PODS_A_DEPLOYMENT,
  time,
  uid,
} from './large-cluster-names.ts';

export function pod(index: number, nodes: number): JsonObject {
  const app = Math.floor(index / PODS_A_DEPLOYMENT);
  const failure = failureOf(app);
  const template = templateSpec(app);
  const [container] = template['containers'] as readonly JsonObject[];
  // What fails was made anew a short time before: its neighbours have run for hours.
  const created = (failure === undefined ? 3000 : 12_300) + (index % 600);
  const token = `kube-api-access-${digits(index + 11_000_000, 5)}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(app, podName(app, index % PODS_A_DEPLOYMENT), 10_000_000 + index, {
      creationTimestamp: time(created),
      generateName: `web-${String(app)}-${hashOf(app)}-`,
      labels: { ...labelsOf(app), 'pod-template-hash': hashOf(app) },
      ownerReferences: [owner('ReplicaSet', `web-${String(app)}-${hashOf(app)}`, uid(3_000_000 + app))],
    }),
    spec: {
      ...template,
      containers: [
        {
          ...container,
          volumeMounts: [
            ...((container?.['volumeMounts'] ?? []) as readonly Json[]),
            { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: token, readOnly: true },
          ],
        },
      ],
      enableServiceLinks: true,
      ...(failure?.unscheduled === true ? {} : { nodeName: nodeName(index % nodes) }),
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
      tolerations: ['not-ready', 'unreachable'].map((taint) => ({
        effect: 'NoExecute',
        key: `node.kubernetes.io/${taint}`,
        operator: 'Exists',
        tolerationSeconds: 300,
      })),
      volumes: [...(template['volumes'] as readonly Json[]), tokenVolume(token)],
    },
    status:
      failure === undefined
        ? runningStatus(time(created + 600), index, nodes, container)
        : failure.status(time(created + 600), knownOf(index, nodes, container)),
  };
}

export function pulledEvent(index: number, nodes: number): JsonObject | undefined {
  const app = Math.floor(index / PODS_A_DEPLOYMENT);
  if (failureOf(app) !== undefined) return undefined;
  const message = `Container image "registry.example/shop/web-${String(app % 20)}:1.4.2" already present on machine`;
  return eventOf(index, 20_000_000, { reason: 'Pulled', message }, nodes);
}

export function failureEvent(index: number, nodes: number): JsonObject | undefined {
  const event = failureOf(Math.floor(index / PODS_A_DEPLOYMENT))?.event;
  return event === undefined ? undefined : eventOf(index, 30_000_000, { type: 'Warning', ...event }, nodes);
}
export function templateSpec(app: number): JsonObject {
  const variables = ['LOG_LEVEL', 'DATABASE_HOST', 'DATABASE_NAME', 'CACHE_HOST', 'FEATURE_FLAGS', 'REGION', 'TRACING_ENDPOINT'];
  const failure = failureOf(app);
  return {
    containers: [
      {
        env: [
          ...variables.map((name) => ({ name, value: `${name.toLowerCase()}-${String(app)}` })),
          { name: 'POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
        ],
        image: `registry.example/shop/web-${String(app % 20)}:1.4.2`,
        imagePullPolicy: 'IfNotPresent',
        livenessProbe: probe('/live'),
        name: 'web',
        ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
        readinessProbe: probe('/ready'),
        resources: { limits: { memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        volumeMounts: [{ mountPath: '/tmp', name: 'scratch' }],
        ...failure?.container,
      },
    ],
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    serviceAccount: 'default',
    serviceAccountName: 'default',
    terminationGracePeriodSeconds: 30,
    volumes: [{ emptyDir: {}, name: 'scratch' }, ...(failure?.volumes ?? [])],
    ...failure?.spec,
  };
}

function probe(path: string): JsonObject {
  return {
    failureThreshold: 3,
    httpGet: { path, port: 'http', scheme: 'HTTP' },
    periodSeconds: 10,
    successThreshold: 1,
    timeoutSeconds: 1,
  };
}

function tokenVolume(name: string): JsonObject {
  return {
    name,
    projected: {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
        { downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }] } },
      ],
    },
  };
}

/** What a pod's status says however the pod is. */
function knownOf(index: number, nodes: number, container: JsonObject | undefined): JsonObject {
  const host = `10.1.${String((index % nodes) >> 8)}.${String((index % nodes) & 255)}`;
  return {
    containerID: `containerd://${digits(index, 64)}`,
    hostIP: host,
    image: container?.['image'],
    imageID: `registry.example/shop/web@sha256:${digits(Math.floor(index / PODS_A_DEPLOYMENT) % 20, 64)}`,
    podIP: addressOf(index),
  };
}

function runningStatus(at: string, index: number, nodes: number, container: JsonObject | undefined): JsonObject {
  const { containerID, hostIP, image, imageID, podIP } = knownOf(index, nodes, container);
  return {
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      lastProbeTime: null,
      lastTransitionTime: at,
      status: 'True',
      type,
    })),
    containerStatuses: [
      {
        containerID,
        image,
        imageID,
        lastState: {},
        name: 'web',
        ready: true,
        resources: { requests: { cpu: '250m', memory: '256Mi' } },
        restartCount: 0,
        started: true,
        state: { running: { startedAt: at } },
      },
    ],
    hostIP,
    hostIPs: [{ ip: hostIP }],
    phase: 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    qosClass: 'Burstable',
    startTime: at,
  };
}

function eventOf(index: number, seed: number, said: JsonObject, nodes: number): JsonObject {
  const app = Math.floor(index / PODS_A_DEPLOYMENT);
  const name = podName(app, index % PODS_A_DEPLOYMENT);
  return {
    apiVersion: 'v1',
    count: 1,
    firstTimestamp: time(13_000 + (index % 900)),
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      name,
      namespace: namespaceOf(app),
      resourceVersion: String(1_000_000 + index),
      uid: uid(10_000_000 + index),
    },
    kind: 'Event',
    lastTimestamp: time(13_900 + (index % 500)),
    metadata: {
      creationTimestamp: time(13_000 + (index % 900)),
      name: `${name}.${digits(seed + index, 16)}`,
      namespace: namespaceOf(app),
      resourceVersion: String(2_000_000 + index),
      uid: uid(seed + index),
    },
    reportingComponent: 'kubelet',
    reportingInstance: nodeName(index % nodes),
    source: { component: 'kubelet', host: nodeName(index % nodes) },
    type: 'Normal',
    ...said,
  };
}
