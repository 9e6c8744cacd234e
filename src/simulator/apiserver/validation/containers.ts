import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, forbiddenField, invalidValue, notFoundValue, notSupported, required } from './field-error.ts';
import { validateFieldRef, validateResourceRef } from './downward.ts';
import { checkConfigKey, checkEnvName, checkLabelName, checkPort, checkPortName, checkQualifiedName, checkSubdomain } from './names.ts';

/**
 * The containers of a pod, in the order upstream looks at them.
 * Source: pkg/apis/core/validation/validation.go (validateContainers, validateContainerCommon, validateInitContainers).
 */
export function validateContainers(spec: JsonObject, volumes: ReadonlyMap<string, JsonObject>, path: string, errors: FieldError[]): void {
  const containers = asList(spec['containers']);
  const names = new Set<string>();
  const around: Around = { volumes, names, graceSeconds: asNumber(spec['terminationGracePeriodSeconds']) };
  if (containers.length === 0) errors.push(required(`${path}.containers`));
  for (const [index, container] of containers.entries()) validateContainer(asObject(container), `${path}.containers[${index}]`, around, errors, 'main');
  validateHostPorts(containers, `${path}.containers`, errors);
  for (const [index, container] of asList(spec['initContainers']).entries()) validateContainer(asObject(container), `${path}.initContainers[${index}]`, around, errors, 'init');
}

interface Around {
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly names: Set<string>;
  readonly graceSeconds: number | undefined;
}

