import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, invalidValue, notSupported, required } from './field-error.ts';
import { validateLabelSelector } from './label-selector.ts';
import { checkPathSegment, checkSubdomain } from './names.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Source: pkg/apis/rbac/validation/validation.go (ValidateRoleBinding, ValidateClusterRoleBinding). */
export function validateBinding(object: JsonObject, scope: 'namespaced' | 'cluster'): readonly FieldError[] {
  const errors: FieldError[] = [];
  const ref = asObject(object['roleRef']);
  const [kind, name] = [asText(ref['kind']) ?? '', asText(ref['name']) ?? ''];
  const kinds = scope === 'cluster' ? ['ClusterRole'] : ['Role', 'ClusterRole'];
  if (ref['apiGroup'] !== RBAC) errors.push(notSupported('roleRef.apiGroup', ref['apiGroup'] ?? '', [RBAC]));
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  if (name === '') errors.push(required('roleRef.name'));
  addWrong(errors, 'roleRef.name', name, checkPathSegment(name));
  for (const [index, subject] of asList(object['subjects']).entries()) validateSubject(subject, `subjects[${index}]`, scope, errors);
  return errors;
}

function validateSubject(subject: Json, field: string, scope: 'namespaced' | 'cluster', errors: FieldError[]): void {
  const [kind, name, group] = [
    asText(dig(subject, 'kind')) ?? '',
    asText(dig(subject, 'name')) ?? '',
    asText(dig(subject, 'apiGroup')) ?? '',
  ];
  if (name === '') errors.push(required(`${field}.name`));
  if (kind === 'ServiceAccount') {
    if (name !== '') addWrong(errors, `${field}.name`, name, checkSubdomain(name));
    if (group !== '') errors.push(notSupported(`${field}.apiGroup`, group, ['']));
    if (scope === 'cluster' && (asText(dig(subject, 'namespace')) ?? '') === '') errors.push(required(`${field}.namespace`));
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== RBAC) errors.push(notSupported(`${field}.apiGroup`, group, [RBAC]));
  } else errors.push(notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
}

export function validateBindingUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const ref = asObject(object['roleRef']);
  return sameJson(ref, old['roleRef'])
    ? []
    : [
        invalidValue(
          'roleRef',
          { APIGroup: ref['apiGroup'] ?? '', Kind: ref['kind'] ?? '', Name: ref['name'] ?? '' },
          'cannot change roleRef',
        ),
      ];
}

/** Source: the same (ValidatePolicyRule). */
export function validateRules(object: JsonObject, scope: 'namespaced' | 'cluster'): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, entry] of asList(object['rules']).entries()) {
    const [rule, field] = [asObject(entry), `rules[${index}]`];
    const [paths, groups, resources, names] = ['nonResourceURLs', 'apiGroups', 'resources', 'resourceNames'].map((list) =>
      asList(rule[list]),
    );
    if (asList(rule['verbs']).length === 0) errors.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
    if (paths !== undefined && paths.length > 0) {
      if (scope === 'namespaced')
        errors.push(invalidValue(`${field}.nonResourceURLs`, [...paths], 'namespaced rules cannot apply to non-resource URLs'));
      if ([groups, resources, names].some((list) => list !== undefined && list.length > 0))
        errors.push(
          invalidValue(`${field}.nonResourceURLs`, [...paths], 'rules cannot apply to both regular resources and non-resource URLs'),
        );
      continue;
    }
    if (groups?.length === 0) errors.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
    if (resources?.length === 0) errors.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
  }
  return scope === 'cluster' ? [...errors, ...validateAggregation(object)] : errors;
}

function validateAggregation(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const aggregation = object['aggregationRule'];
  const selectors = asList(dig(aggregation, 'clusterRoleSelectors'));
  if (aggregation === undefined) return errors;
  if (selectors.length === 0)
    errors.push(
      required('aggregationRule.clusterRoleSelectors', 'at least one clusterRoleSelector required if aggregationRule is non-nil'),
    );
  for (const [index, selector] of selectors.entries()) {
    const [field, before] = [`aggregationRule.clusterRoleSelectors[${index}]`, errors.length];
    validateLabelSelector(selector, field, errors);
    if (errors.length > before) errors.push(invalidValue(field, null, 'invalid label selector.'));
  }
  return errors;
}
