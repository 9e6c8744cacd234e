import { describe, expect, it } from 'vitest';
import { OBSERVED, shows } from '../../../src/model/kube-object.ts';
import { APPLIED_MANIFEST } from '../../../src/model/record-kinds.ts';
import { fieldOf, objectIn, read, recordsIn, refsIn } from '../../support/transcripts.ts';

const POD = `apiVersion: v1
kind: Pod
metadata:
  creationTimestamp: "2026-11-20T11:00:00Z"
  name: web-1
  namespace: shop
  uid: u-web-1
spec:
  containers:
  - image: registry.example/web:1
    name: web
  nodeName: worker-1
status:
  phase: Running
`;
const LIST = `apiVersion: v1
items:
${['web-1', 'web-2'].map((name) => `- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: ${name}\n    namespace: shop\n    uid: u-${name}\n  status:\n    phase: Running\n`).join('')}kind: List
metadata:
  resourceVersion: ""
`;

describe('the output of -o yaml and -o json', () => {
  it('is the object whole', () => {
    const pod = objectIn(read(`$ kubectl get pod web-1 -n shop -o yaml\n${POD}`), 'Pod/shop/web-1');
    expect(pod).toMatchObject({ spec: { nodeName: 'worker-1' }, status: { phase: 'Running' } });
    expect(pod[OBSERVED]).toBeUndefined();
  });

  it('may be a list, or several documents, or JSON', () => {
    const json = JSON.stringify(
      {
        apiVersion: 'v1',
        kind: 'PodList',
        items: [{ metadata: { name: 'web-1', namespace: 'shop' } }, { metadata: { name: 'web-2', namespace: 'shop' } }],
      },
      undefined,
      2,
    );
    for (const text of [`-o yaml\n${LIST}`, `-o json\n${json}\n`]) {
      const { evidence, ...transcript } = read(`$ kubectl get pods -n shop ${text}`);
      expect(refsIn({ ...transcript, evidence })).toEqual(['Pod/shop/web-1', 'Pod/shop/web-2']);
      expect(evidence.collected).toContainEqual({ kind: 'Pod', namespace: 'shop', complete: true });
    }
    expect(
      refsIn(
        read(
          `$ kubectl get pod,svc -n shop -o yaml\n${POD}---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\n`,
        ),
      ),
    ).toEqual(['Pod/shop/web-1', 'Service/shop/web']);
  });

  it('goes before what tables and describes show, before and after it', () => {
    const table = '$ kubectl get pods -n shop\nNAME    READY   STATUS    RESTARTS   AGE\nweb-1   0/1     Pending   0          1m\n';
    for (const text of [
      `${table}$ kubectl get pod web-1 -n shop -o yaml\n${POD}`,
      `$ kubectl get pod web-1 -n shop -o yaml\n${POD}${table}`,
    ])
      expect(fieldOf(read(text), 'Pod/shop/web-1', 'status.phase')).toBe('Running');
  });

  it('in JSON that breaks off shows the fields before its end', () => {
    const cut = read(
      'It hangs:\n```\n{\n  "apiVersion": "v1",\n  "kind": "PersistentVolumeClaim",\n  "metadata": {\n    "name": "data",\n    "namespace": "shop",\n    "uid": "u-1",\n    "finalizers": [\n      "kubernetes.io/pvc-protection"\n    ],\n    "labels": {\n      "app": "t',
    );
    const claim = objectIn(cut, 'PersistentVolumeClaim/shop/data');
    expect(claim.metadata['finalizers']).toEqual(['kubernetes.io/pvc-protection']);
    expect(shows(claim, 'status.phase')).toBe(false);
  });

  it('that breaks off shows what came before, and the list is not whole', () => {
    const cut = read(`$ kubectl get pods -n shop -o yaml\n${LIST.slice(0, LIST.indexOf('u-web-2') + 7)}\n`);
    expect(refsIn(cut)).toEqual(['Pod/shop/web-1', 'Pod/shop/web-2']);
    expect(shows(objectIn(cut, 'Pod/shop/web-1'), 'spec.nodeName')).toBe(true);
    expect(shows(objectIn(cut, 'Pod/shop/web-2'), 'status.phase')).toBe(false);
    expect(cut.evidence.collected).toContainEqual({ kind: 'Pod', namespace: 'shop', complete: false });
  });

  it('that cannot be read is a note with its line', () => {
    const { notes } = read('$ kubectl get pod web-1 -n shop -o yaml\napiVersion: v1\nkind: Pod\n\tmetadata: x\n');
    expect(notes).toMatchObject([{ line: 4 }]);
  });

  it('has no values of Secrets', () => {
    const secret = objectIn(
      read(
        '$ kubectl get secret db -n shop -o yaml\napiVersion: v1\ndata:\n  password: aHVudGVyMg==\nkind: Secret\nmetadata:\n  name: db\n  namespace: shop\n  uid: u\n',
      ),
      'Secret/shop/db',
    );
    expect(secret['data']).toEqual({ password: '' });
  });

  it('may stand alone, without a command', () => {
    expect(refsIn(read(`Here it is:\n\n${POD}\nWhat now?\n`))).toEqual(['Pod/shop/web-1']);
    expect(
      refsIn(
        read(
          `${JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1', namespace: 'shop', uid: 'u' } }, undefined, 4)}\n`,
        ),
      ),
    ).toEqual(['Pod/shop/web-1']);
  });

  it("in a format of one's own is left out with a note", () => {
    expect(read("$ kubectl get pods -n shop -o jsonpath='{.items[*].metadata.name}'\nweb-1 web-2\n").notes).toMatchObject([
      { text: 'not read: output format jsonpath' },
    ]);
    expect(read('$ kubectl get pods -n shop -o json | jq .items[0].status\n{\n  "phase": "Running"\n}\n').notes).toMatchObject([
      { text: expect.stringContaining('another program') as string },
    ]);
  });
});

