import type { Json, JsonObject } from '../base/json.ts';
import { asBoolean, asList, asText, asTextMap, dig, isJsonObject } from '../base/json.ts';
import type { Unread } from '../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { OBSERVED, formatRef, parseRef, refOf } from '../model/kube-object.ts';
import { formatInstant, parseInstant } from '../base/instant.ts';
import { ValueMasks } from './mask-values.ts';
import type { Collected, Refusal, StoredEvidence, StoredLog } from './memory-reader.ts';

/**
 * A recording as a file: what `kubectl get -o json` writes for a List, and beside its items a field `recording`, which kubectl and
 * other readers pass over: when it was, which lists are complete, what is absent, what was refused, and the logs. It has values of
 * environment variables and ConfigMaps, unless `redact` masks them, and never those of Secrets.
 */
export function writeRecording(evidence: StoredEvidence, { redact = false }: { readonly redact?: boolean } = {}): string {
  const masks = new ValueMasks({ plain: redact });
  const objects = evidence.objects.map((object) => ({ ...object, ...(masks.document(object) as KubeObject) }));
  const { collected, absent, refused, logs, now } = evidence;
  const observed = objects.flatMap((object) => {
    const paths = object[OBSERVED];
    return paths === undefined ? [] : [[formatRef(refOf(object)), paths] as const];
  });
  const recording = {
    apiVersion: RECORDING_VERSION,
    now: formatInstant(now),
    collected,
    absent: absent.map(formatRef),
    refused,
    observed: Object.fromEntries(observed),
    logs,
  };
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: objects, recording }, undefined, 1)}\n`;
}

const RECORDING_VERSION = 'podcheck/v1';
/** The schema of the list of contents that stands beside a recording in an archive. */
export const SNAPSHOT_CONTENTS = 'podcheck.snapshot/v1';

/** Reads what `writeRecording` writes; undefined for a document that is no recording. What of it cannot be read is left out. */
export function readRecording(document: Json | undefined): StoredEvidence | undefined {
  const recording = dig(document, 'recording');
  const now = parseInstant(dig(recording, 'now'));
  if (dig(recording, 'apiVersion') !== RECORDING_VERSION || now === undefined) return undefined;
  const observed = dig(recording, 'observed');
  return {
    objects: read(dig(document, 'items'), (item) => objectOf(item, observed)),
    collected: read(dig(recording, 'collected'), collectedOf),
    absent: read(dig(recording, 'absent'), (item) => parseRef(asText(item) ?? '')),
    refused: read(dig(recording, 'refused'), refusalOf),
    logs: read(dig(recording, 'logs'), logOf),
    now,
  };
}

function read<T>(list: Json | undefined, one: (item: Json) => T | undefined): readonly T[] {
  return asList(list)
    .map(one)
    .filter((item) => item !== undefined);
}

function objectOf(item: Json, observed: Json | undefined): KubeObject | undefined {
  const [apiVersion, kind, name] = [asText(dig(item, 'apiVersion')), asText(dig(item, 'kind')), asText(dig(item, 'metadata', 'name'))];
  if (!isJsonObject(item) || apiVersion === undefined || kind === undefined || name === undefined) return undefined;
  const object = item as KubeObject;
  const paths = asList(dig(observed, formatRef(refOf(object)))).filter((path) => typeof path === 'string');
  return paths.length === 0 ? object : { ...object, [OBSERVED]: paths };
}

function collectedOf(item: Json): Collected | undefined {
  const kind = asText(dig(item, 'kind'));
  if (kind === undefined) return undefined;
  return { kind, complete: asBoolean(dig(item, 'complete')) === true, ...texts(item, ['namespace', 'labelSelector', 'fieldSelector']) };
}

function refusalOf(item: Json): Refusal | undefined {
  const [kind, why, detail] = [asText(dig(item, 'kind')), dig(item, 'why'), asText(dig(item, 'detail'))];
  if (kind === undefined || detail === undefined || (why !== 'forbidden' && why !== 'failed')) return undefined;
  return { kind, why, detail, ...texts(item, ['namespace', 'name', 'needs']) };
}

function logOf(item: Json): StoredLog | undefined {
  const [pod, container] = [podOf(dig(item, 'pod')), asText(dig(item, 'container'))];
  if (pod === undefined || container === undefined) return undefined;
  const unread = unreadOf(dig(item, 'unread'));
  return {
    pod,
    container,
    previous: asBoolean(dig(item, 'previous')) === true,
    lines: asList(dig(item, 'lines')).filter((line) => typeof line === 'string'),
    filtered: asBoolean(dig(item, 'filtered')) === true,
    ...(unread === undefined ? {} : { unread }),
  };
}

function podOf(item: Json | undefined): ObjectRef | undefined {
  const [kind, name] = [asText(dig(item, 'kind')), asText(dig(item, 'name'))];
  return kind === undefined || name === undefined ? undefined : { kind, name, ...texts(item, ['namespace', 'uid']) };
}

function unreadOf(item: Json | undefined): Unread | undefined {
  const [why, detail] = [dig(item, 'why'), asText(dig(item, 'detail'))];
  if (detail === undefined || (why !== 'absent' && why !== 'forbidden' && why !== 'not-collected' && why !== 'failed')) return undefined;
  return { ok: false, why, detail, ...texts(item, ['needs']) };
}

/** Those of the fields that are texts. */
function texts<K extends string>(item: Json | undefined, fields: readonly K[]): { readonly [F in K]?: string } {
  const map: JsonObject = asTextMap(item);
  return Object.fromEntries(fields.flatMap((field) => (typeof map[field] === 'string' ? [[field, map[field]]] : []))) as {
    readonly [F in K]?: string;
  };
}
