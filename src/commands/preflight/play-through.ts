import { setImmediate } from 'node:timers/promises';
import { assert } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import { dig } from '../../base/json.ts';
import type { Examination } from '../../library/examine.ts';
import { examine, requestAbout } from '../../library/examine.ts';
import type { Cause, Diagnosis } from '../../model/diagnosis.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, sameObject } from '../../model/kube-object.ts';
import { CERTIFICATE_RECORD, CLIENT_ANSWER } from '../../model/record-kinds.ts';
import type { ClusterReader, ListRead, Scope } from '../../model/cluster-reader.ts';
import type { Rule } from '../../model/rule.ts';
import type { Scenario, ScenarioStep } from '../../model/scenario.ts';
import { stageOrder } from '../../model/stage.ts';
import type { Cluster } from '../../simulator/index.ts';
import { doStep, playInSlices, unmetNeeds } from '../../simulator/index.ts';
import type { AnswersByDocument } from '../sim/refused-documents.ts';
import { answersTo } from '../sim/refused-documents.ts';
import { withStored } from '../sim/applied-object.ts';
import { withSeenTraffic } from '../sim/seen-traffic.ts';
import { withoutMadeLater } from '../sim/undecided-trial.ts';
import { giveAddresses } from './assumed-addresses.ts';
import type { Cured } from './cures.ts';
import { cureInClone } from './cures.ts';
import { presentObject } from './present-object.ts';

export interface PlayThrough {
  readonly scenario: Scenario;
  /** A clone; without it the scenario makes a cluster of its own. */
  readonly cluster: Cluster | undefined;
  readonly seed: number | string;
  readonly rules: readonly Rule[];
  readonly targets: readonly ObjectRef[];
  /** What is applied, in the namespaces it goes to. */
  readonly wanted: readonly KubeObject[];
  readonly signal: AbortSignal;
  /** Looks at the cluster when the manifests are applied and nothing was cured yet. */
  readonly onApplied?: (cluster: Cluster) => void | Promise<void>;
}

/** What became of one workload. */
export interface PlayedWorkload {
  readonly target: ObjectRef;
  /** In the order it met them, with what was assumed to get past each; undefined where nothing helped. */
  readonly met: readonly { readonly cause: Cause; readonly assumed: string | undefined }[];
  /** The last look at it. */
  readonly diagnosis: Diagnosis;
}

interface Open {
  readonly target: ObjectRef;
  readonly met: Met[];
  diagnosis: Diagnosis | undefined;
  isDone: boolean;
}

interface Met {
  readonly cause: Cause;
  assumed: string | undefined;
  /** Which of the ways to be rid of it was taken last. */
  way: number;
}

/** Longer than probes take to fail three times: what fails until then shows, and what is only tried again shows nothing new. */
const QUIET = 40_000;
/** Rounds of curing: each workload meets at least one new obstacle in a round, or is done. */
const ROUNDS = 30;
/** How long to wait, in milliseconds, for what is tried again only after a back-off: mounts, image pulls, pods that were refused. */
const WAITS: readonly number[] = [150_000, 1_200_000];

/** Plays manifests and takes every obstacle out of the way that can be moved, until all workloads are ready or nothing helps any more. */
export async function playThrough(
  play: PlayThrough,
): Promise<{ readonly cluster: Cluster; readonly workloads: readonly PlayedWorkload[]; readonly answers: AnswersByDocument }> {
  const { targets, signal } = play;
  const cluster = await applied(play);
  giveAddresses(cluster, play.wanted);
  const said = new Map(
    await answersTo(
      cluster,
      manifestsOf(play.scenario).flatMap(({ documents }) => documents),
    ),
  );
  await play.onApplied?.(cluster);
  const all: Open[] = targets.map((target) => ({ target, met: [], diagnosis: undefined, isDone: false }));
  let [waited, answers] = [0, 0];
  for (let round = 0; round < ROUNDS && all.some(({ isDone }) => !isDone); round++) {
    await setImmediate();
    signal.throwIfAborted();
    await lookAtAll(all, cluster, play.rules, answers);
    if (await cureAll(all, play, cluster)) {
      waited = 0;
      answers = await countAnswers(cluster);
      for (const [document, answer] of await goOn(all, cluster, play)) said.set(document, answer);
      continue;
    }
    // What nothing was done for stays as it is.
    const wait = all.some(({ isDone, met }) => !isDone && met.length > 0) ? WAITS[waited++] : undefined;
    if (wait === undefined) break;
    cluster.runUntilSettled({ milliseconds: wait });
  }
  return { cluster, workloads: all.map(playedOf), answers: said };
}

