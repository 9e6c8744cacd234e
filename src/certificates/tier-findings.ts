import type { SeenList, Unread } from '../model/cluster-reader.ts';
import type { CertificateTier, CertificateTierId } from '../model/certificate.ts';
import type { Sighting } from './seen-certificate.ts';

/** What was found in one tier, and what could not be looked at. */
export interface TierFindings {
  readonly tier: CertificateTier;
  readonly sightings: readonly Sighting[];
}

/** A part of a tier that could not be read. */
export interface Unseen {
  /** `webhooks`, `ConfigMaps` */
  readonly what: string;
  readonly detail: string;
  /** The source never had it, as opposed to refusing it. */
  readonly notCollected: boolean;
  /** Some of it was read: only that it is all is not known. */
  readonly partly?: true;
}

export function unseenOf(what: string, { why, detail, needs }: Unread): Unseen {
  return {
    what,
    detail: needs === undefined || why === 'not-collected' ? detail : `${detail} (needs ${needs})`,
    notCollected: why === 'not-collected' || why === 'absent',
  };
}

/** What a list that was read says that it does not show. */
export function unseenPart(what: string, { partial, brokeOff }: SeenList): readonly Unseen[] {
  return partial === undefined ? [] : [{ what, detail: partial, notCollected: brokeOff !== true, partly: true }];
}

/** A tier that was looked at, as far as it could be. `parts` is how many reads it took. */
export function findings(id: CertificateTierId, sightings: readonly Sighting[], unseen: readonly Unseen[] = [], parts = 1): TierFindings {
  const [first] = unseen;
  if (first === undefined) return { tier: { id, state: 'CHECKED', asked: true, found: sightings.length }, sightings };
  const none = unseen.length >= parts && sightings.length === 0 && unseen.every(({ partly }) => partly !== true);
  const others = unseen.slice(1, MAX_NAMED).map(({ what }) => what);
  const more = unseen.length === 1 ? '' : `; nor ${others.join(', ')}${unseen.length > MAX_NAMED ? ', …' : ''}`;
  // What a snapshot does not hold was not asked for; what a cluster refused was.
  const asked = none || unseen.some(({ notCollected }) => !notCollected);
  return {
    tier: { id, state: none ? 'NOT_CHECKED' : 'PARTIAL', asked, reason: `${first.what}: ${first.detail}${more}`, found: sightings.length },
    sightings,
  };
}

const MAX_NAMED = 8;

/** A tier nobody looked at. `asked`: it should have been. */
export function notChecked(id: CertificateTierId, reason: string, asked: boolean): TierFindings {
  return { tier: { id, state: 'NOT_CHECKED', asked, reason, found: 0 }, sightings: [] };
}
