import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { answerTo } from '../support/pasted-answer.ts';

async function causeOf(text: string): Promise<string | undefined> {
  return (await answerTo(text)).causes[0]?.rule;
}

describe('reasons of the scheduler without the number of all nodes', () => {
  it('are counted by themselves', async () => {
    const { causes } = await answerTo(
      'Our till stays Pending: "2 Insufficient memory, 1 node(s) had untolerated taint {dedicated: gpu}."\n',
    );
    expect(causes[0]).toMatchObject({ rule: 'scheduling/insufficient-resource', what: expect.stringMatching(/^2 of 3 nodes /) as string });
  });

  it.each(['Insufficient cpu', "node(s) didn't match Pod's node affinity/selector"])(
    'say nothing of any number without one: %s',
    async (words) => {
      expect(await answerTo(`pod till is Unschedulable: ${words}\n`)).toMatchObject({ outcome: 'inconclusive', causes: [] });
    },
  );

  it('are none of the scheduler where the autoscaler counts groups of nodes', async () => {
    expect(await causeOf("pod didn't trigger scale-up (it wouldn't fit if a new node is added): 1 Insufficient cpu\n")).toBe(
      'scheduling/autoscaler-adds-no-node',
    );
  });
});

describe('the status of a pod as Go prints it', () => {
  const ENDED = 'exitCode:137 finishedAt:2026-02-03T10:00:00Z reason:OOMKilled startedAt:2026-02-03T09:59:00Z';

  it.each([
    [
      'a map after its field',
      `till: State: map[waiting:map[message:back-off 5m0s restarting failed container=till reason:CrashLoopBackOff]] LastState: map[terminated:map[${ENDED}]]`,
    ],
    [
      'a list of maps',
      `containerStatuses:[map[image:shop/till:1 lastState:map[terminated:map[${ENDED}]] name:till ready:false restartCount:3 state:map[waiting:map[reason:CrashLoopBackOff]]]]`,
    ],
    [
      'structs with pointers',
      'Statuses: [{Name:till State:{Waiting:&ContainerStateWaiting{Reason:CrashLoopBackOff,Message:,} Running:nil Terminated:nil} LastTerminationState:{Waiting:nil Running:nil Terminated:&ContainerStateTerminated{ExitCode:137,Signal:0,Reason:OOMKilled,Message:,StartedAt:2026-02-03 09:59:00 +0000 UTC,}} Ready:false RestartCount:3 Image:shop/till:1 ImageID:}]',
    ],
  ])('is read from %s', async (_, text) => {
    expect(await causeOf(`${text}\n`)).toBe('containers/oom-killed');
  });

  it('keeps a message with colons and brackets whole', async () => {
    const text =
      'lastState:map[terminated:map[exitCode:128 message:failed to create shim task: OCI runtime create failed: exec: "till": executable file not found in $PATH: unknown reason:StartError]]\n';
    expect(await causeOf(text)).toBe('containers/command-not-found');
  });

  it('is read no further than its brackets close', async () => {
    const { causes } = await answerTo(
      `name:till state:map[running:map[startedAt:2026-02-03T10:00:00Z]] ready:true\nnothing else is wrong\n`,
    );
    expect(causes).toEqual([]);
  });
});

describe('fields of an event without the line that says that it is one', () => {
  const METRICS =
    'reason: FailedGetResourceMetric\nmessage: "failed to get cpu utilization: missing request for cpu in container till of Pod till-1"\ntype: Warning\n';

  it('are about the object that they name, in any order', async () => {
    expect(await answerTo(`${METRICS}involvedObject:\n  kind: HorizontalPodAutoscaler\n  name: till\n  namespace: shop\n`)).toMatchObject({
      target: { kind: 'HorizontalPodAutoscaler', name: 'till' },
      causes: [{ rule: 'controllers/hpa-no-metrics' }],
    });
  });

  it('are about an object of the kind that has such events, where they name none', async () => {
    expect(await answerTo(METRICS)).toMatchObject({
      target: { kind: 'HorizontalPodAutoscaler' },
      causes: [{ rule: 'controllers/hpa-no-metrics' }],
    });
  });

  it('are no event without a type or an object of one', async () => {
    const { code } = await podcheck(['diagnose', '--from', '-'], { stdin: 'reason: holidays\nmessage: closed until Monday\n' });
    expect(code).toBe(2);
  });

  it('are the conditions of an autoscaler where only it has these', async () => {
    expect(
      await causeOf(
        '- type: ScalingActive\n  status: "False"\n  reason: FailedGetResourceMetric\n  message: "missing request for cpu in container till of Pod till-1"\n',
      ),
    ).toBe('controllers/hpa-no-metrics');
  });
});

