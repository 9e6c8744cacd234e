import { onceEach } from '../../../base/once.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { own } from '../../../base/own-property.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Routine } from '../../time/routine.ts';
import type { Variables } from '../../programs/program.ts';
import { fieldValue, resourceValue } from './downward.ts';
import type { Image } from '../../images/image-catalog.ts';
import type { ObjectCache } from '../object-cache.ts';
import { dataOf } from '../volumes/volume-content.ts';

export interface EnvironmentInput {
  readonly pod: KubeObject;
  readonly container: JsonObject;
  readonly image: Image;
  readonly hostIp: string;
  readonly podIp: string;
  readonly hostname: string;
  /** Services of the pod's namespace, and the API server's own. */
  readonly services: readonly KubeObject[];
  readonly allocatable: Json | undefined;
}

export type Environment = { readonly ok: true; readonly env: Variables } | { readonly ok: false; readonly trouble: string };

/**
 * A container's environment; the trouble is what CreateContainerConfigError says. Source: pkg/kubelet/kubelet_pods.go
 * (makeEnvironmentVariables).
 */
export function* environmentOf(input: EnvironmentInput, objects: ObjectCache): Routine<Environment> {
  const env = new ContainerVariables(input);
  for (const from of asList(input.container['envFrom'])) {
    const trouble = yield* addAll(from, input.pod, env, objects);
    if (trouble !== undefined) return { ok: false, trouble };
  }
  for (const entry of asList(input.container['env']).filter(isJsonObject)) {
    const value = yield* valueOf(entry, input, env, objects);
    if (!value.ok) return value;
    if (value.value !== undefined) env.set(asText(entry['name']) ?? '', value.value);
  }
  return { ok: true, env };
}

type Value = { readonly ok: true; readonly value: string | undefined } | { readonly ok: false; readonly trouble: string };

function* valueOf(entry: JsonObject, input: EnvironmentInput, env: Variables, objects: ObjectCache): Routine<Value> {
  const from = entry['valueFrom'];
  if (!isJsonObject(from)) return { ok: true, value: expandReferences(asText(entry['value']) ?? '', env) };
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = from;
  if (fieldRef !== undefined) {
    const path = asText(dig(fieldRef, 'fieldPath')) ?? '';
    const value = fieldValue(path, input.pod, input);
    return value === undefined ? { ok: false, trouble: `unsupported fieldPath: ${path}` } : { ok: true, value };
  }
  if (resourceFieldRef !== undefined) {
    const named = asText(dig(resourceFieldRef, 'containerName')) ?? '';
    const container =
      named === ''
        ? input.container
        : [...asList(dig(input.pod, 'spec', 'containers')), ...asList(dig(input.pod, 'spec', 'initContainers'))]
            .filter(isJsonObject)
            .find((each) => each['name'] === named);
    if (container === undefined) return { ok: false, trouble: `container ${named} not found` };
    return {
      ok: true,
      value: resourceValue(asText(dig(resourceFieldRef, 'resource')) ?? '', dig(resourceFieldRef, 'divisor'), container, input.allocatable),
    };
  }
  if (isJsonObject(configMapKeyRef)) return yield* keyOf('ConfigMap', configMapKeyRef, input.pod, objects);
  return isJsonObject(secretKeyRef) ? yield* keyOf('Secret', secretKeyRef, input.pod, objects) : { ok: true, value: undefined };
}

function* keyOf(kind: 'ConfigMap' | 'Secret', ref: JsonObject, pod: KubeObject, objects: ObjectCache): Routine<Value> {
  const [name, key] = [asText(ref['name']) ?? '', asText(ref['key']) ?? ''];
  const namespace = pod.metadata.namespace ?? '';
  const optional = ref['optional'] === true;
  const fetched = yield* objects.get({ kind, namespace, name });
  if (!fetched.ok) return fetched.missing && optional ? { ok: true, value: undefined } : fetched;
  const value = dataOf(fetched.object).get(key);
  if (value === undefined && !optional) return { ok: false, trouble: `couldn't find key ${key} in ${kind} ${namespace}/${name}` };
  return { ok: true, value };
}

