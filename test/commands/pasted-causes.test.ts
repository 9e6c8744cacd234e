import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

interface Told {
  readonly outcome?: string;
  readonly causes: readonly {
    readonly rule: string;
    readonly title: string;
    readonly object: { readonly kind: string; readonly name: string };
    readonly params: Readonly<Record<string, unknown>>;
    readonly fix: readonly { readonly run?: string }[];
    readonly evidence: readonly { readonly quote: string }[];
  }[];
}

async function said(verb: 'diagnose' | 'scan', text: string, ...more: readonly string[]): Promise<Told & { readonly code: number }> {
  const { out, code } = await podcheck([verb, ...more, '--from', `${folderWith({ 'shop.txt': text })}/shop.txt`, '-o', 'json']);
  return { ...(JSON.parse(out) as Told), code };
}

const rulesOf = ({ causes }: Told): readonly string[] => causes.map(({ rule }) => rule);

describe('an evicted pod, of whose describe only the first lines are left', () => {
  it.each([
    ['The node was low on resource: pids. ', 'kubelet/node-pid-pressure'],
    ['The node had condition: [DiskPressure]. ', 'kubelet/node-disk-pressure'],
    ['Usage of EmptyDir volume "cache" exceeds the limit "1Gi". ', 'containers/ephemeral-storage-exceeded'],
  ])('was evicted because: %s', async (message, rule) => {
    const text = `Name:       till-5c8d9\nNamespace:  shop\nNode:       worker-1/\nStatus:     Failed\nReason:     Evicted\nMessage:    ${message}\n`;
    expect(rulesOf(await said('diagnose', text))).toEqual([rule]);
  });
});

describe('a line of the kubelet about a volume', () => {
  const line = (file: string, words: string): string => `E0709 11:20:31.204511    2113 ${file}] ${words}\n`;
  const operation = (words: string): string =>
    line(
      'nestedpendingoperations.go:348',
      `Operation for "{volumeName:kubernetes.io/csi/ebs.csi.aws.com^vol-7 podName: nodeName:}" failed. No retries permitted until 2025-07-09 11:22:33 +0000 UTC m=+99.1 (durationBeforeRetry 2m2s). Error: ${words}`,
    );

  it('says what the event does, whatever it adds of the volume, the pod and the node', async () => {
    const missing = operation(
      'MountVolume.SetUp failed for volume "prices" (UniqueName: "kubernetes.io/configmap/4d-prices") pod "till-0" (UID: "4d") : configmap "price-list" not found',
    );
    expect(rulesOf(await said('diagnose', missing))).toEqual(['volumes/configmap-not-found']);
    const slow = operation(
      'AttachVolume.Attach failed for volume "pvc-7" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-7") from node "worker-2" : timed out waiting for external-attacher of ebs.csi.aws.com CSI driver to attach volume vol-7',
    );
    const [cause, ...others] = (await said('scan', slow)).causes;
    expect(cause?.params).toMatchObject({ volume: 'pvc-7', driver: 'ebs.csi.aws.com' });
    expect(others).toEqual([]);
  });

  it('is proved by what it says, and told once', async () => {
    const { causes } = await said(
      'scan',
      line(
        'csi_attacher.go:364',
        'kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name nfs.csi.k8s.io not found in the list of registered CSI drivers',
      ),
    );
    expect(causes.map(({ rule }) => rule)).toEqual(['volumes/csi-driver-not-found']);
    expect(causes[0]?.evidence.map(({ quote }) => quote).join()).toContain('nfs.csi.k8s.io not found');
  });

  it('never becomes a state that nobody asked systemd for', async () => {
    const told = await said(
      'scan',
      line(
        'kubelet.go:2862',
        '"Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"',
      ),
    );
    expect(told.causes.flatMap(({ evidence }) => evidence.map(({ quote }) => quote)).join()).not.toContain('Active:');
  });
});

