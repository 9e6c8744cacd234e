import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { answerTo } from '../support/pasted-answer.ts';

/** The target and the first cause. */
async function told(text: string): Promise<string> {
  const { target, causes } = await answerTo(text);
  return `${target.kind}/${target.name} ${causes[0]?.rule ?? 'no cause'}`;
}

describe('an event that somebody shortened', () => {
  it.each([
    ['a mount without its volume', 'Warning  FailedMount  secret "till-keys" not found', 'Pod/<pod> volumes/secret-not-found'],
    [
      'a mount, as a comment',
      '# Warning  FailedMount  8s  kubelet  configmap "till-theme" not found',
      'Pod/<pod> volumes/configmap-not-found',
    ],
    [
      'a volume without the space behind it',
      'Events:\n  Warning  FailedMount  MountVolume.SetUp failed for volume "theme": configmap "till-theme" not found',
      'Pod/<pod> volumes/configmap-not-found',
    ],
    [
      'the only reason of the scheduler without its count',
      'Events:\n  Warning  FailedScheduling  0/2 nodes available: insufficient memory.',
      'Pod/<pod> scheduling/insufficient-resource',
    ],
    [
      'one of two reasons without its count',
      "0/3 nodes are available: Insufficient cpu, 1 node(s) had taint {shelf: cold}, that the pod didn't tolerate.",
      'Pod/<pod> scheduling/insufficient-resource',
    ],
    [
      'what no rule knows of a claim',
      'Events:\n  Warning  ProvisioningFailed  Failed to provision volume: the shelf is closed',
      'PersistentVolumeClaim/<persistentvolumeclaim> scheduling/claim-unbound',
    ],
  ])('is read: %s', async (_, text, expected) => {
    expect(await told(`${text}\n`)).toBe(expected);
  });

  it('is none where the words are a sentence', async () => {
    const { code } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], {
      stdin: 'Warning FailedMounts are what we see all the time in our till\n',
    });
    expect(code).toBe(2);
  });

  it('counts the nodes that the other reasons leave', async () => {
    const { causes } = await answerTo("0/5 nodes are available: Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector.\n");
    expect(causes[0]?.what).toMatch(/^3 of 5 nodes /);
  });
});

describe('a claim that stands alone', () => {
  const CLAIM = 'Name:          till-data\nNamespace:     shop\nStorageClass:  bulk\nStatus:        Pending\nVolume:\n';
  const HEAD = '  Type     Reason              Age                From                         Message\n';

  it('waits for its provisioner as long as its first event is old, which its description does not tell', async () => {
    const event = (age: string): string =>
      `  Normal   ExternalProvisioning  ${age}  persistentvolume-controller  waiting for a volume to be created, either by external provisioner "disk.csi.example" or manually created by system administrator\n`;
    const text = (age: string): string => `${CLAIM}Used By:       till-0\nEvents:\n${HEAD}${event(age)}`;
    const provisioned = text('4s (x9 over 2m)').replace(
      'Status:',
      'Annotations:   volume.kubernetes.io/storage-provisioner: disk.csi.example\nStatus:',
    );
    expect(await told(provisioned)).toBe('Pod/till-0 scheduling/claim-provisioner-not-running');
    expect(await told(provisioned.replace('4s (x9 over 2m)', '4s'))).toBe('Pod/till-0 no cause');
  });

  it('has no class where its provisioner is known and the class was not found', async () => {
    const annotation = 'Annotations:   volume.kubernetes.io/storage-provisioner: disk.csi.example\n';
    const event =
      '  Warning  ProvisioningFailed  12s (x9 over 2m)  persistentvolume-controller  storageclass.storage.k8s.io "bulk" not found\n';
    expect(await told(`${CLAIM}${annotation}Events:\n${HEAD}${event}`)).toBe(
      'PersistentVolumeClaim/till-data scheduling/claim-storage-class-not-found',
    );
  });

  it('waits for its first consumer without blame', async () => {
    const event =
      '  Normal  WaitForFirstConsumer  2m (x25 over 6m)  persistentvolume-controller  waiting for first consumer to be created before binding\n';
    expect(await told(`${CLAIM}Events:\n${HEAD}${event}`)).toBe('PersistentVolumeClaim/till-data no cause');
  });

  it('is the one that events behind its list are about', async () => {
    const list =
      'NAME        STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\ntill-data   Pending                                                     5m\n';
    const event =
      '  Normal   FailedBinding  8s (x3 over 36s)  persistentvolume-controller  no persistent volumes available for this claim and no storage class is set\n';
    expect(await told(`${list}Events:\n${HEAD}${event}`)).toBe('PersistentVolumeClaim/till-data scheduling/claim-no-matching-volume');
  });
});

