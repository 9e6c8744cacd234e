import type { Environment } from '@marcbachmann/cel-js';
import type { Attributes, Decision } from '../authorization/attributes.ts';
import type { UserInfo } from '../request.ts';
import { checkLabelName, checkSubdomain } from '../validation/names.ts';

/** What the user of a request may do. Source: staging/src/k8s.io/apiserver/pkg/cel/library/authz.go. */
export function registerAuthorization(environment: Environment): Environment {
  return environment
    .registerType('Authorizer', { ctor: CelAuthorizer, fields: { requestResource: 'ResourceCheck' } })
    .registerType('GroupCheck', GroupCheck)
    .registerType('ResourceCheck', ResourceCheck)
    .registerType('PathCheck', PathCheck)
    .registerType('Decision', Decided)
    .registerFunction('Authorizer.path(string): PathCheck', (of: CelAuthorizer, path: string) => new PathCheck(of, filled(path, 'path')))
    .registerFunction('Authorizer.group(string): GroupCheck', (of: CelAuthorizer, group: string) => new GroupCheck(of, group))
    .registerFunction('Authorizer.serviceAccount(string, string): Authorizer', serviceAccount)
    .registerFunction(
      'GroupCheck.resource(string): ResourceCheck',
      ({ of, group }: GroupCheck, resource: string) => new ResourceCheck(of, { group, resource: filled(resource, 'resource') }),
    )
    .registerFunction('ResourceCheck.subresource(string): ResourceCheck', (check: ResourceCheck, subresource: string) =>
      check.with({ subresource }),
    )
    .registerFunction('ResourceCheck.namespace(string): ResourceCheck', (check: ResourceCheck, namespace: string) =>
      check.with({ namespace }),
    )
    .registerFunction('ResourceCheck.name(string): ResourceCheck', (check: ResourceCheck, name: string) => check.with({ name }))
    .registerFunction('ResourceCheck.fieldSelector(string): ResourceCheck', (check: ResourceCheck, fieldSelector: string) =>
      check.with({ fieldSelector }),
    )
    .registerFunction('ResourceCheck.labelSelector(string): ResourceCheck', (check: ResourceCheck) => check)
    .registerFunction('ResourceCheck.check(string): Decision', (check: ResourceCheck, verb: string) => check.decide(verb))
    .registerFunction('PathCheck.check(string): Decision', ({ of, path }: PathCheck, verb: string) =>
      of.decide({ verb, path, group: '', resource: '' }),
    )
    .registerFunction('Decision.allowed(): bool', ({ decision }: Decided) => decision.allowed)
    .registerFunction('Decision.reason(): string', ({ decision }: Decided) => decision.reason)
    .registerFunction('Decision.errored(): bool', () => false)
    .registerFunction('Decision.error(): string', () => '');
}

type Asked = Omit<Attributes, 'user'>;

/** The variable `authorizer`. */
export class CelAuthorizer {
  readonly user: UserInfo;
  readonly authorize: (asked: Attributes) => Decision;
  readonly requestResource: ResourceCheck;

  constructor(user: UserInfo, authorize: (asked: Attributes) => Decision, request: Omit<Asked, 'verb'>) {
    this.user = user;
    this.authorize = authorize;
    this.requestResource = new ResourceCheck(this, request);
  }

  decide(asked: Asked): Decided {
    return new Decided(this.authorize({ ...asked, user: this.user }));
  }
}

class GroupCheck {
  readonly of: CelAuthorizer;
  readonly group: string;

  constructor(of: CelAuthorizer, group: string) {
    this.of = of;
    this.group = group;
  }
}

class ResourceCheck {
  readonly of: CelAuthorizer;
  readonly asked: Omit<Asked, 'verb'>;

  constructor(of: CelAuthorizer, asked: Omit<Asked, 'verb'>) {
    this.of = of;
    this.asked = asked;
  }

  /** What is empty was not asked for. */
  with(more: Partial<Record<'subresource' | 'namespace' | 'name' | 'fieldSelector', string>>): ResourceCheck {
    const asked: Record<string, string | undefined> = {};
    for (const [field, value] of Object.entries(more)) asked[field] = value === '' ? undefined : value;
    return new ResourceCheck(this.of, { ...this.asked, ...asked });
  }

  decide(verb: string): Decided {
    return this.of.decide({ ...this.asked, verb });
  }
}

class PathCheck {
  readonly of: CelAuthorizer;
  readonly path: string;

  constructor(of: CelAuthorizer, path: string) {
    this.of = of;
    this.path = path;
  }
}

class Decided {
  readonly decision: Decision;

  constructor(decision: Decision) {
    this.decision = decision;
  }
}

function filled(text: string, what: string): string {
  if (text.trim() === '') throw new Error(`${what} must not be empty`);
  return text;
}

function serviceAccount(of: CelAuthorizer, namespace: string, name: string): CelAuthorizer {
  if (checkSubdomain(name).length > 0) throw new Error('Invalid service account name');
  if (checkLabelName(namespace).length > 0) throw new Error('Invalid service account namespace');
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return new CelAuthorizer({ name: `system:serviceaccount:${namespace}:${name}`, groups }, of.authorize, of.requestResource.asked);
}
