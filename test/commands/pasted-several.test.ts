import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';
import { rulesFor } from './scanned-text.ts';

const LIST = `$ kubectl get pods -A
NAMESPACE    NAME                     READY   STATUS             RESTARTS        AGE
books        index-7d4b9c8f6d-x2x9z   0/1     CrashLoopBackOff   212 (3m ago)    18h
books        index-7d4b9c8f6d-q8wlk   0/1     CrashLoopBackOff   211 (2m ago)    18h
shop         till-0                   0/1     Pending            0               41m
shop         till-1                   0/1     Pending            0               41m
shop         web-6d4cf56db6-9xkzt     1/1     Running            0               41m
`;

describe('a text that shows several unhealthy objects', () => {
  it('is answered about the first, and says once of each other workload that there is more', async () => {
    const { target, err } = await answerTo(LIST);
    expect(target).toMatchObject({ kind: 'Pod', namespace: 'books', name: 'index-7d4b9c8f6d-x2x9z' });
    expect(err).toContain('note: also unhealthy: Pod shop/till-0; see all with `podcheck scan --from -`');
  });

  it('says nothing of pods that are well, or of the same workload', async () => {
    const { err } = await answerTo(LIST.replaceAll(/^shop +till.*\n/gm, ''));
    expect(err).not.toContain('also unhealthy');
  });
});

describe('the end of a log in trouble', () => {
  const log = (pod: string, ...lines: readonly string[]): string => `$ kubectl -n shop logs ${pod}\n${lines.join('\n')}\n`;
  const till = log('till-0', 'starting the till', 'java.sql.SQLException: Too many connections', '\tat shop.Till.open(Till.java:7)');
  const others = ['cart-0', 'stock-0', 'web-0'].map((pod) => log(pod, 'listening'));

  it('tells where few logs are shown', async () => {
    expect(await rulesFor(till + others.slice(0, 2).join(''))).toEqual(['containers/dependency-connections-exhausted']);
  });

  it('may be of one request where the logs of all are shown', async () => {
    expect(await rulesFor(till + others.join(''))).toEqual([]);
  });
});

describe('a Service without an address beside its pods', () => {
  const all = (ready: string, status: string): string => `$ kubectl get all
NAME                        READY   STATUS    RESTARTS   AGE
pod/till-689d4f66f8-86dx8   ${ready}     ${status}   0          6m

NAME           TYPE           CLUSTER-IP      EXTERNAL-IP   PORT(S)          AGE
service/till   LoadBalancer   10.104.179.24   <pending>     8080:31019/TCP   6m

NAME                   READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/till   ${ready}     1            ${ready.slice(0, 1)}           6m
`;

  it('is not why these do not come up', async () => {
    const { target, causes } = await answerTo(all('0/1', 'Pending'));
    expect([target.kind, causes]).toEqual(['Deployment', []]);
  });

  it('is what is wrong where they are well', async () => {
    const { causes } = await answerTo(all('1/1', 'Running'));
    expect(causes[0]?.rule).toBe('traffic/load-balancer-pending');
  });
});

describe('events that tell the kind of their object and not its name', () => {
  const events = (...rows: readonly string[]): string =>
    `$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON         KIND         MESSAGE\n${rows.join('\n')}\n\n$ kubectl -n shop get deployments\nNAME   READY   UP-TO-DATE   AVAILABLE   AGE\ntill   0/1     0            0           20m\n`;
  const REFUSED =
    '3m          Warning   FailedCreate   ReplicaSet   Error creating: Timeout: request did not complete within requested timeout 30s';

  it('tell of the one trouble that there is', async () => {
    const { causes } = await answerTo(events(REFUSED));
    expect(causes[0]).toMatchObject({ rule: 'controllers/pod-creation-refused', object: { kind: 'ReplicaSet', name: '<replicaset>' } });
  });

  it('name the pod in the words of the scheduler', async () => {
    const { causes } = await answerTo(
      events(
        '3m          Normal    Scheduled      Pod          Successfully assigned shop/till-0 to worker-1',
        '2m          Warning   FailedMount    Pod          MountVolume.SetUp failed for volume "stock" : configmap "stock" not found',
      ),
    );
    expect(causes[0]?.rule).toBe('volumes/configmap-not-found');
  });

  it('tell nothing where nothing was refused', async () => {
    const { causes } = await answerTo(
      events('3m          Normal    ScalingReplicaSet   Deployment   Scaled up replica set till-5d9c7b8f66 to 1'),
    );
    expect(causes).toEqual([]);
  });
});

describe('a message that is parted from its second half', () => {
  it('has the cause that the second half tells', async () => {
    const { causes } = await answerTo(
      `2m   Warning   FailedMount   pod/till-0   MountVolume.MountDevice failed for volume "stock" : rpc error: code = Internal desc = mount failed: exit status 32

Mounting arguments: -t cifs -o dir_mode=0777,<masked> //files.shop.example/stock /var/lib/kubelet/plugins/stock/globalmount
Output: mount error(2): No such file or directory
`,
    );
    expect(causes[0]?.rule).toBe('volumes/smb-mount-failed');
  });
});
