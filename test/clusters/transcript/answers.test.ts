import { describe, expect, it } from 'vitest';
import { CLIENT_ANSWER } from '../../../src/model/record-kinds.ts';
import { read, recordsIn, refsIn } from '../../support/transcripts.ts';

const POD_TABLE = 'NAME    READY   STATUS    RESTARTS   AGE\nweb-1   1/1     Running   0          1m\n';
const kinds = (text: string): unknown => read(text).evidence.collected.filter(({ kind }) => kind !== CLIENT_ANSWER);

describe('what a list shows', () => {
  it.each([
    ['kubectl get pods -n shop', { kind: 'Pod', namespace: 'shop', complete: true }],
    ['kubectl get pods -A', { kind: 'Pod', complete: true }],
    ['kubectl get nodes', { kind: 'Node', complete: true }],
    ['kubectl get pods -n shop -l app=web', { kind: 'Pod', namespace: 'shop', complete: true, labelSelector: 'app=web' }],
    [
      'kubectl get pods -n shop --field-selector status.phase=Running',
      { kind: 'Pod', namespace: 'shop', complete: true, fieldSelector: 'status.phase=Running' },
    ],
    ['kubectl get pods -n shop | grep web', { kind: 'Pod', namespace: 'shop', complete: false }],
    ['kubectl describe pods -n shop', { kind: 'Pod', namespace: 'shop', complete: true }],
  ])('%s', (command, expected) => {
    expect(kinds(`$ ${command}\nNo resources found\n`)).toEqual([expected]);
  });

  it('is not that there is nothing when kubectl said nothing, or when its output could not be read', () => {
    const open = { kind: 'Pod', namespace: 'shop', complete: false };
    expect(kinds('$ kubectl get pods -n shop\n')).toEqual([open]);
    expect(kinds('$ kubectl get pods -n shop --no-headers\nweb-1   1/1   Running   0   1m\n')).toEqual([open]);
    expect(kinds("$ kubectl get pods -n shop -o jsonpath='{.items[*].metadata.name}'\nweb-1\n")).toEqual([open]);
    expect(kinds('$ kubectl describe pods -n shop\nsomething else\n')).toEqual([open]);
  });

  it('is nothing about a kind when objects were asked for by name', () => {
    expect(kinds(`$ kubectl get pod web-1 -n shop\n${POD_TABLE}`)).toEqual([]);
  });

  it('is complete for kinds that there are none of', () => {
    expect(kinds('$ kubectl get pvc,pv -n shop\nNo resources found\n')).toEqual([
      { kind: 'PersistentVolumeClaim', namespace: 'shop', complete: true },
      { kind: 'PersistentVolume', complete: true },
    ]);
  });

  it('is in the namespace that the answer names', () => {
    expect(kinds('$ kubectl get pods\nNo resources found in shop namespace.\n')).toEqual([
      { kind: 'Pod', namespace: 'shop', complete: true },
    ]);
  });

  it('is whole for nothing when the server refused or did not answer', () => {
    expect(kinds('$ kubectl get pods -n shop\nUnable to connect to the server: dial tcp 192.0.2.1:6443: i/o timeout\n')).toEqual([]);
    const { evidence } = read('$ kubectl get pods -n shop\nUnable to connect to the server: dial tcp 192.0.2.1:6443: i/o timeout\n');
    expect(evidence.refused).toEqual([
      { kind: 'Pod', namespace: 'shop', why: 'failed', detail: 'Unable to connect to the server: dial tcp 192.0.2.1:6443: i/o timeout' },
    ]);
  });

  it('of a kind the server does not serve is that there are none', () => {
    expect(kinds('$ kubectl get httproutes -n shop\nerror: the server doesn\'t have a resource type "httproutes"\n')).toEqual([
      { kind: 'HTTPRoute', complete: true },
    ]);
  });
});

