/** In which struct that Go embeds a field stands; undefined for a field of the struct itself. Source: the types of staging/src/k8s.io/api. */
export function embeddedIn(struct: string, field: string): string | undefined {
  if (struct === 'NamedRuleWithOperations') return namedRule(field);
  const rule = EMBEDDED[struct] ?? (REFERRING.has(struct) ? { in: 'LocalObjectReference', only: ['name'] } : undefined);
  if (rule === undefined) return undefined;
  const inside = rule.only === undefined ? rule.but?.includes(field) !== true : rule.only.includes(field);
  return inside ? rule.in : undefined;
}

/** One inside the other. */
function namedRule(field: string): string | undefined {
  const inside = embeddedIn('RuleWithOperations', field);
  return field === 'resourceNames' ? undefined : `RuleWithOperations${inside === undefined ? '' : `.${inside}`}`;
}

interface Rule {
  readonly in: string;
  readonly only?: readonly string[];
  readonly but?: readonly string[];
}

const REFERRING: ReadonlySet<string> = new Set([
  'SecretProjection',
  'ConfigMapVolumeSource',
  'ConfigMapProjection',
  'ConfigMapKeySelector',
  'SecretKeySelector',
  'ConfigMapEnvSource',
  'SecretEnvSource',
]);

const EMBEDDED: Readonly<Record<string, Rule>> = {
  PersistentVolumeClaim: { in: 'TypeMeta', only: ['apiVersion', 'kind'] },
  Volume: { in: 'VolumeSource', but: ['name'] },
  PersistentVolumeSpec: {
    in: 'PersistentVolumeSource',
    but: [
      'capacity',
      'accessModes',
      'claimRef',
      'persistentVolumeReclaimPolicy',
      'storageClassName',
      'mountOptions',
      'volumeMode',
      'nodeAffinity',
      'volumeAttributesClassName',
    ],
  },
  EphemeralContainer: { in: 'EphemeralContainerCommon', but: ['targetContainerName'] },
  Probe: { in: 'ProbeHandler', only: ['exec', 'httpGet', 'tcpSocket', 'grpc'] },
  IngressRule: { in: 'IngressRuleValue', only: ['http'] },
  RuleWithOperations: { in: 'Rule', but: ['operations'] },
  DeviceClaimConfiguration: { in: 'DeviceConfiguration', only: ['opaque'] },
  DeviceAllocationConfiguration: { in: 'DeviceConfiguration', only: ['opaque'] },
  DeviceClassConfiguration: { in: 'DeviceConfiguration', only: ['opaque'] },
};
