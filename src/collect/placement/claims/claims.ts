import { asList, asText, dig } from '../../../base/json.ts';
import { nearest } from '../../../base/text.ts';
import { unseenIn } from '../../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { annotationsOf, formatRef, inNamespace, objectKey, OBSERVED, refOf, sameObject, shows } from '../../../model/kube-object.ts';
import { eventFactsOf, readEvent } from '../../events/events.ts';
import { latestOf } from '../../events/pod-events.ts';
import { toldSeconds } from '../../events/told-seconds.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { ageSeconds } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';
import { countsOf, templateOf } from '../../objects/workloads.ts';
import type { ClaimJudgement, ClaimSurroundings } from './claim-obstacle.ts';
import { judgeClaim } from './claim-obstacle.ts';
import type { ClaimSpec } from './claim-spec.ts';
import { claimReader, isMadeByStatefulSet } from './claim-spec.ts';
import { claimsOf, formatVolumePlace } from '../fit/pod-volumes.ts';
import { podViewer } from '../fit/pod-view.ts';
import type { Candidate } from './volume-match.ts';
import { describeVolume, holderOf, isReleased, sidesOf } from './volume-match.ts';
import { waitingPods } from '../fit/waiting-pods.ts';
import { nodeOf } from '../fit/placement-view.ts';

/**
 * `claim`, `claim-use` and `claim-volume` facts for every claim that a pod without a node, or a workload without pods, needs; and for a
 * claim that was asked for.
 */
export async function collectClaims(scene: Scene, sink: FactSink): Promise<void> {
  const uses = await claimUses(scene);
  const claims = new Map<string, ObjectRef>();
  for (const { user, claim, volume, scheduled } of uses) {
    const ref = { kind: 'PersistentVolumeClaim', ...inNamespace(user.namespace), name: claim };
    claims.set(formatRef(ref), ref);
    const owner = scene.workloadOf(user) ?? user;
    sink.fact(
      'claim-use',
      user,
      { claim, user: `${owner.kind}/${owner.name}`, volume, scheduled },
      { source: formatRef(user), quote: `volume ${volume} uses claim ${claim}` },
    );
  }
  for (const claim of await unbindable(scene)) claims.set(objectKey(claim), refOf(claim));
  for (const other of scene.others) if (other.kind === 'PersistentVolumeClaim') claims.set(objectKey(other), refOf(other));
  if (claims.size === 0) return;
  if (scene.request.target === undefined) await scene.survey.list('PersistentVolumeClaim', inNamespace(scene.request.namespace));
  const specOf = await claimReader(scene);
  const unfound = new Set(
    (await waitingPods(scene))
      .filter(({ said }) => said !== undefined && scene.survey.vocabulary.read('claim', said, 'condition')?.fields.obstacle === 'no-volume')
      .map(({ pod }) => objectKey(pod)),
  );
  const refused = new Set(uses.filter(({ user }) => unfound.has(formatRef(user))).map(({ claim }) => claim));
  const looker = { scene, sink, specOf, eventsOf: await claimEvents(scene), refused };
  for (const ref of claims.values()) await claimFacts(ref, looker);
}

/** Claims that the volume controller finds no volume for, or that have lost theirs, where the pods that may use them were not seen. */
async function unbindable(scene: Scene): Promise<readonly KubeObject[]> {
  const { target, namespace } = scene.request;
  if (target !== undefined || !scene.unlisted.has('Pod')) return [];
  const scope = inNamespace(namespace);
  const claims = await scene.survey.seen('PersistentVolumeClaim', scope);
  const all = (await scene.survey.seen('Event', scope)).map(readEvent);
  const latest = latestOf(all, 0);
  const told = new Set(
    all.flatMap((event) =>
      UNBOUND.has(event.reason) && event.involved.kind === 'PersistentVolumeClaim' && latest - (event.at ?? latest) <= REPEATED_MILLISECONDS
        ? [event.involved.name]
        : [],
    ),
  );
  return claims.filter((claim) => {
    const phase = dig(claim, 'status', 'phase');
    return phase === 'Lost' || (phase === 'Pending' && told.has(claim.metadata.name));
  });
}

