import { asText, dig } from '../../../base/json.ts';
import { involvedIn } from '../../../model/event-fields.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, OBSERVED, refOf, shows } from '../../../model/kube-object.ts';
import { resourceOfKind } from '../../../model/resources.ts';

/**
 * Pods with the controller that says in an event that it created them, where no source shows their owner. Source:
 * pkg/controller/controller_utils.go (createPods).
 */
export function withMakers(objects: readonly KubeObject[], events: readonly KubeObject[]): readonly KubeObject[] {
  const makers = makersIn(events);
  if (makers.size === 0) return objects;
  return objects.map((object) => {
    const maker = object.kind === 'Pod' && !shows(object, 'metadata.ownerReferences') ? makers.get(formatRef(refOf(object))) : undefined;
    return maker === undefined
      ? object
      : {
          ...object,
          metadata: { ...object.metadata, ownerReferences: [maker] },
          [OBSERVED]: [...(object[OBSERVED] ?? []), 'metadata.ownerReferences'],
        };
  });
}

interface Maker {
  readonly [field: string]: string | boolean;
}

function makersIn(events: readonly KubeObject[]): ReadonlyMap<string, Maker> {
  const makers = new Map<string, Maker>();
  for (const event of events) {
    const pod = dig(event, 'reason') === 'SuccessfulCreate' ? CREATED.exec(asText(dig(event, 'message')) ?? '')?.[1] : undefined;
    const involved = involvedIn(event);
    const [kind, name] = [asText(dig(involved, 'kind')), asText(dig(involved, 'name'))];
    if (pod === undefined || kind === undefined || name === undefined) continue;
    const namespace = asText(dig(involved, 'namespace')) ?? event.metadata.namespace;
    const key = formatRef({ kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name: pod });
    makers.set(key, { apiVersion: resourceOfKind(kind)?.apiVersion ?? 'v1', kind, name, uid: '', controller: true });
  }
  return makers;
}

const CREATED = /^Created pod: (\S{1,253})$/;
