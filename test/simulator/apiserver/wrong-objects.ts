import type { WrongObject } from './wrong-object-parts.ts';
import { of, bare, TEMPLATE, SELECTOR, policy, scaler, volume, claim, limits, ROLE, RULES } from './wrong-object-parts.ts';

export const WRONG_OTHERS: readonly WrongObject[] = [
  [
    'an autoscaler between five and three',
    scaler({ minReplicas: 5 }),
    'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
  ],
  [
    'an autoscaler of nothing',
    scaler({ maxReplicas: 0 }),
    '[spec.maxReplicas: Required value: must be set and greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`]',
  ],
  [
    'an autoscaler of a nameless thing',
    scaler({ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: '' } }),
    'spec.scaleTargetRef.name: Required value',
  ],
  [
    'an autoscaler of a thing of no group',
    scaler({ scaleTargetRef: { kind: 'Deployment', name: 'web' } }),
    'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
  ],
  [
    'a metric without a source',
    scaler({ metrics: [{ type: 'Pods' }] }),
    'spec.metrics[0].pods: Required value: must populate information for the given metric source',
  ],
  [
    'a metric there is not',
    scaler({ metrics: [{ type: 'Load' }] }),
    'spec.metrics[0].type: Unsupported value: "Load": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
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
    '[spec.capacity: Required value, spec.capacity: Unsupported value: {}: supported values: "storage"]',
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
    claim({ dataSourceRef: { kind: 'VolumeSnapshot', name: 'a' } }),
    `[spec.dataSource: Invalid value: "VolumeSnapshot": must be 'PersistentVolumeClaim' when referencing the default apiGroup, spec.dataSourceRef: Invalid value: "VolumeSnapshot": must be 'PersistentVolumeClaim' when referencing the default apiGroup]`,
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
    '[spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1, spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1, spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1]',
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
    '[endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address, endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128), endpoints[1].addresses: Required value: must contain at least 1 address]',
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
    '[subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`, subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, subsets[1].addresses[0].ip: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), subsets[1].addresses[0].ip: Invalid value: "here": must be a valid IP address, subsets[1].ports[0].name: Required value, subsets[1].ports[1].name: Required value]',
  ],
  [
    'a namespace of two parts',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'my.shop' } },
    'metadata.name: Invalid value: "my.shop": must not contain dots',
  ],
  [
    'a class that says nothing of preemption',
    bare('scheduling.k8s.io/v1', 'PriorityClass', { value: 1, preemptionPolicy: '' }),
    'preemptionPolicy: Required value',
  ],
  [
    'a budget of no words',
    bare('policy/v1', 'PodDisruptionBudget', { spec: { selector: {}, minAvailable: '' } }, true),
    "spec.minAvailable: Invalid value: \"\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
  ],
  [
    'a class of devices with a path for a name',
    { ...bare('resource.k8s.io/v1', 'DeviceClass', { spec: {} }), metadata: { name: 'web', generateName: '/web' } },
    'metadata.generateName: Invalid value: "/web": may not contain \'/\'',
  ],
  [
    'a role of other roles that are not told well',
    bare('rbac.authorization.k8s.io/v1', 'ClusterRole', {
      aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Is' }] }] },
    }),
    '[aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator, aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.]',
  ],
  [
    'a generation below nothing',
    { ...bare('v1', 'ConfigMap', {}, true), metadata: { name: 'web', namespace: 'shop', generation: -1 } },
    'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
  ],
];
