import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { controllerOf, formatRef, refOf } from '../../model/kube-object.ts';
import { serviceAccountUser } from '../apiserver/authentication.ts';
import type { Cluster } from '../cluster.ts';
import { knownImage } from '../images/image-catalog.ts';
import { parseImage } from '../images/image-reference.ts';

/**
 * Workloads whose pods have run, whose programs nobody knows, and which may create the object: what they would do in a real cluster is not
 * known, and so it is not known whether the object would be there. Each once, a Job before what it made.
 */
export function possibleMakers({ server, store }: Cluster, wanted: ObjectRef): readonly ObjectRef[] {
  const resource = server.resources.named(wanted.kind);
  if (resource === undefined || store.get(resource.key, wanted.namespace, wanted.name) !== undefined) return [];
  const found = new Map<string, ObjectRef>();
  for (const pod of store.list('pods')) {
    if (!hasRun(pod) || !runsUnknown(pod)) continue;
    const user = serviceAccountUser(pod.metadata.namespace ?? '', asText(dig(pod, 'spec', 'serviceAccountName')) ?? 'default', undefined);
    const { group, plural } = resource;
    const isAllowed = server.isAllowed({ user, verb: 'create', group, resource: plural, namespace: wanted.namespace });
    const maker = controllerOf(pod) ?? refOf(pod);
    if (isAllowed) found.set(formatRef(maker), maker);
  }
  return [...found.values()];
}

function hasRun(pod: KubeObject): boolean {
  const phase = asText(dig(pod, 'status', 'phase'));
  return phase === 'Running' || phase === 'Succeeded';
}

function runsUnknown(pod: KubeObject): boolean {
  return asList(dig(pod, 'spec', 'containers')).some((container) => {
    const image = parseImage(asText(dig(container, 'image')) ?? '');
    return !('trouble' in image) && knownImage(image.repository) === undefined;
  });
}
