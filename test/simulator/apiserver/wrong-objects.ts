import type { Json, JsonObject } from '../../../src/base/json.ts';
import { deployment, pod } from '../shop.ts';

/** One object that a real server refuses, by what is wrong with it, and what the server says after `is invalid: `. */
export type WrongObject = readonly [what: string, object: JsonObject, message: string];

function of(apiVersion: string, kind: string, spec: Json, more: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec, ...more };
}

/** An object without a spec, of no namespace unless it says so. */
function bare(apiVersion: string, kind: string, fields: JsonObject, namespaced = false): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', ...(namespaced ? { namespace: 'shop' } : {}) }, ...fields };
}

const LABELS: JsonObject = { app: 'web' };
const CONTAINER: JsonObject = { name: 'web', image: 'shop/web:1' };
const TEMPLATE: JsonObject = { metadata: { labels: LABELS }, spec: { containers: [CONTAINER] } };
const SELECTOR: JsonObject = { matchLabels: LABELS };

function workload(kind: string, spec: JsonObject, template: JsonObject = TEMPLATE): JsonObject {
  return of('apps/v1', kind, { selector: SELECTOR, template, ...spec });
}

function job(spec: JsonObject, podSpec: JsonObject = {}): JsonObject {
  return of('batch/v1', 'Job', { template: { spec: { restartPolicy: 'Never', containers: [CONTAINER], ...podSpec } }, ...spec });
}

function cron(spec: JsonObject, jobSpec: JsonObject = {}): JsonObject {
  return of('batch/v1', 'CronJob', {
    schedule: '* * * * *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [CONTAINER] } }, ...jobSpec } },
    ...spec,
  });
}

function service(spec: JsonObject): JsonObject {
  return of('v1', 'Service', { selector: LABELS, ports: [{ port: 80 }], ...spec });
}

function backend(name: string, port: JsonObject): JsonObject {
  return { service: { name, port } };
}

function ingress(spec: JsonObject): JsonObject {
  return of('networking.k8s.io/v1', 'Ingress', spec);
}

function path(fields: JsonObject): JsonObject {
  return ingress({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend('web', { number: 80 }), ...fields }] } }] });
}

function policy(spec: JsonObject): JsonObject {
  return of('networking.k8s.io/v1', 'NetworkPolicy', { podSelector: {}, ...spec });
}

function scaler(spec: JsonObject): JsonObject {
  return of('autoscaling/v2', 'HorizontalPodAutoscaler', {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    maxReplicas: 3,
    ...spec,
  });
}

function volume(spec: JsonObject): JsonObject {
  return bare('v1', 'PersistentVolume', {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' }, ...spec },
  });
}

function claim(spec: JsonObject): JsonObject {
  return of('v1', 'PersistentVolumeClaim', { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec });
}

function limits(...list: JsonObject[]): JsonObject {
  return of('v1', 'LimitRange', { limits: list });
}

const probe = (fields: JsonObject): JsonObject => ({ livenessProbe: fields });
const RULES: JsonObject = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const ROLE: JsonObject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };

