import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { onceEach } from '../../../base/once.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Store } from '../../store/store.ts';
import { serviceAccountName } from '../authentication.ts';
import type { UserInfo } from '../request.ts';
import type { Attributes, Decision } from './attributes.ts';

/** One rule of a role, as the authorizer compares it. */
export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly paths: readonly string[];
}

/**
 * Role-based access: a request is allowed when a binding gives its user a rule that covers it.
 * Source: plugin/pkg/auth/authorizer/rbac/rbac.go, pkg/registry/rbac/validation/rule.go.
 */
export class Rbac {
  readonly #store: Store;
  readonly #grants = new Map<string, readonly Grant[]>();
  readonly #decisions = new Map<string, Decision>();
  readonly #users = new WeakMap<UserInfo, string>();

  constructor(store: Store) {
    this.#store = store;
    for (const resource of [ROLES, CLUSTER_ROLES, ROLE_BINDINGS, CLUSTER_ROLE_BINDINGS]) store.subscribe(resource, () => this.#forget());
  }

  authorize(asked: Attributes): Decision {
    const key = `${this.#keyOf(asked.user)}|${asked.verb}|${asked.group}|${asked.resource}|${asked.subresource ?? ''}|${asked.namespace ?? ''}|${asked.path ?? ''}`;
    const known = this.#decisions.get(key);
    if (known !== undefined) return known;
    const { decision, byName } = this.#decide(asked);
    if (byName) return decision;
    if (this.#decisions.size >= MAX_DECISIONS) this.#decisions.clear();
    this.#decisions.set(key, decision);
    return decision;
  }

  /** The rules a user has in a namespace and in the whole cluster, and the roles that are bound but not there. */
  rulesFor(user: UserInfo, namespace: string | undefined): { readonly rules: readonly Rule[]; readonly missing: readonly string[] } {
    const grants = this.#grantsOf(user).filter((grant) => grant.namespace === undefined || grant.namespace === namespace);
    return {
      rules: grants.flatMap((grant) => grant.rules),
      missing: grants.flatMap((grant) => (grant.missing === undefined ? [] : [grant.missing])),
    };
  }

  #decide(asked: Attributes): { readonly decision: Decision; readonly byName: boolean } {
    if (asked.user.groups.includes('system:masters')) return { decision: { allowed: true, reason: '' }, byName: false };
    let byName = false;
    const missing: string[] = [];
    for (const grant of this.#grantsOf(asked.user)) {
      if (grant.namespace !== undefined && grant.namespace !== asked.namespace) continue;
      if (grant.missing !== undefined) missing.push(grant.missing);
      for (const rule of grant.rules) {
        if (rule.resourceNames.length > 0) byName = true;
        if (covers(rule, asked)) return { decision: { allowed: true, reason: `RBAC: allowed by ${grant.reason}` }, byName };
      }
    }
    return { decision: { allowed: false, reason: missingWords(missing) }, byName };
  }

  #grantsOf(user: UserInfo): readonly Grant[] {
    const key = this.#keyOf(user);
    const known = this.#grants.get(key);
    if (known !== undefined) return known;
    const grants: Grant[] = [];
    for (const binding of this.#store.list(CLUSTER_ROLE_BINDINGS)) this.#grant(binding, user, undefined, grants);
    for (const binding of this.#store.list(ROLE_BINDINGS)) this.#grant(binding, user, binding.metadata.namespace, grants);
    if (this.#grants.size >= MAX_USERS) this.#grants.clear();
    this.#grants.set(key, grants);
    return grants;
  }

  #grant(binding: KubeObject, user: UserInfo, namespace: string | undefined, grants: Grant[]): void {
    const subject = asList(binding['subjects']).find((one) => isSubject(one, user, namespace));
    if (subject === undefined) return;
    const [kind, name] = [asText(dig(binding, 'roleRef', 'kind')) ?? '', asText(dig(binding, 'roleRef', 'name')) ?? ''];
    const role = kind === 'Role' ? this.#store.get(ROLES, namespace, name) : this.#store.get(CLUSTER_ROLES, undefined, name);
    const subjectWords =
      dig(subject, 'kind') === 'ServiceAccount'
        ? `ServiceAccount "${textOf(dig(subject, 'name'))}/${asText(dig(subject, 'namespace')) ?? namespace ?? ''}"`
        : `${textOf(dig(subject, 'kind'))} "${textOf(dig(subject, 'name'))}"`;
    const bindingWords =
      namespace === undefined ? `ClusterRoleBinding "${binding.metadata.name}"` : `RoleBinding "${binding.metadata.name}/${namespace}"`;
    grants.push({
      namespace,
      rules: role === undefined ? [] : rulesOf(role),
      missing: role === undefined ? `${kind.toLowerCase()}.rbac.authorization.k8s.io "${name}" not found` : undefined,
      reason: `${bindingWords} of ${kind} "${name}" to ${subjectWords}`,
    });
  }

  #keyOf(user: UserInfo): string {
    const known = this.#users.get(user);
    if (known !== undefined) return known;
    const key = `${user.name}|${user.groups.join()}`;
    this.#users.set(user, key);
    return key;
  }

  #forget(): void {
    this.#grants.clear();
    this.#decisions.clear();
  }
}