/** Reasons for which the volume controller leaves a claim Pending. Source: pkg/controller/volume/events/event.go. */
const UNBOUND: ReadonlySet<string> = new Set(['FailedBinding', 'VolumeMismatch']);

/**
 * The controller says it again every 15 s, and the spam filter lets an event through at least every 5 min. Source: client-go
 * tools/record/events_cache.go.
 */
const REPEATED_MILLISECONDS = 360_000;

interface ClaimUse {
  readonly user: ObjectRef;
  readonly claim: string;
  readonly volume: string;
  readonly scheduled: boolean;
}

async function claimUses(scene: Scene): Promise<readonly ClaimUse[]> {
  const viewer = await podViewer(scene);
  const asked = new Set(scene.others.map((other) => objectKey(other)));
  const pods = scene.judged.filter(
    (pod) =>
      (nodeOf(pod) === undefined && dig(pod, 'metadata', 'deletionTimestamp') === undefined && dig(pod, 'status', 'phase') !== 'Failed') ||
      asked.size > 0,
  );
  const ofPods = pods.flatMap((pod) =>
    claimsOf(viewer(pod)).map((use) => ({ user: refOf(pod), ...use, scheduled: nodeOf(pod) !== undefined })),
  );
  const ofNames = await claimsByName(pods, scene);
  const empty = scene.workloads.filter((workload) => {
    const { desired, current } = countsOf(workload, scene);
    return (desired ?? 0) > 0 && current === 0 && scene.podsOf(refOf(workload)).length === 0 && workload.kind !== 'CronJob';
  });
  const ofTemplates = empty.flatMap((workload) =>
    asList(dig(templateOf(workload), 'spec', 'volumes')).flatMap((volume) => {
      const claim = asText(dig(volume, 'persistentVolumeClaim', 'claimName'));
      return claim === undefined ? [] : [{ user: refOf(workload), claim, volume: asText(dig(volume, 'name')) ?? '', scheduled: false }];
    }),
  );
  return [...ofPods, ...ofNames, ...ofTemplates];
}

/**
 * Claims of pods whose volumes no source shows, by their names: `data-web-0` is that of `web-0` of a StatefulSet, and charts name the claim
 * of a Deployment as the Deployment. Source: pkg/controller/statefulset/stateful_set_utils.go (getPersistentVolumeClaimName).
 */
async function claimsByName(pods: readonly KubeObject[], scene: Scene): Promise<readonly ClaimUse[]> {
  const bare = pods.filter((pod) => dig(pod, 'spec', 'volumes') === undefined && !shows(pod, 'spec.volumes'));
  const found: ClaimUse[] = [];
  for (const pod of bare) {
    const { name, namespace } = pod.metadata;
    for (const { metadata } of await scene.survey.seen('PersistentVolumeClaim', inNamespace(namespace))) {
      const volume = volumeOf(metadata.name, name);
      if (volume !== undefined) found.push({ user: refOf(pod), claim: metadata.name, volume, scheduled: nodeOf(pod) !== undefined });
    }
  }
  return found;
}

/** A volume of a pod that uses a claim, as far as their names tell. */
function volumeOf(claim: string, pod: string): string | undefined {
  if (/-\d+$/.test(pod)) return withoutEnd(claim, `-${pod}`);
  return OF_DEPLOYMENT.exec(pod)?.[1] === claim ? claim : undefined;
}

const OF_DEPLOYMENT = /^(.{1,240})-[a-f0-9bcdfghjklmnpqrstvwxz]{6,10}-[a-z0-9]{5}$/;

function withoutEnd(text: string, end: string): string | undefined {
  return text.length > end.length && text.endsWith(end) ? text.slice(0, -end.length) : undefined;
}

interface Looker {
  readonly scene: Scene;
  readonly sink: FactSink;
  readonly specOf: (claim: KubeObject) => ClaimSpec;
  readonly eventsOf: (claim: KubeObject) => Promise<Pick<ClaimSurroundings, 'events' | 'told' | 'eventsWhole'>>;
  /** Claims of pods for which the scheduler found no volume to bind on any node. */
  readonly refused: ReadonlySet<string>;
}

