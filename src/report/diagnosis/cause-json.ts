import type { Json, JsonObject } from '../../base/json.ts';
import { formatInstant } from '../../base/instant.ts';
import { withoutInvisible } from '../../base/invisible.ts';
import type { Cause } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { clusterValue } from '../format/cluster-text.ts';

/** A cause as the published schemas have it: `schemas/diagnosis.v1.json`, `schemas/scan.v1.json`. */
export function causeJson(cause: Cause): JsonObject {
  const { rank, rule, stage, symptom, title, object, workload, params, what, why, fix, evidence, playbook, affected } = cause;
  return {
    rank,
    rule,
    stage,
    ...(symptom === undefined ? {} : { symptom }),
    title,
    object: refJson(object),
    ...(workload === undefined ? {} : { workload: refJson(workload) }),
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? clusterValue(value) : value]),
    ),
    what: clusterValue(what),
    why: clusterValue(why),
    fix: fix.map(({ say, run, by }) => ({
      say: clusterValue(say),
      ...(run === undefined ? {} : { run: clusterValue(run) }),
      ...(by === undefined ? {} : { by }),
    })),
    evidence: evidence.map(({ source, quote, at, count }) => ({
      source: clusterValue(source),
      quote: clusterValue(quote),
      ...(at === undefined ? {} : { at: formatInstant(at) }),
      ...(count === undefined ? {} : { count }),
    })),
    ...(playbook === undefined ? {} : { playbook }),
    affected: affected.map(refJson),
  };
}

export function gapJson({ kind, about, reason, needs }: Gap): JsonObject {
  return {
    fact: kind,
    about: refJson(about),
    reason: clusterValue(reason),
    ...(needs === undefined ? {} : { needs: clusterValue(needs) }),
  };
}

export function refJson({ kind, namespace, name }: ObjectRef): JsonObject {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** JSON text, indented, in which no character can move a cursor or hide: what JSON.stringify leaves of them is escaped too. */
export function jsonText(value: Json): string {
  return `${harmless(JSON.stringify(value, undefined, 2))}\n`;
}

/** The same on one line, for streams of JSON objects. */
export function jsonLine(value: Json): string {
  return `${harmless(JSON.stringify(value))}\n`;
}

function harmless(text: string): string {
  return withoutInvisible(text, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
