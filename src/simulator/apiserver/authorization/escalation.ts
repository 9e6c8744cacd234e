import { asText, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Call } from '../server-state.ts';
import type { Rule } from './rbac.ts';
import { covers, rulesOf } from './rbac.ts';

/**
 * Nobody gives rights away that they do not have, unless they may `escalate` or `bind`; the words of the refusal, or undefined.
 * Source: pkg/registry/rbac/{role,rolebinding}/policybased/storage.go, pkg/registry/rbac/validation/rule.go (ConfirmNoEscalation).
 */
export function escalates(call: Call, object: KubeObject, old?: KubeObject): string | undefined {
  const { resource, state, user, request } = call;
  if (resource.group !== 'rbac.authorization.k8s.io' || user.groups.includes('system:masters')) return undefined;
  if (old !== undefined && changesOnlyLifetime(object, old)) return undefined;
  const binding = resource.kind.endsWith('Binding');
  const verb = binding ? 'bind' : 'escalate';
  const about = binding ? referredRole(object) : { plural: resource.plural, name: object.metadata.name };
  const where = request.namespace === undefined ? {} : { namespace: request.namespace };
  if (state.authorizer.authorize({ user, verb, group: resource.group, resource: about.plural, name: about.name, ...where }).allowed)
    return undefined;
  const role = binding
    ? state.store.get(`${about.plural}.${resource.group}`, about.plural === 'roles' ? request.namespace : undefined, about.name)
    : object;
  if (role === undefined) return undefined;
  const own = state.authorizer.rulesFor(user, request.namespace).rules;
  const missing = rulesOf(role).filter((rule) => !isCovered(rule, own));
  if (missing.length === 0) return undefined;
  const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
  return `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${missing.map(formatRule).join('\n')}`;
}

/** What the garbage collector must be able to do. Source: pkg/registry/rbac/helpers.go (IsOnlyMutatingGCFields). */
function changesOnlyLifetime(object: KubeObject, old: KubeObject): boolean {
  const { finalizers, ownerReferences } = old.metadata;
  return sameJson(
    withFields(object, {
      metadata: withFields(object.metadata, { finalizers, ownerReferences, managedFields: old.metadata['managedFields'] }),
    }),
    old,
  );
}

function referredRole(binding: KubeObject): { readonly plural: string; readonly name: string } {
  const plural = dig(binding, 'roleRef', 'kind') === 'Role' ? 'roles' : 'clusterroles';
  return { plural, name: asText(dig(binding, 'roleRef', 'name')) ?? '' };
}

/** Every combination the rule gives is given by some rule of one's own. */
function isCovered(rule: Rule, own: readonly Rule[]): boolean {
  if (rule.paths.length > 0)
    return rule.verbs.every((verb) => rule.paths.every((path) => own.some((one) => covers(one, { verb, group: '', resource: '', path }))));
  const names = rule.resourceNames.length === 0 ? [undefined] : rule.resourceNames;
  return rule.verbs.every((verb) =>
    rule.apiGroups.every((group) =>
      rule.resources.every((full) =>
        names.every((name) => {
          const [resource = '', subresource] = full.split('/');
          return own.some((one) =>
            covers(one, {
              verb,
              group,
              resource,
              ...(subresource === undefined ? {} : { subresource }),
              ...(name === undefined ? {} : { name }),
            }),
          );
        }),
      ),
    ),
  );
}

/** Source: CompactRules and formatting of PolicyRule ({APIGroups:[""], Resources:["pods"], Verbs:["get"]}). */
function formatRule(rule: Rule): string {
  const list = (words: readonly string[]): string => `[${words.map((word) => JSON.stringify(word)).join(' ')}]`;
  if (rule.paths.length > 0) return `{NonResourceURLs:${list(rule.paths)}, Verbs:${list(rule.verbs)}}`;
  const names = rule.resourceNames.length === 0 ? '' : `, ResourceNames:${list(rule.resourceNames)}`;
  return `{APIGroups:${list(rule.apiGroups)}, Resources:${list(rule.resources)}${names}, Verbs:${list(rule.verbs)}}`;
}