async function applied({ scenario, cluster, seed, signal }: PlayThrough): Promise<Cluster> {
  const playing = playInSlices(scenario, {
    seed,
    firstRuns: true,

    ...(cluster === undefined ? {} : { cluster }),
  });
  for (;;) {
    const { done, value } = playing.next();
    if (done === true) return value.cluster;
    await setImmediate();
    signal.throwIfAborted();
  }
}

/**
 * What is ready is done; what is not may still be tried again. Of many workloads those that are ready are known by one look at their
 * namespace; the others are looked at one by one.
 */
async function lookAtAll(all: readonly Open[], cluster: Cluster, rules: readonly Rule[], answers: number): Promise<void> {
  const reader = currentReader(cluster.reader(), answers);
  const open = all.filter(({ isDone }) => !isDone);
  const examined = new Map<string, Examination>();
  for (const one of open) {
    const { target } = one;
    const { namespace = 'default' } = target;
    const isOneOfMany = open.filter((other) => (other.target.namespace ?? 'default') === namespace).length >= MANY;
    const wide = isOneOfMany ? (examined.get(namespace) ?? (await examine(reader, rules, { namespace }))) : undefined;
    if (wide !== undefined) examined.set(namespace, wide);
    const diagnosis = wide === undefined ? undefined : seenBy(wide, wide.diagnosisWithin(target), cluster);
    if (diagnosis?.outcome === 'healthy') one.diagnosis = diagnosis;
    else {
      const near = await examine(reader, rules, requestAbout(target));
      one.diagnosis = seenBy(near, near.diagnosisOf(target), cluster);
    }
    one.isDone = one.diagnosis.outcome === 'healthy';
  }
}

/** From so many workloads of a namespace on it is read as a whole first. */
const MANY = 4;

/** The diagnosis with what can be tried in a simulated cluster: whether a client would get an answer. */
function seenBy({ evidence }: Examination, diagnosis: Diagnosis, cluster: Cluster): Diagnosis {
  const seen = evidence.targets.find(({ ref }) => sameObject(ref, diagnosis.target));
  return withSeenTraffic(withStored(withoutMadeLater(diagnosis, cluster), cluster), seen, cluster);
}

/**
 * Without what the client was answered before the last cures; and without certificates: those of a clone have just been made, and a
 * thousand of them would be read for nothing. Nothing happens between two looks, so each list is made once for all of them.
 */
function currentReader(reader: ClusterReader, answers: number): ClusterReader {
  const made = new Map<string, Promise<ListRead>>();
  const listed = async (kind: string, scope: Scope): Promise<ListRead> => {
    if (kind === CERTIFICATE_RECORD) return { ok: true, value: [] };
    const read = await reader.list(kind, scope);
    return kind === CLIENT_ANSWER && read.ok ? { ...read, value: read.value.slice(answers) } : read;
  };
  const list = (kind: string, scope: Scope): Promise<ListRead> => {
    const key = `${kind} ${JSON.stringify(scope)}`;
    const read = made.get(key) ?? listed(kind, scope);
    made.set(key, read);
    return read;
  };
  return { ...reader, list };
}

async function countAnswers(cluster: Cluster): Promise<number> {
  const read = await cluster.reader().list(CLIENT_ANSWER, {});
  return read.ok ? read.value.length : 0;
}

/**
 * Takes what is new out of the way, and what came back in another way; whether anything was done. What is missing is made for all: that
 * waits for workloads that will meet it, too, as long as they come further.
 */
async function cureAll(all: readonly Open[], play: PlayThrough, cluster: Cluster): Promise<boolean> {
  const open = all.flatMap((one) => (one.isDone ? [] : causesToCure(one, play.targets).map((cause) => ({ one, cause }))));
  const awaited = open.filter(({ one, cause }) => isAwaited(cause, one, all, play.wanted, cluster));
  const first = open.filter((each) => !awaited.includes(each));
  let isChanged = false;
  for (const causes of [first, awaited]) {
    for (const { one, cause } of isChanged ? [] : causes) if (await cureOne(cause, one, { all, play, cluster })) isChanged = true;
  }
  for (const { one, cause } of awaited) if (!hasMet(one, cause)) one.met.push({ cause, assumed: undefined, way: WAITS_FOR_OTHERS });
  for (const one of all) one.isDone ||= one.met.some(({ assumed, way }) => assumed === undefined && way !== WAITS_FOR_OTHERS);
  return isChanged;
}

