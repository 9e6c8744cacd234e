import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, objectOf } from '../../support/collected.ts';

interface Wish {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly conditions?: Readonly<Record<string, string>>;
  /** State of its one container. */
  readonly state?: JsonObject;
  readonly ready?: boolean;
  readonly init?: JsonObject;
}

function pod({ spec = {}, status = {}, conditions = {}, state, ready = false, init }: Wish): KubeObject {
  const statusOf = (name: string, one: JsonObject): JsonObject => ({ name, ready, restartCount: 0, state: one });
  return objectOf('Pod', 'web-1', {
    spec: {
      containers: [{ name: 'web', image: 'a' }],
      ...(init === undefined ? {} : { initContainers: [{ name: 'wait', image: 'a' }] }),
      ...spec,
    },
    status: {
      phase: 'Pending',
      conditions: Object.entries(conditions).map(([type, value]) => ({
        type,
        status: value,
        lastTransitionTime: ago(60),
        reason: 'Because',
      })),
      ...(state === undefined ? {} : { containerStatuses: [statusOf('web', state)] }),
      ...(init === undefined ? {} : { initContainerStatuses: [statusOf('wait', init)] }),
      ...status,
    },
  });
}

/** `images failed: ErrImagePull`, for each stage that the pod tells of but those that all have passed. */
async function stages(wish: Wish, ...events: readonly KubeObject[]): Promise<readonly string[]> {
  const found = await collected('milestone', [pod(wish), ...events]);
  return found
    .map(({ stage, state, reason }) => `${String(stage)} ${String(state)}${reason === undefined ? '' : `: ${String(reason)}`}`)
    .filter((line) => !['persistence passed', 'controllers passed'].includes(line));
}

const ON_NODE: Wish = { spec: { nodeName: 'worker-1' }, status: { startTime: ago(100) } };
const UP = ['scheduling passed', 'kubelet passed', 'volumes passed', 'sandbox passed', 'network passed'];
const waiting = (reason: string): JsonObject => ({ waiting: { reason } });

