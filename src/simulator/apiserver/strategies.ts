import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import { sameJson, withDefaults, withFields, withPath } from '../../base/json-edit.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { timeOf } from '../time/api-times.ts';
import { withoutDisabled } from './disabled-fields.ts';
import { withLabelKeys } from './label-keys.ts';
import { resizedPod } from './resized-pod.ts';
import type { ServedResource } from './resources.ts';
import type { Call } from './server-state.ts';
import { dropTypeDependent, keepAddresses } from './service-type.ts';
import { qosClassOf } from './qos-class.ts';

/**
 * What the registry of each kind does to an object before it is stored, besides defaulting: the first status, the generation,
 * and what of an old object an update may not touch.
 * Source: pkg/registry/<group>/<kind>/strategy.go (PrepareForCreate, PrepareForUpdate).
 */
export function prepareForCreate(resource: ServedResource, given: KubeObject, now: string): KubeObject {
  const object = withoutDisabled(resource.key, given);
  const withGeneration =
    COUNTS_GENERATIONS.has(resource.key) || resource.model === undefined
      ? withFields(object, { metadata: withFields(object.metadata, { generation: 1 }) })
      : object;
  const prepare = CREATE[resource.key];
  if (prepare !== undefined) return prepare(withGeneration, now);
  return resource.hasStatus ? withFields(withGeneration, { status: undefined }) : withGeneration;
}

/** The new object with everything of the old that this kind of update leaves alone. */
export function prepareForUpdate(
  { resource, request, emptied, state }: Pick<Call, 'resource' | 'request' | 'emptied' | 'state'>,
  object: KubeObject,
  old: KubeObject,
): KubeObject {
  const { subresource } = request;
  if (subresource === 'approval') return approvalUpdate(object, old);
  if (subresource === 'status') return statusUpdate(resource, object, old, timeOf(state.now()));
  const result = ofKind(resource, subresource, withoutDisabled(resource.key, object), old);
  const generation = asNumber(old.metadata['generation']);
  if (COUNTS_CHANGES.has(resource.key)) return changesSpec(result, old) ? withGeneration(result, old, generation ?? 0) : result;
  const counted = COUNTS_GENERATIONS.has(resource.key) || resource.model === undefined;
  if (!counted) return result;
  const tellsEmpty =
    // Source: pkg/registry/apps/deployment/strategy.go (PrepareForUpdate).
    (resource.key === 'deployments.apps' &&
      request.tracksFields === true &&
      !sameJson(asObject(object.metadata['annotations']), asObject(old.metadata['annotations']))) ||
    emptied.some(({ path }) => path[0] === TELLS_EMPTY[resource.key] && path[1] !== 'policyTypes') ||
    (resource.key === SLICES && changesSlice(object, old));
  return withGeneration(result, old, generation ?? 1, tellsEmpty);
}

/** Kinds of which a list without members is another one than none. Source: the strategies that compare with reflect.DeepEqual. */
const TELLS_EMPTY: Readonly<Record<string, string>> = {
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': 'webhooks',
  'validatingwebhookconfigurations.admissionregistration.k8s.io': 'webhooks',
  'networkpolicies.networking.k8s.io': 'spec',
};

function ofKind(resource: ServedResource, subresource: string | undefined, object: KubeObject, old: KubeObject): KubeObject {
  if (resource.key === 'pods' && subresource === 'resize') return resizedPod(object, old);
  let result = object;
  if (resource.hasStatus && resource.key !== 'namespaces') result = withFields(result, { status: old['status'] });
  if (resource.key === 'namespaces')
    result = withFields(result, { status: old['status'], ...(subresource === 'finalize' ? {} : { spec: old['spec'] }) });
  if (resource.key === 'nodes') result = withFields(result, { status: old['status'] });
  if (resource.key === 'services')
    result = keepAddresses(withFields(result, { spec: dropTypeDependent(asObject(result['spec']), asObject(old['spec'])) }), old);
  if (resource.key === 'persistentvolumeclaims') result = withDataSources(result, old);
  if (resource.key === 'serviceaccounts') result = withPlainSecrets(result);
  if (resource.key === 'customresourcedefinitions.apiextensions.k8s.io') result = withStoredVersion(result);
  if (resource.key === SLICES && !sameJson(result['endpoints'], old['endpoints'])) result = withoutTopology(result);
  return resource.key === 'daemonsets.apps' ? withTemplateGeneration(result, old) : result;
}