/** Nothing was done about it yet, as others will meet it, too. */
const WAITS_FOR_OTHERS = -1;

function hasMet({ met }: Open, cause: Cause): boolean {
  return met.some((one) => keyOf(one.cause) === keyOf(cause));
}

function isAwaited({ object }: Cause, one: Open, all: readonly Open[], wanted: readonly KubeObject[], cluster: Cluster): boolean {
  const later = all.filter(
    (other) =>
      other !== one &&
      !other.isDone &&
      ![...other.met.map(({ cause }) => cause), ...(other.diagnosis?.causes ?? []).slice(0, 1)].some((met) =>
        sameObject(met.object, object),
      ),
  );
  const documents = wanted.filter((document) => later.some(({ target }) => isDocumentOf(document, target)));
  return unmetNeeds(cluster, documents).some(({ ref }) => sameObject(ref, object));
}

function isDocumentOf({ kind, metadata }: KubeObject, target: ObjectRef): boolean {
  return sameObject({ kind, namespace: metadata.namespace ?? 'default', name: metadata.name }, target);
}

async function cureOne(
  cause: Cause,
  one: Open,
  { all, play, cluster }: { readonly all: readonly Open[]; readonly play: PlayThrough; readonly cluster: Cluster },
): Promise<boolean> {
  const request = { cluster, wanted: play.wanted, target: one.target };
  const before = one.met.find((met) => keyOf(met.cause) === keyOf(cause));
  if (before === undefined || before.way === WAITS_FOR_OTHERS) {
    const cured = sharedCure(cause, one, all) ?? (await cureInClone(cause, request));
    const done = { assumed: cured?.assumed, way: cured?.way ?? 0 };
    if (before === undefined) one.met.push({ cause, ...done });
    for (const met of all.flatMap((each) => each.met))
      if (met.way === WAITS_FOR_OTHERS && sameObject(met.cause.object, cause.object)) Object.assign(met, done);
    return cured !== undefined;
  }
  // Where no other way is left, a back-off may still have to pass.
  const cured = await cureInClone(cause, request, before.way + 1);
  if (cured !== undefined) Object.assign(before, cured);
  return cured !== undefined;
}

/** What another workload met in this round or before is out of the way for this one, too. */
function sharedCure(cause: Cause, one: Open, all: readonly Open[]): Cured | undefined {
  if (sameObject(cause.object, one.target)) return undefined;
  const others = all.filter((other) => other !== one).flatMap(({ met }) => met);
  const known = others.find((other) => keyOf(other.cause) === keyOf(cause));
  return known?.assumed === undefined ? undefined : { assumed: known.assumed, way: known.way };
}

/** The first cause, and those of the same stage: what comes later may be an effect. */
function causesToCure({ target, diagnosis }: Open, targets: readonly ObjectRef[]): readonly Cause[] {
  const causes = diagnosis?.outcome === 'explained' ? ownCauses(diagnosis, target, targets) : [];
  const [first] = causes;
  return causes.filter((cause) => cause.stage === first?.stage && (cause === first || cause.symptom === undefined));
}

/** What stops the pods behind a Service is told of the workload that makes them, and what is wrong with a Service of the Service. */
function ownCauses({ causes }: Diagnosis, target: ObjectRef, targets: readonly ObjectRef[]): readonly Cause[] {
  const others = targets.filter(({ kind }) => (kind === 'Service') !== (target.kind === 'Service'));
  return causes.filter(
    ({ object, workload }) =>
      sameObject(object, target) ||
      !others.some((other) => sameObject(other, object) || (target.kind === 'Service' && sameObject(other, workload ?? object))),
  );
}

function keyOf({ rule, object, params }: Cause): string {
  return [rule, formatRef(object), ...['container', 'key', 'constraint', 'resource'].map((field) => String(params[field] ?? ''))].join(' ');
}

