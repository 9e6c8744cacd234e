import { instantOf } from '../instant.ts';
import { bigintOf, parseInteger } from '../number.ts';

/**
 * Reads DER (X.690), bounded by the bytes it is given: values are views of them, nothing is copied, and nothing recurses. Lengths
 * that BER allows and DER does not (indefinite, more than four octets) make the bytes unreadable.
 */
export interface DerValue {
  /** Class, form and number as they stand in the first octet; tags of several octets are not read. */
  readonly tag: number;
  readonly content: Uint8Array;
  /** With tag and length. */
  readonly whole: Uint8Array;
}

export const DER = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  teletex: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  universal: 0x1c,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The value at the beginning of the bytes; undefined when there is none or it is cut off. */
export function derValue(bytes: Uint8Array, at = 0): DerValue | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  if (first < 0x80) return valueOf(bytes, at, at + 2, first);
  const count = first & 0x7f;
  if (count === 0 || count > 4) return undefined;
  let length = 0;
  for (let index = 0; index < count; index++) {
    const octet = bytes[at + 2 + index];
    if (octet === undefined) return undefined;
    length = length * 256 + octet;
  }
  return valueOf(bytes, at, at + 2 + count, length);
}

function valueOf(bytes: Uint8Array, at: number, start: number, length: number): DerValue | undefined {
  const end = start + length;
  if (end > bytes.length) return undefined;
  return { tag: bytes[at] ?? 0, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
}

/** More members than this hold nothing that a certificate has: a name of a hundred thousand parts is made to harm. */
const MAX_MEMBERS = 20_000;

/** The values that follow one another in the bytes; undefined when they are no DER, or too many. */
export function derValues(bytes: Uint8Array): readonly DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const value = derValue(bytes, at);
    if (value === undefined || values.length >= MAX_MEMBERS) return undefined;
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

/** The members of a value; none for undefined, or for what is not made of values. */
export function derMembers(value: DerValue | undefined): readonly DerValue[] {
  return value === undefined ? [] : (derValues(value.content) ?? []);
}

/** An object identifier in dotted form; undefined for any other value. Arcs beyond 2^53 are written as `?`. */
export function derOid(value: DerValue | undefined): string | undefined {
  if (value === undefined || value.tag !== DER.oid || value.content.length === 0 || value.content.length > 64) return undefined;
  const arcs: string[] = [];
  let arc = 0;
  for (const octet of value.content) {
    arc = arc * 128 + (octet & 0x7f);
    if ((octet & 0x80) !== 0) continue;
    if (arcs.length === 0) {
      const top = Math.min(2, Math.floor(arc / 40));
      arcs.push(String(top), String(arc - top * 40));
    } else {
      arcs.push(Number.isSafeInteger(arc) ? String(arc) : '?');
    }
    arc = 0;
  }
  return arcs.join('.');
}

/** Text of any of the string types; bytes that are not what the type says become U+FFFD. Undefined for a value that is no text. */
export function derText(value: DerValue | undefined): string | undefined {
  switch (value?.tag) {
    case DER.utf8:
      return new TextDecoder().decode(value.content);
    case DER.printable:
    case DER.ia5:
    case DER.teletex:
    case 0x12:
    case 0x1a:
      return latin1(value.content);
    case DER.bmp:
      return wide(value.content, 2);
    case DER.universal:
      return wide(value.content, 4);
    default:
      return undefined;
  }
}

/** Each byte as the character of that number, as Latin-1 has it. */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}

function wide(bytes: Uint8Array, width: 2 | 4): string {
  let text = '';
  for (let at = 0; at + width <= bytes.length; at += width) {
    let point = 0;
    for (let index = 0; index < width; index++) point = point * 256 + (bytes[at + index] ?? 0);
    text += point > 0x10ffff ? '\uFFFD' : String.fromCodePoint(point);
  }
  return text;
}

/**
 * Milliseconds since 1970 of a UTCTime or a GeneralizedTime as RFC 5280 has them (`Z`, with or without seconds); undefined for all else.
 */
export function derTime(value: DerValue | undefined): number | undefined {
  if (value === undefined || value.content.length > 32) return undefined;
  const text = latin1(value.content);
  const found = value.tag === DER.utcTime ? UTC_TIME.exec(text) : value.tag === DER.generalizedTime ? GENERALIZED_TIME.exec(text) : null;
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map((part) => parseInteger(part) ?? 0);
  // Source: RFC 5280, 4.1.2.5.1: two digits below 50 are of this century.
  const full = value.tag === DER.utcTime ? year + (year < 50 ? 2000 : 1900) : year;
  return instantOf({ year: full, month, day, hour, minute, second });
}

const UTC_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/;
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d{1,9})?Z$/;

/** An integer in hexadecimal, negative ones with a minus, as OpenSSL prints serial numbers. */
export function derHexInteger(value: DerValue | undefined): string | undefined {
  if (value === undefined || value.tag !== DER.integer || value.content.length === 0 || value.content.length > 64) return undefined;
  const negative = ((value.content[0] ?? 0) & 0x80) !== 0;
  let amount = 0n;
  for (const octet of value.content) amount = amount * 256n + bigintOf(octet);
  if (negative) amount -= 1n << bigintOf(value.content.length * 8);
  const hex = (negative ? -amount : amount).toString(16).toUpperCase();
  return `${negative ? '-' : ''}${hex.length % 2 === 0 ? hex : `0${hex}`}`;
}
