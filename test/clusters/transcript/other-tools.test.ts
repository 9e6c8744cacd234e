import { describe, expect, it } from 'vitest';
import { dig } from '../../../src/base/json.ts';
import { eventsIn, fieldOf, read, recordsIn, refsIn } from '../../support/transcripts.ts';

describe('what a tool says of a pod', () => {
  const LACKS = 'MountVolume.SetUp failed for volume "keys" : secret "till-keys" not found';

  it.each([
    [
      'Airflow',
      `[2026-11-20] Pod not yet started: load-stock-7x2k\n[2026-11-20] ERROR - Pod Event: FailedMount - ${LACKS}\n`,
      'default/load-stock-7x2k',
    ],
    ['a runner of GitLab', `Waiting for pod ci/runner-9 to be running, status is Pending\nERROR: prepare: ${LACKS}\n`, 'ci/runner-9'],
    ['Pulumi', `error: 2 errors occurred:\n\t* resource till/cart timed out\n\t* [Pod till/cart-0]: unready -- ${LACKS}\n`, 'till/cart-0'],
    ['Jenkins', `Created Pod: kubernetes ci/build-4\n[Warning][ci/build-4][FailedMount] ${LACKS}\nStill waiting\n`, 'ci/build-4'],
  ])('is about the pod that it names: %s', (_, text, pod) => {
    expect(eventsIn(read(text)).at(0)).toContain(`FailedMount x1 Pod/${pod}: ${LACKS}`);
  });

  it('is all that Airflow prints of it, each an event of its own', () => {
    const PLACE = '0/3 nodes are available: 3 Insufficient cpu.';
    const text = `[2026-11-20, 05:46:29 UTC] {pod.py:961} INFO - Pod Event: FailedScheduling - ${PLACE}\n[2026-11-20, 05:49:30 UTC] {pod.py:961} ERROR - Pod Event: FailedMount - ${LACKS}\n`;
    expect(eventsIn(read(text))).toEqual([
      expect.stringMatching(/: 0\/3 .{1,60} cpu\.$/),
      expect.stringContaining(`FailedMount x1 Pod/default/<pod>: ${LACKS}`),
    ]);
  });

  it('is about the pod whose container the name of dockershim tells of', () => {
    const text = `E0821 17:37:03.108764 99524 remote_runtime.go:200] CreateContainer in sandbox "62ff" from runtime service failed: rpc error: code = Unknown desc = Error response from daemon: Conflict. The container name "/k8s_app_cart-0_till_7ac60567-8a1c-4a3a-9d22-1b1d54c3a2f5_0" is already in use by container "9ab".\n`;
    expect(eventsIn(read(text)).at(0)).toContain('Failed x1 Pod/till/cart-0: ');
  });

  it.each([
    [
      'events',
      'Events:\n  Type     Reason       Age  From     Message\n  ----     ------       ----  ----     -------\n  Warning  FailedMount  2m    kubelet  ',
    ],
    [
      'a describe',
      'Name:         cart-0\nNamespace:    till\nStatus:       Pending\nEvents:\n  Type     Reason       Age  From     Message\n  ----     ------       ----  ----     -------\n  Warning  FailedMount  2m    kubelet  ',
    ],
  ])('is no log where %s stand behind one', (_, head) => {
    const seen = read(`$ kubectl -n till logs cart-0\nstarting\n${head}${LACKS}\n`);
    expect(eventsIn(seen).at(0)).toContain(LACKS);
  });

  it.each([
    [
      'as one text',
      `fatal: [cp-1]: FAILED! => {"rc": 0, "stderr": "", "stdout": "Events:\\n  Warning  FailedMount  2m  kubelet  ${LACKS.replaceAll('"', '\\"')}"}`,
    ],
    [
      'as lines',
      `ok: [cp-1] => {\n    "out.stdout_lines": [\n        "Warning  FailedMount  2m  kubelet  ${LACKS.replaceAll('"', '\\"')}"\n    ]\n}`,
    ],
    ['of an item', `failed: [cp-1] (item=till) => {"stderr": "Warning  FailedMount  2m  kubelet  ${LACKS.replaceAll('"', '\\"')}"}`],
  ])('is in what Ansible has of the command, %s', (_, text) => {
    expect(eventsIn(read(`TASK [till] ****\n${text}\n`)).at(0)).toContain(LACKS);
  });

  it('is not in a result that was cut', () => {
    expect(eventsIn(read('ok: [cp-1] => {"stdout": "Warning  FailedMou\n'))).toEqual([]);
  });

  it('is about none of several', () => {
    const text = `Waiting for pod ci/runner-9 to be running\nWaiting for pod ci/runner-8 to be running\nERROR: ${LACKS}\n`;
    expect(eventsIn(read(text)).at(0)).toContain('Pod/ci/<pod>');
  });

  it('is about no pod where the scheduler speaks of affinity', () => {
    const text = "0/4 nodes are available: 4 node(s) didn't match pod affinity/anti-affinity, 4 node(s) didn't match pod affinity rules.\n";
    expect(eventsIn(read(text)).at(0)).toContain('Pod/default/<pod>');
  });

  it('is about no pod that only looks like a name in a program', () => {
    expect(eventsIn(read(`File "pod.py", line 6, in wait_started\n${LACKS}\n`)).at(0)).toContain('Pod/default/<pod>');
  });

  it('is in the namespace of an object of a kind that kubectl does not have', () => {
    const text = `Name:       nightly-1\nNamespace:  data\nStatus:     Running\n\nSTEP      MESSAGE\nextract   Unschedulable: 0/6 nodes are available: 6 Insufficient cpu.\n`;
    expect(eventsIn(read(text)).at(0)).toContain('FailedScheduling x1 Pod/data/<pod>: 0/6 nodes are available: 6 Insufficient cpu.');
  });

  it('ends where its quotation mark does', () => {
    expect(eventsIn(read('message: "0/4 nodes are available: 4 Insufficient memory."\n')).at(0)).toMatch(/memory\.$/);
  });
});

