import { describe, expect, it } from 'vitest';
import { eventsIn, fieldOf, read } from '../../support/transcripts.ts';

const DEFAULT = `$ kubectl get events -n shop
LAST SEEN   TYPE      REASON             OBJECT                         MESSAGE
5m          Normal    Scheduled          pod/web-6d4b75cb6d-hx7bk       Successfully assigned shop/web-6d4b75cb6d-hx7bk to worker-1
30s         Warning   BackOff            pod/web-6d4b75cb6d-hx7bk       Back-off restarting failed container web in pod web-6d4b75cb6d-hx7bk
2m          Warning   FailedCreate       replicaset/web-6d4b75cb6d      Error creating: pods "web-6d4b75cb6d-" is forbidden: exceeded quota
`;

describe('a table of events', () => {
  it('has them in the usual columns', () => {
    expect(eventsIn(read(DEFAULT))).toEqual([
      'Normal Scheduled x- Pod/shop/web-6d4b75cb6d-hx7bk: Successfully assigned shop/web-6d4b75cb6d-hx7bk to worker-1',
      'Warning BackOff x- Pod/shop/web-6d4b75cb6d-hx7bk: Back-off restarting failed container web in pod web-6d4b75cb6d-hx7bk',
      'Warning FailedCreate x- ReplicaSet/shop/web-6d4b75cb6d: Error creating: pods "web-6d4b75cb6d-" is forbidden: exceeded quota',
    ]);
    expect(read(DEFAULT).evidence.collected).toContainEqual({ kind: 'Event', namespace: 'shop', complete: true });
  });

  it('may be wide: with who, how often, which container, and the name', () => {
    const wide = read(`$ kubectl get events -n shop -o wide
LAST SEEN   TYPE      REASON    OBJECT      SUBOBJECT              SOURCE              MESSAGE                      FIRST SEEN   COUNT   NAME
30s         Warning   BackOff   pod/web-1   spec.containers{web}   kubelet, worker-1   Back-off restarting failed   20m          60      web-1.17abcdef01234567
`);
    expect(wide.objects.find(({ kind }) => kind === 'Event')).toMatchObject({
      metadata: { name: 'web-1.17abcdef01234567', namespace: 'shop' },
      involvedObject: { fieldPath: 'spec.containers{web}' },
      source: { component: 'kubelet', host: 'worker-1' },
      count: 60,
      firstTimestamp: '2026-11-20T11:40:00Z',
      lastTimestamp: '2026-11-20T11:59:30Z',
    });
  });

  it('may have columns that somebody chose, without the command that tells them', () => {
    const chosen = read(`LASTSEEN               TYPE      REASON    KIND   NAME    MESSAGE
2026-11-20T11:59:30Z   Warning   BackOff   Pod    web-1   Back-off restarting failed container web in pod web-1
`);
    expect(eventsIn(chosen)).toEqual(['Warning BackOff x- Pod/default/web-1: Back-off restarting failed container web in pod web-1']);
  });

  it('is read below a description of which only single blanks are left', () => {
    const collapsed = read(`Name: web-1
Namespace: shop
Priority: 0
Service Account: default
Node: worker-1/10.0.0.7
Status: Pending
IP: 10.1.0.7
Containers:
  app:
    Image: web:9
    State: Waiting
      Reason: ImagePullBackOff
    Ready: False
    Restart Count: 0
Events:
Type Reason Age From Message
---- ------ ---- ---- -------
Normal BackOff 25s (x2 over 51s) kubelet Back-off pulling image "web:9"
Warning Failed 12s (x3 over 52s) kubelet Failed to pull image "web:9": not found
`);
    expect(eventsIn(collapsed)).toEqual([
      'Normal BackOff x2 Pod/shop/web-1: Back-off pulling image "web:9"',
      'Warning Failed x3 Pod/shop/web-1: Failed to pull image "web:9": not found',
    ]);
  });

  it('is read below a description that has tabs in the place of blanks', () => {
    const tabbed = read(`Name:\tweb-1
Namespace:\tshop
Priority:\t0
Node:\tworker-1/10.0.0.7
Status:\tRunning
IP:\t10.1.0.7
Containers:
  app:
    Image:\tweb:9
    State:\tRunning
    Ready:\tFalse
    Restart Count:\t2
    Liveness:\tgrpc <pod>:9000\tdelay=5s timeout=1s period=10s #success=1 #failure=3
Events:
  Type\tReason\tAge\tFrom\tMessage
  ----\t------\t----\t----\t-------
  Warning\tUnhealthy\t1s (x7 over 81s)\tkubelet\tLiveness probe failed: HTTP probe failed with statuscode: 500
`);
    expect(fieldOf(tabbed, 'Pod/shop/web-1', 'spec.containers.0.livenessProbe.grpc.port')).toBe(9000);
    expect(eventsIn(tabbed)).toEqual([
      'Warning Unhealthy x7 Pod/shop/web-1: Liveness probe failed: HTTP probe failed with statuscode: 500',
    ]);
  });

  it('may be of all namespaces, and of objects that have none', () => {
    const all = read(`$ kubectl get events -A
NAMESPACE   LAST SEEN   TYPE      REASON         OBJECT          MESSAGE
default     60s         Normal    NodeNotReady   node/worker-1   Node worker-1 status is now: NodeNotReady
shop        2m          Warning   Failed         pod/web-1       Error: ImagePullBackOff
`);
    expect(eventsIn(all)).toEqual([
      'Normal NodeNotReady x- Node/-/worker-1: Node worker-1 status is now: NodeNotReady',
      'Warning Failed x- Pod/shop/web-1: Error: ImagePullBackOff',
    ]);
    expect(all.evidence.collected).toContainEqual({ kind: 'Event', complete: true });
  });

  it('may be that of kubectl events', () => {
    const events = read(
      '$ kubectl events -n shop\nLAST SEEN              TYPE      REASON    OBJECT      MESSAGE\n30s (x60 over 20m)     Warning   BackOff   Pod/web-1   Back-off restarting failed\n',
    );
    expect(eventsIn(events)).toEqual(['Warning BackOff x60 Pod/shop/web-1: Back-off restarting failed']);
    expect(events.evidence.collected).toContainEqual({ kind: 'Event', namespace: 'shop', complete: true });
    expect(read('$ kubectl events -n shop --for pod/web-1\nNo events found in shop namespace.\n').evidence.collected).not.toContainEqual({
      kind: 'Event',
      namespace: 'shop',
      complete: true,
    });
  });

  it('may have lost its title line to tail, and then is not all there is', () => {
    const tail = read(
      `$ kubectl get events -n shop --sort-by='.lastTimestamp' | tail -n 2\n${DEFAULT.split('\n').slice(2, 4).join('\n')}\n`,
    );
    expect(eventsIn(tail)).toHaveLength(2);
    expect(tail.evidence.collected).toEqual([
      { kind: 'Event', namespace: 'shop', complete: false },
      { kind: 'Pod', namespace: 'shop', complete: false },
      { kind: 'ClientAnswer', complete: true },
    ]);
  });

  it('without a command is of the namespace that its objects are known to be in', () => {
    expect(
      eventsIn(
        read(
          'NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE\nshop        web-1   0/1     Error     1          1m\n\nLAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n30s         Warning   BackOff   pod/web-1   Back-off\n',
        ),
      ),
    ).toEqual(['Warning BackOff x- Pod/shop/web-1: Back-off']);
  });
});

