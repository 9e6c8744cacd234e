import { asObject } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { AdmissionPlugin } from './admission.ts';

/** Source: plugin/pkg/admission/network/defaultingressclass/admission.go. */
export const DEFAULT_INGRESS_CLASS: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  kinds: new Set(['ingresses.networking.k8s.io']),
  admit(request, { store }) {
    const spec = asObject(request.object['spec']);
    const named = spec['ingressClassName'] !== undefined || annotationsOf(request.object)['kubernetes.io/ingress.class'] !== undefined;
    if (request.operation !== 'CREATE' || named) return undefined;
    const marked = store
      .list('ingressclasses.networking.k8s.io')
      .find((one) => annotationsOf(one)['ingressclass.kubernetes.io/is-default-class'] === 'true');
    if (marked !== undefined)
      request.object = withFields(request.object, { spec: withFields(spec, { ingressClassName: marked.metadata.name }) });
    return undefined;
  },
};
