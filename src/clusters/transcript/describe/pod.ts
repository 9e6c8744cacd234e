import { formatInstant } from '../../../base/instant.ts';
import { parseDuration } from '../../../base/duration.ts';
import type { Instant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { dig } from '../../../base/json.ts';
import type { Draft } from '../draft.ts';
import { given, integer } from '../draft.ts';
import { namedIn } from '../loose/named-objects.ts';
import { containersOf, STATUS_SHOWN } from './containers.ts';
import { conditionsIn, conditionPaths, describeMetadata, describeOwner, showInteger, showText, showTime } from './metadata.ts';
import { nodeSelectorIn, SPREAD_SHOWN, spreadIn, tolerationsIn } from './placement.ts';
import type { Sections } from './sections.ts';
import { describedTable, valuesOf } from './sections.ts';
import { VOLUME_SHOWN, volumesOf } from './volumes.ts';

/**
 * A pod. Not printed, and so not observed: affinity, security contexts, image pull policy, lifecycle hooks, pull secrets, host
 * namespaces, restart policy, messages of waiting states, reasons of conditions.
 * Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (describePod).
 */
export function describePod(fields: Sections, draft: Draft, at: Instant): void {
  describeMetadata(fields, draft);
  if (fields.has('Containers') || fields.has('Controlled By')) describeOwner(fields, draft);
  describeStatus(fields, draft, at);
  showInteger(fields, draft, 'Priority', 'spec.priority');
  if (fields.has('Node')) {
    draft.show('spec.priorityClassName', given(fields.value('Priority Class Name')));
    draft.show('spec.runtimeClassName', given(fields.value('Runtime Class Name')));
  }
  showText(fields, draft, 'Service Account', 'spec.serviceAccountName');
  const node = fields.value('Node');
  if (node !== undefined) {
    const [name, hostIP] = given(node)?.split('/') ?? [];
    draft.show('spec.nodeName', given(name)).show('status.hostIP', given(hostIP));
  } else if (isEndedByKubelet(fields)) draft.set('spec.nodeName', assignedNode(fields) ?? '<node>');
  describeContainerLists(fields, draft);
  const volumes = fields.get('Volumes');
  if (volumes !== undefined)
    draft
      .set('spec.volumes', volumesOf(volumes))
      .covers(...(fields.cut === 'Volumes' ? [] : VOLUME_SHOWN.map((field) => `spec.volumes.${field}`)));
  showText(fields, draft, 'QoS Class', 'status.qosClass');
  const nodeSelector = nodeSelectorIn(fields);
  if (nodeSelector !== undefined) draft.show('spec.nodeSelector', nodeSelector);
  const tolerations = fields.get('Tolerations');
  if (tolerations !== undefined) draft.show('spec.tolerations', tolerationsIn(tolerations));
  const spread = spreadIn(fields.get('Topology Spread Constraints'));
  if (spread !== undefined)
    draft.set('spec.topologySpreadConstraints', spread).covers(...SPREAD_SHOWN.map((field) => `spec.topologySpreadConstraints.${field}`));
}

/** Only a kubelet gives a pod that is over a reason: it had a node, although that line is cut off. */
function isEndedByKubelet(fields: Sections): boolean {
  return given(fields.value('Status')) === 'Failed' && given(fields.value('Reason')) !== undefined;
}

function assignedNode(fields: Sections): string | undefined {
  const lines = fields.get('Events')?.body ?? [];
  return lines.map(({ text }) => namedIn(text).node).find((name) => name !== undefined);
}

function describeStatus(fields: Sections, draft: Draft, at: Instant): void {
  const status = given(fields.value('Status'));
  if (status !== undefined) {
    const deleting = status.startsWith('Terminating');
    const since = parseDuration(/lasts (\S+?)\)/.exec(status)?.[1] ?? '') ?? 0;
    draft.show('metadata.deletionTimestamp', deleting ? formatInstant(at - since * 1000) : undefined);
    if (!deleting) draft.show('status.phase', status);
    draft.show('status.reason', given(fields.value('Reason')));
    draft.show('status.message', given(fields.text('Message')));
  }
  if (fields.has('Termination Grace Period'))
    draft.show('metadata.deletionGracePeriodSeconds', integer(fields.value('Termination Grace Period')?.replace(/s$/, '')));
  if (fields.has('Node')) showStart(fields, draft);
  showAddresses(fields, draft);
  if (fields.has('Containers')) draft.show('status.nominatedNodeName', given(fields.value('NominatedNodeName')));
  describeReadiness(fields, draft);
}