describe('the stages of a pod', () => {
  it.each<readonly [string, Wish, readonly string[]]>([
    ['that waits for a node', { conditions: { PodScheduled: 'False' } }, ['scheduling waiting: Because']],
    ['that nobody has looked at', {}, ['scheduling waiting: not scheduled yet']],
    ['whose kubelet is silent', { spec: { nodeName: 'worker-1' } }, ['scheduling passed', 'kubelet waiting: no word from the kubelet yet']],
    [
      'that its kubelet rejected',
      { ...ON_NODE, status: { phase: 'Failed', reason: 'OutOfcpu' } },
      ['scheduling passed', 'kubelet failed: OutOfcpu'],
    ],
    [
      'that waits for volumes',
      { ...ON_NODE, state: waiting('ContainerCreating') },
      ['scheduling passed', 'kubelet passed', 'volumes waiting: ContainerCreating'],
    ],
    [
      'with a sandbox',
      { ...ON_NODE, state: waiting('ContainerCreating'), conditions: { PodReadyToStartContainers: 'True' } },
      [...UP, 'images passed', 'containers waiting: ContainerCreating'],
    ],
    [
      'with an address',
      { ...ON_NODE, status: { startTime: ago(9), podIP: '10.0.0.9' }, state: waiting('ContainerCreating') },
      [...UP, 'images passed', 'containers waiting: ContainerCreating'],
    ],
    ...[
      'ErrImagePull',
      'ImagePullBackOff',
      'ErrImageNeverPull',
      'InvalidImageName',
      'ImageInspectError',
      'RegistryUnavailable',
      'SignatureValidationFailed',
    ].map((reason): readonly [string, Wish, readonly string[]] => [
      `with ${reason}`,
      { ...ON_NODE, state: waiting(reason) },
      [...UP, `images failed: ${reason}`],
    ]),
    ['that crashes', { ...ON_NODE, state: waiting('CrashLoopBackOff') }, [...UP, 'images passed', 'containers failed: CrashLoopBackOff']],
    [
      'that failed',
      { ...ON_NODE, state: { terminated: { exitCode: 3, reason: 'Error' } } },
      [...UP, 'images passed', 'containers failed: Error'],
    ],
    [
      'that is initializing',
      { ...ON_NODE, init: { running: { startedAt: ago(5) } }, state: waiting('PodInitializing') },
      [...UP, 'images passed', 'containers waiting: an init container is still running'],
    ],
    [
      'that has initialized',
      { ...ON_NODE, init: { terminated: { exitCode: 0 } }, state: { running: { startedAt: ago(5) } }, conditions: { Ready: 'False' } },
      [...UP, 'images passed', 'containers passed', 'probes waiting: not ready'],
    ],
    [
      'that is ready',
      { ...ON_NODE, ready: true, state: { running: {} }, conditions: { Ready: 'True' } },
      [...UP, 'images passed', 'containers passed', 'probes passed', 'endpoints not-needed: no Service selects it'],
    ],
    [
      'whose container is ready',
      { ...ON_NODE, ready: true, state: { running: {} } },
      [...UP, 'images passed', 'containers passed', 'probes passed'],
    ],
    [
      'whose container is not',
      { ...ON_NODE, state: { running: {} } },
      [...UP, 'images passed', 'containers passed', 'probes waiting: not ready'],
    ],
    [
      'that is over',
      { ...ON_NODE, status: { phase: 'Succeeded', startTime: ago(9) }, state: { terminated: { exitCode: 0 } } },
      [...UP, 'images passed', 'containers passed', 'probes not-needed: its containers have ended'],
    ],
  ])('%s', async (_, wish, expected) => {
    expect(await stages(wish)).toEqual(expected);
  });

  it('wait for an image as long as its pull has begun and not ended', async () => {
    const event = (reason: string, seconds: number): KubeObject =>
      objectOf('Event', `web-1.${reason}`, {
        reason,
        message: reason,
        type: 'Normal',
        lastTimestamp: ago(seconds),
        involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: 'spec.containers{web}' },
      });
    const wish: Wish = { ...ON_NODE, state: waiting('ContainerCreating'), conditions: { PodReadyToStartContainers: 'True' } };
    expect((await stages(wish, event('Pulling', 30))).at(-1)).toBe('images waiting: pulling the image of container web');
    for (const reason of ['Pulled', 'Failed', 'BackOff', 'Created', 'Started'])
      expect((await stages(wish, event('Pulling', 30), event(reason, 10))).at(-1), reason).toBe('containers waiting: ContainerCreating');
  });
});

describe('the stages of a workload', () => {
  const deployment = (replicas: number): KubeObject =>
    objectOf('Deployment', 'web', {
      spec: {
        replicas,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [] } },
      },
      status: {},
    });
  const told = async (...objects: readonly KubeObject[]): Promise<readonly string[]> =>
    (await collected('milestone', objects)).map(({ stage, state, reason }) =>
      [stage, state, reason].filter((part) => part !== undefined).join(' '),
    );

  it('are its own creation and its pods', async () => {
    expect(await told(deployment(2))).toEqual(['persistence passed', 'controllers waiting 0 of 2 pods exist']);
    expect(await told(deployment(0))).toEqual(['persistence passed', 'controllers not-needed scaled to zero']);
  });

  it.each<readonly [JsonObject, JsonObject, string]>([
    [{ suspend: true }, {}, 'it is suspended'],
    [{}, {}, 'it has not run yet'],
    [{}, { lastScheduleTime: ago(600) }, 'none of its runs is there any more'],
  ])('of a CronJob say why there is nothing of it: %j %j', async (spec, status, reason) => {
    const cronJob = objectOf('CronJob', 'nightly', {
      spec: { schedule: '0 0 * * *', jobTemplate: { spec: { template: { spec: { containers: [] } } } }, ...spec },
      status,
    });
    expect(await told(cronJob)).toContain(`controllers not-needed ${reason}`);
  });
});
