import { asText, dig } from '../../../base/json.ts';
import type { ListRead, Read } from '../../../model/cluster-reader.ts';
import { unseenIn } from '../../../model/cluster-reader.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { SeenEvent } from '../../events/events.ts';
import type { FieldValues } from '../../survey/fact-sink.ts';
import type { ClaimSpec } from './claim-spec.ts';
import type { Candidate, VolumeObstacle } from './volume-match.ts';
import { candidatesFor, classOf, holderOf, isProvisioned, isReleased } from './volume-match.ts';

/** What stands between a claim and a volume. `claim` facts publish it as `obstacle`. */
type ClaimObstacle =
  | VolumeObstacle
  | 'lost'
  | 'class-not-found'
  | 'node-affinity'
  | 'provisioner'
  | 'provisioning-failed'
  | 'no-volume'
  | 'waiting'
  | 'unknown';

/** What was read to judge a claim. */
export interface ClaimSurroundings {
  readonly claim: KubeObject;
  readonly spec: ClaimSpec;
  readonly volumes: ListRead;
  /** Its storage class; undefined when it asks for none. */
  readonly storageClass: Read<KubeObject> | undefined;
  /** The CSIDriver of the class's provisioner. */
  readonly driver: Read<KubeObject> | undefined;
  readonly events: readonly SeenEvent[];
  /** What their words say. */
  readonly told: readonly Pick<FieldValues<'claim'>, 'class' | 'obstacle' | 'provisioner' | 'volume'>[];
  /** All events about it were read, so that what none of them says has not happened. */
  readonly eventsWhole: boolean;
  readonly ageSeconds: number | undefined;
  /** The claim is one of the objects of a dump that has cluster-wide ones as well: volumes would be among them. */
  readonly dumped: boolean;
  /** The scheduler said that it found no volume to bind on any node. */
  readonly refused: boolean;
}

export interface ClaimJudgement {
  readonly obstacle: ClaimObstacle;
  /** The volume that comes nearest, when there is one to name. */
  readonly nearest?: Candidate;
  readonly candidates: readonly Candidate[];
  readonly provisioner?: string;
  readonly message?: string;
}

/**
 * Why a claim has no volume: from its class, its provisioner and every volume compared with it. The event of the volume controller is not
 * relied on for the reason: for a class that exists only in volumes it always says that the class was not found.
 */
export function judgeClaim(around: ClaimSurroundings): ClaimJudgement {
  const { claim, spec, volumes, storageClass } = around;
  const message = around.events.findLast(({ reason }) => reason === 'ProvisioningFailed')?.message;
  const base = { candidates: volumes.ok ? candidatesFor(claim, spec, volumes.value) : [], ...(message === undefined ? {} : { message }) };
  if (dig(claim, 'status', 'phase') === 'Lost') return { ...base, obstacle: 'lost' };
  const provisioner =
    storageClass?.ok === true ? asText(dig(storageClass.value, 'provisioner')) : (provisionerOf(claim) ?? provisionerIn(around));
  if (provisioner !== undefined && provisioner !== STATIC && spec.volumeName === undefined)
    return { ...base, provisioner, obstacle: wasClassLost(around) ? 'class-not-found' : dynamicObstacle(around, provisioner) };
  return { ...base, ...staticObstacle(around, base.candidates) };
}

/** A class whose volumes are made by hand. */
const STATIC = 'kubernetes.io/no-provisioner';

function provisionerOf(claim: KubeObject): string | undefined {
  const annotations = annotationsOf(claim);
  return annotations['volume.kubernetes.io/storage-provisioner'] ?? annotations['volume.beta.kubernetes.io/storage-provisioner'];
}

/**
 * A provisioner records events under its name with that of its pod behind it; the volume controller names whom it waits for. Source:
 * sigs.k8s.io/sig-storage-lib-external-provisioner (NewProvisionController).
 */
function provisionerIn({ events, told }: ClaimSurroundings): string | undefined {
  const recorded = events.map(({ component = '' }) => /^([a-z0-9.-]{1,63}[./][a-z0-9./-]{1,63})_/.exec(component)?.[1]);
  return [...told.map(({ provisioner }) => asText(provisioner)), ...recorded].findLast((name) => name !== undefined);
}

/** A provisioner is written into a claim from its class: what the volume controller does not find now was there before. */
function wasClassLost({ spec, storageClass, told }: ClaimSurroundings): boolean {
  return spec.class !== undefined && storageClass?.ok !== true && told.some((one) => one.class === spec.class);
}

