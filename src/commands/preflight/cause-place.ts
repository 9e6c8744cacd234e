import type { JsonObject } from '../../base/json.ts';
import { asList, asText, dig, digAt } from '../../base/json.ts';
import type { Cause } from '../../model/diagnosis.ts';
import type { StageId } from '../../model/stage.ts';
import type { Place } from '../../report/pipeline/check.ts';
import type { PlacedDocument } from '../sim/manifest-scenario.ts';

/** Where the pod's spec stands in a document. */
export function podSpecPath({ kind }: JsonObject): readonly string[] {
  if (kind === 'Pod') return ['spec'];
  return kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec', 'template', 'spec'] : ['spec', 'template', 'spec'];
}

/**
 * Where in the manifests stands what a cause is about: the value that names it, in the workload or in the document of the object itself;
 * else the field that the stage looks at, or the name of the workload.
 */
export function causePlace({ object, params, stage }: Cause, own: PlacedDocument, all: readonly PlacedDocument[]): Place {
  const document = all.find((one) => one !== own && isAbout(one, object)) ?? own;
  const field = asText(params['field']);
  if (field !== undefined && document.places.of(field) !== undefined) return placeOf(document, [field]);
  // What is about something else stands where the document names that.
  const names = document === own && !isAbout(own, object) ? [object.name] : [];
  const words = [...names, ...wordsOf(params)].filter((word) => word.length > 2);
  const values = document.places.values().filter(({ path }) => !path.startsWith('metadata.') && path !== 'kind' && path !== 'apiVersion');
  const found = words.flatMap((word) => values.filter(({ text, path }) => text === word || path.endsWith(`.${word}`)));
  const [best] = [
    ...found.filter(({ path }) => HINTS[stage]?.test(path) === true),
    ...found.filter(({ path }) => !/labels|args|command/i.test(path)),
  ];
  if (best !== undefined) return { file: document.file, line: best.line, column: best.column };
  const fields = document === own ? fieldsOf(own, stage, params['container']) : [];
  return placeOf(document, [...fields.filter((one) => isThere(document, one)), 'metadata.name']);
}

function fieldsOf({ object }: PlacedDocument, stage: StageId, name: unknown): readonly string[] {
  const path = podSpecPath(object);
  const index = asList(digAt(object, [...path, 'containers'])).findIndex((container) => asText(dig(container, 'name')) === name);
  const [pod, container] = [path.join('.'), `${path.join('.')}.containers[${Math.max(0, index)}].`];
  return (FIELDS[stage] ?? []).map((field) => (field.startsWith('.') ? pod : container) + field);
}

/** The values of a cause's parameters, and both sides of a label; not those that say which pods it is about. */
function wordsOf(params: Cause['params']): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    typeof value !== 'string' || AROUND.has(name) ? [] : [value, ...(/^[^=\s]+=[^=\s]+$/.test(value) ? value.split('=').toReversed() : [])],
  );
}

const AROUND: ReadonlySet<string> = new Set([
  'workload',
  'container',
  'containers',
  'pod',
  'namespace',
  'node',
  'refused',
  'refusedName',
  'declared',
]);

/** The place of the first of the fields. */
export function placeOf(document: PlacedDocument, [field = 'metadata.name']: readonly string[] = []): Place {
  return { file: document.file, line: document.line, ...document.places.of(field) };
}

function isAbout({ object }: PlacedDocument, { kind, name }: Cause['object']): boolean {
  return object['kind'] === kind && dig(object, 'metadata', 'name') === name;
}

/** Whether the whole path is there: its place is not that of what it would stand in. */
function isThere(document: PlacedDocument, field: string): boolean {
  return document.places.values().some(({ path }) => path.startsWith(field));
}

/** Fields in which a value says what the stage is about. */
const HINTS: Partial<Readonly<Record<StageId, RegExp>>> = {
  volumes: /volumes?\b|env/i,
  containers: /env|command|ports/i,
  images: /image/i,
  scheduling: /resources|nodeSelector|affinity|claim|tolerations|volume|nodeName/i,
  probes: /Probe/,
  endpoints: /selector|port/i,
  'mutating-admission': /priorityClassName|runtimeClassName|serviceAccountName/,
};

/** Fields of the container, or of the pod where they begin with a point, that the stage looks at. */
const FIELDS: Partial<Readonly<Record<StageId, readonly string[]>>> = {
  scheduling: ['resources.requests', '.nodeSelector', '.affinity', '.tolerations', '.topologySpreadConstraints'],
  images: ['image'],
  containers: ['command', 'args', 'image'],
  probes: ['startupProbe', 'readinessProbe', 'livenessProbe'],
  volumes: ['.volumes'],
  'validating-admission': ['.securityContext', 'securityContext', 'resources'],
};
