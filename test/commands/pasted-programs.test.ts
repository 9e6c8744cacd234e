import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { readTranscript } from '../../src/clusters/transcript/transcript.ts';
import { OPENINGS } from '../support/transcripts.ts';
import { podcheck } from '../support/command-line.ts';
import { diagnosed } from '../../src/commands/diagnose/diagnose.ts';

/**
 * What programs and old versions print, in texts that name no command: the rules of which any names the cause, and the text. None: no cause
 * may be named.
 */
const TEXTS: readonly (readonly [what: string, rules: readonly string[], text: string])[] = [
  [
    'a block that the words before it call a log',
    ['containers/permission-denied', 'containers/volume-permission-denied'],
    "The log of the till is short:\n```\nstarting the till\nmkdir: cannot create directory '/var/till': Permission denied\n```\n",
  ],
  [
    'the last words of a program in italics',
    ['containers/permission-denied'],
    "It never comes up, and all it writes is\n_/entry.sh: line 4: can't create /run/till.pid: Permission denied_\n",
  ],
  [
    'a Go program that gives up',
    ['containers/permission-denied', 'containers/volume-permission-denied'],
    '```\nError: open ledger-1.db: permission denied\nUsage:\n  till [flags]\n\npanic: cannot go on\n```\n',
  ],
  [
    'a row of pods without its title, and what the pod wrote',
    ['containers/permission-denied', 'containers/volume-permission-denied'],
    'shop     ledger-0     0/1     CrashLoopBackOff     7 (2m ago)     19m\n\nledger-0 Error opening store: open /var/lib/ledger/data.db: permission denied\n',
  ],
  ['a shell of the person', [], '-bash: /usr/local/bin/kubectl: Permission denied\n'],
  [
    'what a person says of permissions',
    [],
    'I was told that this is a matter of permissions: permission denied is all I hear from the administrators.\n',
  ],
  [
    'a request that a log tells was denied',
    ['authorization/forbidden'],
    '$ kubectl logs depot-0 -n shop\nE0203 08:00:01.000000       1 reflector.go:140] Failed to watch *v1.Secret: secrets is forbidden: User "system:serviceaccount:shop:depot" cannot list resource "secrets" in API group "" at the cluster scope\n',
  ],
  [
    'a table that names its events by their time',
    ['scheduling/claim-provisioning-failed'],
    'LAST SEEN   FIRST SEEN   COUNT     NAME                      KIND                    SUBOBJECT   TYPE      REASON               SOURCE                      MESSAGE\n4m          9m           3         ledger.158cbc9cafbad3ee   PersistentVolumeClaim               Normal    Provisioning         disks.example_worker-1_7    External provisioner is provisioning volume for claim "shop/ledger"\n3m          8m           3         ledger.158cbccc31343e39   PersistentVolumeClaim               Warning   ProvisioningFailed   disks.example_worker-1_7    failed to provision volume with StorageClass "fast": quota of the zone is used up\n',
  ],
  [
    'a claim that was bound after a failure',
    [],
    'Name:          ledger\nNamespace:     shop\nStorageClass:  fast\nStatus:        Bound\nVolume:        pvc-1\nLabels:        <none>\nEvents:\n  FirstSeen  LastSeen  Count  From                            SubobjectPath  Type     Reason              Message\n  ---------  --------  -----  ----                            -------------  ----     ------              -------\n  9m         9m        1      {persistentvolume-controller }                 Warning  ProvisioningFailed  Failed to provision volume with StorageClass "fast": exit status 1\n',
  ],
  [
    'a describe without its head, of a pod that is ready',
    [],
    'Containers:\n  till:\n    Image:          shop/till:4\n    State:          Running\n      Started:      Wed, 04 Mar 2026 10:00:00 +0000\n    Ready:          True\n    Restart Count:  0\nConditions:\n  Type      Status\n  Ready     True\nEvents:\n  FirstSeen  LastSeen  Count  From                SubobjectPath           Type     Reason     Message\n  ---------  --------  -----  ----                -------------           ----     ------     -------\n  2m         2m        1      {kubelet worker-1}  spec.containers{till}   Warning  Unhealthy  Readiness probe failed:\n',
  ],
  [
    'a service that an inspection finds ended',
    ['kubelet/kubelet-not-running'],
    'NAME       STATUS     ROLES    AGE   VERSION\nworker-1   NotReady   <none>   9d    v1.28.3\nworker-2   Ready      <none>   9d    v1.28.3\n\nInspecting services\n  Service snap.microk8s.daemon-containerd is running\n FAIL:  Service snap.microk8s.daemon-kubelite is not running\n',
  ],
  [
    'conditions that were cut off before Ready',
    ['kubelet/kubelet-down'],
    'Name:               worker-1\nRoles:              <none>\nTaints:             node.kubernetes.io/unreachable:NoSchedule\nUnschedulable:      false\nConditions:\n  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message\n  ----             ------    -----------------                 ------------------                ------              -------\n  MemoryPressure   Unknown   Mon, 02 Mar 2026 09:39:30 +0000   Mon, 02 Mar 2026 09:43:08 +0000   NodeStat',
  ],
  [
    'one row of pods that grep left, and a message',
    ['images/pull-access-denied'],
    'shop        till-7d9f-x2k4q      0/1   Init:ImagePullBackOff   0     21m\n\nthe reason is\nFailed to pull image "reg.shop.example/till:4": rpc error: code = Unknown desc = Error reading manifest 4 in reg.shop.example/till: unauthorized: access to the requested resource is not authorized\n',
  ],
  [
    'a row that was cut behind its source',
    ['images/pull-access-denied'],
    'Events:\n  Type     Reason   Age   From               Message\n  ----     ------   ----  ----               -------\n  Warning  Failed   16s   kubelet, worker-1  Failed to pull image "reg.shop.example/till:4": rpc error: code = Unknown desc = denied: requested access\nunauthorized: authentication required\n  Warning  Failed   3s    kubelet, worker-1',
  ],
  [
    'a Job of which only the events were seen',
    ['controllers/job-backoff-limit-exceeded'],
    '  Normal   SuccessfulCreate      9m   job-controller  Created pod: stocktaking-2wl6b\n  Warning  BackoffLimitExceeded  7m   job-controller  Job has reached the specified backoff limit\n',
  ],
  [
    'the status of a Job by itself',
    ['controllers/job-backoff-limit-exceeded'],
    'status:\n  conditions:\n  - lastTransitionTime: "2026-03-04T11:00:00Z"\n    message: Job has reached the specified backoff limit\n    reason: BackoffLimitExceeded\n    status: "True"\n    type: Failed\n  failed: 4\n',
  ],
  [
    'nodes that are not ready, told by the scheduler in one sentence',
    ['kubelet/node-not-ready'],
    '# the ledger: 0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/not-ready: }\n',
  ],
  [
    'nodes that the scheduler has found unreachable for hours',
    ['kubelet/kubelet-down'],
    '2m    Warning   FailedScheduling   pod/till-0   0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.\n9h    Warning   FailedScheduling   pod/till-0   0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.\n',
  ],
  [
    'a Go client that reaches nothing',
    ['containers/dependency-times-out'],
    'The resolver is in CrashLoopBackOff, and says:\nplugin/kubernetes: Get "https://10.32.0.1:443/version?timeout=32s": dial tcp 10.32.0.1:443: i/o timeout\n',
  ],
  [
    'a volume that was attached after all',
    [],
    '  Warning  FailedAttachVolume  71s  attachdetach-controller  Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can\'t be attached to another\n  Normal   Pulled   37s   kubelet, worker-1   Container image "shop/till:4" already present on machine\n  Normal   Started  37s   kubelet, worker-1   Started container till\n',
  ],
  [
    'a part of JSON that breaks off',
    ['containers/run-as-non-root-violated'],
    '```json\n    "containerStatuses": [\n      {\n        "image": "shop/till:4",\n        "name": "till",\n        "ready": false,\n        "state": {\n          "waiting": {\n            "message": "container has runAsNonRoot and image has non-numeric user (till), cannot verify user is non-root (pod: \\"till-0_shop(1)\\", container: till)",\n            "reason": "CreateContainerConfigError"\n          }\n',
  ],
  [
    'an autoscaler of which only the events were seen',
    ['controllers/hpa-no-metrics'],
    '  Warning  FailedGetResourceMetric       4m4s                  horizontal-pod-autoscaler  unable to get metrics for resource cpu: no metrics returned from resource metrics API\n  Warning  FailedComputeMetricsReplicas  76s (x11 over 3m49s)  horizontal-pod-autoscaler  failed to get cpu utilization: missing request for cpu\n',
  ],
  [
    'a describe that breaks off behind a command as long as the terminal is wide',
    [],
    `root@worker-1:~# kubectl -n shop describe pods till-${'x'.repeat(29)} \nName:             till-${'x'.repeat(29)}\nNamespace:        shop\nNode:             worker-1/10.0.0.1\nStatus:           Pending\nIP:               \nInit Containers:\n  init:\n    Image:         shop/till:4\n`,
  ],
  [
    'a Service with endpoints, in a list',
    [],
    '  - ```\n        $ kubectl -n shop describe svc till\n        Name:                     till\n        Namespace:                shop\n        Selector:                 app=till\n        Type:                     ClusterIP\n        IP:                       10.105.87.71\n        Port:                     http  80/TCP\n        TargetPort:               http/TCP\n        Endpoints:                10.244.0.233:80\n        Session Affinity:         None\n',
  ],
];

