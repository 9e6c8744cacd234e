import type { Json, JsonObject } from '../../src/base/json.ts';
import { dig } from '../../src/base/json.ts';

/** One way in which all pods of a Deployment fail. */
export interface Failure {
  /** Fields of the container, and of the pod's spec, in place of the usual ones. */
  readonly container?: JsonObject;
  readonly spec?: JsonObject;
  readonly volumes?: readonly Json[];
  readonly unscheduled?: true;
  readonly event?: JsonObject;
  /** The pod's status, from the time it started and what is known of each pod. */
  readonly status: (at: string, known: JsonObject) => JsonObject;
}

const IMAGE = 'registry.example/shop/missing:1.4.2';

export const FAILURES: readonly Failure[] = [
  {
    container: { envFrom: [{ configMapRef: { name: 'web-settings' } }] },
    event: { reason: 'Failed', message: 'Error: configmap "web-settings" not found', count: 40 },
    status: waiting('CreateContainerConfigError', 'configmap "web-settings" not found'),
  },
  {
    container: { envFrom: [{ secretRef: { name: 'web-login' } }] },
    event: { reason: 'Failed', message: 'Error: secret "web-login" not found', count: 40 },
    status: waiting('CreateContainerConfigError', 'secret "web-login" not found'),
  },
  {
    container: { image: IMAGE },
    event: {
      reason: 'Failed',
      message: `Failed to pull image "${IMAGE}": rpc error: code = NotFound desc = failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": ${IMAGE}: not found`,
      count: 6,
    },
    status: waiting('ImagePullBackOff', `Back-off pulling image "${IMAGE}"`),
  },
  {
    container: { image: IMAGE },
    event: {
      reason: 'Failed',
      message: `Failed to pull image "${IMAGE}": failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://registry.example/token: 401 Unauthorized`,
      count: 6,
    },
    status: waiting('ImagePullBackOff', `Back-off pulling image "${IMAGE}"`),
  },
  {
    event: { reason: 'BackOff', message: 'Back-off restarting failed container web in pod', count: 60 },
    status: crashing('Error', 1),
  },
  {
    event: { reason: 'BackOff', message: 'Back-off restarting failed container web in pod', count: 60 },
    status: crashing('OOMKilled', 137),
  },
  {
    unscheduled: true,
    container: { resources: { requests: { cpu: '90', memory: '256Mi' } } },
    event: {
      reason: 'FailedScheduling',
      message: '0/500 nodes are available: 500 Insufficient cpu. preemption: not eligible.',
      source: { component: 'default-scheduler' },
    },
    status: unschedulable('0/500 nodes are available: 500 Insufficient cpu.'),
  },
  {
    unscheduled: true,
    spec: { nodeSelector: { disk: 'nvme' } },
    event: {
      reason: 'FailedScheduling',
      message: "0/500 nodes are available: 500 node(s) didn't match Pod's node affinity/selector.",
      source: { component: 'default-scheduler' },
    },
    status: unschedulable("0/500 nodes are available: 500 node(s) didn't match Pod's node affinity/selector."),
  },
  {
    event: { reason: 'Unhealthy', message: 'Readiness probe failed: HTTP probe failed with statuscode: 503', count: 300 },
    status: unready,
  },
  {
    volumes: [{ configMap: { defaultMode: 420, name: 'web-pages' }, name: 'pages' }],
    event: { reason: 'FailedMount', message: 'MountVolume.SetUp failed for volume "pages" : configmap "web-pages" not found', count: 25 },
    status: waiting('ContainerCreating'),
  },
  {
    volumes: [{ name: 'keys', secret: { defaultMode: 420, secretName: 'web-keys' } }],
    event: { reason: 'FailedMount', message: 'MountVolume.SetUp failed for volume "keys" : secret "web-keys" not found', count: 25 },
    status: waiting('ContainerCreating'),
  },
  {
    container: { command: ['/bin/serve'] },
    event: {
      reason: 'Failed',
      message:
        'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/bin/serve": stat /bin/serve: no such file or directory: unknown',
      count: 12,
    },
    status: waiting(
      'RunContainerError',
      'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/bin/serve": stat /bin/serve: no such file or directory: unknown',
    ),
  },
];

function waiting(reason: string, message?: string): Failure['status'] {
  return (at, known) =>
    scheduled(at, known, 'Pending', {
      state: { waiting: { ...(message === undefined ? {} : { message }), reason } },
      ready: false,
      started: false,
    });
}

function crashing(reason: string, exitCode: number): Failure['status'] {
  return (at, known) =>
    scheduled(at, known, 'Running', {
      containerID: known['containerID'],
      lastState: { terminated: { containerID: known['containerID'], exitCode, finishedAt: at, reason, startedAt: at } },
      ready: false,
      restartCount: 12,
      started: false,
      state: { waiting: { message: 'back-off 5m0s restarting failed container=web', reason: 'CrashLoopBackOff' } },
    });
}

function unready(at: string, known: JsonObject): JsonObject {
  return scheduled(at, known, 'Running', {
    containerID: known['containerID'],
    ready: false,
    started: true,
    state: { running: { startedAt: at } },
  });
}

function unschedulable(message: string): Failure['status'] {
  return (at) => ({
    conditions: [{ lastProbeTime: null, lastTransitionTime: at, message, reason: 'Unschedulable', status: 'False', type: 'PodScheduled' }],
    phase: 'Pending',
    qosClass: 'Burstable',
  });
}

/** Without its volumes a pod has no sandbox and no address. */
function scheduled(at: string, known: JsonObject, phase: string, container: JsonObject): JsonObject {
  const isMounted = dig(container, 'state', 'waiting', 'reason') !== 'ContainerCreating';
  const condition = (type: string, status: string): JsonObject => ({
    lastProbeTime: null,
    lastTransitionTime: at,
    ...(status === 'True' ? {} : { message: 'containers with unready status: [web]', reason: 'ContainersNotReady' }),
    status,
    type,
  });
  return {
    conditions: [
      condition('PodReadyToStartContainers', isMounted ? 'True' : 'False'),
      condition('Initialized', 'True'),
      condition('Ready', 'False'),
      condition('ContainersReady', 'False'),
      condition('PodScheduled', 'True'),
    ],
    containerStatuses: [{ image: known['image'], imageID: '', lastState: {}, name: 'web', restartCount: 0, ...container }],
    hostIP: known['hostIP'],
    phase,
    ...(isMounted ? { podIP: known['podIP'], podIPs: [{ ip: known['podIP'] }] } : {}),
    qosClass: 'Burstable',
    startTime: at,
  };
}
