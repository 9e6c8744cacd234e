import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, digAt, isJsonObject } from '../../base/json.ts';
import { withPath } from '../../base/json-edit.ts';
import type { Cause } from '../../model/diagnosis.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { sameObject } from '../../model/kube-object.ts';
import { resourceNamed } from '../../model/resources.ts';
import { objectWords } from '../../report/format/object-words.ts';
import { changeOfCommand } from '../../runbook/fix-command.ts';
import { planChange } from '../../runbook/change-plan.ts';
import { simulatedChanger } from '../../runbook/simulated-changer.ts';
import type { Cluster, UnmetNeed } from '../../simulator/index.ts';
import { missingObject, unmetNeeds } from '../../simulator/index.ts';
import { podSpecPath } from './cause-place.ts';
import { presentObject } from './present-object.ts';

export interface CureRequest {
  readonly cluster: Cluster;
  /** What was applied, in the namespaces it went to. */
  readonly wanted: readonly KubeObject[];
  /** What the cause stops. */
  readonly target: ObjectRef;
}

/** What is assumed from now on, and the way that was taken. */
export interface Cured {
  readonly assumed: string;
  readonly way: number;
}

/** First what is missing is made, then the printed fix is carried out, then what refuses is left out, then the template asks for less. */
const WAYS = [makeMissing, requestLess, carryOutFix, leaveOut, widen] as const;

/**
 * Takes a cause out of the way in a clone, so that the play can go on; undefined where nothing is known that would help. `from` is the
 * first way that is tried: those before it did not help.
 */
export async function cureInClone(cause: Cause, request: CureRequest, from = 0): Promise<Cured | undefined> {
  if (cause.symptom !== undefined) return undefined;
  for (const [way, cure] of WAYS.entries()) {
    const assumed = way < from ? undefined : await cure(cause, request);
    if (assumed !== undefined) return { assumed, way };
  }
  return undefined;
}

async function makeMissing(cause: Cause, { cluster, wanted }: CureRequest): Promise<string | undefined> {
  const names = new Set<unknown>([cause.object.name, ...Object.values(cause.params)]);
  const needs = unmetNeeds(cluster, wanted).filter(
    ({ ref, keys }) => names.has(ref.name) && (keys.length === 0 || isOf(cause, ref, names, keys)),
  );
  const made: string[] = [];
  for (const need of needs) if (await send(need, cluster)) made.push(needWords(need));
  if (made.length > 0) return made.join('; ');
  const missing = missingObject(cluster, cause.object);
  if (missing !== undefined && (await send(missing, cluster))) return needWords(missing);
  const { kind, name } = cause.object;
  if (kind !== 'Namespace' || cluster.store.get('namespaces', undefined, name) !== undefined) return undefined;
  const body = { apiVersion: 'v1', kind, metadata: { name } };
  const { ok } = await simulatedChanger(cluster).send({ verb: 'create', apiVersion: 'v1', kind, name, body }, false);
  return ok ? `${objectWords(cause.object)} exists` : undefined;
}

/** Keys of an object that is there are a cause of their own. */
function isOf({ object }: Cause, ref: ObjectRef, names: ReadonlySet<unknown>, keys: readonly string[]): boolean {
  return object.kind === ref.kind || keys.some((key) => names.has(key)) || names.has(ref.name);
}

function needWords({ ref, keys }: UnmetNeed): string {
  return `${objectWords(ref)} exists${keys.length === 0 ? '' : ` with ${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}`}`;
}

async function send({ ref, keys, objects }: UnmetNeed, cluster: Cluster): Promise<boolean> {
  const changer = simulatedChanger(cluster);
  let isMade = false;
  for (const object of objects) {
    const { kind, apiVersion, metadata } = object;
    const place = { apiVersion, kind, name: metadata.name, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) };
    const made = await changer.send({ verb: 'create', ...place, body: object }, false);
    const isOwn = kind === ref.kind && metadata.name === ref.name;
    if (made.ok) isMade ||= isOwn;
    else if (isOwn && keys.length > 0) {
      const data = Object.fromEntries(keys.map((key) => [key, '']));
      isMade ||= (await changer.send({ verb: 'patch', ...place, patch: { type: 'merge', body: { data } } }, false)).ok;
    }
  }
  return isMade;
}

/** Changes that would take the manifests back instead of letting them through. */
const BACKWARDS: ReadonlySet<string> = new Set(['rollout-undo', 'delete', 'drain', 'evict', 'cordon', 'restart']);

async function carryOutFix({ fix }: Cause, { cluster }: CureRequest): Promise<string | undefined> {
  for (const { run, say } of fix) {
    const action = run === undefined || run.includes('<') ? undefined : changeOfCommand(run);
    if (action === undefined || BACKWARDS.has(action.change)) continue;
    const plan = await planChange(action, {}, cluster.reader(), cluster.now());
    if (!plan.ok) continue;
    const changer = simulatedChanger(cluster);
    let isDone = true;
    for (const { request } of plan.writes) isDone &&= (await changer.send(request, false)).ok;
    if (isDone) return `applied: ${say}`;
  }
  return undefined;
}

