import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { canonicalJson, sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject, ObjectMeta } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import type { AdmissionRequest } from '../admission/admission.ts';
import { mutate, validate } from '../admission/chain.ts';
import { forbiddenWords } from '../authorization/attributes.ts';
import { escalates } from '../authorization/escalation.ts';
import { type Body, readBody } from '../body.ts';
import { fromStored } from '../convert.ts';
import { badRequest, conflict, forbidden, invalid, notFound, plainError } from '../failures.ts';
import { type Writer, withWriter } from '../managed-fields.ts';
import { withDistinctOwners } from '../distinct-owners.ts';
import { applyConfiguration } from '../patches/server-side-apply.ts';
import { fieldSetOf, isEmpty } from '../ownership/field-set.ts';
import { isInWholeList } from '../ownership/shapes.ts';
import { fieldsSet, ownable, withoutStatus } from '../ownership/owners.ts';
import { hasOwnedFields, schemaOf, soundOwners, withOwner } from '../ownership/track.ts';
import { withFittingNumbers } from '../patches/fitting-numbers.ts';
import { conversionError, decodedAlone, goPrinted, mergedPatch } from '../patches/patched-body.ts';
import { customPatchError, typedPatchError } from '../patches/typed-check.ts';
import { present } from '../present.ts';
import type { Answer, Failure } from '../request.ts';
import { apiVersionOf } from '../resources.ts';
import type { Call } from '../server-state.ts';
import { allocateAddresses } from '../service-addresses.ts';
import type { Emptied } from '../schema/decode.ts';
import { withEmptied } from '../schema/emptied.ts';
import { changesSpec, prepareForUpdate } from '../strategies.ts';
import { invalidValue } from '../validation/field-error.ts';
import { buildNew, store } from './create.ts';
import { namedOf, otherUid, outdated } from './seen-version.ts';
import { warningsOn } from '../warnings.ts';
import { errorsOfChange } from './change-errors.ts';
import { clusterViewOf } from './cluster-view.ts';
import { asStored, servedObject } from './conversion.ts';
import { patchedObject } from './patched-object.ts';