describe('what a list of pods printed before the back-off', () => {
  const list = (...states: readonly string[]): string =>
    `NAME   READY   STATUS             RESTARTS   AGE\n${states.map((state) => `till   0/1     ${state.padEnd(18)} 2          26s\n`).join('')}`;
  const EVENTS =
    'Events:\n  Warning  BackOff  33s (x70 over 15m)  kubelet  Back-off restarting failed container till in pod till_default(1b2c)\n';

  it('tells how the container ended', async () => {
    expect(await told(list('OOMKilled', 'CrashLoopBackOff'))).toBe('Pod/till containers/oom-killed');
    expect(await told(`${list('Completed', 'CrashLoopBackOff')}\n${EVENTS}`)).toBe('Pod/till containers/container-completes');
    expect(await told(`${list('Completed')}\n${EVENTS}`)).toBe('Pod/till containers/container-completes');
  });

  it('tells nothing of a container that runs again, or that nothing says is started again', async () => {
    expect(await told(list('OOMKilled', 'CrashLoopBackOff', 'Running'))).toBe('Pod/till no cause');
    expect(await told(list('Completed'))).toBe('Pod/till no cause');
    expect(await told(`${list('CrashLoopBackOff')}\n${EVENTS}`)).toBe('Pod/till no cause');
  });

  it('is no end of its own where a probe had the container killed', async () => {
    const killed = '  Normal  Killing  40s (x7 over 15m)  kubelet  Container till failed liveness probe, will be restarted\n';
    expect(await told(`${list('Completed', 'CrashLoopBackOff')}\n${EVENTS}${killed}`)).not.toBe('Pod/till containers/container-completes');
  });
});

describe('a command that is indented, as in a numbered list', () => {
  it('says whose events follow', async () => {
    const text =
      '   NAME                  READY   STATUS              RESTARTS   AGE\n' +
      '   till-589f44dc88-bzxzj   0/1     ContainerCreating   0          6h\n' +
      '   till-589f44dc88-fbldt   0/1     ContainerCreating   0          6h\n' +
      '   kubectl describe pod till-589f44dc88-bzxzj -n shop\n' +
      '   Warning  FailedCreatePodSandBox  46m  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "6091": plugin type="loopback" failed (add): failed to find plugin "loopback" in path [/opt/cni/bin]\n';
    expect(await told(text)).toBe('Pod/till-589f44dc88-bzxzj sandbox/cni-plugin-binary-missing');
  });
});

describe('the description of a pod whose containers were left out', () => {
  const HEAD =
    'Name:         till\nNamespace:    shop\nPriority:     0\nNode:         worker-1/10.240.0.4\nStart Time:   Thu, 05 Mar 2026 22:05:04 +0000\n[...]\n';
  const described = (middle: string, ...events: readonly string[]): string =>
    `${HEAD}${middle}Events:\n  Type     Reason     Age  From  Message\n  ----     ------     ---- ----  -------\n  Normal   Scheduled  7m   default-scheduler  Successfully assigned shop/till to worker-1\n${events.map((event) => `  Warning  ${event}\n`).join('')}`;

  it.each([
    [
      'Failed     12s (x12 over 7m)  kubelet  Error: container has runAsNonRoot and image will run as root',
      'containers/run-as-non-root-violated',
    ],
    [
      'Failed     12s (x12 over 7m)  kubelet  Failed to pull image "shop/till:9": rpc error: code = NotFound desc = manifest for shop/till:9 not found',
      'images/image-not-found',
    ],
  ])('has its cause from the events: %s', async (event, rule) => {
    expect(await told(described('', event))).toBe(`Pod/till ${rule}`);
  });

  it('has its cause from the lines of a container that were kept', async () => {
    const lines = '    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n    Restart Count:  7\n...\n';
    expect(await told(described(lines, 'BackOff  12s (x12 over 7m)  kubelet  Back-off restarting failed container'))).toBe(
      'Pod/till containers/oom-killed',
    );
  });

  it('waits for nothing that was not seen', async () => {
    const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: described('') });
    const { stages } = JSON.parse(out) as { readonly stages: readonly { readonly id: string; readonly verdict: string }[] };
    expect(stages.find(({ id }) => id === 'volumes')?.verdict).toBe('unknown');
  });
});

