const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of a text's UTF-8 bytes, with padding. */
export function encodeBase64(text: string): string {
  return encodeBase64Bytes(new TextEncoder().encode(text));
}

export function encodeBase64Bytes(bytes: Uint8Array): string {
  let result = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = [bytes[index], bytes[index + 1], bytes[index + 2]];
    const word = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    result += ALPHABET.charAt(word >> 18) + ALPHABET.charAt((word >> 12) & 63);
    result += (b === undefined ? '=' : ALPHABET.charAt((word >> 6) & 63)) + (c === undefined ? '=' : ALPHABET.charAt(word & 63));
  }
  return result;
}

/** The text of base64 in either alphabet; what is no base64 is left out. */
export function decodeBase64(text: string): string {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const character of text.replaceAll('-', '+').replaceAll('_', '/')) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 255);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
