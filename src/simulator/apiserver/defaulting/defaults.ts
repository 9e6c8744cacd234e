import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { withDefaults, withFields, withPath } from '../../../base/json-edit.ts';
import { encodeBase64 } from '../../../base/base64.ts';
import { defaultDefinition, withFirstVersion } from './definitions.ts';
import { defaultDeviceClaim, defaultSlice } from './devices.ts';
import { defaultFlowSchema, defaultPriorityLevel } from './flow-control.ts';
import { isReached } from '../service-type.ts';
import { defaultPodOnly, defaultPodSpec, mapObjects } from './pod-spec.ts';
import { defaultAttachment, defaultSources } from './volume-sources.ts';

/**
 * The object with everything filled in that its group's defaults.go fills in. Objects of other kinds are as they are.
 * Source: pkg/apis/<group>/v1/defaults.go, read for 1.36; compared with what a real server stored.
 */
export function applyDefaults(resourceKey: string, object: JsonObject): JsonObject {
  return DEFAULTS[resourceKey]?.(object) ?? object;
}

const DEFAULTS: Readonly<Record<string, (object: JsonObject) => JsonObject>> = {
  pods: (pod) => inSpec(pod, (spec) => defaultPodOnly(defaultPodSpec(spec))),
  podtemplates: (object) => withFields(object, { template: defaultTemplate(asObject(object['template'])) }),
  replicationcontrollers: defaultReplicationController,
  'deployments.apps': (object) => inSpec(object, defaultDeployment),
  'replicasets.apps': (object) => inSpec(object, (spec) => withTemplate(withDefaults(spec, { replicas: 1 }))),
  'statefulsets.apps': (object) => inSpec(object, defaultStatefulSet),
  'daemonsets.apps': (object) => inSpec(object, defaultDaemonSet),
  'jobs.batch': (job) => withTemplateLabels(inSpec(job, defaultJob)),
  'cronjobs.batch': (object) => inSpec(object, defaultCronJob),
  services: defaultService,
  namespaces: defaultNamespace,
  secrets: defaultSecret,
  nodes: (node) => withDefaults(node, { spec: {} }),
  persistentvolumeclaims: (claim) => withPendingPhase(inSpec(claim, (spec) => withDefaults(spec, { volumeMode: 'Filesystem' }))),
  persistentvolumes: (volume) =>
    withPendingPhase(
      inSpec(volume, (spec) => defaultSources(withDefaults(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }))),
    ),
  'storageclasses.storage.k8s.io': (object) => withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'volumeattachments.storage.k8s.io': defaultAttachment,
  'csidrivers.storage.k8s.io': (object) =>
    inSpec(object, (spec) =>
      withDefaults(spec, {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        requiresRepublish: false,
        seLinuxMount: false,
      }),
    ),
  limitranges: (object) =>
    inSpec(object, (spec) =>
      Array.isArray(spec['limits']) ? withFields(spec, { limits: mapObjects(spec['limits'], defaultLimit) }) : spec,
    ),
  'priorityclasses.scheduling.k8s.io': (object) => withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority', value: 0 }),
  'controllerrevisions.apps': (object) => withDefaults(object, { revision: 0 }),
  'flowschemas.flowcontrol.apiserver.k8s.io': (object) => inSpec(object, defaultFlowSchema),
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': (object) => inSpec(object, defaultPriorityLevel),
  'networkpolicies.networking.k8s.io': (object) => inSpec(object, defaultNetworkPolicy),
  'ingressclasses.networking.k8s.io': (object) => {
    const { parameters } = asObject(object['spec']);
    return isJsonObject(parameters) ? withPath(object, ['spec', 'parameters'], withDefaults(parameters, { scope: 'Cluster' })) : object;
  },
  'horizontalpodautoscalers.autoscaling': (object) => inSpec(object, defaultAutoscaler),
  'endpointslices.discovery.k8s.io': (object) =>
    withFields(object, {
      ports:
        object['ports'] === undefined || object['ports'] === null
          ? object['ports']
          : mapObjects(object['ports'], (port) => withDefaults(port, { name: '', protocol: 'TCP' })),
    }),
  endpoints: (object) =>
    object['subsets'] === undefined
      ? object
      : withFields(object, {
          subsets: mapObjects(object['subsets'], (subset) =>
            subset['ports'] === undefined
              ? subset
              : withFields(subset, { ports: mapObjects(subset['ports'], (port) => withDefaults(port, { protocol: 'TCP' })) }),
          ),
        }),
  'rolebindings.rbac.authorization.k8s.io': defaultBinding,
  'clusterrolebindings.rbac.authorization.k8s.io': defaultBinding,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': (object) => defaultWebhooks(object, { reinvocationPolicy: 'Never' }),
  'validatingwebhookconfigurations.admissionregistration.k8s.io': (object) => defaultWebhooks(object, {}),
  'validatingadmissionpolicies.admissionregistration.k8s.io': defaultPolicy,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': defaultPolicy,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': defaultPolicyBinding,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': defaultPolicyBinding,
  'customresourcedefinitions.apiextensions.k8s.io': (object) => withFirstVersion(inSpec(object, defaultDefinition)),
  'resourceclaims.resource.k8s.io': (object) => inSpec(object, defaultDeviceClaim),
  'resourceclaimtemplates.resource.k8s.io': (object) =>
    inSpec(object, (spec) => withFields(inSpec(spec, defaultDeviceClaim), { metadata: spec['metadata'] ?? {} })),
  'resourceslices.resource.k8s.io': (object) => inSpec(object, defaultSlice),
  'certificatesigningrequests.certificates.k8s.io': (object) => object,
};