describe('a command with a placeholder', () => {
  it('names nothing by it', async () => {
    const text =
      'NAME        READY   STATUS                       RESTARTS   AGE\ntill-cart   0/1     CreateContainerConfigError   0          30s\nkubectl describe pod <pod-name> -n shop\n# Error: configmap "till-theme" not found\n';
    expect(await told(text)).toBe('Pod/till-cart containers/configmap-not-found');
  });

  it.each(['$NAMESPACE', '${NAMESPACE}', '<namespace>'])('has no namespace from it: %s', async (namespace) => {
    const text = `$ kubectl get pods -n ${namespace}\nNAME   READY   STATUS      RESTARTS   AGE\ntill   0/1     OOMKilled   2          30s\n`;
    const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: text });
    expect(JSON.parse(out)).toMatchObject({ target: { namespace: 'default', name: 'till' } });
  });
});

describe('a list of unhealthy pods behind what apply has made', () => {
  it('is diagnosed by its first pod, as it is alone', async () => {
    const rows = ['till-fb9787cdf-gp955', 'till-fb9787cdf-pz4rc'].map(
      (name) => `${name}   0/1     CreateContainerConfigError   0          30s\n`,
    );
    const text = `$ kubectl apply -f till.yaml -n shop\ndeployment.apps/till created\n$ kubectl get pods -n shop\nNAME   READY   STATUS                       RESTARTS   AGE\n${rows.join('')}`;
    expect(await told(text)).toBe('Pod/till-fb9787cdf-gp955 no cause');
  });
});

describe('the only pod of a list that is ready again', () => {
  it('is the one whose container a probe had killed', async () => {
    const text =
      'NAME                   READY   STATUS    RESTARTS\ntill-6f886d7746-m5tkj   1/1     Running   2 (2m55s ago)\nEvents:\n  Normal   Killing    Container till failed liveness probe, will be restarted\n';
    expect(await told(text)).toBe('Pod/till-6f886d7746-m5tkj probes/liveness-probe-failing');
  });
});

describe('the state of a container on one line', () => {
  it.each([
    'State: Terminated  Reason: OOMKilled  Exit Code: 137',
    'Last State: Terminated   Reason: OOMKilled   Exit Code: 137',
    'Reason: OOMKilled  Exit Code: 137',
    'Last State: Terminated\n  Reason:     OOMKilled  Exit Code: 137\n  Started:    Fri, 06 Mar 2026 10:10:48 +0000\n  Finished:   Sun, 08 Mar 2026 11:46:19 +0000',
  ])('is read: %s', async (text) => {
    expect(await told(`${text}\n`)).toBe('Pod/<pod> containers/oom-killed');
  });
});

describe('the description of a Service without addresses', () => {
  const described = (annotations: string): string =>
    `$ kubectl describe svc till -n shop\nName:              till\nNamespace:         shop\nLabels:            <none>\n${annotations}Type:              ClusterIP\nIP:                10.0.0.118\nPort:              <unset>  80/TCP\nTargetPort:        8080/TCP\nEndpoints:         <none>\nSession Affinity:  None\nEvents:            <none>\n`;

  it.each([
    ['as kubectl prints it', 'Annotations:       <none>\nSelector:          app=till\n'],
    ['as kubectl up to 1.18 prints it, where annotations are left out', 'Annotations:       Selector:  app=till\n'],
  ])('names its selector: %s', async (_, annotations) => {
    const { out } = await podcheck(['diagnose', '--from', '-'], { stdin: described(annotations) });
    expect(out).toContain('no pod was seen that it selects');
    expect(out).not.toContain('the selector of');
  });
});

