import { assert } from '../base/assert.ts';
import { foldCase, Matcher } from '../base/wording/matcher.ts';
import type { Captured } from '../base/wording/read-template.ts';
import { readTemplate } from '../base/wording/read-template.ts';
import type { Template } from '../base/wording/template.ts';
import { parseTemplate } from '../base/wording/template.ts';
import type { Place } from '../model/place.ts';
import type { Rule, Wording } from '../model/rule.ts';

/** A text with what is known of how it was said. */
export interface Words {
  readonly place: Place;
  readonly reason: string | undefined;
  readonly text: string;
}

/** What a text says. */
export interface Heard {
  readonly rule: Rule;
  readonly wording: Wording;
  /** What the wording captured. */
  readonly captured: Captured;
  /** What the frames around it captured. */
  readonly around: Captured;
}

/** The wordings of all rules, ready to be held against texts. */
export interface Ear {
  hears(words: Words): Heard | undefined;
}

const EARS = new WeakMap<readonly Rule[], Ear>();

/**
 * The ear for these rules: compiling a thousand wordings takes some milliseconds and is done once for each list of rules, which is less
 * than it would take to read what was compiled at build.
 */
export function earFor(rules: readonly Rule[]): Ear {
  let ear = EARS.get(rules);
  if (ear === undefined) {
    ear = makeEar(rules);
    EARS.set(rules, ear);
  }
  return ear;
}

/** A wording made ready, with the rule it belongs to. */
interface Ready {
  readonly rule: Rule;
  readonly wording: Wording;
  readonly template: Template;
  readonly anyCase: boolean;
}

/** Literal characters from which a wording says enough without its place. */
const ENOUGH_ALONE = 16;

function makeEar(rules: readonly Rule[]): Ear {
  const ready = rules.flatMap((rule) => rule.says.filter(({ text }) => text !== '').map((wording): Ready => ({ rule, wording, template: templateOf(wording), anyCase: wording.anyCase })));
  const matcher = new Matcher(ready);
  const byReason = new Map(rules.flatMap((rule) => rule.says.filter(({ text }) => text === '').flatMap((wording) => wording.reason.map((reason) => [reason, { rule, wording }] as const))));
  return {
    hears(words) {
      const found = matcher.best(words.text, ({ wording, template }) => isSaidThere(wording, template.literal, words));
      if (found !== undefined) return { rule: found.wording.rule, wording: found.wording.wording, captured: found.captured, around: framesAround(found.wording.rule, words) };
      const alone = words.reason === undefined ? undefined : byReason.get(words.reason);
      return alone === undefined || !isSaidIn(alone.wording, words.place) ? undefined : { ...alone, captured: {}, around: framesAround(alone.rule, words) };
    },
  };
}

/** Where words have a reason it must be right. A text without a place may have any wording whose words alone say enough. */
function isSaidThere(wording: Wording, literal: number, { place, reason }: Words): boolean {
  if (wording.reason.length > 0 && reason !== undefined && !wording.reason.includes(reason)) return false;
  return isSaidIn(wording, place) || (place === 'text' && literal >= ENOUGH_ALONE);
}

function isSaidIn({ in: places }: Wording, place: Place): boolean {
  return places.length === 0 || places.includes(place);
}

/** What all frames of the rule's stage capture in the text; of two that capture a variable, the first. */
function framesAround({ frames }: Rule, words: Words): Captured {
  const captured: Record<string, string | number> = {};
  let folded: string | undefined;
  for (const frame of frames.toReversed()) {
    const template = templateOf(frame);
    if (!isSaidThere(frame, template.literal, words)) continue;
    const found = readTemplate(template, words.text, frame.anyCase ? (folded ??= foldCase(words.text)) : words.text);
    Object.assign(captured, found);
  }
  return captured;
}

const TEMPLATES = new WeakMap<Wording, Template>();

function templateOf(wording: Wording): Template {
  let template = TEMPLATES.get(wording);
  if (template === undefined) {
    const parsed = parseTemplate(wording.anyCase ? foldTemplate(wording.text) : wording.text);
    assert(!('problem' in parsed), 'the catalog has made sure that wordings can be read');
    template = parsed;
    TEMPLATES.set(wording, template);
  }
  return template;
}

/** Lower case of all but the captures. */
function foldTemplate(text: string): string {
  return text.split(/(\{\{[^{}]*\}\})/).map((part, index) => (index % 2 === 0 ? foldCase(part) : part)).join('');
}
