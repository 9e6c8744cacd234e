import { parseInteger } from '../base/number.ts';
import type { WriteRequest } from '../model/cluster-changer.ts';
import { formatInstant, parseInstant } from '../base/instant.ts';
import type { Instant } from '../base/instant.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, digAt } from '../base/json.ts';
import { withPath } from '../base/json-edit.ts';
import { append } from '../base/lists.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { annotationsOf, controllerOf, formatRef, inNamespace, parseRef, refOf } from '../model/kube-object.ts';
import type { ChangeAction } from '../model/playbook-change.ts';
import { resourceOfKind } from '../model/resources.ts';
import { fill } from '../model/placeholders.ts';
import { clientsPolicy } from '../report/format/kubectl-words.ts';
import type { Variables } from './variables.ts';
import { ALL_CONTAINERS, changesOfFix } from './fix-command.ts';
import { fillBody, fillObject, missing, objectOf } from './variables.ts';

/** One write of a change, with the object as it is now (undefined for one that is to be made). */
export interface PlannedWrite {
  readonly ref: ObjectRef;
  readonly request: WriteRequest;
  readonly before: KubeObject | undefined;
}

/** `cannot` is a sentence; `unresolved` means that a variable has no value. */
export type Plan =
  | { readonly ok: true; readonly actions: readonly ChangeAction[]; readonly writes: readonly PlannedWrite[] }
  | { readonly ok: false; readonly cannot: string; readonly unresolved: boolean };

/** What a change comes to, write by write, for the objects as they are now. Nothing is changed. */
export async function planChange(template: ChangeAction, variables: Variables, reader: ClusterReader, now: Instant): Promise<Plan> {
  if (template.change === 'fix') return planFix(String(variables['fix'] ?? ''), reader, now);
  const lacking = missing(template, variables);
  if (lacking.length > 0) return cannot(`${lacking.join(', ')} ${lacking.length === 1 ? 'has' : 'have'} no value`, true);
  const action = filledChange(template, variables);
  if (action === undefined) return cannot('it is not a valid object reference', true);
  if (action.change === 'create') return planCreate(action);
  if (action.change === 'fix') return cannot('a fix is planned as what it changes');
  const ref = parseRef(action.object);
  if (ref === undefined) return cannot(`${action.object} is not a valid object reference`, true);
  const read = await reader.get(ref);
  if (!read.ok)
    return cannot(read.why === 'absent' ? `${formatRef(ref)} not found` : `${formatRef(ref)} could not be read: ${read.detail}`);
  return planOne(action, { ref, object: read.value, reader, now });
}

/** A printed fix as what it changes, for the objects as they are now. */
export async function planFix(command: string, reader: ClusterReader, now: Instant): Promise<Plan> {
  const fix = changesOfFix(command);
  if (fix === undefined) return cannot('the fix of this cause is not one command that changes one object');
  const actions: ChangeAction[] = [];
  const writes: PlannedWrite[] = [];
  for (const action of fix) {
    const plan = await planChange(await withContainers(action, reader), {}, reader, now);
    if (!plan.ok) return plan;
    append(actions, plan.actions);
    append(writes, plan.writes);
  }
  return { ok: true, actions, writes };
}

/** What is said of all containers, for each container that the pod template has now. */
async function withContainers(action: ChangeAction, reader: ClusterReader): Promise<ChangeAction> {
  const all = action.change === 'patch' ? dig(action.body, 'spec', 'template', 'spec', 'containers', 0) : undefined;
  if (action.change !== 'patch' || asText(dig(all, 'name')) !== ALL_CONTAINERS) return action;
  const ref = parseRef(action.object);
  const read = ref === undefined ? undefined : await reader.get(ref);
  if (read?.ok !== true) return action;
  const names = asList(dig(read.value, 'spec', 'template', 'spec', 'containers')).map((container) => asText(dig(container, 'name')) ?? '');
  const containers = names.map((name) => ({ ...asObject(all), name }));
  return { ...action, body: { spec: { template: { spec: { containers } } } } };
}

