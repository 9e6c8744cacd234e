import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { canonicalJson, sameJson, withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { checkDefinition, checkDefinitionName, checkDefinitionUpdate, checkNewDefinition } from '../custom/definition-check.ts';
import { checkChange, checkSchema } from '../custom/schema-check.ts';
import type { ServedResource } from '../resources.ts';
import { wrongFamilies } from '../service-addresses.ts';
import { modelNamed } from '../schema/schema.ts';
import type { FieldError } from './field-error.ts';
import { forbiddenField, invalidValue, joined, required } from './field-error.ts';
import { goDiff, internalOf } from './go-diff.ts';
import { validateJob } from './job-fields.ts';
import { IMMUTABLE, immutable, metadataOfChange, metadataOfWhole, validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { validateRevisionData, validateRevisionUpdate } from './named-parents.ts';
import { validateIngressClassOf } from './network.ts';
import { validateEndpoints, validateEndpointsUpdate } from './other-objects.ts';
import { OBJECT_CHECKS, OBJECT_UPDATE_CHECKS } from './objects.ts';
import { validateImage } from './containers.ts';
import { validatePodResize } from './pod-resize.ts';
import { validatePodSpec } from './pod-spec.ts';
import { validateTolerations } from './scheduling.ts';
import { STATUS_CHECKS } from './statuses.ts';
import { validateResourceSlice } from './resource-slices.ts';
import { BITS_BEYOND } from './services.ts';
import {
  validateCronJob,
  validateDaemonSet,
  validateDeployment,
  validateReplicaSet,
  validateStatefulSet,
  validateWorkloadUpdate,
} from './workloads.ts';

/**
 * Everything wrong with a new object, in the order upstream finds it. Kinds without checks of their own must have what the schema requires.
 */
export function validateCreate(resource: ServedResource, object: KubeObject): readonly FieldError[] {
  const errors = validateMetadata(resource.key, resource.namespaced, object.metadata);
  if (resource.custom !== undefined) return joined(errors, checkSchema(resource.custom.schema, object));
  const families = resource.key === 'services' ? wrongFamilies(object) : [];
  if (families.length > 0) return families;
  const named = resource.key === DEFINITIONS ? withNameErrors(errors, checkDefinitionName(object.metadata, object['spec'])) : errors;
  const check = NEW_CHECKS[resource.key] ?? CHECKS[resource.key];
  const found = check === undefined ? missingFields(resource, object) : check(object);
  // Its own rules do not look at metadata: the registry does, and only where these found nothing.
  if (resource.key === 'poddisruptionbudgets.policy') return found.length > 0 ? found : named;
  const own = joined(named, found);
  const onCreate = CREATE_CHECKS[resource.key];
  return onCreate === undefined ? own : joined(own, onCreate(object));
}

/** What a kind asks of its names beside the rest of them: generateName, then the name, then all other metadata. */
function withNameErrors(errors: readonly FieldError[], more: readonly FieldError[]): readonly FieldError[] {
  const isOf = (field: string) => (error: FieldError) => error.field === field;
  const named = ['metadata.generateName', 'metadata.name'].flatMap((field) => [...errors, ...more].filter(isOf(field)));
  return [...named, ...errors.filter((error) => !named.includes(error))];
}

/** Everything wrong with a change of an object's status: components write it, and few kinds have rules for it. */
export function validateStatus(resource: ServedResource, object: KubeObject, old: KubeObject): readonly FieldError[] {
  return STATUS_CHECKS[resource.key]?.(object, old) ?? [];
}

/** Everything wrong with a change of an object. */
export function validateUpdate(resource: ServedResource, object: KubeObject, old: KubeObject, subresource?: string): readonly FieldError[] {
  const families = resource.key === 'services' && object['spec'] !== old['spec'] ? wrongFamilies(object, old) : [];
  return families.length > 0 ? families : errorsOfUpdate(resource, object, old, subresource);
}

function errorsOfUpdate(resource: ServedResource, object: KubeObject, old: KubeObject, subresource?: string): readonly FieldError[] {
  const errors = [...validateMetadataUpdate(resource, object.metadata, old.metadata)];
  if (resource.custom !== undefined) return [...errors, ...checkChange(resource.custom.schema, object, old)];
  const late = metadataOfChange(resource, object.metadata, old.metadata);
  const same = object['spec'] === old['spec'] && object['data'] === old['data'] && resource.hasStatus;
  if (same && resource.key !== DEFINITIONS) return [...errors, ...late];
  if (resource.key === 'pods')
    return [
      ...errors,
      ...(subresource === 'resize'
        ? validatePodResize(object, old)
        : validatePodUpdate(object, old, subresource === 'ephemeralcontainers')),
    ];
  const change = CHANGES[resource.key];
  if (change !== undefined) return [...errors, ...late, ...change(object, old)];
  const check = NEVER_WHOLE.has(resource.key) ? () => [] : CHECKS[resource.key];
  const whole = check === undefined ? missingFields(resource, object) : check(object, old);
  const changed = UPDATE_CHECKS[resource.key]?.(object, old) ?? [];
  if (!CHANGE_FIRST.has(resource.key)) return [...errors, ...newlyWrong(resource, whole, object, old), ...late, ...changed];
  const last = METADATA_LAST.has(resource.key) ? metadataOfWhole(resource, object.metadata, old.metadata) : [];
  return [...errors.slice(0, errors.length - last.length), ...changed, ...last, ...whole];
}

/** A network that was there before may be as it was, and so may endpoints that nobody changes. */
function newlyWrong({ key }: ServedResource, errors: readonly FieldError[], object: KubeObject, old: KubeObject): readonly FieldError[] {
  if (key === 'endpointslices.discovery.k8s.io' && sameJson(object['endpoints'], old['endpoints']))
    return errors.filter(({ field }) => !field.startsWith('endpoints['));
  if (key === 'ingresses.networking.k8s.io' && errors.length > 0) return outsideWildcards(errors, object, old);
  if (!errors.some(({ detail }) => detail === BITS_BEYOND)) return errors;
  const before = JSON.stringify(old['spec']);
  return errors.filter(({ detail, value }) => detail !== BITS_BEYOND || !before.includes(JSON.stringify(value)));
}

/** Rules for all hosts of a domain may be wrong when they were before. Source: pkg/apis/networking/validation (allowInvalidWildcardHostRule). */
function outsideWildcards(errors: readonly FieldError[], object: KubeObject, old: KubeObject): readonly FieldError[] {
  const ofWildcards = (ingress: KubeObject, all: readonly FieldError[]): ReadonlySet<FieldError> => {
    const starts = asList(dig(ingress, 'spec', 'rules')).flatMap((rule, index) =>
      (asText(dig(rule, 'host')) ?? '').includes('*') ? [`spec.rules[${index}].http`] : [],
    );
    return new Set(all.filter(({ field }) => starts.some((start) => field.startsWith(start))));
  };
  if (ofWildcards(old, CHECKS['ingresses.networking.k8s.io']?.(old) ?? []).size === 0) return errors;
  const free = ofWildcards(object, errors);
  return errors.filter((error) => !free.has(error));
}

/** Kinds of which a change is looked at alone. */
const NEVER_WHOLE: ReadonlySet<string> = new Set(['priorityclasses.scheduling.k8s.io']);

/** Kinds of which it is told first what may not change. */
const CHANGE_FIRST: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'services',
  'daemonsets.apps',
  'ingressclasses.networking.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
]);

