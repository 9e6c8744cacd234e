import { asList, asNumber, asText, dig, isJsonObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { sha256Base64 } from '../base/sha256.ts';
import type { Given } from './play.ts';

/** What a link carries: enough to see the same again. */
export interface Shared {
  readonly scenario: string;
  readonly seed: number | string;
  readonly drill: boolean;
  /** Milliseconds after the start. */
  readonly at: number;
  readonly given: readonly Given[];
}

/** Characters of the part behind `#`. */
export const LONGEST_LINK = 2048;
const [MOST_TEXT, MOST_GIVEN, MOST_MILLISECONDS] = [65_536, 200, 30 * 86_400_000];

/** `#v1.VERSION.DATA.SUM`; undefined where it would be too long. */
export async function linkOf({ scenario, seed, drill, at, given }: Shared, version: string): Promise<string | undefined> {
  const rows = given.map((one) => [one.slices, one.at, one.line, ...(one.text === undefined ? [] : [one.text])]);
  const bytes = new TextEncoder().encode(JSON.stringify([scenario, seed, drill ? 1 : 0, at, rows]));
  const packed = await through(bytes, new CompressionStream('deflate-raw'), MOST_TEXT);
  if (packed === undefined) return undefined;
  const data = inLetters(packed);
  const link = `#v1.${encodeURIComponent(version)}.${data}.${sumOf(version + data)}`;
  return link.length <= LONGEST_LINK ? link : undefined;
}

/** What a link carries, or why nothing of it is run. */
export async function readLink(link: string, version: string): Promise<Shared | { readonly trouble: string }> {
  const parts = /^#v1\.([\w.%+-]{1,60})\.([\w-]{1,2000})\.([\w-]{8})$/.exec(link);
  if (parts === null || link.length > LONGEST_LINK)
    return { trouble: 'This link is not complete, or from another version. Nothing was run.' };
  const [, made = '', data = '', sum] = parts;
  if (made !== encodeURIComponent(version))
    return {
      trouble: `This link was made with podcheck ${made}; this is ${version}. What it shows may play out differently: nothing was run.`,
    };
  const bytes = sum === sumOf(version + data) ? fromLetters(data) : undefined;
  const text = bytes === undefined ? undefined : await through(bytes, new DecompressionStream('deflate-raw'), MOST_TEXT);
  const shared = text === undefined ? undefined : sharedIn(new TextDecoder().decode(text));
  return shared ?? { trouble: 'This link was changed after it was made. Nothing was run.' };
}

function sharedIn(text: string): Shared | undefined {
  try {
    const [scenario, seed, drill, at, rows, ...more] = asList(JSON.parse(text) as Json);
    const [id, milliseconds, given] = [asText(scenario), asNumber(at), asList(rows).map(givenIn)];
    const isSeed = typeof seed === 'string' || typeof seed === 'number';
    if (id === undefined || !isSeed || milliseconds === undefined || more.length > 0 || isJsonObject(seed)) return undefined;
    if (given.length > MOST_GIVEN || milliseconds < 0 || milliseconds > MOST_MILLISECONDS) return undefined;
    const whole = given.filter((one) => one !== undefined);
    return whole.length < given.length ? undefined : { scenario: id, seed, drill: drill === 1, at: milliseconds, given: whole };
  } catch {
    return undefined;
  }
}

function givenIn(row: Json): Given | undefined {
  const [slices, at, line, text] = [asNumber(dig(row, 0)), asNumber(dig(row, 1)), asText(dig(row, 2)), asText(dig(row, 3))];
  if (slices === undefined || at === undefined || line === undefined || at < 0 || at > MOST_MILLISECONDS) return undefined;
  return { slices, at, line, ...(text === undefined ? {} : { text }) };
}

/** Bytes through a stream; undefined where more come out than the bound, or what goes in is broken. */
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array | undefined> {
  try {
    const writer = (stream.writable as WritableStream<Uint8Array>).getWriter();
    const written = writer.write(bytes).then(() => writer.close());
    written.catch(() => undefined);
    const reader = (stream.readable as ReadableStream<Uint8Array>).getReader();
    const all: number[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (all.length + value.length > most) return undefined;
      for (const byte of value) all.push(byte);
    }
    return Uint8Array.from(all);
  } catch {
    return undefined;
  }
}

function inLetters(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromLetters(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function sumOf(text: string): string {
  return sha256Base64(new TextEncoder().encode(text)).slice(0, 8).replaceAll('+', '-').replaceAll('/', '_');
}