/** The change with every variable filled in and every object named in full. */
export function filledChange(action: ChangeAction, variables: Variables): ChangeAction | undefined {
  if (action.change === 'create') {
    const manifest = fillObject(action.manifest, variables);
    const isNamespaced = resourceOfKind(asText(manifest['kind']) ?? '')?.namespaced ?? true;
    const { namespace } = variables;
    const own = asText(dig(manifest, 'metadata', 'namespace'));
    return {
      change: 'create',
      manifest:
        isNamespaced && own === undefined && namespace !== undefined
          ? withPath(manifest, ['metadata', 'namespace'], String(namespace))
          : manifest,
    };
  }
  if (action.change === 'fix') return undefined;
  const ref = objectOf(withKind(action.object, action.change, variables), variables, (kind) => resourceOfKind(kind)?.namespaced ?? true);
  if (ref === undefined) return undefined;
  const object = formatRef(ref);
  switch (action.change) {
    case 'patch':
      return { ...action, object, body: fillBody(action.body, variables) as JsonObject };
    case 'scale':
      return { ...action, object, replicas: fill(action.replicas, variables) };
    case 'set-image':
      return { ...action, object, container: fill(action.container, variables), image: fill(action.image, variables) };
    case 'delete':
      return { ...action, object };
    case 'restart':
    case 'rollout-undo':
    case 'cordon':
    case 'uncordon':
    case 'drain':
    case 'evict':
    case 'approve':
    case 'allow-clients':
      return { ...action, object };
  }
}

/** A bare name where only one kind makes sense. */
const ONLY_KIND: Partial<Record<ChangeAction['change'], string>> = {
  cordon: 'Node',
  uncordon: 'Node',
  drain: 'Node',
  evict: 'Pod',
  approve: 'CertificateSigningRequest',
};

function withKind(template: string, change: ChangeAction['change'], variables: Variables): string {
  const kind = ONLY_KIND[change];
  const object = fill(template, variables);
  return kind === undefined || object.includes('/') ? object : `${kind}/${object}`;
}

interface Planned {
  readonly ref: ObjectRef;
  readonly object: KubeObject;
  readonly reader: ClusterReader;
  readonly now: Instant;
}

async function planOne(action: Exclude<ChangeAction, { change: 'create' | 'fix' }>, planned: Planned): Promise<Plan> {
  const { ref, object, now } = planned;
  const patch = (type: 'strategic' | 'merge' | 'json', body: Json, subresource?: string): Plan =>
    one(action, {
      ref,
      before: object,
      request: { verb: 'patch', ...placeOf(ref, object), patch: { type, body }, ...(subresource === undefined ? {} : { subresource }) },
    });
  switch (action.change) {
    case 'patch':
      return patch(action.type, action.body, action.subresource);
    case 'scale':
      return /^\d{1,6}$/.test(action.replicas)
        ? patch('merge', { spec: { replicas: parseInteger(action.replicas) ?? 0 } })
        : cannot(`"${action.replicas}" is not a valid number of replicas`);
    case 'restart':
      return hasTemplate(object)
        ? patch('strategic', {
            spec: { template: { metadata: { annotations: { [RESTARTED_AT]: formatInstant(momentOfRestart(object, now)) } } } },
          })
        : cannot(`a ${ref.kind} cannot be restarted`);
    case 'rollout-undo':
      return planRolloutUndo(action.revision, planned, patch);
    case 'set-image':
      return planImage(action, object, patch);
    case 'delete':
      return one(action, {
        ref,
        before: object,
        request: {
          verb: 'delete',
          ...placeOf(ref, object),
          ...(object.metadata.uid === undefined ? {} : { uid: object.metadata.uid }),
          ...(action.propagation === undefined ? {} : { propagation: action.propagation }),
          ...(action.graceSeconds === undefined ? {} : { graceSeconds: action.graceSeconds }),
        },
      });
    case 'cordon':
      return patch('merge', { spec: { unschedulable: true } });
    case 'uncordon':
      return patch('merge', { spec: { unschedulable: null } });
    case 'allow-clients':
      return planCreate({ change: 'create', manifest: clientsPolicyOf(object) });
    case 'evict':
      return one(action, eviction(object));
    case 'drain':
      return planDrain(action, planned);
    case 'approve': {
      const conditions = [
        ...asList(dig(object, 'status', 'conditions')),
        {
          type: 'Approved',
          status: 'True',
          reason: 'PodcheckApprove',
          message: 'This CSR was approved by a podcheck runbook.',
          lastUpdateTime: formatInstant(now),
        },
      ];
      return one(action, {
        ref,
        before: object,
        request: {
          verb: 'update',
          ...placeOf(ref, object),
          subresource: 'approval',
          body: withPath(object, ['status', 'conditions'], conditions),
        },
      });
    }
  }
}

