import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { openingsOf } from '../../src/model/frames.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { withoutUndefined } from '../../src/base/without-undefined.ts';
import { asList, asObject, asText, asTextMap, dig, isJsonObject } from '../../src/base/json.ts';
import { parseInstant } from '../../src/base/instant.ts';
import type { StoredEvidence } from '../../src/clusters/memory-reader.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import { collect } from '../../src/collect/collect.ts';
import { reason } from '../../src/engine/diagnose.ts';
import { toCauses } from '../../src/engine/cause.ts';
import type { Cause, Evidence } from '../../src/model/diagnosis.ts';
import { ANYTHING } from '../../src/model/fact.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { formatRef, parseRef } from '../../src/model/kube-object.ts';
import { CERTIFICATE_RECORD, RECORD_KINDS } from '../../src/model/record-kinds.ts';
import { resourceOfKind, RESOURCES } from '../../src/model/resources.ts';
import type { Rule } from '../../src/model/rule.ts';
import { Certificates } from '../../src/simulator/x509/certificates.ts';

/** One situation of `test/rules/<stage>/<name>.yaml`: `match` must name the rule first, `near` must not find it at all. */
export interface RuleCase {
  readonly rule: string;
  readonly kind: 'match' | 'near';
  readonly title: string;
  readonly source: Json;
}

const ROOT = 'test/rules';
const DEFAULT_NOW = '2026-01-15T12:00:00Z';
const CASE_FIELDS = ['title', 'given', 'text', 'unread', 'target', 'now', 'expect'];

export function ruleCases(): readonly RuleCase[] {
  const files = readdirSync(ROOT, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted();
  return files.flatMap((file) => {
    const content = parse(readFileSync(join(ROOT, file), 'utf8'), { merge: true }) as Json;
    const rule = file.replace(/\.yaml$/, '');
    return (['match', 'near'] as const).flatMap((kind) =>
      asList(dig(content, kind)).map((source, index) => {
        for (const field of Object.keys(asObject(source)))
          if (!CASE_FIELDS.includes(field)) throw new Error(`${file}: ${kind}[${String(index)}] has the unknown field ${field}`);
        return { rule, kind, title: asText(dig(source, 'title')) ?? `${kind} ${String(index)}`, source };
      }),
    );
  });
}

/** What podcheck sees in a case. */
export async function evidenceOf({ source, title }: RuleCase): Promise<Evidence> {
  const now = parseInstant(asText(dig(source, 'now')) ?? DEFAULT_NOW) ?? 0;
  const given = withSurroundings(
    asList(dig(source, 'given')).map((object) => complete(object, now)),
    now,
  );
  const text = asText(dig(source, 'text'));
  const target = asText(dig(source, 'target'));
  const request = target === undefined ? {} : { target: parseRef(target) ?? { kind: 'Pod', name: target } };
  if (text === undefined) return collect(memoryReader(stored(given, source, now)), request, await shippedRules());
  const { readTranscript } = await import('../../src/clusters/transcript/transcript.ts');
  const transcript = readTranscript(text, { openings: openingsOf(await shippedRules()), name: title, now });
  if (given.length > 0) throw new Error(`${title}: a case has either objects or a text`);
  return collect(transcript.reader, request, await shippedRules());
}

export function causesOf(evidence: Evidence, rules: readonly Rule[]): readonly Cause[] {
  const { ranked, explanations } = reason(evidence, rules);
  return toCauses(ranked, explanations);
}

/** The evidence with every fact of one kind replaced by a gap: what a person without that permission would have. */
export function blindfolded(evidence: Evidence, kind: Evidence['facts'][number]['kind']): Evidence {
  const hidden = evidence.facts.filter((fact) => fact.kind === kind);
  const gaps = hidden.map(({ about }) => ({ kind, about, reason: 'hidden' }));
  return {
    ...evidence,
    facts: evidence.facts.filter((fact) => fact.kind !== kind),
    gaps: [...evidence.gaps, ...gaps, { kind, about: { kind: 'Any', name: ANYTHING }, reason: 'hidden' }],
  };
}

/** Every namespace that is used exists, and so do the nodes of the pods unless the case brings nodes of its own. */
function withSurroundings(objects: readonly KubeObject[], now: number): readonly KubeObject[] {
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  const nodes = new Set(objects.flatMap((object) => (object.kind === 'Pod' ? (asText(dig(object, 'spec', 'nodeName')) ?? []) : [])));
  for (const object of objects) if (object.kind === 'Namespace') namespaces.delete(object.metadata.name);
  const makes = (kind: string, names: ReadonlySet<string>, more: Readonly<Record<string, Json>>): readonly KubeObject[] =>
    [...names].map((name) => complete({ kind, metadata: { name }, ...more }, now));
  const ready = { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }] } };
  return [
    ...objects,
    ...makes('Namespace', namespaces, {}),
    ...(objects.some(({ kind }) => kind === 'Node') ? [] : makes('Node', nodes, ready)),
  ];
}

