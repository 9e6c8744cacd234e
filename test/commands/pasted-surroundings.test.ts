import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

/** Whom a text is about, and what it says of it first. */
async function told(text: string): Promise<readonly [target: string, cause: string | undefined]> {
  const { target, causes } = await answerTo(text);
  return [`${target.kind} ${target.namespace ?? ''}/${target.name}`, causes[0]?.rule];
}

const DESCRIBED = [
  'Name:         till-0',
  'Namespace:    shop',
  'Priority:     0',
  'Node:         worker-1/10.0.0.22',
  'Start Time:   Tue, 23 Mar 2026 16:52:53 +0000',
  'Status:       Pending',
  'Containers:',
  '  app:',
  '    Image:          shop/till:2',
  '    State:          Waiting',
  '      Reason:       ContainerCreating',
  '    Ready:          False',
  'Events:',
  '  Type     Reason                  Age               From     Message',
  '  ----     ------                  ----              ----     -------',
  '  Warning  FailedCreatePodSandBox  2s (x7 over 88s)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "kata" is configured',
];

describe('what stands around a text', () => {
  it('is no part of it: the marks of remarks of a test runner', async () => {
    const text = ['not ok 2 start a till', ...DESCRIBED.map((line) => `# ${line}`)].join('\n');
    expect(await told(text)).toEqual(['Pod shop/till-0', 'sandbox/runtime-handler-not-configured']);
  });

  it('is a part of it where it is what root typed', async () => {
    const text =
      '# kubectl get pods -n shop\nNAME     READY   STATUS    RESTARTS   AGE\ntill-0   0/1     Pending   0          9m\n# kubectl logs till-0 -n shop\n';
    expect((await told(text))[0]).toBe('Pod shop/till-0');
  });

  it('is no part of it: the marks of a chat, and its quotation marks', async () => {
    const text =
      '&gt; *alerts* APP  9:41 AM\n&gt; :red_circle: a till does not start\n&gt; • Message: Failed to pull image “registry.shop.example/till:2”: rpc error: code = NotFound desc = failed to resolve reference “registry.shop.example/till:2”: registry.shop.example/till:2: not found\n';
    expect((await told(text))[1]).toBe('images/image-not-found');
  });

  it('is no part of it: a link that a tracker made of a name', async () => {
    const { causes } = await answerTo(
      'Error creating: Internal error occurred: failed calling webhook "[check.shop.example](http://check.shop.example/)": failed to call webhook: Post "[https://check.shop.svc:443/x?timeout=10s](https://check.shop.svc/x?timeout=10s)": context deadline exceeded\n',
    );
    expect(causes[0]).toMatchObject({
      rule: 'validating-admission/webhook-timeout',
      what: expect.stringContaining(' check.shop.example at ') as string,
    });
  });

  it('is no part of the line before: what the runner of a pipeline says at the end', async () => {
    const text = [
      '2026-03-11T08:12:02.4234577Z   Warning  ErrImageNeverPull  4s (x5 over 30s)  kubelet            Container image "till:ci" is not present with pull policy of Never',
      '2026-03-11T08:12:02.6234577Z ##[error]Process completed with exit code 1.',
      '2026-03-11T08:12:02.6234578Z Post job cleanup.',
    ].join('\n');
    const { causes, err } = await answerTo(text);
    expect(causes[0]?.rule).toBe('images/never-pull-and-absent');
    expect(`${JSON.stringify(causes)}${err}`).not.toContain('Never##');
  });
});

