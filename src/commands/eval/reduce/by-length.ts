import type { CaseTexts } from './case-texts.ts';

/** The beginning of the text, cut off wherever that is. */
export function beginning(share: number): (texts: CaseTexts) => string | undefined {
  return ({ text }) => (text === '' ? undefined : text.slice(0, Math.floor(text.length * share)));
}

/** The end of the text, as a terminal keeps it. */
export function withoutBeginning(share: number): (texts: CaseTexts) => string | undefined {
  return ({ text }) => (text === '' ? undefined : text.slice(Math.floor(text.length * share)));
}