function stored(objects: readonly KubeObject[], source: Json, now: number): StoredEvidence {
  const unread = asList(dig(source, 'unread')).map(String);
  const recorded = RECORD_KINDS.filter((kind) => objects.some((object) => object.kind === kind));
  const kinds = [...RESOURCES.map(({ kind }) => kind), ...recorded, ...objects.map(({ kind }) => kind)];
  return {
    objects: objects.filter(({ kind }) => !unread.includes(kind)),
    collected: [...new Set(kinds)].filter((kind) => !unread.includes(kind)).map((kind) => ({ kind, complete: true })),
    absent: [],
    refused: unread.map((kind) => ({ kind, why: 'forbidden' as const, detail: `${kind} is forbidden`, needs: `list ${kind}` })),
    logs: objects.flatMap((object) => (object.kind === 'Pod' ? logsOf(object) : [])),
    now,
  };
}

/** A pod of a case may carry `logs: { <container>: |text }` and `previousLogs` beside its spec. */
function logsOf(pod: KubeObject): StoredEvidence['logs'] {
  return (['logs', 'previousLogs'] as const).flatMap((field) =>
    Object.entries(asTextMap(dig(pod, field))).map(([container, text]) => ({
      pod: { kind: 'Pod', namespace: pod.metadata.namespace ?? '', name: pod.metadata.name },
      container,
      previous: field === 'previousLogs',
      lines: text.trimEnd().split('\n'),
      filtered: false,
    })),
  );
}

function complete(source: Json, now: number): KubeObject {
  const kind = asText(dig(source, 'kind')) ?? '';
  const resource = resourceOfKind(kind);
  if (!isJsonObject(source) || kind === '') throw new Error(`not an object: ${JSON.stringify(source)}`);
  const given = asObject(source['metadata']);
  const namespaced = resource?.namespaced !== false && !RECORD_KINDS.includes(kind);
  const named = withoutUndefined({
    namespace: asText(given['namespace']) ?? (namespaced ? 'shop' : undefined),
    name: asText(given['name']) ?? madeUpName(kind, source),
  });
  return {
    ...source,
    apiVersion: asText(source['apiVersion']) ?? resource?.apiVersion ?? 'podcheck/v1',
    kind,
    metadata: {
      creationTimestamp: new Date(now - 600_000).toISOString(),
      uid: `uid-${formatRef({ kind, ...named })}`,
      resourceVersion: '100',
      ...given,
      ...named,
    },
    ...(kind === 'Event' ? eventDefaults(source, named.namespace, now) : {}),
    ...(kind === CERTIFICATE_RECORD ? certificateRecord(source, now) : {}),
  };
}

function madeUpName(kind: string, source: JsonObject): string {
  const text = JSON.stringify(source);
  return kind === 'Event' ? `event-${text.length}-${hash(text)}` : kind.toLowerCase();
}

function eventDefaults(source: Json, namespace: string | undefined, now: number): Readonly<Record<string, Json>> {
  const involved = asObject(dig(source, 'involvedObject'));
  const cluster = resourceOfKind(asText(involved['kind']) ?? '')?.namespaced === false;
  return {
    type: 'Warning',
    count: 1,
    lastTimestamp: new Date(now - 30_000).toISOString(),
    ...asObject(source),
    involvedObject: { ...(cluster || namespace === undefined ? {} : { namespace }), ...involved },
  };
}

/**
 * `spec.certificate` says what its PEM shows: a client certificate of the cluster's authority that is good for a year, unless it says
 * otherwise.
 */
function certificateRecord(source: Json, now: number): Readonly<Record<string, Json>> {
  const { certificate, ...spec } = asObject(dig(source, 'spec'));
  const given = asObject(certificate);
  const texts = (field: string): readonly string[] => asList(given[field]).map(String);
  const [commonName, issuer] = [asText(given['commonName']) ?? '', asText(given['issuer']) ?? 'kubernetes'];
  const usages = CERTIFICATE_USAGES.filter((usage) => texts('usages').includes(usage));
  const pem = new Certificates().pem({
    name: commonName,
    commonName,
    organizations: texts('organizations'),
    issuer,
    notBefore: parseInstant(given['notBefore']) ?? now - 100 * DAY,
    notAfter: parseInstant(given['notAfter']) ?? now + 265 * DAY,
    dnsNames: texts('dnsNames'),
    ipAddresses: [],
    ...(usages.length === 0 ? {} : { usages }),
  });
  return { spec: { ...spec, pem } };
}

const DAY = 86_400_000;
const CERTIFICATE_USAGES = ['authority', 'server', 'client'] as const;

function hash(text: string): string {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum.toString(36);
}