function validateContainer(container: JsonObject, path: string, around: Around, errors: FieldError[], kind: 'main' | 'init'): void {
  const name = asText(container['name']) ?? '';
  if (name === '') errors.push(required(`${path}.name`));
  else for (const words of checkLabelName(name)) errors.push(invalidValue(`${path}.name`, name, words));
  const image = asText(container['image']) ?? '';
  if (image === '') errors.push(required(`${path}.image`));
  else if (path.startsWith('spec.') && !path.startsWith('spec.template') && image.trim() !== image) errors.push(invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  const policy = asText(container['terminationMessagePolicy']) ?? '';
  if (policy !== '' && !['File', 'FallbackToLogsOnError'].includes(policy)) errors.push(notSupported(`${path}.terminationMessagePolicy`, policy, ['File', 'FallbackToLogsOnError']));
  validatePorts(container['ports'], `${path}.ports`, errors);
  validateEnv(container, path, errors);
  validateMounts(container['volumeMounts'], `${path}.volumeMounts`, around.volumes, errors);
  const pull = asText(container['imagePullPolicy']) ?? '';
  if (pull === '') errors.push(required(`${path}.imagePullPolicy`));
  else if (!['Always', 'IfNotPresent', 'Never'].includes(pull)) errors.push(notSupported(`${path}.imagePullPolicy`, pull, ['Always', 'IfNotPresent', 'Never']));
  validateResources(asObject(container['resources']), `${path}.resources`, errors);
  validateSecurityContext(container['securityContext'], `${path}.securityContext`, errors);
  if (around.names.has(name) && name !== '') errors.push(duplicate(`${path}.name`, name));
  around.names.add(name);
  const restart = asText(container['restartPolicy']);
  if (restart !== undefined && !['Always', 'Never', 'OnFailure'].includes(restart)) errors.push(notSupported(`${path}.restartPolicy`, restart, ['Always', 'Never', 'OnFailure']));
  const sidecar = restart === 'Always';
  if (kind === 'init' && !sidecar) {
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) if (container[field] !== undefined) errors.push(forbiddenField(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always'));
    return;
  }
  validateLifecycle(container['lifecycle'], `${path}.lifecycle`, around.graceSeconds, errors);
  validateProbe(container['livenessProbe'], `${path}.livenessProbe`, errors, 'once');
  validateProbe(container['readinessProbe'], `${path}.readinessProbe`, errors, 'often');
  validateProbe(container['startupProbe'], `${path}.startupProbe`, errors, 'once');
}

function validatePorts(ports: Json | undefined, path: string, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, entry] of asList(ports).entries()) {
    const port = asObject(entry);
    const field = `${path}[${index}]`;
    const name = asText(port['name']) ?? '';
    if (name !== '') {
      const wrong = checkPortName(name);
      for (const words of wrong) errors.push(invalidValue(`${field}.name`, name, words));
      if (wrong.length === 0 && names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    const number = asNumber(port['containerPort']) ?? 0;
    if (number === 0) errors.push(required(`${field}.containerPort`));
    else for (const words of checkPort(number)) errors.push(invalidValue(`${field}.containerPort`, number, words));
    const host = asNumber(port['hostPort']) ?? 0;
    if (host !== 0) for (const words of checkPort(host)) errors.push(invalidValue(`${field}.hostPort`, host, words));
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
    if (name === '') errors.push(required(`${field}.name`));
    else for (const words of checkEnvName(name)) errors.push(invalidValue(`${field}.name`, name, words));
    const from = dig(entry, 'valueFrom');
    if (!isJsonObject(from)) continue;
    const given = SOURCES.filter((source) => from[source] !== undefined);
    validateFieldRef(from['fieldRef'], `${field}.valueFrom.fieldRef`, errors);
    validateResourceRef(from['resourceFieldRef'], `${field}.valueFrom.resourceFieldRef`, errors);
    if (given.length === 0) errors.push(invalidValue(`${field}.valueFrom`, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'));
    else if (value !== '') errors.push(invalidValue(`${field}.valueFrom`, '', 'may not be specified when `value` is not empty'));
    else if (given.length > 1) errors.push(invalidValue(`${field}.valueFrom`, '', 'may not have more than one field specified at a time'));
    for (const source of ['configMapKeyRef', 'secretKeyRef']) {
      const ref = from[source];
      if (!isJsonObject(ref)) continue;
      for (const words of checkSubdomain(asText(ref['name']) ?? '')) errors.push(invalidValue(`${field}.valueFrom.${source}.name`, asText(ref['name']) ?? '', words));
      const key = asText(ref['key']) ?? '';
      if (key === '') errors.push(required(`${field}.valueFrom.${source}.key`));
      else for (const words of checkConfigKey(key)) errors.push(invalidValue(`${field}.valueFrom.${source}.key`, key, words));
    }
  }
  validateEnvFrom(container['envFrom'], path, errors);
}

/** What is wrong with the sources as such is said of the list. */
function validateEnvFrom(sources: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [index, entry] of asList(sources).entries()) {
    const prefix = asText(dig(entry, 'prefix')) ?? '';
    if (prefix !== '') for (const words of checkEnvName(prefix)) errors.push(invalidValue(`${path}.envFrom[${index}].prefix`, prefix, words));
    const given = ['configMapRef', 'secretRef'].filter((source) => dig(entry, source) !== undefined);
    for (const source of given) {
      const name = asText(dig(entry, source, 'name')) ?? '';
      if (name === '') errors.push(required(`${path}.envFrom[${index}].${source}.name`));
      else for (const words of checkSubdomain(name)) errors.push(invalidValue(`${path}.envFrom[${index}].${source}.name`, name, words));
    }
    if (given.length === 0) errors.push(invalidValue(`${path}.envFrom`, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (given.length > 1) errors.push(invalidValue(`${path}.envFrom`, '', 'may not have more than one field specified at a time'));
  }
}

function validateMounts(mounts: Json | undefined, path: string, volumes: ReadonlyMap<string, JsonObject>, errors: FieldError[]): void {
  const paths = new Set<string>();
  for (const [index, entry] of asList(mounts).entries()) {
    const field = `${path}[${index}]`;
    const [name, mountPath] = [asText(dig(entry, 'name')) ?? '', asText(dig(entry, 'mountPath')) ?? ''];
    if (name === '') errors.push(required(`${field}.name`));
    if (!volumes.has(name)) errors.push(notFoundValue(`${field}.name`, name));
    if (mountPath === '') errors.push(required(`${field}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalidValue(`${field}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    const subPath = asText(dig(entry, 'subPath')) ?? '';
    const subPathExpr = asText(dig(entry, 'subPathExpr')) ?? '';
    if (subPath !== '') validateDescending(subPath, `${path}.subPath`, errors);
    if (subPathExpr === '') continue;
    if (subPath !== '') errors.push(invalidValue(`${field}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
    validateDescending(subPathExpr, `${path}.subPathExpr`, errors);
  }
}

/** Source: validateLocalDescendingPath. Of mounts the field is named without an index. */
function validateDescending(path: string, field: string, errors: FieldError[]): void {
  if (path.startsWith('/')) errors.push(invalidValue(field, path, 'must be a relative path'));
  if (path.split('/').includes('..')) errors.push(invalidValue(field, path, "must not contain '..'"));
}

/** Source: ValidateContainerResources: limits first, then requests against them. */
function validateResources(resources: JsonObject, path: string, errors: FieldError[]): void {
  const limits = asObject(resources['limits']);
  const requests = asObject(resources['requests']);
  for (const [name, value] of Object.entries(limits)) validateAmount(name, value, `${path}.limits`, errors);
  for (const [name, value] of Object.entries(requests)) {
    validateAmount(name, value, `${path}.requests`, errors);
    const [request, limit] = [parseQuantity(value), parseQuantity(limits[name])];
    const whole = !isNative(name) || name.startsWith('hugepages-');
    if (limits[name] !== undefined && request !== undefined && limit !== undefined) {
      if (whole && request !== limit) errors.push(invalidValue(`${path}.requests`, value, `must be equal to ${name} limit of ${textOf(limits[name])}`));
      else if (request > limit) errors.push(invalidValue(`${path}.requests`, value, `must be less than or equal to ${name} limit of ${textOf(limits[name])}`));
    } else if (whole && limits[name] === undefined) errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
  }
}

const STANDARD: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
/** Names of resources that are none of containers. Source: pkg/apis/core/helper/helpers.go (standardResources). */
const KNOWN: readonly string[] = ['requests.cpu', 'requests.memory', 'requests.ephemeral-storage', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage', 'pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps', 'persistentvolumeclaims', 'storage', 'requests.storage', 'services.nodeports', 'services.loadbalancers'];

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function validateAmount(name: string, value: Json | undefined, path: string, errors: FieldError[]): void {
  const field = `${path}[${name}]`;
  for (const words of checkQualifiedName(name)) errors.push(invalidValue(path, name, words));
  if (!name.includes('/') && !STANDARD.includes(name) && !name.startsWith('hugepages-')) {
    if (!KNOWN.includes(name)) errors.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
    errors.push(invalidValue(field, name, 'must be a standard resource for containers'));
  }
  const amount = parseQuantity(value);
  if (amount !== undefined && amount < 0n) errors.push(invalidValue(field, value, 'must be greater than or equal to 0'));
  if (amount !== undefined && !isNative(name) && amount % 1_000_000_000n !== 0n) errors.push(invalidValue(field, value, 'must be an integer'));
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
  if (grace !== undefined && grace <= 0) errors.push(invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  if (grace !== undefined && successes === 'often') errors.push(invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes'));
  if (successes === 'once' && (asNumber(probe['successThreshold']) ?? 1) !== 1) errors.push(invalidValue(`${path}.successThreshold`, probe['successThreshold'], 'must be 1'));
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
  if (kind === 'httpGet' && (asText(action['path']) ?? '') === '') errors.push(required(`${path}.path`));
  const port = action['port'];
  if (typeof port === 'string') for (const words of checkPortName(port)) errors.push(invalidValue(`${path}.port`, port, words));
  else if (kind !== 'sleep') for (const words of checkPort(asNumber(port) ?? 0)) errors.push(invalidValue(`${path}.port`, port ?? 0, words));
  if (kind === 'httpGet' && !['HTTP', 'HTTPS'].includes(asText(action['scheme']) ?? '')) errors.push(notSupported(`${path}.scheme`, action['scheme'], ['HTTP', 'HTTPS']));
}

function validateLifecycle(lifecycle: Json | undefined, path: string, graceSeconds: number | undefined, errors: FieldError[]): void {
  for (const hook of ['postStart', 'preStop']) {
    const handler = dig(lifecycle, hook);
    if (!isJsonObject(handler)) continue;
    validateHandler(handler, `${path}.${hook}`, errors, ['exec', 'httpGet', 'tcpSocket', 'sleep']);
    const seconds = asNumber(dig(handler, 'sleep', 'seconds'));
    if (seconds !== undefined && graceSeconds !== undefined && (seconds < 0 || seconds > graceSeconds)) errors.push(invalidValue(`${path}.${hook}.sleep`, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`));
  }
}

function validateSecurityContext(context: Json | undefined, path: string, errors: FieldError[]): void {
  if (!isJsonObject(context)) return;
  for (const field of ['runAsUser', 'runAsGroup']) {
    const id = asNumber(context[field]);
    if (id !== undefined && (id < 0 || id > 2_147_483_647)) errors.push(invalidValue(`${path}.${field}`, id, 'must be between 0 and 2147483647, inclusive'));
  }
  if (context['allowPrivilegeEscalation'] !== false) return;
  if (context['privileged'] === true) errors.push(invalidValue(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
  if (asList(dig(context, 'capabilities', 'add')).includes('CAP_SYS_ADMIN')) errors.push(invalidValue(path, context, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
}