function* addAll(from: Json, pod: KubeObject, env: ContainerVariables, objects: ObjectCache): Routine<string | undefined> {
  const prefix = asText(dig(from, 'prefix')) ?? '';
  for (const [field, kind] of [
    ['configMapRef', 'ConfigMap'],
    ['secretRef', 'Secret'],
  ] as const) {
    const ref = dig(from, field);
    if (!isJsonObject(ref)) continue;
    const fetched = yield* objects.get({ kind, namespace: pod.metadata.namespace ?? '', name: asText(ref['name']) ?? '' });
    if (!fetched.ok && !(fetched.missing && ref['optional'] === true)) return fetched.trouble;
    if (fetched.ok) for (const [key, value] of dataOf(fetched.object)) env.set(prefix + key, value);
  }
  return undefined;
}

/**
 * `$(NAME)` becomes the variable's value, `$$(NAME)` stays `$(NAME)`, and what is not there stays as it is. Source:
 * third_party/forked/golang/expansion/expand.go.
 */
export function expandReferences(text: string, env: Variables): string {
  return text.replace(/\$\$|\$\(([^()]{1,200})\)/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (env.get(name) ?? whole),
  );
}

/**
 * The links of Services stand between a container's own variables and are shared: with 100 Services a copy of all of them in each container
 * was most of what a cluster took, in time and in memory.
 */
class ContainerVariables implements Variables {
  readonly #image: Readonly<Record<string, string>>;
  readonly #hostname: string;
  readonly #links: ReadonlyMap<string, string>;
  #last: Map<string, string> | undefined;

  constructor({ image, hostname, services }: EnvironmentInput) {
    [this.#image, this.#hostname, this.#links] = [image.env, hostname, linksOf(services)];
  }

  get(name: string): string | undefined {
    const first = name === 'HOSTNAME' ? this.#hostname : own(this.#image, name);
    return this.#last?.get(name) ?? this.#links.get(name) ?? first;
  }

  set(name: string, value: string): void {
    this.#last ??= new Map();
    this.#last.set(name, value);
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return new Map([...Object.entries(this.#image), ['HOSTNAME', this.#hostname], ...this.#links, ...(this.#last ?? [])]).entries();
  }
}

const linksOf = onceEach(
  (services: readonly KubeObject[]): ReadonlyMap<string, string> => new Map(services.flatMap((service) => [...serviceLinks(service)])),
);

/** SHOP_WEB_SERVICE_HOST and its kin, worked out once for each state of a service. Source: pkg/kubelet/envvars/envvars.go. */
const serviceLinks = onceEach((service: KubeObject): ReadonlyMap<string, string> => {
  const env = new Map<string, string>();
  const ip = asText(dig(service, 'spec', 'clusterIP'));
  if (ip === undefined || ip === 'None' || ip === '') return env;
  const name = service.metadata.name.toUpperCase().replaceAll('-', '_');
  const ports = asList(dig(service, 'spec', 'ports'));
  env.set(`${name}_SERVICE_HOST`, ip);
  for (const [index, entry] of ports.entries()) {
    const port = asNumber(dig(entry, 'port')) ?? 0;
    const protocol = (asText(dig(entry, 'protocol')) ?? 'TCP').toLowerCase();
    const named = asText(dig(entry, 'name'));
    if (index === 0) env.set(`${name}_SERVICE_PORT`, String(port)).set(`${name}_PORT`, `${protocol}://${ip}:${port}`);
    if (named !== undefined) env.set(`${name}_SERVICE_PORT_${named.toUpperCase().replaceAll('-', '_')}`, String(port));
    const start = `${name}_PORT_${port}_${protocol.toUpperCase()}`;
    env
      .set(start, `${protocol}://${ip}:${port}`)
      .set(`${start}_PROTO`, protocol)
      .set(`${start}_PORT`, String(port))
      .set(`${start}_ADDR`, ip);
  }
  return env;
});
