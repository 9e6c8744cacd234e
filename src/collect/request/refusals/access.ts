import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { formatRef, refOf } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import type { RefusalWords } from './read-refusals.ts';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * Where the right that is missing should have come from, as `Kind/name` or `Kind/namespace/name`: the role bound to the user that is
 * nearest to giving it,
 * else the user or service account itself.
 */
export async function roleOf({ user = '', resource = '', where }: RefusalWords, scene: Scene): Promise<string> {
  const bindings = [
    ...(where === undefined ? [] : await bound('RoleBinding', { namespace: where }, user, scene)),
    ...(await bound('ClusterRoleBinding', {}, user, scene)),
  ];
  const named: string[] = [];
  for (const binding of bindings) {
    const [kind, name] = [asText(dig(binding, 'roleRef', 'kind')), asText(dig(binding, 'roleRef', 'name'))];
    if (kind === undefined || name === undefined) continue;
    const ref: ObjectRef = { kind, ...(kind === 'Role' && where !== undefined ? { namespace: where } : {}), name };
    named.push(formatRef(ref));
    const role = await scene.survey.get(ref);
    if (role.ok && mentions(role.value, resource)) return formatRef(ref);
  }
  const [first] = named;
  if (first !== undefined) return first;
  const account = SERVICE_ACCOUNT.exec(user);
  return account === null ? `User/${user}` : `ServiceAccount/${account[1] ?? ''}/${account[2] ?? ''}`;
}

/** `reference` facts for the user's bindings to a role that the API server did not find. */
export async function missingRoleFacts({ user = '', by, value, where }: RefusalWords, scene: Scene, sink: FactSink): Promise<void> {
  const kind = value === 'role' ? 'Role' : 'ClusterRole';
  const bindings = [
    ...(where === undefined ? [] : await bound('RoleBinding', { namespace: where }, user, scene)),
    ...(kind === 'Role' ? [] : await bound('ClusterRoleBinding', {}, user, scene)),
  ];
  for (const binding of bindings) {
    if (by === undefined || dig(binding, 'roleRef', 'kind') !== kind || dig(binding, 'roleRef', 'name') !== by) continue;
    const ref = refOf(binding);
    sink.fact(
      'reference',
      ref,
      { refKind: kind, refName: by, via: 'roleRef', optional: false, exists: false },
      { source: `${formatRef(ref)} roleRef`, quote: `binds ${user} to ${kind} ${by}` },
    );
  }
}

/** Bindings that name the user directly; what a group gives cannot be told from a refusal's words. */
async function bound(kind: string, scope: { readonly namespace?: string }, user: string, scene: Scene): Promise<readonly KubeObject[]> {
  const list = await scene.survey.list(kind, scope);
  if (!list.ok) return [];
  const account = SERVICE_ACCOUNT.exec(user);
  return list.value.filter((binding) => asList(dig(binding, 'subjects')).some((subject) => isUser(subject, user, account)));
}

function isUser(subject: Json, user: string, account: RegExpExecArray | null): boolean {
  if (account === null) return dig(subject, 'kind') === 'User' && dig(subject, 'name') === user;
  return dig(subject, 'kind') === 'ServiceAccount' && dig(subject, 'namespace') === account[1] && dig(subject, 'name') === account[2];
}

/** Whether a rule of the role is about the resource: then it is the role that lacks a verb. */
function mentions(role: KubeObject, resource: string): boolean {
  return asList(dig(role, 'rules')).some((rule) => asList(dig(rule, 'resources')).some((name) => name === resource || name === '*'));
}
