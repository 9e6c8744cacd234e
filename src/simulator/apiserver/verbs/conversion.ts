import { failure } from '../failures.ts';
import { callWebhook } from '../admission/webhook-call.ts';
import type { Failure, UnsignedRequest } from '../request.ts';
import { apiVersionOf } from '../resources.ts';
import type { ServedResource } from '../resources.ts';
import type { ServerState } from '../server-state.ts';

/**
 * Why a custom resource cannot be had in the version asked for: whoever asks for another than the stored one waits for a webhook, which
 * may not be there. What a webhook would change is not modelled: where it answers, the objects stay as they are.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go.
 */
export function conversionTrouble(
  { store, world, now }: ServerState,
  request: UnsignedRequest,
  resource: ServedResource,
): Failure | undefined {
  const { conversion, storage = '' } = resource.custom ?? {};
  if (conversion === undefined || storage === resource.version) return undefined;
  const writes = request.verb === 'create' || (request.verb === 'patch' && request.patch?.type === 'apply');
  const there =
    request.name === undefined
      ? store.count(resource.key, request.namespace) > 0
      : store.get(resource.key, request.namespace, request.name) !== undefined;
  if (!writes && !there) return undefined;
  const reply = callWebhook(conversion.webhook, TIMEOUT_SECONDS, { store, world, now: now() });
  if (!('error' in reply)) return undefined;
  // What is written is converted from the version of the request, what is read from the stored one.
  const from = writes && !there ? apiVersionOf(resource) : apiVersionOf({ group: resource.group, version: storage });
  return failure(
    500,
    '',
    `conversion webhook for ${from}, Kind=${resource.kind} failed: ${reply.error.replace(/^failed to call webhook: /, '')}`,
  );
}

const TIMEOUT_SECONDS = 30;