function withGeneration(result: KubeObject, old: KubeObject, generation: number, isChanged = false): KubeObject {
  const next = isChanged || changesSpec(result, old) ? generation + 1 : generation;
  return withFields(result, { metadata: withFields(result.metadata, { generation: next }) });
}

/** Kinds that have no generation before their spec changes. */
const COUNTS_CHANGES: ReadonlySet<string> = new Set(['csidrivers.storage.k8s.io']);

/** Kinds whose metadata.generation counts changes of their spec. */
const COUNTS_GENERATIONS: ReadonlySet<string> = new Set([
  'pods',
  'replicationcontrollers',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'podtemplates',
  'poddisruptionbudgets.policy',
  'networkpolicies.networking.k8s.io',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'endpointslices.discovery.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'deviceclasses.resource.k8s.io',
  'resourceslices.resource.k8s.io',
]);

const SLICES = 'endpointslices.discovery.k8s.io';

const CREATE: Readonly<Record<string, (object: KubeObject, now: string) => KubeObject>> = {
  pods: (pod, now) =>
    withFields(pod, { spec: withLabelKeys(pod), status: { phase: 'Pending', qosClass: qosClassOf(pod), ...gatedCondition(pod, now) } }),
  nodes: (node) => node,
  services: (service) => withFields(service, { status: { loadBalancer: {} } }),
  namespaces: (namespace) =>
    withFields(namespace, {
      spec: { finalizers: withKubernetes(asList(dig(namespace, 'spec', 'finalizers'))) },
      status: { phase: 'Active' },
    }),
  persistentvolumeclaims: (claim) => withFields(withDataSources(claim, undefined), { status: { phase: 'Pending' } }),
  'priorityclasses.scheduling.k8s.io': (object) => withFields(object, { metadata: withFields(object.metadata, { generation: 1 }) }),
  persistentvolumes: (volume, now) => withFields(volume, { status: { phase: 'Pending', lastPhaseTransitionTime: now } }),
  'deployments.apps': (object) => withFields(object, { status: {} }),
  'replicasets.apps': (object) => withFields(object, { status: { replicas: 0 } }),
  replicationcontrollers: (object) => withFields(object, { status: { replicas: 0 } }),
  'statefulsets.apps': (object) => withFields(object, { status: { replicas: 0, availableReplicas: 0 } }),
  'daemonsets.apps': (object) =>
    withTemplateGeneration(
      withFields(object, { status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 } }),
    ),
  'jobs.batch': prepareJob,
  'cronjobs.batch': (object) => withFields(object, { status: {} }),
  'poddisruptionbudgets.policy': (object) =>
    withFields(object, { status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } }),
  'horizontalpodautoscalers.autoscaling': (object) => withFields(object, { status: { desiredReplicas: 0, currentMetrics: null } }),
  resourcequotas: (object) => withFields(object, { status: {} }),
  'ingresses.networking.k8s.io': (object) => withFields(object, { status: { loadBalancer: {} } }),
  'certificatesigningrequests.certificates.k8s.io': (object) => withFields(object, { status: {} }),
  'volumeattachments.storage.k8s.io': (object) => withFields(object, { status: { attached: false } }),
  'customresourcedefinitions.apiextensions.k8s.io': prepareDefinition,
  'resourceclaims.resource.k8s.io': (object) => withFields(object, { status: {} }),
  'validatingadmissionpolicies.admissionregistration.k8s.io': (object) => withFields(object, { status: {} }),
  'flowschemas.flowcontrol.apiserver.k8s.io': (object) => withFields(object, { status: {} }),
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': (object) => withFields(object, { status: {} }),
  serviceaccounts: withPlainSecrets,
  [SLICES]: withoutTopology,
};

