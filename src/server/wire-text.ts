import type { Instant } from '../base/instant.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { TimeShift } from './time-shift.ts';

/**
 * Objects as the JSON that goes over the wire. An object of the cluster is never changed, only replaced: its text is written once
 * for all who ask for it, as long as its times stand the same way to the wall clock.
 */
export class WireText {
  readonly #shift: TimeShift;
  readonly #texts = new WeakMap<object, Written>();
  readonly #lines = new Map<string, Line>();

  constructor(shift: TimeShift) {
    this.#shift = shift;
  }

  /** A whole answer: an object, a list of objects, or a Table of them. */
  of(body: JsonObject): string {
    if (Array.isArray(body['items'])) return this.#collection(body, 'items', (item) => this.object(item));
    if (Array.isArray(body['rows'])) return this.#collection(body, 'rows', (row) => this.#row(row));
    return this.object(body);
  }

  /** One object, from what is known of it when it was asked for before. */
  object(value: Json): string {
    if (!isJsonObject(value)) return JSON.stringify(value);
    const { seconds } = this.#shift;
    const known = this.#texts.get(value);
    if (known?.seconds === seconds) return known.text;
    const text = this.#shift.toWall(JSON.stringify(value));
    this.#texts.set(value, { text, seconds });
    return text;
  }

  /** The first line of a watch, which may say more than those that follow. */
  firstLine(type: string, body: JsonObject): Uint8Array {
    return Buffer.from(`{"type":"${type}","object":${this.of(body)}}\n`);
  }

  /**
   * A line of a watch, the same bytes for all who watch in the same way (`kind`). All of them hear of a change before the next
   * comes, so only the last line is kept: what is behind a change is in the history for minutes, and its text need not be.
   */
  line(
    type: string,
    { object, kind, at }: { readonly object: object; readonly kind: string; readonly at: Instant },
    body: () => JsonObject,
  ): Uint8Array {
    const { seconds } = this.#shift;
    const known = this.#lines.get(kind);
    if (known?.object === object && known.type === type && known.seconds === seconds && known.at === at) return known.bytes;
    const bytes = Buffer.from(`{"type":"${type}","object":${this.#shift.toWall(JSON.stringify(body()))}}\n`);
    if (this.#lines.size > MAX_KINDS) this.#lines.clear();
    this.#lines.set(kind, { object, type, at, seconds, bytes });
    return bytes;
  }

  #collection(body: JsonObject, field: string, write: (item: Json) => string): string {
    const { [field]: items, ...rest } = body;
    const texts = (items as readonly Json[]).map(write);
    return `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length === 0 ? '' : ','}"${field}":[${texts.join(',')}]}`;
  }

  /** The cells of a row change with time, its object does not. */
  #row(row: Json): string {
    if (!isJsonObject(row) || !isJsonObject(row['object'])) return JSON.stringify(row);
    const { object, ...rest } = row;
    return `${JSON.stringify(rest).slice(0, -1)},"object":${this.object(object)}}`;
  }
}

interface Written {
  readonly text: string;
  readonly seconds: number;
}

const MAX_KINDS = 100;

interface Line {
  readonly object: object;
  readonly type: string;
  readonly at: Instant;
  readonly seconds: number;
  readonly bytes: Uint8Array;
}
