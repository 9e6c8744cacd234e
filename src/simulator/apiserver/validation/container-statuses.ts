import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { onceEach } from '../../../base/once.ts';
import { mayRestart } from '../../kubelet/pods/pod-fields.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, required, tooLong } from './field-error.ts';
import { checkLabelName, checkSubdomain } from './names.ts';
import { validateChoice } from './request-rules.ts';
import { validateId } from './security-context.ts';

/** Each list of statuses, with the list of the containers it is of. */
const LISTS = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
  ['ephemeralContainerStatuses', 'ephemeralContainers'],
] as const;

/** What ended stays so, unless it may start again. Source: pkg/apis/core/validation/validation.go (ValidateContainerStateTransition). */
export function validateTransitions({ status, spec }: JsonObject, { status: before }: JsonObject, errors: FieldError[]): void {
  const anyRestartsAll = (): boolean =>
    [...asList(dig(spec, 'initContainers')), ...asList(dig(spec, 'containers'))].some((container) =>
      asList(dig(container, 'restartPolicyRules')).some((rule) => dig(rule, 'action') === 'RestartAllContainers'),
    );
  for (const [list, containers] of LISTS)
    for (const [index, old] of asList(dig(before, list)).entries()) {
      const ended = dig(old, 'state', 'terminated');
      if (ended === undefined) continue;
      const mine = asList(dig(status, list)).find((one) => dig(one, 'name') === dig(old, 'name'));
      if (mine === undefined || dig(mine, 'state', 'terminated') !== undefined) continue;
      const container = asList(dig(spec, containers)).find((one) => dig(one, 'name') === dig(old, 'name'));
      const may =
        containers !== 'ephemeralContainers' &&
        (anyRestartsAll() ||
          (container !== undefined &&
            mayRestart(asObject(container), asText(dig(spec, 'restartPolicy')) ?? 'Always', asNumber(dig(ended, 'exitCode')) ?? 0)));
      if (!may) errors.push(forbiddenField(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state'));
    }
}

/** Whom containers run as, what they got and what they have mounted. Source: the same (ValidatePodStatusUpdate). */
export function validateContainerStatuses({ status, spec }: JsonObject, errors: FieldError[]): void {
  const all: { readonly one: Json; readonly field: string; readonly containers: string }[] = [];
  for (const [list, containers] of LISTS)
    for (const [index, one] of asList(dig(status, list)).entries()) all.push({ one, field: `status.${list}[${index}]`, containers });
  const system = dig(spec, 'os', 'name') ?? 'linux';
  for (const { one, field } of all) validateUser(dig(one, 'user', 'linux'), system, `${field}.user.linux`, errors);
  for (const { one, field, containers } of all) {
    const given = asList(dig(one, 'allocatedResourcesStatus'));
    if (given.length > 0 && containers === 'ephemeralContainers')
      errors.push(forbiddenField(`${field}.allocatedResourcesStatus`, 'must not be specified in container status'));
    else {
      const container =
        given.length === 0 ? undefined : asList(dig(spec, containers)).find((other) => dig(other, 'name') === dig(one, 'name'));
      for (const [place, entry] of given.entries())
        validateAllocated(entry, container, `${field}.allocatedResourcesStatus[${place}]`, errors);
    }
  }
  for (const { one, field } of all) validateImageMounts(one, field, errors);
}

function validateImageMounts(status: Json, field: string, errors: FieldError[]): void {
  for (const [place, mount] of asList(dig(status, 'volumeMounts')).entries()) {
    const image = dig(mount, 'volumeStatus', 'image');
    if (image === undefined) continue;
    const [path, ref] = [`${field}.volumeMounts[${place}].volumeStatus.imageVolumeStatus.imageRef`, asText(dig(image, 'imageRef')) ?? ''];
    if (ref === '') errors.push(required(path, 'imageRef must not be empty'));
    if (ref.length > 256) errors.push(tooLong(path, 256));
  }
}

function validateUser(user: Json | undefined, system: Json, field: string, errors: FieldError[]): void {
  if (user === undefined) return;
  if (system === 'windows') errors.push(forbiddenField(field, 'cannot be set for a windows pod'));
  if (system === 'linux' && !(isJsonObject(user) && isSound(user))) validateIds(user, field, errors);
}

/** The containers of thousands of pods run as one and the same user. */
const isSound = onceEach((user: JsonObject): boolean => {
  const errors: FieldError[] = [];
  validateIds(user, '', errors);
  return errors.length === 0;
});

function validateIds(user: Json, field: string, errors: FieldError[]): void {
  for (const id of ['uid', 'gid']) validateId(dig(user, id), `${field}.${id}`, errors);
  for (const [index, id] of asList(dig(user, 'supplementalGroups')).entries())
    validateId(id, `${field}.supplementalGroups[${index}]`, errors);
}

const HEALTH: readonly string[] = ['Healthy', 'Unhealthy', 'Unknown'];
const MOST_LETTERS = 1024;

function validateAllocated(entry: Json, container: Json | undefined, field: string, errors: FieldError[]): void {
  const name = asText(dig(entry, 'name')) ?? '';
  const isClaim = name.startsWith('claim:');
  const known = isClaim
    ? asList(dig(container, 'resources', 'claims')).map(
        (claim) => `claim:${['name', 'request'].flatMap((part) => asText(dig(claim, part)) ?? []).join('/')}`,
      )
    : Object.keys(asObject(dig(container, 'resources', 'requests')));
  const among = isClaim
    ? "resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : 'resource requests';
  if (container !== undefined && !known.includes(name))
    errors.push(invalidValue(`${field}.name`, name, `must match one of the container's ${among}`));
  const seen = new Set<Json>();
  for (const [index, resource] of asList(dig(entry, 'resources')).entries()) {
    const [own, id, message] = [`${field}.resources[${index}]`, dig(resource, 'resourceID') ?? '', asText(dig(resource, 'message'))];
    validateChoice(dig(resource, 'health') ?? '', `${own}.health`, HEALTH, errors);
    if (message === '') errors.push(required(`${own}.message`, 'must be non-empty if specified'));
    else if ((message ?? '').length > MOST_LETTERS) errors.push(tooLong(`${own}.message`, MOST_LETTERS));
    if (seen.has(id)) errors.push(duplicate(`${own}.resourceID`, id));
    seen.add(id);
  }
}

/** Of devices that were asked for as resources. Source: the same (validatePodExtendedResourceClaimStatus). */
export function validateExtendedClaim({ status, spec }: JsonObject, errors: FieldError[]): void {
  const claim = dig(status, 'extendedResourceClaimStatus');
  if (claim === undefined) return;
  const path = 'status.extendedResourceClaimStatus';
  const containers = [...asList(dig(spec, 'initContainers')), ...asList(dig(spec, 'containers'))];
  const mappings = asList(dig(claim, 'requestMappings'));
  if (mappings.length === 0) errors.push(required(`${path}.requestMappings`, 'at least one request mapping is required'));
  const seen = new Set<string>();
  for (const [index, mapping] of mappings.entries()) {
    const own = `${path}.requestMappings[${index}]`;
    const parts = ['containerName', 'resourceName', 'requestName'].map((field) => [field, asText(dig(mapping, field)) ?? ''] as const);
    const [name = '', resource = '', request = ''] = parts.map(([, value]) => value);
    const container = containers.findLast((one) => dig(one, 'name') === name);
    if (container === undefined)
      errors.push(
        invalidValue(`${own}.containerName`, name, 'must match the name of an entry in spec.initContainers.name or spec.containers.name'),
      );
    else if (dig(container, 'resources', 'requests', resource) === undefined)
      errors.push(
        invalidValue(
          `${own}.resourceName`,
          resource,
          'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
        ),
      );
    addWrong(errors, `${path}.requestName`, request, checkLabelName(request));
    const key = JSON.stringify(parts);
    if (seen.has(key)) for (const [field, value] of parts) errors.push(duplicate(`${own}.${field}`, value));
    seen.add(key);
  }
  const claimName = asText(dig(claim, 'resourceClaimName')) ?? '';
  if (claimName === '') errors.push(required(`${path}.resourceClaimName`));
  else addWrong(errors, `${path}.resourceClaimName`, claimName, checkSubdomain(claimName));
}
