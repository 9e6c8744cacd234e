import type { Json } from '../../src/base/json.ts';
import { dig } from '../../src/base/json.ts';
import type { Transcript, TranscriptOptions } from '../../src/clusters/transcript/transcript.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { readTranscript } from '../../src/clusters/transcript/transcript.ts';
import { openingsOf } from '../../src/model/frames.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { formatRef, refOf } from '../../src/model/kube-object.ts';
import { RECORD_KINDS } from '../../src/model/record-kinds.ts';

/** When texts without a time of their own were printed. */
export const PRINTED = Date.parse('2026-11-20T12:00:00Z');

/** Those podcheck comes with. */
export const OPENINGS = openingsOf(await shippedRules());

export function read(text: string, options: Partial<TranscriptOptions> = {}): Transcript {
  return readTranscript(text, { name: 'pasted', written: PRINTED, openings: OPENINGS, ...options });
}

/** The one object of this reference. */
export function objectIn({ objects }: Transcript, ref: string): KubeObject {
  const found = objects.find((object) => formatRef(refOf(object)) === ref);
  if (found === undefined) throw new Error(`${ref} is not among ${objects.map((object) => formatRef(refOf(object))).join(', ')}`);
  return found;
}

export function fieldOf(transcript: Transcript, ref: string, path: string): Json | undefined {
  return dig(objectIn(transcript, ref), ...path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
}

/** References of all objects of the API, sorted. */
export function refsIn({ objects }: Transcript): readonly string[] {
  return objects
    .filter(({ kind }) => kind !== 'Event' && !RECORD_KINDS.includes(kind))
    .map((object) => formatRef(refOf(object)))
    .toSorted();
}

/** `spec` of all records of a kind, in their order. */
export function recordsIn({ objects }: Transcript, kind: string): readonly Json[] {
  return objects.filter((object) => object.kind === kind).flatMap((object) => dig(object, 'spec') ?? []);
}

/** Events in a few words. */
export function eventsIn({ objects }: Transcript): readonly string[] {
  const text = (event: KubeObject, ...path: readonly string[]): string => {
    const value = dig(event, ...path);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '-';
  };
  return objects
    .filter(({ kind }) => kind === 'Event')
    .map(
      (event) =>
        `${text(event, 'type')} ${text(event, 'reason')} x${text(event, 'count')} ${text(event, 'involvedObject', 'kind')}/${text(event, 'involvedObject', 'namespace')}/${text(event, 'involvedObject', 'name')}: ${text(event, 'message')}`,
    );
}
