import { asText, dig } from '../../../base/json.ts';
import { deploymentOf } from '../../../base/template-hash.ts';
import { involvedIn } from '../../../model/event-fields.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, OBSERVED, refOf, shows } from '../../../model/kube-object.ts';
import { resourceOfKind } from '../../../model/resources.ts';

/**
 * Pods with the controller that made them, where no source shows their owner: the one that says so in an event, else the ReplicaSet that
 * the name tells of. Without it a fix would replace the pod and leave the Deployment as it is. Source: pkg/controller/controller_utils.go
 * (createPods).
 */
export function withMakers(objects: readonly KubeObject[], events: readonly KubeObject[]): readonly KubeObject[] {
  const makers = makersIn(events);
  const seen = new Set(objects.map((object) => formatRef(refOf(object))));
  return objects.map((object) => {
    if (shows(object, 'metadata.ownerReferences')) return object;
    const maker =
      object.kind === 'Pod'
        ? (makers.get(formatRef(refOf(object))) ?? seenMaker(seen, object) ?? namedMaker(object.metadata.name))
        : deploymentSeen(seen, object);
    return maker === undefined
      ? object
      : {
          ...object,
          metadata: { ...object.metadata, ownerReferences: [maker] },
          [OBSERVED]: [...(object[OBSERVED] ?? []), 'metadata.ownerReferences'],
        };
  });
}

/** A Job or a ReplicaSet that was seen has pods of its name with a suffix. */
function seenMaker(seen: ReadonlySet<string>, { metadata }: KubeObject): Maker | undefined {
  const [name, place] = [withoutSuffix(metadata.name), metadata.namespace === undefined ? {} : { namespace: metadata.namespace }];
  if (name === undefined) return undefined;
  const kind = ['Job', 'ReplicaSet'].find((one) => seen.has(formatRef({ kind: one, ...place, name })));
  return kind === undefined ? undefined : makerOf(kind, name);
}

/** A ReplicaSet of a table, which does not show whose it is, beside the Deployment that its name tells. */
function deploymentSeen(seen: ReadonlySet<string>, object: KubeObject): Maker | undefined {
  const name = object.kind === 'ReplicaSet' ? deploymentOf(object.metadata.name) : undefined;
  return name !== undefined && seen.has(formatRef({ ...refOf(object), kind: 'Deployment', name }))
    ? makerOf('Deployment', name)
    : undefined;
}

/** What is before the suffix that controllers give their pods. Source: staging/src/k8s.io/apiserver/pkg/storage/names/generate.go. */
export function withoutSuffix(pod: string): string | undefined {
  return /^(.{1,247})-[a-z0-9]{5}$/.exec(pod)?.[1];
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
    makers.set(key, makerOf(kind, name));
  }
  return makers;
}

function makerOf(kind: string, name: string): Maker {
  return { apiVersion: resourceOfKind(kind)?.apiVersion ?? 'v1', kind, name, uid: '', controller: true };
}

/** `web-7b5c9d7f9-x2x9k` is of ReplicaSet `web-7b5c9d7f9`; behind a number of digits alone, it is of a CronJob's run. */
function namedMaker(pod: string): Maker | undefined {
  const [, replicaSet = ''] = /^(.+-\d*[a-z]\w*)-[a-z0-9]{5}$/.exec(pod) ?? [];
  return deploymentOf(replicaSet) === undefined ? undefined : makerOf('ReplicaSet', replicaSet);
}

const CREATED = /^Created pod: (\S{1,253})$/;
