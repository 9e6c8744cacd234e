import { asText } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { conflict, invalid, plainError, preconditionFailed } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { Call } from '../server-state.ts';
import { invalidValue } from '../validation/field-error.ts';

/** Why an object that is there is not the one the sender has seen. */
export function outdated(call: Call, object: KubeObject, old: KubeObject): Failure | undefined {
  const { resource } = call;
  const wanted = asText(object.metadata['resourceVersion']) ?? '';
  const differs = otherUid(call, object, old.metadata.uid);
  if (differs !== undefined) return differs;
  if (!/^\d*$/.test(wanted)) return plainError(`strconv.ParseUint: parsing ${JSON.stringify(wanted)}: invalid syntax`);
  const any = /^0*$/.test(wanted);
  if (any && CONDITIONAL.has(resource.key))
    return invalid({ group: resource.group, kind: resource.plural }, old.metadata.name, [
      invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  return any || wanted === old.metadata['resourceVersion'] ? undefined : conflict(namedOf(call), old.metadata.name);
}

export function otherUid(call: Call, { metadata: { uid } }: KubeObject, found: string | undefined): Failure | undefined {
  if (uid === undefined || uid === '' || uid === found) return undefined;
  const { namespace, name = '' } = call.request;
  return preconditionFailed(namedOf(call), { namespace, name }, { what: 'UID', wanted: uid, found: found ?? '' });
}

/** Kinds that must say which version they replace. */
const CONDITIONAL: ReadonlySet<string> = new Set([
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'customresourcedefinitions.apiextensions.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
]);

export function namedOf(call: Call): { readonly group: string; readonly resource: string } {
  return { group: call.resource.group, resource: call.resource.plural };
}
