import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOf, keyOfObject } from '../../store/store.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { controllerReference, isDeleted, splitKey } from '../ownership.ts';
import { VOLUME_WORDS } from './volume-messages.ts';

/** Makes the claims of volumes that live with their pods. Source: pkg/controller/volume/ephemeral/controller.go. */
export const EPHEMERAL_VOLUME_CONTROLLER: ComponentDefinition = {
  name: 'ephemeral-volume-controller',
  process: 'kube-controller-manager',
  eventSource: 'ephemeral_volume',
  start,
};

function start(host: ComponentHost): void {
  const pods = host.informer({ kind: 'Pod' });
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const queue = host.queue({ name: 'ephemeral_volume', workers: 10 }, (key) => sync(host, pods, claims, key));
  pods.onChange(({ object, type }) => {
    if (type !== 'DELETED' && ephemeralVolumes(object).length > 0) queue.add(keyOfObject(object));
  });
  claims.onChange(({ object, type }) => {
    const owner =
      type === 'DELETED' ? asList(object.metadata['ownerReferences']).find((reference) => dig(reference, 'kind') === 'Pod') : undefined;
    if (owner !== undefined) queue.add(keyOf(object.metadata.namespace, asText(dig(owner, 'name')) ?? ''));
  });
}

function ephemeralVolumes(pod: KubeObject): readonly Json[] {
  return asList(dig(pod, 'spec', 'volumes')).filter((volume) => dig(volume, 'ephemeral') !== undefined);
}

function* sync(host: ComponentHost, pods: Informer, claims: Informer, key: string): Routine<SyncResult> {
  const pod = pods.get(...splitKey(key));
  if (pod === undefined || isDeleted(pod)) return;
  for (const volume of ephemeralVolumes(pod)) {
    const trouble = yield* makeClaim(host, claims, pod, volume);
    if (trouble === undefined) continue;
    host.events.event(pod, VOLUME_WORDS.ephemeral(asText(dig(volume, 'name')) ?? '', trouble));
    return { retry: trouble };
  }
}

/** What is wrong, or undefined when the claim is there. */
function* makeClaim(host: ComponentHost, claims: Informer, pod: KubeObject, volume: Json): Routine<string | undefined> {
  const { name, namespace = '', uid } = pod.metadata;
  const claimName = `${name}-${asText(dig(volume, 'name')) ?? ''}`;
  const known = claims.get(namespace, claimName);
  if (known !== undefined) {
    const own = asList(known.metadata['ownerReferences']).some((owner) => dig(owner, 'uid') === uid);
    return own ? undefined : `PVC ${namespace}/${claimName} was not created for pod ${namespace}/${name} (pod is not owner)`;
  }
  const template = asObject(dig(volume, 'ephemeral', 'volumeClaimTemplate'));
  const given = asObject(template['metadata']);
  const kept: JsonObject = {
    ...(given['labels'] === undefined ? {} : { labels: given['labels'] }),
    ...(given['annotations'] === undefined ? {} : { annotations: given['annotations'] }),
  };
  const answer = yield* host.client.create({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: claimName, namespace, ...kept, ownerReferences: [controllerReference(pod)] },
    spec: asObject(template['spec']),
  });
  return answer.ok ? undefined : `create PVC ${claimName}: ${answer.message}`;
}
