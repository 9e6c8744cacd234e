import type { Json, JsonObject } from '../../../base/json.ts';
import { dig } from '../../../base/json.ts';
import { formatInstant } from '../../../base/instant.ts';
import type { Draft } from '../draft.ts';
import { given, integer, labelMap } from '../draft.ts';
import { accessModes } from '../printed-values.ts';
import { rfc1123 } from '../segment-times.ts';
import type { DescribeReader } from './describe-reader.ts';
import { conditionsIn, describeConditions, describeMetadata, showText } from './metadata.ts';
import { taintParts } from './placement.ts';
import type { Section } from './sections.ts';
import { Sections, sectionsOf, valuesOf } from './sections.ts';
import { sourceOf } from './volumes.ts';

/** Nodes and storage. Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go. */
export const CLUSTER_DESCRIBES: Readonly<Record<string, DescribeReader>> = {
  Node(fields, draft) {
    describeMetadata(fields, draft);
    const taints = fields.get('Taints');
    if (taints !== undefined) draft.show('spec.taints', valuesOf(taints).flatMap(taintOf));
    const unschedulable = fields.value('Unschedulable');
    if (unschedulable !== undefined) draft.show('spec.unschedulable', unschedulable === 'true');
    describeConditions(fields, draft);
    readyWhereCut(fields, draft);
    const addresses = fields.get('Addresses');
    if (addresses !== undefined)
      draft.show(
        'status.addresses',
        sectionsOf(addresses.body).map(({ key, value }) => ({ type: key, address: value })),
      );
    for (const [key, path] of [
      ['Capacity', 'status.capacity'],
      ['Allocatable', 'status.allocatable'],
    ] as const) {
      const section = fields.get(key);
      if (section !== undefined) draft.show(path, amountsIn(section));
    }
    const info = fields.get('System Info');
    if (info !== undefined) draft.show('status.nodeInfo', nodeInfo(info));
    showText(fields, draft, 'PodCIDR', 'spec.podCIDR');
    showText(fields, draft, 'ProviderID', 'spec.providerID');
  },
  PersistentVolumeClaim(fields, draft) {
    describeMetadata(fields, draft);
    showText(fields, draft, 'StorageClass', 'spec.storageClassName');
    showPhase(fields, draft);
    showText(fields, draft, 'Volume', 'spec.volumeName');
    showText(fields, draft, 'Capacity', 'status.capacity.storage');
    if (fields.has('Access Modes')) draft.show('status.accessModes', accessModes(fields.value('Access Modes')));
    showText(fields, draft, 'VolumeMode', 'spec.volumeMode');
    describeConditions(fields, draft);
    const source = fields.get('DataSource');
    if (source === undefined) return;
    const reference = new Sections(source.body);
    draft.show('spec.dataSource', { kind: reference.value('Kind') ?? '', name: reference.value('Name') ?? '' });
  },
  PersistentVolume(fields, draft) {
    describeMetadata(fields, draft);
    showText(fields, draft, 'StorageClass', 'spec.storageClassName');
    showPhase(fields, draft);
    const claim = fields.value('Claim');
    if (claim !== undefined) {
      const [namespace, name] = given(claim)?.split('/') ?? [];
      if (namespace !== undefined && name !== undefined) draft.set('spec.claimRef', { kind: 'PersistentVolumeClaim', namespace, name });
      draft.covers('spec.claimRef.name', 'spec.claimRef.namespace');
    }
    showText(fields, draft, 'Reclaim Policy', 'spec.persistentVolumeReclaimPolicy');
    if (fields.has('Access Modes')) draft.show('spec.accessModes', accessModes(fields.value('Access Modes')));
    showText(fields, draft, 'VolumeMode', 'spec.volumeMode');
    showText(fields, draft, 'Capacity', 'spec.capacity.storage');
    showText(fields, draft, 'Message', 'status.message');
    const affinity = fields.get('Node Affinity');
    if (affinity !== undefined) draft.show('spec.nodeAffinity', nodeAffinity(affinity));
    const source = fields.get('Source');
    if (source === undefined) return;
    for (const [kind, value] of Object.entries(sourceOf(source))) draft.show(`spec.${kind}`, value);
  },
  StorageClass(fields, draft) {
    const annotations = fields.get('Annotations');
    if (annotations !== undefined)
      draft.show('metadata.annotations', { ...defaultClass(fields), ...labelMap(shortAnnotations(annotations)) });
    showText(fields, draft, 'Provisioner', 'provisioner');
    const parameters = fields.value('Parameters');
    if (parameters !== undefined) draft.show('parameters', labelMap(given(parameters)?.split(',') ?? []));
    const expansion = fields.value('AllowVolumeExpansion');
    if (expansion !== undefined)
      draft.show('allowVolumeExpansion', given(expansion) === undefined ? undefined : expansion.toLowerCase() === 'true');
    showText(fields, draft, 'ReclaimPolicy', 'reclaimPolicy');
    showText(fields, draft, 'VolumeBindingMode', 'volumeBindingMode');
    const topologies = fields.get('AllowedTopologies');
    if (topologies !== undefined)
      draft.show(
        'allowedTopologies',
        terms(topologies).map((matchLabelExpressions) => ({
          matchLabelExpressions: matchLabelExpressions.map(({ key, values }) => ({ key, values })),
        })),
      );
    else if (fields.has('VolumeBindingMode')) draft.show('allowedTopologies');
  },
};

