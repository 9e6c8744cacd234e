import { asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionPlugin } from './admission.ts';

/** Pods carry the zone and region of their node. Source: plugin/pkg/admission/podtopologylabels/admission.go. */
export const POD_TOPOLOGY_LABELS: AdmissionPlugin = {
  name: 'PodTopologyLabels',
  kinds: new Set(['pods']),
  admit(request, { store }) {
    const node = asText(dig(request.object, 'spec', 'nodeName'));
    if (request.operation === 'CREATE' && request.subresource === undefined && node !== undefined)
      request.object = withTopology(request.object, store, node);
    return undefined;
  },
};

/** The pod with the topology labels of the node it is bound to. */
export function withTopology(pod: KubeObject, store: Store, nodeName: string): KubeObject {
  const node = store.get('nodes', undefined, nodeName);
  if (node === undefined) return pod;
  const own = labelsOf(node);
  const labels: Record<string, string> = {};
  for (const key of KEYS) if (own[key] !== undefined) labels[key] = own[key];
  if (Object.keys(labels).length === 0) return pod;
  return withFields(pod, { metadata: withFields(pod.metadata, { labels: withFields(labelsOf(pod), labels) }) });
}

const KEYS: readonly string[] = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];
