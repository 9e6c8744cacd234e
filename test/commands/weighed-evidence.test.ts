import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import type { Scanned } from './scanned-text.ts';
import { scanned, rulesFor, EVENTS, row, podList, attempt } from './scanned-text.ts';

describe('what a description does not show', () => {
  const pending =
    'Name:         till-1\nNamespace:    till\nNode:         <none>\nStart Time:   Thu, 01 Jan 2026 10:00:00 +0000\nStatus:       Pending\nIP:\nContainers:\n  till:\n    Image:  shop/till:1\nConditions:\n  Type           Status\n  Initialized    True\nNode-Selectors:  <none>\nEvents:          <none>\n';

  it('is which scheduler the pod asks for, so that the silence of the default one proves nothing', async () => {
    const { causes, gaps } = await scanned(pending);
    expect(causes).toEqual([]);
    expect(gaps.map(({ needs }) => needs)).toContain('kubectl -n till get pod till-1 -o yaml');
  });
});

describe('a failed pod of a Job', () => {
  it('is made good by a later pod of the Job that succeeded', async () => {
    const { causes, counts } = await scanned(
      podList(
        attempt('load-aaaaa', { phase: 'Failed', job: 'load', at: '10', code: 2 }),
        attempt('load-bbbbb', { phase: 'Succeeded', job: 'load', at: '11', code: 0 }),
      ),
      'pods.json',
    );
    expect(causes).toEqual([]);
    expect(counts).toMatchObject({ healthy: 1, unhealthy: 0 });
  });

  it('is not made good by an earlier one, one of another index, or one of another Job', async () => {
    const failed = attempt('load-aaaaa', { phase: 'Failed', job: 'load', at: '10', code: 2, index: '0' });
    expect(
      await rulesFor(
        podList(failed, attempt('load-bbbbb', { phase: 'Succeeded', job: 'load', at: '09', code: 0, index: '0' })),
        'pods.json',
      ),
    ).toEqual(['containers/application-error-exit']);
    expect(
      await rulesFor(
        podList(failed, attempt('load-bbbbb', { phase: 'Succeeded', job: 'load', at: '11', code: 0, index: '1' })),
        'pods.json',
      ),
    ).toEqual(['containers/application-error-exit']);
    expect(
      await rulesFor(
        podList(failed, attempt('sort-bbbbb', { phase: 'Succeeded', job: 'sort', at: '11', code: 0, index: '0' })),
        'pods.json',
      ),
    ).toEqual(['containers/application-error-exit']);
  });

  it('is explained all the same to whoever asks for it by name', async () => {
    const text = podList(
      attempt('load-aaaaa', { phase: 'Failed', job: 'load', at: '10', code: 2 }),
      attempt('load-bbbbb', { phase: 'Succeeded', job: 'load', at: '11', code: 0 }),
    );
    const { out } = await podcheck(['diagnose', 'pod/load-aaaaa', '-n', 'till', '--from', '-', '-o', 'json'], { stdin: text });
    expect((JSON.parse(out) as Scanned).causes.map(({ rule }) => rule)).toEqual(['containers/application-error-exit']);
  });
});

/** A ready container that was restarted for the third time 15 seconds ago, after a run of so many hours. */
function restarted(hours: number, terminated: object): string {
  const [end, start] = [Date.parse('2026-02-03T10:00:00Z'), Date.parse('2026-02-03T10:00:00Z') - hours * 3_600_000];
  return podList({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'ledger-0', namespace: 'till', creationTimestamp: '2025-11-01T00:00:00Z' },
    spec: { nodeName: 'worker-2', containers: [{ name: 'ledger', image: 'registry.shop.example/ledger:9' }] },
    status: {
      phase: 'Running',
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Ready', status: 'True', lastTransitionTime: '2026-02-03T10:00:20Z' },
      ],
      containerStatuses: [
        {
          name: 'ledger',
          image: 'registry.shop.example/ledger:9',
          ready: true,
          started: true,
          restartCount: 3,
          state: { running: { startedAt: '2026-02-03T10:00:05Z' } },
          lastState: { terminated: { startedAt: new Date(start).toISOString(), finishedAt: new Date(end).toISOString(), ...terminated } },
        },
      ],
    },
  });
}

