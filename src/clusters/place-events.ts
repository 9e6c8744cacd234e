import type { JsonObject } from '../base/json.ts';
import { asText, dig, isJsonObject } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { involvedIn } from '../model/event-fields.ts';
import { resourceOfKind } from '../model/resources.ts';

/**
 * Gives events that name no namespace, as somebody left them, the one in which the only object of that kind and name is. Until then they
 * are in `default`,
 * as all that names none.
 */
export function placeEvents(objects: readonly KubeObject[]): readonly KubeObject[] {
  if (!objects.some(lacksNamespace)) return objects;
  const namespaces = new Map<string, Set<string>>();
  for (const { kind, metadata } of objects) {
    if (kind === 'Event' || metadata.namespace === undefined) continue;
    const key = `${kind}/${metadata.name}`;
    namespaces.set(key, (namespaces.get(key) ?? new Set()).add(metadata.namespace));
  }
  return objects.map((object) => (lacksNamespace(object) ? placed(object, namespaces) : object));
}

function lacksNamespace(event: KubeObject): boolean {
  const { kind, metadata } = event;
  if (kind !== 'Event' || !['', 'default'].includes(metadata.namespace ?? '')) return false;
  const involved = involvedIn(event);
  return (asText(dig(involved, 'namespace')) ?? '') === '' && resourceOfKind(asText(dig(involved, 'kind')) ?? '')?.namespaced !== false;
}

function placed(event: KubeObject, namespaces: ReadonlyMap<string, ReadonlySet<string>>): KubeObject {
  const field = event['involvedObject'] === undefined ? 'regarding' : 'involvedObject';
  const involved = event[field];
  if (!isJsonObject(involved)) return event;
  const [namespace, ...more] = namespaces.get(`${asText(involved['kind']) ?? ''}/${asText(involved['name']) ?? ''}`) ?? [];
  if (namespace === undefined || more.length > 0) return event;
  const about: JsonObject = { ...involved, namespace };
  return { ...event, metadata: { ...event.metadata, namespace }, [field]: about };
}
