/**
 * Characters that can move a cursor, recolour, reorder or hide text, or that look like nothing: controls, format characters, halves
 * of a pair, separators, what Unicode lets a reader ignore, and blanks but the plain one and the wide one of Chinese and Japanese.
 * Source: Unicode's DerivedCoreProperties, Default_Ignorable_Code_Point.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?![ \u3000])\p{Zs}/gu;

/** The text with each of those characters written out; newlines and tabs stay. */
export function withoutInvisible(text: string, write: (character: string) => string): string {
  return text.replace(INVISIBLE, (character) => (character === '\n' || character === '\t' ? character : write(character)));
}
