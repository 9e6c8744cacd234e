import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { create, deployment, failureOf, objectOf, pod, send, shop } from '../shop.ts';
import { of, job, cron, SERVICE } from './field-objects.ts';

describe('wrong fields are named as a real server names them', () => {
  test.each<[string, JsonObject, string]>([
    [
      'a field of the pod that is none',
      pod('web', {}, { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.foo' } } }] }),
      'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.foo": error converting fieldPath: field label not supported: spec.foo',
    ],
    [
      'a resource that cannot be named',
      pod('web', {}, { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.gpu' } } }] }),
      'spec.containers[0].env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.gpu": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
    ],
    [
      'variables of a nameless ConfigMap',
      pod('web', {}, { envFrom: [{ configMapRef: {} }] }),
      'spec.containers[0].envFrom[0].configMapRef.name: Required value',
    ],
    [
      'a path that climbs out of its volume',
      pod('web', { volumes: [{ name: 'v', emptyDir: {} }] }, { volumeMounts: [{ name: 'v', mountPath: '/v', subPath: '../x' }] }),
      'spec.containers[0].volumeMounts.subPath: Invalid value: "../x": must not contain \'..\'',
    ],
    [
      'a hook that sleeps longer than the pod may',
      pod('web', { terminationGracePeriodSeconds: 5 }, { lifecycle: { preStop: { sleep: { seconds: 10 } } } }),
      'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 10: must be non-negative and less than terminationGracePeriodSeconds (5)',
    ],
    [
      'a readiness probe with time to end',
      pod('web', {}, { readinessProbe: { httpGet: { path: '/', port: 80 }, terminationGracePeriodSeconds: 5 } }),
      'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
    ],
    [
      'DNS of its own without servers',
      pod('web', { dnsPolicy: 'None' }),
      'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ],
    [
      'an alias of no address',
      pod('web', { hostAliases: [{ ip: 'here', hostnames: ['shop.example'] }] }),
      'spec.hostAliases[0].ip: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      'a kind of path there is not',
      pod('web', { volumes: [{ name: 'v', hostPath: { path: '/data', type: 'Folder' } }] }),
      'spec.volumes[0].hostPath.type: Unsupported value: "Folder": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
    [
      'a file of a field only variables know',
      pod('web', { volumes: [{ name: 'v', downwardAPI: { items: [{ path: 'node', fieldRef: { fieldPath: 'spec.nodeName' } }] } }] }),
      'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
    ],
    [
      'a file of resources of no container',
      pod('web', { volumes: [{ name: 'v', downwardAPI: { items: [{ path: 'cpu', resourceFieldRef: { resource: 'limits.cpu' } }] } }] }),
      'spec.volumes[0].downwardAPI.resourceFieldRef.containerName: Required value',
    ],
    [
      'a file outside its volume',
      pod('web', { volumes: [{ name: 'v', configMap: { name: 'c', items: [{ key: 'a', path: '../a' }] } }] }),
      'spec.volumes[0].configMap.items[0].path: Invalid value: "../a": must not contain \'..\'',
    ],
    [
      'one file twice',
      pod('web', {
        volumes: [
          {
            name: 'v',
            projected: {
              sources: [
                { configMap: { name: 'c', items: [{ key: 'a', path: 'a' }] } },
                { secret: { name: 's', items: [{ key: 'a', path: 'a' }] } },
              ],
            },
          },
        ],
      }),
      'spec.volumes[0].projected: Invalid value: "s": conflicting duplicate paths',
    ],
    [
      'a token that lasts no time',
      pod('web', { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 60 } }] } }] }),
      'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    ],
    [
      'domains that do not matter',
      pod('web', {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2, labelSelector: {} },
        ],
      }),
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
    ],
    [
      'indexes without completions',
      job({ completionMode: 'Indexed', parallelism: 2 }),
      'spec.completions: Required value: when completion mode is Indexed',
    ],
    [
      'a limit by index without indexes',
      job({ backoffLimitPerIndex: 1 }),
      'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
    ],
    [
      'a failure policy with restarts',
      job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] } }, 'OnFailure'),
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ],
    [
      'a failure rule for success',
      job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }] } }),
      'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
    ],
    ['a minute there is not', cron('75 * * * *'), 'spec.schedule: Invalid value: "75 * * * *": end of range (75) above maximum (59): 75'],
    [
      'a word for a minute',
      cron('now * * * *'),
      'spec.schedule: Invalid value: "now * * * *": failed to parse int from now: strconv.Atoi: parsing "now": invalid syntax',
    ],
    [
      'a time zone nobody knows',
      of('batch/v1', 'CronJob', { ...(cron('* * * * *')['spec'] as JsonObject), timeZone: 'Shop/Till' }),
      'spec.timeZone: Invalid value: "Shop/Till": unknown time zone Shop/Till',
    ],
    ['a Service of an address and no name', of('v1', 'Service', { type: 'ExternalName' }), 'spec.externalName: Required value'],
    [
      'a traffic policy nobody can see',
      of('v1', 'Service', { ...SERVICE, externalTrafficPolicy: 'Local' }),
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ],
    [
      'one port twice',
      of('v1', 'Service', {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
      }),
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
    ],
    [
      'a relative path',
      of('networking.k8s.io/v1', 'Ingress', {
        rules: [{ http: { paths: [{ path: 'shop', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }] } }],
      }),
      'spec.rules[0].http.paths[0].path: Invalid value: "shop": must be an absolute path',
    ],
    [
      'a backend without a port',
      of('networking.k8s.io/v1', 'Ingress', { defaultBackend: { service: { name: 'web' } } }),
      'spec.defaultBackend: Required value: port name or number is required',
    ],
    [
      'a network that is none',
      of('networking.k8s.io/v1', 'NetworkPolicy', { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/40' } }] }] }),
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.0/40": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
    [
      'an autoscaler without a target',
      of('autoscaling/v2', 'HorizontalPodAutoscaler', {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }],
      }),
      'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
    ],
    [
      'a DaemonSet that may not move',
      of('apps/v1', 'DaemonSet', {
        selector: { matchLabels: { app: 'web' } },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'a' }] } },
      }),
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
    ],
  ])('%s', (_, object, words) => {
    expect(failureOf(create(shop(), object)).message).toMatch(
      new RegExp(` "web" is invalid: \\[?${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
    );
  });

  test('a template may leave to the pod what the pod must have', () => {
    const cluster = shop();
    expect(create(cluster, deployment('padded', 1, { image: ' shop/web:1 ' })).ok).toBe(true);
    expect(failureOf(create(cluster, pod('web', {}, { image: ' shop/web:1 ' }))).message).toContain(
      'must not have leading or trailing whitespace',
    );
  });
});

describe('what may not change', () => {
  test('of a Service is its address', () => {
    const cluster = shop();
    create(cluster, of('v1', 'Service', { ...SERVICE, clusterIP: '10.96.7.7' }));
    expect(
      failureOf(send(cluster, 'patch', 'Service', 'web', { patch: { type: 'merge', body: { spec: { clusterIP: '10.96.7.8' } } } })).message,
    ).toBe('Service "web" is invalid: spec.clusterIPs[0]: Invalid value: ["10.96.7.8"]: may not change once set');
  });

  test('of a Job is its template, shown as the API server has it inside', () => {
    const cluster = shop();
    create(cluster, job({}));
    const { message } = failureOf(
      send(cluster, 'patch', 'Job', 'web', {
        patch: { type: 'json', body: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'shop/import:2' }] },
      }),
    );
    expect(message).toMatch(
      /^Job\.batch "web" is invalid: spec\.template: Invalid value: \{"labels":\{.*\},"Spec":\{"Volumes":null,"InitContainers":null,"Containers":\[\{"Name":"import","Image":"shop\/import:2","Command":null,"Args":null,"WorkingDir":"","Ports":null,.*\}: field is immutable$/,
    );
  });

  test('of a pod is shown as a difference of the whole spec', () => {
    const cluster = shop();
    create(cluster, pod('web', {}, { command: ['sh', '-c', 'serve'] }));
    const { message } = failureOf(
      send(cluster, 'patch', 'Pod', 'web', {
        patch: { type: 'strategic', body: { spec: { containers: [{ name: 'web', command: ['sleep', '60'] }] } } },
      }),
    );
    expect(message.slice(message.indexOf('\n') + 1)).toBe(`@@ -94,9 +94,8 @@
    "Name": "web",
    "Image": "shop/web:1.0",
    "Command": [
-    "sh",
-    "-c",
-    "serve"
+    "sleep",
+    "60"
    ],
    "Args": null,
    "WorkingDir": "",
`);
  });

  test('of a pod are its gates, but for those that go', () => {
    const cluster = shop();
    create(cluster, pod('web', { schedulingGates: [{ name: 'shop.example/a' }] }));
    const patch = (gates: readonly Json[]) =>
      send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'merge', body: { spec: { schedulingGates: [...gates] } } } });
    expect(failureOf(patch([{ name: 'shop.example/a' }, { name: 'shop.example/b' }])).message).toBe(
      `Pod "web" is invalid: spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'shop.example/b'`,
    );
    expect(patch([]).ok).toBe(true);
  });

  test('a claim never asks for less than it has', () => {
    const cluster = shop();
    create(
      cluster,
      of('v1', 'PersistentVolumeClaim', {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        resources: { requests: { storage: '2Gi' } },
      }),
    );
    objectOf(
      send(cluster, 'patch', 'PersistentVolumeClaim', 'web', {
        subresource: 'status',
        patch: { type: 'merge', body: { status: { phase: 'Bound', capacity: { storage: '2Gi' } } } },
      }),
    );
    const shrunk = send(cluster, 'patch', 'PersistentVolumeClaim', 'web', {
      patch: { type: 'merge', body: { spec: { resources: { requests: { storage: '1Gi' } } } } },
    });
    expect(failureOf(shrunk).message).toBe(
      'PersistentVolumeClaim "web" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    );
  });
});