describe('a ready container that was just restarted', () => {
  it('is well when its last run was lost with the node', async () => {
    expect(await rulesFor(restarted(0.1, { exitCode: 255, reason: 'Unknown' }), 'pod.json')).toEqual([]);
  });

  it('is well after a run of hours: that is no loop', async () => {
    expect(await rulesFor(restarted(90, { exitCode: 1, reason: 'Error' }), 'pod.json')).toEqual([]);
  });

  it('keeps crashing as long as it has not outlived its short runs', async () => {
    expect(await rulesFor(restarted(0.1, { exitCode: 1, reason: 'Error' }), 'pod.json')).toEqual(['containers/application-error-exit']);
  });
});

describe('a listing', () => {
  const listing = (labels: string, title: string): string => `$ kubectl -n till get services -o wide
NAME   TYPE        CLUSTER-IP     EXTERNAL-IP   PORT(S)   AGE   SELECTOR
cart   ClusterIP   10.96.11.12    <none>        80/TCP    9d    app=cart

$ kubectl -n till get deployments
NAME   READY   UP-TO-DATE   AVAILABLE   AGE
cart   0/1     1            0           9d

$ kubectl -n till get endpoints
NAME   ENDPOINTS   AGE
cart   <none>      9d

$ kubectl -n till get pods${title === '' ? '' : ' --show-labels'}
NAME                    READY   STATUS    RESTARTS   AGE${title}
cart-6d9f8b7c5d-2x9kq   0/1     Pending   0          4m${labels}
`;

  it('that shows no labels does not tell whom a Service selects', async () => expect(await rulesFor(listing('', ''))).toEqual([]));

  it('that shows labels tells that a Service selects none of them', async () => {
    const template =
      'Name:       cart\nNamespace:  till\nPod Template:\n  Labels:  app=basket\n  Containers:\n   cart:\n    Image:  registry.shop.example/cart:1\nReplicas:   1 desired | 1 updated | 1 total | 0 available | 1 unavailable\n';
    const rules = await rulesFor(`${listing('    app=basket', '   LABELS')}\n$ kubectl -n till describe deployment cart\n${template}`);
    expect(rules).toContain('endpoints/selector-matches-no-pod');
  });
});

describe('a text that was cut off', () => {
  const nodes = (names: readonly string[], status: string, role: string): string =>
    `$ kubectl get nodes\nNAME       STATUS                     ROLES           AGE   VERSION\n${names.map((name) => `${name.padEnd(11)}${status.padEnd(27)}${role.padEnd(16)}12d   v1.33.2\n`).join('')}`;
  const pod =
    '\n$ kubectl -n till describe pod scale-0\nName:             scale-0\nNamespace:        till\nNode:             <none>\nStatus:           Pending\nContainers:\n  scale:\n    Image:      registry.shop.example/scale:2\nConditions:\n  Type           Status\n  PodScheduled   False\nEvents:\n  Type     Reason            Age   From               Message\n';

  it('before the words of the scheduler does not make the nodes of the control plane all there are', async () => {
    const { causes, gaps } = await scanned(nodes(['cp-1', 'cp-2'], 'Ready,SchedulingDisabled', 'control-plane') + pod);
    expect(causes).toEqual([]);
    expect(gaps.map(({ needs }) => needs)).toContain('kubectl -n till describe pod scale-0');
  });

  it('names the nodes that are cordoned where they are the ones that do the work', async () => {
    expect(await rulesFor(nodes(['worker-1', 'worker-2'], 'Ready,SchedulingDisabled', '<none>') + pod)).toEqual([
      'scheduling/node-cordoned',
    ]);
  });

  it('of which the scheduler counts more nodes than it shows does not show all nodes', async () => {
    const words =
      '  ------   ------            ----  ----               -------\n  Warning  FailedScheduling  63s   default-scheduler  0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient memory. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.\n';
    expect(await rulesFor(nodes(['worker-1'], 'Ready,SchedulingDisabled', '<none>') + pod + words)).toEqual([
      'scheduling/insufficient-resource',
    ]);
  });
});

describe('a file that tells nothing but when its objects were created', () => {
  it('does not make a pod wait since then: when the file was read is not known', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'till-0', namespace: 'till', creationTimestamp: '2021-02-03T10:00:00Z' },
      spec: { containers: [{ name: 'till', image: 'registry.shop.example/till:1' }] },
      status: { phase: 'Pending' },
    };
    expect(await rulesFor(podList(pod), 'pod.json')).toEqual([]);
  });
});

