import { assert } from '../../../base/assert.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, digAt } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import type { AdmissionRequest } from '../admission/admission.ts';
import { SUFFIX } from '../admission/service-account.ts';
import { isAsTemplate } from '../admission/as-template.ts';
import { mutate, validate } from '../admission/chain.ts';
import { answerReview } from '../authorization/reviews.ts';
import { readBody } from '../body.ts';
import { isRbacPolicy } from '../bootstrap/rbac-policy.ts';
import { applyDefaults } from '../defaulting/defaults.ts';
import { fromStored } from '../convert.ts';
import { refuseTooLarge } from '../etcd-size.ts';
import { alreadyExists, beingDeleted, forbidden, generateNameConflict, invalid, plainError } from '../failures.ts';
import type { Writer, WriterEntries } from '../managed-fields.ts';
import { withWriter } from '../managed-fields.ts';
import { isEmpty } from '../ownership/field-set.ts';
import { fieldsSet, withoutStatus } from '../ownership/owners.ts';
import { schemaOf, soundOwners } from '../ownership/track.ts';
import { present } from '../present.ts';
import type { Answer, Failure } from '../request.ts';
import { apiVersionOf, isReviewed } from '../resources.ts';
import type { Call } from '../server-state.ts';
import { allocateAddresses, refusedAddress } from '../service-addresses.ts';
import { isTracked } from '../ownership/shapes.ts';
import { withEmptied } from '../schema/emptied.ts';
import { asConverted, prepareForCreate } from '../strategies.ts';
import { escalates } from '../authorization/escalation.ts';
import { validateAdminAccess } from '../validation/devices.ts';
import type { FieldError } from '../validation/field-error.ts';
import { joined } from '../validation/field-error.ts';
import { validateMetadata } from '../validation/metadata.ts';
import { validateCreate } from '../validation/validate.ts';
import { warningsOn } from '../warnings.ts';
import { asJustCreated, DEFINITIONS } from './definition-answers.ts';
import { withDistinctOwners } from '../distinct-owners.ts';
import { errorsTold } from './change-errors.ts';
import { clusterViewOf } from './cluster-view.ts';
import { asStored } from './conversion.ts';

/**
 * POST of a new object: decode, defaults, mutating plugins, name and identity, validation, validating plugins, store.
 * Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go, pkg/registry/generic/registry/store.go (Create).
 */
export function create(call: Call): Answer {
  const { state, request, resource, user } = call;
  if (isRbacPolicy(request.body)) return store(call, withOnlyIdentity(call, request.body as KubeObject));
  const body = readBody(call, request.body);
  if (!body.ok) return body;
  if (isReviewed(resource)) {
    const review = answerReview(resource.kind, body.object, user, request.namespace, state);
    if (review !== undefined) return { ok: true, code: 201, object: review, warnings: call.warnings };
  }
  // Storage looks at it, which a dry run does not come to.
  if (request.dryRun !== true && /^0*[1-9]\d*$/.test(asText(body.object.metadata['resourceVersion']) ?? ''))
    return plainError('resourceVersion should not be set on objects to be created');
  const object = withDistinctOwners(body.object, call.warnings);
  const made = buildNew(call, object);
  if (!made.ok) return made;
  const given = withEmptied(
    object,
    call.emptied.filter(({ isWritten }) => isWritten),
  );
  return store(call, made.object, asConverted(resource, given));
}

/** The object as it would be stored, admitted and valid, or why it is not. Also for apply, which creates what is not there. */
export function buildNew(call: Call, given: KubeObject): { readonly ok: true; readonly object: KubeObject } | Failure {
  const { state, request, resource, user } = call;
  const around = clusterViewOf(call);
  const [ownName, prefix] = [asText(given.metadata.name) ?? '', asText(given.metadata['generateName']) ?? ''];
  const admission: AdmissionRequest = {
    operation: 'CREATE',
    resource,
    subresource: undefined,
    namespace: request.namespace,
    name: ownName === '' ? prefix : ownName,
    object: given,
    old: undefined,
    user,
    dryRun: request.dryRun === true,
  };
  const refusal = mutate(admission, around);
  if (refusal !== undefined) return refusal;
  const asTemplate = isPodOfTemplate(call, admission.object);
  const named = withIdentity(call, asTemplate ? admission.object : (applyDefaults(resource.key, admission.object) as KubeObject));
  if (named === undefined) return generateNameConflict({ group: resource.group, resource: resource.plural }, prefix);
  const prepared = withRequester(call, prepareForCreate(resource, named, timeOf(state.now())));
  const errors = asTemplate
    ? errorsOfTemplated(call, prepared)
    : joined(
        adminAccess(call, prepared),
        errorsTold(call, prepared, (one) => {
          // It is to have its address before it is judged.
          const refused = resource.key === 'services' ? refusedAddress(state, one) : [];
          return refused.length > 0 ? refused : validateCreate(resource, one);
        }),
      );
  if (errors.length > 0) return invalid(resource, prepared.metadata.name, errors);
  const escalation = escalates(call, prepared);
  if (escalation !== undefined) return forbidden({ group: resource.group, resource: resource.plural }, prepared.metadata.name, escalation);
  // Of its own objects no component reads what it is warned of.
  if (request.wellFormed !== true) for (const warning of warningsOn(resource.key, prepared)) around.warn(warning);
  admission.object = prepared;
  admission.name = prepared.metadata.name;
  const denied = validate(admission, around);
  return denied ?? { ok: true, object: prepared };
}