/** Of those, the kinds whose metadata are looked at as those of a new object after that. */
const METADATA_LAST: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'ingressclasses.networking.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
]);

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

const CHECKS: Readonly<Record<string, (object: JsonObject, old?: JsonObject) => readonly FieldError[]>> = {
  ...OBJECT_CHECKS,
  pods: (pod) => validatePodSpec(asObject(pod['spec']), 'spec'),
  'deployments.apps': validateDeployment,
  'replicasets.apps': validateReplicaSet,
  'statefulsets.apps': (object) => validateStatefulSet(object),
  'daemonsets.apps': validateDaemonSet,
  'jobs.batch': validateJob,
  'cronjobs.batch': validateCronJob,
  [DEFINITIONS]: checkDefinition,
  events: () => [],
};

const NEW_CHECKS: typeof CHECKS = { 'statefulsets.apps': (object) => validateStatefulSet(object, true) };

/** What is looked at only in a new object. */
const CREATE_CHECKS: Readonly<Record<string, (object: JsonObject) => readonly FieldError[]>> = {
  pods: (pod) =>
    asList(dig(pod, 'spec', 'ephemeralContainers')).length === 0
      ? []
      : [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')],
  endpoints: validateEndpoints,
  'controllerrevisions.apps': validateRevisionData,
  'ingresses.networking.k8s.io': validateIngressClassOf,
  [DEFINITIONS]: checkNewDefinition,
};

const UPDATE_CHECKS: Readonly<Record<string, (object: JsonObject, old: JsonObject) => readonly FieldError[]>> = {
  'customresourcedefinitions.apiextensions.k8s.io': checkDefinitionUpdate,
  'deployments.apps': (object, old) => validateWorkloadUpdate('deployments.apps', object, old),
  'replicasets.apps': (object, old) => validateWorkloadUpdate('replicasets.apps', object, old),
  'daemonsets.apps': (object, old) => validateWorkloadUpdate('daemonsets.apps', object, old),
  'statefulsets.apps': (object, old) => validateWorkloadUpdate('statefulsets.apps', object, old),
  'jobs.batch': (object, old) => validateWorkloadUpdate('jobs.batch', object, old),
  'controllerrevisions.apps': validateRevisionUpdate,
  ...OBJECT_UPDATE_CHECKS,
};

/** Kinds for whose changes this is all that is looked at. */
const CHANGES: Readonly<Record<string, (object: JsonObject, old: JsonObject) => readonly FieldError[]>> = {
  endpoints: validateEndpointsUpdate,
  'resourceclaims.resource.k8s.io': (object, old) =>
    sameJson(object['spec'], old['spec']) ? [] : [invalidValue('spec', internalOf('ResourceClaimSpec', object['spec'] ?? {}), IMMUTABLE)],
  'resourceclaimtemplates.resource.k8s.io': (object, old) => immutable('spec', object['spec'], old['spec']),
  'resourceslices.resource.k8s.io': validateResourceSlice,
};

/** Pods may change their images, tolerations (only more) and deadline, and nothing else. */
function validatePodUpdate(pod: KubeObject, old: KubeObject, isEphemeral: boolean): readonly FieldError[] {
  const [spec, before] = [asObject(pod['spec']), asObject(old['spec'])];
  const errors: FieldError[] = [...validatePodSpec(spec, 'spec')];
  const names = (value: JsonObject, field: string): readonly unknown[] => asList(value[field]).map((container) => dig(container, 'name'));
  for (const list of ['containers', 'initContainers'] as const) {
    if (asList(spec[list]).length !== asList(before[list]).length)
      return [...errors, forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
    for (const [index, container] of asList(spec[list]).entries())
      validateImage(asText(dig(container, 'image')) ?? '', `spec.${list}[${index}]`, errors);
  }
  const bound = asText(before['nodeName']) ?? '';
  const gatesLeft = asList(before['schedulingGates']).length > 0 && bound === '';
  const mended = (asNumber(before['terminationGracePeriodSeconds']) ?? 0) < 0 && spec['terminationGracePeriodSeconds'] === 1;
  const loosened = (value: JsonObject): JsonObject =>
    withFields(value, {
      containers: withoutImages(value['containers']),
      initContainers: withoutImages(value['initContainers']),
      ...(isEphemeral ? { ephemeralContainers: undefined } : {}),
      activeDeadlineSeconds: undefined,
      tolerations: undefined,
      ...(mended ? { terminationGracePeriodSeconds: undefined } : {}),
      ...(gatesLeft
        ? { schedulingGates: undefined, nodeSelector: undefined, affinity: undefined }
        : { schedulingGates: value['schedulingGates'] }),
    });
  const isLast = validateDeadline(spec['activeDeadlineSeconds'], before['activeDeadlineSeconds'], errors);
  if (isLast) return errors;
  if (removesToleration(spec['tolerations'], before['tolerations']))
    errors.push(forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'));
  // Looked at a second time, and told a second time.
  else validateTolerations(spec['tolerations'], 'spec.tolerations', errors);
  const [mine, theirs] = [loosened(spec), loosened(before)];
  const gates = new Set(asList(before['schedulingGates']).map(canonicalJson));
  const gatesAdded = asList(spec['schedulingGates'])
    .map((gate, index) => ({ gate, index }))
    .filter(({ gate }) => !gates.has(canonicalJson(gate)));
  if (gatesAdded.length > 0)
    return [
      ...errors,
      ...gatesAdded.map(({ gate, index }) =>
        forbiddenField(
          `spec.schedulingGates[${index}].name`,
          `only deletion is allowed, but found new scheduling gate '${textOf(dig(gate, 'name'))}'`,
        ),
      ),
    ];
  if (!sameJson(withFields(mine, { schedulingGates: undefined }), withFields(theirs, { schedulingGates: undefined })))
    errors.push(forbiddenField('spec', `${POD_IMMUTABLE}\n${goDiff('PodSpec', before, munged(spec, before, gatesLeft))}`));
  else if (errors.length === 0 && names(spec, 'containers').length > 0) append(errors, validatePodSpec(spec, 'spec'));
  return errors;
}

/** True when nothing else is told. */
function validateDeadline(given: Json | undefined, before: Json | undefined, errors: FieldError[]): boolean {
  const [deadline, previous] = [asNumber(given), asNumber(before)];
  const field = 'spec.activeDeadlineSeconds';
  const found = errors.length;
  if (deadline === undefined) {
    if (previous !== undefined) errors.push(invalidValue(field, null, 'must not update from a positive integer to nil value'));
    return false;
  }
  if (deadline < 0 || deadline > MAX_INT32) errors.push(invalidValue(field, deadline, `must be between 0 and ${MAX_INT32}, inclusive`));
  else if (previous !== undefined && previous < deadline)
    errors.push(invalidValue(field, deadline, 'must be less than or equal to previous value'));
  return errors.length > found;
}

const MAX_INT32 = 2_147_483_647;

function removesToleration(given: Json | undefined, before: Json | undefined): boolean {
  if (given === before) return false;
  const timeless = (toleration: Json): string => canonicalJson(withFields(asObject(toleration), { tolerationSeconds: undefined }));
  const kept = new Set(asList(given).map(timeless));
  return asList(before).some((toleration) => !kept.has(timeless(toleration)));
}

/**
 * The new spec with what may change as it was, so that the rest shows. Source: pkg/apis/core/validation/validation.go (ValidatePodUpdate).
 */
function munged(spec: JsonObject, before: JsonObject, gated: boolean): JsonObject {
  const images = (field: string): Json | undefined =>
    spec[field] === undefined
      ? undefined
      : asList(spec[field]).map((container, index) => withFields(asObject(container), { image: dig(before, field, index, 'image') }));
  const free = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates', ...(gated ? ['nodeSelector', 'affinity'] : [])];
  return withFields(spec, {
    containers: images('containers'),
    initContainers: images('initContainers'),
    ...Object.fromEntries(free.map((field) => [field, before[field]])),
  });
}

const POD_IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function withoutImages(containers: JsonObject[string]): JsonObject[string] {
  return containers === undefined
    ? undefined
    : asList(containers).map((container) => withFields(asObject(container), { image: undefined }));
}

/** What the schema requires and the object lacks, two levels deep: for kinds whose own checks are not modelled. */
function missingFields(resource: ServedResource, object: JsonObject): readonly FieldError[] {
  if (resource.model === undefined) return [];
  const errors: FieldError[] = [];
  for (const field of modelNamed(resource.model).fields.values()) {
    const value = object[field.name];
    if (field.required && value === undefined) errors.push(required(field.name));
    if (field.type.is !== 'model' || value === undefined || field.name === 'metadata' || field.name === 'status') continue;
    for (const inner of modelNamed(field.type.model).fields.values()) {
      if (inner.required && asObject(value)[inner.name] === undefined) errors.push(required(`${field.name}.${inner.name}`));
    }
  }
  return errors;
}
