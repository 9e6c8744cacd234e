import type { Json } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import { parsedJson } from '../../base/parsed-json.ts';
import type { Unread } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Conceal } from '../conceal-secret.ts';
import type { Outlined, PieceSink } from '../snapshot/document-pieces.ts';
import { DocumentPieces, NotPieces } from '../snapshot/document-pieces.ts';
import { OPEN_BRACE } from '../snapshot/json-bytes.ts';
import { MAX_DOCUMENT_BYTES, MAX_MEMBER_BYTES } from '../snapshot/limits.ts';
import type { ServedApi } from './api-path.ts';
import { ListItemsReader } from './list-items-reader.ts';
import { parseJson } from './requests/json-answer.ts';

/** The content of one answer to a request for a list. */
export interface ListPage {
  readonly objects: readonly KubeObject[];
  /** The continuation that asks for what follows. */
  readonly next?: string;
  /** Items that are no objects. */
  readonly broken: number;
}

/** Reads the answers that make up one list. */
export class ListPages {
  readonly #api: ServedApi;
  readonly #items: ListItemsReader;

  /** `conceal` as in `liveList`. */
  constructor(api: ServedApi, conceal: Conceal | undefined) {
    this.#api = api;
    this.#items = new ListItemsReader(api, conceal);
  }

  read(body: Buffer): ListPage | Unread {
    return new PageOfItems(this.#items).read(body) ?? this.#whole(body);
  }

  /** An answer that is no list of items as servers write it. */
  #whole(body: Buffer): ListPage | Unread {
    const { plural } = this.#api;
    const parsed = parseJson(body.toString('utf8'));
    if (!parsed.ok) return { ok: false, why: 'failed', detail: `The server's list of ${plural} is not JSON: ${parsed.detail}` };
    const items = dig(parsed.value, 'items');
    // Go writes an empty list as null where nothing was ever put in it.
    if (!Array.isArray(items) && items !== null)
      return { ok: false, why: 'failed', detail: `The server's response is not a list of ${plural}.` };
    const all = (items ?? []) as readonly Json[];
    const objects = all.map((item) => this.#items.made(item)).filter((object) => object !== undefined);
    return pageOf(objects, all.length - objects.length, parsed.value);
  }
}

function pageOf(objects: readonly KubeObject[], broken: number, frame: Json): ListPage {
  const next = asText(dig(frame, 'metadata', 'continue')) ?? '';
  return { objects, broken, ...(next === '' ? {} : { next }) };
}

/** Takes an answer apart item by item. */
class PageOfItems implements PieceSink {
  readonly isStopped = false;
  readonly #items: ListItemsReader;
  readonly #objects: KubeObject[] = [];
  readonly #taken = { end: -1, values: 0 };
  #broken = 0;
  #documents = 0;
  #frame: Json | undefined;
  #isOdd = false;

  constructor(items: ListItemsReader) {
    this.#items = items;
  }

  /** Undefined where the answer is anything else than one list. */
  read(body: Buffer): ListPage | undefined {
    if (body[0] !== OPEN_BRACE) return undefined;
    const pieces = new DocumentPieces(this, MAX_MEMBER_BYTES, MAX_DOCUMENT_BYTES);
    try {
      pieces.push(body);
      pieces.end();
    } catch (error) {
      if (error instanceof NotPieces) return undefined;
      throw error;
    }
    const isList = Array.isArray(dig(this.#frame, 'items'));
    return this.#isOdd || !isList ? undefined : pageOf(this.#objects, this.#broken, this.#frame ?? null);
  }

  begin(): void {
    this.#isOdd ||= ++this.#documents > 1;
  }

  outline(bytes: Uint8Array, at: number, _offset: number, documentLine?: number): Outlined {
    const object = documentLine === undefined ? this.#items.like(bytes, at) : undefined;
    if (object !== undefined) this.#objects.push(object);
    this.#taken.end = object === undefined ? -1 : this.#items.end;
    return this.#taken;
  }

  member(text: string): void {
    const object = this.#items.parsed(text);
    if (object === undefined) this.#isOdd = true;
    else if (object === 'broken') this.#broken++;
    else this.#objects.push(object);
  }

  tooLarge(): void {
    this.#isOdd = true;
  }

  again(): void {
    this.#isOdd = true;
  }

  end(rest: string | undefined, isCut: boolean): void {
    this.#isOdd ||= isCut || rest === undefined;
    this.#frame = parsedJson(rest ?? '');
  }
}
