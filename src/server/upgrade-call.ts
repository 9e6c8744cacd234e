import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { JsonObject } from '../base/json.ts';
import type { ApiRequest, Credential, Failure } from '../simulator/index.ts';
import type { ApiSurroundings } from './api.ts';
import { impersonationOf } from './credential.ts';
import type { RoutedRequest } from './route.ts';

/** A request for another protocol on its connection. */
export interface UpgradeCall {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly credential: Credential;
  readonly routed: RoutedRequest;
  readonly query: URLSearchParams;
}

/** Sent where the connection was to be upgraded: a Status, or what a kubelet says in plain text. */
export type UpgradeRefusal = { readonly code: number; readonly status: JsonObject } | { readonly code: number; readonly text: string };

/** What a kubelet says has no reason. Source: pkg/kubelet/server/server.go (getExec, getPortForward). */
export function refusalOf({ code, reason, message, status }: Failure): UpgradeRefusal {
  return reason === '' ? { code, text: message } : { code, status };
}

/** The request as the cluster's own pipeline takes it. */
export function requestOf({ request, routed, credential, query }: UpgradeCall): (ApiRequest & { readonly ok: true }) | Failure {
  const impersonation = impersonationOf(request);
  if (!impersonation.ok) return impersonation;
  const container = query.get('container');
  return {
    ok: true,
    ...routed,
    credential,
    ...(impersonation.as === undefined ? {} : { impersonate: impersonation.as }),
    log: routed.log ?? (container === null ? {} : { container }),
  };
}

/**
 * Why it must not: WebSockets begin with a GET, and since 1.35 the right to create is asked for as well.
 * Source: pkg/registry/core/pod/rest/subresources.go (AuthorizePodWebsocketUpgradeCreatePermission).
 */
export function refusedUpgrade(call: UpgradeCall, { cluster }: ApiSurroundings): UpgradeRefusal | undefined {
  const asked = requestOf(call);
  if (!asked.ok) return refusalOf(asked);
  const { ok: _, ...request } = asked;
  const subresource = request.subresource as 'exec' | 'attach' | 'portforward';
  const read = call.request.method === 'GET' ? cluster.server.peek({ ...request, verb: 'get' }) : undefined;
  const answer = read?.ok === false ? read : cluster.server.peek({ ...request, verb: 'create', subresource });
  return answer.ok ? undefined : refusalOf(answer);
}