/** PUT: the whole object anew. Source: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go (Update). */
export function update(call: Call): Answer {
  const { request, resource } = call;
  const old = servedObject(call);
  const body = readBody(call, request.body, old === undefined ? undefined : fromStored(resource, old));
  if (!body.ok) return body;
  const name = asText(body.object.metadata.name) ?? '';
  if (name === '')
    return badRequest(`the name of the object (${request.name ?? ''} based on URL) was undeterminable: name must be provided`);
  if (name !== request.name)
    return badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name ?? ''})`);
  if (old === undefined) return updateOfNone(call, body.object, name);
  return outdated(call, body.object, old) ?? write(call, withDistinctOwners(body.object, call.warnings), old);
}

/** Of a few kinds a PUT of what is not there makes it. Source: pkg/registry/<group>/<kind>/strategy.go (AllowCreateOnUpdate). */
function updateOfNone(call: Call, object: KubeObject, name: string): Answer {
  const { state, request, resource, user, warnings } = call;
  if (!CREATED_BY_UPDATE.has(resource.key) || request.subresource !== undefined) return notFound(namedOf(call), name);
  const differs = otherUid(call, object, undefined);
  if (differs !== undefined) return differs;
  const asked = { user, verb: 'create', group: resource.group, resource: resource.plural, name, namespace: request.namespace };
  const { allowed, reason } = state.authorizer.authorize(asked);
  if (!allowed) return forbidden(namedOf(call), name, forbiddenWords(asked, reason));
  const made = buildNew(call, withDistinctOwners(object, warnings));
  return made.ok ? store(call, made.object, object) : made;
}

const CREATED_BY_UPDATE: ReadonlySet<string> = new Set([
  'services',
  'endpoints',
  'limitranges',
  'events',
  'leases.coordination.k8s.io',
  'runtimeclasses.node.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
]);

/** PATCH: the object that is there, changed. A patch that names a resourceVersion holds only for that. */
export function patch(call: Call): Answer {
  const { request, resource } = call;
  const old = servedObject(call);
  if (request.patch?.type === 'apply') return apply(call, old);
  if (old === undefined) return notFound(namedOf(call), request.name ?? '');
  const current = fromStored(resource, old);
  const patched = patchedObject(call, current);
  if (!patched.ok) return patched;
  const wanted = patched.object['metadata'];
  if (isJsonObject(wanted) && wanted['resourceVersion'] !== old.metadata['resourceVersion'])
    return conflict(namedOf(call), old.metadata.name);
  const body = readPatched(call, patched.object, current);
  return body.ok ? write(call, body.object, old) : body;
}

/** What came of a patch: where it is no object of its kind any more, the patch is invalid, not the request. */
function readPatched(call: Call, patched: JsonObject, current: KubeObject): Body {
  const { patch: given } = call.request;
  const { model } = call.resource;
  const isStrategic = given?.type === 'strategic' && model !== undefined;
  const unconvertible = isStrategic ? conversionError(model, patched) : undefined;
  const told = (): string => goPrinted(isJsonObject(given?.body) ? mergedPatch(current, given.body) : given?.body);
  if (unconvertible !== undefined) return wrongPatch(told(), unconvertible);
  const body = readBody(call, isStrategic ? withFittingNumbers(model, patched) : patched, current);
  if (body.ok || body.code !== 400 || !body.message.startsWith(`${call.resource.kind} in version `)) return body;
  // Go writes maps by their keys: the first value that is wrong in that order is told of.
  const sorted = isStrategic ? body : readBody(call, JSON.parse(canonicalJson(patched)) as JsonObject, current);
  const { message } = sorted.ok ? body : sorted;
  const why = message.slice(message.indexOf(': ') + 2);
  if (!isStrategic) return wrongPatch(JSON.stringify(patched), why);
  return wrongPatch(told(), decodedAlone(why));
}

/** Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go. */
export function wrongPatch(value: string, why: string): Failure {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', value, why)]);
}

/** Stores a changed object if it may and did change; also what subresources do to an object. */
export function write(call: Call, changed: KubeObject, old: KubeObject, writer: WriterOptions = {}): Answer {
  const { request, resource, user } = call;
  const kept = withFields(changed, { metadata: keepSystemFields(changed, old, request.tracksFields === true) });
  const admission: AdmissionRequest = {
    operation: 'UPDATE',
    resource,
    subresource: writer.subresource ?? request.subresource,
    namespace: request.namespace,
    name: old.metadata.name,
    object: kept,
    old,
    user,
    dryRun: request.dryRun === true,
  };
  const around = clusterViewOf(call);
  const refusal = mutate(admission, around);
  if (refusal !== undefined) return refusal;
  if (request.verb === 'patch') admission.object = withDistinctOwners(admission.object, call.warnings, ' after mutating admission happens');
  admission.object = prepareForUpdate(call, admission.object, old);
  const changesNothing = sameJson(admission.object, old) && ownsAsBefore(call, kept, old, writer.fields);
  // Of what a component does not change nothing is looked at: it is as it was found right.
  if (changesNothing && request.tracksFields !== true) return answered(call, old);
  const errors = errorsOfChange(call, admission.object, old);
  if (errors.length > 0) return invalid(resource, old.metadata.name, errors);
  const escalation = escalates(call, admission.object, old);
  if (escalation !== undefined) return forbidden(namedOf(call), old.metadata.name, escalation);
  if (request.subresource === undefined) for (const warning of warningsOn(resource.key, admission.object, old)) around.warn(warning);
  const denied = validate(admission, around);
  if (denied !== undefined) return denied;
  if (changesNothing) return answered(call, old);
  return finish(call, { wanted: writer.merged ?? withEmptied(kept, toldEmpty(call)), object: admission.object }, old, writer);
}

function finish(
  call: Call,
  { wanted, object }: { readonly wanted: KubeObject; readonly object: KubeObject },
  old: KubeObject,
  { fields, changesNothing = false, ownsNothing = false, subresource = call.request.subresource }: WriterOptions,
): Answer {
  const { state, request, resource } = call;
  let complete = object;
  if (resource.key === 'services' && request.subresource === undefined) {
    const allocated = allocateAddresses(state, object);
    if ('errors' in allocated) return invalid(resource, old.metadata.name, allocated.errors);
    complete = allocated.service;
  }
  const writer = {
    manager: call.manager ?? 'unknown',
    operation: fields === undefined ? ('Update' as const) : ('Apply' as const),
    apiVersion: apiVersionOf(resource),
    time: timeOfWrite(call, old, changesNothing, subresource),
    subresource,
    fields,
    ownsNothing,
  };
  const written = withFields(complete, { metadata: owned(call, { wanted, complete, old }, writer) });
  if (changesOnlyTimes(written, old)) return answered(call, old);
  if (request.dryRun === true) return answered(call, written);
  if (isFinished(written)) {
    const last = state.store.delete(resource.key, request.namespace, old.metadata.name);
    return answered(call, last ?? written);
  }
  const kept = asStored(state, resource, written);
  return kept.ok ? answered(call, state.store.update(resource.key, kept.object)) : kept;
}

/** Whether all that is new is when somebody wrote. Source: staging/src/k8s.io/apiserver/pkg/registry/rest/update.go, fieldmanager/equality.go. */
function changesOnlyTimes(written: KubeObject, old: KubeObject): boolean {
  const timeless = (object: KubeObject): Json =>
    asList(object.metadata['managedFields']).map((entry) => withFields(asObject(entry), { time: undefined }));
  return (
    written.metadata['managedFields'] !== old.metadata['managedFields'] &&
    sameJson(withFields(written, { metadata: old.metadata }), old) &&
    sameJson(withFields(written.metadata, { managedFields: undefined }), withFields(old.metadata, { managedFields: undefined })) &&
    sameJson(timeless(written), timeless(old))
  );
}

/**
 * The metadata with who owns what after the write. Of an object that nobody owned anything of, nothing is tracked before something is
 * applied. Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/skipnonapplied.go.
 */
function owned({ request, resource, state }: Call, { wanted, complete, old }: Versions, writer: Writer): ObjectMeta {
  const tracks = writer.fields !== undefined || request.tracksFields === true;
  if (writer.fields === undefined && asList(complete.metadata['managedFields']).length === 0)
    return withFields(complete.metadata, { managedFields: undefined });
  if (!tracks && !hasOwnedFields(old)) return withWriter(complete.metadata, writer, state.writers);
  return withOwner(schemaOf(resource), fromStored(resource, old), fromStored(resource, wanted), fromStored(resource, complete), writer);
}

interface Versions {
  readonly wanted: KubeObject;
  readonly complete: KubeObject;
  readonly old: KubeObject;
}

/** Of a client's scale none is kept. Source: apimachinery/pkg/util/managedfields/scalehandler.go (ToParent). */
function timeOfWrite(
  { state, request, manager }: Call,
  old: KubeObject,
  changesNothing: boolean,
  subresource?: string,
): string | undefined {
  if (changesNothing) return timeOfEntry(old, manager);
  return subresource === 'scale' && request.tracksFields === true ? undefined : timeOf(state.now());
}

/** When the manager applied last what changed something; undefined when it never did. */
function timeOfEntry(old: KubeObject, manager: string | undefined): string | undefined {
  const entry = asList(old.metadata['managedFields']).find((one) => dig(one, 'manager') === manager && dig(one, 'operation') === 'Apply');
  return asText(dig(entry, 'time'));
}

/** What is remembered of a write: the fields that were applied, and the part of the object it went by when that is not the request's. */
export interface WriterOptions {
  readonly fields?: JsonObject;
  /** Whether what was applied was there already. */
  readonly changesNothing?: boolean;
  /** The object with what was applied, before it was converted and got its defaults. */
  readonly merged?: KubeObject;
  /** Whether what was changed is nobody's then. */
  readonly ownsNothing?: boolean;
  readonly subresource?: string;
}

/**
 * Whether a write that leaves the object as it is changes nothing of who owns what either: what the registry does not take is owned by
 * whoever sends it.
 */
function ownsAsBefore(call: Call, wanted: KubeObject, old: KubeObject, fields: JsonObject | undefined): boolean {
  const { request, resource } = call;
  if (toldEmpty(call).length > 0) return false;
  if (fields !== undefined) return appliedBefore(call, old, fields);
  return request.tracksFields !== true || request.subresource !== undefined || resource.custom !== undefined || !changesSpec(wanted, old);
}

/** What was given in another form than it is stored in, and is told from that: where Go writes it all the same, and in lists that are owned in one piece. */
function toldEmpty({ emptied, resource }: Call): readonly Emptied[] {
  return emptied.filter(({ isWritten, path }) => isWritten || isInWholeList(schemaOf(resource), path));
}

function appliedBefore({ manager, request: { subresource } }: Call, old: KubeObject, fields: JsonObject): boolean {
  return asList(old.metadata['managedFields']).some(
    (entry) =>
      isJsonObject(entry) &&
      entry['manager'] === manager &&
      entry['operation'] === 'Apply' &&
      entry['subresource'] === subresource &&
      sameJson(entry['fieldsV1'], fields),
  );
}

/** Deleted, its time up, and nobody left who wants to see it first. */
function isFinished(object: KubeObject): boolean {
  if (object.metadata['deletionTimestamp'] === undefined || asList(object.metadata['finalizers']).length > 0) return false;
  if ((object.metadata['deletionGracePeriodSeconds'] ?? 0) !== 0) return false;
  return object.kind !== 'Namespace' || asList(dig(object, 'spec', 'finalizers')).length === 0;
}

function answered(call: Call, object: KubeObject): Answer {
  return { ok: true, code: 200, object: present(call.state, call.resource, object), warnings: call.warnings };
}

function apply(call: Call, old: KubeObject | undefined): Answer {
  const { request } = call;
  const given = request.patch?.body;
  if (!isJsonObject(given)) return badRequest('error decoding patch: expected an object');
  const manager = call.manager ?? '';
  const { model, custom } = call.resource;
  const live = old === undefined ? undefined : fromStored(call.resource, old);
  const untyped = model === undefined ? customPatchError(custom?.schema, given) : typedPatchError(model, given, live);
  if (untyped !== undefined) return plainError(untyped);
  const config = model === undefined ? given : withFittingNumbers(model, given);
  const twice = request.duplicateKeys ?? [];
  if (twice.length > 0)
    return badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${twice.join('\n  ')}`);
  return old === undefined ? applyNew(call, config, manager) : applyTo(call, old, config, manager);
}