describe('a Service that a workload calls and that does not exist', () => {
  const text = (used: number): string => `$ kubectl -n till get services
NAME   TYPE        CLUSTER-IP     EXTERNAL-IP   PORT(S)    AGE
cart   ClusterIP   10.96.12.7     <none>        8080/TCP   9m
$ kubectl -n till describe resourcequota few-services
Name:       few-services
Namespace:  till
Resource    Used  Hard
--------    ----  ----
services    ${String(used)}     3
$ kubectl -n till describe deployment shelf
Name:                   shelf
Namespace:              till
Selector:               app=shelf
Labels:                 app=shelf
Replicas:               1 desired | 1 updated | 1 total | 1 available | 0 unavailable
Pod Template:
  Labels:  app=shelf
  Containers:
   shelf:
    Image:      shop/shelf:2
    Environment:
      STOCK_ADDR:  stock:8080
    Mounts:        <none>
  Volumes:         <none>
$ kubectl -n till describe pod shelf-7d9c8b6f5d-4xk2p
Name:             shelf-7d9c8b6f5d-4xk2p
Namespace:        till
Node:             worker-1/10.0.0.11
Labels:           app=shelf
                  pod-template-hash=7d9c8b6f5d
Status:           Running
IP:               10.88.0.7
Controlled By:    ReplicaSet/shelf-7d9c8b6f5d
Containers:
  shelf:
    Image:          shop/shelf:2
    State:          Running
    Ready:          True
    Restart Count:  0
Conditions:
  Type     Status
  Ready    True
$ kubectl -n till logs shelf-7d9c8b6f5d-4xk2p
cannot read stock: dial tcp: lookup stock on 10.96.0.10:53: no such host
`;

  it('is a wrong address, unless a quota has no room for one more Service: it may have been rejected', async () => {
    expect(await rulesFor(text(1))).toEqual(['traffic/wrong-service-address']);
    const { causes, gaps } = await scanned(text(3));
    expect(causes.map(({ rule }) => rule)).not.toContain('traffic/wrong-service-address');
    expect(gaps.map(({ needs }) => needs)).toContain('kubectl -n till apply --dry-run=server -f <file of Service stock>');
  });
});

describe('a ReplicaSet whose Deployment was not shown', () => {
  it('is explained by the cause at its Deployment', async () => {
    const text = `$ kubectl -n till describe replicaset cart-5cddc7cc77
Name:           cart-5cddc7cc77
Namespace:      till
Controlled By:  Deployment/cart
Replicas:       0 current / 2 desired
Pods Status:    0 Running / 0 Waiting / 0 Succeeded / 0 Failed
Conditions:
  Type             Status  Reason
  ----             ------  ------
  ReplicaFailure   True    FailedCreate
Events:
  Type     Reason        Age   From                   Message
  ----     ------        ----  ----                   -------
  Warning  FailedCreate  4s    replicaset-controller  Error creating: pods "cart-5cddc7cc77-" is forbidden: error looking up service account till/cart: serviceaccount "cart" not found
`;
    const { causes, unexplained } = await scanned(text);
    expect(causes.map(({ rule }) => rule)).toEqual(['mutating-admission/service-account-not-found']);
    expect(unexplained).toEqual([]);
  });
});

describe('an answer of the API server that is cut off', () => {
  it('is still known by its first words', async () => {
    expect(
      await rulesFor(
        'Error from server (BadRequest): error when creating "till.yaml": Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal nu',
      ),
    ).toEqual(['schema-validation/wrong-type']);
  });
});

describe('a pod that the kubelet rejected in the second in which it was assigned', () => {
  it('stays rejected, whichever of the two events is printed last', async () => {
    const head = EVENTS;
    const rejected = row('3s', 'Warning', 'SysctlForbidden', 'pod/press-0', 'forbidden sysctl: "kernel.shm_rmid_forced" not allowlisted');
    const assigned = (age: string): string =>
      row(age, 'Normal', 'Scheduled', 'pod/press-0', 'Successfully assigned till/press-0 to worker-2');
    expect(await rulesFor(head + rejected + assigned('2s'))).toEqual(['kubelet/sysctl-forbidden']);
    expect(
      await rulesFor(
        head +
          row('90s', 'Warning', 'SysctlForbidden', 'pod/press-0', 'forbidden sysctl: "kernel.shm_rmid_forced" not allowlisted') +
          assigned('2s'),
      ),
    ).toEqual([]);
  });
});

