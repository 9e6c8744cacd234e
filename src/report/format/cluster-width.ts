import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Columns of one grapheme cluster: emoji two, what does not print none, else what its first visible character takes. `string-width` says
 * the same, but its table of emoji takes a tenth of a second of each start; a test compares the two.
 */
export function clusterWidth(cluster: string): number {
  if (EMOJI.test(cluster)) return 2;
  let [width, vowelAwaited] = [0, false];
  for (const character of cluster) {
    if (INVISIBLE.test(character)) continue;
    const code = character.codePointAt(0) ?? 0;
    // A vowel or a final consonant of Hangul is drawn into the syllable that it ends.
    if (width > 0 && vowelAwaited && isHangulPart(code)) continue;
    if (width === 0 || vowelAwaited || isHangulLead(code) || ADDS.test(character)) width += eastAsianWidth(code);
    vowelAwaited = vowelAwaited || isHangulLead(code);
  }
  return width;
}

/** With the sign that asks for a picture, a keycap, a flag, a tag sequence, or two pictures that are joined. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}.?\u200D.*\p{Extended_Pictographic}|[\p{Extended_Pictographic}\d#*]\uFE0F?\u20E3|\p{Emoji}\uFE0F|\p{Regional_Indicator}{2}$|(?!\p{Regional_Indicator})\p{Emoji_Presentation})/su;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u;
/** Marks with a place of their own, and half and full width forms. */
const ADDS = /[\p{Spacing_Mark}\uFF00-\uFFEF]/u;

function isHangulLead(code: number): boolean {
  return (code >= 0x11_00 && code <= 0x11_5f) || (code >= 0xa9_60 && code <= 0xa9_7c);
}

function isHangulPart(code: number): boolean {
  return (code >= 0x11_60 && code <= 0x11_ff) || (code >= 0xd7_b0 && code <= 0xd7_fb);
}