function showAddresses(fields: Sections, draft: Draft): void {
  showText(fields, draft, 'IP', 'status.podIP');
  const ips = fields.get('IPs');
  if (ips === undefined) return;
  draft.show(
    'status.podIPs',
    valuesOf(ips).flatMap((text) => (given(text) === undefined ? [] : [{ ip: text.replace(/^IP:\s*/, '') }])),
  );
}

/** Conditions and readiness gates. A pod without them has no title for them; Volumes come after both, and show that both were printed. */
function describeReadiness(fields: Sections, draft: Draft): void {
  const conditions = fields.get('Conditions');
  if (conditions !== undefined) draft.set('status.conditions', conditionsIn(conditions)).covers(...conditionPaths(conditions));
  else if (fields.has('Volumes')) draft.show('status.conditions', []);
  const gates = fields.get('Readiness Gates');
  if (gates !== undefined) {
    draft.show(
      'spec.readinessGates',
      describedTable(gates.body).flatMap(({ cells }) =>
        cells.get('Type') === undefined ? [] : [{ conditionType: cells.get('Type') ?? '' }],
      ),
    );
  } else if (fields.has('Volumes') && fields.has('Containers')) draft.show('spec.readinessGates');
}

/** A pod that the kubelet has not seen has no start time, and then the line is left out. */
function showStart(fields: Sections, draft: Draft): void {
  if (fields.has('Start Time')) showTime(fields, draft, 'Start Time', 'status.startTime');
  else draft.show('status.startTime');
}

const LISTS = [
  ['Containers', 'spec.containers', 'status.containerStatuses'],
  ['Init Containers', 'spec.initContainers', 'status.initContainerStatuses'],
  ['Ephemeral Containers', 'spec.ephemeralContainers', 'status.ephemeralContainerStatuses'],
] as const;

function describeContainerLists(fields: Sections, draft: Draft): void {
  // What is cut off before the containers themselves may show init containers, and says nothing of the others.
  const lists = fields.has('Containers') ? LISTS : LISTS.filter(([key]) => fields.has(key));
  for (const [key, specPath, statusPath] of lists) {
    const section = fields.get(key);
    const { specs, statuses, shown } = containersOf(section);
    if (section === undefined) {
      if (key !== 'Ephemeral Containers' || fields.has('Volumes')) draft.show(specPath).show(statusPath);
      continue;
    }
    draft.set(specPath, key === 'Init Containers' ? specs.map((spec) => sidecar(spec, statuses)) : specs);
    if (statuses.length > 0) draft.set(statusPath, statuses);
    if (fields.cut === key) continue;
    draft.covers(...shown.map((field) => `${specPath}.${field}`));
    if (statuses.length > 0) draft.covers(...STATUS_SHOWN.map((field) => `${statusPath}.${field}`));
    else draft.show(statusPath);
  }
}

/** An init container that runs and counts as ready can only be a sidecar: others are ready once they have ended. */
function sidecar(spec: JsonObject, statuses: readonly Json[]): JsonObject {
  const status = statuses.find((candidate) => dig(candidate, 'name') === spec['name']);
  const runs = dig(status, 'state', 'running') !== undefined && dig(status, 'ready') === true;
  return runs ? { ...spec, restartPolicy: 'Always' } : spec;
}
