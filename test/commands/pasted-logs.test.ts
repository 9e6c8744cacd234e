import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

const listed = (restarts: string): string =>
  `$ kubectl get pods\nNAME     READY   STATUS    RESTARTS   AGE\ntill-0   1/1     Running   ${restarts}   3d\n`;
const LOG = '$ kubectl logs till-0\nlevel=info msg="starting"\nlevel=fatal msg="open /etc/till/prices.yaml: no such file or directory"\n';

describe('the log of a pod that is ready and has never restarted', () => {
  it('is of a container that runs, whatever its last words are', async () => {
    expect(await answerTo(listed('0      ') + LOG)).toMatchObject({ outcome: 'healthy', causes: [] });
  });

  it('tells of a crash where it has restarted', async () => {
    expect((await answerTo(listed('7 (2m ago)') + LOG)).causes[0]?.rule).toBe('containers/file-not-found');
  });
});

describe('a log of which nothing else is known', () => {
  const LOST = 'cannot read prices: dial tcp 10.96.12.4:5432: connect: connection timed out';

  it.each([
    ['an error in klog', `E0304 11:22:33.000000       1 prices.go:7] ${LOST}`],
    ['an error of a logger', `2026-03-04T11:22:33Z ERROR ${LOST}`],
    ['an error of a proxy in Rust', `ERR! [     5.005627s] till::prices ${LOST}`],
  ])('is shown for its end: %s', async (_, line) => {
    expect((await answerTo(`$ kubectl logs till-0\nstarting\n${line}\n`)).causes[0]?.rule).toBe('containers/dependency-times-out');
  });

  it.each([
    [
      'the program went on',
      `E0304 11:22:33.000000       1 prices.go:7] ${LOST}\nI0304 11:22:34.000000       1 prices.go:9] prices are read\n`,
    ],
    ['a list shows the pod ready', `E0304 11:22:33.000000       1 prices.go:7] ${LOST}\n${listed('0      ')}`],
  ])('tells of nothing where %s', async (_, lines) => {
    expect((await answerTo(`$ kubectl logs till-0\n${lines}`)).causes).toEqual([]);
  });
});

describe('a log that says that its program started', () => {
  const MISSES = 'open /etc/till/extra.yaml: no such file or directory';

  it.each([
    ['listens on a port', `WARN ${MISSES}, using defaults`, 'http server listening on :8080'],
    ['tells how long it took', `INFO ${MISSES}`, 'Started TillServer in 4.2 seconds (process running for 5.1)'],
    ['is ready', 'entrypoint: cannot change till.conf (read-only file system?)', 'entrypoint: Configuration complete; ready for start up'],
    [
      'only warns of the kernel',
      '{"level":"WARN","message":"max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]"}',
      '{"level":"INFO","message":"started {till-0}{x}"}',
    ],
  ])('tells of nothing before that: it %s', async (_, before, started) => {
    expect((await answerTo(`$ kubectl logs till-0\n${before}\n${started}\n`)).causes).toEqual([]);
  });

  it.each([
    ['what stands behind it', `$ kubectl logs till-0\nhttp server listening on :8080\nFATAL ${MISSES}\n`],
    [
      'a list shows that it failed',
      `${listed('7 (2m ago)').replace('1/1     Running', '0/1     Error  ')}$ kubectl logs till-0\nFATAL ${MISSES}\nlistening on :9090\n`,
    ],
    ['another program is not ready', `$ kubectl logs till-0\nFATAL ${MISSES}\nprices: not ready to accept connections\n`],
    ['the run before ended', `$ kubectl logs till-0 --previous\nFATAL ${MISSES}\nhttp server listening on :8080\n`],
  ])('tells of the error where %s', async (_, text) => {
    expect((await answerTo(text)).causes[0]?.rule).toBe('containers/file-not-found');
  });
});

it('reads the last words of Kibana', async () => {
  const text = 'FATAL CLI ERROR Error: [till.username]: value of "boss" is forbidden\n';
  expect((await answerTo(text)).causes[0]?.rule).toBe('containers/application-error-exit');
});

describe('the log of some program', () => {
  const WARNING =
    'time="2024-03-04T11:22:33Z" level=warning msg="cannot detach: stat /dev/crates/box-7: no such file or directory" node=worker-2\n';

  it.each([
    ['FailedMount', 'MountVolume.SetUp failed for volume "prices" : secret "till-prices" not found', 'volumes/secret-not-found'],
    ['FailedScheduling', '0/3 nodes are available: 3 Insufficient memory.', 'scheduling/insufficient-resource'],
  ])('is not of the pod that has not begun to run: %s', async (_, message, rule) => {
    const { causes } = await answerTo(`The storage manager logs\n\n${WARNING}\nand my pod says\n\n${message}\n`);
    expect(causes[0]?.rule).toBe(rule);
  });

  it('does not end with a warning', async () => {
    const crashing =
      '$ kubectl get pods\nNAME     READY   STATUS             RESTARTS   AGE\ntill-0   0/1     CrashLoopBackOff   7          3d\n';
    const { causes } = await answerTo(`${crashing}$ kubectl logs till-0\n${WARNING}`);
    expect(causes.map(({ rule }) => rule)).not.toContain('containers/file-not-found');
  });
});