const MANIFEST = `# the shop
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: front
`;

describe('a manifest', () => {
  it('that was shown is a record of each document', () => {
    const shown = read(`$ cat shop/web.yaml\n${MANIFEST}$ kubectl get pods -n shop\n`);
    expect(recordsIn(shown, APPLIED_MANIFEST)).toMatchObject([
      { file: 'web.yaml', object: { kind: 'Deployment', spec: { replicas: 2 } } },
      { file: 'web.yaml', object: { kind: 'Service' } },
    ]);
    expect(refsIn(shown)).toEqual([]);
  });

  it('is in its own namespace, else in the one it was applied to, else where its object is', () => {
    const namespaces = (text: string): unknown =>
      read(text)
        .objects.filter(({ kind }) => kind === APPLIED_MANIFEST)
        .map(({ metadata }) => metadata.namespace);
    expect(namespaces(`$ cat web.yaml\n${MANIFEST}$ kubectl apply -n shop -f ./shop/web.yaml\ndeployment.apps/web created\n`)).toEqual([
      'shop',
      'front',
    ]);
    expect(
      namespaces(
        `$ cat web.yaml\n${MANIFEST}$ kubectl get deploy -n shop\nNAME   READY   UP-TO-DATE   AVAILABLE   AGE\nweb    1/1     1            1           1m\n`,
      ),
    ).toEqual(['shop', 'front']);
    expect(namespaces(`$ cat web.yaml\n${MANIFEST}`)).toEqual([undefined, 'front']);
  });

  it('may be written in a here-document, to a file or straight to apply', () => {
    const piped = read(`$ kubectl apply -n shop -f - <<EOF\n${MANIFEST}EOF\ndeployment.apps/web created\n`);
    expect(recordsIn(piped, APPLIED_MANIFEST)).toMatchObject([
      { file: 'stdin', object: { kind: 'Deployment' } },
      { object: { kind: 'Service' } },
    ]);
    const written = read(`$ cat > web.yaml <<'EOF'\n${MANIFEST}EOF\n$ kubectl apply -f web.yaml\n`);
    expect(recordsIn(written, APPLIED_MANIFEST)).toMatchObject([{ file: 'web.yaml' }, { file: 'web.yaml' }]);
    const typed = read(
      `$ cat <<EOF | kubectl apply -f -\n> apiVersion: v1\n> kind: Namespace\n> metadata:\n>   name: shop\n> EOF\nnamespace/shop created\n`,
    );
    expect(recordsIn(typed, APPLIED_MANIFEST)).toMatchObject([{ object: { kind: 'Namespace', metadata: { name: 'shop' } } }]);
  });

  it('that cannot be parsed is a record with the error and its line in the file', () => {
    expect(recordsIn(read('$ cat web.yaml\napiVersion: v1\nkind: Pod\nmetadata:\n\tname: web\n'), APPLIED_MANIFEST)).toMatchObject([
      { file: 'web.yaml', error: { line: 4 } },
    ]);
  });

  it('pasted without a command is one as well: it was never stored', () => {
    const pasted = read(MANIFEST);
    expect(recordsIn(pasted, APPLIED_MANIFEST)).toHaveLength(2);
    expect(refsIn(pasted)).toEqual([]);
  });

  it('shown in part is none, but a note', () => {
    const part = read(`$ cat web.yaml | grep kind\nkind: Deployment\nkind: Service\n`);
    expect([recordsIn(part, APPLIED_MANIFEST), part.notes]).toMatchObject([[], [{ text: 'only part of web.yaml is shown' }]]);
  });

  it('keeps no secret but where something is', () => {
    const [, spec] = [
      0,
      recordsIn(
        read(
          '$ cat db.yaml\napiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  DB_PORT: "3307"\n  DB_PASSWORD: hunter2\n',
        ),
        APPLIED_MANIFEST,
      )[0],
    ];
    expect(spec).toMatchObject({ object: { stringData: { DB_PORT: '3307', DB_PASSWORD: '' } } });
  });

  it('has no fault of its own where a page took away all margins', () => {
    const bare = read('$ cat web.yaml\napiVersion: v1\nkind: Pod\nmetadata:\nname: web\nspec:\ncontainers:\n- name: app\nimage: web:9\n');
    expect(recordsIn(bare, APPLIED_MANIFEST)).toEqual([]);
  });

  it('is not just any file', () => {
    expect(read('$ cat /etc/resolv.conf\nnameserver 10.96.0.10\n').objects).toEqual([]);
  });
});
