import { assert } from '../base/assert.ts';
import { foldCase } from '../base/wording/matcher.ts';
import type { Captured } from '../base/wording/read-template.ts';
import { readTemplate } from '../base/wording/read-template.ts';
import type { Template } from '../base/wording/template.ts';
import { parseTemplate } from '../base/wording/template.ts';
import { onceEach } from '../base/once.ts';
import type { Place } from './place.ts';
import type { Rule, Wording } from './rule.ts';

/** A text with what is known of how it was said. */
export interface Words {
  readonly place: Place;
  readonly reason: string | undefined;
  readonly text: string;
}

/** Literal characters from which a wording says enough without its place. */
const ENOUGH_ALONE = 16;

/**
 * Whether a wording with so many literal characters may be said there. Where words have a reason it must be right. A text without a
 * place may have any wording whose words alone say enough.
 */
export function maySay(wording: Wording, literal: number, { place, reason }: Pick<Words, 'place' | 'reason'>): boolean {
  if (wording.reason.length > 0 && reason !== undefined && !wording.reason.includes(reason)) return false;
  return isSaidIn(wording, place) || (place === 'text' && saysEnough(literal));
}

/** Whether so many literal characters say enough without their place. */
export function saysEnough(literal: number): boolean {
  return literal >= ENOUGH_ALONE;
}

export function isSaidIn({ in: places }: Wording, place: Place): boolean {
  return places.length === 0 || places.includes(place);
}

/** The template of a wording that has a text; in lower case where case does not count. */
export const templateOf = onceEach((wording: Wording): Template => {
  const parsed = parseTemplate(wording.anyCase ? foldTemplate(wording.text) : wording.text);
  assert(!('problem' in parsed), 'the catalog has made sure that wordings can be read');
  return parsed;
});

/** Lower case of all but the captures. */
function foldTemplate(text: string): string {
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .map((part, index) => (index % 2 === 0 ? foldCase(part) : part))
    .join('');
}

/** A wording with a text, made ready to be looked for. */
export interface ReadyWording {
  readonly wording: Wording;
  readonly template: Template;
  readonly anyCase: boolean;
  readonly general: boolean;
}

export function readyWording(wording: Wording): ReadyWording {
  return { wording, template: templateOf(wording), anyCase: wording.anyCase, general: wording.general };
}

/** What all frames of a rule capture in a text, of those around such wordings; of two that capture a variable, the first. */
export function framesAround({ frames }: Pick<Rule, 'frames'>, fact: Wording['fact'], words: Words): Captured {
  const captured: Record<string, string | number> = {};
  let folded: string | undefined;
  for (const frame of frames.around.toReversed()) {
    const template = templateOf(frame);
    if (frame.fact !== fact || !maySay(frame, template.literal, words)) continue;
    const found = readTemplate(template, words.text, frame.anyCase ? (folded ??= foldCase(words.text)) : words.text);
    Object.assign(captured, found);
  }
  return captured;
}

/** Every wording of a rule, whoever reads it. */
export function wordingsOf({ says, tells }: Pick<Rule, 'says' | 'tells'>): readonly Wording[] {
  return [...says, ...tells];
}