/** Kinds that refuse others or keep them away, and so let them through where they are left out. */
const IN_THE_WAY: ReadonlySet<string> = new Set([
  'ResourceQuota',
  'LimitRange',
  'NetworkPolicy',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
]);

async function leaveOut({ object, params }: Cause, { cluster }: CureRequest): Promise<string | undefined> {
  const named = Object.entries(params).flatMap(([field, value]) => guilty(field, String(value)));
  const changer = simulatedChanger(cluster);
  for (const ref of [...(IN_THE_WAY.has(object.kind) ? [object] : []), ...named]) {
    const resource = resourceNamed(ref.kind);
    if (resource === undefined) continue;
    const removed = await changer.send({ verb: 'delete', apiVersion: resource.apiVersion, ...ref }, false);
    if (removed.ok) return `without ${objectWords(ref)}`;
  }
  return undefined;
}

/** What rules call the policy or the webhook that refused. */
function guilty(field: string, value: string): readonly ObjectRef[] {
  const [kind = '', name] = value.split('/');
  const resource = field === 'config' ? resourceNamed(kind) : undefined;
  if (resource !== undefined && name !== undefined) return [{ kind: resource.kind, name }];
  return field === 'policy' ? ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'].map((one) => ({ kind: one, name: value })) : [];
}

/** A request that is only made to fit would take all the room that is left, and stop others. */
async function requestLess({ stage, params, rule }: Cause, request: CureRequest): Promise<string | undefined> {
  const { resource } = params;
  if (stage !== 'scheduling' || typeof resource !== 'string' || !rule.includes('insufficient')) return undefined;
  const isMade = await madeAgain(request, (spec) => ({
    ...spec,
    ...Object.fromEntries(
      ['containers', 'initContainers'].flatMap((field) =>
        spec[field] === undefined ? [] : [[field, asList(spec[field]).map((container) => requestingLess(container, resource))]],
      ),
    ),
  }));
  return isMade ? `${objectWords(request.target)} requests hardly any ${resource}` : undefined;
}

/** Quotas may insist on requests: hardly any is better than none. */
const HARDLY_ANY: Readonly<Record<string, string>> = { cpu: '1m', memory: '1Mi', 'ephemeral-storage': '1Mi' };

function requestingLess(container: Json, resource: string): Json {
  if (!isJsonObject(container)) return container;
  const resources = asObject(container['resources']);
  const [requests, limits, least] = [asObject(resources['requests']), asObject(resources['limits']), HARDLY_ANY[resource]];
  if (requests[resource] === undefined && limits[resource] === undefined) return container;
  const less =
    least === undefined
      ? { requests: withoutFields(requests, [resource]), limits: withoutFields(limits, [resource]) }
      : { requests: { ...requests, [resource]: least } };
  return { ...container, resources: { ...resources, ...less } };
}

/** Takes from a pod template what keeps its pods from all nodes; its pods are made again. */
async function widen({ stage }: Cause, request: CureRequest): Promise<string | undefined> {
  if (stage !== 'scheduling') return undefined;
  const isMade = await madeAgain(request, (spec) => ({
    ...withoutFields(spec, ['nodeSelector', 'affinity', 'topologySpreadConstraints', 'nodeName', 'schedulingGates', 'resourceClaims']),
    tolerations: [{ operator: 'Exists' }],
    containers: asList(spec['containers']).map((container) =>
      isJsonObject(container) ? withoutFields(container, ['resources']) : container,
    ),
  }));
  return isMade ? `${objectWords(request.target)} requests nothing and may run on every node` : undefined;
}

/** Deletes a workload and makes it again as it is now, with another pod template. */
async function madeAgain({ cluster, wanted, target }: CureRequest, change: (spec: JsonObject) => JsonObject): Promise<boolean> {
  const document = wanted.find((one) => sameObject(target, refIn(one)));
  if (document === undefined) return false;
  const path = podSpecPath(document);
  const object = presentObject(document, target, cluster);
  const spec = digAt(object, path);
  if (!isJsonObject(spec)) return false;
  const changer = simulatedChanger(cluster);
  const place = { apiVersion: document.apiVersion, ...refIn(document) };
  await changer.send({ verb: 'delete', ...place, propagation: 'Background', graceSeconds: 0 }, false);
  cluster.runUntilSettled({ milliseconds: 60_000, quietMilliseconds: 5000 });
  const made = await changer.send({ verb: 'create', ...place, body: withPath(object, path, change(spec)) }, false);
  return made.ok;
}

function withoutFields(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

function refIn({ kind, metadata }: KubeObject): ObjectRef {
  return { kind, namespace: asText(metadata.namespace) ?? 'default', name: metadata.name };
}
