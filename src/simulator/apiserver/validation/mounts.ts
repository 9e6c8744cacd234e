import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { forbiddenField, invalidValue, notFoundValue, notSupported, required } from './field-error.ts';

type Volumes = ReadonlyMap<string, JsonObject>;

/** Where a container has its volumes. Source: pkg/apis/core/validation/validation.go (ValidateVolumeMounts). */
export function validateMounts(container: JsonObject, path: string, volumes: Volumes, errors: FieldError[]): void {
  const mounts = asList(container['volumeMounts']);
  if (mounts.length === 0) return;
  const paths = new Set<string>();
  const devices = asList(container['volumeDevices']);
  const [deviceNames, devicePaths] = [
    new Set(devices.map((device) => dig(device, 'name'))),
    new Set(devices.map((device) => dig(device, 'devicePath'))),
  ];
  for (const [index, entry] of mounts.entries()) {
    const field = `${path}.volumeMounts[${index}]`;
    const [name, mountPath] = [asText(dig(entry, 'name')) ?? '', asText(dig(entry, 'mountPath')) ?? ''];
    if (name === '') errors.push(required(`${field}.name`));
    if (!volumes.has(name)) errors.push(notFoundValue(`${field}.name`, name));
    if (mountPath === '') errors.push(required(`${field}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalidValue(`${field}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (deviceNames.has(name)) errors.push(invalidValue(`${field}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(invalidValue(`${field}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    validateSubPath(entry, field, `${path}.volumeMounts`, errors);
    validatePropagation(entry, dig(container, 'securityContext', 'privileged') === true, `${path}.volumeMounts`, errors);
    validateReadOnly(entry, `${path}.volumeMounts`, errors);
  }
}

/** A path that leads out of the volume is an error of all mounts, one that is given twice of its own. */
function validateSubPath(mount: Json, field: string, list: string, errors: FieldError[]): void {
  const [subPath, subPathExpr] = [asText(dig(mount, 'subPath')) ?? '', asText(dig(mount, 'subPathExpr')) ?? ''];
  if (subPath !== '') validateDescending(subPath, `${list}.subPath`, errors);
  if (subPathExpr === '') return;
  if (subPath !== '') errors.push(invalidValue(`${field}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
  validateDescending(subPathExpr, `${list}.subPathExpr`, errors);
}

const PROPAGATIONS: readonly string[] = ['Bidirectional', 'HostToContainer', 'None'];

/** Of propagation the field is named without an index. */
function validatePropagation(mount: Json, privileged: boolean, path: string, errors: FieldError[]): void {
  const propagation = asText(dig(mount, 'mountPropagation'));
  if (propagation === undefined) return;
  if (!PROPAGATIONS.includes(propagation)) errors.push(notSupported(`${path}.mountPropagation`, propagation, PROPAGATIONS));
  if (propagation === 'Bidirectional' && !privileged)
    errors.push(forbiddenField(`${path}.mountPropagation`, 'Bidirectional mount propagation is available only to privileged containers'));
}

function validateReadOnly(mount: Json, field: string, errors: FieldError[]): void {
  const recursive = asText(dig(mount, 'recursiveReadOnly'));
  if (recursive === undefined || recursive === 'Disabled') return;
  if (recursive !== 'Enabled' && recursive !== 'IfPossible')
    return void errors.push(notSupported(`${field}.recursiveReadOnly`, recursive, ['Disabled', 'Enabled', 'IfPossible']));
  if (dig(mount, 'readOnly') !== true)
    errors.push(forbiddenField(`${field}.recursiveReadOnly`, 'may only be specified when readOnly is true'));
  const propagation = asText(dig(mount, 'mountPropagation')) ?? 'None';
  if (propagation !== 'None')
    errors.push(forbiddenField(`${field}.recursiveReadOnly`, 'may only be specified when mountPropagation is None or not specified'));
}

/** Source: validateLocalDescendingPath. Of mounts the field is named without an index. */
export function validateDescending(path: string, field: string, errors: FieldError[]): void {
  if (path.startsWith('/')) errors.push(invalidValue(field, path, 'must be a relative path'));
  if (path.split('/').includes('..')) errors.push(invalidValue(field, path, "must not contain '..'"));
}

/** Volumes that a container has as devices. Source: the same (ValidateVolumeDevices). */
export function validateDevices(container: JsonObject, path: string, volumes: Volumes, errors: FieldError[]): void {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const [index, device] of asList(container['volumeDevices']).entries()) {
    const field = `${path}.volumeDevices[${index}]`;
    const [name, place] = [asText(dig(device, 'name')) ?? '', asText(dig(device, 'devicePath')) ?? ''];
    const volume = volumes.get(name);
    if (name === '') errors.push(required(`${field}.name`));
    if (names.has(name)) errors.push(invalidValue(`${field}.name`, name, 'must be unique'));
    if (volume !== undefined && volume['persistentVolumeClaim'] === undefined && volume['ephemeral'] === undefined)
      errors.push(
        invalidValue(`${field}.name`, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'),
      );
    if (volume === undefined) errors.push(notFoundValue(`${field}.name`, name));
    if (place === '') errors.push(required(`${field}.devicePath`));
    if (paths.has(place)) errors.push(invalidValue(`${field}.devicePath`, place, 'must be unique'));
    if (place.split('/').includes('..')) errors.push(invalidValue(`${field}.devicePath`, place, "can not contain backsteps ('..')"));
    names.add(name);
    paths.add(place);
  }
}
