import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { parseIpAddress } from '../../../base/ip-address.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { parseInteger } from '../../../base/number.ts';
import { validateConditions } from './conditions.ts';
import { deviceLabel, driverName, poolName } from './device-names.ts';
import { opaque, rawObject, reference, references, requestNames } from './devices.ts';
import type { FieldError } from './field-error.ts';
import { forbiddenField, invalidValue, notSupported, required, tooLong, tooMany } from './field-error.ts';
import { validateMembers } from './field-lists.ts';
import { immutable } from './metadata.ts';
import { bindingConditions, validateSelector } from './resource-slices.ts';

/** What is wrong with a claim's new status, and what of it must stay as it was. Source: pkg/apis/resource/validation/validation.go (validateResourceClaimStatusUpdate). */
export function validateClaimStatus(claim: JsonObject, old: JsonObject): readonly FieldError[] {
  const [allocation, before] = [dig(claim, 'status', 'allocation'), dig(old, 'status', 'allocation')];
  const reserved = asList(dig(claim, 'status', 'reservedFor'));
  const results = asList(dig(allocation, 'devices', 'results'));
  const allocated = new Set(results.map(deviceOf));
  const errors = [
    ...validateMembers(reserved, 'status.reservedFor', CONSUMERS, consumer, (one) => dig(one, 'uid')),
    ...validateMembers(
      dig(claim, 'status', 'devices'),
      'status.devices',
      Number.POSITIVE_INFINITY,
      (one, path) => [
        ...deviceNames(one, path),
        ...shareId(dig(one, 'shareID'), `${path}.shareID`),
        ...(allocated.has(deviceOf(one)) ? [] : [invalidValue(path, sharedDevice(one), 'must be an allocated device in the claim')]),
        ...deviceState(one, path),
      ],
      deviceOf,
    ),
  ];
  if (reserved.length > 0 && allocation === undefined)
    errors.push(forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set'));
  else if (dig(claim, 'metadata', 'deletionTimestamp') !== undefined) {
    const known = new Set(asList(dig(old, 'status', 'reservedFor')).map((one) => textOf(dig(one, 'uid'))));
    if (reserved.some((one) => !known.has(textOf(dig(one, 'uid')))))
      errors.push(
        forbiddenField('status.reservedFor', 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'),
      );
  }
  if (allocation === undefined) return errors;
  if (before !== undefined) return [...errors, ...immutable('status.allocation', allocation, before)];
  const names = requestNames(dig(claim, 'spec', 'devices'));
  return [
    ...errors,
    ...validateMembers(results, 'status.allocation.devices.results', RESULTS, (one, path) => [
      ...reference(textOf(dig(one, 'request')), `${path}.request`, names),
      ...deviceNames(one, path),
      ...bindingConditions(one, path),
      ...shareId(dig(one, 'shareID'), `${path}.shareID`),
    ]),
    ...validateMembers(dig(allocation, 'devices', 'config'), 'status.allocation.devices.config', 2 * CONFIGS, (one, path) => [
      ...configSource(asText(dig(one, 'source')) ?? '', `${path}.source`),
      ...references(dig(one, 'requests'), `${path}.requests`, names),
      ...opaque(one, path),
    ]),
    ...nodeSelector(dig(allocation, 'nodeSelector'), 'status.allocation.nodeSelector'),
  ];
}

function nodeSelector(selector: Json | undefined, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (selector !== undefined) validateSelector(selector, path, false, errors);
  return errors;
}

/** Source: pkg/apis/resource/validation/validation.go (validateUID). */
function shareId(value: Json | undefined, field: string): readonly FieldError[] {
  const id = asText(value);
  if (id === undefined || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return [];
  const words = id.length === 36 ? 'invalid UUID format' : `invalid UUID length: ${id.length}`;
  return [invalidValue(field, id, `error validating uid: ${words}`)];
}

/** As Go prints it. */
function sharedDevice(one: Json): Json {
  const [driver, pool, device, share] = ['driver', 'pool', 'device', 'shareID'].map((field) => textOf(dig(one, field)));
  return { Driver: driver ?? '', Pool: pool ?? '', Device: device ?? '', ShareID: share ?? '' };
}

function deviceOf(one: Json): string {
  return ['driver', 'pool', 'device']
    .map((field) => textOf(dig(one, field)))
    .concat(textOf(dig(one, 'shareID')) === '' ? [] : [textOf(dig(one, 'shareID'))])
    .join('/');
}

function deviceNames(one: Json, path: string): readonly FieldError[] {
  return [
    ...driverName(dig(one, 'driver'), `${path}.driver`),
    ...poolName(dig(one, 'pool'), `${path}.pool`),
    ...deviceLabel(dig(one, 'device'), `${path}.device`),
  ];
}

function consumer(one: Json, path: string): readonly FieldError[] {
  return ['resource', 'name', 'uid'].filter((field) => (asText(dig(one, field)) ?? '') === '').map((field) => required(`${path}.${field}`));
}

function configSource(source: string, path: string): readonly FieldError[] {
  if (source === '') return [required(path)];
  return SOURCES.includes(source) ? [] : [notSupported(path, source, SOURCES)];
}

/** Source: the same (validateDeviceStatus, validateNetworkDeviceData). */
function deviceState(one: Json, path: string): readonly FieldError[] {
  const [conditions, network, data] = [asList(dig(one, 'conditions')), dig(one, 'networkData'), dig(one, 'data')];
  const errors: FieldError[] = conditions.length > STATES ? [tooMany(`${path}.conditions`, conditions.length, STATES)] : [];
  append(errors, validateConditions(conditions, `${path}.conditions`));
  if (data !== undefined && data !== null) append(errors, rawObject(data, `${path}.data`));
  for (const [field, most] of [
    ['interfaceName', 256],
    ['hardwareAddress', 128],
  ] as const)
    if ((asText(dig(network, field)) ?? '').length > most) errors.push(tooLong(`${path}.networkData.${field}`, most));
  const ips = `${path}.networkData.ips`;
  append(
    errors,
    validateMembers(
      dig(network, 'ips'),
      ips,
      ADDRESSES,
      (address, own) => interfaceAddress(textOf(address), own),
      (address) => address,
    ),
  );
  return errors;
}

/** Source: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go (IsValidInterfaceAddress). */
function interfaceAddress(text: string, path: string): readonly FieldError[] {
  const [address = '', length = ''] = text.split('/', 2);
  const family = parseIpAddress(address)?.family;
  const bits = /^\d{1,3}$/.test(length) ? parseInteger(length) : undefined;
  const valid = family !== undefined && bits !== undefined && bits <= (family === 4 ? 32 : 128);
  return valid ? [] : [invalidValue(path, text, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')];
}

/** Source: staging/src/k8s.io/api/resource/v1/types.go. */
const [CONSUMERS, RESULTS, CONFIGS, STATES, ADDRESSES] = [256, 32, 32, 8, 16];
const SOURCES: readonly string[] = ['FromClaim', 'FromClass'];
