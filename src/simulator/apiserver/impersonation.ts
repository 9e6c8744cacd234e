import type { Attributes } from './authorization/attributes.ts';
import { forbiddenWords } from './authorization/attributes.ts';
import type { Authorizer } from './authorization/authorizer.ts';
import { forbidden } from './failures.ts';
import type { Failure, Impersonation, UserInfo } from './request.ts';

/**
 * Whom a caller acts as, if it may act as that user with those groups.
 * Source: staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/impersonation.go.
 */
export function impersonated(authorizer: Authorizer, caller: UserInfo, as: Impersonation): { readonly user: UserInfo } | Failure {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(as.user);
  const wanted: Attributes =
    account === null
      ? { user: caller, verb: 'impersonate', group: '', resource: 'users', name: as.user }
      : {
          user: caller,
          verb: 'impersonate',
          group: '',
          resource: 'serviceaccounts',
          namespace: account[1] ?? '',
          name: account[2] ?? '',
        };
  for (const asked of [wanted, ...attributesOf(as).map((more): Attributes => ({ user: caller, verb: 'impersonate', ...more }))]) {
    const decision = authorizer.authorize(asked);
    if (!decision.allowed)
      return forbidden({ group: asked.group, resource: asked.resource }, asked.name ?? '', forbiddenWords(asked, decision.reason));
  }
  const groups = as.groups ?? (account === null ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account[1] ?? ''}`]);
  const authenticated = as.user === 'system:anonymous' ? groups : [...groups, 'system:authenticated'];
  return {
    user: {
      name: as.user,
      groups: authenticated,
      ...(as.uid === undefined ? {} : { uid: as.uid }),
      ...(as.extra === undefined ? {} : { extra: as.extra }),
    },
  };
}

/** What else than the user is asked for has resources of its own. */
function attributesOf({
  groups = [],
  uid,
  extra = {},
}: Impersonation): readonly Pick<Attributes, 'group' | 'resource' | 'subresource' | 'name'>[] {
  return [
    ...groups.map((name) => ({ group: '', resource: 'groups', name })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((name) => ({ group: 'authentication.k8s.io', resource: 'userextras', subresource: key, name })),
    ),
    ...(uid === undefined ? [] : [{ group: 'authentication.k8s.io', resource: 'uids', name: uid }]),
  ];
}
