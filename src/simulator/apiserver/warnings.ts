import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, digAt, isJsonObject } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';
import { textOf } from '../../base/json-text.ts';
import { parseQuantity } from '../../base/quantity.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { deprecatedLabel, GONE_VOLUMES, nodeTermWarnings, OBJECT_WARNINGS } from './object-warnings.ts';
import { repeatsIn } from './validation/field-lists.ts';
import { checkLabelName } from './validation/names.ts';

/**
 * What the API server warns of in objects it takes. Source: pkg/api/pod/warnings.go, pkg/api/persistentvolumeclaim/util.go, and
 * WarningsOnCreate and WarningsOnUpdate of pkg/registry/{core/pod,apps,batch}.
 */
export function warningsOn(resourceKey: string, object: KubeObject, old?: KubeObject): readonly string[] {
  if (resourceKey === 'pods')
    return old === undefined ? [...nameWarnings(object, "this is used in the Pod's hostname"), ...podWarnings(object, '')] : [];
  if (resourceKey === 'persistentvolumeclaims') return claimWarnings(object);
  const own = OBJECT_WARNINGS[resourceKey];
  if (own !== undefined) return own(object, old === undefined, old);
  const path = TEMPLATES[resourceKey];
  if (path === undefined) return [];
  if (old !== undefined && sameJson(digAt(object, path), digAt(old, path)))
    return resourceKey === 'statefulsets.apps' ? setWarnings(object, '.Spec') : [];
  const named =
    old === undefined && resourceKey !== 'cronjobs.batch' && resourceKey !== 'podtemplates'
      ? nameWarnings(object, 'this is used in Pod names and hostnames')
      : [];
  return [
    ...named,
    ...podWarnings(digAt(object, path), `${path.join('.')}.`),
    ...(resourceKey === 'jobs.batch' ? jobWarnings(dig(object, 'spec')) : []),
    ...(resourceKey === 'statefulsets.apps' ? setWarnings(object, old === undefined ? '' : '.Spec') : []),
  ];
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
  podtemplates: ['template'],
};

function nameWarnings({ metadata }: KubeObject, use: string): readonly string[] {
  const wrong = checkLabelName(metadata.name);
  return wrong.length === 0
    ? []
    : [`metadata.name: ${use}, which can result in surprising behavior; a DNS label is recommended: [${wrong.join(' ')}]`];
}

function claimWarnings(object: JsonObject): readonly string[] {
  const named =
    asTextMap(dig(object, 'metadata', 'annotations'))['volume.beta.kubernetes.io/storage-class'] === undefined
      ? []
      : ['metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead'];
  return [...named, ...fractional(dig(object, 'spec', 'resources', 'requests', 'storage'), 'spec.resources.requests[storage]')];
}