describe('a text from elsewhere', () => {
  it.each(TEXTS)('%s', async (_, rules, text) => {
    const { reader, recognised } = readTranscript(text, { openings: OPENINGS, name: 'pasted', written: Date.UTC(2026, 2, 4, 12) });
    const [cause] = recognised
      ? (await diagnosed({ reader, place: 'pasted', close: () => undefined }, await shippedRules(), {})).causes
      : [];
    expect(rules).toEqual(cause === undefined ? [] : expect.arrayContaining([cause.rule]));
  });
});

it('gives the log of a pod without a name to the one pod of a list that does not run, unless that one cannot have a log', () => {
  const listed = (status: string): string =>
    `NAME      READY   STATUS    RESTARTS   AGE\nledger-0  0/1     ${status}   3          9m\ntill-0    1/1     Running   0          9m\n\nlogs:\n\`\`\`\nledger: open /data/book: permission denied\n\`\`\`\n`;
  const podsOf = (text: string): readonly string[] =>
    readTranscript(text, { openings: OPENINGS, name: 'pasted', written: Date.UTC(2026, 2, 4, 12) }).evidence.logs.map(
      ({ pod }) => pod.name,
    );
  expect(podsOf(listed('CrashLoopBackOff'))).toEqual(['ledger-0']);
  expect(podsOf(listed('Pending'))).toEqual(['<pod>']);
});