describe('what stands behind the answer of a command', () => {
  const EVENTS =
    'Events:\n  Type     Reason   Age   From      Message\n  ----     ------   ----  ----      -------\n  Warning  Failed   15s   kubelet   Error: secret "till-key" not found\n';

  it.each([
    ['kubectl run till --image=shop/till:1', 'pod/till created'],
    ['kubectl logs till', 'Error from server (BadRequest): container "till" in pod "till" is waiting to start: CreateContainerConfigError'],
  ])('is the output of another one: %s', async (command, said) => {
    expect((await answerTo(`$ ${command}\n${said}\n${EVENTS}`)).causes[0]?.rule).toBe('containers/secret-not-found');
  });

  it('is no row of its table where it is a sentence', async () => {
    const text =
      '$ kubectl get svc\nNAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE\ntill LoadBalancer 10.96.0.7 <pending> 80:30080/TCP 20s\nAfter a while this gets an address.\n';
    expect((await answerTo(text)).target).toMatchObject({ kind: 'Service', name: 'till' });
  });
});

describe('lines that a program wrote', () => {
  it.each([
    ['ERROR in net.shop.Files - open(/logs/till.log) call failed. java.io.FileNotFoundException: /logs/till.log (Permission denied)'],
    ["/bin/sh: can't create /logs/till.log: Permission denied"],
    ['/bin/sh: 3: cannot create /logs/till.log: Permission denied'],
  ])('name the file: %s', async (line) => {
    const pods = 'NAME     READY   STATUS             RESTARTS   AGE\ntill-0   0/1     CrashLoopBackOff   7          3d\n';
    expect((await answerTo(`${pods}\nAnd the log says\n\n${line}\n`)).causes[0]).toMatchObject({
      rule: 'containers/permission-denied',
      what: expect.stringContaining(' /logs/till.log: ') as string,
    });
  });
});

describe('what add-ons say', () => {
  it.each([
    ['Error registering network: failed to acquire lease: node "worker-2" pod cidr not assigned', 'network/network-agent-not-running'],
    [
      'E0115 11:58:02.000000       1 proxier.go:1633] "Failed to execute iptables-restore" err="exit status 1"',
      'traffic/kube-proxy-not-running',
    ],
    [
      "E0115 11:58:02.000000       1 proxier.go:900] exit status 3: iptables v1.8.4 (legacy): can't initialize iptables table `filter': Table does not exist (do you need to insmod?)",
      'containers/iptables-unavailable',
    ],
    [
      "F0115 11:58:02.000000       1 server.go:138] Can't use the iptables proxier: failed to get iptables version: executable file not found in $PATH",
      'traffic/kube-proxy-not-running',
    ],
    [
      '  Warning  AllocationFailed  11s  metallb-controller  Failed to allocate IP for "shop/till": no available IPs',
      'traffic/load-balancer-pending',
    ],
  ])('is recognized: %s', async (line, rule) => {
    expect((await answerTo(`${line}\n`)).causes[0]?.rule).toBe(rule);
  });

  it('names the Service that gets no address', async () => {
    const line = '  Warning  AllocationFailed  11s  metallb-controller  Failed to allocate IP for "shop/till": no available IPs\n';
    expect((await answerTo(line)).target).toMatchObject({ kind: 'Service', name: 'till' });
  });
});

describe('a log alone without levels', () => {
  const line = '2026/01/15 11:58:02 failed to connect: dial tcp 10.0.0.7:5432: connect: connection refused\n';

  it('ends with the trouble of a program in Go', async () => {
    expect((await answerTo(line)).causes[0]?.rule).toBe('containers/dependency-refuses-connection');
  });

  it('of a run that is over ends with its trouble', async () => {
    const text = `$ kubectl logs web-6d4cf56db6-x2x7k --previous\nstarting\n${line.slice(20)}`;
    expect((await answerTo(text)).causes[0]?.rule).toBe('containers/dependency-refuses-connection');
  });

  it('of a program that goes on names no trouble', async () => {
    expect((await answerTo(`${line}2026/01/15 11:58:09 connected\n`)).causes).toEqual([]);
  });
});