const ended = (restartPolicy: string, phase: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'stocktake', namespace: 'shop', uid: 's1', creationTimestamp: '2025-07-09T11:00:00Z' },
    spec: { restartPolicy, nodeName: 'worker-1', containers: [{ name: 'count', image: 'shop/count:2' }] },
    status: {
      phase,
      containerStatuses: [
        {
          name: 'count',
          image: 'shop/count:2',
          imageID: 'shop/count@sha256:1',
          ready: false,
          restartCount: phase === 'Failed' ? 0 : 3,
          ...(phase === 'Failed'
            ? {
                state: {
                  terminated: { exitCode: 4, reason: 'Error', startedAt: '2025-07-09T11:00:05Z', finishedAt: '2025-07-09T11:00:09Z' },
                },
              }
            : {
                state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container' } },
                lastState: {
                  terminated: { exitCode: 4, reason: 'Error', startedAt: '2025-07-09T11:02:05Z', finishedAt: '2025-07-09T11:02:09Z' },
                },
              }),
        },
      ],
    },
  });

describe('a container that exits with an error', () => {
  it('and is never started again is in no CrashLoopBackOff and has no previous log', async () => {
    const [cause] = (await said('diagnose', ended('Never', 'Failed'))).causes;
    expect(cause?.title).toBe('The container exits with an error code');
    expect(cause?.fix[0]?.run).toBe('kubectl -n shop logs stocktake -c count');
  });

  it('and is restarted is in CrashLoopBackOff, and its log is that of the previous run', async () => {
    const [cause] = (await said('diagnose', ended('Always', 'Running'))).causes;
    expect(cause?.title).toBe('CrashLoopBackOff: the container exits with an error code');
    expect(cause?.fix[0]?.run).toBe('kubectl -n shop logs stocktake -c count --previous');
  });
});

describe('two faults', () => {
  const container = (name: string, state: object): object => ({
    name,
    image: `shop/${name}:3`,
    imageID: '',
    ready: false,
    restartCount: 2,
    ...state,
  });

  it('of two containers of one pod are both named, also by a termination message alone', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'till', namespace: 'shop', uid: 't1', creationTimestamp: '2025-07-09T11:00:00Z' },
      spec: {
        nodeName: 'worker-1',
        containers: [
          { name: 'till', image: 'shop/till:3' },
          { name: 'printer', image: 'shop/printer:3' },
        ],
      },
      status: {
        phase: 'Pending',
        containerStatuses: [
          container('till', {
            state: {
              waiting: {
                reason: 'ImagePullBackOff',
                message:
                  'Back-off pulling image "shop/till:3": ErrImagePull: rpc error: code = NotFound desc = failed to resolve reference "docker.io/shop/till:3": docker.io/shop/till:3: not found',
              },
            },
          }),
          container('printer', {
            state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s restarting failed container' } },
            lastState: {
              terminated: {
                exitCode: 1,
                reason: 'Error',
                message: 'fatal: environment variable PRINTER_HOST is not set',
                startedAt: '2025-07-09T11:02:05Z',
                finishedAt: '2025-07-09T11:02:09Z',
              },
            },
          }),
        ],
      },
    };
    expect(rulesOf(await said('diagnose', JSON.stringify(pod)))).toEqual([
      'images/image-not-found',
      'containers/environment-variable-missing',
    ]);
    const silent = JSON.stringify(pod).replace('fatal: environment variable PRINTER_HOST is not set', '');
    expect(rulesOf(await said('diagnose', silent))).toEqual(['images/image-not-found', 'containers/application-error-exit']);
  });

  const describedPod = (name: string, rest: string): string =>
    `$ kubectl describe pod ${name} -n shop\nName:           ${name}\nNamespace:      shop\nNode:           worker-1/10.0.0.11\nControlled By:  ReplicaSet/till-7d9c6b5f4\n${rest}\n`;
  const TWO_PODS =
    describedPod(
      'till-7d9c6b5f4-2kq8x',
      'Status:         Running\nContainers:\n  till:\n    Image:          shop/till:3\n    State:          Running\n      Started:      Wed, 09 Jul 2025 11:00:05 +0000\n    Ready:          False\n    Restart Count:  0\n    Readiness:      http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3\nEvents:\n  Type     Reason     Age                From     Message\n  ----     ------     ----               ----     -------\n  Warning  Unhealthy  5s (x60 over 10m)  kubelet  Readiness probe failed: HTTP probe failed with statuscode: 404',
    ) +
    describedPod(
      'till-7d9c6b5f4-9wz4r',
      'Status:         Pending\nContainers:\n  till:\n    Image:          shop/till:3\n    State:          Waiting\n      Reason:       ContainerCreating\n    Ready:          False\n    Restart Count:  0\nEvents:\n  Type     Reason       Age                From     Message\n  ----     ------       ----               ----     -------\n  Warning  FailedMount  5s (x12 over 10m)  kubelet  MountVolume.SetUp failed for volume "tls" : secret "till-tls" not found',
    );

  it('of two pods of one workload are both named, by diagnose as by scan', async () => {
    const [diagnosis, scan] = [await said('diagnose', TWO_PODS), await said('scan', TWO_PODS)];
    expect(rulesOf(diagnosis)).toEqual(['volumes/secret-not-found', 'probes/readiness-wrong-path']);
    expect(rulesOf(scan)).toEqual(rulesOf(diagnosis));
  });
});