function withPendingPhase(object: JsonObject): JsonObject {
  return withFields(object, { status: withDefaults(asObject(object['status']), { phase: 'Pending' }) });
}

function inSpec(object: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  const { spec } = object;
  return isJsonObject(spec) ? withFields(object, { spec: change(spec) }) : object;
}

function withTemplate(spec: JsonObject): JsonObject {
  return isJsonObject(spec['template']) ? withFields(spec, { template: defaultTemplate(spec['template']) }) : spec;
}

function defaultTemplate(template: JsonObject): JsonObject {
  const withMeta = withDefaults(template, { metadata: {} });
  return isJsonObject(withMeta['spec']) ? withFields(withMeta, { spec: defaultPodSpec(withMeta['spec']) }) : withMeta;
}

/** Its labels and its selector are those of its pods when nothing else is said. Source: pkg/apis/core/v1/defaults.go. */
function defaultReplicationController(object: JsonObject): JsonObject {
  const metadata = asObject(object['metadata']);
  const labels = dig(object, 'spec', 'template', 'metadata', 'labels');
  const own = asTextMap(metadata['labels']);
  const labelled =
    labels !== undefined && Object.keys(own).length === 0 ? withFields(object, { metadata: withFields(metadata, { labels }) }) : object;
  return inSpec(labelled, (spec) =>
    withTemplate(withDefaults(spec, { replicas: 1, ...(labels === undefined ? {} : { selector: labels }) })),
  );
}