/** Source: pkg/registry/discovery/endpointslice/strategy.go (dropTopologyOnV1). */
function withoutTopology(slice: KubeObject): KubeObject {
  const endpoints = asList(slice['endpoints']);
  if (!endpoints.some((endpoint) => asObject(endpoint)['deprecatedTopology'] !== undefined)) return slice;
  return withFields(slice, { endpoints: endpoints.map((endpoint) => withFields(asObject(endpoint), { deprecatedTopology: undefined })) });
}

/** What else a reference says is dropped. Source: pkg/registry/core/serviceaccount/strategy.go (cleanSecretReferences). */
function withPlainSecrets(account: KubeObject): KubeObject {
  if (account['secrets'] === undefined) return account;
  const secrets = asList(account['secrets']).map((secret) => {
    const name = asText(dig(secret, 'name'));
    return name === undefined ? {} : { name };
  });
  return sameJson(secrets, account['secrets']) ? account : withFields(account, { secrets });
}

/** The object as its writer sends it, once it was converted: a DaemonSet has its number of templates then. Source: pkg/apis/apps/v1/conversion.go. */
export function asConverted({ key }: ServedResource, object: KubeObject): KubeObject {
  return key === 'daemonsets.apps' ? withTemplateGeneration(object) : object;
}

function gatedCondition(pod: KubeObject, now: string): JsonObject {
  if (asList(dig(pod, 'spec', 'schedulingGates')).length === 0) return {};
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  return {
    conditions: [
      { type: 'PodScheduled', status: 'False', lastProbeTime: null, lastTransitionTime: now, reason: 'SchedulingGated', message },
    ],
  };
}

function withKubernetes(finalizers: readonly Json[]): readonly Json[] {
  return finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
}

/** Counts the templates of a DaemonSet, whatever a request says of it. Source: pkg/registry/apps/daemonset/strategy.go. */
function withTemplateGeneration(object: KubeObject, old?: KubeObject): KubeObject {
  const before = asText(dig(old, 'metadata', 'annotations', TEMPLATE_GENERATION));
  const given = asText(dig(object, 'metadata', 'annotations', TEMPLATE_GENERATION));
  const same = sameJson(dig(object, 'spec', 'template'), dig(old, 'spec', 'template'));
  const generation = old === undefined ? (given ?? '1') : String((parseInteger(before) ?? 0) + (same ? 0 : 1));
  if (given === generation) return object;
  const annotations = { ...asObject(object.metadata['annotations']), [TEMPLATE_GENERATION]: generation };
  return withFields(object, { metadata: withFields(object.metadata, { annotations }) });
}

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/**
 * What a claim is filled from stands in both fields. A source that is neither a claim nor a snapshot is dropped, as is one of another
 * namespace. Source: pkg/api/persistentvolumeclaim/util.go (DropDisabledFields, EnforceDataSourceBackwardsCompatibility,
 * NormalizeDataSources).
 */
function withDataSources(claim: KubeObject, old: KubeObject | undefined): KubeObject {
  const [spec, before] = [asObject(claim['spec']), asObject(old?.['spec'])];
  let { dataSource: source, dataSourceRef: reference } = spec;
  if (source === undefined && reference === undefined) return claim;
  if (isElsewhere(reference) && before['dataSourceRef'] === undefined) reference = undefined;
  const inUse = before['dataSource'] !== undefined || before['dataSourceRef'] !== undefined;
  if (!inUse && reference === undefined && !isFilledFrom(source)) source = undefined;
  const sources = {
    dataSource: source ?? (isElsewhere(reference) ? undefined : withoutNamespace(reference)),
    dataSourceRef: reference ?? source,
  };
  return withFields(claim, { spec: withFields(spec, sources) });
}