export const WRONG_PODS: readonly WrongObject[] = [
  [
    'a probe of nothing',
    pod('web', {}, probe({ periodSeconds: 5 })),
    'spec.containers[0].livenessProbe: Required value: must specify a handler type',
  ],
  [
    'a probe of two things',
    pod('web', {}, probe({ tcpSocket: { port: 80 }, httpGet: { port: 80 } })),
    'spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ],
  [
    'a probe of a command without words',
    pod('web', {}, probe({ exec: {} })),
    'spec.containers[0].livenessProbe.exec.command: Required value',
  ],
  [
    'a probe of a port there is not',
    pod('web', {}, probe({ tcpSocket: { port: 70_000 } })),
    'spec.containers[0].livenessProbe.tcpSocket.port: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'a probe of a port no name is',
    pod('web', {}, probe({ httpGet: { path: '/', port: 'HTTP_PORT' } })),
    '[spec.containers[0].livenessProbe.httpGet.port: Invalid value: "HTTP_PORT": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), spec.containers[0].livenessProbe.httpGet.port: Invalid value: "HTTP_PORT": must contain at least one letter (a-z)]',
  ],
  [
    'a probe that runs backwards',
    pod('web', {}, probe({ tcpSocket: { port: 80 }, periodSeconds: -1, failureThreshold: -3 })),
    '[spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0, spec.containers[0].livenessProbe.failureThreshold: Invalid value: -3: must be greater than or equal to 0]',
  ],
  [
    'a liveness probe that has to succeed twice',
    pod('web', {}, probe({ tcpSocket: { port: 80 }, successThreshold: 2 })),
    'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'a probe of a scheme there is not',
    pod('web', {}, probe({ httpGet: { path: '/', port: 80, scheme: 'FTP' } })),
    'spec.containers[0].livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
  ],
  [
    'a probe with a header and a scheme that are none',
    pod('web', {}, probe({ httpGet: { path: '/', port: 80, scheme: 'FTP', httpHeaders: [{ name: '', value: 'a' }] } })),
    `[spec.containers[0].livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS", spec.containers[0].livenessProbe.httpGet.httpHeaders: Invalid value: "": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')]`,
  ],
  [
    'a probe with a header that is none',
    pod('web', {}, probe({ httpGet: { path: '/', port: 80, httpHeaders: [{ name: 'X Header', value: 'a' }] } })),
    `spec.containers[0].livenessProbe.httpGet.httpHeaders: Invalid value: "X Header": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
  ],
  ['a port without a number', pod('web', {}, { ports: [{ name: 'http' }] }), 'spec.containers[0].ports[0].containerPort: Required value'],
  [
    'two ports of one name',
    pod(
      'web',
      {},
      {
        ports: [
          { name: 'http', containerPort: 80 },
          { name: 'http', containerPort: 81 },
        ],
      },
    ),
    'spec.containers[0].ports[1].name: Duplicate value: "http"',
  ],
  [
    'a port whose name is too long',
    pod('web', {}, { ports: [{ name: 'a-very-long-port-name', containerPort: 80 }] }),
    'spec.containers[0].ports[0].name: Invalid value: "a-very-long-port-name": must be no more than 15 characters',
  ],
  [
    'a port of a protocol there is not',
    pod('web', {}, { ports: [{ containerPort: 80, protocol: 'HTTP' }] }),
    'spec.containers[0].ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'a host port that the network of the host does not have',
    pod('web', { hostNetwork: true }, { ports: [{ containerPort: 80, hostPort: 81 }] }),
    'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
  ],
  ['a variable without a name', pod('web', {}, { env: [{ value: 'a' }] }), 'spec.containers[0].env[0].name: Required value'],
  [
    'a variable of an equals sign',
    pod('web', {}, { env: [{ name: 'A=B', value: 'a' }] }),
    `spec.containers[0].env[0].name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
  ],
  [
    'a variable of two sources',
    pod('web', {}, { env: [{ name: 'A', value: 'a', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ],
  [
    'a variable of two sources, one of them nameless',
    pod('web', {}, { env: [{ name: 'A', value: 'a', valueFrom: { configMapKeyRef: { name: 'c', key: '' } } }] }),
    '[spec.containers[0].env[0].valueFrom.configMapKeyRef.key: Required value, spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty]',
  ],
  [
    'a container that is to be restarted at no time',
    pod('web', {}, { restartPolicy: '' }),
    'spec.containers[0].restartPolicy: Unsupported value: "": supported values: "Always", "Never", "OnFailure"',
  ],
  [
    'a profile of no name',
    pod('web', { securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: '' } } }),
    'spec.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
  ],
  [
    'a variable of a key without a name',
    pod('web', {}, { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: '' } } }] }),
    'spec.containers[0].env[0].valueFrom.secretKeyRef.key: Required value',
  ],
  [
    'more asked for than allowed',
    pod('web', {}, { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'less than nothing',
    pod('web', {}, { resources: { requests: { memory: '-1Gi' } } }),
    'spec.containers[0].resources.requests[memory]: Invalid value: "-1Gi": must be greater than or equal to 0',
  ],
  [
    'a resource nobody knows',
    pod('web', {}, { resources: { limits: { gpu: '1' } } }),
    '[spec.containers[0].resources.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified, spec.containers[0].resources.limits[gpu]: Invalid value: "gpu": must be a standard resource for containers, spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified, spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers]',
  ],
  [
    'a part of a device',
    pod('web', {}, { resources: { limits: { 'example.com/gpu': '500m' } } }),
    '[spec.containers[0].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer, spec.containers[0].resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer]',
  ],
  [
    'a device asked for without a limit',
    pod('web', {}, { resources: { requests: { 'example.com/gpu': '1' } } }),
    'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    'huge pages by themselves',
    pod('web', {}, { resources: { limits: { 'hugepages-2Mi': '2Mi' } } }),
    'spec.containers[0].resources: Forbidden: HugePages require cpu or memory',
  ],
  [
    'a mount of no volume',
    pod('web', {}, { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
    'spec.containers[0].volumeMounts[0].name: Not found: "data"',
  ],
  [
    'two mounts at one path',
    pod(
      'web',
      {
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', emptyDir: {} },
        ],
      },
      {
        volumeMounts: [
          { name: 'a', mountPath: '/data' },
          { name: 'b', mountPath: '/data' },
        ],
      },
    ),
    'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/data": must be unique',
  ],
  [
    'a mount that spreads without privileges',
    pod(
      'web',
      { volumes: [{ name: 'a', emptyDir: {} }] },
      { volumeMounts: [{ name: 'a', mountPath: '/data', mountPropagation: 'Bidirectional' }] },
    ),
    'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
  ],
  [
    'a mount read-only to the ground that may be written',
    pod(
      'web',
      { volumes: [{ name: 'a', emptyDir: {} }] },
      { volumeMounts: [{ name: 'a', mountPath: '/data', recursiveReadOnly: 'Enabled' }] },
    ),
    'spec.containers[0].volumeMounts[0].recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
  ],
  [
    'a device of a directory',
    pod('web', { volumes: [{ name: 'a', emptyDir: {} }] }, { volumeDevices: [{ name: 'a', devicePath: '/dev/a' }] }),
    'spec.containers[0].volumeDevices[0].name: Invalid value: "a": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
  ],
  [
    'two volumes of one name',
    pod('web', {
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'a', emptyDir: {} },
      ],
    }),
    'spec.volumes[1].name: Duplicate value: "a"',
  ],
  [
    'a volume of two things',
    pod('web', { volumes: [{ name: 'a', emptyDir: {}, configMap: { name: 'c' } }] }),
    'spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'a volume of a nameless secret',
    pod('web', { volumes: [{ name: 'a', secret: {} }] }),
    'spec.volumes[0].secret.secretName: Required value',
  ],
  [
    'a volume of no image',
    pod('web', { volumes: [{ name: 'a', image: { pullPolicy: 'Sometimes' } }] }),
    '[spec.volumes[0].image.reference: Required value, spec.volumes[0].image.pullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"]',
  ],
  [
    'a mode of no file',
    pod('web', { volumes: [{ name: 'a', configMap: { name: 'c', defaultMode: 1000 } }] }),
    'spec.volumes[0].configMap.defaultMode: Invalid value: 1000: must be a number between 0 and 0777 (octal), both inclusive',
  ],
  [
    'a restart policy there is not',
    pod('web', { restartPolicy: 'Sometimes' }),
    'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    'a DNS policy there is not',
    pod('web', { dnsPolicy: 'Mine' }),
    'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
  ],
  [
    'a name in the domains searched that is none',
    pod('web', { dnsConfig: { searches: ['Shop Example'] } }),
    `spec.dnsConfig.searches[0]: Invalid value: "Shop Example": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a deadline in the past',
    pod('web', { activeDeadlineSeconds: 0 }),
    'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
  ],
  ['a host name of two parts', pod('web', { hostname: 'web.shop' }), 'spec.hostname: Invalid value: "web.shop": must not contain dots'],
  [
    'one constraint twice',
    pod('web', {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
        { maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
      ],
    }),
    'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
  ],
  [
    'a constraint that is none',
    pod('web', { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Maybe', labelSelector: {} }] }),
    '[spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than 0, spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty, spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Maybe": supported values: "DoNotSchedule", "ScheduleAnyway"]',
  ],
  [
    'keys of labels nobody selects by',
    pod('web', {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] }],
    }),
    'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
  ],
  [
    'nodes that have a label and a value for it',
    pod('web', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'Exists', values: ['a'] }] }],
          },
        },
      },
    }),
    "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  ],
  [
    'nodes by a field they do not have',
    pod('web', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'spec.name', operator: 'In', values: ['a'] }] }],
          },
        },
      },
    }),
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key: Invalid value: "spec.name": not a valid field selector key',
  ],
  [
    'no nodes at all',
    pod('web', { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } }),
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  [
    'a weight over the scale',
    pod('web', {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 101, preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] } },
          ],
        },
      },
    }),
    'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
  ],
  [
    'a toleration of everything that is not',
    pod('web', { tolerations: [{ operator: 'Equal', value: 'a' }] }),
    'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
  [
    'a toleration for a time of a taint that does not evict',
    pod('web', { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }] }),
    'spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
  ],
  [
    'a toleration by an operator there is not',
    pod('web', { tolerations: [{ key: 'a', operator: 'Like', value: 'b' }] }),
    'spec.tolerations[0].operator: Unsupported value: "Like": supported values: "Equal", "Exists"',
  ],
  [
    'users that are none',
    pod('web', { securityContext: { runAsUser: -1, fsGroup: -2, supplementalGroups: [-3] } }),
    '[spec.securityContext.fsGroup: Invalid value: -2: must be between 0 and 2147483647, inclusive, spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive, spec.securityContext.supplementalGroups[0]: Invalid value: -3: must be between 0 and 2147483647, inclusive]',
  ],
  [
    'a sysctl that is none',
    pod('web', { securityContext: { sysctls: [{ name: 'Net Core', value: '1' }] } }),
    'spec.securityContext.sysctls[0].name: Invalid value: "Net Core": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
  ],
  [
    'a profile of nowhere',
    pod('web', { securityContext: { seccompProfile: { type: 'Localhost' } } }),
    'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
  ],
  [
    'a profile that is not local but has a file',
    pod('web', { securityContext: { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a.json' } } }),
    'spec.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"RuntimeDefault","LocalhostProfile":"a.json"}: can only be set when seccomp type is Localhost',
  ],
  [
    'privileges that may not be had',
    pod('web', {}, { securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
    'spec.containers[0].securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
  ],
  [
    'users of its own in the network of the node',
    pod('web', { hostUsers: false, hostNetwork: true }),
    'spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false',
  ],
  [
    'a process namespace shared twice',
    pod('web', { hostPID: true, shareProcessNamespace: true }),
    'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
  ],
  [
    'an init container with a probe',
    pod('web', { initContainers: [{ ...CONTAINER, name: 'init', ...probe({ tcpSocket: { port: 80 } }) }] }),
    'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
  ],
  ['two containers of one name', pod('web', { initContainers: [CONTAINER] }), 'spec.initContainers[0].name: Duplicate value: "web"'],
  [
    'no container',
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' }, spec: { containers: [] } },
    'spec.containers: Required value',
  ],
  [
    'a container for a look inside',
    pod('web', { ephemeralContainers: [{ ...CONTAINER, name: 'debug' }] }),
    'spec.ephemeralContainers: Forbidden: cannot be set on create',
  ],
  ['a gate twice', pod('web', { schedulingGates: [{ name: 'a' }, { name: 'a' }] }), 'spec.schedulingGates[1]: Duplicate value: "a"'],
  [
    'a label whose value is a sentence',
    { ...pod('web'), metadata: { name: 'web', namespace: 'shop', labels: { app: 'the web' } } },
    `metadata.labels: Invalid value: "the web": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ],
  [
    'a name of capital letters',
    pod('Web'),
    `metadata.name: Invalid value: "Web": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a pull policy there is not',
    pod('web', {}, { imagePullPolicy: 'Often' }),
    'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
  ],
  [
    'a system there is not',
    pod('web', { os: { name: 'plan9' } }),
    'spec.os: Unsupported value: "plan9": supported values: "linux", "windows"',
  ],
];

export const WRONG_WORKLOADS: readonly WrongObject[] = [
  [
    'a selector for nothing',
    workload('Deployment', { selector: {} }),
    'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
  ],
  [
    'fewer than no replicas',
    workload('Deployment', { replicas: -1 }),
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a label of the template that is none',
    workload('Deployment', {}, { ...TEMPLATE, metadata: { labels: { ...LABELS, tier: 'not ok' } } }),
    `spec.template.labels: Invalid value: "not ok": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ],
  [
    'a rolling update that recreates',
    workload('Deployment', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    'a rollout that cannot move',
    workload('Deployment', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ],
  [
    'a strategy there is not',
    workload('Deployment', { strategy: { type: 'BlueGreen' } }),
    'spec.strategy.type: Unsupported value: "BlueGreen": supported values: "Recreate", "RollingUpdate"',
  ],
  [
    'a percentage that is none',
    workload('Deployment', { strategy: { rollingUpdate: { maxSurge: 'half' } } }),
    `spec.strategy.rollingUpdate.maxSurge: Invalid value: "half": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
  ],
  [
    'a deadline before it may be ready',
    workload('Deployment', { minReadySeconds: 60, progressDeadlineSeconds: 30 }),
    'spec.progressDeadlineSeconds: Invalid value: 30: must be greater than minReadySeconds',
  ],
  [
    'pods that end',
    workload('Deployment', {}, { ...TEMPLATE, spec: { containers: [CONTAINER], restartPolicy: 'Never' } }),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  [
    'pods with a deadline',
    workload('Deployment', {}, { ...TEMPLATE, spec: { containers: [CONTAINER], activeDeadlineSeconds: 5 } }),
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
  ],
  [
    'a StatefulSet managed as none is',
    workload('StatefulSet', { serviceName: 'web', podManagementPolicy: 'Random' }),
    `spec.podManagementPolicy: Invalid value: "Random": must be 'OrderedReady' or 'Parallel'`,
  ],
  [
    'a StatefulSet updated as none is',
    workload('StatefulSet', { serviceName: 'web', updateStrategy: { type: 'Recreate' } }),
    `spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`,
  ],
  [
    'a StatefulSet with a partition nobody asks for',
    workload('StatefulSet', { serviceName: 'web', updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
    `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
  ],
  [
    'a StatefulSet counted from below zero',
    workload('StatefulSet', { serviceName: 'web', ordinals: { start: -1 } }),
    'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a StatefulSet whose pods have a deadline',
    workload('StatefulSet', { serviceName: 'web' }, { ...TEMPLATE, spec: { containers: [CONTAINER], activeDeadlineSeconds: 5 } }),
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
  ],
  [
    'a DaemonSet updated as none is',
    workload('DaemonSet', { updateStrategy: { type: 'Recreate' } }),
    'spec.updateStrategy.type: Unsupported value: "Recreate": supported values: "RollingUpdate", "OnDelete"',
  ],
  [
    'a job whose pods go on',
    job({}, { restartPolicy: 'Always' }),
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    'a job of no tries',
    job({ backoffLimit: -1, parallelism: -1 }),
    '[spec.parallelism: Invalid value: -1: must be greater than or equal to 0, spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0]',
  ],
  [
    'a job completed as none is',
    job({ completionMode: 'Sometimes' }),
    'spec.completionMode: Unsupported value: "Sometimes": supported values: "NonIndexed", "Indexed"',
  ],
  [
    'a rule of nothing',
    job({ podFailurePolicy: { rules: [{ action: 'Ignore' }] } }),
    'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
  ],
  [
    'a rule of both',
    job({
      podFailurePolicy: {
        rules: [
          {
            action: 'Ignore',
            onExitCodes: { operator: 'In', values: [1] },
            onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
          },
        ],
      },
    }),
    'spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported',
  ],
  [
    'codes out of order',
    job({ podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [3, 1] } }] } }),
    'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [3,1]: must be ordered',
  ],
  [
    'success of a job that does not count',
    job({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
  ],
  [
    'success of more than there is',
    job({ completions: 2, completionMode: 'Indexed', successPolicy: { rules: [{ succeededCount: 3, succeededIndexes: '0-5' }] } }),
    '[spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5", spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of specified completions), spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)]',
  ],
  [
    'a schedule of four fields',
    cron({ schedule: '* * * *' }),
    'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
  ],
  ['a schedule in no zone', cron({ timeZone: '' }), 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
  [
    'a schedule with a zone',
    cron({ schedule: 'TZ=UTC 0 0 * * *' }),
    'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ],
  [
    'a policy there is not',
    cron({ concurrencyPolicy: 'Queue' }),
    'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
  ],
  [
    'a history below zero',
    cron({ successfulJobsHistoryLimit: -1 }),
    'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'jobs that select for themselves',
    cron({}, { selector: SELECTOR, manualSelector: true }),
    '[spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"app":"web"}}: `selector` will be auto-generated, spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"]',
  ],
  [
    'a deployment of a label too long',
    { ...deployment('web'), metadata: { name: 'web', namespace: 'shop', labels: { app: 'a'.repeat(64) } } },
    'metadata.labels: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 bytes',
  ],
];

export const WRONG_OTHERS: readonly WrongObject[] = [
  ['a Service without ports', service({ ports: [] }), 'spec.ports: Required value'],
  [
    'two nameless ports',
    service({ ports: [{ port: 80 }, { port: 81 }] }),
    '[spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
  ],
  [
    'a Service of a type there is not',
    service({ type: 'Internal' }),
    'spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  [
    'a node port inside the cluster',
    service({ ports: [{ port: 80, nodePort: 30_080 }] }),
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    'a node port out of range',
    service({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    'a headless way in',
    service({ type: 'LoadBalancer', clusterIP: 'None' }),
    `spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for LoadBalancer services`,
  ],
  [
    'an address that is none',
    service({ clusterIP: '10.0.0' }),
    'spec.clusterIPs[0]: Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    'a name that is an address nobody has',
    service({ type: 'ExternalName', externalName: 'Shop_Example' }),
    `spec.externalName: Invalid value: "Shop_Example": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'affinity there is not',
    service({ sessionAffinity: 'Cookie' }),
    'spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"',
  ],
  [
    'affinity for no time',
    service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
    'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
  ],
  [
    'an address of its own host',
    service({ externalIPs: ['127.0.0.1'] }),
    'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    'ranges of no balancer',
    service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
  ],
  [
    'a class of no balancer',
    service({ loadBalancerClass: 'shop' }),
    "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
  ],
  [
    'a port to a name no port has',
    service({ ports: [{ port: 80, targetPort: 'HTTP' }] }),
    '[spec.ports[0].targetPort: Invalid value: "HTTP": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), spec.ports[0].targetPort: Invalid value: "HTTP": must contain at least one letter (a-z)]',
  ],
  ['an ingress of nothing', ingress({}), 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  [
    'an ingress for an address',
    ingress({ rules: [{ host: '10.0.0.1', http: { paths: [] } }] }),
    '[spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address, spec.rules[0].http.paths: Required value]',
  ],
  [
    'an ingress for any host',
    ingress({ rules: [{ host: '*' }] }),
    `spec.rules[0].host: Invalid value: "*": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a path without a type',
    path({ pathType: undefined }),
    'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
  ],
  [
    'a path of a type there is not',
    path({ pathType: 'Regex' }),
    'spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"',
  ],
  ['a path with two slashes', path({ path: '/a//b' }), `spec.rules[0].http.paths[0].path: Invalid value: "/a//b": must not contain '//'`],
  [
    'a backend that is none',
    path({ backend: {} }),
    'spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required',
  ],
  [
    'a backend of two ports',
    path({ backend: backend('web', { number: 80, name: 'http' }) }),
    'spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both port name & port number',
  ],
  [
    'certificates in a secret of no name',
    ingress({ defaultBackend: backend('web', { number: 80 }), tls: [{ hosts: ['Shop'], secretName: 'Shop' }] }),
    `[spec.tls[0].hosts[0]: Invalid value: "Shop": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), spec.tls[0].secretName: Invalid value: "Shop": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')]`,
  ],
  [
    'a class that is run by nobody',
    bare('networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'nginx' } }),
    'spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")',
  ],
  [
    'a policy for a direction there is not',
    policy({ policyTypes: ['Inside'] }),
    'spec.policyTypes[0]: Unsupported value: "Inside": supported values: "Ingress", "Egress"',
  ],
  ['a peer that is none', policy({ ingress: [{ from: [{}] }] }), 'spec.ingress[0].from[0]: Required value: must specify a peer'],
  [
    'a peer that is two',
    policy({ ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] }),
    'spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer',
  ],
  [
    'ports up to one below',
    policy({ egress: [{ ports: [{ port: 80, endPort: 70 }] }] }),
    'spec.egress[0].ports[0].endPort: Invalid value: 70: must be greater than or equal to `port`',
  ],
  [
    'ports from a name',
    policy({ egress: [{ ports: [{ port: 'http', endPort: 90 }] }] }),
    'spec.egress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric',
  ],
  [
    'an exception outside the rule',
    policy({ egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }] }),
    'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
  ],
  [
    'an autoscaler between five and three',
    scaler({ minReplicas: 5 }),
    'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
  ],
  [
    'an autoscaler of nothing',
    scaler({ maxReplicas: 0 }),
    '[spec.maxReplicas: Invalid value: 0: must be greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`]',
  ],
  [
    'an autoscaler of a nameless thing',
    scaler({ scaleTargetRef: { kind: 'Deployment', name: '' } }),
    'spec.scaleTargetRef.name: Required value',
  ],
  [
    'a metric without a source',
    scaler({ metrics: [{ type: 'Pods' }] }),
    'spec.metrics[0].pods: Required value: must populate information for the given metric source',
  ],
  [
    'a metric there is not',
    scaler({ metrics: [{ type: 'Load' }] }),
    '[spec.metrics[0].type: Unsupported value: "Load": supported values: "ContainerResource", "External", "Object", "Pods", "Resource", spec.metrics[0]: Required value: must populate exactly one metric source]',
  ],
  [
    'a metric of two targets',
    scaler({
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50, averageValue: '1' } } },
      ],
    }),
    'spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization',
  ],
  [
    'behaviour that does nothing',
    scaler({ behavior: { scaleUp: { policies: [{ type: 'Nodes', value: 0, periodSeconds: 3600 }], stabilizationWindowSeconds: 4000 } } }),
    '[spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 4000: must be less than or equal to 3600, spec.behavior.scaleUp.policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods", spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero, spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 3600: must be less than or equal to 1800]',
  ],
  [
    'a budget of both',
    of('policy/v1', 'PodDisruptionBudget', { minAvailable: 1, maxUnavailable: '50%', selector: SELECTOR }),
    'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"app":"web"}},"MaxUnavailable":"50%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ],
  [
    'a budget of more than all',
    of('policy/v1', 'PodDisruptionBudget', { minAvailable: '150%', selector: SELECTOR }),
    'spec.minAvailable: Invalid value: "150%": must not be greater than 100%',
  ],
  [
    'a volume without a size',
    volume({ capacity: {} }),
    '[spec.capacity: Required value, spec.capacity: Unsupported value: null: supported values: "storage"]',
  ],
  ['a volume of no size', volume({ capacity: { storage: '0' } }), 'spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
  ['a volume of two sources', volume({ nfs: { server: 'a', path: '/a' } }), 'spec.nfs: Forbidden: may not specify more than 1 volume type'],
  [
    'a local volume of no node',
    volume({ hostPath: undefined, local: { path: '/data' } }),
    'spec.nodeAffinity: Required value: Local volume requires node affinity',
  ],
  [
    'the whole disk, recycled',
    volume({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }),
    `spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'`,
  ],
  [
    'a volume for one pod and many nodes',
    volume({ accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] }),
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ],
  [
    'a volume of a driver without a handle',
    volume({ hostPath: undefined, csi: { driver: 'disk.shop.example' } }),
    'spec.csi.volumeHandle: Required value',
  ],
  ['a claim of nothing', claim({ resources: {} }), 'spec.resources[storage]: Required value'],
  ['a claim without a mode', claim({ accessModes: [] }), 'spec.accessModes: Required value: at least 1 access mode is required'],
  [
    'a claim of a mode there is not',
    claim({ accessModes: ['ReadAlways'] }),
    'spec.accessModes: Unsupported value: "ReadAlways": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
  ],
  [
    'a claim from something of no group',
    claim({ dataSource: { kind: 'VolumeSnapshot', name: 'a' } }),
    `spec.dataSource: Invalid value: "VolumeSnapshot": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
  ],
  ['a class without a driver', bare('storage.k8s.io/v1', 'StorageClass', {}), 'provisioner: Required value'],
  [
    'a class that recycles',
    bare('storage.k8s.io/v1', 'StorageClass', { provisioner: 'disk.shop.example', reclaimPolicy: 'Recycle' }),
    'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
  ],
  [
    'a quota of what nobody counts',
    of('v1', 'ResourceQuota', { hard: { gpus: '1' } }),
    '[spec.hard[gpus]: Invalid value: "gpus": must be a standard resource type or fully qualified, spec.hard[gpus]: Invalid value: "gpus": must be a standard resource for quota]',
  ],
  [
    'a quota of half a pod',
    of('v1', 'ResourceQuota', { hard: { pods: '500m' } }),
    'spec.hard[pods]: Invalid value: "500m": must be an integer',
  ],
  [
    'a quota of best effort and of CPU',
    of('v1', 'ResourceQuota', { hard: { cpu: '1' }, scopes: ['BestEffort'] }),
    'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
  ],
  [
    'a quota of both kinds',
    of('v1', 'ResourceQuota', { hard: { pods: '1' }, scopes: ['Terminating', 'NotTerminating'] }),
    'spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes',
  ],
  [
    'a limit of a type there is not',
    limits({ type: 'Node', max: { cpu: '1' } }),
    'spec.limits[0].type: Invalid value: "Node": must be a standard limit type or fully qualified',
  ],
  [
    'a least over the most',
    limits({ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }),
    '[spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1, spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1, spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1, spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1]',
  ],
  [
    'a default over the most',
    limits({ type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } }),
    '[spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1, spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1]',
  ],
  [
    'a default of pods',
    limits({ type: 'Pod', default: { cpu: '2' } }),
    "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
  ],
  [
    'limits of claims that limit nothing',
    limits({ type: 'PersistentVolumeClaim' }),
    'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
  ],
  [
    'one type of limits twice',
    limits({ type: 'Container', max: { cpu: '1' } }, { type: 'Container', max: { cpu: '2' } }),
    'spec.limits[1].type: Duplicate value: "Container"',
  ],
  [
    'a role that may nothing',
    bare('rbac.authorization.k8s.io/v1', 'Role', { rules: [{ ...RULES, verbs: [] }] }, true),
    'rules[0].verbs: Required value: verbs must contain at least one value',
  ],
  [
    'a role for paths of a namespace',
    bare('rbac.authorization.k8s.io/v1', 'Role', { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] }, true),
    'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs',
  ],
  [
    'a role for paths and pods',
    bare('rbac.authorization.k8s.io/v1', 'ClusterRole', { rules: [{ ...RULES, nonResourceURLs: ['/healthz'] }] }),
    'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    'a binding to nothing',
    bare(
      'rbac.authorization.k8s.io/v1',
      'RoleBinding',
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Permission', name: '' } },
      true,
    ),
    '[roleRef.kind: Unsupported value: "Permission": supported values: "Role", "ClusterRole", roleRef.name: Required value]',
  ],
  [
    'a binding for a thing',
    bare('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: ROLE, subjects: [{ kind: 'Robot', name: 'r' }] }, true),
    'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
  ],
  [
    'a binding of the cluster to a role',
    bare('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', { roleRef: ROLE, subjects: [{ kind: 'ServiceAccount', name: 'a' }] }),
    '[roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole", subjects[0].namespace: Required value]',
  ],
  [
    'a secret of certificates without them',
    bare('v1', 'Secret', { type: 'kubernetes.io/tls', data: {} }, true),
    '[data[tls.crt]: Required value, data[tls.key]: Required value]',
  ],
  [
    'a scaler that is given no policies',
    scaler({ behavior: { scaleDown: { policies: [] } } }),
    'spec.behavior.scaleDown.policies: Required value: must specify at least one Policy',
  ],
  [
    'a volume of no class of attributes',
    volume({ volumeAttributesClassName: '' }),
    '[spec.volumeAttributesClassName: Required value: an empty string is disallowed, spec.csi: Required value: has to be specified when using volumeAttributesClassName]',
  ],
  [
    'a policy for ports of no protocol',
    policy({ ingress: [{ ports: [{ protocol: '', port: 80 }] }] }),
    'spec.ingress[0].ports[0].protocol: Unsupported value: "": supported values: "TCP", "UDP", "SCTP"',
  ],
  [
    'an empty key of SSH',
    bare('v1', 'Secret', { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } }, true),
    'data[ssh-privatekey]: Required value',
  ],
  [
    'a secret of a registry that is a list',
    bare('v1', 'Secret', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '[]' } }, true),
    `data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}`,
  ],
  [
    'a secret of a registry that is no JSON',
    bare('v1', 'Secret', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'user:pass' } }, true),
    `data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character 'u' looking for beginning of value`,
  ],
  [
    'a key that is no file',
    bare('v1', 'ConfigMap', { data: { 'a/b': 'c' } }, true),
    `data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
  ],
  [
    'one key twice',
    bare('v1', 'ConfigMap', { data: { a: 'c' }, binaryData: { a: 'Yw==' } }, true),
    'data[a]: Invalid value: "a": duplicate of key present in binaryData',
  ],
  [
    'a priority only the system has',
    bare('scheduling.k8s.io/v1', 'PriorityClass', { value: 2_000_000_000 }),
    'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ],
  [
    'a runtime of no name',
    bare('node.k8s.io/v1', 'RuntimeClass', { handler: 'Run C' }),
    `handler: Invalid value: "Run C": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
  [
    'a lease of no time',
    of('coordination.k8s.io/v1', 'Lease', { leaseDurationSeconds: 0 }),
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
  ],
  [
    'a slice of addresses of another kind',
    bare(
      'discovery.k8s.io/v1',
      'EndpointSlice',
      { addressType: 'IPv4', endpoints: [{ addresses: ['::1'] }, { addresses: [] }], ports: [] },
      true,
    ),
    '[endpoints[0].addresses[0]: Invalid value: "::1": must be a valid IPv4 address, endpoints[1].addresses: Required value: must contain at least 1 address]',
  ],
  [
    'a service of the API by another name',
    bare('apiregistration.k8s.io/v1', 'APIService', {
      spec: {
        group: 'shop.example',
        version: 'v1',
        groupPriorityMinimum: 0,
        versionPriority: 10,
        service: { name: 'a', namespace: 'shop' },
      },
    }),
    '[metadata.name: Invalid value: "web": must be `spec.version+"."+spec.group`: "v1.shop.example", spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000]',
  ],
  [
    'a node whose taints are none',
    bare('v1', 'Node', {
      spec: {
        taints: [
          { key: 'a', effect: 'Sometimes' },
          { key: 'a', effect: 'Sometimes' },
        ],
      },
    }),
    '[metadata.taints[0].effect: Unsupported value: "Sometimes": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute", metadata.taints[1].effect: Unsupported value: "Sometimes": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute", metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"Sometimes","TimeAdded":null}: taints must be unique by key and effect pair]',
  ],
  [
    'a request for no certificate',
    bare('certificates.k8s.io/v1', 'CertificateSigningRequest', {
      spec: { request: 'Zm9v', signerName: 'shop', usages: ['reading'], expirationSeconds: 60 },
    }),
    `[spec.request: Invalid value: "Zm9v": PEM block type must be CERTIFICATE REQUEST, spec.usages[0]: Unsupported value: "reading": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping", spec.signerName: Invalid value: "shop": must be a fully qualified domain and path of the form 'example.com/signer-name', spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)]`,
  ],
  [
    'a controller of other pods',
    of('v1', 'ReplicationController', { replicas: -1, selector: { app: 'db' }, template: TEMPLATE }),
    '[spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`]',
  ],
  [
    'endpoints nowhere',
    bare(
      'v1',
      'Endpoints',
      { subsets: [{ ports: [{ port: 0 }] }, { addresses: [{ ip: 'here' }], ports: [{ port: 80 }, { port: 81 }] }] },
      true,
    ),
    '[subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`, subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, subsets[1].addresses[0].ip: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), subsets[1].ports[0].name: Required value, subsets[1].ports[1].name: Required value]',
  ],
  [
    'a namespace of two parts',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'my.shop' } },
    'metadata.name: Invalid value: "my.shop": must not contain dots',
  ],
];
