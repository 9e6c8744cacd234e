import { describe, expect, it } from 'vitest';
import { asList, dig } from '../../../src/base/json.ts';
import { eventInLog } from '../../../src/clusters/transcript/loose/event-in-log.ts';
import { eventRow } from '../../../src/clusters/transcript/loose/event-row.ts';
import { eventsIn, fieldOf, read, recordsIn, refsIn } from '../../support/transcripts.ts';

describe('a ReplicaSet of which only events tell', () => {
  const refused =
    '2m   Warning   FailedCreate   replicaset/till-5d6f7c8b9   Error creating: pods "till-5d6f7c8b9-" is forbidden: no quota\n';
  const events = `$ kubectl get events\nLAST SEEN   TYPE      REASON         OBJECT                      MESSAGE\n${refused}`;

  it('belongs to the Deployment that its name tells of, where that was seen', () => {
    const list = '$ kubectl get deploy\nNAME   READY   UP-TO-DATE   AVAILABLE   AGE\ntill   0/3     0            0           12m\n\n';
    expect(fieldOf(read(list + events), 'ReplicaSet/default/till-5d6f7c8b9', 'metadata.ownerReferences.0.name')).toBe('till');
    expect(refsIn(read(events)).filter((ref) => ref.startsWith('ReplicaSet'))).toEqual([]);
  });
});