describe('a pod that a text names only in its own way', () => {
  it.each([
    [
      'CRI-O, with the namespace first',
      'error adding pod shop_till-0 to CNI network "multus-cni-network": plugin type="multus" failed (add): no route\n',
    ],
    [
      'CRI-O, by its sandbox',
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create pod network sandbox k8s_till-0_shop_f51f1602-3d29-4986-8552-42cdc4e7c869_0(a4b8): error adding pod shop_till-0 to CNI network "multus-cni-network": plugin failed\n',
    ],
  ])('is that pod: %s', async (_, text) => {
    expect(await told(text)).toEqual(['Pod shop/till-0', 'network/network-plugin-failed']);
  });

  it.each([
    [
      'a row of its events, behind the end of its describe',
      'QoS Class:                   BestEffort\nTolerations:                 node.kubernetes.io/not-ready:NoExecute op=Exists for 300s\nEvents:\n  Type     Reason              Age   From                     Message\n  ----     ------              ----  ----                     -------\n  Normal   Scheduled           20s   default-scheduler        Successfully assigned shop/till-0 to worker-1\n  Warning  FailedAttachVolume  3s    attachdetach-controller  AttachVolume.Attach failed for volume "pvc-1" : CSINode worker-1 does not contain driver disk.csi.shop.example\n',
      'volumes/csi-driver-not-found',
    ],
    [
      'its back-off, with the log glued behind it',
      'Conditions:\n  Type              Status\n  Initialized       True \n  Ready             False \n  ContainersReady   False \n  PodScheduled      True \nEvents:\n  Type     Reason   Age                 From     Message\n  ----     ------   ----                ----     -------\n  Warning  BackOff  50s (x22 over 6m)   kubelet  Back-off restarting failed container app in pod till-0_shop(6a1c)\nTraceback (most recent call last):\n  File "/app/till.py", line 3, in <module>\n    import scales\nModuleNotFoundError: No module named \'scales\'\n',
      'containers/module-not-found',
    ],
    [
      'Pulumi, with the state of its container',
      'Diagnostics:\n  kubernetes:apps/v1:Deployment (till):\n    warning: [Pod shop/till-0]: Container "app" has unready status: [CreateContainerConfigError] secret "till-env" not found\n',
      'containers/secret-not-found',
    ],
    [
      'an export of a log of its node',
      JSON.stringify(
        {
          jsonPayload: {
            MESSAGE:
              'E0602 11:20:14.102331    1897 pod_workers.go:1294] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with CreateContainerConfigError: \\"configmap \\\\\\"till\\\\\\" not found\\"" pod="shop/till-0" podUID="0e1a"',
            SYSLOG_IDENTIFIER: 'kubelet',
          },
          resource: { type: 'k8s_node', labels: { node_name: 'worker-1' } },
          timestamp: '2026-06-02T11:20:14.102Z',
        },
        undefined,
        2,
      ),
      'containers/configmap-not-found',
    ],
    [
      'exports of its log and of an event',
      JSON.stringify([
        {
          textPayload: "Error: Cannot find module 'scales'",
          resource: { labels: { pod_name: 'till-0', namespace_name: 'shop', container_name: 'app' } },
        },
        {
          jsonPayload: {
            reason: 'BackOff',
            type: 'Warning',
            message: 'Back-off restarting failed container',
            involvedObject: { kind: 'Pod', name: 'till-0', namespace: 'shop' },
          },
        },
      ]),
      'containers/module-not-found',
    ],
  ])('is that pod: %s', async (_, text, rule) => {
    expect(await told(text)).toEqual(['Pod shop/till-0', rule]);
  });

  it('has the namespace of a read with flags amid commands with a prompt', async () => {
    const text =
      '$sudo snap install microk8s\nkubectl get po -n kube-system\nNAME     READY   STATUS    RESTARTS         AGE\ntill-0   1/1     Running   2542 (76s ago)   10d\n\nEvents:\n  Type     Reason     Age                      From     Message\n  ----     ------     ----                     ----     -------\n  Normal   Killing    2m57s (x2441 over 10d)   kubelet  Container app failed liveness probe, will be restarted\n';
    expect(await told(text)).toEqual(['Pod kube-system/till-0', 'probes/liveness-probe-failing']);
  });

  it('has the namespace of the address that a client wrote to', async () => {
    const { causes } = await answerTo(
      'KubernetesClientException: Failure executing: POST at: https://kubernetes.default.svc/api/v1/namespaces/shop/pods. Message: Forbidden! pods "till-1" is forbidden: failed quota: team: must specify limits.cpu.\n',
    );
    expect(causes[0]?.what).toContain('namespace shop');
  });
});

describe('what a text says of a pod that waits', () => {
  it.each([
    ['Airflow', '[2026-04-08 19:46:04,417] {pod_launcher.py:139} WARNING - Pod not yet started: till-0\n', 'default'],
    ['an alert without a reason', '- message = Pod shop/till-0 container app has been in waiting state for longer than 1 hour.\n', 'shop'],
    ['the cluster autoscaler', 'I1211 10:31:49.359308       1 scale_up.go:263] Pod shop/till-0 is unschedulable\n', 'shop'],
  ])('is no word of its containers: %s', async (_, text, namespace) => {
    const { target, outcome, causes } = await answerTo(text);
    expect({ target, outcome, causes }).toMatchObject({
      target: { kind: 'Pod', namespace, name: 'till-0' },
      outcome: 'inconclusive',
      causes: [],
    });
  });
});

it('gives a describe without indentation its containers back', async () => {
  const text =
    'Name: till-0\nNamespace: shop\nPriority: 0\nNode: worker-1/10.0.0.1\nStatus: Running\nContainers:\napp:\nContainer ID: docker://e5\nImage: shop/till:2\nState: Running\nStarted: Sun, 09 Aug 2026 12:17:29 +0530\nLast State: Terminated\nReason: Error\nExit Code: 1\nStarted: Sun, 09 Aug 2026 12:12:19 +0530\nFinished: Sun, 09 Aug 2026 12:16:06 +0530\nReady: True\nRestart Count: 19\nConditions:\nType Status\n';
  expect(await told(text)).toEqual(['Pod shop/till-0', 'containers/application-error-exit']);
});

