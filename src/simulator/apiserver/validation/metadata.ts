import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { onceEach } from '../../../base/once.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, required, tooLong } from './field-error.ts';
import { checkAddress } from './label-selector.ts';
import { checkLabelName, checkLabelValue, checkPathSegment, checkQualifiedName, checkSubdomain } from './names.ts';

/** Metadata of a new object. Source: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go. */
export function validateMetadata(resourceKey: string, namespaced: boolean, metadata: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = nameCheckOf(resourceKey);
  const [name, prefix] = [asText(metadata['name']) ?? '', asText(metadata['generateName']) ?? ''];
  append(errors, prefixErrors(prefix, PREFIX_UNCHECKED.has(resourceKey) ? checkPathSegment : check));
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else addWrong(errors, 'metadata.name', name, check(name));
  const namespace = asText(metadata['namespace']) ?? '';
  if (!namespaced && namespace !== '') errors.push(forbiddenField('metadata.namespace', 'not allowed on this type'));
  append(errors, wrongGeneration(metadata['generation']));
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

function wrongGeneration(generation: Json | undefined): readonly FieldError[] {
  return (asNumber(generation) ?? 0) < 0 ? [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')] : [];
}

const PREFIX_UNCHECKED: ReadonlySet<string> = new Set([
  'poddisruptionbudgets.policy',
  'replicationcontrollers',
  'deviceclasses.resource.k8s.io',
]);

/** Kinds whose own checks do not look for finalizers without a domain. Source: pkg/apis/core/validation/validation.go (ValidateObjectMeta). */
const OWN_METADATA_RULES: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'leases.coordination.k8s.io',
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

/**
 * What is wrong with the metadata of a changed object. The registry looks at it as at a new one and as at a change; then the kind's own
 * rules look once or twice more, and each says the same.
 * Source: staging/src/k8s.io/apiserver/pkg/registry/rest/update.go (BeforeUpdate), the kinds' ValidateXUpdate.
 */
export function validateMetadataUpdate({ key }: { readonly key: string }, metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  const [parts, changes, finalizers] = [changedParts(metadata, old), forbiddenChanges(metadata, old), finalizerErrors(metadata, old)];
  const prefix = newPrefix(metadata, old);
  // As nearly always: to put together what is said of it would take longer than all the checks.
  if (parts.length + changes.length === 0 && prefix === '' && metadata['finalizers'] === old['finalizers']) return [];
  const asNew = [...prefixErrors(prefix, checkPathSegment), ...parts];
  const common = [...asNew, ...finalizers, ...changes, ...parts];
  if (CHECKED_ONCE.has(key)) return common;
  const unqualified =
    OWN_METADATA_RULES.has(key) || metadata['finalizers'] === old['finalizers'] ? [] : unqualifiedFinalizers(metadata['finalizers']);
  const whole = metadataOfWhole({ key }, metadata, old);
  const change = [...changes, ...parts, ...unqualified];
  if (CHECKED_AS_NEW_BEFORE.has(key)) return [...common, ...whole];
  if (CHECKED_AS_NEW.has(key)) return [...common, ...whole];
  if (CHECKED_AS_NEW_FIRST.has(key)) return [...common, ...whole, ...change];
  return CHECKED_AS_NEW_AFTER.has(key) ? [...common, ...change, ...whole] : [...common, ...change];
}

/** What the rules for a change say of the metadata, of kinds that are looked at as a whole before. */
export function metadataOfChange({ key }: { readonly key: string }, metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  if (!CHECKED_AS_NEW_BEFORE.has(key)) return [];
  // Its rules for a change begin with those for a new one.
  if (key === 'persistentvolumes') return metadataOfWhole({ key }, metadata, old);
  const keeps = OWN_METADATA_RULES.has(key) || metadata['finalizers'] === old['finalizers'];
  return [
    ...forbiddenChanges(metadata, old),
    ...changedParts(metadata, old),
    ...(keeps ? [] : unqualifiedFinalizers(metadata['finalizers'])),
  ];
}

/** What of that a kind's own rules say that look at the object as at a new one. */
export function metadataOfWhole({ key }: { readonly key: string }, metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  return [
    ...(PREFIX_UNCHECKED.has(key) ? [] : prefixErrors(newPrefix(metadata, old), nameCheckOf(key))),
    ...changedParts(metadata, old),
    ...finalizerErrors(metadata, old),
    ...(OWN_METADATA_RULES.has(key) || metadata['finalizers'] === old['finalizers'] ? [] : unqualifiedFinalizers(metadata['finalizers'])),
  ];
}

function newPrefix(metadata: JsonObject, old: JsonObject): string {
  return metadata['generateName'] === old['generateName'] ? '' : (asText(metadata['generateName']) ?? '');
}

/** Kinds whose own rules for a change do not look at metadata. */
const CHECKED_ONCE: ReadonlySet<string> = new Set(['poddisruptionbudgets.policy']);

/** Kinds whose own rules for a change look at the metadata only as at those of a new object. */
const CHECKED_AS_NEW: ReadonlySet<string> = new Set([
  'limitranges',
  'endpointslices.discovery.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
]);

/** Kinds whose own rules look at the change first, and at the whole then. */
const CHECKED_AS_NEW_AFTER: ReadonlySet<string> = new Set([
  'pods',
  'endpoints',
  'configmaps',
  'secrets',
  'serviceaccounts',
  'persistentvolumeclaims',
  'controllerrevisions.apps',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
]);

/** Kinds whose own rules look at the metadata of the whole and of the change before anything else. */
const CHECKED_AS_NEW_FIRST: ReadonlySet<string> = new Set(['deviceclasses.resource.k8s.io']);

/** Kinds whose own rules look at the whole first, and at the change then. */
const CHECKED_AS_NEW_BEFORE: ReadonlySet<string> = new Set([
  'persistentvolumes',
  'namespaces',
  'nodes',
  'jobs.batch',
  'certificatesigningrequests.certificates.k8s.io',
  'ipaddresses.networking.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'storageclasses.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
  'runtimeclasses.node.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
]);

/** Labels, annotations and owners that changed. */
function changedParts(metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (metadata['labels'] !== old['labels']) append(errors, validateLabels(metadata['labels'], 'metadata.labels'));
  if (metadata['annotations'] !== old['annotations']) append(errors, validateAnnotations(metadata['annotations']));
  if (metadata['ownerReferences'] !== old['ownerReferences']) append(errors, validateOwners(metadata['ownerReferences']));
  return errors;
}

function prefixErrors(prefix: string, check: (name: string) => readonly string[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (prefix !== '') addWrong(errors, 'metadata.generateName', prefix, check(maskedPrefix(prefix)));
  return errors;
}

function finalizerErrors(metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  return metadata['finalizers'] === old['finalizers'] ? [] : validateFinalizers(metadata['finalizers']);
}

const FIXED: readonly string[] = ['name', 'namespace', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

/** What of an object's metadata may not change. */
function forbiddenChanges(metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
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
  for (const field of FIXED) if (metadata[field] !== old[field]) errors.push(invalidValue(`metadata.${field}`, metadata[field], IMMUTABLE));
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
    addWrong(errors, field, key, checkQualifiedName(key));
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

/** Source: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go (ValidateOwnerReferences). */
function validateOwners(owners: Json | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  const written = asList(owners).map((owner) => ({
    apiVersion: dig(owner, 'apiVersion') ?? '',
    kind: dig(owner, 'kind') ?? '',
    name: dig(owner, 'name') ?? '',
    uid: dig(owner, 'uid') ?? '',
    controller: dig(owner, 'controller'),
    blockOwnerDeletion: dig(owner, 'blockOwnerDeletion'),
  }));
  let first: string | undefined;
  for (const owner of written) {
    validateOwner(owner, errors);
    if (owner.controller !== true) continue;
    const name = `${textOf(owner.kind)}/${textOf(owner.name)}`;
    const words = `Only one reference can have Controller set to true. Found "true" in references for ${first ?? ''} and ${name}`;
    if (first === undefined) first = name;
    else errors.push(invalidValue(OWNERS, written, words));
  }
  return errors;
}

const OWNERS = 'metadata.ownerReferences';

function validateOwner(owner: JsonObject, errors: FieldError[]): void {
  const [, version = ''] = /^(?:[^/]*\/)?([^/]*)$/.exec(textOf(owner['apiVersion'])) ?? [];
  if (version === '') errors.push(invalidValue(`${OWNERS}.apiVersion`, owner['apiVersion'], 'version must not be empty'));
  for (const field of ['kind', 'name', 'uid'])
    if (textOf(owner[field]) === '') errors.push(invalidValue(`${OWNERS}.${field}`, '', 'must not be empty'));
  if (owner['apiVersion'] === 'v1' && owner['kind'] === 'Event')
    errors.push(invalidValue(OWNERS, owner, '/v1, Kind=Event is disallowed from being an owner'));
}

function validateFinalizers(finalizers: Json | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of asList(finalizers)) addWrong(errors, 'metadata.finalizers', finalizer, checkQualifiedName(textOf(finalizer)));
  if (asList(finalizers).includes('orphan') && asList(finalizers).includes('foregroundDeletion'))
    errors.push(invalidValue('metadata.finalizers', finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  return errors;
}

/** With something for what is still to come. Source: the same (maskTrailingDash). */
function maskedPrefix(prefix: string): string {
  return prefix.endsWith('-') ? `${prefix.slice(0, -1)}a` : prefix;
}

const AS_LABELS: ReadonlySet<string> = new Set(['services', 'namespaces', 'statefulsets.apps']);

/** Most names are DNS subdomains; some must fit a DNS label, some need only fit a path. */
function nameCheckOf(resourceKey: string): (name: string) => readonly string[] {
  if (AS_LABELS.has(resourceKey)) return checkLabelName;
  if (resourceKey === 'ipaddresses.networking.k8s.io') return checkAddress;
  if (resourceKey.endsWith('.rbac.authorization.k8s.io')) return checkPathSegment;
  return checkSubdomain;
}
