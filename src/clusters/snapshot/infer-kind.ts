import type { JsonObject } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import { resourceNamed } from '../../model/resources.ts';

/**
 * The kind of an object that was stored without one, as items of typed lists are: by its selfLink
 * (`/api/v1/namespaces/shop/pods/web-1`), or by fields that only one kind has.
 */
export function inferKind(object: JsonObject): string | undefined {
  const link = asText(dig(object, 'metadata', 'selfLink'));
  const resource = link === undefined ? undefined : SELF_LINK.exec(link)?.[1];
  if (resource !== undefined) return resourceNamed(resource)?.kind;
  if (dig(object, 'involvedObject', 'kind') !== undefined) return 'Event';
  if (dig(object, 'status', 'nodeInfo') !== undefined) return 'Node';
  if (Array.isArray(dig(object, 'spec', 'containers')) && dig(object, 'status', 'phase') !== undefined) return 'Pod';
  return undefined;
}

const SELF_LINK = /^\/apis?\/(?:[^/]+\/){1,2}?(?:namespaces\/[^/]+\/)?([a-z]+)\/[^/]+$/;