/**
 * The row Ready is the last one. Where it was cut off, the node controller's other marks tell that the kubelet is silent: it sets all
 * conditions to Unknown at once,
 * and the taint with them. Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go (tryUpdateNodeHealth,
 * processTaintBaseEviction).
 */
function readyWhereCut(fields: Sections, draft: Draft): void {
  const conditions = conditionsIn(fields.get('Conditions'));
  if (conditions.some((condition) => dig(condition, 'type') === 'Ready')) return;
  const taints = fields.get('Taints');
  const isSilent =
    conditions.some((condition) => dig(condition, 'status') === 'Unknown') ||
    (taints !== undefined && valuesOf(taints).some((taint) => taint.startsWith('node.kubernetes.io/unreachable:')));
  if (isSilent)
    draft
      .set('status.conditions', [...conditions, { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }])
      .covers('status.conditions.type', 'status.conditions.status');
}

function showPhase(fields: Sections, draft: Draft): void {
  const status = given(fields.value('Status'));
  if (status !== undefined && !status.startsWith('Terminating')) draft.show('status.phase', status);
}

/** `key=value:NoSchedule`. */
function taintOf(text: string): readonly JsonObject[] {
  if (given(text) === undefined) return [];
  const { key, value, effect } = taintParts(text);
  return key === '' ? [] : [{ key, ...(value === undefined ? {} : { value }), ...(effect === undefined ? {} : { effect }) }];
}

export function amountsIn(section: Section): Readonly<Record<string, string>> {
  const amounts: Record<string, string> = {};
  for (const { key, value } of sectionsOf(section.body)) if (value !== '' && key !== '__proto__') amounts[key] = value;
  return amounts;
}

const NODE_INFO: Readonly<Record<string, string>> = {
  'Machine ID': 'machineID',
  'System UUID': 'systemUUID',
  'Boot ID': 'bootID',
  'Kernel Version': 'kernelVersion',
  'OS Image': 'osImage',
  'Operating System': 'operatingSystem',
  Architecture: 'architecture',
  'Container Runtime Version': 'containerRuntimeVersion',
  'Kubelet Version': 'kubeletVersion',
  'Kube-Proxy Version': 'kubeProxyVersion',
};

function nodeInfo(section: Section): JsonObject {
  const info: Record<string, Json> = {};
  for (const { key, value } of sectionsOf(section.body)) {
    const field = NODE_INFO[key];
    if (field !== undefined) info[field] = value;
  }
  return info;
}

/** The node's own Lease, whose times its describe prints. */
export function leaseIn(fields: Sections): JsonObject | undefined {
  const section = fields.get('Lease');
  if (section === undefined) return undefined;
  const lease = new Sections(section.body);
  const [holder, renewed] = [given(lease.value('HolderIdentity')), rfc1123(lease.value('RenewTime') ?? '')];
  if (holder === undefined && renewed === undefined) return undefined;
  return {
    ...(holder === undefined ? {} : { holderIdentity: holder }),
    ...(renewed === undefined ? {} : { renewTime: formatInstant(renewed.instant) }),
  };
}

function nodeAffinity(section: Section): Json | undefined {
  const required = new Sections(section.body).get('Required Terms');
  if (required === undefined) return undefined;
  return { required: { nodeSelectorTerms: terms(required).map((expressions) => ({ matchExpressions: expressions })) } };
}

interface Expression extends JsonObject {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** `Term 0:  kubernetes.io/hostname in [worker-1, worker-2]`, further expressions of a term on lines of their own. */
function terms(section: Section): readonly (readonly Expression[])[] {
  return sectionsOf(section.body)
    .filter(({ key }) => /^Term \d+$/.test(key))
    .map((term) => valuesOf(term).flatMap(expression));
}

const OPERATORS: Readonly<Record<string, string>> = {
  in: 'In',
  'not in': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!exists': 'DoesNotExist',
  doesnotexist: 'DoesNotExist',
  gt: 'Gt',
  lt: 'Lt',
};

function expression(text: string): readonly Expression[] {
  const [, key, operator = '', values] = /^(\S+) (\w+|!\w+|not in)(?: \[([^\]]*)\])?$/.exec(text) ?? [];
  if (key === undefined) return [];
  return [
    {
      key,
      operator: OPERATORS[operator.toLowerCase()] ?? operator,
      values: values === undefined || values === '' ? [] : values.split(',').map((value) => value.trim()),
    },
  ];
}

function defaultClass(fields: Sections): Readonly<Record<string, string>> {
  return fields.value('IsDefaultClass') === 'Yes' ? { 'storageclass.kubernetes.io/is-default-class': 'true' } : {};
}

/** `a=b,c=d` on one line; the configuration last applied is JSON with commas of its own and is left out. */
function shortAnnotations(section: Section): readonly string[] {
  return valuesOf(section)
    .flatMap((text) => text.replace(/,?kubectl\.kubernetes\.io\/last-applied-configuration=.*$/s, '').split(','))
    .filter((text) => integer(text) === undefined);
}