it('says nothing wrong of the first of several pods that a list shows, and names no cause', async () => {
  const listed = (status: string): string =>
    `NAME      READY   STATUS    RESTARTS   AGE\nledger-0  0/1     ${status}   0          9m\ntill-0    0/1     ${status}   0          9m\n`;
  const outcomeOf = async (text: string): Promise<unknown> => {
    const { reader } = readTranscript(text, { openings: OPENINGS, name: 'pasted', written: Date.UTC(2026, 2, 4, 12) });
    const { outcome, causes, target, stages } = await diagnosed(
      { reader, place: 'pasted', close: () => undefined },
      await shippedRules(),
      {},
    );
    return { outcome, causes: causes.length, target: target.name, scheduling: stages.find(({ id }) => id === 'scheduling')?.verdict };
  };
  expect(await outcomeOf(listed('Init:Error'))).toMatchObject({ causes: 0, target: 'ledger-0', scheduling: 'passed' });
  expect(await outcomeOf(listed('Running').replaceAll('0/1', '1/1'))).toMatchObject({ outcome: 'healthy', causes: 0, target: 'ledger-0' });
});

it('calls a text inconclusive that has the conditions of something', async () => {
  const text =
    'status:\n  conditions:\n  - lastTransitionTime: "2026-03-04T10:08:20Z"\n    message: no client\n    reason: NoClient\n    status: "False"\n    type: Ready\n';
  const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: text });
  expect(JSON.parse(out)).toMatchObject({ outcome: 'inconclusive', causes: [] });
});

