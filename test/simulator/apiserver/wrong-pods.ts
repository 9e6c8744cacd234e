import { pod } from '../shop.ts';
import type { WrongObject } from './wrong-object-parts.ts';
import { probe } from './wrong-object-parts.ts';

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
    'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
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
    '[spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero, spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty, spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Maybe": supported values: "DoNotSchedule", "ScheduleAnyway"]',
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
];
