import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, isJsonObject } from '../../../base/json.ts';
import { own } from '../../../base/own-property.ts';
import { mapShared, withDefaults, withFields } from '../../../base/json-edit.ts';
import { amountsOfContainers, isOfPods, quantityText } from '../quota-usage.ts';
import { SOURCE_DEFAULTS } from './volume-sources.ts';

/**
 * What the API server fills in where a pod says nothing. A spec that was filled in once is known and left alone.
 * Source: pkg/apis/core/v1/defaults.go.
 */
export function defaultPodSpec(given: JsonObject): JsonObject {
  if (defaulted.has(given)) return given;
  let spec = withDefaults(given, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  const hostNetwork = spec['hostNetwork'] === true;
  for (const field of ['initContainers', 'containers', 'ephemeralContainers']) {
    if (!Array.isArray(spec[field])) continue;
    spec = withFields(spec, { [field]: mapObjects(spec[field], (container) => defaultContainer(container, hostNetwork)) });
  }
  if (Array.isArray(spec['volumes'])) spec = withFields(spec, { volumes: mapObjects(spec['volumes'], defaultVolume) });
  if (Array.isArray(spec['topologySpreadConstraints'])) {
    const constraints = mapObjects(spec['topologySpreadConstraints'], (constraint) =>
      withDefaults(constraint, { whenUnsatisfiable: 'DoNotSchedule' }),
    );
    spec = withFields(spec, { topologySpreadConstraints: constraints });
  }
  if (typeof spec['serviceAccountName'] === 'string') spec = withFields(spec, { serviceAccount: spec['serviceAccountName'] });
  else if (typeof spec['serviceAccount'] === 'string') spec = withFields(spec, { serviceAccountName: spec['serviceAccount'] });
  defaulted.add(spec);
  return spec;
}

/** What only pods get, not the templates of workloads. Source: pkg/apis/core/v1/{defaults,conversion}.go. */
export function defaultPodOnly(given: JsonObject): JsonObject {
  const isNegative = (asNumber(given['terminationGracePeriodSeconds']) ?? 0) < 0;
  const spec = isNegative ? withFields(given, { terminationGracePeriodSeconds: 1 }) : given;
  const withRequests = mapContainers(spec, (container) => {
    const resources = asObject(container['resources']);
    const limits = asObject(resources['limits']);
    const requests = asObject(resources['requests']);
    const missing = Object.keys(limits).filter((name) => requests[name] === undefined);
    if (missing.length === 0) return container;
    const filled = withDefaults(requests, Object.fromEntries(missing.map((name) => [name, limits[name]])));
    return withFields(container, { resources: withFields(resources, { requests: filled }) });
  });
  return withDefaults(withPodRequests(withRequests), { enableServiceLinks: true });
}

/** What a pod with limits of its own asks for as a whole: what its containers ask for, or its limits. Source: the same (defaultPodRequests). */
function withPodRequests(spec: JsonObject): JsonObject {
  const resources = asObject(spec['resources']);
  const limits = asObject(resources['limits']);
  if (Object.keys(limits).length === 0) return spec;
  const sums = [...amountsOfContainers(spec, 'requests')].filter(([name]) => name === 'cpu' || name === 'memory');
  const own = Object.fromEntries(sums.map(([name, amount]) => [name, quantityText(amount, limits[name])]));
  const defaults = { ...Object.fromEntries(Object.entries(limits).filter(([name]) => isOfPods(name))), ...own };
  if (Object.keys(defaults).length === 0) return spec;
  return withFields(spec, { resources: withFields(resources, { requests: withDefaults(asObject(resources['requests']), defaults) }) });
}

/** Every container and init container replaced; the same spec when none changes. */
export function mapContainers(
  spec: JsonObject,
  change: (container: JsonObject, kind: 'initContainers' | 'containers') => JsonObject,
): JsonObject {
  let result = spec;
  for (const field of ['initContainers', 'containers'] as const) {
    if (Array.isArray(spec[field]))
      result = withFields(result, { [field]: mapObjects(spec[field], (container) => change(container, field)) });
  }
  return result;
}

export function mapObjects(list: Json | undefined, change: (member: JsonObject, index: number) => JsonObject): readonly Json[] {
  return mapShared(asList(list), (member, index) => (isJsonObject(member) ? change(member, index) : member));
}

const defaulted = new WeakSet<object>();

function defaultContainer(given: JsonObject, hostNetwork: boolean): JsonObject {
  let container = withDefaults(given, {
    imagePullPolicy: alwaysPulls(asText(given['image']) ?? '') ? 'Always' : 'IfNotPresent',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  if (Array.isArray(container['ports'])) {
    const ports = mapObjects(container['ports'], (port) =>
      withDefaults(port, {
        protocol: 'TCP',
        ...(hostNetwork && port['containerPort'] !== undefined ? { hostPort: port['containerPort'] } : {}),
      }),
    );
    container = withFields(container, { ports });
  }
  if (Array.isArray(container['env'])) container = withFields(container, { env: mapObjects(container['env'], defaultEnv) });
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name];
    if (isJsonObject(probe)) container = withFields(container, { [name]: defaultProbe(probe) });
  }
  const { lifecycle } = container;
  if (isJsonObject(lifecycle)) container = withFields(container, { lifecycle: defaultLifecycle(lifecycle) });
  return container;
}

function alwaysPulls(image: string): boolean {
  // Of an image whose name cannot be read no tag is known. Source: pkg/util/parsers/parsers.go (ParseImageName).
  if (image.includes('@') || !/^[A-Za-z0-9]+(?:[._:/-]+[A-Za-z0-9]+)*$/.test(image)) return false;
  const colon = image.lastIndexOf(':');
  const tag = colon > image.lastIndexOf('/') ? image.slice(colon + 1) : undefined;
  return (tag === undefined || tag === 'latest') && !hasCapitals(tag === undefined ? image : image.slice(0, colon));
}

/** Hosts may have capitals, and what has some is a host where a path follows. Source: github.com/distribution/reference/normalize.go. */
function hasCapitals(name: string): boolean {
  const [first = '', ...path] = name.split('/');
  return /[A-Z]/.test(path.length === 0 ? first : path.join('/'));
}

function defaultEnv(entry: JsonObject): JsonObject {
  const { valueFrom } = entry;
  if (!isJsonObject(valueFrom)) return entry;
  const { fileKeyRef } = valueFrom;
  const given = isJsonObject(fileKeyRef) ? withFields(valueFrom, { fileKeyRef: withDefaults(fileKeyRef, { optional: false }) }) : valueFrom;
  return withFields(entry, { valueFrom: defaultFieldRef(given) });
}

function defaultProbe(given: JsonObject): JsonObject {
  return withHandler(withDefaults(given, { failureThreshold: 3, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1 }));
}

function withHandler(handler: JsonObject): JsonObject {
  let result = handler;
  if (isJsonObject(result['httpGet']))
    result = withFields(result, { httpGet: withDefaults(result['httpGet'], { path: '/', scheme: 'HTTP' }) });
  if (isJsonObject(result['grpc'])) result = withFields(result, { grpc: withDefaults(result['grpc'], { service: '' }) });
  return result;
}

function defaultLifecycle(lifecycle: JsonObject): JsonObject {
  let result = lifecycle;
  for (const hook of ['postStart', 'preStop']) {
    const handler = result[hook];
    if (isJsonObject(handler)) result = withFields(result, { [hook]: withHandler(handler) });
  }
  return result;
}

/** Volumes whose files have a mode, by their source. */
const MODES: readonly string[] = ['secret', 'configMap', 'downwardAPI', 'projected'];

function defaultVolume(volume: JsonObject): JsonObject {
  const sources = Object.keys(volume).filter((field) => field !== 'name' && volume[field] !== undefined);
  if (sources.length === 0) return withFields(volume, { emptyDir: {} });
  let result = volume;
  for (const source of sources) {
    const value = result[source];
    if (!isJsonObject(value)) continue;
    if (MODES.includes(source)) result = withFields(result, { [source]: defaultFiles(withDefaults(value, { defaultMode: 420 }), source) });
    if (source === 'ephemeral') result = withFields(result, { ephemeral: defaultEphemeral(value) });
    if (source === 'image')
      result = withFields(result, {
        image: withDefaults(value, { pullPolicy: alwaysPulls(asText(value['reference']) ?? '') ? 'Always' : 'IfNotPresent' }),
      });
    const defaults = own(SOURCE_DEFAULTS, source);
    if (defaults !== undefined) result = withFields(result, { [source]: withDefaults(value, defaults) });
  }
  return result;
}

function defaultFiles(value: JsonObject, source: string): JsonObject {
  if (source === 'downwardAPI' && Array.isArray(value['items']))
    return withFields(value, { items: mapObjects(value['items'], defaultFieldRef) });
  if (source !== 'projected' || !Array.isArray(value['sources'])) return value;
  const sources = mapObjects(value['sources'], (entry) => {
    const { serviceAccountToken: token, downwardAPI } = entry;
    if (isJsonObject(token)) return withFields(entry, { serviceAccountToken: withDefaults(token, { expirationSeconds: 3600 }) });
    if (isJsonObject(downwardAPI) && Array.isArray(downwardAPI['items']))
      return withFields(entry, { downwardAPI: withFields(downwardAPI, { items: mapObjects(downwardAPI['items'], defaultFieldRef) }) });
    return entry;
  });
  return withFields(value, { sources });
}

function defaultFieldRef(item: JsonObject): JsonObject {
  const { fieldRef, resourceFieldRef } = item;
  if (isJsonObject(fieldRef)) return withFields(item, { fieldRef: withDefaults(fieldRef, { apiVersion: 'v1' }) });
  return isJsonObject(resourceFieldRef) ? withFields(item, { resourceFieldRef: withDefaults(resourceFieldRef, { divisor: '0' }) }) : item;
}

function defaultEphemeral(value: JsonObject): JsonObject {
  const template = value['volumeClaimTemplate'];
  if (!isJsonObject(template)) return value;
  return withFields(value, {
    volumeClaimTemplate: withFields(template, { spec: withDefaults(asObject(template['spec']), { volumeMode: 'Filesystem' }) }),
  });
}