describe('an object that does not exist', () => {
  it('is absent where the command looked', () => {
    expect(read('$ kubectl get secret db -n shop\nError from server (NotFound): secrets "db" not found\n').evidence.absent).toEqual([
      { kind: 'Secret', namespace: 'shop', name: 'db' },
    ]);
    expect(
      read('$ kubectl get deploy web -n shop\nError from server (NotFound): deployments.apps "web" not found\n').evidence.absent,
    ).toEqual([{ kind: 'Deployment', namespace: 'shop', name: 'web' }]);
    expect(
      read('$ kubectl apply -f web.yaml\nError from server (NotFound): error when creating "web.yaml": namespaces "shop" not found\n')
        .evidence.absent,
    ).toEqual([{ kind: 'Namespace', name: 'shop' }]);
  });

  it('is there all the same when it was seen later, and gone when it was seen before', () => {
    const missing = '$ kubectl get pod web-1 -n shop\nError from server (NotFound): pods "web-1" not found\n';
    const seen = `$ kubectl get pods -n shop\n${POD_TABLE}`;
    expect([refsIn(read(missing + seen)), read(missing + seen).evidence.absent]).toEqual([['Pod/shop/web-1'], []]);
    expect([refsIn(read(seen + missing)), read(seen + missing).evidence.absent]).toEqual([
      [],
      [{ kind: 'Pod', namespace: 'shop', name: 'web-1' }],
    ]);
  });

  it('is not called absent where only a guess could tell the namespace', () => {
    const { evidence } = read(
      `$ kubectl get pods -n shop\n${POD_TABLE}$ kubectl get pods -n stock\n${POD_TABLE}$ kubectl get pod web-7\nError from server (NotFound): pods "web-7" not found\n`,
    );
    expect(evidence.absent).toEqual([]);
  });
});

describe('a refused read', () => {
  it('names the permission that it lacks', () => {
    const { evidence } = read(
      '$ kubectl get cm -n shop\nError from server (Forbidden): configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "shop"\n',
    );
    expect(evidence.refused).toEqual([
      {
        kind: 'ConfigMap',
        namespace: 'shop',
        why: 'forbidden',
        detail: 'jane cannot list configmaps in shop',
        needs: 'list configmaps in shop',
      },
    ]);
    expect(evidence.collected).toEqual([{ kind: CLIENT_ANSWER, complete: true }]);
  });

  it('may be of one object, or of the whole cluster', () => {
    const one = read(
      'Error from server (Forbidden): secrets "db" is forbidden: User "jane" cannot get resource "secrets" in API group "" in the namespace "shop"\n',
    );
    expect(one.evidence.refused).toMatchObject([{ kind: 'Secret', namespace: 'shop', name: 'db', needs: 'get secrets in shop' }]);
    const all = read(
      '$ kubectl get nodes\nError from server (Forbidden): nodes is forbidden: User "system:serviceaccount:shop:ci" cannot list resource "nodes" in API group "" at the cluster scope\n',
    );
    expect(all.evidence.refused).toMatchObject([{ kind: 'Node', needs: 'list nodes in all namespaces' }]);
  });

  it('is not a refused write', () => {
    const write = read(
      '$ kubectl apply -f web.yaml\nError from server (Forbidden): error when creating "web.yaml": pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "shop"\n',
    );
    expect(write.evidence.refused).toEqual([]);
    expect(recordsIn(write, CLIENT_ANSWER)).toMatchObject([{ verb: 'apply', output: expect.stringContaining('cannot create') as string }]);
  });
});

