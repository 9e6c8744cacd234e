import type { IncomingMessage } from 'node:http';
import type { Instant } from '../base/instant.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { Cluster, Credential } from '../simulator/index.ts';
import { impersonationOf } from './credential.ts';
import { headerOf } from './exchange.ts';
import type { Route } from './route.ts';

export interface Audited {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly route: Route | undefined;
  readonly credential: Credential;
  readonly code: number;
}

/** A request as the audit log has it: who, what, when, and what came of it. No bodies. */
export function auditEntry(
  { request, path, route, credential, code }: Audited,
  { cluster, wall }: { readonly cluster: Cluster; readonly wall: () => Instant },
): AuditEntry {
  const who = cluster.server.authenticator.authenticate(credential);
  const impersonation = impersonationOf(request);
  const [meant, own] = [impersonation.ok ? impersonation.as?.user : undefined, 'user' in who ? who.user.name : ''];
  const asked = route?.kind === 'resource' ? route.request : undefined;
  return {
    at: cluster.now(),
    wall: wall(),
    user: meant ?? own,
    ...(meant === undefined ? {} : { impersonator: own }),
    userAgent: (headerOf(request, 'user-agent') ?? '').slice(0, LONGEST_AGENT),
    ...(asked === undefined ? { verb: '', resource: '' } : placeOf(asked)),
    path: path.slice(0, LONGEST_PATH),
    code,
    ...(asked?.dryRun === true ? { dryRun: true } : {}),
  };
}

function placeOf({ verb, resource, group, namespace, name, subresource }: UnsignedPlace): Pick<AuditEntry, keyof UnsignedPlace> {
  return {
    verb,
    resource,
    ...(group === '' ? {} : { group }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

type UnsignedPlace = Pick<
  (Route & { readonly kind: 'resource' })['request'],
  'verb' | 'resource' | 'group' | 'namespace' | 'name' | 'subresource'
>;

const LONGEST_AGENT = 200;
const LONGEST_PATH = 1000;