function withoutNamespace(reference: Json | undefined): Json | undefined {
  return isJsonObject(reference) ? withFields(reference, { namespace: undefined }) : reference;
}

function isElsewhere(reference: Json | undefined): boolean {
  return (asText(dig(reference, 'namespace')) ?? '') !== '';
}

function isFilledFrom(source: Json | undefined): boolean {
  const [group, kind] = [asText(dig(source, 'apiGroup')) ?? '', dig(source, 'kind')];
  return (kind === 'PersistentVolumeClaim' && group === '') || (kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io');
}

/** A Job gets a selector and labels that no other has. Source: pkg/registry/batch/job/strategy.go (generateSelector). */
function prepareJob(job: KubeObject): KubeObject {
  const spec = asObject(job['spec']);
  const cleared = withFields(job, { status: {} });
  if (spec['manualSelector'] === true) return cleared;
  const uid = job.metadata.uid ?? '';
  const { name } = job.metadata;
  const labels = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const template = asObject(spec['template']);
  const metadata = asObject(template['metadata']);
  const labelled = withFields(template, { metadata: withFields(metadata, { labels: withDefaults(asObject(metadata['labels']), labels) }) });
  const given = asObject(spec['selector']);
  const selector = withFields(given, {
    matchLabels: withDefaults(asObject(given['matchLabels']), { 'batch.kubernetes.io/controller-uid': uid }),
  });
  const whole = withFields(cleared, { spec: withFields(spec, { selector, template: labelled }) });
  return sharesLabels(job, metadata['labels'])
    ? withFields(whole, { metadata: withFields(job.metadata, { labels: dig(labelled, 'metadata', 'labels') }) })
    : whole;
}

/**
 * Labels that a Job has from its template are the same map in Go: what the template gets, the Job gets. Where a name is generated, the
 * Job is copied first. One without any gets the template's as soon as it is read.
 */
function sharesLabels({ metadata }: KubeObject, ofTemplate: Json | undefined): boolean {
  const { labels } = metadata;
  if (Object.keys(asObject(labels)).length === 0) return true;
  const prefix = asText(metadata['generateName']) ?? '';
  return labels === ofTemplate && (prefix === '' || metadata.name.length !== prefix.length + GENERATED_LENGTH);
}

const GENERATED_LENGTH = 5;

function prepareDefinition(definition: KubeObject, now: string): KubeObject {
  const condition = (type: string, reason: string, message: string): JsonObject => ({
    type,
    status: 'True',
    lastTransitionTime: now,
    reason,
    message,
  });
  const conditions = [
    condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
    condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
  ];
  const status = { acceptedNames: dig(definition, 'spec', 'names') ?? {}, conditions, storedVersions: [] };
  return withStoredVersion(withFields(definition, { status }));
}

/** With the first version that objects are stored in among those they were. Source: apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go. */
function withStoredVersion(definition: KubeObject): KubeObject {
  const stored = asList(dig(definition, 'status', 'storedVersions'));
  const version = asList(dig(definition, 'spec', 'versions')).find((one) => dig(one, 'storage') === true);
  const name = asText(dig(version, 'name')) ?? '';
  return version === undefined || stored.includes(name)
    ? definition
    : withPath(definition, ['status', 'storedVersions'], [...stored, name]);
}

/** A status update leaves the spec alone, and of some kinds the metadata too. */
function statusUpdate(resource: ServedResource, object: KubeObject, old: KubeObject, now: string): KubeObject {
  const metadata = keptByStatus(resource, object.metadata, old.metadata);
  let { status } = object;
  if (resource.key === 'persistentvolumes') status = withTransition(status, old['status'], now);
  if (resource.key === 'pods' && isJsonObject(status)) status = podStatusUpdate(status, asObject(old['status']));
  const fields: Record<string, Json | undefined> = { ...old, metadata, status };
  return old['status'] === object['status'] && metadata === old.metadata ? old : (fields as unknown as KubeObject);
}

/**
 * Source: pkg/registry/core/pod/strategy.go (podStatusStrategy), pkg/api/pod/util.go (dropDisabledPodStatusFields),
 * pkg/apis/core/v1/conversion.go (Convert_v1_PodStatus_To_core_PodStatus).
 */
function podStatusUpdate(status: JsonObject, old: JsonObject): JsonObject {
  const { qosClass = old['qosClass'], podIP: ip, podIPs, nodeAllocatableResourceClaimStatuses: ofNode } = status;
  const isOther = (asText(ip) ?? '') !== '' && dig(podIPs, 0, 'ip') !== ip;
  if (qosClass === status['qosClass'] && !isOther && ofNode === undefined) return status;
  return withFields(status, {
    qosClass,
    ...(isOther ? { podIPs: [{ ip }] } : {}),
    // Of the gate DRANodeAllocatableResources, which is off by default.
    nodeAllocatableResourceClaimStatuses: old['nodeAllocatableResourceClaimStatuses'] === undefined ? undefined : ofNode,
  });
}

/** Source: pkg/registry/core/persistentvolume/strategy.go (persistentvolumeStatusStrategy). */
function withTransition(status: Json | undefined, old: Json | undefined, now: string): Json | undefined {
  const [time, before] = [status, old].map((one) => dig(one, 'lastPhaseTransitionTime') ?? undefined);
  if ((dig(status, 'phase') ?? 'Pending') === (dig(old, 'phase') ?? 'Pending'))
    return time === undefined && before !== undefined ? withFields(asObject(status), { lastPhaseTransitionTime: before }) : status;
  return time === undefined || time === before ? withFields(asObject(status), { lastPhaseTransitionTime: now }) : status;
}

/** Only conditions and metadata. Source: pkg/registry/certificates/certificates/strategy.go (csrApprovalStrategy). */
function approvalUpdate(object: KubeObject, old: KubeObject): KubeObject {
  const conditions = dig(object, 'status', 'conditions');
  return withFields(old, { metadata: object.metadata, status: withFields(asObject(old['status']), { conditions }) });
}

/** Source: the strategies' PrepareForUpdate of each status subresource. */
function keptByStatus(
  { key, custom }: ServedResource,
  metadata: KubeObject['metadata'],
  old: KubeObject['metadata'],
): KubeObject['metadata'] {
  if (metadata === old) return old;
  if (custom !== undefined || STATUS_KEEPS_METADATA.has(key)) return withFields(old, { managedFields: metadata['managedFields'] });
  if (key === 'deployments.apps') return withFields(metadata, { labels: old['labels'] });
  return key === 'pods' ? withFields(metadata, { ownerReferences: old['ownerReferences'] }) : metadata;
}

const STATUS_KEEPS_METADATA: ReadonlySet<string> = new Set([
  'servicecidrs.networking.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'volumeattachments.storage.k8s.io',
  'resourceclaims.resource.k8s.io',
]);

/** Its labels too, and what the registry drops of it. Source: pkg/registry/discovery/endpointslice/strategy.go (PrepareForUpdate). */
function changesSlice(object: KubeObject, old: KubeObject): boolean {
  return changesSpec(object, old) || !sameJson(object.metadata['labels'] ?? {}, old.metadata['labels'] ?? {});
}

/** Anything but metadata and status. */
export function changesSpec(object: KubeObject, old: KubeObject): boolean {
  return differsIn(object, object, old) || differsIn(old, object, old);
}

/** Without a set of the fields of both, which was made for every write. */
function differsIn(fields: KubeObject, a: KubeObject, b: KubeObject): boolean {
  for (const field of Object.keys(fields)) if (field !== 'metadata' && field !== 'status' && !sameJson(a[field], b[field])) return true;
  return false;
}
