import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../../src/clusters/transcript/transcript.ts';
import { read } from '../../support/transcripts.ts';

const PODS = `$ kubectl get pods -n shop --show-labels
NAME                   READY   STATUS    RESTARTS   AGE   LABELS
web-6d4b75cb6d-hx7bk   1/2     Running   3          1h    app=web,pod-template-hash=6d4b75cb6d
db-0                   1/1     Running   0          1h    app=db
db-1                   1/1     Running   0          1h    app=db
$ kubectl describe pod web-6d4b75cb6d-hx7bk -n shop
Name:           web-6d4b75cb6d-hx7bk
Namespace:      shop
Node:           worker-1/10.0.0.1
Status:         Running
IP:             10.0.1.7
Controlled By:  ReplicaSet/web-6d4b75cb6d
Containers:
  web:
    Image:  web:1
  istio-proxy:
    Image:  proxy:1
Volumes:  <none>
Events:   <none>
`;

function logsOf({ evidence }: Transcript): readonly string[] {
  return evidence.logs.map(({ pod, container, previous, lines, filtered, unread }) => {
    const what = unread === undefined ? lines.join('|') : `(${unread.why})`;
    return `${pod.namespace ?? '-'}/${pod.name} ${container}${previous ? ' before' : ''}${filtered ? ' in part' : ''}: ${what}`;
  });
}

const WEB = 'shop/web-6d4b75cb6d-hx7bk';

describe('a log', () => {
  it.each([
    ['kubectl logs web-6d4b75cb6d-hx7bk -n shop -c web', `${WEB} web: a|b`],
    ['kubectl logs -n shop web-6d4b75cb6d-hx7bk istio-proxy', `${WEB} istio-proxy: a|b`],
    ['kubectl logs -n shop pod/web-6d4b75cb6d-hx7bk', `${WEB} web: a|b`],
    ['kubectl logs -n shop -p web-6d4b75cb6d-hx7bk -c web', `${WEB} web before: a|b`],
    ['kubectl logs -n shop deploy/web', `${WEB} web: a|b`],
    ['kubectl logs -n shop rs/web-6d4b75cb6d -c web --previous', `${WEB} web before: a|b`],
    ['kubectl logs -n shop -l app=web -c web --tail=200', `${WEB} web: a|b`],
    ['kubectl logs -n shop -l app=web -c web --tail=2', `${WEB} web in part: a|b`],
    ['kubectl logs -n shop -l app=web.previous --tail=200', `${WEB} web before: a|b`],
    ['kubectl logs -n shop -l app=web.istio-proxy --tail=200', `${WEB} istio-proxy: a|b`],
    ['kubectl logs -n shop -l app=web.istio-proxy.previous --tail=200', `${WEB} istio-proxy before: a|b`],
    ['kubectl logs -n shop deploy/web -c web --since=10m', `${WEB} web in part: a|b`],
    ["kubectl logs -n shop deploy/web -c web | grep -iE 'error|fail'", `${WEB} web in part: a|b`],
    ['kubectl logs -f --timestamps web-6d4b75cb6d-hx7bk -n shop', `${WEB} web: a|b`],
    ['kubectl logs web-6d4b75cb6d-hx7bk -c web', `${WEB} web: a|b`],
  ])('of %s', (command, expected) => {
    expect(logsOf(read(`${PODS}$ ${command}\na\nb\n`))).toEqual([expected]);
  });

  it("of several pods at once is in part each one's: which line is whose is not printed", () => {
    expect(logsOf(read(`${PODS}$ kubectl logs -n shop -l app=db -c db --tail=100\na\nb\n`))).toEqual([
      'shop/db-0 db in part: a|b',
      'shop/db-1 db in part: a|b',
    ]);
  });

  it("of all containers is in part each one's", () => {
    expect(logsOf(read(`${PODS}$ kubectl logs -n shop deploy/web --all-containers\na\n`))).toEqual([
      `${WEB} web in part: a`,
      `${WEB} istio-proxy in part: a`,
    ]);
    expect(logsOf(read('$ kubectl logs till-0 --all-containers --tail=9\na\n'))).toEqual(['default/till-0 <container> in part: a']);
  });

  it.each(['`# kubectl logs till-0`', '1. `kubectl logs till-0`:', '> `$ kubectl logs till-0`', '$ `kubectl logs till-0`'])(
    'stands below a command that is a piece of code: %s',
    (line) => {
      expect(logsOf(read(`${line}\n\n\`\`\`\nno rates\n\`\`\`\n`))).toEqual(['default/till-0 <container>: no rates']);
    },
  );

  it.each(['cat /var/log/till.log', 'tail -n 20 till.log', 'sudo less till.log.1'])('may be a file that %s shows', (command) => {
    expect(logsOf(read(`$ ${command}\n2026-01-15 11:57:52 UTC [27] PANIC:  no valid checkpoint\n`))).toEqual([
      'default/<pod> <container> in part: 2026-01-15 11:57:52 UTC [27] PANIC:  no valid checkpoint',
    ]);
  });

  it('is no file of another kind', () => {
    expect(logsOf(read('$ cat till.py\nraise ValueError("no rates")\n'))).toEqual([]);
  });

  it('with a prefix before each line is parted', () => {
    expect(
      logsOf(
        read(
          `${PODS}$ kubectl logs -n shop -l app=web --all-containers --prefix\n[pod/web-6d4b75cb6d-hx7bk/web] a\n[pod/web-6d4b75cb6d-hx7bk/istio-proxy] p\n[pod/web-6d4b75cb6d-hx7bk/web] b\n`,
        ),
      ),
    ).toEqual([`${WEB} web: a|b`, `${WEB} istio-proxy: p`]);
  });

  it('goes to the container and the pod that kubectl says it chose', () => {
    expect(
      logsOf(read(`${PODS}$ kubectl logs -n shop web-6d4b75cb6d-hx7bk\nDefaulted container "istio-proxy" out of: istio-proxy, web\na\n`)),
    ).toEqual([`${WEB} istio-proxy: a`]);
    expect(logsOf(read(`${PODS}$ kubectl logs -n shop sts/db -c db\nFound 2 pods, using pod/db-1\na\n`))).toEqual(['shop/db-1 db: a']);
  });

  it('that is empty is a log without lines', () => {
    expect(logsOf(read(`${PODS}$ kubectl logs -n shop web-6d4b75cb6d-hx7bk -c web\n`))).toEqual([`${WEB} web: `]);
  });

  it('of a pod that nothing else shows goes by its name', () => {
    expect(logsOf(read('$ kubectl logs -n shop web-1 -c web\na\n'))).toEqual(['shop/web-1 web: a']);
  });

  it('keeps its last lines', () => {
    const { evidence } = read(
      `$ kubectl logs -n shop web-1 -c web\n${Array.from({ length: 30_000 }, (_, index) => `line ${String(index)}\n`).join('')}`,
    );
    expect([evidence.logs[0]?.lines.length, evidence.logs[0]?.lines.at(-1), evidence.logs[0]?.filtered]).toEqual([
      5000,
      'line 29999',
      true,
    ]);
  });

  it('ends where the next command begins, and with nothing else', () => {
    expect(
      logsOf(
        read(
          '$ kubectl logs -n shop web-1 -c web\nName:  x\n$ 12.50 paid\nNAME   READY\nError: no stock\n\nlast\n$ kubectl get ns\nNAME   STATUS   AGE\nshop   Active   1d\n',
        ),
      ),
    ).toEqual(['shop/web-1 web: Name:  x|$ 12.50 paid|NAME   READY|Error: no stock||last']);
  });
});

