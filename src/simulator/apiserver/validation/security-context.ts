import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { internalOf } from './go-diff.ts';
import { validateChoice } from './request-rules.ts';
import { CONTAINERS, validateWindowsOptions } from './windows.ts';

const MOST_ID = 2_147_483_647;

export function validateId(value: Json | undefined, field: string, errors: FieldError[]): void {
  const id = asNumber(value);
  if (id !== undefined && (id < 0 || id > MOST_ID)) errors.push(invalidValue(field, id, `must be between 0 and ${MOST_ID}, inclusive`));
}

/** The security context of a pod. Source: pkg/apis/core/validation/validation.go (validatePodSpecSecurityContext). */
export function validatePodSecurity(spec: JsonObject, path: string, errors: FieldError[]): void {
  const context = asObject(spec['securityContext']);
  const field = `${path}.securityContext`;
  for (const id of ['fsGroup', 'runAsUser', 'runAsGroup']) validateId(context[id], `${field}.${id}`, errors);
  for (const [index, group] of asList(context['supplementalGroups']).entries())
    validateId(group, `${field}.supplementalGroups[${index}]`, errors);
  if (spec['hostPID'] === true && spec['shareProcessNamespace'] === true)
    errors.push(invalidValue(`${field}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  validateSysctls(spec, `${field}.sysctls`, errors);
  validateChoice(context['fsGroupChangePolicy'], `${field}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch'], errors);
  validateProfile(context, field, 'seccomp', errors);
  validateWindowsOptions(context, field, errors);
  validateProfile(context, field, 'AppArmor', errors);
  validateChoice(context['supplementalGroupsPolicy'], `${field}.supplementalGroupsPolicy`, ['Merge', 'Strict'], errors);
  validateChoice(context['seLinuxChangePolicy'], `${field}.seLinuxChangePolicy`, ['Recursive'], errors);
}

/** A pod with users of its own shares nothing of its node. Source: the same (validateHostUsers). */
export function validateHostUsers(spec: JsonObject, path: string, errors: FieldError[]): void {
  if (spec['hostUsers'] !== false) return;
  const words = 'when `hostUsers` is false';
  for (const [field, shown] of [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const)
    if (spec[field] === true) errors.push(forbiddenField(`${path}.${shown}`, words));
  for (const list of CONTAINERS)
    for (const [index, container] of asList(spec[list]).entries())
      if (asList(dig(container, 'volumeDevices')).length > 0) errors.push(forbiddenField(`${path}.${list}[${index}].volumeDevices`, words));
}

const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const SYSCTL_TEXT = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function validateSysctls(spec: JsonObject, path: string, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, sysctl] of asList(dig(spec, 'securityContext', 'sysctls')).entries()) {
    const name = asText(dig(sysctl, 'name')) ?? '';
    const field = `${path}[${index}].name`;
    if (name === '') errors.push(required(field));
    else if (name.length > 253 || !SYSCTL.test(name))
      errors.push(invalidValue(field, name, `must have at most 253 characters and match regex ${SYSCTL_TEXT}`));
    else if (names.has(name)) errors.push(duplicate(field, name));
    const plain = name.replaceAll('/', '.');
    if (spec['hostNetwork'] === true && plain.startsWith('net.'))
      errors.push(invalidValue(field, name, "may not be specified when 'hostNetwork' is true"));
    if (spec['hostIPC'] === true && IPC.some((start) => plain.startsWith(start)))
      errors.push(invalidValue(field, name, "may not be specified when 'hostIPC' is true"));
    names.add(name);
  }
}

const IPC: readonly string[] = ['kernel.shm', 'kernel.msg', 'kernel.sem', 'fs.mqueue.'];
const PROFILES: readonly string[] = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateProfile(context: JsonObject, path: string, what: 'seccomp' | 'AppArmor', errors: FieldError[]): void {
  const field = what === 'seccomp' ? 'seccompProfile' : 'appArmorProfile';
  const profile = context[field];
  if (!isJsonObject(profile)) return;
  const [type, local] = [asText(profile['type']) ?? '', asText(profile['localhostProfile'])];
  const place = `${path}.${field}`;
  if (type === '') errors.push(required(`${place}.type`, `type is required when ${field} is set`));
  else if (!PROFILES.includes(type)) errors.push(notSupported(`${place}.type`, type, PROFILES));
  if (type === '' || (what === 'AppArmor' && !PROFILES.includes(type))) return;
  if (type === 'Localhost') validateLocalProfile(local, `${place}.localhostProfile`, what, errors);
  else if (local !== undefined)
    errors.push(
      invalidValue(
        `${place}.localhostProfile`,
        what === 'seccomp' ? { Type: type, LocalhostProfile: local } : local,
        `can only be set when ${what} type is Localhost`,
      ),
    );
}

function validateLocalProfile(profile: string | undefined, field: string, what: 'seccomp' | 'AppArmor', errors: FieldError[]): void {
  if (profile === undefined) return void errors.push(required(field, `must be set when ${what} type is Localhost`));
  if (what === 'AppArmor') {
    if (profile.trim() !== profile) errors.push(invalidValue(field, profile, 'must not be padded with whitespace'));
    else if (profile === '') errors.push(required(field, 'must be set when AppArmor type is Localhost'));
    return;
  }
  if (profile.startsWith('/')) errors.push(invalidValue(field, profile, 'must be a relative path'));
  if (profile.split('/').includes('..')) errors.push(invalidValue(field, profile, "must not contain '..'"));
}

/** The security context of a container. Source: the same (ValidateSecurityContext). */
export function validateContainerSecurity(context: Json | undefined, path: string, hostUsers: boolean, errors: FieldError[]): void {
  if (!isJsonObject(context)) return;
  for (const id of ['runAsUser', 'runAsGroup']) validateId(context[id], `${path}.${id}`, errors);
  const mount = asText(context['procMount']);
  validateChoice(mount, `${path}.procMount`, ['Default', 'Unmasked'], errors);
  if (hostUsers && mount === 'Unmasked')
    errors.push(invalidValue(`${path}.procMount`, mount, '`hostUsers` must be false to use `Unmasked`'));
  validateProfile(context, path, 'seccomp', errors);
  if (context['allowPrivilegeEscalation'] === false) {
    const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
    if (context['privileged'] === true)
      errors.push(invalidValue(path, internalOf('SecurityContext', context), `${cannot} \`privileged\` to true`));
    if (asList(dig(context, 'capabilities', 'add')).includes('CAP_SYS_ADMIN'))
      errors.push(invalidValue(path, internalOf('SecurityContext', context), `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`));
  }
  validateWindowsOptions(context, path, errors);
  validateProfile(context, path, 'AppArmor', errors);
}
