import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { readTranscript } from '../../src/clusters/transcript/transcript.ts';
import { diagnosed } from '../../src/commands/diagnose/diagnose.ts';
import { OPENINGS } from '../support/transcripts.ts';

const NOW = Date.UTC(2026, 2, 4, 12);

/** What a text says of whom: the target, the first cause, and what of the stages matters. */
async function told(text: string): Promise<unknown> {
  const { reader } = readTranscript(text, { openings: OPENINGS, name: 'pasted', written: NOW });
  const { target, causes, stages } = await diagnosed({ reader, place: 'pasted', close: () => undefined }, await shippedRules(), {});
  return {
    target: `${target.kind} ${target.namespace ?? ''}/${target.name}`,
    cause: causes[0]?.rule,
    containers: stages.find(({ id }) => id === 'containers')?.verdict,
  };
}

describe('the log of a component that tells of pods', () => {
  it.each([
    [
      'Karpenter, as JSON',
      '{"level":"ERROR","time":"2026-03-04T06:40:04.552Z","logger":"controller.provisioner","message":"Could not schedule pod, incompatible with nodepool \\"till\\", daemonset overhead={\\"cpu\\":\\"150m\\"}, incompatible requirements, label \\"aisle\\" does not have known values","pod":"shop/till-6d4b75cb6d-hswqc"}\n',
      { target: 'Pod shop/till-6d4b75cb6d-hswqc', cause: 'scheduling/karpenter-no-node-fits', containers: 'not-reached' },
    ],
    [
      'Karpenter, as JSON in quotation marks',
      ' "{"level":"ERROR","time":"2026-03-04T06:40:04.552Z","logger":"controller.provisioner","message":"Could not schedule pod, incompatible with nodepool \\"till\\", daemonset overhead={\\"cpu\\":\\"150m\\"}, incompatible requirements, label \\"aisle\\" does not have known values","pod":"shop/till-6d4b75cb6d-hswqc"}"\n',
      { target: 'Pod shop/till-6d4b75cb6d-hswqc', cause: 'scheduling/karpenter-no-node-fits', containers: 'not-reached' },
    ],
    [
      'a controller that logs its events as JSON',
      '{"level":"debug","ts":1772625600.4,"logger":"controller-runtime.manager.events","msg":"Warning","object":{"kind":"Ingress","namespace":"shop","name":"till","uid":"1"},"reason":"FailedBuildModel","message":"Failed build model due to no subnets"}\n',
      { target: 'Ingress shop/till', cause: 'traffic/ingress-not-built', containers: 'unknown' },
    ],
    [
      'a controller that logs its events as JSON, since 0.10',
      '{"level":"debug","ts":"2026-03-04T11:00:00Z","logger":"events","msg":"Failed build model due to no subnets","type":"Warning","object":{"kind":"Ingress","namespace":"shop","name":"till"},"reason":"FailedBuildModel"}\n',
      { target: 'Ingress shop/till', cause: 'traffic/ingress-not-built', containers: 'unknown' },
    ],
    [
      'a controller that logs its events for a console, in a box of several rows',
      '2026-03-04T11:00:00Z\tDEBUG\tevents\tWarning\t{"object": {"kind":"Ingress","name ││ space":"shop","name":"till"}, "reason": "FailedBu ││ ildModel", "message": "Failed build model due to no subnets"}\n',
      { target: 'Ingress shop/till', cause: 'traffic/ingress-not-built', containers: 'unknown' },
    ],
    [
      'a controller of webhooks, as an entry in JSON that is cut off',
      'The log of the controller:\n```\n{\n  "message":"error creating Pod for Till web: admission webhook \\"shop.example\\" denied the request: no tills today",\n  "severity":"error",\n  "stack":[\n```\n',
      { target: 'Cluster /cluster', cause: 'validating-admission/webhook-denied', containers: 'not-reached' },
    ],
    [
      'a controller that passes on what a client said',
      'time="2026-03-04T10:43:19Z" level=info msg="Updating step bake-x7 message: failed to save: invalid configuration: no configuration has been provided"\n',
      { target: 'Pod default/<pod>', cause: undefined, containers: 'passed' },
    ],
    [
      'a controller that logs the namespace behind its message',
      '2026-03-04T11:00:00Z    ERROR    Oven    Failed to create a pod    {"oven": {"name":"till-0","namespace":"shop"}, "error": "pods \\"till-0\\" is forbidden: exceeded quota: small, requested: pods=1, used: pods=4, limited: pods=4"}\n',
      { target: 'Pod shop/till-0', cause: 'validating-admission/quota-exceeded', containers: 'not-reached' },
    ],
    [
      'the cluster autoscaler, of one group',
      `I0304 11:35:46.498813       1 scale_up.go:288] Pod till-2r6cr can't be scheduled on eks-aisle, predicate checking error: node(s) didn't match Pod's node affinity; predicateName=NodeAffinity; reasons: node(s) didn't match; debugInfo=\nI0304 11:35:46.498845       1 scale_up.go:437] No pod can fit to eks-aisle\n`,
      { target: 'Pod default/till-2r6cr', cause: undefined, containers: 'not-reached' },
    ],
    [
      'the cluster autoscaler, of all nodes',
      'I0304 11:35:46.498813       1 klogx.go:87] failed to find place for shop/till-2r6cr: cannot put pod till-2r6cr on any node\nI0304 11:35:46.498845       1 static_autoscaler.go:547] No unschedulable pods\n',
      { target: 'Pod shop/till-2r6cr', cause: undefined, containers: 'not-reached' },
    ],
    [
      'a controller of ingresses',
      'W0304 11:35:19.222358       7 controller.go:911] Service "shop/till" does not have any active Endpoint.\n',
      { target: 'Service shop/till', cause: undefined, containers: 'unknown' },
    ],
    [
      'a sidecar that waits for its configuration, and the event of its probe',
      '  Warning  Unhealthy  6s (x298 over 11m)  kubelet, till-2  Readiness probe failed: HTTP probe failed with statuscode: 503\n[root@till-2 ~]# \n2026-03-04T11:43:54.323650Z\tinfo\tEnvoy proxy is NOT ready: config not received from Pilot (is Pilot running?): cds updates: 0 successful, 0 rejected\n',
      { target: 'Pod default/<pod>', cause: 'probes/mesh-proxy-without-configuration', containers: 'unknown' },
    ],
    [
      'etcd within another program',
      'Mar 04 11:22:31 till-1 k3s[223]: {"level":"warn","ts":"2026-03-04T11:22:31.652Z","caller":"etcdserver/util.go:123","msg":"failed to apply request","error":"etcdserver: no space"}\n',
      { target: 'Cluster /etcd', cause: 'persistence/etcd-database-full', containers: 'not-reached' },
    ],
    [
      'a kubelet that prints a condition as Go does',
      'Mar 04 11:46:40 till-2 kubelet[3072]: I0304 11:46:40.357386    3072 setters.go:518] Node became not ready: {Type:Ready Status:False LastHeartbeatTime:2026-03-04 11:46:40 +0000 UTC Reason:KubeletNotReady Message:PLEG is not healthy: pleg was last seen active 3m3.2s ago; threshold is 3m0s}\n',
      { target: 'Node /till-2', cause: 'kubelet/node-not-ready', containers: 'not-reached' },
    ],
  ])('is not the log of the pod: %s', async (_, text, expected) => {
    expect(await told(text)).toEqual(expected);
  });

  it('keeps the brace that ends a value of Go out of the message', () => {
    const line =
      'Mar 04 11:46:40 till-2 kubelet[3072]: I0304 11:46:40.357386    3072 setters.go:518] Node became not ready: {Type:Ready Status:False Reason:KubeletNotReady Message:PLEG is not healthy: pleg was last seen active 3m3.2s ago; threshold is 3m0s}\n';
    const { evidence } = readTranscript(line, { openings: OPENINGS, name: 'pasted', written: NOW });
    expect(JSON.stringify(evidence.objects)).toContain('threshold is 3m0s"');
  });
});

