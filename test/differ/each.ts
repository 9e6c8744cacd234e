import type { Json, JsonObject } from '../../src/base/json.ts';
import { asList, asObject } from '../../src/base/json.ts';
import { mergeDiff, withFields } from '../../src/base/json-edit.ts';
import type { Field, FieldType, Model } from '../../src/simulator/apiserver/schema/schema.ts';
import { modelNamed } from '../../src/simulator/apiserver/schema/schema.ts';
import { placesIn, replaced } from './change-manifest.ts';
import { compareReplies } from './compare.ts';
import type { ComparedKind } from './kinds.ts';
import { pathOfAll } from './kinds.ts';
import type { Reasons } from './known.ts';
import { maskOf } from './masks.ts';
import type { Operation, Sequence } from './operation.ts';
import { RUN } from './operation.ts';
import type { Sides } from './play.ts';
import { carryOut, mergePatched, setUp } from './play.ts';
import type { Tally } from './tally.ts';
import { count } from './tally.ts';
import type { Values } from './values.ts';
import { knownValues } from './values.ts';

/** How deep models are gone into that the manifest does not have. */
const MAX_DEPTH = 3;
const PARALLEL = 16;
/** One variant in so many is an update, too. */
const UPDATES_ONE_IN = 4;

/** Of these a manifest has what the server gives, or what is a kind of its own. */
const NOT_VARIED: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.managedFields',
  'status',
]);

/** What all objects have is looked at in these. */
const WITH_METADATA: ReadonlySet<string> = new Set(['ConfigMap', 'DeviceClass', 'Deployment']);

/** Gone into where a manifest has them, and nowhere else. */
const NOT_MADE_UP: ReadonlySet<string> = new Set([
  'PodTemplateSpec',
  'PodSpec',
  'JobSpec',
  'ObjectMeta',
  'JSONSchemaProps',
  'PersistentVolumeSpec',
]);

/**
 * Every field of a manifest, and every one that it lacks, with every value of that field: one manifest for each. What a template says of its
 * pods is looked at by itself, once.
 */
export function variantsOf(values: Values, kind: ComparedKind, manifest: JsonObject, seen: Set<string>): readonly JsonObject[] {
  const isNew = (steps: readonly (string | number)[], value: Json | undefined): boolean => {
    const key = `${steps.filter((step) => typeof step === 'string').join('.')}=${JSON.stringify(value)}`;
    return seen.size < seen.add(key).size;
  };
  const model = modelNamed(kind.model);
  const whole = kind.kind === 'Pod';
  const withMetadata = WITH_METADATA.has(kind.kind);
  return placesIn({ is: 'model', model: model.name }, manifest, []).flatMap(({ steps, model: at, value }) => {
    const inPod = !whole && steps.includes('template') && at.goName !== 'PodTemplateSpec';
    if (inPod && at.goName !== 'PodSpec') return [];
    if (steps[0] === 'metadata' && !withMetadata) return [];
    return [...at.fields.values()]
      .filter(({ name }) => !NOT_VARIED.has([...steps, name].join('.')))
      .flatMap((field) => {
        const path = [...steps, field.name];
        return [...(value[field.name] === undefined ? [] : [undefined]), ...valuesFor(values, at, field, inPod ? MAX_DEPTH : 0)]
          .filter((one) => isNew(path, one))
          .map((one) => replaced(manifest, path, one));
      });
  });
}

function valuesFor(values: Values, model: Model, field: Field, depth: number): readonly Json[] {
  const known = knownValues(values, model, field);
  const wrong = depth === 0 ? [null, ...asList(values.wrong[field.type.is]).slice(0, 1)] : [];
  return distinct([...known, ...ofType(values, field.type, depth), ...wrong]);
}

function ofType(values: Values, type: FieldType, depth: number): readonly Json[] {
  switch (type.is) {
    case 'model': {
      const model = modelNamed(type.model);
      const base = exemplar(values, model, 0);
      if (depth >= MAX_DEPTH || NOT_MADE_UP.has(model.goName)) return [base];
      const fields = [...model.fields.values()];
      return [
        {},
        base,
        ...fields.flatMap((field) => valuesFor(values, model, field, depth + 1).map((one) => withFields(base, { [field.name]: one }))),
      ];
    }
    case 'list': {
      const [first, ...more] = ofType(values, type.of, depth);
      return first === undefined ? [[]] : [[], [first], [first, first], ...more.map((one) => [one])];
    }
    case 'map':
      return [
        {},
        ...ofType(values, type.of, depth).flatMap((one) => [{ a: one }]),
        ...[{ 'Bad Key': 'x' }].filter(() => type.of.is === 'string'),
      ];
    default:
      return asList(values.types[type.is]);
  }
}