describe('several looks at one log', () => {
  it('are one: a whole one is enough', () => {
    expect(
      logsOf(read(`${PODS}$ kubectl logs -n shop deploy/web -c web\na\nb\n$ kubectl logs -n shop deploy/web -c web | grep a\na\n`)),
    ).toEqual([`${WEB} web: a|b`]);
  });

  it('are put together when all of them are parts', () => {
    expect(
      logsOf(
        read(
          `${PODS}$ kubectl logs -n shop deploy/web -c web | grep -i error\nerror 1\nerror 2\n$ kubectl logs -n shop deploy/web -c web --tail=2\nerror 2\nb\n`,
        ),
      ),
    ).toEqual([`${WEB} web in part: error 1|error 2|b`]);
  });
});

describe('what kubectl says instead of a log', () => {
  it.each([
    [
      'kubectl logs -n shop -p web-1 -c web',
      'Error from server (BadRequest): previous terminated container "web" in pod "web-1" not found',
      'shop/web-1 web before: (absent)',
    ],
    [
      'kubectl logs -n shop -l app=web.previous --tail=200',
      'Error: Error from server (BadRequest): previous terminated container "web" in pod "web-6d4b75cb6d-hx7bk" not found',
      `${WEB} web before: (absent)`,
    ],
    [
      'kubectl logs -n shop web-1',
      'Error from server (BadRequest): container "web" in pod "web-1" is waiting to start: ContainerCreating',
      'shop/web-1 web: (absent)',
    ],
    [
      'kubectl logs -n shop web-1 -c web',
      'Error from server: Get "https://worker-1:10250/containerLogs/shop/web-1/web": dial tcp 192.168.0.11:10250: connect: connection refused',
      'shop/web-1 web: (failed)',
    ],
    ['kubectl logs -n shop web-1 -c web', 'unable to retrieve container logs for containerd://0a1b2c', 'shop/web-1 web: (failed)'],
  ])('%s', (command, answer, expected) => {
    expect(logsOf(read(`${PODS}$ ${command}\n${answer}\n`))).toEqual([expected]);
  });

  it('of a pod that does not exist is no log, but that it does not', () => {
    const gone = read(`${PODS}$ kubectl logs -n shop web-9 -c web\nError from server (NotFound): pods "web-9" not found\n`);
    expect(logsOf(gone)).toEqual([]);
    expect(gone.evidence.absent).toEqual([{ kind: 'Pod', namespace: 'shop', name: 'web-9' }]);
  });

  it('of a container that the pod does not have is no log', () => {
    expect(
      logsOf(
        read(
          `${PODS}$ kubectl logs -n shop -l app=db.istio-proxy --tail=200\nError: error: container istio-proxy is not valid for pod db-0\n`,
        ),
      ),
    ).toEqual([]);
  });
});
