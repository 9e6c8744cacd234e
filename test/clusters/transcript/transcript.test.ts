import { describe, expect, it } from 'vitest';
import { fieldOf, objectIn, PRINTED, read, refsIn } from '../../support/transcripts.ts';

const PODS = 'NAME    READY   STATUS    RESTARTS   AGE\nweb-1   1/1     Running   0          1m\n';
const DESCRIBE = `Name:             web-1
Namespace:        shop
Priority:         0
Node:             worker-1/192.168.0.11
Labels:           app=web
Status:           Pending
IP:               10.0.1.7
Containers:
  web:
    Image:          registry.example/shop/web:1.4.2
    State:          Waiting
      Reason:       ImagePullBackOff
    Ready:          False
    Restart Count:  0
Conditions:
  Type              Status
  Ready             False 
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data
QoS Class:        BestEffort
Events:
  Type     Reason   Age                From     Message
  ----     ------   ----               ----     -------
  Warning  Failed   10s (x4 over 2m)   kubelet  Failed to pull image "registry.example/shop/web:1.4.2": not found
`;
const READ_WELL = {
  metadata: { name: 'web-1', namespace: 'shop', labels: { app: 'web' } },
  spec: {
    nodeName: 'worker-1',
    containers: [{ name: 'web', image: 'registry.example/shop/web:1.4.2' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  },
  status: { phase: 'Pending' },
};

describe('a pasted text', () => {
  it.each([
    ['as it was printed', DESCRIBE],
    ['after its command', `$ kubectl describe pod web-1 -n shop\n${DESCRIBE}`],
    [
      "in a recorder's file of outputs",
      `=== kubectl describe pods\n${DESCRIBE}\n=== kubectl describe limitranges\n\n[stderr] No resources found in shop namespace.\n`,
    ],
    ['with Windows line ends', DESCRIBE.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\uFEFF${DESCRIBE}`],
    ['in colours', DESCRIBE.replaceAll(/^(\w[\w ]*):/gm, '\u001B[1;34m$1\u001B[0m:')],
    ['quoted by an issue tracker', DESCRIBE.replaceAll(/^/gm, '> ')],
    ['indented as a block of code', `My pod does not start:\n\n${DESCRIBE.replaceAll(/^/gm, '    ')}\nWhat can I do?\n`],
    ['between fences', `My pod:\n\n\`\`\`text\n$ kubectl describe pod web-1 -n shop\n${DESCRIBE}\`\`\`\n\nName: me\n`],
    ['between fences below the command', `kubectl describe pod web-1 -n shop\n\`\`\`\n${DESCRIBE}\`\`\`\n`],
    ['without blanks at line ends', DESCRIBE.replaceAll(/ +$/gm, '')],
    ['broken at the width of a terminal', brokenAt(DESCRIBE, 80)],
  ])('is read %s', (_, text) => {
    const transcript = read(text);
    expect(objectIn(transcript, 'Pod/shop/web-1')).toMatchObject(READ_WELL);
    expect(transcript.objects.find(({ kind }) => kind === 'Event')).toMatchObject({
      count: 4,
      message: 'Failed to pull image "registry.example/shop/web:1.4.2": not found',
    });
    expect(transcript.recognised).toBe(true);
  });

  it('of prose alone is not recognised, and says which lines were not understood', () => {
    const { objects, notes, recognised } = read('Hello,\n\nmy shop is down.\n');
    expect(recognised).toBe(false);
    expect(objects.map(({ kind, spec }) => [kind, spec])).toEqual([
      ['LooseText', { text: 'Hello,', line: 1 }],
      ['LooseText', { text: 'my shop is down.', line: 3 }],
    ]);
    expect(notes).toEqual([
      { line: 1, text: 'unknown line: Hello,' },
      { line: 3, text: 'unknown line: my shop is down.' },
    ]);
  });

  it('that is empty is nothing', () => {
    expect(read('')).toMatchObject({ objects: [], notes: [], recognised: false });
  });

  it('may have several outputs without commands one after the other', () => {
    expect(
      refsIn(read(`${PODS}\n${DESCRIBE}\n\nNAME   STATUS   ROLES    AGE   VERSION\nworker-1   Ready   <none>   1d   v1.31.2\n`)),
    ).toEqual(['Node/worker-1', 'Pod/shop/web-1']);
  });

  it('may have commands that podcheck does not know', () => {
    expect(refsIn(read(`$ helm upgrade shop ./chart\nError: UPGRADE FAILED\n$ ./list-pods.sh\n${PODS}$ ls\nweb.yaml\n`))).toEqual([
      'Pod/default/web-1',
    ]);
  });

  it('may have a command typed over several lines', () => {
    expect(refsIn(read(`$ kubectl get pods \\\n    -n shop \\\n    -o wide\n${PODS}`))).toEqual(['Pod/shop/web-1']);
  });

  it('may end in the middle of anything', () => {
    const text = `$ kubectl get pods -n shop\n${PODS}$ kubectl describe pod web-1 -n shop\n${DESCRIBE}$ kubectl apply -f - <<EOF\nkind: Pod\nEOF\n$ kubectl logs web-1 -n shop\na\n`;
    for (let length = 0; length <= text.length; length += 3) expect(() => read(text.slice(0, length))).not.toThrow();
  });
});

describe('looks at one object', () => {
  it('are put together, the fuller ones over the poorer ones whatever came first', () => {
    const table =
      '$ kubectl get pods -n shop -o wide --show-labels\nNAME    READY   STATUS             RESTARTS   AGE   IP         NODE       NOMINATED NODE   READINESS GATES   LABELS\nweb-1   0/1     ImagePullBackOff   0          2m    10.0.1.7   worker-1   <none>           <none>            app=web\n';
    const described = `$ kubectl describe pod web-1 -n shop\n${DESCRIBE}`;
    for (const text of [table + described, described + table]) {
      const transcript = read(text);
      expect(objectIn(transcript, 'Pod/shop/web-1')).toMatchObject(READ_WELL);
      expect(fieldOf(transcript, 'Pod/shop/web-1', 'status.reason')).toBeUndefined();
      expect(fieldOf(transcript, 'Pod/shop/web-1', 'metadata.creationTimestamp')).toBe('2026-11-20T11:58:00Z');
    }
  });

  it('of the same kind follow the later one', () => {
    const twice = read(`$ kubectl get pods -n shop\n${PODS.replace('Running', 'Pending')}$ kubectl get pods -n shop\n${PODS}`);
    expect(fieldOf(twice, 'Pod/shop/web-1', 'status.phase')).toBe('Running');
  });
});

describe('the time of a transcript', () => {
  it('is the newest time in it', () => {
    const node =
      'Name:  worker-1\nRoles:  <none>\nCreationTimestamp:  Tue, 10 Nov 2026 12:00:00 +0000\nUnschedulable:  false\nLease:\n  RenewTime:  Fri, 20 Nov 2026 10:15:07 +0000\n';
    expect(read(`$ kubectl describe node worker-1\n${node}`).evidence.now).toBe(Date.parse('2026-11-20T10:15:07Z'));
  });

  it('is not a time ahead: the end of a certificate, or a deletion', () => {
    const text =
      '$ kubectl get pod web-1 -n shop -o yaml\nkind: Pod\nmetadata:\n  name: web-1\n  namespace: shop\n  creationTimestamp: "2026-11-20T10:00:00Z"\n  deletionTimestamp: "2026-11-21T10:00:00Z"\n  annotations:\n    shop.example/notAfter: "2027-11-20T10:00:00Z"\n';
    expect(read(text).evidence.now).toBe(Date.parse('2026-11-20T10:00:00Z'));
  });

  it("may be told by a log, whose clock does not decide against the cluster's", () => {
    const log = '$ kubectl logs web-1 -n shop\n2026-11-20T10:20:00Z started\n';
    expect(read(log).evidence.now).toBe(Date.parse('2026-11-20T10:20:00Z'));
    const object =
      '$ kubectl get cm web -n shop -o yaml\nkind: ConfigMap\nmetadata:\n  name: web\n  namespace: shop\n  creationTimestamp: "2026-11-20T10:00:00Z"\n';
    expect(read(object + log).evidence.now).toBe(Date.parse('2026-11-20T10:20:00Z'));
    expect(read(object + log.replace('2026', '2031')).evidence.now).toBe(Date.parse('2026-11-20T10:00:00Z'));
  });

  it('is when it was written where nothing in it tells, and what was asked for before all', () => {
    expect(read(`$ kubectl get pods -n shop\n${PODS}`).evidence.now).toBe(PRINTED);
    expect(
      fieldOf(read(`$ kubectl get pods -n shop\n${PODS}`, { now: PRINTED + 3_600_000 }), 'Pod/shop/web-1', 'metadata.creationTimestamp'),
    ).toBe('2026-11-20T12:59:00Z');
  });

  it('goes on from command to command within a session', () => {
    const at = (time: string): string =>
      `# 2026-11-20T${time}Z\n$ kubectl get pods -n shop\n${PODS.replaceAll('web-1', `web-${time.slice(0, 2)}`)}`;
    const session = read(at('10:00:00') + at('11:00:00'));
    expect(fieldOf(session, 'Pod/shop/web-10', 'metadata.creationTimestamp')).toBe('2026-11-20T09:59:00Z');
    expect(fieldOf(session, 'Pod/shop/web-11', 'metadata.creationTimestamp')).toBe('2026-11-20T10:59:00Z');
  });
});

describe('hostile text', () => {
  it.each([
    ['one line without an end', `$ kubectl describe pod web-1\n${'a: '.repeat(400_000)}`],
    ['many prompts', '$ kubectl get pods\n'.repeat(20_000)],
    ['many beginnings of describes', 'Name: web\nNamespace: shop\n\n'.repeat(20_000)],
    [
      'deep indentation',
      `$ kubectl get pod web-1 -o yaml\n${Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')}\n`,
    ],
    [
      'many pods in one log',
      Array.from({ length: 150_000 }, (_, index) => `[pod/web-${String(index)}/web] x`)
        .join('\n')
        .replace(/^/, '$ kubectl logs -l app=web --prefix\n'),
    ],
    [
      'keys that are not for objects',
      '$ kubectl describe cm web -n shop\nName:  web\nNamespace:  shop\nLabels:  __proto__=x\nAnnotations:  __proto__: x\n\nData\n====\n__proto__:\n----\nx\n',
    ],
  ])('of %s ends, and leaves objects as they are', (_, text) => {
    read(text);
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('with control sequences keeps none of those that move or colour', () => {
    const text = `$ kubectl get pods -n shop\n${PODS.replace('web-1', '\u001B[31mweb-1\u001B[0m').replace('Running', '\u001B]0;title\u0007Running')}`;
    expect(fieldOf(read(text), 'Pod/shop/web-1', 'status.phase')).toBe('Running');
  });
});

/** A terminal that is so wide breaks longer lines hard. */
function brokenAt(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) =>
      Array.from({ length: Math.max(1, Math.ceil(line.length / width)) }, (_, index) => line.slice(index * width, (index + 1) * width)),
    )
    .join('\n');
}