const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/** The annotation holds whole seconds: a second restart within one would change nothing, so it is dated a second after the one before. */
function momentOfRestart(object: KubeObject, now: Instant): Instant {
  const before = parseInstant(dig(object, 'spec', 'template', 'metadata', 'annotations', RESTARTED_AT));
  return before !== undefined && before >= now - (now % 1000) ? before + 1000 : now;
}

function planCreate(action: Extract<ChangeAction, { change: 'create' }>): Plan {
  const { manifest } = action;
  const [kind, name, namespace] = [
    asText(manifest['kind']) ?? '',
    asText(dig(manifest, 'metadata', 'name')),
    asText(dig(manifest, 'metadata', 'namespace')),
  ];
  if (name === undefined || name === '') return cannot('the manifest has no name');
  const ref: ObjectRef = { kind, ...inNamespace(namespace), name };
  return {
    ok: true,
    actions: [action],
    writes: [
      { ref, before: undefined, request: { verb: 'create', apiVersion: asText(manifest['apiVersion']) ?? '', ...ref, body: manifest } },
    ],
  };
}

/** Pods of the namespace may reach the ports of the Service's pods; nobody outside of it may. */
function clientsPolicyOf(service: KubeObject): JsonObject {
  const { name, namespace } = service.metadata;
  const ports = asList(dig(service, 'spec', 'ports')).map((port) => ({
    port: asText(dig(port, 'targetPort')) ?? asNumber(dig(port, 'targetPort')) ?? asNumber(dig(port, 'port')),
    protocol: asText(dig(port, 'protocol')) ?? 'TCP',
  }));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: clientsPolicy(name), ...inNamespace(namespace) },
    spec: {
      podSelector: { matchLabels: asTextMap(dig(service, 'spec', 'selector')) },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: {} }], ports }],
    },
  };
}

/**
 * The template of the revision before, as kubectl takes it. Source: staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollback.go
 * (DeploymentRollbacker).
 */
async function planRolloutUndo(
  wanted: string | undefined,
  planned: Planned,
  patch: (type: 'json' | 'strategic', body: Json) => Plan,
): Promise<Plan> {
  const { ref, object, reader } = planned;
  if (ref.kind === 'StatefulSet' || ref.kind === 'DaemonSet') return planRevisionUndo(planned, patch);
  if (ref.kind !== 'Deployment') return cannot(`a ${ref.kind} keeps no revisions to roll back to`);
  if (dig(object, 'spec', 'paused') === true) return cannot(`${formatRef(ref)} is paused`);
  const sets = await reader.list('ReplicaSet', inNamespace(ref.namespace));
  if (!sets.ok) return cannot(`the revisions could not be read: ${sets.detail}`);
  const revisions = sets.value
    .filter((set) => controllerOf(set)?.uid === object.metadata.uid)
    .flatMap((set) => {
      const revision = parseInteger(annotationsOf(set)['deployment.kubernetes.io/revision']);
      return revision === undefined ? [] : [{ set, revision }];
    })
    .toSorted((a, b) => b.revision - a.revision);
  const before = (wanted === undefined ? revisions[1] : revisions.find(({ revision }) => String(revision) === wanted))?.set;
  if (before === undefined) return cannot(`${formatRef(ref)} has no earlier revision`);
  return patch('json', [
    {
      op: 'replace',
      path: '/spec/template',
      value: withPath(asObject(dig(before, 'spec', 'template')), ['metadata', 'labels', 'pod-template-hash'], undefined),
    },
  ]);
}