/**
 * What was refused is applied once more, and what does not come up is made again as it is now. Then nothing of what was told before is
 * left, and nothing waits for a back-off.
 */
async function goOn(all: readonly Open[], cluster: Cluster, { scenario, wanted }: PlayThrough): Promise<AnswersByDocument> {
  const said = new Map<JsonObject, KubeObject>();
  const open = all.flatMap(({ target, isDone }) => (isDone || target.kind === 'Service' ? [] : [target]));
  const made = open.flatMap((target) => taken(target, cluster, wanted));
  cluster.runUntilSettled({ milliseconds: 60_000, quietMilliseconds: 3000 });
  const places = new Set(open.map(({ namespace }) => namespace));
  for (const event of cluster.store.list('events')) if (places.has(event.metadata.namespace)) remove('v1', event, cluster);
  for (const object of made) send('create', object, cluster);
  for (const step of manifestsOf(scenario)) {
    const documents = step.documents.filter((document) => {
      const { kind, metadata } = document as unknown as KubeObject;
      const resource = cluster.server.resources.named(kind);
      const namespace = resource?.namespaced === false ? undefined : (metadata.namespace ?? step.namespace ?? 'default');
      return resource !== undefined && cluster.store.get(resource.key, namespace, metadata.name) === undefined;
    });
    if (documents.length === 0) continue;
    doStep(cluster, { ...step, documents }, cluster.now());
    for (const [document, answer] of await answersTo(cluster, documents)) said.set(document, answer);
  }
  giveAddresses(cluster, wanted);
  cluster.runUntilSettled({ milliseconds: 180_000, quietMilliseconds: QUIET });
  return said;
}

/** The steps that apply what is tried. */
function manifestsOf({ steps }: Scenario): readonly Extract<ScenarioStep, { readonly do: 'apply' }>[] {
  return steps.flatMap((step) => (step.do === 'apply' && step.manifest !== undefined ? [step] : []));
}

/** Deletes a workload with its pods, and gives what to make it of again. */
function taken(target: ObjectRef, cluster: Cluster, wanted: readonly KubeObject[]): readonly KubeObject[] {
  const resource = cluster.server.resources.named(target.kind);
  const now = resource === undefined ? undefined : cluster.store.get(resource.key, target.namespace, target.name);
  const document = wanted.find(
    ({ kind, metadata }) => kind === target.kind && metadata.name === target.name && (metadata.namespace ?? 'default') === target.namespace,
  );
  if (now === undefined || document === undefined) return [];
  const object = presentObject(document, target, cluster);
  if (target.kind === 'CronJob') {
    // Made again it would run only when its time comes once more.
    for (const pod of cluster.store.list('pods')) if (isStuck(pod, target)) remove('v1', pod, cluster);
    return [];
  }
  remove(document.apiVersion, now, cluster);
  return [object];
}

/** Whether a pod of a CronJob has not come to its end: controllers name what they make after themselves. */
function isStuck(pod: KubeObject, { namespace, name }: ObjectRef): boolean {
  const { metadata } = pod;
  return metadata.namespace === namespace && metadata.name.startsWith(`${name}-`) && dig(pod, 'status', 'phase') !== 'Succeeded';
}

function remove(apiVersion: string, object: KubeObject, cluster: Cluster): void {
  send('delete', { ...object, apiVersion }, cluster);
}

function send(verb: 'create' | 'delete', object: KubeObject, cluster: Cluster): void {
  const { kind, metadata } = object;
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  const resource = cluster.server.resources.named(kind)?.plural;
  if (resource === undefined) return;
  cluster.request({
    verb,
    group: group ?? '',
    version: version ?? '',
    resource,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    ...(verb === 'create' ? { body: object } : { name: metadata.name, delete: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } }),
  });
}

/** The cause that is still the first at the end was not cured by what was assumed. */
function playedOf({ target, met, diagnosis }: Open): PlayedWorkload {
  assert(diagnosis !== undefined, 'every workload is looked at once');
  const [first] = diagnosis.outcome === 'explained' ? diagnosis.causes : [];
  const still = first === undefined ? '' : keyOf(first);
  const inOrder = met.toSorted((a, b) => stageOrder(a.cause.stage) - stageOrder(b.cause.stage));
  return { target, met: inOrder.map((one) => (keyOf(one.cause) === still ? { ...one, assumed: undefined } : one)), diagnosis };
}
