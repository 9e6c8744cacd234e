import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { Store } from '../../store/store.ts';
import { labelSelectorMatcher } from '../selectors.ts';
import type { AdmissionRequest } from './admission.ts';

/**
 * Whether one of the rules of a webhook or policy is for this request. Source:
 * staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules.
 */
export function matchesRules(rules: Json | undefined, request: AdmissionRequest): boolean {
  return asList(rules).some((rule) => {
    const { resource, subresource, operation, namespace, name } = request;
    const has = (field: string, value: string): boolean => asList(dig(rule, field)).some((one) => one === '*' || one === value);
    if (!has('operations', operation) || !has('apiGroups', resource.group) || !has('apiVersions', resource.version)) return false;
    const scope = asText(dig(rule, 'scope')) ?? '*';
    if (scope !== '*' && (scope === 'Namespaced') !== (namespace !== undefined)) return false;
    const names = asList(dig(rule, 'resourceNames'));
    if (names.length > 0 && !names.includes(name)) return false;
    return asList(dig(rule, 'resources')).some((pattern) => matchesResource(textOf(pattern), resource.plural, subresource));
  });
}

/** Selectors over the labels of the namespace and of the object (old or new). */
export function matchesSelectors(match: Json, request: AdmissionRequest, store: Store): boolean {
  const { object, old, namespace, resource } = request;
  const objectSelector = dig(match, 'objectSelector');
  if (objectSelector !== undefined) {
    const matches = labelSelectorMatcher(objectSelector);
    if (!matches(labelsOf(object)) && (old === undefined || !matches(labelsOf(old)))) return false;
  }
  const namespaceSelector = dig(match, 'namespaceSelector');
  if (namespaceSelector === undefined) return true;
  if (resource.key === 'namespaces') return labelSelectorMatcher(namespaceSelector)(labelsOf(object));
  if (namespace === undefined) return true;
  const found = store.get('namespaces', undefined, namespace);
  return found !== undefined && labelSelectorMatcher(namespaceSelector)(labelsOf(found));
}

function matchesResource(pattern: string, plural: string, subresource: string | undefined): boolean {
  const [resource, sub] = pattern.split('/');
  if (resource !== '*' && resource !== plural) return false;
  return sub === undefined ? subresource === undefined : sub === '*' || sub === subresource;
}