/** Events about a claim, oldest first: read per claim for one target, from the one list for a scope. */
async function claimEvents(scene: Scene): Promise<Looker['eventsOf']> {
  const { target, namespace } = scene.request;
  const whole = target === undefined ? await scene.survey.list('Event', inNamespace(namespace)) : undefined;
  return async (claim) => {
    const ref = refOf(claim);
    const list = whole ?? (await scene.survey.eventsAbout(ref));
    if (!list.ok) return { events: [], told: [], eventsWhole: false };
    const events = list.value
      .map(readEvent)
      .filter(({ involved }) => sameObject({ ...inNamespace(ref.namespace), ...involved }, ref))
      .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
    const told = events.flatMap(({ message }) => scene.survey.vocabulary.read('claim', message, 'event')?.fields ?? []);
    return { events, told, eventsWhole: list.brokeOff !== true };
  };
}

async function claimFacts(ref: ObjectRef, looker: Looker): Promise<void> {
  const { scene, sink } = looker;
  const read = await scene.survey.get(ref);
  if (!read.ok) {
    if (read.why !== 'absent') return sink.gap('claim', ref, read);
    const names = await scene.survey.list('PersistentVolumeClaim', inNamespace(ref.namespace));
    const similar = names.ok
      ? nearest(
          ref.name,
          names.value.map(({ metadata }) => metadata.name),
        )[0]
      : undefined;
    sink.fact(
      'claim',
      ref,
      { claim: ref.name, exists: false, obstacle: 'not-found', similar },
      { source: formatRef(ref), quote: read.detail },
    );
    return;
  }
  const claim = read.value;
  if (
    scene.request.target !== undefined &&
    !scene.others.some((other) => sameObject(refOf(other), ref)) &&
    dig(claim, 'status', 'phase') !== 'Bound'
  )
    await eventFactsOf(claim, scene, sink);
  const spec = looker.specOf(claim);
  if (dig(claim, 'status', 'phase') === 'Bound') return boundFacts(claim, spec, looker);
  const around = await surroundings(claim, spec, looker);
  const judgement = judgeClaim(around);
  claimFact(around, judgement, await otherClasses(around, judgement, scene), sink);
  const unseen = unseenIn(around.volumes);
  if (unseen !== undefined) sink.gap('claim-volume', ref, unseen);
  for (const candidate of judgement.candidates.slice(0, CANDIDATES)) volumeFact(ref, candidate, candidate === judgement.nearest, sink);
}

/** Of hundreds of volumes the nearest few tell the story. */
const CANDIDATES = 10;

async function surroundings(claim: KubeObject, spec: ClaimSpec, { scene, eventsOf, refused }: Looker): Promise<ClaimSurroundings> {
  const className = spec.class;
  const storageClass =
    className === undefined || className === '' ? undefined : await scene.survey.get({ kind: 'StorageClass', name: className });
  const provisioner = storageClass?.ok === true ? asText(dig(storageClass.value, 'provisioner')) : undefined;
  const about = await eventsOf(claim);
  return {
    claim,
    spec,
    volumes: await scene.survey.list('PersistentVolume', {}),
    storageClass,
    driver:
      provisioner === undefined || provisioner.startsWith('kubernetes.io/')
        ? undefined
        : await scene.survey.get({ kind: 'CSIDriver', name: provisioner }),
    ...about,
    ageSeconds: ageSeconds(claim, scene.survey.now()) ?? toldSeconds(about.events, scene.survey.now()),
    dumped: claim[OBSERVED] === undefined && scene.survey.stored && (await scene.survey.list('Node', {})).ok,
    refused: refused.has(claim.metadata.name),
  };
}

interface OtherClasses {
  readonly similar?: string | undefined;
  readonly betterClass?: string | undefined;
}

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

/** Classes for a claim whose own does not exist or has no volume. A claim that a StatefulSet made would be made again as it was. */
async function otherClasses({ claim, spec }: ClaimSurroundings, { obstacle }: ClaimJudgement, scene: Scene): Promise<OtherClasses> {
  if (obstacle !== 'class-not-found' && obstacle !== 'no-volume') return {};
  const classes = await scene.survey.list('StorageClass', {});
  if (!classes.ok) return {};
  const others = classes.value.filter(({ metadata }) => metadata.name !== spec.class);
  const similar =
    obstacle !== 'class-not-found' || spec.class === undefined
      ? undefined
      : nearest(
          spec.class,
          others.map(({ metadata }) => metadata.name),
        )[0];
  if (isMadeByStatefulSet(claim, scene.workloads)) return { similar };
  return { similar, betterClass: similar ?? others.find((one) => annotationsOf(one)[DEFAULT_CLASS] === 'true')?.metadata.name };
}

