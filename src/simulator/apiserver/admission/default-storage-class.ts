import { parseInstant } from '../../../base/instant.ts';
import { asObject } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { AdmissionPlugin } from './admission.ts';

export const IS_DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

/**
 * A claim that names no class gets the default one; of several the newest. `""` is a name: none is wanted.
 * Source: plugin/pkg/admission/storage/storageclass/setdefault/admission.go, pkg/volume/util/storageclass.go.
 */
export const DEFAULT_STORAGE_CLASS: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  kinds: new Set(['persistentvolumeclaims']),
  admit(request, { store }) {
    const spec = asObject(request.object['spec']);
    const named =
      spec['storageClassName'] !== undefined || annotationsOf(request.object)['volume.beta.kubernetes.io/storage-class'] !== undefined;
    if (request.operation !== 'CREATE' || named) return undefined;
    const chosen = defaultClass(store.list('storageclasses.storage.k8s.io'));
    if (chosen !== undefined)
      request.object = withFields(request.object, { spec: withFields(spec, { storageClassName: chosen.metadata.name }) });
    return undefined;
  },
};

/** The StorageClass that is marked as default; the newest, by name when they are of one age. */
export function defaultClass(classes: readonly KubeObject[]): KubeObject | undefined {
  const marked = classes.filter((one) => {
    const annotations = annotationsOf(one);
    return annotations[IS_DEFAULT_CLASS] === 'true' || annotations['storageclass.beta.kubernetes.io/is-default-class'] === 'true';
  });
  const age = (one: KubeObject): number => parseInstant(one.metadata['creationTimestamp']) ?? 0;
  return marked.sort((a, b) => age(b) - age(a) || (a.metadata.name < b.metadata.name ? -1 : 1))[0];
}
