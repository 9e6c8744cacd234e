import * as zlib from 'node:zlib';

/** The CRC-32 of zip and gzip, of bytes that follow others with the checksum `before`. Source: ISO 3309, RFC 1952 section 8. */
export function crc32(bytes: Uint8Array, before = 0): number {
  return (native ?? computed)(bytes, before);
}

/** Node has had it from 20.15 and 22.2 on. */
const native = (zlib as { readonly crc32?: (bytes: Uint8Array, before: number) => number }).crc32;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The same where Node has none. */
export function computed(bytes: Uint8Array, before: number): number {
  let value = ~before;
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}
