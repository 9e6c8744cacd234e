import type { Json, JsonObject } from '../../base/json.ts';
import { asObject, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import type { Cluster } from '../../simulator/index.ts';

/** A workload as it is now, with all that was changed since it was applied, so that it can be created once more. */
export function presentObject(document: KubeObject, target: ObjectRef, { server, store }: Cluster): KubeObject {
  const resource = server.resources.named(target.kind);
  const now = resource === undefined ? undefined : store.get(resource.key, target.namespace, target.name);
  if (now === undefined) return document;
  const { name, namespace, labels, annotations } = now.metadata;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { apiVersion: document.apiVersion, kind: target.kind, metadata, spec: asWritten(asObject(now['spec']), document) };
}

/** Without what the cluster has put into a spec: the node of a pod, the selector of a Job and its labels. */
function asWritten(spec: JsonObject, document: KubeObject): JsonObject {
  if (document.kind === 'Pod') return { ...spec, nodeName: dig(document, 'spec', 'nodeName') };
  if (document.kind !== 'Job') return spec;
  const metadata: Json | undefined = dig(document, 'spec', 'template', 'metadata');
  return { ...spec, selector: dig(document, 'spec', 'selector'), template: { ...asObject(spec['template']), metadata } };
}
