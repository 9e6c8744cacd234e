/** As much of DER as certificate requests need. Source: X.690; RFC 2986 and RFC 5280 for what is built of it. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** With tag and length. */
  readonly whole: Uint8Array;
}

/** The values that follow one another in the bytes; undefined when they are no DER. */
export function readDer(bytes: Uint8Array): readonly DerValue[] | undefined {
  const values: DerValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [tag, first] = [bytes[at], bytes[at + 1]];
    if (tag === undefined || first === undefined) return undefined;
    let length = first;
    let start = at + 2;
    if (first >= 0x80) {
      const count = first & 0x7f;
      if (count === 0 || count > 4) return undefined;
      length = 0;
      for (let index = 0; index < count; index++) length = length * 256 + (bytes[start + index] ?? 0);
      start += count;
    }
    if (start + length > bytes.length) return undefined;
    values.push({ tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return values;
}

export function writeDer(tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const header = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  const bytes = new Uint8Array(header.length + length);
  bytes.set(header, 0);
  let at = header.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export const TAG = { boolean: 0x01, integer: 0x02, bitString: 0x03, octetString: 0x04, null: 0x05, oid: 0x06, utf8: 0x0c, printable: 0x13, utcTime: 0x17, generalizedTime: 0x18, sequence: 0x30, set: 0x31 } as const;

export function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Whether the value is the object identifier that is encoded so. */
export function isOid(value: DerValue | undefined, bytes: readonly number[]): boolean {
  return value !== undefined && value.tag === TAG.oid && value.content.length === bytes.length && bytes.every((byte, index) => value.content[index] === byte);
}