function claimFact(
  { claim, spec, volumes, told, ageSeconds: age }: ClaimSurroundings,
  judgement: ClaimJudgement,
  { similar, betterClass }: OtherClasses,
  sink: FactSink,
): void {
  const { obstacle, nearest: near, provisioner, message } = judgement;
  const volume = near?.volume;
  const [first] = near?.obstacles ?? [];
  const sides = volume === undefined || first === undefined ? { has: undefined, wants: undefined } : sidesOf(first, spec, volume);
  const holder = volume === undefined ? undefined : holderOf(volume);
  sink.fact(
    'claim',
    refOf(claim),
    {
      claim: claim.metadata.name,
      exists: true,
      phase: asText(dig(claim, 'status', 'phase')),
      obstacle: dig(claim, 'metadata', 'deletionTimestamp') === undefined ? obstacle : 'deleting',
      class: spec.class,
      provisioner,
      requested: spec.requestedText,
      volume: volume?.metadata.name ?? namedVolume(spec, told),
      ...sides,
      place: placeOf(judgement),
      volumes: volumes.ok ? volumes.value.length : undefined,
      [volume !== undefined && isReleased(volume) ? 'formerHolder' : 'holder']:
        holder === undefined ? undefined : `${holder.namespace}/${holder.name}`,
      similar,
      betterClass,
      message,
      ageSeconds: age,
    },
    { source: `${objectKey(claim)} status`, quote: describeClaim(claim, spec) },
  );
}

/** Where the only volume that matches can be used, if no node there may run the pods. */
function placeOf({ obstacle, nearest: near }: ClaimJudgement): string | undefined {
  return near !== undefined && obstacle === 'node-affinity' ? formatVolumePlace(near.volume) : undefined;
}

/** The volume that a claim names, by its spec or by what was said of it. */
function namedVolume({ volumeName }: ClaimSpec, told: ClaimSurroundings['told']): string | undefined {
  return volumeName ?? told.findLast(({ volume }) => volume !== undefined)?.volume;
}

function describeClaim(claim: KubeObject, spec: ClaimSpec): string {
  const parts = [
    `phase: ${asText(dig(claim, 'status', 'phase')) ?? '?'}`,
    ...(spec.class === undefined ? [] : [`class: ${spec.class === '' ? '<none>' : spec.class}`]),
    ...(spec.requestedText === undefined ? [] : [`requests: ${spec.requestedText}`]),
    ...(spec.accessModes === undefined ? [] : [`access modes: ${spec.accessModes.join(', ')}`]),
    ...(spec.volumeName === undefined ? [] : [`volume: ${spec.volumeName}`]),
  ];
  return parts.join(', ');
}

function volumeFact(claim: ObjectRef, { volume, obstacles }: Candidate, isNearest: boolean, sink: FactSink): void {
  sink.fact(
    'claim-volume',
    refOf(volume),
    { claim: claim.name, claimNamespace: claim.namespace, obstacles: obstacles.join(', '), nearest: isNearest },
    { source: objectKey(volume), quote: describeVolume(volume) },
  );
}

/** A claim that has its volume: told with it, because the volume may be where the pod cannot go. */
async function boundFacts(claim: KubeObject, spec: ClaimSpec, { scene, sink }: Looker): Promise<void> {
  const ref = refOf(claim);
  sink.fact(
    'claim',
    ref,
    { claim: ref.name, exists: true, phase: 'Bound', class: spec.class, volume: spec.volumeName, requested: spec.requestedText },
    { source: `${formatRef(ref)} status`, quote: describeClaim(claim, spec) },
  );
  if (spec.volumeName === undefined) return;
  const read = await scene.survey.get({ kind: 'PersistentVolume', name: spec.volumeName });
  if (read.ok) volumeFact(ref, { volume: read.value, obstacles: [] }, true, sink);
}