/** A provisioner that runs says `Provisioning` within a second of being asked, under its own name. */
function dynamicObstacle(
  { claim, storageClass, driver, events, eventsWhole, ageSeconds }: ClaimSurroundings,
  provisioner: string,
): ClaimObstacle {
  const asked = events.some(({ reason }) => reason === 'ExternalProvisioning');
  if (isLate(storageClass) && annotationsOf(claim)['volume.kubernetes.io/selected-node'] === undefined && !asked) return 'waiting';
  if (events.some(({ reason }) => reason === 'ProvisioningFailed')) return 'provisioning-failed';
  if (events.some(({ component, reason }) => component?.startsWith(provisioner) === true || reason === 'Provisioning')) return 'waiting';
  if (!eventsWhole) return 'unknown';
  const old = ageSeconds !== undefined && ageSeconds >= PATIENCE_SECONDS;
  if (asked && old) return 'provisioner';
  return driver?.ok === false && driver.why === 'absent' && old ? 'provisioner' : 'waiting';
}

const PATIENCE_SECONDS = 10;

function staticObstacle(
  around: ClaimSurroundings,
  candidates: readonly Candidate[],
): { readonly obstacle: ClaimObstacle; readonly nearest?: Candidate } {
  const { volumes } = around;
  const [nearest] = candidates;
  if (nearest?.obstacles.length === 0) return { obstacle: around.refused ? 'node-affinity' : 'waiting', nearest };
  // Nothing can be said of all volumes when some were not seen: one of them may be of the class, or come nearer.
  if (unseenIn(volumes) !== undefined) return { obstacle: unseenObstacle(around) };
  if (nearest?.obstacles.length === 1) {
    const [obstacle] = nearest.obstacles;
    if (obstacle === 'reserved' && isOfNoConcern(around, nearest.volume)) return { obstacle: 'no-volume', nearest };
    if (obstacle !== undefined) return { obstacle, nearest };
  }
  if (!hasOfClass(around) && isClassMissing(around)) return { obstacle: 'class-not-found' };
  return { obstacle: 'no-volume', ...(nearest === undefined ? {} : { nearest }) };
}

/** A volume that a claim elsewhere uses was never meant for this one, if neither a namespace nor a class joins them. */
function isOfNoConcern({ claim, spec }: ClaimSurroundings, volume: KubeObject): boolean {
  if (isForSibling(volume, claim)) return true;
  const isElsewhere = holderOf(volume)?.namespace !== claim.metadata.namespace && !isReleased(volume);
  return isElsewhere && (spec.class ?? '') === '' && spec.volumeName === undefined;
}

function hasOfClass({ spec, volumes }: ClaimSurroundings): boolean {
  if (spec.class === undefined || spec.class === '' || !volumes.ok) return false;
  return volumes.value.some((volume) => classOf(volume) === spec.class && !isProvisioned(volume));
}

function isLate(storageClass: ClaimSurroundings['storageClass']): boolean {
  return storageClass?.ok === true && dig(storageClass.value, 'volumeBindingMode') === 'WaitForFirstConsumer';
}

function unseenObstacle(around: ClaimSurroundings): ClaimObstacle {
  const { volumes, dumped, events, refused, told } = around;
  const isNotCollected = !volumes.ok && volumes.why === 'not-collected';
  if (isNotCollected && (dumped || saysClassMissing(around)) && isClassMissing(around)) return 'class-not-found';
  const unfit = told.findLast(({ obstacle }) => UNFIT.some((one) => one === obstacle))?.obstacle;
  if (unfit !== undefined) return unfit as VolumeObstacle;
  if (told.some((one) => one.obstacle === 'provisioning-failed')) return 'provisioning-failed';
  if (refused || told.some((one) => one.obstacle === 'no-volume')) return 'no-volume';
  return events.at(-1)?.reason === 'WaitForFirstConsumer' ? 'waiting' : 'unknown';
}

/** What the volume controller says of the volume that a claim names. Source: pkg/controller/volume/persistentvolume/pv_controller.go. */
const UNFIT: readonly VolumeObstacle[] = ['reserved', 'capacity', 'class', 'volume-mode', 'access-mode'];

/** Absent; or the volume controller says so, while nothing was seen of it. */
function isClassMissing({ spec, storageClass, told }: ClaimSurroundings): boolean {
  if (spec.class === undefined || spec.class === '' || storageClass?.ok === true) return false;
  return storageClass?.why === 'absent' || told.some((one) => one.class === spec.class);
}

/** The words of the volume controller alone tell it: volumes of the class are made by nobody else. */
function saysClassMissing({ spec, told }: ClaimSurroundings): boolean {
  return told.some((one) => one.class === spec.class && one.obstacle === 'class-not-found');
}

/** Claims of one StatefulSet differ by their number only: that a sibling has its volume is as it should be. */
function isForSibling(volume: KubeObject, claim: KubeObject): boolean {
  const holder = holderOf(volume);
  const family = /^(.+)-\d+$/.exec(claim.metadata.name)?.[1];
  return (
    holder !== undefined &&
    family !== undefined &&
    holder.namespace === claim.metadata.namespace &&
    holder.name !== claim.metadata.name &&
    /^(.+)-\d+$/.exec(holder.name)?.[1] === family
  );
}