describe('troubles of a program in prose', () => {
  it.each([
    ['containers/port-conflict', 'After the update my container ends because port 8080 is already in use.\n'],
    ['containers/permission-denied', 'the till pod says data directory has wrong ownership when it starts\n'],
    ['containers/permission-denied', "Error while starting: EPERM: operation not permitted, chown '/till/data'\n"],
    [
      'volumes/nfs-mount-failed',
      'Mounting arguments: -t nfs 10.0.0.9:/tills /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/tills\nOutput: mount.nfs: Connection timed out\n',
    ],
    [
      'volumes/secret-not-found',
      'E0203 13:56:58.757986   13539 kubelet.go:943] Unable to mount volumes for pod "till-1_shop": secrets "till-key" not found; skipping pod\n',
    ],
    [
      'kubelet/kubelet-not-running',
      'Feb 03 10:15:22 worker-1 systemd[9005]: kubelet.service: Failed at step EXEC spawning /opt/bin/kubelet: Permission denied\nFeb 03 10:15:22 worker-1 systemd[1]: kubelet.service: Main process exited, code=exited, status=203/EXEC\n',
    ],
  ])('lead to %s: %s', async (rule, text) => {
    expect(await causeOf(text)).toBe(rule);
  });

  it('are not those of a pod where a port of one’s own machine is taken', async () => {
    const stdin =
      'I forward the port of pod/till-1: unable to listen on port 8080: Error listen tcp4 127.0.0.1:8080: bind: address already in use\n';
    expect((await podcheck(['diagnose', '--from', '-'], { stdin })).out).not.toContain('port-conflict');
  });
});

describe('screens of consoles', () => {
  const NAME = 'till-6f7d9c5b8-abcde';

  it.each([
    [
      'a full-screen program, with marks and one blank between titles',
      `│ NAMESPACE   NAME                    PF READY STATUS             RESTARTS CPU MEM IP            NODE      AGE   │\n│ shop        ${NAME}    ●  0/1   ImagePullBackOff          0   0   0 10.1.2.3      worker-1  5m    │\n│ shop        db-0                    ●  1/1   Running                   0   3  22 10.1.2.4      worker-2  3d    │\n`,
    ],
    [
      'a sorted column',
      `│ NAME↑                   PF  READY  STATUS             RESTARTS  IP         NODE      AGE │\n│ ${NAME}    ●   0/1    CrashLoopBackOff         12  10.1.2.3   worker-1  40m │\n│ db-0                    ●   1/1    Running                   0  10.1.2.4   worker-2  3d  │\n`,
    ],
    [
      'the state in front, with tabs',
      `State\tName\tImage\tReady\tRestarts\tIP\tNode\tAge\nCrashLoopBackOff\t${NAME}\tshop/till:1\t0/1\t8\t10.1.2.3\tworker-1\t20 mins\n`,
    ],
    [
      'the state behind, with an empty cell',
      `Name\tNamespace\tContainers\tRestarts\tControlled By\tNode\tQoS\tAge\tStatus\n${NAME}\tshop\t\t8\tReplicaSet\tworker-1\tBestEffort\t20m\tCrashLoopBackOff\n`,
    ],
    ['Korean titles', `이름\t네임스페이스\t상태\t재시작\n${NAME}\tshop\tCrashLoopBackOff\t8\n`],
    ['Chinese titles', `名称\t命名空间\t状态\t重启次数\t节点\n${NAME}\tshop\tImagePullBackOff\t0\tworker-1\n`],
  ])('name the pod that is not well: %s', async (_, text) => {
    expect(await answerTo(text)).toMatchObject({ outcome: 'inconclusive', target: { kind: 'Pod', name: NAME } });
  });

  it('name the Deployment of a tree, whose pod is not well', async () => {
    const tree = `NAMESPACE  NAME                                  READY  REASON              STATUS  AGE\nshop       Deployment/till                       -                                  5m\nshop       └─ReplicaSet/till-6f7d9c5b8           -                                  5m\nshop         └─Pod/${NAME}          False  ContainersNotReady          5m\n`;
    expect(await answerTo(tree)).toMatchObject({ outcome: 'inconclusive', target: { kind: 'Deployment', name: 'till' } });
  });

  it('tell the message of an object in a list of all resources', async () => {
    const head = 'GROUP  KIND        NAMESPACE  NAME                  STATUS  HEALTH    HOOK  MESSAGE\n';
    const text = `${head}apps   Deployment  shop       till                  Synced  Progressing     Waiting for rollout to finish\n       Pod         shop       ${NAME}  Synced  Degraded        Back-off pulling image "shop/till:9"\n`;
    expect(await answerTo(text)).toMatchObject({
      target: { kind: 'Deployment', name: 'till' },
      causes: [{ rule: 'images/image-pull-failing' }],
    });
  });

  it('are not seen in a sentence, nor in a table of other things', async () => {
    for (const stdin of ['Name, status and age of the guest\n', 'Name  Colour  Size\ntill  red  9\n'])
      expect(await podcheck(['diagnose', '--from', '-'], { stdin }), stdin).toMatchObject({ code: 2, out: '' });
  });
});