/** Source: pkg/registry/apps/statefulset/strategy.go, where the claims of an update have another path. */
function setWarnings({ spec }: JsonObject, below: string): readonly string[] {
  return [
    ...asList(dig(spec, 'volumeClaimTemplates')).flatMap((claim, index) =>
      fractional(
        dig(claim, 'spec', 'resources', 'requests', 'storage'),
        `spec.volumeClaimTemplates[${index}]${below}.resources.requests[storage]`,
      ),
    ),
    ...((asNumber(dig(spec, 'revisionHistoryLimit')) ?? 0) < 0
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ];
}

const MANY_COMPLETIONS = 100_000;
const MANY_PODS = 10_000;

/** Source: pkg/api/job/warnings.go. */
function jobWarnings(spec: Json | undefined): readonly string[] {
  const many =
    dig(spec, 'completionMode') === 'Indexed' &&
    (asNumber(dig(spec, 'completions')) ?? 0) > MANY_COMPLETIONS &&
    (asNumber(dig(spec, 'parallelism')) ?? 0) > MANY_PODS;
  return many
    ? [
        'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
      ]
    : [];
}

/** Annotations that were fields before there were the fields. */
const GONE_ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

/** Labels of nodes and annotations that had their time. */
function deprecations(pod: Json | undefined, base: string): readonly string[] {
  const [spec, annotations] = [dig(pod, 'spec'), asTextMap(dig(pod, 'metadata', 'annotations'))];
  const affinity = dig(spec, 'affinity', 'nodeAffinity');
  const at = `${base}spec.affinity.nodeAffinity`;
  return [
    ...Object.keys(asObject(dig(spec, 'nodeSelector'))).flatMap((key) =>
      deprecatedLabel(key).map((words) => `${base}spec.nodeSelector[${key}]: ${words}`),
    ),
    ...asList(dig(affinity, REQUIRED, 'nodeSelectorTerms')).flatMap((term, index) =>
      nodeTermWarnings(term, `${at}.${REQUIRED}.nodeSelectorTerms[${index}]`, false),
    ),
    ...asList(dig(affinity, PREFERRED)).flatMap((entry, index) =>
      nodeTermWarnings(dig(entry, 'preference'), `${at}.${PREFERRED}[${index}].preference`, true),
    ),
    ...asList(dig(spec, 'topologySpreadConstraints')).flatMap((constraint, index) => {
      const key = asText(dig(constraint, 'topologyKey')) ?? '';
      return [
        ...deprecatedLabel(key).map((words) => `${base}spec.topologySpreadConstraints[${index}].topologyKey: ${key} is ${words}`),
        ...unselective(constraint, `${base}spec.topologySpreadConstraints[${index}]`),
      ];
    }),
    ...Object.entries(GONE_ANNOTATIONS).flatMap(([key, words]) =>
      annotations[key] === undefined ? [] : [`${base}metadata.annotations[${key}]: ${words}`],
    ),
  ];
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Source: pkg/api/pod/warnings.go (warningsForPodSpecAndMeta). */
function podWarnings(pod: Json | undefined, base: string): readonly string[] {
  const spec = dig(pod, 'spec');
  if (!isJsonObject(spec)) return [];
  const path = `${base}spec`;
  const containers = ['initContainers', 'containers'].flatMap((field) =>
    asList(spec[field]).map((container, index) => ({ container: asObject(container), at: `${path}.${field}[${index}]` })),
  );
  return [
    ...deprecations(pod, base),
    ...asList(spec['volumes']).flatMap((volume, index) => volumeSourceWarnings(volume, `${path}.volumes[${index}]`)),
    ...aliasWarnings(spec, path),
    ...pullSecretWarnings(spec, path),
    ...['memory', 'ephemeral-storage'].flatMap((resource) => fractional(dig(spec, 'overhead', resource), `${path}.overhead[${resource}]`)),
    ...seccompWarnings(pod, base),
    ...containers.flatMap(({ container, at }) => containerWarnings(container, at)),
    ...portWarnings(containers),
    ...((asNumber(spec['terminationGracePeriodSeconds']) ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...['podAffinity', 'podAntiAffinity'].flatMap((kind) => affinityWarnings(dig(spec, 'affinity', kind), `${path}.affinity.${kind}`)),
  ];
}

function volumeSourceWarnings(volume: Json, path: string): readonly string[] {
  const gone = Object.keys(asObject(volume)).flatMap((source) =>
    GONE_VOLUMES[source] === undefined ? [] : [`${path}.${source === 'storageos' ? 'storageOS' : source}: ${GONE_VOLUMES[source]}`],
  );
  const unfilled = asList(dig(volume, 'projected', 'sources')).flatMap((source) =>
    Object.keys(asObject(source)).length === 0 ? [`volume ${JSON.stringify(dig(volume, 'name'))} (Projected) has no sources provided`] : [],
  );
  return [
    ...gone,
    ...unfilled,
    ...fractional(
      dig(volume, 'ephemeral', 'volumeClaimTemplate', 'spec', 'resources', 'requests', 'storage'),
      `${path}.ephemeral.volumeClaimTemplate.spec.resources.requests[storage]`,
    ),
  ];
}

function aliasWarnings(spec: JsonObject, path: string): readonly string[] {
  const addresses = asList(spec['hostAliases']).map((alias) => asText(dig(alias, 'ip')) ?? '');
  return [...repeatsIn(addresses)].map((index) => `${path}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(addresses[index])}`);
}

const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';

function seccompWarnings(pod: Json | undefined, base: string): readonly string[] {
  const has =
    asTextMap(dig(pod, 'metadata', 'annotations'))[SECCOMP] !== undefined &&
    dig(pod, 'spec', 'securityContext', 'seccompProfile') === undefined;
  return has ? [`${base}metadata.annotations[${SECCOMP}]: non-functional in v1.27+; use the "seccompProfile" field instead`] : [];
}

function unselective(term: Json | undefined, path: string): readonly string[] {
  return dig(term, 'labelSelector') === undefined ? [`${path}.labelSelector: a null labelSelector results in matching no pod`] : [];
}

function affinityWarnings(affinity: Json | undefined, path: string): readonly string[] {
  return [
    ...asList(dig(affinity, REQUIRED)).flatMap((term, index) => unselective(term, `${path}.${REQUIRED}[${index}]`)),
    ...asList(dig(affinity, PREFERRED)).flatMap((term, index) =>
      unselective(dig(term, 'podAffinityTerm'), `${path}.${PREFERRED}[${index}].podAffinityTerm`),
    ),
  ];
}

function pullSecretWarnings(spec: JsonObject, path: string): readonly string[] {
  const names = asList(spec['imagePullSecrets']).map((secret) => asText(dig(secret, 'name')) ?? '');
  const at = (index: number): string => `${path}.imagePullSecrets[${index}].name`;
  return [
    ...[...repeatsIn(names)].map((index) => `${at(index)}: duplicate name ${JSON.stringify(names[index])}`),
    ...names.flatMap((name, index) => (name === '' ? [`${at(index)}: invalid empty name ""`] : [])),
  ];
}

function containerWarnings(container: JsonObject, path: string): readonly string[] {
  const amounts = ['memory', 'ephemeral-storage'].flatMap((resource) =>
    ['limits', 'requests'].flatMap((field) =>
      fractional(dig(container, 'resources', field, resource), `${path}.resources.${field}[${resource}]`),
    ),
  );
  const seen = new Set<string>();
  const hidden: string[] = [];
  for (const [index, variable] of asList(container['env']).entries()) {
    const [name, value] = [asText(dig(variable, 'name')) ?? '', asText(dig(variable, 'value')) ?? ''];
    const keeps = dig(variable, 'valueFrom') === undefined && value !== `$(${name})` && value.includes(`$(${name})`);
    if (seen.has(name) && !keeps)
      hidden.push(`${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`);
    seen.add(name);
  }
  return [...amounts, ...hidden];
}

const WHOLE = 1_000_000_000n;
const MILLI = 1_000_000n;
const MAX_INT64 = 9_223_372_036_854_775_807n;

function fractional(amount: Json | undefined, path: string): readonly string[] {
  const nano = parseQuantity(amount) ?? 0n;
  // Thousandths that no 64 bits hold are cut, and are no whole number then.
  return nano % WHOLE === 0n && nano / MILLI <= MAX_INT64
    ? []
    : [`${path}: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
}

interface Port {
  readonly at: string;
  readonly key: string;
  readonly hostIp: string;
  readonly hostPort: number;
  /** As Go prints the struct. */
  readonly words: string;
}

/** Ports of all containers that are the same. */
function portWarnings(containers: readonly { readonly container: JsonObject; readonly at: string }[]): readonly string[] {
  const ports = containers.flatMap(({ container, at }) =>
    asList(container['ports']).map((port, index): Port => ({
      at: `${at}.ports[${index}]`,
      key: `${textOf(dig(port, 'containerPort'))}/${asText(dig(port, 'protocol')) ?? 'TCP'}`,
      hostIp: asText(dig(port, 'hostIP')) ?? '',
      hostPort: asNumber(dig(port, 'hostPort')) ?? 0,
      words: `{Name:${textOf(dig(port, 'name'))} HostPort:0 ContainerPort:${textOf(dig(port, 'containerPort'))} Protocol:${asText(dig(port, 'protocol')) ?? 'TCP'} HostIP:${textOf(dig(port, 'hostIP'))}}`,
    })),
  );
  const seen = new Map<string, Port[]>();
  const warnings: string[] = [];
  for (const port of ports) {
    if (port.hostIp !== '' && port.hostPort === 0) warnings.push(`${port.at}: hostIP set without hostPort: ${port.words}`);
    const same = seen.get(port.key) ?? [];
    for (const other of same) {
      const words = sameness(port, other);
      if (words !== undefined) warnings.push(`${port.at}: ${words} port definition with ${other.at}`);
    }
    if (same.length < MAX_COMPARED_PORTS) seen.set(port.key, [...same, port]);
  }
  return warnings;
}

/** Each port with each other would take seconds for a list that is as long as a body can be; no answer holds that many warnings. */
const MAX_COMPARED_PORTS = 50;

function sameness(port: Port, other: Port): string | undefined {
  if (port.hostIp === other.hostIp && port.hostPort === other.hostPort) return 'duplicate';
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  return port.hostPort === other.hostPort && (port.hostIp === '') !== (other.hostIp === '') ? 'dangerously ambiguous' : undefined;
}
