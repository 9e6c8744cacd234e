import { pod } from '../shop.ts';
import type { WrongObject } from './wrong-object-parts.ts';
import { CONTAINER } from './wrong-object-parts.ts';

/** What Windows has of its own, and what init containers and whole pods may not ask for. */
export const WRONG_WINDOWS: readonly WrongObject[] = [
  ...(
    [
      ['', ' cannot be an empty string'],
      ['a\u0007', ' cannot contain control characters'],
      ['a\\b\\c', ' cannot contain more than one backslash'],
      [
        `${'a.'.repeat(128)}\\web`,
        "'s Domain length must be under 256 characters",
        "'s Domain doesn't match the NetBios nor the DNS format",
      ],
      ['.shop\\web', "'s Domain doesn't match the NetBios nor the DNS format"],
      ['shop\\', "'s User cannot be empty"],
      ['w'.repeat(105), "'s User length must not be longer than 104 characters"],
      ['. .', "'s User cannot contain only periods or spaces"],
      ['web@shop', '\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]'],
    ] as const
  ).map(([user, ...wrong]): WrongObject => {
    const told = wrong.map(
      (words) =>
        `spec.securityContext.windowsOptions.runAsUserName: Invalid value: ${JSON.stringify(user).replace('\\u0007', '\\u0007')}: runAsUserName${words}`,
    );
    return [
      `a user of Windows called ${JSON.stringify(user).slice(0, 20)}`,
      pod('web', { securityContext: { windowsOptions: { runAsUserName: user } } }),
      told.length === 1 ? (told[0] ?? '') : `[${told.join(', ')}]`,
    ];
  }),
  [
    'credentials of Windows without words',
    pod('web', {}, { securityContext: { windowsOptions: { gmsaCredentialSpec: '', gmsaCredentialSpecName: 'Web' } } }),
    `[spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "Web": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string]`,
  ],
  [
    'a process of the host beside one that is none',
    pod(
      'web',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      { securityContext: { windowsOptions: { hostProcess: false } } },
    ),
    'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
  ],
  [
    'one process of the host, outside its network',
    pod('web', { initContainers: [{ ...CONTAINER, name: 'init' }] }, { securityContext: { windowsOptions: { hostProcess: true } } }),
    '[spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers, spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers]',
  ],
  [
    'resources of its own for Windows',
    pod('web', { os: { name: 'windows' }, resources: { requests: { cpu: '1' } }, securityContext: { seLinuxChangePolicy: 'Recursive' } }),
    '[spec.resources: Forbidden: may not be set for a windows pod, spec.securityContext.seLinuxChangePolicy: Forbidden: cannot be set for a windows pod]',
  ],
  [
    'a pod that wants less than its containers and has no amounts',
    pod('web', { resources: { requests: { cpu: '1', memory: '-1' } } }, { resources: { requests: { cpu: '2' } } }),
    '[spec.resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0, spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2]',
  ],
  [
    'an init container that is restarted to be resized',
    pod('web', {
      initContainers: [{ ...CONTAINER, name: 'init', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }],
    }),
    `spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers`,
  ],
  [
    'an init container with one port twice',
    pod('web', {
      initContainers: [
        {
          ...CONTAINER,
          name: 'init',
          ports: [
            { containerPort: 80, hostPort: 80 },
            { containerPort: 81, hostPort: 80 },
          ],
        },
      ],
    }),
    'spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//80"',
  ],
];