/** Whether it is a pod that a component made of a template that was found right. */
function isPodOfTemplate({ request, resource }: Call, object: KubeObject): boolean {
  return request.wellFormed === true && resource.key === 'pods' && isAsTemplate(dig(request.body, 'spec'), object['spec']);
}

/** Only its metadata are its own. */
function errorsOfTemplated({ state, resource }: Call, pod: KubeObject): readonly FieldError[] {
  if (state.store.freezes)
    assert(
      applyDefaults(resource.key, pod) === pod && validateCreate(resource, pod).length === 0,
      `pod ${pod.metadata.name} is as right as its template`,
    );
  return validateMetadata(resource.key, resource.namespaced, pod.metadata);
}

/** Who may ask for devices that others use depends on the namespace. */
function adminAccess({ state, request, resource }: Call, object: KubeObject): readonly FieldError[] {
  const path = ADMIN_PATHS[resource.key];
  if (path === undefined) return [];
  const namespace = state.store.get('namespaces', undefined, request.namespace ?? '');
  return validateAdminAccess(digAt(object, path), path.join('.'), namespace === undefined ? {} : labelsOf(namespace));
}

const ADMIN_PATHS: Readonly<Record<string, readonly string[]>> = {
  'resourceclaims.resource.k8s.io': ['spec'],
  'resourceclaimtemplates.resource.k8s.io': ['spec', 'spec'],
};

/** A certificate request says who made it, whatever its body says. Source: pkg/registry/certificates/certificates/strategy.go. */
function withRequester({ resource, user }: Call, object: KubeObject): KubeObject {
  if (resource.key !== 'certificatesigningrequests.certificates.k8s.io') return object;
  return withFields(object, {
    spec: withFields(asObject(object['spec']), { username: user.name, uid: user.uid, groups: user.groups, extra: user.extra }),
  });
}

/** `intended` is the object as its writer wanted it, before plugins and the registry changed it: of those fields the writer is the owner. */
export function store(call: Call, object: KubeObject, intended: KubeObject = object): Answer {
  const { state, request, resource } = call;
  const of = { group: resource.group, resource: resource.plural };
  const { name, namespace } = object.metadata;
  const known = state.store.get(resource.key, namespace, name);
  if (known?.metadata['deletionTimestamp'] !== undefined) return beingDeleted(of, name);
  if (known !== undefined)
    return (asText(object.metadata['generateName']) ?? '') === '' ? alreadyExists(of, name) : generateNameConflict(of, name);
  // What a component makes itself is small, or made of a template that is stored.
  const refused = request.wellFormed === true ? undefined : refuseTooLarge(resource, object);
  if (refused !== undefined) return refused;
  let complete = object;
  if (resource.key === 'services') {
    const allocated = allocateAddresses(state, object);
    if ('errors' in allocated) return invalid(resource, name, allocated.errors);
    complete = allocated.service;
  }
  const writer = {
    manager: call.manager ?? 'unknown',
    operation: 'Update' as const,
    apiVersion: apiVersionOf(resource),
    time: timeOf(state.now()),
  };
  const metadata = ownedMetadata(call, complete.metadata, intended, writer);
  const written = withFields(complete, { metadata });
  const kept = asStored(state, resource, written);
  if (!kept.ok) return kept;
  const stored = request.dryRun === true ? written : state.store.create(resource.key, kept.object);
  const told = resource.key === DEFINITIONS ? asJustCreated(stored) : stored;
  return { ok: true, code: 201, object: present(state, resource, told), warnings: call.warnings };
}

/** With whose fields are whose, where the request does not say it itself. */
function ownedMetadata(
  { state, request, resource }: Call,
  metadata: KubeObject['metadata'],
  intended: KubeObject,
  writer: Writer,
): KubeObject['metadata'] {
  const owned = ownedByWriter({ state, request, resource }, metadata, intended, writer);
  return resource.key === DEFINITIONS && request.tracksFields === true ? withWriter(owned, acceptanceOf(writer)) : owned;
}

