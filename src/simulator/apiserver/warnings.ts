import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';
import { textOf } from '../../base/json-text.ts';
import { parseQuantity } from '../../base/quantity.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { checkLabelName } from './validation/names.ts';

/**
 * What the API server warns of in objects it takes. Source: pkg/api/pod/warnings.go, pkg/api/persistentvolumeclaim/util.go, and
 * WarningsOnCreate and WarningsOnUpdate of pkg/registry/{core/pod,apps,batch}.
 */
export function warningsOn(resourceKey: string, object: KubeObject, old?: KubeObject): readonly string[] {
  if (resourceKey === 'pods') return old === undefined ? [...nameWarnings(object, "this is used in the Pod's hostname"), ...podWarnings(dig(object, 'spec'), '')] : [];
  if (resourceKey === 'persistentvolumeclaims') return fractional(dig(object, 'spec', 'resources', 'requests', 'storage'), 'spec.resources.requests[storage]');
  const path = TEMPLATES[resourceKey];
  if (path === undefined || (old !== undefined && sameJson(dig(object, ...path), dig(old, ...path)))) return [];
  const named = old === undefined && resourceKey !== 'cronjobs.batch' ? nameWarnings(object, 'this is used in Pod names and hostnames') : [];
  return [...named, ...podWarnings(dig(object, ...path, 'spec'), `${path.join('.')}.`)];
}

/** Where kinds have the template of their pods. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'deployments.apps': ['spec', 'template'],
  'replicasets.apps': ['spec', 'template'],
  'statefulsets.apps': ['spec', 'template'],
  'daemonsets.apps': ['spec', 'template'],
  'jobs.batch': ['spec', 'template'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template'],
  replicationcontrollers: ['spec', 'template'],
};

function nameWarnings({ metadata }: KubeObject, use: string): readonly string[] {
  const wrong = checkLabelName(metadata.name);
  return wrong.length === 0 ? [] : [`metadata.name: ${use}, which can result in surprising behavior; a DNS label is recommended: [${wrong.join(' ')}]`];
}

function podWarnings(spec: Json | undefined, base: string): readonly string[] {
  if (!isJsonObject(spec)) return [];
  const path = `${base}spec`;
  const containers = ['initContainers', 'containers'].flatMap((field) => asList(spec[field]).map((container, index) => ({ container: asObject(container), at: `${path}.${field}[${index}]` })));
  return [
    ...asList(spec['topologySpreadConstraints']).flatMap((constraint, index) => unselective(constraint, `${path}.topologySpreadConstraints[${index}]`)),
    ...asList(spec['volumes']).flatMap((volume, index) => (dig(volume, 'gitRepo') === undefined ? [] : [`${path}.volumes[${index}].gitRepo: deprecated in v1.11`])),
    ...pullSecretWarnings(spec, path),
    ...containers.flatMap(({ container, at }) => containerWarnings(container, at)),
    ...portWarnings(containers),
    ...((asNumber(spec['terminationGracePeriodSeconds']) ?? 0) < 0 ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`] : []),
    ...['podAffinity', 'podAntiAffinity'].flatMap((kind) => affinityWarnings(dig(spec, 'affinity', kind), `${path}.affinity.${kind}`)),
  ];
}

function unselective(term: Json | undefined, path: string): readonly string[] {
  return dig(term, 'labelSelector') === undefined ? [`${path}.labelSelector: a null labelSelector results in matching no pod`] : [];
}

function affinityWarnings(affinity: Json | undefined, path: string): readonly string[] {
  const [required, preferred] = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution'];
  return [
    ...asList(dig(affinity, required)).flatMap((term, index) => unselective(term, `${path}.${required}[${index}]`)),
    ...asList(dig(affinity, preferred)).flatMap((term, index) => unselective(dig(term, 'podAffinityTerm'), `${path}.${preferred}[${index}].podAffinityTerm`)),
  ];
}

function pullSecretWarnings(spec: JsonObject, path: string): readonly string[] {
  const names = asList(spec['imagePullSecrets']).map((secret) => asText(dig(secret, 'name')) ?? '');
  const at = (index: number): string => `${path}.imagePullSecrets[${index}].name`;
  return [
    ...names.flatMap((name, index) => (names.indexOf(name) < index ? [`${at(index)}: duplicate name ${JSON.stringify(name)}`] : [])),
    ...names.flatMap((name, index) => (name === '' ? [`${at(index)}: invalid empty name ""`] : [])),
  ];
}

function containerWarnings(container: JsonObject, path: string): readonly string[] {
  const amounts = ['memory', 'ephemeral-storage'].flatMap((resource) => ['limits', 'requests'].flatMap((field) => fractional(dig(container, 'resources', field, resource), `${path}.resources.${field}[${resource}]`)));
  const seen = new Set<string>();
  const hidden: string[] = [];
  for (const [index, variable] of asList(container['env']).entries()) {
    const [name, value] = [asText(dig(variable, 'name')) ?? '', asText(dig(variable, 'value')) ?? ''];
    const keeps = dig(variable, 'valueFrom') === undefined && value !== `$(${name})` && value.includes(`$(${name})`);
    if (seen.has(name) && !keeps) hidden.push(`${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`);
    seen.add(name);
  }
  return [...amounts, ...hidden];
}

const WHOLE = 1_000_000_000n;

function fractional(amount: Json | undefined, path: string): readonly string[] {
  return (parseQuantity(amount) ?? 0n) % WHOLE === 0n ? [] : [`${path}: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
}

interface Port {
  readonly at: string;
  readonly key: string;
  readonly hostIp: string;
  readonly hostPort: number;
}

/** Ports of all containers that are the same. */
function portWarnings(containers: readonly { readonly container: JsonObject; readonly at: string }[]): readonly string[] {
  const ports = containers.flatMap(({ container, at }) => asList(container['ports']).map((port, index): Port => ({ at: `${at}.ports[${index}]`, key: `${textOf(dig(port, 'containerPort'))}/${asText(dig(port, 'protocol')) ?? 'TCP'}`, hostIp: asText(dig(port, 'hostIP')) ?? '', hostPort: asNumber(dig(port, 'hostPort')) ?? 0 })));
  return ports.flatMap((port, index) => ports.slice(0, index).filter(({ key }) => key === port.key).flatMap((other) => {
    const words = sameness(port, other);
    return words === undefined ? [] : [`${port.at}: ${words} port definition with ${other.at}`];
  }));
}

function sameness(port: Port, other: Port): string | undefined {
  if (port.hostIp === other.hostIp && port.hostPort === other.hostPort) return 'duplicate';
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  return port.hostPort === other.hostPort && (port.hostIp === '') !== (other.hostIp === '') ? 'dangerously ambiguous' : undefined;
}