describe('a row of events', () => {
  it.each([
    [
      'of describe',
      '  Warning  BackOff  2m (x5 over 9m)  kubelet  Back-off restarting failed container',
      { age: '2m (x5 over 9m)', source: 'kubelet' },
    ],
    [
      'of describe before 1.7',
      '  9m\t\t2m\t\t5\t{kubelet worker-1}\tspec.containers{web}\tWarning\t\tBackOff\t\tBack-off restarting failed container',
      { age: '2m', firstAge: '9m', count: 5, source: 'kubelet, worker-1', fieldPath: 'spec.containers{web}' },
    ],
    [
      'of get events',
      '2m   Warning   BackOff   pod/web-1   Back-off restarting failed container',
      { age: '2m', about: { kind: 'Pod', name: 'web-1' } },
    ],
    [
      'of get events before 1.13',
      '2m   9m   5   web-1.15aabbccddeeff00   Pod   spec.containers{web}   Warning   BackOff   kubelet, worker-1   Back-off restarting failed container',
      { age: '2m', count: 5, about: { kind: 'Pod', name: 'web-1' }, source: 'kubelet, worker-1' },
    ],
    [
      'of a wide table',
      '2m   Warning   BackOff   pod/web-1   spec.containers{web}   kubelet, worker-1   Back-off restarting failed container   9m   5   web-1.15aabbccddeeff00',
      { age: '2m', about: { kind: 'Pod', name: 'web-1' }, source: 'kubelet, worker-1' },
    ],
    [
      'whose blanks were collapsed',
      'Warning BackOff 2m (x5 over 9m) kubelet, worker-1 Back-off restarting failed container',
      { age: '2m (x5 over 9m)', source: 'kubelet, worker-1' },
    ],
    [
      'of a console that puts the age last',
      'Warning\tBackOff\tpod/web-1\tBack-off restarting failed container\t2 mins ago',
      { about: { kind: 'Pod', name: 'web-1' } },
    ],
  ])('%s has its parts wherever they stand', (_, line, parts) => {
    expect(eventRow(line)).toMatchObject({ type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container', ...parts });
  });

  it('ends before a row that was cut', () => {
    const rows = 'Events:\nNormal Scheduled 5m31s default-scheduler Successfully assigned shop/till-0 to worker-1\nNormal Pull\n';
    expect(fieldOf(read(rows), 'Pod/shop/till-0', 'spec.nodeName')).toBe('worker-1');
  });

  it('is about the pod whose subresource was asked for', () => {
    const log = '  Warning  BackOff  2m (x5 over 9m)  kubelet  Back-off restarting failed container\n';
    const refused = 'logs: error: You must be logged in to the server (the server has asked for credentials ( pods/log till-0))\n';
    expect(refsIn(read(refused + log)).filter((ref) => ref.startsWith('Pod/'))).toEqual(['Pod/default/till-0']);
  });

  it('is no sentence with the same words', () => {
    expect(eventRow('I get a Warning BackOff all day long')).toBeUndefined();
    expect(eventRow('Normal Operation resumed after lunch')).toBeUndefined();
  });

  it('has no message where it was cut within its source', () => {
    expect(eventRow('  Warning  Failed  4s (x2 over 9s)  kube')).toMatchObject({ reason: 'Failed', message: '' });
  });

  it('may be told in a log', () => {
    expect(
      eventInLog(
        `I0101 10:00:00.000000 1 event.go:211] Event(v1.ObjectReference{Kind:"Pod", Namespace:"shop", Name:"web-1", UID:"1", APIVersion:"v1", ResourceVersion:"2", FieldPath:""}): type: 'Warning' reason: 'FailedScheduling' no nodes available to schedule pods`,
      ),
    ).toMatchObject({
      reason: 'FailedScheduling',
      about: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
      message: 'no nodes available to schedule pods',
    });
    expect(
      eventInLog(
        `Mar 04 07:15:31 worker-2 kubelet[77]: E0304 07:15:31.000000 77 event.go:359] "Server rejected event" event="&Event{ObjectMeta:{web-1.17 shop 0}}" Server rejected event '&v1.Event{TypeMeta:v1.TypeMeta{Kind:"", APIVersion:""}, ObjectMeta:v1.ObjectMeta{Name:"web-1.17", Namespace:"shop"}, InvolvedObject:v1.ObjectReference{Kind:"Pod", Namespace:"shop", Name:"web-1", UID:"1", FieldPath:""}, Reason:"FailedMount", Message:"MountVolume.SetUp failed for volume \\"rates\\" : no disk", Source:v1.EventSource{Component:"kubelet", Host:"worker-2"}, Count:3, Type:"Warning"}': 'events is forbidden'`,
      ),
    ).toEqual({
      type: 'Warning',
      reason: 'FailedMount',
      message: 'MountVolume.SetUp failed for volume "rates" : no disk',
      age: '',
      source: 'kubelet, worker-2',
      about: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
    });
    expect(
      eventInLog(
        `E0304 07:15:31.000000 1 event.go:280] Server rejected event '&v1.Event{ObjectMeta:v1.ObjectMeta{Name:"web-1.17", Namespace:"shop"}, ReportingController:"default-scheduler", Action:"Binding", Reason:"Scheduled", Regarding:v1.ObjectReference{Kind:"Pod", Namespace:"shop", Name:"web-1", UID:"1"}, Related:(*v1.ObjectReference)(nil), Note:"Successfully assigned shop/web-1 to worker-2", Type:"Normal"}'`,
      ),
    ).toMatchObject({ type: 'Normal', reason: 'Scheduled', message: 'Successfully assigned shop/web-1 to worker-2' });
    expect(
      eventInLog(
        'Mar 04 07:15:31 worker-2 kubelet[77]: E0304 07:15:31.000000 77 event.go:359] "Server rejected event (will not retry!)" err="events is forbidden" event="&Event{ObjectMeta:{web-1.17 shop 0},InvolvedObject:ObjectReference{Kind:Pod,Namespace:shop,Name:web-1,UID:1,APIVersion:v1,ResourceVersion:2,FieldPath:spec.containers{web},},Reason:BackOff,Message:Back-off restarting failed container,Source:EventSource{Component:kubelet,Host:worker-2,},Count:9,Type:Warning,}"',
      ),
    ).toMatchObject({ reason: 'BackOff', source: 'kubelet, worker-2', about: { kind: 'Pod', namespace: 'shop', name: 'web-1' } });
    expect(eventInLog('InvolvedObject:v1.ObjectReference{Kind:"Pod", Namespace:"shop", Name:"web-1"}, Reason:"Fai')).toBeUndefined();
    expect(
      eventInLog(
        'I0101 10:00:00.000000 1 event.go:307] "Event occurred" object="shop/etl" fieldPath="" kind="Job" apiVersion="batch/v1" type="Warning" reason="FailedCreate" message="Error creating: pods \\"etl-\\" is forbidden"',
      ),
    ).toMatchObject({
      type: 'Warning',
      reason: 'FailedCreate',
      about: { kind: 'Job', namespace: 'shop', name: 'etl' },
      message: 'Error creating: pods "etl-" is forbidden',
    });
    expect(eventInLog('At 2024-01-01 10:00:00 +0000 UTC - event for web-0: {kubelet worker-1} FailedMount: no such volume')).toMatchObject({
      reason: 'FailedMount',
      about: { kind: 'Pod', name: 'web-0' },
      source: 'kubelet, worker-1',
    });
  });
});

describe('what is left over', () => {
  it('is about the pod that any row of its block names', () => {
    const block =
      '  Normal   Scheduled  9s  default-scheduler  Successfully assigned shop/web-1 to worker-1\n  Warning  FailedMount  2s  kubelet  MountVolume.SetUp failed for volume "tls" : secret "tls" not found\n';
    expect(eventsIn(read(block))).toEqual([
      'Normal Scheduled x1 Pod/shop/web-1: Successfully assigned shop/web-1 to worker-1',
      'Warning FailedMount x1 Pod/shop/web-1: MountVolume.SetUp failed for volume "tls" : secret "tls" not found',
    ]);
    expect(fieldOf(read(block), 'Pod/shop/web-1', 'spec.nodeName')).toBe('worker-1');
  });

  it('is about the object that the command before it names', () => {
    expect(
      eventsIn(
        read(
          '$ kubectl describe pod web-2 -n shop | tail -n 1\n  Warning  Unhealthy  2s (x9 over 1m)  kubelet  Readiness probe failed: HTTP probe failed with statuscode: 503\n',
        ),
      ),
    ).toEqual(['Warning Unhealthy x9 Pod/shop/web-2: Readiness probe failed: HTTP probe failed with statuscode: 503']);
  });

  it.each([
    [
      'of the scheduler of old',
      'E1120 11:59:00.0 1 factory.go:660] Error scheduling shop/db-0: pod has unbound immediate PersistentVolumeClaims',
    ],
    [
      'of the kubelet of old, which put the name first',
      'Error syncing pod, skipping: timeout expired waiting for volumes to attach/mount for pod "db-0"/"shop". list of unattached/unmounted volumes=[data]',
    ],
    [
      'whose namespace can be none',
      'timeout expired waiting for volumes to attach/mount for pod "db-0"/"default". list of unmounted volumes=[data]',
    ],
    ['of the kubelet', 'timeout expired waiting for volumes to attach/mount for pod "shop"/"db-0". list of unmounted volumes=[data]'],
  ])('is about the pod in the words %s', (_, line) => {
    expect(refsIn(read(`${line}\n`)).join()).toMatch(/^Pod\/(?:shop|default)\/db-0$/);
  });

  it('of a pod that has no account is about its Job where the name ends with a minute, in the namespace of the account', () => {
    const failed =
      'FailedCreate\nError creating: pods "sweep-29516020-" is forbidden: error looking up service account till/mop: serviceaccount "mop" not found\n';
    expect(eventsIn(read(failed)).join()).toContain(' Job/till/sweep-29516020: ');
    expect(eventsIn(read(failed.replace('29516020', '7d9c8b6f5'))).join()).toContain(' ReplicaSet/till/sweep-7d9c8b6f5: ');
  });

  it('is about a pod without a name where nothing names one, and says no more of it', () => {
    const lone = read('Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) db-0\n');
    expect(refsIn(lone)).toEqual(['Pod/default/<pod>']);
    expect(fieldOf(lone, 'Pod/default/<pod>', 'spec.containers')).toBeUndefined();
    expect(lone.evidence.collected).toContainEqual({ kind: 'Pod', namespace: 'default', complete: false });
  });

  it('of a pod that is not among all pods makes none', () => {
    const listed = read(
      '$ kubectl get pods -n shop\nNAME    READY   STATUS    RESTARTS   AGE\nweb-1   1/1     Running   0          1h\n\n$ kubectl get events -n shop\nLAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n30s         Warning   BackOff   pod/web-0   Back-off restarting failed container\n',
    );
    expect(refsIn(listed)).toEqual(['Pod/shop/web-1']);
  });

  it('of the controller that could not create a pod is about the controller', () => {
    expect(eventsIn(read('Error creating: pods "web-6f5d7-" is forbidden: no PriorityClass with name gold was found\n'))).toEqual([
      'Warning FailedCreate x1 ReplicaSet/default/web-6f5d7: Error creating: pods "web-6f5d7-" is forbidden: no PriorityClass with name gold was found',
    ]);
    expect(
      eventsIn(
        read(
          'create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1\n',
        ),
      )[0],
    ).toContain('StatefulSet/default/db:');
  });

  it('tells on request how each line was read', () => {
    const told = read(
      'Look:\n  Type     Reason  Age  From     Message\n  Warning  BackOff  2m (x5 over 9m)  kubelet  Back-off restarting\n    failed container\n',
    )
      .readings()
      .map(({ line, text }) => `${String(line)} ${text.split(':')[0] ?? ''}`);
    expect(told).toEqual(['1 not read', '2 layout', '3 event BackOff', '4 goes on']);
  });
});

describe('the line of a log', () => {
  it('of the kubelet is about the pod in its fields, and of its node', () => {
    const journal = read(
      `Jan 02 10:00:00 worker-1 kubelet[811]: E0102 10:00:00.000000     811 pod_workers.go:1300] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"web\\" with ErrImagePull: \\"rpc error: code = NotFound desc = web:9: not found\\"" pod="shop/web-1" podUID="1"\n`,
    );
    expect(eventsIn(journal)).toEqual(['Warning Failed x1 Pod/shop/web-1: rpc error: code = NotFound desc = web:9: not found']);
    expect(refsIn(journal)).toEqual(['Pod/shop/web-1']);
    expect(journal.objects.find(({ kind }) => kind === 'NodeService')).toMatchObject({
      spec: { node: 'worker-1', service: 'kubelet', active: 'active' },
    });
  });
});

describe('the line of a log as Docker keeps it', () => {
  it('is one of the log, and no document', () => {
    const text = `{"log":"E1120 11:58:02.208359       1 reflector.go:201] no \\"shop\\" here\\n","stream":"stderr","time":"2026-11-20T11:58:02.2Z"}\n`;
    expect(read(text).evidence.logs).toMatchObject([
      { lines: ['2026-11-20T11:58:02.2Z stderr F E1120 11:58:02.208359       1 reflector.go:201] no "shop" here'] },
    ]);
    expect(read(text.replace('"log"', '"words"')).evidence.logs).toEqual([]);
  });
});

describe('a journal of any length', () => {
  it('without its command keeps the last lines of a service, whose end outlasts later lines', () => {
    const line = (second: number, text: string): string =>
      `Jan 02 10:00:${String(second % 60).padStart(2, '0')} worker-1 kubelet[811]: E0102 10:00:00.000000     811 kubelet.go:1] ${text} ${String(second)}\n`;
    const text = line(0, 'failed to run Kubelet:') + Array.from({ length: 9000 }, (_, index) => line(index, 'node not found')).join('');
    const [service] = recordsIn(read(text), 'NodeService');
    expect(dig(service, 'active')).toBe('failed');
    expect(asList(dig(service, 'lines'))).toHaveLength(200);
  });
});

describe('the last words of kubectl', () => {
  it('are the same where -v made a line of a log of them', () => {
    const [answer] = recordsIn(
      read('$ kubectl -v=6 apply -k .\nF0101 10:00:00.000000   99 helpers.go:115] error: json: unknown field "components"\n'),
      'ClientAnswer',
    );
    expect(dig(answer, 'output')).toBe('error: json: unknown field "components"');
  });
});

describe('a part of an object', () => {
  it('is the state of a container, also where its indentation was lost', () => {
    expect(
      fieldOf(
        read('Last State:     Terminated\nReason:       OOMKilled\nExit Code:    137\n'),
        'Pod/default/<pod>',
        'status.containerStatuses.0.lastState.terminated.reason',
      ),
    ).toBe('OOMKilled');
  });

  it('is a fragment of its status as YAML or JSON', () => {
    expect(
      fieldOf(
        read('    state:\n      waiting:\n        reason: CreateContainerConfigError\n'),
        'Pod/default/<pod>',
        'status.containerStatuses.0.state.waiting.reason',
      ),
    ).toBe('CreateContainerConfigError');
    expect(
      fieldOf(
        read('  "lastState": {\n    "terminated": { "exitCode": 1 }\n  },\n'),
        'Pod/default/<pod>',
        'status.containerStatuses.0.lastState.terminated.exitCode',
      ),
    ).toBe(1);
  });
});

describe('blocks of events without the heads of their descriptions', () => {
  const block = (pod: string, ...rows: readonly string[]): string =>
    `Events:\n  Type     Reason     Age   From               Message\n  ----     ------     ----  ----               -------\n  Normal   Scheduled  63s   default-scheduler  Successfully assigned till/${pod} to worker-1\n${rows.map((each) => `  ${each}\n`).join('')}\n`;

  it('are each about the pod that one of their own rows names', () => {
    const text =
      block('cart-0') +
      block('stock-0', 'Warning  Unhealthy  9s    kubelet            Readiness probe failed: HTTP probe failed with statuscode: 503');
    expect(eventsIn(read(text)).filter((event) => event.includes('Unhealthy'))).toEqual([
      expect.stringContaining('Pod/till/stock-0') as string,
    ]);
  });
});

describe('an event that is told twice', () => {
  const MESSAGE = 'Readiness probe failed: HTTP probe failed with statuscode: 503';

  it('is one where a sentence quotes the message of a row', () => {
    const text = `Our pod says ${MESSAGE}\n\nLAST SEEN   TYPE      REASON      OBJECT       MESSAGE\n2m          Warning   Unhealthy   pod/till-0   ${MESSAGE}\n`;
    expect(eventsIn(read(text))).toEqual([`Warning Unhealthy x- Pod/default/till-0: ${MESSAGE}`]);
  });

  it('is two where the second description has lost the rows that name its pod', () => {
    const head = 'Events:\n  Type     Reason     Age   From     Message\n  ----     ------     ----  ----     -------\n';
    const scheduled = '  Normal   Scheduled  63s   default-scheduler  Successfully assigned till/cart-0 to worker-1\n';
    const row = `  Warning  Unhealthy  9s    kubelet  ${MESSAGE}\n\n`;
    expect(eventsIn(read(head + scheduled + row + head + row)).filter((event) => event.includes('Unhealthy'))).toHaveLength(2);
  });
});

describe('a line of a log that is told twice', () => {
  const LINE = 'panic: the till has no drawer';
  const quoted = `The log of the pod says:\n\n\`\`\`\n${LINE}\n\`\`\`\n\n`;
  const podsIn = (text: string): readonly string[] => refsIn(read(text)).filter((ref) => ref.startsWith('Pod/'));

  it('is of the pod whose log has it', () => {
    expect(podsIn(`${quoted}$ kubectl logs till-0\n12:00:01 ${LINE}\n`)).toEqual(['Pod/default/till-0']);
  });

  it('is of another one where that log does not have it', () => {
    expect(podsIn(`${quoted}$ kubectl logs till-0\n12:00:01 all is well\n`)).toHaveLength(2);
  });
});

describe('an event without a name', () => {
  const told = (reason: string, status: string): string =>
    `0/3 nodes are available: 3 Insufficient cpu.\n\nNAME     READY   STATUS   RESTARTS   AGE\ntill-0   0/1     ${status}   0          2m\n\nLAST SEEN   TYPE      REASON      OBJECT       MESSAGE\n2m          Warning   ${reason}   pod/till-0   it failed\n`;

  it('that tells of no node is not given to a pod whose volumes fail', () => {
    const unscheduled = (text: string): string =>
      eventsIn(read(text))
        .filter((event) => event.includes('Insufficient'))
        .join();
    expect(unscheduled(told('FailedMount', 'ContainerCreating'))).not.toContain('till-0');
    expect(unscheduled(told('FailedScheduling', 'Pending'))).toContain('till-0');
  });
});

describe("Helm's wait for resources", () => {
  it('shows the workload that it waits for', () => {
    const text = 'ready.go:303: [debug] Deployment is not ready: shop/till. 1 out of 2 expected pods are ready\n';
    expect(fieldOf(read(text), 'Deployment/shop/till', 'status.readyReplicas')).toBe(1);
    expect(fieldOf(read(text), 'Deployment/shop/till', 'spec.replicas')).toBe(2);
    expect(refsIn(read(text.replace('is not ready', 'is ready')))).not.toContain('Deployment/shop/till');
  });
});

it('takes the word behind "container" for no name where it says what the runtime is busy with', () => {
  const text =
    'Warning Failed 11m kubelet Error: Currently at stage container volume configuration: error reserving ctr name k8s_till_till-1_shop_51cd_2 for id 59ef: name is reserved';
  expect(eventsIn(read(text)).join()).not.toContain('containers{volume}');
});

it('gives the events of one pod of a DaemonSet to the first of its pods that wait', () => {
  const events = 'Warning  FailedScheduling  49s (x10 over 12m)  default-scheduler  0/5 nodes are available: 5 Insufficient cpu.\n';
  const list = (one: string, other: string): string =>
    `$ kubectl get pods\nNAME          READY   STATUS    RESTARTS   AGE\n${one}   0/1     Pending   0          12m\n${other}   0/1     Pending   0          12m\n\nOne of them:\n${events}`;
  expect(eventsIn(read(list('agent-8tvs7', 'agent-mx89v'))).join()).toContain('Pod/default/agent-8tvs7');
  expect(eventsIn(read(list('agent-8tvs7', 'scout-mx89v'))).join()).not.toContain('agent-8tvs7');
});
