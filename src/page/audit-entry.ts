import type { Instant } from '../base/instant.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { OutsideRequest } from '../simulator/index.ts';

/** A request as the audit log of a served cluster has it. */
export function auditOf(request: OutsideRequest, code: number, at: Instant): AuditEntry {
  const { verb, group, version, resource, namespace, name, subresource, dryRun } = request;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const rest = [...(namespace === undefined ? [] : ['namespaces', namespace]), resource, name, subresource];
  return {
    at,
    wall: at,
    user: 'kubernetes-admin',
    userAgent: 'kubectl',
    verb,
    resource,
    group,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    path: [root, ...rest.filter((one) => one !== undefined)].join('/'),
    code,
    ...(dryRun === undefined ? {} : { dryRun }),
  };
}