function defaultDeployment(given: JsonObject): JsonObject {
  const spec = withTemplate(withDefaults(given, { progressDeadlineSeconds: 600, replicas: 1, revisionHistoryLimit: 10, strategy: {} }));
  let strategy = withDefaults(asObject(spec['strategy']), { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate')
    strategy = withFields(strategy, {
      rollingUpdate: withDefaults(asObject(strategy['rollingUpdate']), { maxSurge: '25%', maxUnavailable: '25%' }),
    });
  return withFields(spec, { strategy });
}

function defaultStatefulSet(given: JsonObject): JsonObject {
  const spec = withTemplate(
    withDefaults(given, {
      podManagementPolicy: 'OrderedReady',
      replicas: 1,
      revisionHistoryLimit: 10,
      updateStrategy: {},
      persistentVolumeClaimRetentionPolicy: {},
    }),
  );
  const strategy = asObject(spec['updateStrategy']);
  const type = strategy['type'] ?? 'RollingUpdate';
  const rolls = type === 'RollingUpdate' && (strategy['type'] === undefined || isJsonObject(strategy['rollingUpdate']));
  const rollingUpdate = rolls ? withDefaults(asObject(strategy['rollingUpdate']), { partition: 0 }) : strategy['rollingUpdate'];
  const updateStrategy = withFields(strategy, { type, rollingUpdate });
  const persistentVolumeClaimRetentionPolicy = withDefaults(asObject(spec['persistentVolumeClaimRetentionPolicy']), {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  });
  const claims = spec['volumeClaimTemplates'];
  const volumeClaimTemplates =
    claims === undefined
      ? undefined
      : mapObjects(claims, (claim) =>
          withPendingPhase(
            inSpec(withFields(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' }), (claimSpec) =>
              withDefaults(claimSpec, { volumeMode: 'Filesystem' }),
            ),
          ),
        );
  return withFields(spec, { updateStrategy, persistentVolumeClaimRetentionPolicy, volumeClaimTemplates });
}

function defaultDaemonSet(given: JsonObject): JsonObject {
  const spec = withTemplate(withDefaults(given, { revisionHistoryLimit: 10, updateStrategy: {} }));
  const strategy = withDefaults(asObject(spec['updateStrategy']), { type: 'RollingUpdate' });
  const rolls = strategy['type'] === 'RollingUpdate';
  if (!rolls && !isJsonObject(strategy['rollingUpdate'])) return withFields(spec, { updateStrategy: strategy });
  // Inside, neither of both can be absent.
  const rollingUpdate = withDefaults(asObject(strategy['rollingUpdate']), { maxSurge: 0, maxUnavailable: rolls ? 1 : 0 });
  return withFields(spec, { updateStrategy: { ...strategy, rollingUpdate } });
}

/** A Job without labels takes those of its template. Source: pkg/apis/batch/v1/defaults.go (SetDefaults_Job). */
function withTemplateLabels(job: JsonObject): JsonObject {
  const [metadata, labels] = [asObject(job['metadata']), dig(job, 'spec', 'template', 'metadata', 'labels')];
  if (!isJsonObject(labels) || Object.keys(asTextMap(metadata['labels'])).length > 0) return job;
  return withFields(job, { metadata: withFields(metadata, { labels }) });
}

function defaultJob(given: JsonObject): JsonObject {
  let spec = withTemplate(
    withDefaults(given, {
      backoffLimit: given['backoffLimitPerIndex'] === undefined ? 6 : 2_147_483_647,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: given['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    }),
  );
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec = withFields(spec, { completions: 1, parallelism: 1 });
  return withFailurePolicy(withDefaults(spec, { parallelism: 1 }));
}

/**
 * Conditions of pods that do not say so are met. Source: pkg/apis/batch/v1/defaults.go
 * (setDefaults_PodFailurePolicyOnPodConditionsPattern).
 */
function withFailurePolicy(spec: JsonObject): JsonObject {
  const policy = spec['podFailurePolicy'];
  if (!isJsonObject(policy) || !Array.isArray(policy['rules'])) return spec;
  const rules = mapObjects(policy['rules'], (rule) =>
    rule['onPodConditions'] === undefined
      ? rule
      : withFields(rule, {
          onPodConditions: mapObjects(rule['onPodConditions'], (condition) =>
            condition['status'] === undefined || condition['status'] === '' ? withFields(condition, { status: 'True' }) : condition,
          ),
        }),
  );
  return withFields(spec, { podFailurePolicy: withFields(policy, { rules }) });
}

function defaultCronJob(given: JsonObject): JsonObject {
  const spec = withDefaults(given, {
    concurrencyPolicy: 'Allow',
    failedJobsHistoryLimit: 1,
    successfulJobsHistoryLimit: 3,
    suspend: false,
  });
  const template = withDefaults(asObject(spec['jobTemplate']), { metadata: {} });
  return withFields(spec, { jobTemplate: inSpec(template, (job) => withFailurePolicy(withTemplate(job))) });
}

function defaultService(service: JsonObject): JsonObject {
  const filled = inSpec(service, (given) => {
    let spec = withDefaults(given, { sessionAffinity: 'None', type: 'ClusterIP' });
    const type = spec['type'];
    if (spec['sessionAffinity'] === 'None') spec = withFields(spec, { sessionAffinityConfig: undefined });
    if (spec['sessionAffinity'] === 'ClientIP' && dig(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds') === undefined)
      spec = withFields(spec, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } });
    if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer')
      spec = withDefaults(spec, { internalTrafficPolicy: 'Cluster' });
    if (isReached(spec)) spec = withDefaults(spec, { externalTrafficPolicy: 'Cluster' });
    if (type === 'LoadBalancer') spec = withDefaults(spec, { allocateLoadBalancerNodePorts: true });
    if (!Array.isArray(spec['ports'])) return spec;
    return withFields(spec, {
      ports: mapObjects(spec['ports'], (port) =>
        withDefaults(isUnset(port['targetPort']) ? withFields(port, { targetPort: undefined }) : port, {
          protocol: 'TCP',
          targetPort: port['port'],
        }),
      ),
    });
  });
  const balancer = asObject(dig(filled, 'status', 'loadBalancer'));
  const isBalanced = dig(filled, 'spec', 'type') === 'LoadBalancer' && Array.isArray(balancer['ingress']);
  if (!isBalanced) return withDefaults(filled, { status: { loadBalancer: {} } });
  const ingress = mapObjects(balancer['ingress'], (one) => (isUnset(one['ip'] ?? '') ? one : withDefaults(one, { ipMode: 'VIP' })));
  return withPath(filled, ['status', 'loadBalancer', 'ingress'], ingress);
}

/** What Go's type has when nothing was set. */
function isUnset(value: Json | undefined): boolean {
  return value === 0 || value === '';
}

function defaultNamespace(namespace: JsonObject): JsonObject {
  const metadata = asObject(namespace['metadata']);
  const name = asText(metadata['name']);
  const labels = withFields(asTextMap(metadata['labels']), name === undefined ? {} : { 'kubernetes.io/metadata.name': name });
  // A status without a phase, as somebody may write it, is that of an active one.
  const status = isJsonObject(namespace['status']) ? { status: withDefaults(namespace['status'], { phase: 'Active' }) } : {};
  return withFields(namespace, { metadata: withFields(metadata, { labels }), ...status });
}

/** `stringData` is written into `data` and forgotten. Source: pkg/registry/core/secret/strategy.go. */
function defaultSecret(secret: JsonObject): JsonObject {
  const text = Object.entries(asTextMap(secret['stringData']));
  const merged =
    text.length === 0
      ? secret
      : withFields(secret, {
          stringData: undefined,
          data: { ...asObject(secret['data']), ...Object.fromEntries(text.map(([key, value]) => [key, encodeBase64(value)])) },
        });
  return withDefaults(merged, { type: 'Opaque' });
}

function defaultLimit(limit: JsonObject): JsonObject {
  if (limit['type'] !== 'Container') return limit;
  const limits = { ...asObject(limit['max']), ...asObject(limit['default']) };
  const requests = { ...asObject(limit['min']), ...limits, ...asObject(limit['defaultRequest']) };
  return withFields(limit, {
    ...(Object.keys(limits).length === 0 ? {} : { default: limits }),
    ...(Object.keys(requests).length === 0 ? {} : { defaultRequest: requests }),
  });
}

function defaultNetworkPolicy(given: JsonObject): JsonObject {
  const types = ['Ingress', ...(asList(given['egress']).length > 0 ? ['Egress'] : [])];
  const spec = withDefaults(given, { policyTypes: types, podSelector: {} });
  const withPorts = (rules: Json | undefined): readonly Json[] =>
    mapObjects(rules, (rule) =>
      Array.isArray(rule['ports'])
        ? withFields(rule, { ports: mapObjects(rule['ports'], (port) => withDefaults(port, { protocol: 'TCP' })) })
        : rule,
    );
  return withFields(spec, {
    ...(spec['ingress'] === undefined ? {} : { ingress: withPorts(spec['ingress']) }),
    ...(spec['egress'] === undefined ? {} : { egress: withPorts(spec['egress']) }),
  });
}

function defaultAutoscaler(given: JsonObject): JsonObject {
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
  const spec = withDefaults(given, { minReplicas: 1, metrics: [cpu] });
  if (!isJsonObject(spec['behavior'])) return spec;
  const { scaleUp, scaleDown } = spec['behavior'];
  const fast = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  };
  const down = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };
  return withFields(spec, {
    behavior: { scaleUp: withDefaults(asObject(scaleUp), fast), scaleDown: withDefaults(asObject(scaleDown), down) },
  });
}

function defaultBinding(binding: JsonObject): JsonObject {
  const given = asObject(binding['roleRef']);
  const roleRef = withFields(given, { apiGroup: (asText(given['apiGroup']) ?? '') === '' ? RBAC : given['apiGroup'] });
  const subjects =
    binding['subjects'] === undefined
      ? undefined
      : mapObjects(binding['subjects'], (subject) =>
          subject['kind'] === 'ServiceAccount' ? subject : withDefaults(subject, { apiGroup: RBAC }),
        );
  return withFields(binding, { roleRef, subjects });
}

const RBAC = 'rbac.authorization.k8s.io';

function defaultWebhooks(object: JsonObject, more: JsonObject): JsonObject {
  if (object['webhooks'] === undefined) return object;
  return withFields(object, {
    webhooks: mapObjects(object['webhooks'], (webhook) => {
      const filled = withDefaults(webhook, {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        ...more,
      });
      const config = asObject(filled['clientConfig']);
      const service = config['service'];
      const clientConfig = isJsonObject(service) ? withFields(config, { service: withDefaults(service, { port: 443 }) }) : config;
      const { rules } = filled;
      const scoped = rules === undefined ? rules : mapObjects(rules, (rule) => withDefaults(rule, { scope: '*' }));
      return withFields(filled, { clientConfig, rules: scoped });
    }),
  });
}

function defaultPolicy(object: JsonObject): JsonObject {
  return inSpec(object, (given) => {
    const spec = withDefaults(given, { failurePolicy: 'Fail' });
    return isJsonObject(spec['matchConstraints']) ? withFields(spec, { matchConstraints: defaultMatch(spec['matchConstraints']) }) : spec;
  });
}

function defaultPolicyBinding(object: JsonObject): JsonObject {
  return inSpec(object, (given) => {
    const spec = isJsonObject(given['matchResources'])
      ? withFields(given, { matchResources: defaultMatch(given['matchResources']) })
      : given;
    return isJsonObject(spec['paramRef']) ? withFields(spec, { paramRef: spec['paramRef'] }) : spec;
  });
}

function defaultMatch(match: JsonObject): JsonObject {
  const filled = withDefaults(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  const withScope = (rules: Json | undefined): readonly Json[] => mapObjects(rules, (rule) => withDefaults(rule, { scope: '*' }));
  return withFields(filled, {
    ...(filled['resourceRules'] === undefined ? {} : { resourceRules: withScope(filled['resourceRules']) }),
    ...(filled['excludeResourceRules'] === undefined ? {} : { excludeResourceRules: withScope(filled['excludeResourceRules']) }),
  });
}