describe('a Service that was printed by itself', () => {
  const TEXT =
    '$ kubectl get pods -n shop --show-labels\nNAME     READY   STATUS    RESTARTS   AGE   LABELS\ntill-1   1/1     Running   0          3m    app=till\n' +
    '$ kubectl describe svc till -n shop\nName:              till\nNamespace:         shop\nLabels:            <none>\nSelector:          app=tills\nType:              ClusterIP\nIP:                10.96.0.5\nPort:              <unset>  80/TCP\nTargetPort:        80/TCP\nEndpoints:         <none>\nSession Affinity:  None\nEvents:            <none>\n';

  it('is not blamed for labels that a table does not show', async () => {
    const listing =
      '$ kubectl get pods -n shop\nNAME     READY   STATUS    RESTARTS   AGE\ntill-1   1/1     Running   0          3m\n\n' +
      '$ kubectl get svc -n shop -o wide\nNAME   TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE   SELECTOR\ntill   ClusterIP   10.96.0.5    <none>        80/TCP    3m    app=till\n\n' +
      '$ kubectl get endpoints -n shop\nNAME   ENDPOINTS   AGE\ntill   <none>      3m\n';
    expect(rulesOf(await said('diagnose', listing, 'svc/till', '-n', 'shop'))).not.toContain('endpoints/selector-matches-no-pod');
    expect(rulesOf(await said('scan', listing))).not.toContain('endpoints/selector-matches-no-pod');
  });

  it('is judged alike by diagnose and by scan', async () => {
    expect(rulesOf(await said('diagnose', TEXT))).toEqual(['endpoints/selector-matches-no-pod']);
    expect(rulesOf(await said('scan', TEXT))).toEqual(['endpoints/selector-matches-no-pod']);
  });
});

describe('a Job that is suspended on purpose', () => {
  const JOB = JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'stocktake', namespace: 'shop', uid: 'j1', creationTimestamp: '2025-07-09T11:00:00Z' },
    spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'count', image: 'shop/count:2' }] } } },
    status: { conditions: [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }] },
  });

  it('is healthy while nobody asks about it', async () => {
    const { outcome, code, causes } = await said('diagnose', JOB);
    expect([outcome, code, causes]).toEqual(['healthy', 0, []]);
  });

  it('has its suspension as the cause for whoever asks why it does not run', async () => {
    const { code, causes } = await said('diagnose', JOB, 'job/stocktake', '-n', 'shop');
    expect([code, causes.map(({ rule }) => rule)]).toEqual([1, ['controllers/job-suspended']]);
  });
});

describe('what a describe shows of init containers before it is cut', () => {
  const INIT =
    'Init Containers:\n  fetch:\n    Container ID:   docker://9c1\n    Image:          shop/fetch:2\n    State:          Waiting\n      Reason:       CrashLoopBackOff\n    Last State:     Terminated\n      Reason:       Error\n      Message:      price list: status 403\n      Exit Code:    1\n      Started:      Wed, 09 Jul 2025 11:00:05 +0000\n      Finished:     Wed, 09 Jul 2025 11:00:06 +0000\n    Ready:          False\n    Restart Count:  16\n';

  it('is a failed start, with and without the first lines', async () => {
    expect(rulesOf(await said('diagnose', INIT))).toEqual(['containers/init-container-failed']);
    const head = 'Name:           till-0\nNamespace:      shop\nNode:           worker-1/10.0.0.11\nStatus:         Pending\n';
    expect(rulesOf(await said('diagnose', head + INIT))).toEqual(['containers/init-container-failed']);
  });

  it('says nothing of the containers behind it', async () => {
    const done = INIT.replace(
      'Waiting\n      Reason:       CrashLoopBackOff',
      'Terminated\n      Reason:       Completed\n      Exit Code:    0',
    ).replace(/    Last State:[^]*$/, '    Ready:          True\n');
    const { outcome, causes } = await said(
      'diagnose',
      `Name:           till-0\nNamespace:      shop\nNode:           worker-1/10.0.0.11\nStatus:         Pending\n${done}`,
    );
    expect([outcome, causes]).toEqual(['inconclusive', []]);
  });
});