describe('a namespace that a command leaves out', () => {
  it.each([
    ['is the one chosen before', '$ kubectl config set-context --current --namespace=shop\nContext "a" modified.\n$ kubectl get pods\n'],
    ['is the one kubens chose', '$ kubens shop\n$ kubectl get pods\n'],
    ['is that of an OpenShift project', '$ oc project shop\nNow using project "shop".\n$ oc get pods\n'],
    [
      'is the one a describe without one prints',
      '$ kubectl describe svc web\nName:  web\nNamespace:  shop\nType:  ClusterIP\nSession Affinity:  None\nEvents:  <none>\n$ kubectl get pods\n',
    ],
  ])('%s', (_, before) => {
    expect(refsIn(read(before + POD_TABLE))).toContain('Pod/shop/web-1');
  });

  it('is that of the same object elsewhere, also for the rows beside it', () => {
    const text = `$ kubectl get pods -n stock\nNAME    READY   STATUS    RESTARTS   AGE\ndb-0    1/1     Running   0          1m\n$ kubectl describe pod web-1 -n shop\nName:  web-1\nNamespace:  shop\nNode:  worker-1/10.0.0.1\nContainers:\n  web:\n    Image:  web:1\n$ kubectl get pods\n${POD_TABLE}web-2   1/1     Running   0          1m\n`;
    expect(refsIn(read(text))).toEqual(['Pod/shop/web-1', 'Pod/shop/web-2', 'Pod/stock/db-0']);
  });

  it('is the only one there is, but what is not there is then not called absent', () => {
    const { evidence } = read(
      `$ kubectl get deploy -n shop\nNAME   READY   UP-TO-DATE   AVAILABLE   AGE\nweb    1/1     1            1           1m\n$ kubectl get pods\n${POD_TABLE}`,
    );
    expect(evidence.collected).toContainEqual({ kind: 'Pod', namespace: 'shop', complete: false });
  });

  it('is default when nothing tells another', () => {
    expect(refsIn(read(`$ kubectl get pods\n${POD_TABLE}`))).toEqual(['Pod/default/web-1']);
    expect(refsIn(read(`$ kubectl get pods\n${POD_TABLE}`, { namespace: 'shop' }))).toEqual(['Pod/shop/web-1']);
  });
});

describe('an answer', () => {
  it('is kept for every command, in order, with its exit code and time', () => {
    const recorded = read(`# 2026-11-20T11:00:00.5Z
$ kubectl apply -n shop -f web.yaml
[stdout]
deployment.apps/web configured
[stderr]
Warning: would violate PodSecurity "restricted:latest": runAsNonRoot != true
[exit code] 0

# 2026-11-20T11:00:07Z
$ kubectl -n shop get pods
[stdout]
[stderr] No resources found in shop namespace.
[exit code] 0
`);
    expect(recordsIn(recorded, CLIENT_ANSWER)).toEqual([
      {
        command: 'kubectl apply -n shop -f web.yaml',
        verb: 'apply',
        output: 'deployment.apps/web configured\nWarning: would violate PodSecurity "restricted:latest": runAsNonRoot != true',
        order: 0,
        exitCode: 0,
        at: '2026-11-20T11:00:00Z',
      },
      {
        command: 'kubectl -n shop get pods',
        verb: 'get',
        output: 'No resources found in shop namespace.',
        order: 1,
        exitCode: 0,
        at: '2026-11-20T11:00:07Z',
      },
    ]);
    expect(recorded.evidence.now).toBe(Date.parse('2026-11-20T11:00:07Z'));
  });

  it("of a command that looks has only the words that are kubectl's own", () => {
    expect(recordsIn(read(`$ kubectl get pods -n shop\n${POD_TABLE}`), CLIENT_ANSWER)).toMatchObject([
      { verb: 'get', output: 'NAME    READY   STATUS    RESTARTS   AGE' },
    ]);
    expect(recordsIn(read('$ kubectl logs web-1 -n shop\nError from server (Forbidden): said the shop\n'), CLIENT_ANSWER)).toMatchObject([
      { verb: 'logs', output: '' },
    ]);
  });

  it('does not keep credentials typed on the command line', () => {
    const [spec] = recordsIn(
      read(
        '$ kubectl create secret generic db -n shop --from-literal=password=hunter2 --from-literal user=web --token=abc.def\nsecret/db created\n',
      ),
      CLIENT_ANSWER,
    );
    expect(spec).toMatchObject({
      command: 'kubectl create secret generic db -n shop --from-literal=password=… --from-literal user=… --token=…',
    });
  });

  it('may stand alone: an error message without its command', () => {
    expect(
      recordsIn(
        read('error: error validating "web.yaml": error validating data: unknown object type "nil" in ConfigMap.data.a\n'),
        CLIENT_ANSWER,
      ),
    ).toMatchObject([{ verb: '', output: expect.stringContaining('unknown object type') as string }]);
  });
});