function applyTo(call: Call, old: KubeObject, config: JsonObject, manager: string): Answer {
  const { request } = call;
  const checked = readBody(call, config);
  if (!checked.ok && unconvertible(call, config, config, checked) === undefined) return checked;
  const live = withFirstOwner(call, fromStored(call.resource, old));
  const applied = applyConfiguration(schemaOf(call.resource), live, {
    config,
    manager,
    force: request.force === true,
    subresource: request.subresource,
  });
  if ('ok' in applied) return applied;
  const body = readBody(
    call,
    withFields(applied.object, {
      metadata: withFields(applied.object['metadata'] as JsonObject, { resourceVersion: old.metadata['resourceVersion'] }),
    }),
  );
  return body.ok
    ? write(call, body.object, old, {
        fields: applied.fields,
        changesNothing: sameJson(applied.object, live),
        merged: applied.merged as KubeObject,
      })
    : (unconvertible(call, config, applied.object, body) ?? body);
}

/** With somebody who owns everything of an object that nobody owned anything of. Source: managedfields/internal/skipnonapplied.go (Apply). */
function withFirstOwner({ resource, state }: Call, live: KubeObject): KubeObject {
  if (asList(live.metadata['managedFields']).length > 0) return live;
  const schema = schemaOf(resource);
  const fields = withoutStatus(fieldsSet(schema, live));
  const first = {
    manager: 'before-first-apply',
    operation: 'Update' as const,
    apiVersion: apiVersionOf(resource),
    time: timeOf(state.now()),
    fields,
  };
  return isEmpty(fields) ? live : withFields(live, { metadata: withWriter(live.metadata, first) });
}

