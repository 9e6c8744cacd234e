import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { FieldError } from './field-error.ts';
import {
  addWrong,
  addWrongOrMissing,
  duplicate,
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  tooMany,
} from './field-error.ts';
import { validateFieldRef, validateResourceRef } from './downward.ts';
import { validateDevices, validateMounts } from './mounts.ts';
import { checkConfigKey, checkEnvName, checkLabelName, checkPort, checkPortName, checkSubdomain } from './names.ts';
import { validateUses } from './pod-device-claims.ts';
import { validateChoice } from './request-rules.ts';
import { validateResizes, validateResources } from './resources.ts';
import { validateContainerSecurity } from './security-context.ts';

/**
 * The containers of a pod, in the order upstream looks at them.
 * Source: pkg/apis/core/validation/validation.go (validateContainers, validateContainerCommon, validateInitContainers).
 */
export function validateContainers(
  spec: JsonObject,
  { volumes, claims }: Pick<Around, 'volumes' | 'claims'>,
  path: string,
  errors: FieldError[],
): void {
  const containers = asList(spec['containers']);
  const names = new Set<string>();
  const around: Around = {
    volumes,
    claims,
    names,
    graceSeconds: asNumber(spec['terminationGracePeriodSeconds']),
    hostUsers: spec['hostUsers'] !== false,
    neverRestarts: spec['restartPolicy'] === 'Never',
  };
  if (containers.length === 0) errors.push(required(`${path}.containers`));
  for (const [index, container] of containers.entries())
    validateContainer(asObject(container), `${path}.containers[${index}]`, around, errors, 'main');
  validateHostPorts(containers, `${path}.containers`, errors);
  for (const [index, container] of asList(spec['initContainers']).entries())
    validateContainer(asObject(container), `${path}.initContainers[${index}]`, around, errors, 'init');
  const targets = new Set(names);
  for (const [index, container] of asList(spec['ephemeralContainers']).entries())
    validateEphemeral(asObject(container), `${path}.ephemeralContainers[${index}]`, around, targets, errors);
}

/** Source: the same (validateEphemeralContainers). */
function validateEphemeral(container: JsonObject, path: string, around: Around, targets: ReadonlySet<string>, errors: FieldError[]): void {
  validateCommon(container, path, around, errors);
  const [name, target] = [asText(container['name']) ?? '', asText(container['targetContainerName']) ?? ''];
  if (around.names.has(name)) errors.push(duplicate(`${path}.name`, name));
  around.names.add(name);
  if (target !== '' && !targets.has(target)) errors.push(notFoundValue(`${path}.targetContainerName`, target));
  for (const field of NOT_EPHEMERAL)
    if (isGiven(field, container[field])) errors.push(forbiddenField(`${path}.${field}`, 'cannot be set for an Ephemeral Container'));
  for (const [index, mount] of asList(container['volumeMounts']).entries())
    for (const field of ['subPath', 'subPathExpr'])
      if ((asText(dig(mount, field)) ?? '') !== '')
        errors.push(forbiddenField(`${path}.volumeMounts[${index}].${field}`, 'cannot be set for an Ephemeral Container'));
}

const NOT_EPHEMERAL: readonly string[] = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];

/** More than a list or resources of nothing. */
function isGiven(field: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  return (field !== 'resources' && !Array.isArray(value)) || Object.keys(value).length > 0;
}

interface Around {
  readonly volumes: ReadonlyMap<string, JsonObject>;
  /** Names of the pod's claims for devices. */
  readonly claims: ReadonlySet<string>;
  readonly names: Set<string>;
  readonly graceSeconds: number | undefined;
  readonly hostUsers: boolean;
  readonly neverRestarts: boolean;
}

/** What every container must be. Source: the same (validateContainerCommon). */
function validateCommon(container: JsonObject, path: string, around: Around, errors: FieldError[]): void {
  const name = asText(container['name']) ?? '';
  addWrongOrMissing(errors, `${path}.name`, name, checkLabelName);
  validateImage(asText(container['image']) ?? '', path, errors);
  const policy = asText(container['terminationMessagePolicy']) ?? '';
  if (policy !== '' && !['File', 'FallbackToLogsOnError'].includes(policy))
    errors.push(notSupported(`${path}.terminationMessagePolicy`, policy, ['File', 'FallbackToLogsOnError']));
  validatePorts(container['ports'], `${path}.ports`, errors);
  validateEnv(container, path, errors);
  validateMounts(container, path, around.volumes, errors);
  validateDevices(container, path, around.volumes, errors);
  validatePull(asText(container['imagePullPolicy']) ?? '', `${path}.imagePullPolicy`, errors);
  validateResources(asObject(container['resources']), `${path}.resources`, errors);
  validateUses(asList(dig(container, 'resources', 'claims')), around.claims, `${path}.resources.claims`, errors);
  validateResizes(asList(container['resizePolicy']), `${path}.resizePolicy`, around.neverRestarts, errors);
  validateContainerSecurity(container['securityContext'], `${path}.securityContext`, around.hostUsers, errors);
}

