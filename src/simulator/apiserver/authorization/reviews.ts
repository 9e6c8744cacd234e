import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Authenticator } from '../authentication.ts';
import type { UserInfo } from '../request.ts';
import type { Attributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';

/**
 * Reviews are answered and not stored: may someone do something, who am I, what may I do.
 * Source: pkg/registry/authorization, pkg/registry/authentication/selfsubjectreview.
 */
export function answerReview(
  kind: string,
  review: KubeObject,
  user: UserInfo,
  namespace: string | undefined,
  { authorizer, authenticator }: { readonly authorizer: Authorizer; readonly authenticator: Authenticator },
): KubeObject | undefined {
  const spec = asObject(review['spec']);
  switch (kind) {
    case 'SelfSubjectReview':
      return { ...review, status: { userInfo: userInfoOf(user) } };
    case 'SelfSubjectAccessReview':
      return { ...review, status: decide(spec, user, undefined, authorizer) };
    case 'SubjectAccessReview':
    case 'LocalSubjectAccessReview':
      return { ...review, status: decide(spec, subjectOf(spec), kind === 'LocalSubjectAccessReview' ? namespace : undefined, authorizer) };
    case 'TokenReview':
      return { ...review, status: reviewToken(asText(spec['token']) ?? '', asList(spec['audiences']).map(String), authenticator) };
    case 'SelfSubjectRulesReview':
      return { ...review, status: rules(user, asText(spec['namespace']), authorizer) };
    default:
      return undefined;
  }
}

/** Source: pkg/registry/authentication/tokenreview/storage.go (Create). */
function reviewToken(token: string, wanted: readonly string[], authenticator: Authenticator): JsonObject {
  const found = authenticator.authenticate({ kind: 'token', token });
  if ('why' in found) return { user: {}, error: found.why };
  const own = authenticator.claimsOf(token)?.audiences ?? [];
  const audiences = own.length === 0 ? [API_AUDIENCE] : own;
  const shared = wanted.length === 0 ? audiences.filter((one) => one === API_AUDIENCE) : wanted.filter((one) => audiences.includes(one));
  if (shared.length === 0)
    return {
      user: {},
      error: `[invalid bearer token, token audiences ${goList(audiences)} is invalid for the target audiences ${goList(wanted.length === 0 ? [API_AUDIENCE] : wanted)}]`,
    };
  return { authenticated: true, user: userInfoOf(found.user), audiences: shared };
}

function goList(items: readonly string[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join(' ')}]`;
}

/** Of tokens that name no other. */
const API_AUDIENCE = 'https://kubernetes.default.svc.cluster.local';

function subjectOf(spec: JsonObject): UserInfo {
  return { name: asText(spec['user']) ?? '', groups: asList(spec['groups']).map(String) };
}

function decide(spec: JsonObject, user: UserInfo, namespace: string | undefined, authorizer: Authorizer): JsonObject {
  const decision = authorizer.authorize(attributesOf(spec, user, namespace));
  return { allowed: decision.allowed, ...(decision.reason === '' ? {} : { reason: decision.reason }) };
}

function attributesOf(spec: JsonObject, user: UserInfo, namespace: string | undefined): Attributes {
  const path = spec['nonResourceAttributes'];
  if (path !== undefined)
    return { user, verb: asText(dig(path, 'verb')) ?? '', group: '', resource: '', path: asText(dig(path, 'path')) ?? '' };
  const asked = asTextMap(spec['resourceAttributes']);
  const where = namespace ?? asked['namespace'];
  return {
    user,
    verb: asked['verb'] ?? '',
    group: asked['group'] ?? '',
    resource: asked['resource'] ?? '',
    ...(filled(asked['subresource']) ? { subresource: asked['subresource'] } : {}),
    ...(filled(where) ? { namespace: where } : {}),
    ...(filled(asked['name']) ? { name: asked['name'] } : {}),
  };
}

function filled(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function rules(user: UserInfo, namespace: string | undefined, authorizer: Authorizer): JsonObject {
  const { rules: all, missing } = authorizer.rulesFor(user, namespace);
  const resourceRules: Json[] = [];
  const nonResourceRules: Json[] = [];
  for (const rule of all) {
    if (rule.paths.length > 0) nonResourceRules.push({ verbs: rule.verbs, nonResourceURLs: rule.paths });
    else
      resourceRules.push({
        verbs: rule.verbs,
        apiGroups: rule.apiGroups,
        resources: rule.resources,
        ...(rule.resourceNames.length === 0 ? {} : { resourceNames: rule.resourceNames }),
      });
  }
  return {
    resourceRules,
    nonResourceRules,
    incomplete: missing.length > 0,
    ...(missing.length === 0 ? {} : { evaluationError: missing.join(', ') }),
  };
}

function userInfoOf(user: UserInfo): JsonObject {
  const { name, uid, groups, extra } = user;
  return { username: name, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) };
}