/**
 * That what comes of an applied configuration is no object of its kind: it is merged before it is converted. Undefined for another failure.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/structuredmerge.go (Apply).
 */
function unconvertible({ resource }: Call, config: JsonObject, object: JsonObject, { code, message }: Failure): Failure | undefined {
  const { model, kind } = resource;
  if (model === undefined || code !== 400 || !message.startsWith(`${kind} in version `)) return undefined;
  const told = message.slice(message.indexOf(': ') + 2);
  const why = conversionError(model, object) ?? decodedAlone(told);
  const version = apiVersionOf(resource);
  const type = `${version.includes('/') ? version : `/${version}`}, Kind=${kind}`;
  const [namespace, name] = ['namespace', 'name'].map((field) => asText(dig(config, 'metadata', field)) ?? '');
  return plainError(
    `failed to convert new object (${namespace}/${name}; ${type}) to proper version: unable to convert unstructured object to ${type}: ${why}`,
  );
}

function applyNew(call: Call, config: JsonObject, manager: string): Answer {
  const { state, resource, request } = call;
  const named = withFields(config, {
    metadata: withFields(isJsonObject(config['metadata']) ? config['metadata'] : {}, { name: request.name }),
  });
  const body = readBody(call, named);
  if (!body.ok) return unconvertible(call, config, named, body) ?? body;
  const made = buildNew(call, body.object);
  if (!made.ok) return made;
  const fields = fieldSetOf(schemaOf(call.resource), ownable(config, undefined));
  const writer = { manager, operation: 'Apply' as const, apiVersion: apiVersionOf(resource), time: timeOf(state.now()), fields };
  // An entry without fields stays for the rest of the request: without any, the creator would be taken for one who updates.
  const metadata = isEmpty(fields)
    ? withFields(made.object.metadata, { managedFields: [] })
    : withWriter(made.object.metadata, writer, call.state.writers);
  return store(call, withFields(made.object, { metadata }));
}

/** What an update cannot change, whatever it says. */
function keepSystemFields(object: KubeObject, old: KubeObject, tracksFields: boolean): KubeObject['metadata'] {
  const { metadata } = object;
  if (metadata === old.metadata && !tracksFields) return metadata;
  const given = (field: string): Json | undefined => (tracksFields ? metadata[field] : undefined);
  return withFields(metadata, {
    name: old.metadata.name,
    namespace: old.metadata.namespace,
    uid: old.metadata.uid,
    creationTimestamp: old.metadata['creationTimestamp'],
    deletionTimestamp: old.metadata['deletionTimestamp'] ?? given('deletionTimestamp'),
    deletionGracePeriodSeconds: given('deletionGracePeriodSeconds') ?? old.metadata['deletionGracePeriodSeconds'],
    generation: old.metadata['generation'],
    managedFields: tracksFields ? soundOwners(metadata['managedFields'], old.metadata['managedFields']) : old.metadata['managedFields'],
    resourceVersion: old.metadata['resourceVersion'],
    generateName: tracksFields ? metadata['generateName'] : (metadata['generateName'] ?? old.metadata['generateName']),
  });
}
