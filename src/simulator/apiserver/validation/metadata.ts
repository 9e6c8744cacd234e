import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { onceEach } from '../../../base/once.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, required, tooLong } from './field-error.ts';
import {
  checkLabelKey,
  checkLabelName,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  checkServiceName,
  checkSubdomain,
} from './names.ts';

/** Metadata of a new object. Source: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go. */
export function validateMetadata(resourceKey: string, namespaced: boolean, metadata: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = nameCheckOf(resourceKey);
  const [name, prefix] = [asText(metadata['name']) ?? '', asText(metadata['generateName']) ?? ''];
  if (prefix !== '') {
    const masked = prefix.endsWith('-') ? `${prefix.slice(0, -1)}a` : prefix;
    addWrong(errors, 'metadata.generateName', prefix, check(masked));
  }
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else addWrong(errors, 'metadata.name', name, check(name));
  const namespace = asText(metadata['namespace']) ?? '';
  if (!namespaced && namespace !== '') errors.push(forbiddenField('metadata.namespace', 'not allowed on this type'));
  // Most objects have none of these; events are nothing but a name.
  if (metadata['labels'] !== undefined) append(errors, validateLabels(metadata['labels'], 'metadata.labels'));
  if (metadata['annotations'] !== undefined) append(errors, validateAnnotations(metadata['annotations']));
  if (metadata['ownerReferences'] !== undefined) append(errors, validateOwners(metadata['ownerReferences']));
  if (metadata['finalizers'] !== undefined) {
    append(errors, validateFinalizers(metadata['finalizers']));
    if (!OWN_METADATA_RULES.has(resourceKey)) append(errors, unqualifiedFinalizers(metadata['finalizers']));
  }
  return errors;
}

/** Kinds whose own checks do not look for finalizers without a domain. Source: pkg/apis/core/validation/validation.go (ValidateObjectMeta). */
const OWN_METADATA_RULES: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

function unqualifiedFinalizers(finalizers: Json | undefined): readonly FieldError[] {
  return asList(finalizers).flatMap((one, index) => {
    const name = textOf(one);
    const known = name.includes('/') || STANDARD_FINALIZERS.includes(name);
    const words = 'name is neither a standard finalizer name nor is it fully qualified';
    return known ? [] : [invalidValue(`metadata.finalizers[${index}]`, one, words)];
  });
}

const STANDARD_FINALIZERS: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** What of an object's metadata may not change. */
export function validateMetadataUpdate(resourceKey: string, metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (metadata['name'] !== old['name']) errors.push(invalidValue('metadata.name', metadata['name'], IMMUTABLE));
  if (metadata['namespace'] !== old['namespace']) errors.push(invalidValue('metadata.namespace', metadata['namespace'], IMMUTABLE));
  if (metadata['uid'] !== old['uid']) errors.push(invalidValue('metadata.uid', metadata['uid'], IMMUTABLE));
  if (metadata['labels'] !== old['labels']) append(errors, validateLabels(metadata['labels'], 'metadata.labels'));
  if (metadata['annotations'] !== old['annotations']) append(errors, validateAnnotations(metadata['annotations']));
  if (metadata['ownerReferences'] !== old['ownerReferences']) append(errors, validateOwners(metadata['ownerReferences']));
  if (metadata['finalizers'] !== old['finalizers']) {
    append(errors, validateFinalizers(metadata['finalizers']));
    if (!OWN_METADATA_RULES.has(resourceKey)) append(errors, unqualifiedFinalizers(metadata['finalizers']));
  }
  if (old['deletionTimestamp'] !== undefined) {
    const before = new Set(asList(old['finalizers']));
    const added = asList(metadata['finalizers']).filter((finalizer) => !before.has(finalizer));
    if (added.length > 0)
      errors.push(
        forbiddenField(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((one) => JSON.stringify(one)).join(', ')}}`,
        ),
      );
  }
  return errors;
}

export function validateLabels(labels: Json | undefined, field: string): readonly FieldError[] {
  return !isJsonObject(labels) || areRight(labels) ? [] : labelErrors(labels, field);
}

/** The pods of a template share their labels: those that are right are looked at once. */
const areRight = onceEach((labels: JsonObject) => labelErrors(labels, '').length === 0);

function labelErrors(labels: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(asTextMap(labels))) {
    addWrong(errors, field, key, checkLabelKey(key));
    addWrong(errors, field, value, checkLabelValue(value));
  }
  return errors;
}

/** The field of an update that must stay as it was. */
export function immutable(field: string, value: Json | undefined, old: Json | undefined): readonly FieldError[] {
  return sameJson(value, old) ? [] : [invalidValue(field, value, IMMUTABLE)];
}

export const IMMUTABLE = 'field is immutable';

/** Source: the same file (TotalAnnotationSizeLimitB). */
export const ANNOTATIONS_LIMIT = 262_144;

export function validateAnnotations(annotations: Json | undefined, field = 'metadata.annotations'): readonly FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(asTextMap(annotations))) {
    addWrong(errors, field, key, checkQualifiedName(key.toLowerCase()));
    size += key.length + value.length;
  }
  if (size > ANNOTATIONS_LIMIT) errors.push(tooLong(field, ANNOTATIONS_LIMIT));
  return errors;
}

function validateOwners(owners: Json | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  const controllers = asList(owners)
    .filter((owner) => dig(owner, 'controller') === true)
    .map((owner) => `${textOf(dig(owner, 'kind'))}/${textOf(dig(owner, 'name'))}`);
  for (const [index, owner] of asList(owners).entries()) {
    if (dig(owner, 'apiVersion') === 'v1' && dig(owner, 'kind') === 'Event')
      errors.push(invalidValue('metadata.ownerReferences', owner, '/v1, Kind=Event is disallowed from being an owner'));
    for (const field of ['apiVersion', 'kind', 'name', 'uid']) {
      if ((asText(asObject(owner)[field]) ?? '') === '')
        errors.push(invalidValue(`metadata.ownerReferences[${index}].${field}`, '', 'must not be empty'));
    }
  }
  if (controllers.length > 1)
    errors.push(
      invalidValue(
        'metadata.ownerReferences',
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${controllers.slice(0, 2).join(' and ')}`,
      ),
    );
  return errors;
}

function validateFinalizers(finalizers: Json | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of asList(finalizers)) addWrong(errors, 'metadata.finalizers', finalizer, checkQualifiedName(textOf(finalizer)));
  if (asList(finalizers).includes('orphan') && asList(finalizers).includes('foregroundDeletion'))
    errors.push(invalidValue('metadata.finalizers', finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  return errors;
}

/** Most names are DNS subdomains; some must fit a DNS label, some need only fit a path. */
function nameCheckOf(resourceKey: string): (name: string) => readonly string[] {
  if (resourceKey === 'services') return checkServiceName;
  if (resourceKey === 'namespaces') return checkLabelName;
  if (resourceKey.endsWith('.rbac.authorization.k8s.io')) return checkPathSegment;
  return checkSubdomain;
}
