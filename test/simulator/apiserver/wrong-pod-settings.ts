import { pod } from '../shop.ts';
import type { WrongObject } from './wrong-object-parts.ts';
import { CONTAINER, probe } from './wrong-object-parts.ts';

export const WRONG_POD_SETTINGS: readonly WrongObject[] = [
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
    pod(
      'web',
      { hostUsers: false, hostNetwork: true, hostPID: true, volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }] },
      { volumeDevices: [{ name: 'd', devicePath: '/dev/x' }] },
    ),
    '[spec.hostNetwork: Forbidden: when `hostUsers` is false, spec.HostPID: Forbidden: when `hostUsers` is false, spec.containers[0].volumeDevices: Forbidden: when `hostUsers` is false]',
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