describe('the same event', () => {
  const later =
    'LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n10s         Warning   BackOff   pod/web-1   Back-off restarting failed\n';

  it('printed in several places is one, as it was seen last and first', () => {
    const twice = read(
      `$ kubectl events -n shop\nLAST SEEN              TYPE      REASON    OBJECT      MESSAGE\n30s (x60 over 20m)     Warning   BackOff   Pod/web-1   Back-off restarting failed\n$ kubectl get events -n shop\n${later}`,
    );
    expect(eventsIn(twice)).toEqual(['Warning BackOff x60 Pod/shop/web-1: Back-off restarting failed']);
    expect(twice.objects.find(({ kind }) => kind === 'Event')).toMatchObject({
      firstTimestamp: '2026-11-20T11:40:00Z',
      lastTimestamp: '2026-11-20T11:59:50Z',
    });
  });

  it('read whole goes before how it was printed', () => {
    const whole = `$ kubectl get events -n shop -o yaml
apiVersion: v1
items:
- apiVersion: v1
  count: 61
  involvedObject:
    kind: Pod
    name: web-1
    namespace: shop
    uid: u-web-1
  kind: Event
  lastTimestamp: "2026-11-20T12:00:00Z"
  message: Back-off restarting failed
  metadata:
    name: web-1.17abcdef01234567
    namespace: shop
    uid: u-event
  reason: BackOff
  type: Warning
kind: List
metadata:
  resourceVersion: ""
`;
    const both = read(`$ kubectl get events -n shop\n${later}${whole}`);
    expect(both.objects.filter(({ kind }) => kind === 'Event')).toMatchObject([{ count: 61, involvedObject: { uid: 'u-web-1' } }]);
  });
});