function ownedByWriter(
  { state, request, resource }: Pick<Call, 'state' | 'request' | 'resource'>,
  metadata: KubeObject['metadata'],
  intended: KubeObject,
  writer: Writer,
): KubeObject['metadata'] {
  const owners = asList(soundOwners(metadata['managedFields']));
  // What is applied was told apart as it was sent: a key that is empty is gone only in the object.
  if (owners.length > 0 && request.patch?.type === 'apply') return withFields(metadata, { managedFields: owners });
  if (request.tracksFields === true && !isTracked(schemaOf(resource), intended)) return withFields(metadata, { managedFields: undefined });
  if (owners.length > 0) return withFields(metadata, { managedFields: owners });
  if (metadata['managedFields'] !== undefined && request.patch?.type === 'apply') return withFields(metadata, { managedFields: undefined });
  const fields = request.tracksFields === true ? withoutStatus(fieldsSet(schemaOf(resource), fromStored(resource, intended))) : undefined;
  return withCreator(metadata, fields === undefined ? writer : { ...writer, fields }, state.writers);
}

/** The server itself accepts the names of a definition. Source: apiextensions-apiserver/pkg/controller/status/naming_controller.go. */
function acceptanceOf(writer: Writer): Writer {
  return { ...writer, operation: 'Update', manager: 'kube-apiserver', subresource: 'status', fields: ACCEPTANCE };
}

const CONDITION: JsonObject = { '.': {}, 'f:lastTransitionTime': {}, 'f:message': {}, 'f:reason': {}, 'f:status': {}, 'f:type': {} };
const ACCEPTANCE: JsonObject = {
  'f:status': {
    'f:acceptedNames': { 'f:kind': {}, 'f:listKind': {}, 'f:plural': {}, 'f:singular': {} },
    'f:conditions': { 'k:{"type":"Established"}': CONDITION, 'k:{"type":"NamesAccepted"}': CONDITION },
  },
};

/** Who sets nothing owns nothing. */
function withCreator(metadata: KubeObject['metadata'], writer: Writer, writers: WriterEntries): KubeObject['metadata'] {
  const own = metadata['managedFields'] === undefined ? metadata : withFields(metadata, { managedFields: undefined });
  return writer.fields !== undefined && isEmpty(writer.fields) ? own : withWriter(own, writer, writers);
}

/** For what is complete but for that. */
function withOnlyIdentity({ state }: Call, object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: state.prng.uuid(), creationTimestamp: timeOf(state.now()) } };
}

function withIdentity(call: Call, object: KubeObject): KubeObject | undefined {
  const { state, resource } = call;
  const { metadata } = object;
  const ownName = asText(metadata.name) ?? '';
  const name = ownName === '' ? generateName(call, asText(metadata['generateName']) ?? '') : ownName;
  if (name === undefined) return undefined;
  const given =
    GIVEN_BY_SERVER.some((field) => metadata[field] !== undefined) || !resource.namespaced || name === ''
      ? withoutGiven(metadata, resource.namespaced, name)
      : metadata;
  const identity = withFields(name === '' ? given : withFields(given, { name }), {
    uid: (resource.plural === 'events' ? state.eventPrng : state.prng).uuid(),
    creationTimestamp: timeOf(state.now()),
  });
  return withFields(object, { metadata: name === '' ? { ...identity, name: '' } : identity });
}

function withoutGiven(metadata: JsonObject, namespaced: boolean, name: string): JsonObject {
  const own = Object.entries(metadata).filter(
    ([field]) => !GIVEN_BY_SERVER.includes(field) && (field !== 'namespace' || namespaced) && (field !== 'name' || name !== ''),
  );
  return Object.fromEntries(own);
}

/** What a new object has not, whatever its body says. */
const GIVEN_BY_SERVER: readonly string[] = ['resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'];

const NAME_ATTEMPTS = 8;
const NAME_LIMIT = 63;

/** Undefined when no free name was found. */
function generateName(call: Call, prefix: string): string | undefined {
  const { state, resource, request } = call;
  // Source: pkg/registry/core/limitrange/strategy.go (PrepareForCreate).
  if (prefix === '') return resource.key === 'limitranges' ? state.prng.uuid() : '';
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
    const name = `${prefix.slice(0, NAME_LIMIT - 5)}${state.prng.text(SUFFIX, 5)}`;
    if (state.store.get(resource.key, request.namespace, name) === undefined) return name;
  }
  return undefined;
}
