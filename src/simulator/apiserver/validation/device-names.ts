import type { Json } from '../../../base/json.ts';
import { asText } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { invalidValue, required, tooLong } from './field-error.ts';
import { checkLabelName, checkQualifiedName, checkSubdomain } from './names.ts';

/** Names of drivers, their pools and devices, and of what devices are told by. Source: pkg/apis/resource/validation/validation.go. */

const DRIVER_LENGTH = 63;
const POOL_LENGTH = 253;
const IDENTIFIER_LENGTH = 32;

/** Source: pkg/apis/core/validation/validation.go (ValidateCSIDriverName). */
export function driverName(given: Json | undefined, path: string): readonly FieldError[] {
  const name = asText(given) ?? '';
  if (name === '') return [required(path)];
  const errors: FieldError[] = name.length > DRIVER_LENGTH ? [tooLong(path, DRIVER_LENGTH)] : [];
  return [...errors, ...checkSubdomain(name.toLowerCase()).map((words) => invalidValue(path, name, words))];
}

/** Subdomains with slashes between them. */
export function poolName(given: Json | undefined, path: string): readonly FieldError[] {
  const name = asText(given) ?? '';
  if (name === '') return [required(path)];
  const errors: FieldError[] = name.length > POOL_LENGTH ? [tooLong(path, POOL_LENGTH)] : [];
  return [...errors, ...name.split('/').flatMap((part) => checkSubdomain(part).map((words) => invalidValue(path, part, words)))];
}

/** The name of a request or of a device. */
export function deviceLabel(given: Json | undefined, path: string): readonly FieldError[] {
  const name = asText(given) ?? '';
  return checkLabelName(name).map((words) => invalidValue(path, name, words));
}

/** The name of an attribute or a capacity: an identifier, and perhaps a domain before it. */
export function qualifiedName(name: string, path: string): readonly FieldError[] {
  const [first = '', second, ...more] = name.split('/');
  if (more.length > 0) return [invalidValue(path, name, 'must not contain more than one slash')];
  if (second === undefined) return identifier(first, path);
  return [
    ...(first === '' ? [invalidValue(path, '', 'the domain must not be empty')] : driverName(first, path)),
    ...(second === '' ? [invalidValue(path, '', 'the name must not be empty')] : identifier(second, path)),
  ];
}

function identifier(name: string, path: string): readonly FieldError[] {
  const errors: FieldError[] = name.length > IDENTIFIER_LENGTH ? [tooLong(path, IDENTIFIER_LENGTH)] : [];
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? errors : [...errors, invalidValue(path, name, IDENTIFIER)];
}

/** Source: staging/src/k8s.io/apimachinery/pkg/api/validate/content/identifier.go. */
const IDENTIFIER =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

/** Source: pkg/apis/core/v1/helper/helpers.go (IsExtendedResourceName). */
export function isExtendedResource(name: string): boolean {
  return (
    name.includes('/') &&
    !name.includes('kubernetes.io/') &&
    !name.startsWith('requests.') &&
    checkQualifiedName(`requests.${name}`).length === 0
  );
}

/** What a taint does to who does not tolerate it. */
export const DEVICE_EFFECTS: readonly string[] = ['NoExecute', 'NoSchedule', 'None'];
