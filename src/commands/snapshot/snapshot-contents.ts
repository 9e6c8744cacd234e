import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { StoredEvidence } from '../../clusters/memory-reader.ts';
import { SNAPSHOT_CONTENTS } from '../../clusters/recording.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';

/** What was done with what was read. */
export interface Kept {
  readonly target: ObjectRef | undefined;
  readonly namespace: string | undefined;
  readonly redact: boolean;
  readonly logs: boolean;
}

/** Never part of a snapshot, whatever is asked for. */
export const NEVER_TAKEN = 'values of Secrets';
export const MASKED = 'values of environment variables and ConfigMaps, except hosts and ports';
/** What a person who sends a snapshot has to look through. */
export const NOT_MASKED = 'logs, events, names, annotations, commands and arguments';

/** The list of contents of a snapshot: what was taken, left out, masked and refused. */
export function contentsOf({ objects, collected, absent, refused, logs, now }: StoredEvidence, kept: Kept): JsonObject {
  return {
    schema: SNAPSHOT_CONTENTS,
    at: formatInstant(now),
    ...(kept.target === undefined ? {} : { target: formatRef(kept.target) }),
    ...(kept.namespace === undefined ? {} : { namespace: kept.namespace }),
    taken: {
      objects: countsOf(objects.map(({ kind }) => kind)),
      logs: logs.filter(({ unread }) => unread === undefined).map(({ pod, container, previous }) => logName(pod, container, previous)),
      completeLists: [...new Set(collected.filter(isWhole).map(placeOf))],
      absent: absent.map(formatRef),
    },
    leftOut: [NEVER_TAKEN, ...(kept.logs ? [] : ['logs'])],
    redacted: kept.redact ? [MASKED] : [],
    notRedacted: kept.redact ? [NOT_MASKED] : ['everything except Secrets'],
    refused: refused.map(({ why, detail, needs, ...place }) => ({
      place: placeOf(place),
      why,
      detail,
      ...(needs === undefined ? {} : { needs }),
    })),
  };
}

/** A list that was narrowed by selectors is no list of all. */
function isWhole({ complete, labelSelector, fieldSelector }: StoredEvidence['collected'][number]): boolean {
  return complete && labelSelector === undefined && fieldSelector === undefined;
}

function logName(pod: ObjectRef, container: string, previous: boolean): string {
  return `${formatRef(pod)} ${container}${previous ? ' (previous)' : ''}`;
}

function placeOf({ kind, namespace, name }: { readonly kind: string; readonly namespace?: string; readonly name?: string }): string {
  return [kind, namespace, name].filter((part) => part !== undefined).join('/');
}

function countsOf(words: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const word of words.toSorted()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries(counts);
}