describe('a log and its pods', () => {
  const LIST = (names: readonly string[]): string =>
    `NAME      READY   STATUS    RESTARTS   AGE\n${names.map((name) => `${name}  0/1     CrashLoopBackOff   3          9m\n`).join('')}`;
  const LOG = '\nlogs:\n```\nledger: open /data/book: permission denied\n```\n';
  const podsOf = (text: string): readonly string[] =>
    readTranscript(text, { openings: OPENINGS, name: 'pasted', written: NOW }).evidence.logs.map(({ pod }) => pod.name);

  it('belong together where all pods in trouble are replicas of one workload', () => {
    expect(podsOf(LIST(['till-6d4b75cb6d-hswqc', 'till-6d4b75cb6d-x2v4q']) + LOG)).toEqual(['till-6d4b75cb6d-hswqc']);
    expect(podsOf(LIST(['ledger-0', 'ledger-1']) + LOG)).toEqual(['ledger-0']);
    expect(podsOf(LIST(['till-6d4b75cb6d-hswqc', 'book-6d4b75cb6d-x2v4q']) + LOG)).toEqual(['<pod>']);
    expect(podsOf(LIST(['ledger', 'till']) + LOG)).toEqual(['<pod>']);
  });

  it.each(['./k3s kubectl', '/usr/local/bin/k3s kubectl', 'microk8s.kubectl', 'minikube kubectl --'])(
    'have no log where %s says that it cannot be read',
    async (kubectl) => {
      const text = `[root@till-1 ~]# ${kubectl} get pods -n shop\n${LIST(['till-6d4b75cb6d-hswqc'])}[root@till-1 ~]# ${kubectl} logs -n shop till-6d4b75cb6d-hswqc\nfailed to try resolving symlinks in path "/var/log/pods/shop_till-6d4b75cb6d-hswqc_1/till/15.log": lstat /var/log/pods/shop_till-6d4b75cb6d-hswqc_1/till/15.log: no such file or directory\n`;
      expect(await told(text)).toMatchObject({ target: 'Pod shop/till-6d4b75cb6d-hswqc', cause: undefined });
    },
  );

  it('does not take the same words without a command for those of a program', () => {
    const text =
      'failed to try resolving symlinks in path "/var/log/pods/a/till/15.log": lstat /var/log/pods/a/till/15.log: no such file or directory\n';
    expect(podsOf(text)).toEqual([]);
  });
});