describe('a pod of which it is not known what it asks of its node', () => {
  it('is undecided, with the words of the scheduler and the command that shows it', async () => {
    const { causes, gaps } = await scanned(
      EVENTS +
        row(
          '40s',
          'Warning',
          'FailedScheduling',
          'pod/press-0',
          "0/5 nodes are available: 2 node(s) were unschedulable, 3 node(s) didn't match Pod's node affinity/selector.",
        ),
    );
    expect(causes).toEqual([]);
    expect(gaps).toContainEqual(
      expect.objectContaining({
        reason: expect.stringContaining('2 node(s) were unschedulable, 3 node(s)') as string,
        needs: 'kubectl -n till get pod press-0 -o yaml',
      }),
    );
  });
});

describe('a Job that reached its backoffLimit', () => {
  const created = row('50s', 'Normal', 'SuccessfulCreate', 'job/restock', 'Created pod: restock-7wq2x');
  const over = row('20s', 'Warning', 'BackoffLimitExceeded', 'job/restock', 'Job has reached the specified backoff limit');
  const failed = row(
    '48s',
    'Warning',
    'Failed',
    'pod/restock-7wq2x',
    'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "rstock": executable file not found in $PATH: unknown',
  );

  it('is told as the effect of why its pod failed, which the event of its creation ties to it', async () => {
    expect(await rulesFor(EVENTS + created + over)).toEqual(['controllers/job-backoff-limit-exceeded']);
    expect(await rulesFor(EVENTS + created + failed + over)).toEqual(['containers/command-not-found']);
  });

  it('is told as the effect of the exit code that its pods show', async () => {
    const owner = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'restock', uid: 'j1', controller: true }];
    const spec = { restartPolicy: 'Never', containers: [{ name: 'restock', image: 'shop/restock:3' }] };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'restock-7wq2x', namespace: 'till', ownerReferences: owner },
      spec,
      status: {
        phase: 'Failed',
        containerStatuses: [
          { name: 'restock', ready: false, restartCount: 0, imageID: 'x', state: { terminated: { exitCode: 3, reason: 'Error' } } },
        ],
      },
    };
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'restock', namespace: 'till', uid: 'j1' },
      spec: { template: { spec } },
      status: {
        failed: 1,
        conditions: [
          { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
        ],
      },
    };
    expect(await rulesFor(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [job, pod] }), 'shop.json')).toEqual([
      'containers/application-error-exit',
    ]);
  });
});

describe('a journal of a kubelet that somebody printed', () => {
  const line = (text: string): string => `Apr 16 22:26:30 till-2 kubelet[10125]: ${text}\n`;
  const journal = `$ journalctl -u kubelet -f\n${line('E0416 22:26:30.150357   10125 kubelet.go:2373] "Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"')}`;

  it('shows a kubelet that runs, unless its last words are of an end', async () => {
    expect(await rulesFor(journal)).not.toContain('kubelet/kubelet-not-running');
    expect(
      await rulesFor(
        journal +
          line(
            'E0416 22:26:31.001001   10125 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported"',
          ),
      ),
    ).toContain('kubelet/kubelet-not-running');
  });
});

describe('why a volume cannot be mounted', () => {
  it('still counts when the last event only says that the kubelet has waited for it', async () => {
    const pod = 'pod/press-6658dfb778-t5kh5';
    const assigned = row('4m44s', 'Normal', 'Scheduled', pod, 'Successfully assigned till/press-6658dfb778-t5kh5 to worker-1');
    const failed = row(
      '102s',
      'Warning',
      'FailedMount',
      pod,
      'MountVolume.SetUp failed for volume "export" : mount failed: exit status 32 Mounting arguments: -t nfs files.shop.example:/export /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/export Output: mount.nfs: Connection timed out',
    );
    const waited = row(
      '27s',
      'Warning',
      'FailedMount',
      pod,
      'Unable to attach or mount volumes: unmounted volumes=[export], unattached volumes=[export kube-api-access-rhbw9]: timed out waiting for the condition',
    );
    expect(await rulesFor(EVENTS + assigned + failed + waited)).toEqual(['volumes/nfs-mount-failed']);
    expect(await rulesFor(EVENTS + assigned + waited)).toEqual(['volumes/mount-failed']);
  });
});