/** The rules of roles are values that are shared by all clusters that begin with them, and so is what is read from them. */
export function rulesOf(role: KubeObject): readonly Rule[] {
  return readRules(asList(role['rules']));
}

const readRules = onceEach((list: readonly Json[]): readonly Rule[] =>
  list.map((rule) => ({
    verbs: words(dig(rule, 'verbs')),
    apiGroups: words(dig(rule, 'apiGroups')),
    resources: words(dig(rule, 'resources')),
    resourceNames: words(dig(rule, 'resourceNames')),
    paths: words(dig(rule, 'nonResourceURLs')),
  })),
);

/** Whether a rule gives what is asked for. */
export function covers(rule: Rule, asked: Omit<Attributes, 'user'>): boolean {
  if (!rule.verbs.includes('*') && !rule.verbs.includes(asked.verb)) return false;
  const { path } = asked;
  if (path !== undefined)
    return rule.paths.some((one) => one === '*' || one === path || (one.endsWith('*') && path.startsWith(one.slice(0, -1))));
  if (!rule.apiGroups.includes('*') && !rule.apiGroups.includes(asked.group)) return false;
  const resource = asked.subresource === undefined ? asked.resource : `${asked.resource}/${asked.subresource}`;
  const named =
    rule.resources.includes('*') ||
    rule.resources.includes(resource) ||
    (asked.subresource !== undefined && rule.resources.includes(`*/${asked.subresource}`));
  if (!named) return false;
  return rule.resourceNames.length === 0 || (asked.name !== undefined && rule.resourceNames.includes(asked.name));
}

/** Remembered at most, whoever asks for whatever. */
const MAX_DECISIONS = 50_000;
const MAX_USERS = 10_000;

const ROLES = 'roles.rbac.authorization.k8s.io';
const CLUSTER_ROLES = 'clusterroles.rbac.authorization.k8s.io';
const ROLE_BINDINGS = 'rolebindings.rbac.authorization.k8s.io';
const CLUSTER_ROLE_BINDINGS = 'clusterrolebindings.rbac.authorization.k8s.io';

interface Grant {
  readonly namespace: string | undefined;
  readonly rules: readonly Rule[];
  readonly missing: string | undefined;
  readonly reason: string;
}

function isSubject(subject: Json, user: UserInfo, namespace: string | undefined): boolean {
  const name = asText(dig(subject, 'name')) ?? '';
  switch (dig(subject, 'kind')) {
    case 'User':
      return name === user.name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount':
      return user.name === serviceAccountName(asText(dig(subject, 'namespace')) ?? namespace ?? '', name);
    default:
      return false;
  }
}

function missingWords(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  return missing.length === 1 ? `RBAC: ${missing[0] ?? ''}` : `RBAC: [${missing.join(', ')}]`;
}

function words(value: Json | undefined): readonly string[] {
  return asList(value).map(String);
}