describe('the last words of a component', () => {
  it('are no words of the kubelet where it is process 1 of a container', async () => {
    const line = (pid: string) =>
      `E1120 10:11:12.345678 ${pid.padStart(7)} run.go:72] "command failed" err="kube-proxy in nftables mode requires kernel 5.13 or later"\n`;
    expect(await causeOf(line('1'))).toBe('traffic/kube-proxy-kernel-too-old');
  });

  it('are not called unknown where they prove the cause', async () => {
    const { causes, err } = await answerTo(
      'E1120 10:11:12.345678    2112 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"\n',
    );
    expect(causes[0]).toMatchObject({ rule: 'kubelet/kubelet-not-running', what: expect.stringContaining('swap is on') as string });
    expect(err).not.toContain('unknown line');
  });

  it('are those of the service that its journal names without time and host', async () => {
    const { target, causes } = await answerTo(
      'containerd[811]: time="2026-11-20T10:00:00Z" level=fatal msg="invalid plugin config: `mirrors` cannot be set when `config_path` is provided"\n',
    );
    expect(target).toMatchObject({ kind: 'Node' });
    expect(causes[0]).toMatchObject({ rule: 'sandbox/container-runtime-config-invalid' });
  });
});

describe('a refusal without the command that it answers', () => {
  const range = 'Internal error occurred: failed to allocate a nodePort: range is full';

  it('is one of a write where it names the manifest', async () => {
    expect(await causeOf(`Error from server (InternalError): error when creating "till.yaml": ${range}\n`)).toBe(
      'persistence/service-address-range-full',
    );
  });
});

describe('a Job of which no pod was seen', () => {
  const job = (spec: string, status: string) =>
    `apiVersion: batch/v1\nkind: Job\nmetadata: { name: till, namespace: shop, uid: a, creationTimestamp: "2026-02-03T10:00:00Z" }\nspec: { completions: 1, ${spec} template: { spec: { restartPolicy: Never, containers: [{ name: till, image: "shop/till:1" }] } } }\nstatus: ${status}\n`;

  it('is not healthy while another controller has not begun it', async () => {
    expect(await causeOf(job('managedBy: till.example.com/batch,', '{}'))).toBe('controllers/job-managed-by-another');
  });

  it('may be anything once it has begun', async () => {
    expect(await answerTo(job('', '{ startTime: "2026-02-03T10:00:00Z", active: 1 }'))).toMatchObject({ outcome: 'inconclusive' });
  });

  it('is healthy when as many of its pods have succeeded as it wants', async () => {
    expect(await answerTo(job('', '{ startTime: "2026-02-03T10:00:00Z", succeeded: 1 }'))).toMatchObject({ outcome: 'healthy' });
  });
});