describe('an alert or a tool that tells the state of an object', () => {
  it.each([
    ['Pod till/cart-0 (app) is in waiting state (reason: "CrashLoopBackOff").', 'Pod/till/cart-0', 'CrashLoopBackOff'],
    [
      'pod/cart-0 in namespace till on container app has been in waiting state for longer than 1 hour. (reason: "ImagePullBackOff") on cluster x.',
      'Pod/till/cart-0',
      'ImagePullBackOff',
    ],
    [
      'In project till on server https://api.example:6443\n\nErrors:\n  * pod/cart-0 is crash-looping\n',
      'Pod/till/cart-0',
      'CrashLoopBackOff',
    ],
    [" - till:pod/cart-0: container app is waiting to start: shop/cart:2 can't be pulled", 'Pod/till/cart-0', 'ErrImagePull'],
  ])('shows it: %s', (text, ref, reason) => {
    expect(fieldOf(read(`${text}\n`), ref, 'status.containerStatuses.0.state.waiting.reason')).toBe(reason);
  });

  it.each([
    ['Memory cgroup out of memory: Killed process 4242 (java) total-vm:4567890kB, anon-rss:523456kB', 'OOMKilled'],
    [
      'Nov 20 11:58:00 worker-1 kernel: oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=/kubepods.slice/pod9.slice,task=java,pid=4242',
      'OOMKilled',
    ],
  ])('shows what the kernel ended: %s', (text, reason) => {
    expect(fieldOf(read(`${text}\n`), 'Pod/default/<pod>', 'status.containerStatuses.0.state.terminated.reason')).toBe(reason);
    expect(refsIn(read(`${text.replace('Memory cgroup out', 'Out').replace('_MEMCG', '_NONE')}\n`))).not.toContain('Pod/default/<pod>');
  });

  it('shows what is not ready, has failed, or is not complete', () => {
    expect(
      fieldOf(
        read('Pod till/cart-0 has been in a non-ready state for longer than 15 minutes.\n'),
        'Pod/till/cart-0',
        'status.conditions.0.status',
      ),
    ).toBe('False');
    const job = read(
      'Error: UPGRADE FAILED: pre-upgrade hooks failed: 1 error occurred:\n\t* job till-migrate failed: BackoffLimitExceeded\n',
    );
    expect(fieldOf(job, 'Job/default/till-migrate', 'status.conditions.0.reason')).toBe('BackoffLimitExceeded');
    const first = read('Error: INSTALLATION FAILED: failed pre-install: job failed: BackoffLimitExceeded\n');
    expect(fieldOf(first, 'Job/default/<job>', 'status.conditions.0.reason')).toBe('BackoffLimitExceeded');
    const rollout = read(
      '│ Error: Waiting for rollout to finish: 2 replicas wanted; 0 replicas Ready\n│ \n│   with kubernetes_deployment.till,\n',
    );
    expect(fieldOf(rollout, 'Deployment/default/<deployment>', 'status.readyReplicas')).toBe(0);
    expect(
      refsIn(
        read(
          "Health check failed after 5m0s: failed early due to stalled resources: [Deployment/till/cart status: 'Failed': Progress deadline exceeded]\n",
        ),
      ),
    ).toEqual(['Deployment/till/cart']);
    const waiting = read('Waiting for pod ci/runner-9 to be running, status is Pending\n');
    expect(fieldOf(waiting, 'Pod/ci/runner-9', 'status.conditions.0.status')).toBe('False');
    expect(refsIn(read('Deployment till/cart has not matched the expected number of replicas for longer than 15 minutes.\n'))).toEqual([
      'Deployment/till/cart',
    ]);
  });

  it('shows a pod as Spark prints it', () => {
    const text = `INFO State changed, new state:\n\t pod name: etl-driver\n\t namespace: data\n\t node name: worker-1\n\t phase: Failed\n\t container status:\n\t\t container name: driver\n\t\t container image: shop/etl:3\n\t\t container state: terminated\n\t\t exit code: 137\n\t\t termination reason: OOMKilled\n`;
    const seen = read(text);
    expect(fieldOf(seen, 'Pod/data/etl-driver', 'status.phase')).toBe('Failed');
    expect(fieldOf(seen, 'Pod/data/etl-driver', 'status.containerStatuses.0')).toEqual({
      name: 'driver',
      image: 'shop/etl:3',
      ready: false,
      state: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
    });
  });
});