/**
 * What a ControllerRevision keeps is the patch that brings its template back; kubectl takes the last but one. Source:
 * staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollback.go (DaemonSetRollbacker, StatefulSetRollbacker, findHistory).
 */
async function planRevisionUndo({ ref, object, reader }: Planned, patch: (type: 'strategic', body: Json) => Plan): Promise<Plan> {
  const read = await reader.list('ControllerRevision', inNamespace(ref.namespace));
  if (!read.ok) return cannot(`the revisions could not be read: ${read.detail}`);
  const revisions = read.value
    .filter((revision) => controllerOf(revision)?.uid === object.metadata.uid)
    .toSorted((a, b) => (asNumber(dig(b, 'revision')) ?? 0) - (asNumber(dig(a, 'revision')) ?? 0));
  const before = dig(revisions[1], 'data');
  return before === undefined ? cannot(`${formatRef(ref)} has no earlier revision`) : patch('strategic', before);
}

function planImage(
  { container, image }: Extract<ChangeAction, { change: 'set-image' }>,
  object: KubeObject,
  patch: (type: 'strategic', body: Json) => Plan,
): Plan {
  const path =
    object.kind === 'Pod'
      ? ['spec']
      : object.kind === 'CronJob'
        ? ['spec', 'jobTemplate', 'spec', 'template', 'spec']
        : ['spec', 'template', 'spec'];
  const spec = digAt(object, path);
  const field = ['containers', 'initContainers'].find((name) =>
    asList(dig(spec, name)).some((member) => asText(dig(member, 'name')) === container),
  );
  if (field === undefined) return cannot(`${formatRef(refOf(object))} has no container ${container}`);
  return patch('strategic', withPath({}, [...path, field], [{ name: container, image }]));
}

/**
 * Cordon, then evict every pod that a DaemonSet or the node itself would not bring back. Source:
 * staging/src/k8s.io/kubectl/pkg/drain/filters.go.
 */
async function planDrain(
  action: Extract<ChangeAction, { change: 'cordon' | 'uncordon' | 'drain' }>,
  { ref, object, reader }: Planned,
): Promise<Plan> {
  const pods = await reader.list('Pod', { fieldSelector: `spec.nodeName=${ref.name}` });
  if (!pods.ok) return cannot(`the pods of the node could not be read: ${pods.detail}`);
  const leaving = pods.value.filter(
    (pod) =>
      asText(dig(pod, 'spec', 'nodeName')) === ref.name &&
      controllerOf(pod)?.kind !== 'DaemonSet' &&
      asTextMap(dig(pod, 'metadata', 'annotations'))['kubernetes.io/config.mirror'] === undefined &&
      !/^(Succeeded|Failed)$/.test(asText(dig(pod, 'status', 'phase')) ?? ''),
  );
  const cordon: PlannedWrite = {
    ref,
    before: object,
    request: { verb: 'patch', ...placeOf(ref, object), patch: { type: 'merge', body: { spec: { unschedulable: true } } } },
  };
  return { ok: true, actions: [action], writes: [cordon, ...leaving.map(eviction)] };
}

function eviction(pod: KubeObject): PlannedWrite {
  const { uid: _uid, ...ref } = refOf(pod);
  return {
    ref,
    before: pod,
    request: {
      verb: 'create',
      apiVersion: 'v1',
      ...ref,
      subresource: 'eviction',
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: ref.name, ...inNamespace(ref.namespace) },
      },
    },
  };
}

function one(action: ChangeAction, write: PlannedWrite): Plan {
  return { ok: true, actions: [action], writes: [write] };
}

function cannot(why: string, unresolved = false): Plan {
  return { ok: false, cannot: why, unresolved };
}

function placeOf(ref: ObjectRef, object: KubeObject): Pick<WriteRequest, 'apiVersion' | 'kind' | 'namespace' | 'name'> {
  return {
    apiVersion: object.apiVersion,
    kind: ref.kind,
    ...inNamespace(ref.namespace),
    name: ref.name,
  };
}

function hasTemplate(object: KubeObject): boolean {
  return dig(object, 'spec', 'template') !== undefined && object.kind !== 'Job';
}
