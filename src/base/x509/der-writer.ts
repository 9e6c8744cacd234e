import { parseInteger } from '../number.ts';
import { DER } from './der.ts';

type Bytes = Uint8Array | readonly number[];

/** A value of DER (X.690) with its tag and its length, of contents that follow one another. At most 16 MiB. */
export function writeDer(tag: number, ...parts: readonly Bytes[]): Uint8Array {
  return writeDerOf(tag, parts);
}

/** The same for parts that are a list. */
export function writeDerOf(tag: number, parts: readonly Bytes[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const header = [tag, ...lengthOctets(length)];
  const bytes = new Uint8Array(header.length + length);
  bytes.set(header, 0);
  let at = header.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function lengthOctets(length: number): readonly number[] {
  if (length < 0x80) return [length];
  if (length < 0x100) return [0x81, length];
  if (length < 0x10000) return [0x82, length >> 8, length & 0xff];
  return [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];
}

/** An object identifier from its dotted form: `2.5.4.3`. */
export function oidDer(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map((arc) => parseInteger(arc) ?? 0);
  return writeDer(DER.oid, [first * 40 + second, ...rest.flatMap(arcOctets)]);
}

function arcOctets(arc: number): readonly number[] {
  const octets = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) octets.unshift(0x80 | (left % 128));
  return octets;
}

export function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
