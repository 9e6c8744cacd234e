import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, invalidValue, notFoundValue, required } from './field-error.ts';
import { internalOf } from './go-diff.ts';
import { checkLabelName, checkSubdomain } from './names.ts';

/** The claims for devices of a pod; gives their names. Source: pkg/apis/core/validation/validation.go (ValidatePodResourceClaims). */
export function validatePodDeviceClaims(claims: Json | undefined, path: string, errors: FieldError[]): ReadonlySet<string> {
  if (claims === undefined) return NONE;
  const names = new Set<string>();
  for (const [index, claim] of asList(claims).entries()) {
    const own = `${path}[${index}]`;
    const name = asText(dig(claim, 'name')) ?? '';
    if (name === '') errors.push(required(`${own}.name`));
    else if (names.has(name)) errors.push(duplicate(`${own}.name`, name));
    else addWrong(errors, `${own}.name`, name, checkLabelName(name));
    names.add(name);
    const given = SOURCES.filter((field) => dig(claim, field) !== undefined);
    if (given.length > 1)
      errors.push(
        invalidValue(
          own,
          internalOf('PodResourceClaim', claim),
          'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
        ),
      );
    if (given.length === 0)
      errors.push(
        invalidValue(own, internalOf('PodResourceClaim', claim), 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'),
      );
    for (const field of given) addWrong(errors, `${own}.${field}`, dig(claim, field), checkSubdomain(asText(dig(claim, field)) ?? ''));
  }
  return names;
}

/** Claims that a container uses must be among the pod's. Source: the same (validateResourceClaimNames). */
export function validateUses(claims: readonly Json[], names: ReadonlySet<string>, path: string, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const [name, request] = [asText(dig(claim, 'name')) ?? '', asText(dig(claim, 'request')) ?? ''];
    const [field, key] = [`${path}[${index}]`, request === '' ? name : `${name}/${request}`];
    if (name === '') {
      errors.push(required(field));
      continue;
    }
    if (seen.has(name)) errors.push(duplicate(field, name));
    else {
      if (request !== '') addWrong(errors, `${field}.request`, request, checkLabelName(request));
      const parts = request === '' ? [...seen].filter((other) => other.startsWith(`${name}/`)) : [];
      if (seen.has(key)) errors.push(duplicate(field, key));
      else
        append(
          errors,
          parts.map(() => duplicate(field, name)),
        );
      seen.add(key);
    }
    if (names.has(name)) continue;
    const which = names.size === 0 ? ' which is empty' : `: ${[...names].sort().join(', ')}`;
    errors.push({ ...notFoundValue(field, name), detail: `must be one of the names in pod.spec.resourceClaims${which}` });
  }
}

const NONE: ReadonlySet<string> = new Set();
const SOURCES = ['resourceClaimName', 'resourceClaimTemplateName'];