it('reads the last state of a container as the first versions called it', async () => {
  const text =
    'Name:\t\t\ttill-0\nNamespace:\t\tshop\nStatus:\t\t\tRunning\nContainers:\n  app:\n    Image:\tshop/till\n    State:\t\tRunning\n      Started:\t\tTue, 07 Jul 2026 12:54:41 -0700\n    Last Termination State:\tTerminated\n      Reason:\t\tOOMKilled\n      Exit Code:\t137\n    Ready:\t\tFalse\n    Restart Count:\t5\n';
  expect(await told(text)).toEqual(['Pod shop/till-0', 'containers/oom-killed']);
});

describe('a Job that Helm does not name', () => {
  const failed = 'Error: INSTALLATION FAILED: failed pre-install: 1 error occurred:\n\t* job failed: BackoffLimitExceeded\n\n';
  const list = (...names: readonly string[]): string =>
    `$ kubectl get po\nNAME   READY   STATUS   RESTARTS   AGE\n${names.map((name) => `${name}   0/1   Error   0   2m\n`).join('')}`;

  it('is the one whose pods have failed', async () => {
    const log = '$ kubectl logs till-migrate-r6k2c\npsycopg2.OperationalError: FATAL:  password authentication failed for user "till"\n';
    expect(await told(failed + list('till-migrate-4t8zl', 'till-migrate-r6k2c') + log)).toEqual([
      'Job default/till-migrate',
      'containers/dependency-credentials-rejected',
    ]);
  });

  it('is none whose pod is of a Deployment', async () => {
    expect(await answerTo(`${failed}${list('till-6d4b75cb6d-hx7bk')}$ kubectl get job\n`).catch(String)).not.toMatchObject({
      target: { name: 'till-6d4b75cb6d' },
    });
  });
});

describe('a line of taints that grep has left', () => {
  it('shows the condition that the taint is from', async () => {
    const text =
      'Taints:             node.kubernetes.io/disk-pressure:NoSchedule\nTaints:             node-role.kubernetes.io/control-plane:NoSchedule\n';
    expect((await told(text))[1]).toBe('kubelet/node-disk-pressure');
  });

  it('is none where it may be a toleration', async () => {
    const text =
      '                 node.kubernetes.io/disk-pressure:NoSchedule\n                 node.kubernetes.io/memory-pressure:NoSchedule\npod till-0 is Pending\n';
    const { causes } = await answerTo(text).catch(() => ({ causes: [] }));
    expect(causes).toEqual([]);
  });
});

it('takes a container that a signal ended for one that its liveness probe ends, where that fails all the time', async () => {
  const state =
    '    State:          Running\n      Started:      Tue, 03 Jun 2026 10:14:01 +0000\n    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    CODE\n    Ready:          False\n    Restart Count:  9\n    Liveness:       http-get http://:8080/healthz delay=5s timeout=1s period=5s #success=1 #failure=3\nWarning  Unhealthy  12s (xTIMES over 9m)  kubelet  Liveness probe failed: Get "http://10.42.0.17:8080/healthz": dial tcp 10.42.0.17:8080: connect: connection refused\n';
  const causeOf = async (code: string, times: string): Promise<string | undefined> =>
    (await told(state.replace('CODE', code).replace('TIMES', times)))[1];
  expect(await causeOf('137', '31')).toBe('probes/liveness-probe-failing');
  expect(await causeOf('137', '2')).toBe('containers/application-error-exit');
  expect(await causeOf('1', '31')).toBe('containers/application-error-exit');
});

it('names the pod of a command in a sentence without the comma behind it, where a sentence goes on', async () => {
  const { target } = await answerTo(
    'When I checked with kubectl logs till-674f46c6bb-j4gfl, I received the following error:\n\n`no log for you`\n',
  );
  expect(target.name).toBe('till-674f46c6bb-j4gfl');
});

describe('a line right below a list of pods', () => {
  const LIST = 'NAME      READY   STATUS    RESTARTS   AGE\nledger-0  0/1     Pending   0          17m\n';
  const SAID = '0/4 nodes are available: 4 Insufficient memory. preemption: 0/4 nodes are available: 4 No preemption victims found.';

  it.each([
    ['', `${LIST}${SAID}\n`],
    ['behind a sentence', `kubectl get po -n shop:\n${LIST}and describe says\n${SAID}\n`],
    ['in a sentence', `${LIST}the events show ${SAID}\n`],
    ['below a command', `$ kubectl get pods -n shop\n${LIST}Warning FailedScheduling ${SAID}\n`],
  ])('is about the pod that waits: %s', async (_, text) => {
    expect(await told(text)).toEqual([
      expect.stringMatching(/^Pod (?:shop|default)\/ledger-0$/) as string,
      'scheduling/insufficient-resource',
    ]);
  });

  it('is no pod, whatever it says', async () => {
    const { causes, target } = await answerTo(`$ kubectl get pods -n shop\n${LIST}and so on and so forth\n`);
    expect([target.name, causes]).toEqual(['ledger-0', []]);
  });
});