describe('lines of JSON', () => {
  const EVENT = {
    metadata: { name: 'cart-0.17', namespace: 'till' },
    involvedObject: { kind: 'Pod', namespace: 'till', name: 'cart-0' },
    reason: 'FailedScheduling',
    message: '0/3 nodes are available: 3 Insufficient cpu.',
    type: 'Warning',
    count: 4,
    lastTimestamp: '2026-11-20T11:59:00Z',
  };

  it.each([
    ['behind the time of a log', `2026-11-20T11:59:01.123Z stdout F ${JSON.stringify(EVENT)}`],
    ['of eventrouter', JSON.stringify({ verb: 'ADDED', event: EVENT })],
    ['of Cloud Logging', JSON.stringify({ insertId: 'a', jsonPayload: { kind: 'Event', ...EVENT } })],
  ])('may be events: %s', (_, line) => {
    expect(eventsIn(read(`${line}\n`))).toEqual([
      'Warning FailedScheduling x4 Pod/till/cart-0: 0/3 nodes are available: 3 Insufficient cpu.',
    ]);
  });

  it('name the pod of their message', () => {
    const line = JSON.stringify({
      level: 'warn',
      msg: 'Failed to pull image "shop/cart:2": not found',
      kind: 'Pod',
      name: 'cart-0',
      namespace: 'till',
    });
    expect(eventsIn(read(`${line}\n`)).at(0)).toContain('Pod/till/cart-0: Failed to pull image');
  });

  it('may be a journal', () => {
    const lines = ['"command failed" err="failed to run Kubelet: no cgroups"', 'unpaired'].map((MESSAGE, index) =>
      JSON.stringify({
        __REALTIME_TIMESTAMP: '1795403411000000',
        _HOSTNAME: 'worker-1',
        SYSLOG_IDENTIFIER: 'kubelet',
        _PID: String(index),
        MESSAGE,
      }),
    );
    const [service] = recordsIn(read(`${lines.join('\n')}\n`), 'NodeService');
    expect(dig(service, 'node')).toBe('worker-1');
    expect(dig(service, 'active')).toBe('failed');
    expect(dig(service, 'lines', 0)).toContain('2026-11-23T03:10:11Z worker-1 kubelet[0]: "command failed"');
  });
});

describe('the tools of a container runtime', () => {
  const LIST = `$ sudo crictl ps -a
CONTAINER       IMAGE           CREATED          STATE     NAME   ATTEMPT   POD ID          POD
3d2c9f1a7b6e5   c2e17b8d0f4a3   42 seconds ago   Exited    app    17        8f1e2d3c4b5a6   cart-0
`;

  it('print logs of containers, and no answers of the API server', () => {
    const seen = read(`${LIST}$ sudo crictl logs --tail 20 3d2c9f1\nError: open /etc/till.yaml: no such file or directory\n`);
    expect(recordsIn(seen, 'ClientAnswer')).toEqual([]);
    expect(refsIn(seen)).toEqual(['Pod/default/cart-0']);
    expect(seen.evidence.logs).toMatchObject([{ pod: { name: 'cart-0' }, container: 'app' }]);
  });

  it('are called behind the prompt of root, too', () => {
    const text = `${LIST}$ crictl logs 3d2c9f1\nError: open /etc/till.yaml: no such file or directory\n`.replaceAll(
      /^\$ (?:sudo )?/gm,
      '# ',
    );
    expect(read(text).evidence.logs).toMatchObject([{ pod: { name: 'cart-0' }, container: 'app' }]);
    expect(read('# docker logs of the cart\nsee below\n').evidence.logs).toEqual([]);
  });

  it('name containers by their pods where docker runs them', () => {
    const id = '0123456789ab';
    const list = `$ docker ps -a\nCONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES\n${id}   shop/cart:1   "app"   2 days ago   Exited (1) 2 hours ago             k8s_app_cart-0_till_1b2c3d_4\n`;
    expect(read(`${list}$ docker logs ${id}\nFATAL: no database\n`).evidence.logs).toMatchObject([
      { pod: { namespace: 'till', name: 'cart-0' }, container: 'app' },
    ]);
  });

  it('tell with kubeadm that nobody answers for the kubelet', () => {
    const text = `[kubelet-check] The HTTP call equal to 'curl -sSL http://localhost:10248/healthz' failed with error: Get "http://localhost:10248/healthz": dial tcp 127.0.0.1:10248: connect: connection refused.\n`;
    const seen = read(text);
    expect(recordsIn(seen, 'NodeService')).toMatchObject([{ service: 'kubelet', active: 'failed' }]);
    expect(refsIn(seen)).toEqual([]);
  });
});

describe('a volume plugin of the kubelet', () => {
  it('names the namespace of what it could not get', () => {
    const text = `E1120 11:59:00.000000    1 configmap.go:193] Couldn't get configMap till/prices: configmap "prices" not found\n`;
    expect(eventsIn(read(text)).at(0)).toContain('FailedMount x1 Pod/till/<pod>');
  });
});