describe('what is implied', () => {
  it('is that a container which waits is not ready, where the text ends before it says so', async () => {
    const text = `$ kubectl logs -n shop till-6d4b75cb6d-hswqc
plugin/book: Get "https://10.43.0.1:443/version": dial tcp 10.43.0.1:443: connect: connection refused
$ kubectl describe -n shop pod till-6d4b75cb6d-hswqc
Name:                 till-6d4b75cb6d-hswqc
Namespace:            shop
Node:                 till-1/192.168.0.21
Status:               Running
IP:                   10.42.0.16
Controlled By:  ReplicaSet/till-6d4b75cb6d
Containers:
  till:
    Image:         shop/till:1.8
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
`;
    expect(await told(text)).toMatchObject({ cause: 'containers/dependency-refuses-connection' });
  });

  it('is not that etcd is down, where a pod of a StatefulSet is still there', async () => {
    const text =
      'Warning FailedCreate: create Pod ledger-0 in StatefulSet ledger failed error: The POST operation against Pod could not be completed at this time, please try again.\n';
    expect(await told(text)).toMatchObject({ target: 'StatefulSet default/ledger', cause: 'controllers/pod-creation-refused' });
  });
});

describe('a list of pods and a table of events', () => {
  const both = (status: string, restarts: string, reason: string, message: string, age = '10m'): string =>
    `$ kubectl get pods -n shop\nNAME     READY   STATUS      RESTARTS      AGE\ntill-1   0/1     ${status.padEnd(12)}${restarts.padEnd(14)}${age}\n$ kubectl get events -n shop\nLAST SEEN   TYPE      REASON      OBJECT       MESSAGE\n5s          Warning   ${reason.padEnd(12)}pod/till-1   ${message}\n`;

  it.each([
    ['Readiness probe failed: HTTP probe failed with statuscode: 503', 'probes/readiness-probe-http-500'],
    ['Readiness probe failed: dial tcp 10.1.2.3:5432: connect: connection refused', 'probes/readiness-probe-failing'],
    ['Readiness probe failed: HTTP probe failed with statuscode: 404', 'probes/readiness-wrong-path'],
    ['Liveness probe failed: HTTP probe failed with statuscode: 404', 'probes/liveness-probe-failing'],
  ])('name what a probe answers, though neither shows the container nor how often: %s', async (message, cause) => {
    expect(await told(both('Running', '0', 'Unhealthy', message))).toMatchObject({ target: 'Pod shop/till-1', cause });
  });

  it('blame no probe of a pod that has only just been made', async () => {
    const message = 'Readiness probe failed: HTTP probe failed with statuscode: 503';
    expect(await told(both('Running', '0', 'Unhealthy', message, '20s'))).toMatchObject({ cause: undefined });
  });

  it('blame no probe of a container that ends again and again', async () => {
    const message = 'Readiness probe failed: dial tcp 10.1.2.3:5432: connect: connection refused';
    const text = `${both('Running', '3 (2m ago)', 'Unhealthy', message)}4m          Warning   BackOff     pod/till-1   Back-off restarting failed container till in pod till-1_shop(5c)\n`;
    expect(await told(text)).toMatchObject({ cause: undefined });
  });

  it.each([
    ['OOMKilled', both('OOMKilled', '2 (1m ago)', 'BackOff', 'Back-off restarting failed container till in pod till-1_shop(5c)')],
    ['Init:OOMKilled', 'NAME     READY   STATUS           RESTARTS     AGE\ntill-1   0/1     Init:OOMKilled   2 (1m ago)   10m\n'],
  ])('take the word %s of the list', async (_, text) => {
    expect(await told(text)).toMatchObject({ cause: 'containers/oom-killed' });
  });
});
