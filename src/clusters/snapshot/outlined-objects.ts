import { formatInstant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asText, isJsonObject } from '../../base/json.ts';
import { parsedObject } from '../../base/parsed-json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';
import { Outline, SLOT } from './outline.ts';
import { newestTime, tellsItsTime } from './snapshot-time.ts';

/** Where in a source an object stands of which no more is kept than what names it. Objects that are kept whole have none. */
export const POSITION: unique symbol = Symbol('position');

export interface Position {
  readonly file: ReadableAgain;
  readonly start: number;
  /** Bytes. */
  readonly length: number;
}

/** A file whose bytes can be read again from any place; fewer than asked for where it has changed. */
export interface ReadableAgain {
  readonly range: (from: number, length: number) => Promise<Uint8Array>;
}

/** Takes outlines of the objects of one file, as far as these are enough for all that is not asked about an object by name. */
export class Outlines {
  readonly #outline = new Outline();
  readonly #file: ReadableAgain;
  #newest = 0;
  #isDated = false;
  /** The position behind the last object, in the bytes it was read from. */
  end = -1;

  constructor(file: ReadableAgain) {
    this.#file = file;
  }

  /** How many values the last object had, at most. */
  get values(): number {
    return this.#outline.values;
  }

  /** The outline of the object that begins here; undefined where it has to be read whole. `offset`: its place in the file. */
  read(bytes: Uint8Array, at: number, offset: number): JsonObject | undefined {
    this.end = this.#outline.read(bytes, at);
    return this.end < 0 ? undefined : outlinedObject(this.#outline, { file: this.#file, start: offset, length: this.end - at });
  }

  /** The object that tells the newest time is kept whole: what was read whole says from when on a time may be that. */
  learn(value: Json): void {
    if (!isJsonObject(value) || resourceOfKind(asText(value['kind']) ?? '')?.apiVersion !== value['apiVersion']) return;
    if (!isJsonObject(value['metadata'])) return;
    const objects = [value as KubeObject];
    this.#isDated ||= tellsItsTime(objects);
    this.#newest = Math.max(this.#newest, newestTime(objects) ?? 0);
    if (this.#isDated) this.#outline.newest = formatInstant(this.#newest);
  }
}

/** What an outline tells of an object, with its position; undefined where that is not enough. */
function outlinedObject(outline: Outline, position: Position): JsonObject | undefined {
  const kind = outline.text(SLOT.kind);
  const name = outline.text(SLOT.name);
  if (kind === undefined || name === undefined || kind === 'Secret' || resourceOfKind(kind) === undefined) return undefined;
  const namespace = outline.text(SLOT.namespace);
  const metadata = withTexts(outline, { name: SLOT.name, namespace: SLOT.namespace, ...IDENTITY });
  const object = { ...withTexts(outline, { kind: SLOT.kind, apiVersion: SLOT.apiVersion }), metadata, [POSITION]: position };
  if (kind === 'Pod') return { ...object, spec: withTexts(outline, { nodeName: SLOT.nodeName }) };
  if (kind !== 'Event') return object;
  const involvedObject = withTexts(outline, INVOLVED);
  // Which namespace it belongs to has to be found out by all that it says.
  return isNamed(namespace) && isNamed(outline.text(SLOT.involvedName)) ? { ...object, involvedObject } : undefined;
}

const IDENTITY = { uid: SLOT.uid, resourceVersion: SLOT.resourceVersion, creationTimestamp: SLOT.creationTimestamp };
const INVOLVED = { kind: SLOT.involvedKind, namespace: SLOT.involvedNamespace, name: SLOT.involvedName };

function isNamed(namespace: string | undefined): boolean {
  return namespace !== undefined && namespace !== '' && namespace !== 'default';
}

function withTexts(outline: Outline, slots: Readonly<Record<string, number>>): JsonObject {
  const texts: Record<string, Json> = {};
  for (const field of Object.keys(slots)) {
    const text = outline.text(slots[field] as number);
    if (text !== undefined) texts[field] = text;
  }
  return texts;
}

export function positionOf(object: KubeObject): Position | undefined {
  return (object as { readonly [POSITION]?: Position })[POSITION];
}

/**
 * Reads objects again of which only the outline is kept, each once: what stands close together is read at once. An object that is not
 * where it was any more has no answer.
 */
export class ReadAgain {
  readonly #known = new Map<KubeObject, KubeObject>();
  readonly #shared: (value: Json) => Json;

  /** `shared`: gives a value with the parts that it has in common with others. */
  constructor(shared: (value: Json) => Json) {
    this.#shared = shared;
  }

  /** Reads those of which only the outline is kept. */
  async read(objects: readonly KubeObject[]): Promise<void> {
    const missing = objects.flatMap((object) => {
      const position = positionOf(object);
      return position === undefined || this.#known.has(object) ? [] : [{ object, position }];
    });
    const places = missing.toSorted((one, other) => one.position.start - other.position.start);
    const files = new Set(places.map(({ position }) => position.file));
    for (const file of files)
      for (const run of runsOf(places.filter(({ position }) => position.file === file))) await this.#readRun(file, run);
  }

  /** The object itself; undefined where it could not be read again. */
  whole(object: KubeObject): KubeObject | undefined {
    return positionOf(object) === undefined ? object : this.#known.get(object);
  }

  async #readRun(file: ReadableAgain, run: readonly Placed[]): Promise<void> {
    const from = run[0]?.position.start ?? 0;
    const bytes = await file.range(from, endOf(run.at(-1)) - from);
    for (const { object, position } of run) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
        'utf8',
        position.start - from,
        endOf({ object, position }) - from,
      );
      const value = parsedObject(text);
      if (value !== undefined && isSame(value, object)) this.#known.set(object, wholeOf(object, this.#shared(value) as JsonObject));
    }
  }
}

interface Placed {
  readonly object: KubeObject;
  readonly position: Position;
}

/** Objects with at most so many bytes between them are read together, and no more than so many at once. */
const [GAP_BYTES, RUN_BYTES] = [64 * 1024, 4 * 1024 * 1024];

/** What is read at once, of places in their order. */
function runsOf(places: readonly Placed[]): readonly (readonly Placed[])[] {
  const runs: Placed[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    const [first, last] = [run?.[0], run?.at(-1)];
    const isNear =
      first !== undefined && place.position.start - endOf(last) <= GAP_BYTES && endOf(place) - first.position.start <= RUN_BYTES;
    if (run === undefined || !isNear) runs.push([place]);
    else run.push(place);
  }
  return runs;
}

function endOf(placed: Placed | undefined): number {
  return placed === undefined ? 0 : placed.position.start + placed.position.length;
}

/** Another object may stand there now. */
function isSame({ kind, metadata }: JsonObject, object: KubeObject): boolean {
  return kind === object.kind && isJsonObject(metadata) && metadata['name'] === object.metadata.name;
}

/** With the version and the namespace that its list or its file gave to it. */
function wholeOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject, value: JsonObject): KubeObject {
  const metadata = { ...(value['metadata'] as JsonObject), name, ...(namespace === undefined ? {} : { namespace }) };
  return { ...value, apiVersion, kind, metadata };
}
