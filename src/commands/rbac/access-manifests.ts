import type { JsonObject } from '../../base/json.ts';
import type { Uses } from '../../model/access-needs.ts';
import { accessRules } from '../../model/access-needs.ts';

/** Who gets the rights. Source: staging/src/k8s.io/api/rbac/v1/types.go (Subject). */
export interface Subject {
  readonly kind: 'ServiceAccount' | 'User' | 'Group';
  readonly name: string;
  readonly namespace?: string;
}

export interface AccessWish {
  /** Of all objects. */
  readonly name: string;
  readonly uses: Uses;
  /** Where; the whole cluster where it is undefined. */
  readonly namespaces: readonly string[] | undefined;
  readonly subject: Subject | undefined;
}

const RBAC = 'rbac.authorization.k8s.io';

/**
 * The objects that give these rights: one ClusterRole for the whole cluster; for some namespaces a Role in each, and a ClusterRole for
 * kinds that are in none. With bindings where somebody is to have them.
 */
export function accessManifests({ name, uses, namespaces, subject }: AccessWish): readonly JsonObject[] {
  const outside = accessRules(uses, false);
  const within = accessRules(uses, true);
  const labels = { 'app.kubernetes.io/name': 'podcheck' };
  const role = (kind: string, rules: ReturnType<typeof accessRules>, namespace?: string): JsonObject => ({
    apiVersion: `${RBAC}/v1`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels },
    rules: rules.map((rule) => ({ ...rule })),
  });
  const binding = (kind: string, namespace?: string): readonly JsonObject[] =>
    subject === undefined
      ? []
      : [
          {
            apiVersion: `${RBAC}/v1`,
            kind: `${kind}Binding`,
            metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels },
            roleRef: { apiGroup: RBAC, kind, name },
            subjects: [subject.kind === 'ServiceAccount' ? { ...subject } : { apiGroup: RBAC, ...subject }],
          },
        ];
  const cluster = [role('ClusterRole', namespaces === undefined ? [...within, ...outside] : outside), ...binding('ClusterRole')];
  return [...cluster, ...(namespaces ?? []).flatMap((namespace) => [role('Role', within, namespace), ...binding('Role', namespace)])];
}
