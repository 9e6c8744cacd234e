import { didYouMean } from '../base/text.ts';
import { parseTemplate } from '../base/wording/template.ts';
import { OPENING_PLACES } from '../model/frames.ts';
import { PHRASE_NAMES, PHRASES } from '../model/phrases.ts';
import type { Frames, Opening, PhraseWording, Wording } from '../model/rule.ts';
import { parseWording, WORDING_FIELDS } from './parse-wording.ts';
import { variablesOf } from './rule-wordings.ts';
import type { YamlCursor } from './yaml-cursor.ts';

/** A list of wordings around those of rules, phrases (`{ phrase: … }`) and openings (`{ opens: … }`). */
export function parseFrames(cursor: YamlCursor | undefined): Frames {
  const frames = { around: [] as Wording[], phrases: [] as PhraseWording[], openings: [] as Opening[] };
  for (const item of cursor?.items() ?? []) {
    const has = item.entries();
    if (has.has('opens')) frames.openings.push(parseOpening(item));
    else if (has.has('phrase')) {
      const phrase = parsePhrase(item);
      if (phrase !== undefined) frames.phrases.push(phrase);
    } else frames.around.push(parseWording(item, WORDING_FIELDS));
  }
  return frames;
}

/** A phrase has a name for each thing that a collector asks it for, and nothing else. */
function parsePhrase(cursor: YamlCursor): PhraseWording | undefined {
  const wording = parseWording(cursor, [...WORDING_FIELDS, 'phrase']);
  const phrase = cursor.entries().get('phrase')?.oneOf(PHRASE_NAMES);
  if (phrase === undefined) return undefined;
  checkCaptures(cursor, wording.text, variablesOf(wording).keys(), PHRASES[phrase].captures, `the phrase ${phrase}`);
  return { ...wording, phrase };
}

function parseOpening(cursor: YamlCursor): Opening {
  const fields = cursor.fields(['opens', 'in', 'reason', 'begins', 'text', 'within'], ['in', 'text']);
  const textOf = (field: string): string => fields.get(field)?.exactText() ?? '';
  const opening: Opening = {
    place: fields.get('in')?.oneOf(OPENING_PLACES) ?? 'event',
    component: textOf('opens'),
    reason: textOf('reason'),
    begins: textOf('begins'),
    text: textOf('text'),
    ...(fields.get('within')?.scalar() === true ? { within: true } : {}),
  };
  const template = parseTemplate(opening.text);
  if ('problem' in template) fields.get('text')?.problem(template.problem);
  if (textOf('in') === 'event' && opening.reason === '') cursor.problem('an opening of an event needs its reason');
  return opening;
}

function checkCaptures(cursor: YamlCursor, text: string, named: Iterable<string>, captures: readonly string[], whose: string): void {
  if ('problem' in parseTemplate(text)) return;
  for (const name of named)
    if (!captures.includes(name))
      cursor
        .entries()
        .get('text')
        ?.problem(`${whose} has no capture ${JSON.stringify(name)}${didYouMean(name, captures, 'known')}`);
}
