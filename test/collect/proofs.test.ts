import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { FactKind } from '../../src/model/fact-kinds.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { ago, answerTo, eventOn, objectOf, podWith } from '../support/collected.ts';
import { proofs } from './proofs.ts';

const READY = { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago(500) }] };
const WEB = { app: 'web' };

function labelled(pod: KubeObject, labels: JsonObject = WEB): KubeObject {
  return { ...pod, metadata: { ...pod.metadata, labels } };
}

const running = (status: JsonObject = READY): KubeObject =>
  labelled(podWith('web-1', {}, { ready: status === READY, state: { running: { startedAt: ago(900) } } }, { status }));
const service = (spec: JsonObject = {}): KubeObject =>
  objectOf('Service', 'web', { spec: { selector: WEB, ports: [{ port: 80 }], ...spec } });
const set = (status: JsonObject, spec: JsonObject = {}): KubeObject =>
  objectOf('ReplicaSet', 'web', {
    spec: { replicas: 2, template: { spec: { containers: [{ name: 'web' }] } }, ...spec },
    status: { observedGeneration: 1, ...status },
  });

describe('what a fact rests on', () => {
  it.each<readonly [FactKind, readonly KubeObject[], readonly string[]]>([
    ['pod', [running()], ['Pod/shop/web-1 | Pod/shop/web-1 status | phase: Running, node: worker-1']],
    [
      'pod',
      [podWith('web-1', {}, {}, { status: { phase: 'Failed', reason: 'Evicted', message: ' low on memory ' } })],
      ['Pod/shop/web-1 | Pod/shop/web-1 status | phase: Failed, node: worker-1, reason: Evicted, message: low on memory'],
    ],
    [
      'container',
      [
        podWith(
          'web-1',
          {},
          {
            restartCount: 2,
            state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
            lastState: { terminated: { exitCode: 1, reason: 'Error' } },
          },
        ),
      ],
      [
        'Pod/shop/web-1 | Pod/shop/web-1 container web | state: waiting, reason: CrashLoopBackOff, message: back-off, last state: Error, exit code 1, restarts: 2',
      ],
    ],
    [
      'workload',
      [set({ replicas: 2, readyReplicas: 1 })],
      ['ReplicaSet/shop/web | ReplicaSet/shop/web status | desired: 2, current: 2, ready: 1'],
    ],
    [
      'condition',
      [
        podWith(
          'web-1',
          {},
          {},
          { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'not ready: web' }] } },
        ),
      ],
      ['Pod/shop/web-1 | Pod/shop/web-1 condition Ready | Ready=False ContainersNotReady not ready: web'],
    ],
    [
      'event',
      [running(), eventOn(running(), 'BackOff', 'back-off', 5)],
      ['Pod/shop/web-1 | event on Pod/shop/web-1 | Warning BackOff: back-off'],
    ],
    [
      'service',
      [running(), service()],
      ['Service/shop/web | Service/shop/web spec.selector | selector: app=web; pods it selects: 1, ready: 1'],
    ],
    [
      'service',
      [service({ type: 'LoadBalancer' })],
      [
        'Service/shop/web | Service/shop/web spec.selector | status.loadBalancer: no address; selector: app=web; pods it selects: 0, ready: 0',
      ],
    ],
    [
      'service',
      [service({ selector: {} })],
      ['Service/shop/web | Service/shop/web spec.selector | selector: <none>; pods it selects: 0, ready: 0'],
    ],
    [
      'service-port',
      [running(), service()],
      ['Service/shop/web | Service/shop/web spec.ports | port: 80/TCP, targetPort: 80; containers declare: nothing that was seen'],
    ],
    ['backend', [running(), service()], ['Pod/shop/web-1 | Pod/shop/web-1 labels | app=web']],
    [
      'endpoints',
      [service(), objectOf('EndpointSlice', 'web-a', { endpoints: [] }, { labels: { 'kubernetes.io/service-name': 'web' } })],
      ['Service/shop/web | endpoints of Service/shop/web | ready: 0, not ready: 0, ports: <none>'],
    ],
    [
      'reference',
      [
        podWith(
          'web-1',
          { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'till', key: 'a' } } }] },
          { state: { waiting: { reason: 'ContainerCreating' } } },
        ),
      ],
      ['Pod/shop/web-1 | Pod/shop/web-1 spec | env of container web: Secret till key a, which does not exist'],
    ],
    [
      'deletion',
      [objectOf('Pod', 'web-1', { spec: {}, status: {} }, { deletionTimestamp: ago(90), finalizers: ['shop.example/till'] })],
      ['Pod/shop/web-1 | Pod/shop/web-1 metadata | Terminating for 90s, finalizers: shop.example/till'],
    ],
    [
      'unobserved',
      [objectOf('Deployment', 'web', { spec: {}, status: {} }, { creationTimestamp: ago(90) })],
      ['Deployment/shop/web | Deployment/shop/web status | its status was never written (for 90s)'],
    ],
    [
      'quota',
      [set({ replicas: 0 }), objectOf('ResourceQuota', 'few', { status: { hard: { pods: '1' }, used: { pods: '1' } } })],
      ['ResourceQuota/shop/few | ResourceQuota shop/few | pods: used 1 of 1; ReplicaSet/web requests 1'],
    ],
    [
      'refusal',
      [set({ replicas: 0 }), objectOf('ResourceQuota', 'few', { status: { hard: { pods: '1' }, used: { pods: '1' } } })],
      [
        'ReplicaSet/shop/web | ResourceQuota shop/few | ReplicaSet/web violates quota few: exceeded: pods (it has fewer pods than it wants)',
      ],
    ],
    ['idle', [set({ replicas: 0 }, { replicas: 0 })], ['ReplicaSet/shop/web | ReplicaSet/shop/web spec | replicas: 0']],
    [
      'schedule',
      [objectOf('CronJob', 'report', { spec: { schedule: '0 0 1 1 *' }, status: {} })],
      ['CronJob/shop/report | CronJob/shop/report status | schedule 0 0 1 1 *, concurrencyPolicy Allow, active Jobs: 0, missed starts: 0'],
    ],
    [
      'autoscaler',
      [
        objectOf('HorizontalPodAutoscaler', 'web', {
          spec: {},
          status: { conditions: [{ type: 'ScalingActive', status: 'False', reason: 'Failed', message: 'no metrics' }] },
        }),
        objectOf('HorizontalPodAutoscaler', 'till', { spec: {}, status: {} }),
      ],
      [
        'HorizontalPodAutoscaler/shop/web | HorizontalPodAutoscaler/shop/web condition ScalingActive | ScalingActive=False Failed no metrics',
        'HorizontalPodAutoscaler/shop/till | HorizontalPodAutoscaler/shop/till condition ScalingActive | no condition ScalingActive',
      ],
    ],
    [
      'exit',
      [
        podWith(
          'web-1',
          {},
          {
            restartCount: 2,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, reason: 'Error', message: 'the end ', startedAt: ago(60), finishedAt: ago(40) } },
          },
        ),
      ],
      ['Pod/shop/web-1 | Pod/shop/web-1 container web | Error, exit code 1, after 20s, 2 restarts, message: the end'],
    ],
    [
      'oom',
      [podWith('web-1', {}, { restartCount: 2, state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } })],
      ['Pod/shop/web-1 | Pod/shop/web-1 container web | OOMKilled, exit code 137, 2 restarts'],
    ],
    [
      'image',
      [podWith('web-1', { image: 'shop/web:1' }, { state: { waiting: { reason: 'ErrImagePull', message: 'not found at all' } } })],
      ['Pod/shop/web-1 | Pod/shop/web-1 container web waiting: ErrImagePull | not found at all'],
    ],
    [
      'start-failure',
      [podWith('web-1', {}, { state: { waiting: { reason: 'RunContainerError', message: 'no such file' } } })],
      ['Pod/shop/web-1 | Pod/shop/web-1 container web waiting: RunContainerError | no such file'],
    ],
    [
      'probe',
      [
        podWith(
          'web-1',
          { readinessProbe: { tcpSocket: { port: 80 } } },
          { ready: false, started: true, state: { running: { startedAt: ago(900) } } },
        ),
      ],
      ['Pod/shop/web-1 | Pod/shop/web-1 container web | readiness probe: tcp port 80; state: running, ready: false, restarts: 0'],
    ],
    [
      'milestone',
      [podWith('web-1', {}, {}, { status: { phase: 'Pending' } })],
      [
        'Pod/shop/web-1 | Pod/shop/web-1 status | persistence passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | controllers passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | scheduling passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | kubelet passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | volumes passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | sandbox passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | network passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | images passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | containers passed',
        'Pod/shop/web-1 | Pod/shop/web-1 status | probes waiting: not ready',
      ],
    ],
    [
      'dependency',
      [
        podWith(
          'web-1',
          {
            env: [
              { name: 'CART_URL', value: 'http://cart:80' },
              { name: 'TILL_HOST', value: 'till' },
              { name: 'TILL_PORT', value: '81' },
              { name: 'BANK_HOST', value: 'bank' },
            ],
          },
          {},
        ),
      ],
      [
        'Pod/shop/web-1 | Pod/shop/web-1 env CART_URL | CART_URL=http://cart:80',
        'Pod/shop/web-1 | Pod/shop/web-1 env TILL_PORT | TILL_HOST=till, TILL_PORT=81',
        'Pod/shop/web-1 | Pod/shop/web-1 env BANK_HOST | BANK_HOST=bank',
      ],
    ],
    [
      'route',
      [
        service(),
        objectOf('Ingress', 'front', {
          spec: { rules: [{ http: { paths: [{ path: '/a', backend: { service: { name: 'cart', port: { number: 80 } } } }] } }] },
        }),
      ],
      ['Ingress/shop/front | Ingress/shop/front spec.rules | route *: /a -> cart:80'],
    ],
    [
      'dns',
      [podWith('web-1', {}, {}, { spec: { dnsPolicy: 'None' } })],
      ['Pod/shop/web-1 | Pod/shop/web-1 dnsConfig | dnsPolicy: None, nameservers: <none>'],
    ],
    [
      'dns',
      [podWith('web-1', {}, {}, { spec: { dnsPolicy: 'ClusterFirst', hostNetwork: true } })],
      ['Pod/shop/web-1 | Pod/shop/web-1 spec | dnsPolicy: ClusterFirst, hostNetwork: true'],
    ],
    [
      'network-policy',
      [running(), service(), objectOf('NetworkPolicy', 'deny', { spec: { podSelector: {} } })],
      ['Pod/shop/web-1 | NetworkPolicy/shop/deny spec | policyTypes: Ingress, ingress: <none>; selects web-1'],
    ],
    [
      'try',
      [running(), service(), answerTo('kubectl -n shop exec till -- curl http://web', ' ok \n')],
      ['Service/shop/web | answer to: kubectl -n shop exec till -- curl http://web | ok'],
    ],
    [
      'listener',
      [
        podWith(
          'web-1',
          {
            command: ['serve', '--port=80'],
            env: [{ name: 'PORT', value: '81' }],
            ports: [{ name: 'http', containerPort: 82 }, { containerPort: 83 }],
          },
          {},
        ),
      ],
      [
        'Pod/shop/web-1 | Pod/shop/web-1 spec | command: serve --port=80',
        'Pod/shop/web-1 | Pod/shop/web-1 spec | env PORT=81',
        'Pod/shop/web-1 | Pod/shop/web-1 spec | containerPort: 82 (http)',
        'Pod/shop/web-1 | Pod/shop/web-1 spec | containerPort: 83',
      ],
    ],
    [
      'manifest',
      [objectOf('AppliedManifest', 'm', { spec: { file: 'a.yaml', object: { kind: 'Service', metadata: { name: 'web' } } } })],
      ['Service/shop/web | manifest a.yaml | Service web (Service/shop/web does not exist: it is not in the complete list of services)'],
    ],
  ])('%s %#', async (kind, objects, expected) => {
    expect(await proofs(kind, ...objects)).toEqual(expected);
  });
});