describe('the answer of an agent that a program repeats', () => {
  it('is no matter of files', async () => {
    const line = 'Received non 200 response 400 from container metadata: [9c]: (AccessDeniedException): no such association, fault: client';
    expect(await causeOf(`$ kubectl logs till-0\nCredentialRetrievalError: ${line}\n`)).toBe('containers/eks-pod-identity-denied');
  });
});

describe('events below a name that is all that is left of a description', () => {
  const rows = (age: string) =>
    `  Normal   Started    9m   kubelet  Started container till\n  Warning  Unhealthy  ${age}  kubelet  Readiness probe failed: HTTP probe failed with statuscode: 502\n`;

  it('are about the pod of that name, also where a sentence quotes one before', async () => {
    const text = `It says \`Readiness probe failed: HTTP probe failed with statuscode: 502\`:\n\n\`\`\`\nName:             till-0\n${rows('2m (x12 over 8m)')}Name:             till-1\n  Normal   Started    9m   kubelet  Started container till\n\`\`\`\n`;
    expect(await answerTo(text)).toMatchObject({
      target: { kind: 'Pod', name: 'till-0' },
      causes: [{ rule: 'probes/readiness-probe-http-500' }],
    });
  });
});

describe('a node that the scheduler calls unreachable', () => {
  it('has a kubelet that reports nothing', async () => {
    expect(
      await causeOf(
        '2m57s  Warning  FailedScheduling  pod/till-0  0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.\n',
      ),
    ).toBe('kubelet/kubelet-down');
  });
});

describe('a command in a sentence', () => {
  it('names its pod also behind the namespace', async () => {
    expect(
      await answerTo(
        '`kubectl describe pods -n shop till-0`\n`Warning  FailedScheduling  4m  default-scheduler  0/3 nodes are available: 3 Insufficient cpu.`\n',
      ),
    ).toMatchObject({ target: { namespace: 'shop', name: 'till-0' }, causes: [{ rule: 'scheduling/insufficient-resource' }] });
  });
});

describe('a line of containerd', () => {
  it('names the pod whose sandbox fails', async () => {
    const line =
      'May 11 16:09:21 worker-1 containerd[765]: time="2026-02-03T10:00:00Z" level=error msg="RunPodSandbox for &PodSandboxMetadata{Name:till-0,Uid:eeb63f47-d6af-45ef-b52a-f37fb5bc75d5,Namespace:shop,Attempt:0,} failed, error" error="failed to setup network for sandbox \\"f1\\": plugin type=\\"calico\\" failed (add): netplugin failed with no error message: signal: killed"\n';
    expect(await answerTo(line)).toMatchObject({
      target: { namespace: 'shop', name: 'till-0' },
      causes: [{ rule: 'network/network-plugin-failed' }],
    });
  });
});

describe('a list of pods above a list of events', () => {
  const EVENTS = `
LAST SEEN   TYPE      REASON      OBJECT          MESSAGE
2m22s       Warning   Unhealthy   pod/till-7xk2   Liveness probe failed: HTTP probe failed with statuscode: 500
2m20s       Normal    Killing     pod/till-7xk2   Container till failed liveness probe, will be restarted
`;
  const pods = (ready: string, restarts: string): string =>
    `NAME        READY   STATUS    RESTARTS   AGE\ntill-7xk2   ${ready}     Running   ${restarts}   30d\n${EVENTS}`;

  it.each([
    ['0/1', '174 (2m20s ago)', 'blocked at probes'],
    ['1/1', '174 (2m20s ago)', 'degraded at probes'],
    ['1/1', '1 (2m20s ago)', 'is healthy'],
  ])('tells of restarts by a probe where the pod is %s and was restarted %s', async (ready, restarts, words) => {
    const { out } = await podcheck(['diagnose', '--from', '-'], { stdin: pods(ready, restarts) });
    expect(out.replaceAll(/\s+/g, ' ')).toContain(words);
  });
});

