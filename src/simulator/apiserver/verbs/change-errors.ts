import type { KubeObject } from '../../../model/kube-object.ts';
import type { Call } from '../server-state.ts';
import { withEmptied } from '../schema/emptied.ts';
import type { FieldError } from '../validation/field-error.ts';
import { validateMetadataUpdate } from '../validation/metadata.ts';
import { validateStatus, validateUpdate } from '../validation/validate.ts';

/** What is wrong with an object that an old one is to become. */
export function errorsOfChange(call: Call, object: KubeObject, old: KubeObject): readonly FieldError[] {
  return errorsTold(call, object, (one) => errorsOf(call, one, old));
}

/** What is wrong with an object. Values are told with the lists that were given without members. */
export function errorsTold(call: Call, object: KubeObject, check: (object: KubeObject) => readonly FieldError[]): readonly FieldError[] {
  const errors = check(object);
  const emptied = call.emptied.filter(({ value }) => typeof value === 'object');
  const counts = emptied.some(({ path }) => path.slice(-3).join() === FORBIDDEN_EMPTY);
  if (emptied.length === 0 || (errors.length === 0 && !counts)) return errors;
  // What is stored is judged; it has none of them.
  const told = check(withEmptied(object, emptied));
  const isSame = ({ type, field }: FieldError, at: number): boolean => type === errors[at]?.type && field === errors[at].field;
  return errors.length === 0 || (told.length === errors.length && told.every(isSame)) ? told : errors;
}

/** Claims of a pod as a whole, which may not even be none. Source: pkg/apis/core/validation/validation.go (validatePodResources). */
const FORBIDDEN_EMPTY = 'spec,resources,claims';

function errorsOf({ request, resource }: Call, object: KubeObject, old: KubeObject): readonly FieldError[] {
  if (request.subresource !== 'status' || resource.custom !== undefined) return validateUpdate(resource, object, old, request.subresource);
  const ofMetadata = request.tracksFields === true ? validateMetadataUpdate(resource, object.metadata, old.metadata) : [];
  return [...ofMetadata, ...validateStatus(resource, object, old)];
}
