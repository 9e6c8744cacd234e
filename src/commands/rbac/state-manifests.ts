import type { JsonObject } from '../../base/json.ts';
import type { Subject } from './access-manifests.ts';
import type { StateWish } from './state-options.ts';

/** What the Lease and the ConfigMap of each replica of a watch are called, which shares its work and keeps what it told. */
export function slotName(slot: number): string {
  return `podcheck-watch-${slot}`;
}

export interface StateObjects extends StateWish {
  readonly labels: JsonObject;
}

/** Empty, so that the right to create objects is not needed: it cannot be given for some names only. */
export function stateObjects({ namespace, replicas, labels }: StateObjects): readonly JsonObject[] {
  return slotNames(replicas).flatMap((name) => [
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace, labels } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels } },
  ]);
}

const RBAC = 'rbac.authorization.k8s.io';

/** The right to read and change these objects, and no others. */
export function stateManifests({
  name: base,
  namespace,
  replicas,
  subject,
  labels,
}: StateObjects & { readonly name: string; readonly subject: Subject | undefined }): readonly JsonObject[] {
  const metadata = { name: `${base}-state`, namespace, labels };
  const rule = (group: string, resource: string): JsonObject => ({
    apiGroups: [group],
    resources: [resource],
    resourceNames: slotNames(replicas),
    verbs: ['get', 'patch'],
  });
  return [
    { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules: [rule('', 'configmaps'), rule('coordination.k8s.io', 'leases')] },
    ...(subject === undefined
      ? []
      : [
          {
            apiVersion: `${RBAC}/v1`,
            kind: 'RoleBinding',
            metadata,
            roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
            subjects: [subject.kind === 'ServiceAccount' ? { ...subject } : { apiGroup: RBAC, ...subject }],
          },
        ]),
  ];
}

function slotNames(replicas: number): readonly string[] {
  return Array.from({ length: replicas }, (_, slot) => slotName(slot));
}