it('does not take lines of the kubelet for the log of a container', async () => {
  const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], {
    stdin: `E0223 14:26:55.771770   28836 operation_generator.go:567] MountVolume.NewMounter initialization failed for volume "goods" (UniqueName: "kubernetes.io/rbd/1-goods") pod "till-7xk2" (UID: "1") : no monitors\n`,
  });
  const { stages } = JSON.parse(out) as { readonly stages: readonly { readonly id: string; readonly verdict: string }[] };
  expect(stages.find(({ id }) => id === 'containers')?.verdict).not.toBe('passed');
});

it.each([
  ['"till-7xk2"/"shop"', 'until 1.6'],
  ['"shop"/"till-7xk2"', 'since'],
])('finds the pod in the order %s (%s)', async (named) => {
  const { out } = await podcheck(['diagnose', '--from', '-'], {
    stdin: `4m  2m  2  {kubelet n1}  Warning  FailedMount  Unable to mount volumes for pod "till-7xk2_shop(95609653-6f30-11e6-8513-42010a800005)": timeout expired waiting for volumes to attach/mount for pod ${named}. list of unattached/unmounted volumes=[goods]\n`,
  });
  expect(out).toContain('Pod shop/till-7xk2');
});

it('reads the steps of a runner, whose log has the time before each line', async () => {
  const lines = [
    '##[group]Run kubectl rollout status deployment/till --timeout=120s',
    'kubectl rollout status deployment/till --timeout=120s',
    'error: timed out waiting for the condition',
    '##[group]Run kubectl get pods',
    'NAME        READY   STATUS                       RESTARTS   AGE',
    'till-7xk2   0/1     CreateContainerConfigError   0          2m1s',
    '##[group]Run kubectl describe pod till-7xk2',
    'Name:             till-7xk2',
    'Namespace:        default',
    'Status:           Pending',
    'Events:',
    '  Type     Reason  Age               From     Message',
    '  ----     ------  ----              ----     -------',
    "  Warning  Failed  6s (x11 over 2m)  kubelet  Error: couldn't find key url in Secret default/till-env",
  ];
  const text = lines.map((line, index) => `2026-01-14T09:14:${String(10 + index)}.7723513Z ${line}\n`).join('');
  expect(await causeOf(text)).toBe('containers/secret-key-not-found');
});

it('takes the image from the event of its pull where a describe was cut before it', async () => {
  const described = (events: readonly string[]): string =>
    [
      'Name:             till-7xk2',
      'Namespace:        shop',
      'Status:           Pending',
      'Containers:',
      '  till:',
      '    State:          Waiting',
      '      Reason:       ImagePullBackOff',
      'Events:',
      '  Type     Reason   Age   From     Message',
      '  ----     ------   ----  ----     -------',
      ...events.map(
        (image) =>
          `  Warning  Failed   2m    kubelet  Failed to pull image "${image}": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/${image}": failed to resolve reference "docker.io/library/${image}": docker.io/library/${image}: not found`,
      ),
      '',
    ].join('\n');
  const { causes } = await answerTo(described(['till:9']));
  expect(causes[0]).toMatchObject({ rule: 'images/image-not-found', what: expect.stringContaining('till:9') as string });
  expect((await answerTo(described(['till:9', 'helper:2']))).causes).toEqual([]);
});

it('knows the claim of a pod of a StatefulSet by its name', async () => {
  const text = (claim: string): string =>
    [
      '$ kubectl get pods',
      'NAME     READY   STATUS    RESTARTS   AGE',
      'till-0   0/1     Pending   0          5m1s',
      '$ kubectl get pvc',
      'NAME     STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE',
      `${claim}   Pending                                      fast-ssd       5m1s`,
      '$ kubectl get sc',
      'NAME                 PROVISIONER             RECLAIMPOLICY   VOLUMEBINDINGMODE      ALLOWVOLUMEEXPANSION   AGE',
      'standard (default)   rancher.io/local-path   Delete          WaitForFirstConsumer   false                  6m',
      '$ kubectl get pv',
      'No resources found',
      '',
    ].join('\n');
  expect(await causeOf(text('goods-till-0'))).toBe('scheduling/claim-storage-class-not-found');
  expect(await causeOf(text('goods-till-1'))).toBeUndefined();
});