/** An object with what is required, each with the first value there is. */
function exemplar(values: Values, model: Model, depth: number): JsonObject {
  const required = [...model.fields.values()].filter((field) => field.required);
  return Object.fromEntries(
    required.map((field) => [
      field.name,
      depth > MAX_DEPTH ? null : (knownValues(values, model, field)[0] ?? firstOf(values, field.type, depth)),
    ]),
  );
}

function firstOf(values: Values, type: FieldType, depth: number): Json {
  if (type.is === 'model') return exemplar(values, modelNamed(type.model), depth + 1);
  if (type.is === 'list') return [firstOf(values, type.of, depth)];
  if (type.is === 'map') return { a: firstOf(values, type.of, depth) };
  return asList(values.types[type.is])[0] ?? null;
}

function distinct(all: readonly Json[]): readonly Json[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** Creates, updates and writes the status of each variant, as dry runs on both clusters. */
export async function playEach(
  sides: Sides,
  kind: ComparedKind,
  values: Values,
  run: string,
  tally: Tally,
  reasons: Reasons,
): Promise<void> {
  const both = [sides.real, sides.simulated] as const;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: RUN, labels: {} } };
  await Promise.all(both.map((side) => setUp(side, namespace, run)));
  const all = pathOfAll(kind);
  const own = `${all}/${kind.name}`;
  const seen = new Set<string>();
  for (const [place, object] of kind.objects.entries()) {
    const manifest: JsonObject = {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      ...object,
      metadata: { name: kind.name, ...asObject(object['metadata']) },
    };
    const variants = variantsOf(values, kind, manifest, seen);
    const base: Operation = { does: 'create', method: 'POST', path: all, body: manifest, settles: false };
    const compare = async (operation: Operation, before: readonly Operation[], stored?: readonly Json[]): Promise<void> => {
      const replies = await Promise.all(
        both.map((side, index) => {
          const body = stored === undefined ? operation.body : mergePatched(stored[index] ?? null, operation.edit ?? {});
          const { edit: _, ...sent } = operation;
          return carryOut(side, body === undefined ? operation : { ...sent, body }, run);
        }),
      );
      const mask = maskOf(run, Date.now());
      const [real, simulated] = replies;
      if (real === undefined || simulated === undefined) return;
      const comparison = compareReplies(kind.kind, operation, [real, simulated], [mask, mask]);
      const differences = comparison.differences.map((one) => ({
        ...one,
        mechanism: one.mechanism.replaceAll(/\\?"[^"]*"|-?\d[\d.]*/g, '…'),
      }));
      const sequence: Sequence = { seed: 'each', kind: kind.kind, namespace, operations: [...before, operation] };
      count(
        tally,
        sequence,
        [
          ...before.map((one) => ({ operation: one, differences: [], fields: 0, fieldsEqual: 0 })),
          { operation, ...comparison, differences },
        ],
        reasons,
      );
    };
    await inParallel(
      variants.map((body) => ({ ...base, path: `${all}?dryRun=All`, body })),
      (one) => compare(one, []),
    );
    await Promise.all(both.map((side) => carryOut(side, base, run)));
    await new Promise((resolve) => {
      setTimeout(resolve, 2000);
    });
    const stored = await Promise.all(
      both.map(async (side) => (await carryOut(side, { does: 'get', method: 'GET', path: own, settles: false }, run)).body),
    );
    const updates = variants
      .filter((_, index) => index % UPDATES_ONE_IN === 0)
      .map((variant) => ({
        does: 'update',
        method: 'PUT' as const,
        path: `${own}?dryRun=All`,
        edit: mergeDiff(manifest, variant) ?? {},
        settles: false,
      }));
    await inParallel(updates, (one) => compare(one, [base], stored));
    if (kind.subresources.includes('status') && place === 0) {
      const type = modelNamed(kind.model).fields.get('status')?.type;
      if (type?.is === 'model') {
        const model = modelNamed(type.model);
        const statuses = [...model.fields.values()].flatMap((field) =>
          valuesFor(values, model, field, 0).map((one): Operation => ({
            does: 'status patch',
            method: 'PATCH',
            path: `${own}/status?dryRun=All`,
            contentType: 'application/merge-patch+json',
            body: { status: { [field.name]: one } },
            settles: false,
          })),
        );
        await inParallel(statuses, (one) => compare(one, [base]));
      }
    }
    const remove: Operation = { does: 'delete', method: 'DELETE', path: `${own}?gracePeriodSeconds=0`, settles: false };
    const free: Operation = {
      does: 'free',
      method: 'PATCH',
      path: own,
      contentType: 'application/merge-patch+json',
      body: { metadata: { finalizers: null } },
      settles: false,
    };
    for (const side of both) {
      await carryOut(side, remove, run);
      await carryOut(side, free, run);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
  }
}

async function inParallel(operations: readonly Operation[], play: (operation: Operation) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (;;) {
        const operation = operations[next++];
        if (operation === undefined) return;
        await play(operation);
      }
    }),
  );
}