it('calls a text inconclusive that shows something of a cluster, but nothing that could be unhealthy', async () => {
  const text =
    'Name:             till\nNamespace:        shop\nDefault backend:  till:80 (<none>)\nRules:\n  Host          Path  Backends\n  ----          ----  --------\n  shop.example\n                /*    till:80 (<none>)\nAnnotations:\n';
  const { reader } = readTranscript(text, { openings: OPENINGS, name: 'pasted', written: Date.UTC(2026, 2, 4, 12) });
  expect(await diagnosed({ reader, place: 'pasted', close: () => undefined }, await shippedRules(), {})).toMatchObject({
    outcome: 'inconclusive',
    causes: [],
  });
});

describe('lines with their pod and container in front', () => {
  const FATAL = '{"level":"fatal","msg":"no store","error":"dial tcp 10.96.12.4:5432: connect: connection refused"}';

  it.each([
    ['kubectl logs --prefix', `[pod/till-6d4b75cb6d-hswqc/till] starting\n[pod/till-6d4b75cb6d-hswqc/till] ${FATAL}\n`],
    [
      'stern',
      `+ till-6d4b75cb6d-hswqc › till\ntill-6d4b75cb6d-hswqc till starting\ntill-6d4b75cb6d-hswqc till ${FATAL}\n- till-6d4b75cb6d-hswqc › till\n`,
    ],
    ['stern, without what it follows', `till-6d4b75cb6d-hswqc till starting\ntill-6d4b75cb6d-hswqc till ${FATAL}\n`],
    ['stern in all namespaces', `+ shop › till-6d4b75cb6d-hswqc › till\nshop till-6d4b75cb6d-hswqc till ${FATAL}\n`],
  ])('are the log of that container, without the command: %s', async (_, text) => {
    const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: text });
    const { target, causes } = JSON.parse(out) as {
      readonly target: { readonly name: string };
      readonly causes: readonly { readonly rule: string }[];
    };
    expect([target.name, causes[0]?.rule]).toEqual(['till-6d4b75cb6d-hswqc', 'containers/dependency-refuses-connection']);
  });

  it('may be numbered, where there are several', () => {
    const logsOf = (text: string): readonly string[] =>
      readTranscript(text, { openings: OPENINGS, name: 'pasted', written: Date.UTC(2026, 2, 4, 12) }).evidence.logs.map(
        ({ pod }) => pod.name,
      );
    const line = 'till-1 till counting the cash\n';
    expect([logsOf(line.repeat(3)), logsOf(line.repeat(2))]).toEqual([['till-1'], []]);
  });

  it('are rows of another command where each is of another pod or container', () => {
    const rows = 'till-6d4b75cb6d-hswqc till 1m 12Mi\ntill-6d4b75cb6d-hswqc proxy 2m 20Mi\ntill-6d4b75cb6d-kx2vz till 1m 12Mi\n';
    const { evidence } = readTranscript(rows, { openings: OPENINGS, name: 'pasted', written: Date.UTC(2026, 2, 4, 12) });
    expect(evidence.logs).toEqual([]);
  });
});
