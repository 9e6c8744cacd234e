/**
 * The bytes of base64 or base64url text. White space is passed over, `=` ends it; undefined when anything else stands in it or a
 * piece of a character is left, so that a cut-off text is not taken for a whole one.
 */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) + 3);
  let [length, bits, count, at] = [0, 0, 0, 0];
  for (; at < text.length; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? WRONG;
    if (value === SPACE) continue;
    if (value === WRONG) break;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[length++] = (bits >> count) & 255;
  }
  if (count === 6 || !/^[=\s]*$/.test(text.slice(at, at + 64))) return undefined;
  return bytes.subarray(0, length);
}

export function base64OfBytes(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = [bytes[index], bytes[index + 1], bytes[index + 2]];
    const word = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += ALPHABET.charAt(word >> 18) + ALPHABET.charAt((word >> 12) & 63);
    text += (b === undefined ? '=' : ALPHABET.charAt((word >> 6) & 63)) + (c === undefined ? '=' : ALPHABET.charAt(word & 63));
  }
  return text;
}

/** Base64 of a text's UTF-8 bytes, with padding. */
export function encodeBase64(text: string): string {
  return base64OfBytes(new TextEncoder().encode(text));
}

/** The text of base64 in either alphabet, as UTF-8; what is no base64 is left out. */
export function decodeBase64(text: string): string {
  return new TextDecoder().decode(looseBytesOfBase64(text));
}

/** The bytes of base64 in either alphabet; what is no base64 is left out, and so is the piece of a byte. */
export function looseBytesOfBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) + 3);
  let [length, bits, count] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? WRONG;
    if (value >= SPACE) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[length++] = (bits >> count) & 255;
  }
  return bytes.subarray(0, length);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const [SPACE, WRONG] = [254, 255];
const VALUES = tableOfValues();

function tableOfValues(): Uint8Array {
  const values = new Uint8Array(128).fill(WRONG);
  for (let value = 0; value < 64; value++) values[ALPHABET.charCodeAt(value)] = value;
  [values[0x2d], values[0x5f]] = [62, 63];
  for (const space of ' \t\r\n\f\v') values[space.charCodeAt(0)] = SPACE;
  return values;
}
