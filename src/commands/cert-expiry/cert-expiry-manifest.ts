import type { CertExpiryOptions } from './cert-expiry-options.ts';

/**
 * A CronJob that runs `cert-expiry` in the cluster, with no more rights than its tiers need. Metadata of Secrets is not among them:
 * RBAC cannot part it from their values. A run that finds something fails, and its Job with it.
 */
export function certificatesManifest({
  namespace = 'podcheck',
  secrets = false,
  probe = false,
  within,
  output,
  version = 'latest',
}: CertExpiryOptions): string {
  const flags = [
    '-A',
    ...(secrets ? ['--secrets'] : []),
    ...(probe ? ['--probe'] : []),
    ...(within === undefined ? [] : ['--within', within]),
  ];
  return [
    ...(namespace === 'default' || namespace.startsWith('kube-') ? [] : document({ apiVersion: 'v1', kind: 'Namespace', name: namespace })),
    ...document({ apiVersion: 'v1', kind: 'ServiceAccount', name: NAME, namespace }),
    ...document({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: NAME }),
    'rules:',
    ...rule('admissionregistration.k8s.io', ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']),
    ...rule('apiregistration.k8s.io', ['apiservices']),
    ...rule('apiextensions.k8s.io', ['customresourcedefinitions']),
    ...rule('certificates.k8s.io', ['certificatesigningrequests']),
    ...rule('cert-manager.io', ['certificates']),
    ...rule('', ['configmaps', ...(secrets ? ['secrets'] : []), ...(probe ? ['nodes', 'services'] : [])]),
    ...(secrets || probe ? [...rule('networking.k8s.io', ['ingresses']), ...rule('gateway.networking.k8s.io', ['gateways'])] : []),
    ...document({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', name: NAME }),
    `roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${NAME} }`,
    'subjects:',
    `- { kind: ServiceAccount, name: ${NAME}, namespace: ${namespace} }`,
    ...document({ apiVersion: 'batch/v1', kind: 'CronJob', name: NAME, namespace }),
    ...jobLines(flags, output === 'prometheus', version),
    '',
  ].join('\n');
}

const NAME = 'podcheck-cert-expiry';

interface Head {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

function document({ apiVersion, kind, name, namespace }: Head): readonly string[] {
  return [
    '---',
    `apiVersion: ${apiVersion}`,
    `kind: ${kind}`,
    `metadata: { name: ${name}${namespace === undefined ? '' : `, namespace: ${namespace}`} }`,
  ];
}

function rule(group: string, resources: readonly string[]): readonly string[] {
  return [`- { apiGroups: ["${group}"], resources: [${resources.join(', ')}], verbs: [list] }`];
}

/** With prometheus as the format the answer goes where the node exporter's textfile collector looks, in one piece. */
function jobLines(flags: readonly string[], textfile: boolean, version: string): readonly string[] {
  const file = '/textfile/podcheck.prom';
  const command = textfile
    ? [
        '            command: [sh, -c]',
        `            args: ['podcheck cert-expiry ${flags.join(' ')} -o prometheus > ${file}.new; code=$?; mv ${file}.new ${file}; exit $code']`,
      ]
    : [`            args: [${['cert-expiry', ...flags].map((word) => `"${word}"`).join(', ')}]`];
  return [
    'spec:',
    '  schedule: "17 6 * * *"',
    '  concurrencyPolicy: Forbid',
    '  jobTemplate:',
    '    spec:',
    '      backoffLimit: 0',
    '      activeDeadlineSeconds: 900',
    '      template:',
    '        spec:',
    `          serviceAccountName: ${NAME}`,
    '          restartPolicy: Never',
    `          securityContext: { runAsNonRoot: ${textfile ? 'false' : 'true'}, ${textfile ? '' : 'runAsUser: 65532, '}seccompProfile: { type: RuntimeDefault } }`,
    '          containers:',
    '          - name: podcheck',
    '            # An image of yours that has podcheck and Node in it, with podcheck as its entrypoint.',
    `            image: podcheck:${version}`,
    ...command,
    '            securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }',
    '            resources: { requests: { cpu: 100m, memory: 128Mi }, limits: { memory: 384Mi } }',
    ...(textfile
      ? [
          '            volumeMounts: [{ name: textfile, mountPath: /textfile }]',
          '          volumes:',
          '          - { name: textfile, hostPath: { path: /var/lib/node_exporter/textfile_collector, type: DirectoryOrCreate } }',
        ]
      : []),
  ];
}