describe('a registry that says unauthorized and nothing else', () => {
  it('denies access', async () => {
    expect(await told('Failed to pull image "registry.example.com/till:2.3": unauthorized\n')).toBe('Pod/<pod> images/pull-access-denied');
  });
});

describe('the only pod of a list that was started again lately', () => {
  it('is the one that the events are about', async () => {
    const text =
      'Warning  Unhealthy  4s (x6 over 2m24s)   kubelet  spec.containers{till}: Liveness probe failed: Get "http://10.244.2.8:80/": context deadline exceeded\n' +
      'Normal   Killing    4s (x2 over 104s)    kubelet  spec.containers{till}: Container till failed liveness probe, will be restarted\n\n' +
      'NAME   READY   STATUS    RESTARTS       AGE\ncart   1/1     Running   1 (28m ago)    39m\ntill   1/1     Running   2 (46s ago)    4m36s\n';
    expect(await told(text)).toMatch(/^Pod\/till probes\/liveness-/);
  });
});

describe('the only pod of a list that is well', () => {
  const LIST = 'NAME   READY   STATUS    RESTARTS   AGE\ncart   1/1     Running   0          5d\n\n';
  const RESTARTED = LIST.replace('0          5d', '3 (40s ago) 5d');

  it.each([
    [LIST, '0/3 nodes are available: 3 Insufficient cpu.', 'scheduling/insufficient-resource'],
    [RESTARTED, '0/3 nodes are available: 3 Insufficient cpu.', 'scheduling/insufficient-resource'],
    [
      LIST,
      'Failed to pull image "shop/till:9": rpc error: code = NotFound desc = manifest for shop/till:9 not found',
      'images/image-not-found',
    ],
  ])('is not the one that waits: %s%s', async (list, words, rule) => {
    expect(await told(`${list}${words}\n`)).toBe(`Pod/<pod> ${rule}`);
  });
});

describe('a program that kubectl exec does not find', () => {
  const words = 'exec failed: unable to start container process: exec: "bash": executable file not found in $PATH: unknown\n';

  it('keeps no container from starting', async () => {
    const list = 'NAME   READY   STATUS    RESTARTS   AGE\ntill   1/1     Running   0          5m\n';
    expect(await told(`$ kubectl get pods\n${list}$ kubectl exec -it till -- bash\nOCI runtime exec failed: ${words}`)).toBe(
      'Pod/till no cause',
    );
    const { code } = await podcheck(['diagnose', '--from', '-'], { stdin: `OCI runtime exec failed: ${words}` });
    expect(code).toBe(2);
    expect(await told(`OCI runtime create failed: runc create failed: ${words.slice(13)}`)).toBe('Pod/<pod> containers/command-not-found');
  });
});

describe('a pod of which a part was pasted', () => {
  const refused = "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.";
  const fixOf = async (text: string): Promise<string | undefined> => (await answerTo(text)).causes[0]?.fix[0]?.run;
  const events = `Events:\n  Type     Reason            Age   From               Message\n  ----     ------            ----  ----               -------\n  Warning  FailedScheduling  12m   default-scheduler  ${refused}\n`;
  const patch = /^kubectl -n \w+ patch Deployment\/till -p '\{"spec":\{"template":[^|]*$/;

  it('has its Deployment changed, whose ReplicaSet its name tells of', async () => {
    const pods = 'NAME                    READY   STATUS    RESTARTS   AGE\ntill-7b5c9d7f9-x2x9k    0/1     Pending   0          12m\n';
    expect(await fixOf(`${pods}\n${events}`)).toMatch(patch);
  });

  it('has its Deployment changed, whose ReplicaSet a description without containers names', async () => {
    const description = [
      'Name:             till-0',
      'Namespace:        shop',
      'Node:             <none>',
      'Labels:           app=till',
      '                  pod-template-hash=7b5c9d7f9',
      'Status:           Pending',
      'Controlled By:    ReplicaSet/till-7b5c9d7f9',
    ];
    expect(await fixOf(`${description.join('\n')}\n${events}`)).toMatch(patch);
  });
});
