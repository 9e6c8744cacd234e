import { asList, asObject, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { hasOwnedFields, withOwner } from '../ownership/track.ts';

/** What clients are told of a CustomResourceDefinition before the server's own controllers have seen it, which here they have at once. */
export const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Nobody has accepted its names yet. Source: staging/src/k8s.io/apiextensions-apiserver/pkg/controller/status/naming_controller.go. */
export function asJustCreated(definition: KubeObject): KubeObject {
  const managedFields = asList(definition.metadata['managedFields']).filter((entry) => dig(entry, 'manager') !== 'kube-apiserver');
  return withFields(definition, {
    metadata: withFields(definition.metadata, managedFields.length === 0 ? {} : { managedFields }),
    status: withFields(asObject(definition['status']), { conditions: null, acceptedNames: { plural: '', kind: '' } }),
  });
}

/** Its objects are still there. Source: the same, pkg/registry/customresourcedefinition/etcd.go (Delete). */
export function asJustDeleted(definition: KubeObject, now: string): KubeObject {
  const finalizers = [...asList(definition.metadata['finalizers']), 'customresourcecleanup.apiextensions.k8s.io'];
  const waits = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  return marked(withFinalizers(definition, finalizers), now, ['True', 'InstanceDeletionPending', waits]);
}

/** Its objects are gone, and it waits for somebody else. Source: the same, pkg/controller/finalizer/crd_finalizer.go. */
export function asEmptied(definition: KubeObject, now: string): KubeObject {
  const isEstablished = asList(dig(definition, 'status', 'conditions')).some(
    (condition) => dig(condition, 'type') === 'Established' && dig(condition, 'status') === 'True',
  );
  const [reason, message] = isEstablished
    ? ['InstanceDeletionCompleted', 'removed all instances']
    : ['NeverEstablished', 'resource was never established'];
  const emptied = marked(definition, now, ['False', reason, message]);
  if (!hasOwnedFields(definition)) return emptied;
  const writer = { ...SERVER, time: now, subresource: 'status' };
  const before = marked(definition, now, ['True', '', '']);
  return withFields(emptied, { metadata: withOwner({ model: 'V1CustomResourceDefinition' }, before, emptied, emptied, writer) });
}

const SERVER = { manager: 'kube-apiserver', operation: 'Update', apiVersion: 'apiextensions.k8s.io/v1' } as const;

function withFinalizers(definition: KubeObject, finalizers: readonly unknown[]): KubeObject {
  return withFields(definition, { metadata: withFields(definition.metadata, { finalizers: finalizers.map(String) }) });
}

function marked(definition: KubeObject, now: string, [state, reason, message]: readonly [string, string, string]): KubeObject {
  const others = asList(dig(definition, 'status', 'conditions')).filter((condition) => dig(condition, 'type') !== 'Terminating');
  const condition = { type: 'Terminating', status: state, lastTransitionTime: now, reason, message };
  return withFields(definition, {
    metadata: withFields(definition.metadata, { deletionTimestamp: now }),
    status: withFields(asObject(definition['status']), { conditions: [...others, condition] }),
  });
}
