import type { UserInfo } from '../request.ts';

/** What is asked for: a resource, or a path outside them. */
export interface Attributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  readonly version?: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly path?: string;
  readonly fieldSelector?: string | undefined;
}

/** `reason` of a yes says which binding gave it; of a no it may be empty. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/**
 * The words of a 403. Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go (ForbiddenMessage).
 */
export function forbiddenWords(asked: Attributes, reason: string): string {
  const user = JSON.stringify(asked.user.name);
  const suffix = reason === '' ? '' : `: ${reason}`;
  if (asked.path !== undefined) return `User ${user} cannot ${asked.verb} path ${JSON.stringify(asked.path)}${suffix}`;
  const resource = asked.subresource === undefined ? asked.resource : `${asked.resource}/${asked.subresource}`;
  const where = asked.namespace === undefined ? 'at the cluster scope' : `in the namespace ${JSON.stringify(asked.namespace)}`;
  return `User ${user} cannot ${asked.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(asked.group)} ${where}${suffix}`;
}
