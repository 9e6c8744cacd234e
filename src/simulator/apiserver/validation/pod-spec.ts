import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, digAt, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { formatQuantity, parseQuantity } from '../../../base/quantity.ts';
import { amountsOfContainers } from '../quota-usage.ts';
import { validateAffinity } from './affinity.ts';
import { validateContainers, validateFileVolumes } from './containers.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { validateAddress } from './label-selector.ts';
import { validateLabels } from './metadata.ts';
import { checkLabelName, checkQualifiedName, checkSearchPath, checkSubdomain } from './names.ts';
import { validatePodDeviceClaims, validateUses } from './pod-device-claims.ts';
import { validateChoice } from './request-rules.ts';
import { STANDARD_RESOURCES, validateResources } from './resources.ts';
import { validateGates, validatePreemption, validateSpread, validateTolerations } from './scheduling.ts';
import { validateHostUsers, validatePodSecurity } from './security-context.ts';
import { validateVolumes } from './volumes.ts';
import { CONTAINERS, validateHostProcess } from './windows.ts';

/**
 * A pod's spec, at a path (`spec`, `spec.template.spec`). A template that was found right is known and not looked at again.
 * Source: pkg/apis/core/validation/validation.go (ValidatePodSpec), in its order.
 */
export function validatePodSpec(spec: JsonObject, path: string): readonly FieldError[] {
  if (right.has(spec)) return [];
  const errors: FieldError[] = [];
  const volumes = validateVolumes(spec['volumes'], `${path}.volumes`, errors);
  const claims = validatePodDeviceClaims(spec['resourceClaims'], `${path}.resourceClaims`, errors);
  validateContainers(spec, { volumes, claims }, path, errors);
  validatePodResources(spec, claims, path, errors);
  validateHostNetworkPorts(spec, path, errors);
  validatePolicies(spec, path, errors);
  append(errors, validateLabels(spec['nodeSelector'], `${path}.nodeSelector`));
  validatePodSecurity(spec, path, errors);
  validateAffinity(spec['affinity'], `${path}.affinity`, errors);
  validateDns(spec, `${path}.dnsConfig`, errors);
  for (const [index, gate] of asList(spec['readinessGates']).entries())
    addWrong(
      errors,
      `${path}.readinessGates[${index}].conditionType`,
      dig(gate, 'conditionType') ?? '',
      checkQualifiedName(asText(dig(gate, 'conditionType')) ?? ''),
    );
  validateGates(spec, path, errors);
  validateSpread(spec['topologySpreadConstraints'], `${path}.topologySpreadConstraints`, errors);
  validateHostProcess(spec, path, errors);
  validateHostUsers(spec, path, errors);
  validateHostnameOverride(spec, `${path}.hostnameOverride`, errors);
  validateName(spec['serviceAccountName'], `${path}.serviceAccountName`, checkSubdomain, errors);
  validateName(spec['nodeName'], `${path}.nodeName`, checkSubdomain, errors);
  const deadline = asNumber(spec['activeDeadlineSeconds']);
  if (deadline !== undefined && (deadline < 1 || deadline > 2_147_483_647))
    errors.push(invalidValue(`${path}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'));
  validateName(spec['hostname'], `${path}.hostname`, checkLabelName, errors);
  validateName(spec['subdomain'], `${path}.subdomain`, checkLabelName, errors);
  validateTolerations(spec['tolerations'], `${path}.tolerations`, errors);
  validateHostAliases(spec['hostAliases'], `${path}.hostAliases`, errors);
  validateName(spec['priorityClassName'], `${path}.priorityClassName`, checkSubdomain, errors);
  const runtime = asText(spec['runtimeClassName']);
  if (runtime !== undefined) addWrong(errors, `${path}.runtimeClassName`, runtime, checkSubdomain(runtime));
  validatePreemption(spec['preemptionPolicy'], `${path}.preemptionPolicy`, errors);
  validateResources({ limits: spec['overhead'] ?? {} }, `${path}.overhead`, errors);
  validateSystem(spec, path, errors);
  validateFileVolumes(spec, path, errors);
  if (errors.length === 0 && path !== 'spec') right.add(spec);
  return errors;
}

const right = new WeakSet<object>();

/** Whether a template's spec was found right before. */
export function isRightTemplate(spec: JsonObject): boolean {
  return right.has(spec);
}

function validatePolicies(spec: JsonObject, path: string, errors: FieldError[]): void {
  for (const [field, allowed] of POLICIES)
    if (!allowed.includes(asText(spec[field]) ?? '')) errors.push(notSupported(`${path}.${field}`, spec[field], allowed));
}

const POLICIES: readonly (readonly [field: string, allowed: readonly string[]])[] = [
  ['restartPolicy', ['Always', 'OnFailure', 'Never']],
  ['dnsPolicy', ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']],
];

function validateName(value: Json | undefined, field: string, check: (name: string) => readonly string[], errors: FieldError[]): void {
  const name = asText(value) ?? '';
  if (name !== '') addWrong(errors, field, name, check(name));
}

/** In a template a host port may be left out: it is filled in when the pod is made. */
function validateHostNetworkPorts(spec: JsonObject, path: string, errors: FieldError[]): void {
  if (spec['hostNetwork'] !== true) return;
  for (const [index, container] of asList(spec['containers']).entries()) {
    for (const [place, port] of asList(dig(container, 'ports')).entries()) {
      const [host, own] = [asNumber(dig(port, 'hostPort')), asNumber(dig(port, 'containerPort'))];
      if (host !== own && (path === 'spec' || (host ?? 0) !== 0))
        errors.push(
          invalidValue(
            `${path}.containers[${index}].ports[${place}].hostPort`,
            host ?? 0,
            'must match `containerPort` when `hostNetwork` is true',
          ),
        );
    }
  }
}

const SEARCHES = 32;
const SEARCH_LENGTH = 2048;

function validateDns(spec: JsonObject, path: string, errors: FieldError[]): void {
  const config = spec['dnsConfig'];
  const nameservers = asList(dig(config, 'nameservers'));
  if (spec['dnsPolicy'] === 'None' && config === undefined)
    return void errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
  if (spec['dnsPolicy'] === 'None' && nameservers.length === 0)
    return void errors.push(required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
  if (nameservers.length > 3) errors.push(invalidValue(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers'));
  for (const [index, server] of nameservers.entries()) validateAddress(server, `${path}.nameservers[${index}]`, errors);
  const searches = asList(dig(config, 'searches'));
  if (searches.length > SEARCHES)
    errors.push(invalidValue(`${path}.searches`, searches, `must not have more than ${SEARCHES} search paths`));
  if (searches.map(textOf).join(' ').length > SEARCH_LENGTH)
    errors.push(
      invalidValue(
        `${path}.searches`,
        searches,
        `must not have more than ${SEARCH_LENGTH} characters (including spaces) in the search list`,
      ),
    );
  for (const [index, search] of searches.entries())
    if (search !== '.') addWrong(errors, `${path}.searches[${index}]`, search, checkSearchPath((asText(search) ?? '').replace(/\.$/, '')));
  for (const [index, option] of asList(dig(config, 'options')).entries())
    if ((asText(dig(option, 'name')) ?? '') === '') errors.push(required(`${path}.options[${index}]`, 'must not be empty'));
}

function validateHostAliases(aliases: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [index, alias] of asList(aliases).entries()) {
    validateAddress(dig(alias, 'ip'), `${path}[${index}].ip`, errors);
    for (const [place, name] of asList(dig(alias, 'hostnames')).entries())
      addWrong(errors, `${path}[${index}].hostnames[${place}]`, name, checkSubdomain(asText(name) ?? ''));
  }
}

const LINUX_ONLY: readonly string[] = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
];

/** The operating system a pod says it is for, and what is not for it. */
function validateSystem(spec: JsonObject, path: string, errors: FieldError[]): void {
  if (spec['os'] === undefined) return;
  const name = asText(dig(spec, 'os', 'name')) ?? '';
  if (name === '') errors.push(required(`${path}.os.name`));
  else validateChoice(name, `${path}.os`, ['linux', 'windows'], errors);
  const context = asObject(spec['securityContext']);
  if (name === 'linux' && context['windowsOptions'] !== undefined)
    errors.push(forbiddenField(`${path}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod'));
  if (name === 'windows')
    for (const field of LINUX_ONLY)
      if (isSet(digAt(spec, field.split('.')), field)) errors.push(forbiddenField(`${path}.${field}`, 'cannot be set for a windows pod'));
  validateContainerSystems(spec, name, path, errors);
}

/** Of what Go has no pointer to, zero is nothing. */
function isSet(value: Json | undefined, field: string): boolean {
  return (
    value !== undefined &&
    !(value === false && /^host(?:PID|IPC)$/.test(field)) &&
    !(field.endsWith('sysctls') && asList(value).length === 0)
  );
}

function validateContainerSystems(spec: JsonObject, name: string, path: string, errors: FieldError[]): void {
  const [fields, words] =
    name === 'windows'
      ? [LINUX_ONLY_IN_CONTAINERS, 'cannot be set for a windows pod']
      : [['windowsOptions'], 'windows options cannot be set for a linux pod'];
  if (name !== 'windows' && name !== 'linux') return;
  for (const list of CONTAINERS)
    for (const [index, container] of asList(spec[list]).entries())
      for (const field of fields)
        if (dig(container, 'securityContext', field) !== undefined)
          errors.push(forbiddenField(`${path}.${list}[${index}].securityContext.${field}`, words));
}

/** Source: the same (validateWindows). */
const LINUX_ONLY_IN_CONTAINERS: readonly string[] = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** Source: the same (validatePodResourceName). */
function validatePodResourceName(name: string, field: string, errors: FieldError[]): void {
  const wrong = checkQualifiedName(name);
  addWrong(errors, field, name, wrong);
  const isStandard = name.includes('/') || STANDARD_RESOURCES.includes(name) || name.startsWith('hugepages-');
  if (wrong.length === 0 && !isStandard) errors.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
  else if (wrong.length === 0 && name !== 'cpu' && name !== 'memory' && !name.startsWith('hugepages-'))
    errors.push(notSupported(field, name, ['cpu', 'hugepages-', 'memory']));
}

/** Source: the same (validatePodHostName). */
function validateHostnameOverride(spec: JsonObject, field: string, errors: FieldError[]): void {
  const name = asText(spec['hostnameOverride']);
  if (name === undefined) return;
  if (spec['setHostnameAsFQDN'] === true) errors.push(forbiddenField(field, 'may not be specified when setHostnameAsFQDN is true'));
  if (spec['hostNetwork'] === true) errors.push(forbiddenField(field, 'may not be specified when hostNetwork is true'));
  if (name.length > 64) errors.push(tooLong(field, 64));
  addWrong(errors, field, name, checkSubdomain(name));
}

/** What a pod as a whole asks for covers what its containers ask for. Source: the same (validatePodResources). */
function validatePodResources(spec: JsonObject, claims: ReadonlySet<string>, path: string, errors: FieldError[]): void {
  const resources = spec['resources'];
  if (!isJsonObject(resources)) return;
  const own = `${path}.resources`;
  if (dig(spec, 'os', 'name') === 'windows') return void errors.push(forbiddenField(own, 'may not be set for a windows pod'));
  if (resources['claims'] !== undefined) errors.push(forbiddenField(`${own}.claims`, 'claims may not be set for Resources at pod-level'));
  validateResources(resources, own, errors, validatePodResourceName);
  validateUses(asList(resources['claims']), claims, `${own}.claims`, errors);
  validateTogether(spec, resources, own, errors);
}

/** Source: the same (validatePodResourceConsistency). */
function validateTogether(spec: JsonObject, resources: JsonObject, own: string, errors: FieldError[]): void {
  for (const kind of ['requests', 'limits'] as const)
    for (const [name, sum] of amountsOfContainers(spec, kind)) {
      const given = dig(resources, kind, name);
      if ((kind === 'requests' || name.startsWith('hugepages-')) && sum > (parseQuantity(given) ?? sum))
        errors.push(
          invalidValue(
            `${own}.${kind}[${name}]`,
            given,
            `must be greater than or equal to aggregate container ${kind} of ${formatQuantity(sum, name === 'cpu' ? 'decimal' : 'bytes')}`,
          ),
        );
    }
  for (const [index, container] of asList(spec['containers']).entries())
    for (const [name, limit] of Object.entries(asObject(dig(container, 'resources', 'limits')))) {
      const most = dig(resources, 'limits', name);
      if (most !== undefined && (parseQuantity(limit) ?? 0n) > (parseQuantity(most) ?? 0n))
        errors.push(
          invalidValue(`${own}.containers[${index}][${name}].limits`, limit, `must be less than or equal to pod limits of ${textOf(most)}`),
        );
    }
}
