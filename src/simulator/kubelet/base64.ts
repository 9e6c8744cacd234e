/** Text of standard base64, as UTF-8; what is not base64 is left out. */
export function decodeBase64(text: string): string {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const char of text) {
    const value = ALPHABET.indexOf(char);
    if (value < 0) continue;
    bits = (bits << 6) | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 255);
    bits &= (1 << count) - 1;
  }
  return decodeUtf8(bytes);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function decodeUtf8(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] ?? 0;
    const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    let point = more === 0 ? first : first & (0x3f >> more);
    for (let index = 0; index < more; index++) point = (point << 6) | ((bytes[++at] ?? 0) & 0x3f);
    text += String.fromCodePoint(point > 0x10ffff ? 0xfffd : point);
  }
  return text;
}