describe('a text that names things of Kubernetes, but no cause', () => {
  it.each([
    'Our pipeline ends here: waiting for pod ci/runner-42-concurrent-0 to be running, status is Pending\n',
    'helm upgrade --install till ./chart --wait\nError: UPGRADE FAILED: timed out waiting for the condition\n',
    'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n  uid: u-1\n  deletionTimestamp: "2026-01-15T11:00:00Z"\nstatus:\n  phase: Terminating\n',
    'The console says: ReplicaSet "till-7468c987d8" has timed out progressing.; Deployment does not have minimum availability\n',
    'Conditions:\nType           Status  Reason\n   ----           ------  ------\n Available      False   MinimumReplicasUnavailable\nProgressing    False   ProgressDeadlineExceeded\n',
  ])('is inconclusive and says what to look at: %s', async (text) => {
    const { outcome, code } = await said('diagnose', text);
    expect([outcome, code]).toEqual(['inconclusive', 3]);
    const { out } = await podcheck(['diagnose', '--from', `${folderWith({ 'shop.txt': text })}/shop.txt`]);
    expect(out).toContain('kubectl get pods -A && kubectl describe pod <pod>');
  });

  it('is refused when it is of something else', async () => {
    const text = 'The bread was late again, and the oven of the second shop is broken.\nCall the electrician.\n';
    expect((await podcheck(['diagnose', '--from', `${folderWith({ 'shop.txt': text })}/shop.txt`])).code).toBe(2);
  });
});

describe('words of old versions', () => {
  it.each([
    [
      'Error creating: pods "till-5-" is forbidden: Failed quota: team: must specify cpu,memory\n',
      'validating-admission/quota-requires-resources',
    ],
    [
      'Error creating: pods "till-5-" is forbidden: Exceeded quota: team, requested: limits.cpu=384m, used: limits.cpu=384m, limited: limits.cpu=384m\n',
      'validating-admission/quota-exceeded',
    ],
    ['2018/12/12 13:33:22 [FATAL] plugin/loop: Seen "HINFO IN 70877.91060." more than twice, loop detected\n', 'traffic/dns-loop'],
  ])('mean what the new ones do: %s', async (text, rule) => {
    expect(rulesOf(await said('diagnose', text))).toEqual([rule]);
  });
});

it('takes a call of a webhook that never arrived for no answer of it, also where the error is cut', async () => {
  const text =
    'Error: UPGRADE FAILED: failed to create resource: Internal error occurred: failed calling webhook "check.shop.example": Post https://check.shop.svc:443/validate?timeout=30s: dial tcp 10.96.3.24:443: i/o ti\n';
  expect(rulesOf(await said('diagnose', text))).toEqual(['validating-admission/webhook-unreachable']);
});

it('names a probe whose command is missing, also where a table of events does not tell the container', async () => {
  const row = (age: string): string =>
    `${age.padEnd(12)}Warning   Unhealthy   pod/till-7d9c6b5f4-2kq8x   Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "15b6${age}": OCI runtime exec failed: exec failed: unable to start container process: exec: "/bin/check": stat /bin/check: no such file or directory\n`;
  const events = `LAST SEEN   TYPE      REASON      OBJECT                     MESSAGE\n${row('21s')}${row('16s')}${row('11s')}${row('1s')}`;
  const [cause] = (await said('diagnose', events)).causes;
  expect(cause?.rule).toBe('probes/readiness-probe-command-not-found');
});
