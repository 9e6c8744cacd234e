import { formatInstant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asText, isJsonObject } from '../../base/json.ts';
import { parsedObject } from '../../base/parsed-json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';
import type { AlikeOutline } from './alike-outlines.ts';
import { alikeOutline } from './alike-outlines.ts';
import { AlikeTexts } from './alike-text.ts';
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
  readonly #alike = new AlikeTexts<AlikeOutline>();
  #newest = 0;
  #isDated = false;
  /** The position behind the last object, in the bytes it was read from, and how many values it had, at most. */
  end = -1;
  values = 0;

  constructor(file: ReadableAgain) {
    this.#file = file;
  }

  /** The outline of the object that begins here; undefined where it has to be read whole. `offset`: its place in the file. */
  read(bytes: Uint8Array, at: number, offset: number): JsonObject | undefined {
    const like = this.#like(bytes, at);
    if (like === undefined) this.end = this.#outline.read(bytes, at);
    if (this.end < 0) return undefined;
    const told = like ?? this.#outline;
    this.values = told.values;
    const object = outlinedObject(told, { file: this.#file, start: offset, length: this.end - at });
    if (like === undefined && object !== undefined && this.#alike.wants()) this.#model(bytes, at);
    return object;
  }

  /** What an outline told of an object like the one that begins here; undefined where there is none, or this one is odd. */
  #like(bytes: Uint8Array, at: number): AlikeOutline | undefined {
    const like = this.#alike.find(bytes, at);
    if (like === undefined || like.isOdd(bytes, at, this.#outline)) return undefined;
    this.end = this.#alike.end;
    like.take(bytes, at, this.end);
    return like;
  }

  #model(bytes: Uint8Array, at: number): void {
    const model = alikeOutline(this.#outline, bytes, at, this.end);
    if (model !== undefined) this.#alike.add(model);
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

/** The texts that name an object. */
type Told = Pick<Outline, 'text'>;

/** What an outline tells of an object, with its position; undefined where that is not enough. */
function outlinedObject(outline: Told, position: Position): JsonObject | undefined {
  const kind = outline.text(SLOT.kind);
  const name = outline.text(SLOT.name);
  if (kind === undefined || name === undefined || kind === 'Secret' || resourceOfKind(kind) === undefined) return undefined;
  const object: Record<string | symbol, Json | Position> = {};
  addTexts(outline, OWN, object);
  const metadata: Record<string, Json> = {};
  addTexts(outline, METADATA, metadata);
  object['metadata'] = metadata;
  object[POSITION] = position;
  const part = PARTS[kind];
  if (part !== undefined) {
    const texts: Record<string, Json> = {};
    addTexts(outline, part.slots, texts);
    object[part.field] = texts;
  }
  // Which namespace an event belongs to has to be found out by all that it says.
  const isNamed = kind !== 'Event' || (isTelling(outline.text(SLOT.namespace)) && isTelling(outline.text(SLOT.involvedName)));
  return isNamed ? (object as JsonObject) : undefined;
}

type Slots = readonly (readonly [field: string, slot: number])[];

const OWN: Slots = [
  ['kind', SLOT.kind],
  ['apiVersion', SLOT.apiVersion],
];
const METADATA: Slots = [
  ['name', SLOT.name],
  ['namespace', SLOT.namespace],
  ['uid', SLOT.uid],
  ['resourceVersion', SLOT.resourceVersion],
  ['creationTimestamp', SLOT.creationTimestamp],
];
/** What else is told of objects of a kind. */
const PARTS: Readonly<Record<string, { readonly field: string; readonly slots: Slots }>> = {
  Pod: { field: 'spec', slots: [['nodeName', SLOT.nodeName]] },
  Event: {
    field: 'involvedObject',
    slots: [
      ['kind', SLOT.involvedKind],
      ['namespace', SLOT.involvedNamespace],
      ['name', SLOT.involvedName],
    ],
  },
};

function isTelling(namespace: string | undefined): boolean {
  return namespace !== undefined && namespace !== '' && namespace !== 'default';
}

/** Written field by field: of a large cluster there are a hundred thousand, and to put them together by spreading took twice as long. */
function addTexts(outline: Told, slots: Slots, to: Record<string, unknown>): void {
  for (let index = 0; index < slots.length; index++) {
    const [field, slot] = slots[index] as Slots[number];
    const text = outline.text(slot);
    if (text !== undefined) to[field] = text;
  }
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