function validateContainer(container: JsonObject, path: string, around: Around, errors: FieldError[], kind: 'main' | 'init'): void {
  validateCommon(container, path, around, errors);
  const name = asText(container['name']) ?? '';
  if (kind === 'init') validateRestart(container, path, errors);
  if (around.names.has(name) && (name !== '' || kind === 'main')) errors.push(duplicate(`${path}.name`, name));
  around.names.add(name);
  if (kind === 'init') validateHostPorts([container], path.replace(/\[\d+\]$/, ''), errors);
  const sidecar = container['restartPolicy'] === 'Always';
  if (kind === 'init' && !sidecar) {
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'])
      if (container[field] !== undefined)
        errors.push(forbiddenField(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always'));
    for (const [index, rule] of asList(container['resizePolicy']).entries())
      if (dig(rule, 'restartPolicy') === 'RestartContainer')
        errors.push(
          invalidValue(
            `${path}.resizePolicy[${index}].restartPolicy`,
            'RestartContainer',
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        );
    return;
  }
  validateLifecycle(container['lifecycle'], `${path}.lifecycle`, around.graceSeconds, errors);
  validateProbe(container['livenessProbe'], `${path}.livenessProbe`, errors, 'once');
  validateProbe(container['readinessProbe'], `${path}.readinessProbe`, errors, 'often');
  validateProbe(container['startupProbe'], `${path}.startupProbe`, errors, 'once');
  if (kind === 'main') validateRestart(container, path, errors);
}

const MOST_RULES = 20;
const MOST_CODES = 255;
const RESTARTS: readonly string[] = ['Always', 'Never', 'OnFailure'];
const ACTIONS: readonly string[] = ['Restart', 'RestartAllContainers'];

/** Source: the same (validateContainerRestartPolicy). */
function validateRestart(container: JsonObject, path: string, errors: FieldError[]): void {
  const [restart, rules] = [asText(container['restartPolicy']), asList(container['restartPolicyRules'])];
  if (restart === undefined && rules.length > 0)
    errors.push(required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  if (restart !== undefined) validateChoice(restart, `${path}.restartPolicy`, RESTARTS, errors);
  if (restart === undefined && path.includes('.initContainers[')) return;
  if (rules.length > MOST_RULES) errors.push(tooMany(`${path}.restartPolicyRules`, rules.length, MOST_RULES));
  for (const [index, rule] of rules.entries()) {
    const field = `${path}.restartPolicyRules[${index}]`;
    validateChoice(asText(dig(rule, 'action')) ?? '', `${field}.action`, ACTIONS, errors);
    if (dig(rule, 'exitCodes') === undefined) errors.push(required(`${field}.exitCodes`, 'must be specified'));
    else validateChoice(asText(dig(rule, 'exitCodes', 'operator')) ?? '', `${field}.exitCodes.operator`, ['In', 'NotIn'], errors);
    const codes = asList(dig(rule, 'exitCodes', 'values')).length;
    if (codes > MOST_CODES) errors.push(tooMany(`${field}.exitCodes.values`, codes, MOST_CODES));
  }
}

/** Source: the same (validateContainerCommon, ValidateContainerUpdates). */
export function validateImage(image: string, path: string, errors: FieldError[]): void {
  if (image === '') errors.push(required(`${path}.image`));
  else if (/^spec\.(?!template|jobTemplate)/.test(path) && image.trim() !== image)
    errors.push(invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'));
}

function validatePull(policy: string, field: string, errors: FieldError[]): void {
  if (policy === '') errors.push(required(field));
  else if (!PULL_POLICIES.includes(policy)) errors.push(notSupported(field, policy, PULL_POLICIES));
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

function validatePorts(ports: Json | undefined, path: string, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, entry] of asList(ports).entries()) {
    const port = asObject(entry);
    const field = `${path}[${index}]`;
    const name = asText(port['name']) ?? '';
    if (name !== '') {
      const wrong = checkPortName(name);
      addWrong(errors, `${field}.name`, name, wrong);
      if (wrong.length === 0 && names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    const number = asNumber(port['containerPort']) ?? 0;
    if (number === 0) errors.push(required(`${field}.containerPort`));
    else addWrong(errors, `${field}.containerPort`, number, checkPort(number));
    const host = asNumber(port['hostPort']) ?? 0;
    if (host !== 0) addWrong(errors, `${field}.hostPort`, host, checkPort(host));
    const protocol = asText(port['protocol']) ?? '';
    if (protocol === '') errors.push(required(`${field}.protocol`));
    else if (!['TCP', 'UDP', 'SCTP'].includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
  }
}

function validateHostPorts(containers: readonly Json[], path: string, errors: FieldError[]): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [place, port] of asList(dig(container, 'ports')).entries()) {
      const host = asNumber(dig(port, 'hostPort')) ?? 0;
      if (host === 0) continue;
      const key = `${textOf(dig(port, 'protocol'))}/${asText(dig(port, 'hostIP')) ?? ''}/${host}`;
      if (taken.has(key)) errors.push(duplicate(`${path}[${index}].ports[${place}].hostPort`, key));
      taken.add(key);
    }
  }
}

const SOURCES: readonly string[] = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function validateEnv(container: JsonObject, path: string, errors: FieldError[]): void {
  for (const [index, entry] of asList(container['env']).entries()) {
    const field = `${path}.env[${index}]`;
    const [name, value] = [asText(dig(entry, 'name')) ?? '', asText(dig(entry, 'value')) ?? ''];
    addWrongOrMissing(errors, `${field}.name`, name, checkEnvName);
    const from = dig(entry, 'valueFrom');
    if (!isJsonObject(from)) continue;
    const given = SOURCES.filter((source) => from[source] !== undefined);
    validateFieldRef(from['fieldRef'], `${field}.valueFrom.fieldRef`, errors);
    validateResourceRef(from['resourceFieldRef'], `${field}.valueFrom.resourceFieldRef`, errors);
    for (const source of ['configMapKeyRef', 'secretKeyRef']) {
      const ref = from[source];
      if (!isJsonObject(ref)) continue;
      addWrong(errors, `${field}.valueFrom.${source}.name`, asText(ref['name']) ?? '', checkSubdomain(asText(ref['name']) ?? ''));
      const key = asText(ref['key']) ?? '';
      addWrongOrMissing(errors, `${field}.valueFrom.${source}.key`, key, checkConfigKey);
    }
    validateFileKey(from['fileKeyRef'], `${field}.valueFrom.fileKeyRef`, errors);
    if (given.length === 0)
      errors.push(
        invalidValue(
          `${field}.valueFrom`,
          '',
          'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
        ),
      );
    else if (value !== '') errors.push(invalidValue(`${field}.valueFrom`, '', 'may not be specified when `value` is not empty'));
    else if (given.length > 1) errors.push(invalidValue(`${field}.valueFrom`, '', 'may not have more than one field specified at a time'));
  }
  validateEnvFrom(container['envFrom'], path, errors);
}

/** Source: the same (validateFileKeySelector). */
function validateFileKey(key: Json | undefined, field: string, errors: FieldError[]): void {
  if (!isJsonObject(key)) return;
  const [name, volume, file] = ['key', 'volumeName', 'path'].map((one) => asText(key[one]) ?? '') as [string, string, string];
  addWrongOrMissing(errors, `${field}.key`, name, checkEnvName);
  addWrongOrMissing(errors, `${field}.volumeName`, volume, checkLabelName);
  if (file === '') errors.push(required(`${field}.path`));
  else if (file.split('/').includes('..')) errors.push(invalidValue(`${field}.path`, file, "must not contain '..'"));
}

/** Files with variables lie in volumes of the pod that are empty at first. Source: the same (validateFileKeyRefVolumes). */
export function validateFileVolumes(spec: JsonObject, path: string, errors: FieldError[]): void {
  const volumes = new Map(asList(spec['volumes']).map((volume) => [asText(dig(volume, 'name')) ?? '', volume]));
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const [index, container] of asList(spec[list]).entries())
      for (const [place, entry] of asList(dig(container, 'env')).entries()) {
        const key = dig(entry, 'valueFrom', 'fileKeyRef');
        if (key === undefined) continue;
        const [field, name] = [
          `${path}.${list}[${index}].env[${place}].valueFrom.fileKeyRef.volumeName`,
          asText(dig(key, 'volumeName')) ?? '',
        ];
        const volume = volumes.get(name);
        if (volume === undefined) errors.push(notFoundValue(field, name));
        else if (dig(volume, 'emptyDir') === undefined)
          errors.push(invalidValue(field, name, 'referenced volume must be of type emptyDir'));
      }
}

/** What is wrong with the sources as such is said of the list. */
function validateEnvFrom(sources: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [index, entry] of asList(sources).entries()) {
    const prefix = asText(dig(entry, 'prefix')) ?? '';
    if (prefix !== '') addWrong(errors, `${path}.envFrom[${index}].prefix`, prefix, checkEnvName(prefix));
    const given = ['configMapRef', 'secretRef'].filter((source) => dig(entry, source) !== undefined);
    for (const source of given) {
      const name = asText(dig(entry, source, 'name')) ?? '';
      addWrongOrMissing(errors, `${path}.envFrom[${index}].${source}.name`, name, checkSubdomain);
    }
    if (given.length === 0) errors.push(invalidValue(`${path}.envFrom`, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (given.length > 1) errors.push(invalidValue(`${path}.envFrom`, '', 'may not have more than one field specified at a time'));
  }
}

const HANDLERS: readonly string[] = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

function validateProbe(probe: Json | undefined, path: string, errors: FieldError[], successes: 'once' | 'often'): void {
  if (!isJsonObject(probe)) return;
  validateHandler(probe, path, errors, HANDLERS);
  for (const field of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']) {
    const value = asNumber(probe[field]) ?? 0;
    if (value < 0) errors.push(invalidValue(`${path}.${field}`, value, 'must be greater than or equal to 0'));
  }
  const grace = asNumber(probe['terminationGracePeriodSeconds']);
  if (grace !== undefined && grace <= 0)
    errors.push(invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  if (grace !== undefined && successes === 'often')
    errors.push(invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes'));
  if (successes === 'once' && (asNumber(probe['successThreshold']) ?? 1) !== 1)
    errors.push(invalidValue(`${path}.successThreshold`, probe['successThreshold'], 'must be 1'));
}

function validateHandler(handler: JsonObject, path: string, errors: FieldError[], kinds: readonly string[]): void {
  let count = 0;
  for (const kind of kinds) {
    const value = handler[kind];
    if (value === undefined) continue;
    if (count > 0) errors.push(forbiddenField(`${path}.${kind}`, 'may not specify more than 1 handler type'));
    else validateAction(asObject(value), kind, `${path}.${kind}`, errors);
    count++;
  }
  if (count === 0) errors.push(required(path, 'must specify a handler type'));
}

function validateAction(action: JsonObject, kind: string, path: string, errors: FieldError[]): void {
  if (kind === 'exec') {
    if (asList(action['command']).length === 0) errors.push(required(`${path}.command`));
    return;
  }
  const isHttp = kind === 'httpGet';
  if (isHttp && (asText(action['path']) ?? '') === '') errors.push(required(`${path}.path`));
  const port = action['port'];
  if (typeof port === 'string') addWrong(errors, `${path}.port`, port, checkPortName(port));
  else if (kind !== 'sleep') addWrong(errors, `${path}.port`, port ?? 0, checkPort(asNumber(port) ?? 0));
  if (!isHttp) return;
  if (!['HTTP', 'HTTPS'].includes(asText(action['scheme']) ?? ''))
    errors.push(notSupported(`${path}.scheme`, action['scheme'], ['HTTP', 'HTTPS']));
  validateHeaders(asList(action['httpHeaders']), path, errors);
}

function validateHeaders(headers: readonly Json[], path: string, errors: FieldError[]): void {
  for (const header of headers) {
    const name = asText(dig(header, 'name')) ?? '';
    if (!/^[-A-Za-z0-9]+$/.test(name))
      errors.push(
        invalidValue(
          `${path}.httpHeaders`,
          name,
          "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
        ),
      );
  }
}

function validateLifecycle(lifecycle: Json | undefined, path: string, graceSeconds: number | undefined, errors: FieldError[]): void {
  for (const hook of ['postStart', 'preStop']) {
    const handler = dig(lifecycle, hook);
    if (!isJsonObject(handler)) continue;
    validateHandler(handler, `${path}.${hook}`, errors, ['exec', 'httpGet', 'tcpSocket', 'sleep']);
    // Of a second handler it is only said that it is too much.
    const isSecond = ['exec', 'httpGet', 'tcpSocket'].some((kind) => handler[kind] !== undefined);
    const seconds = isSecond ? undefined : asNumber(dig(handler, 'sleep', 'seconds'));
    if (seconds !== undefined && graceSeconds !== undefined && (seconds < 0 || seconds > graceSeconds))
      errors.push(
        invalidValue(
          `${path}.${hook}.sleep`,
          seconds,
          `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`,
        ),
      );
  }
}
