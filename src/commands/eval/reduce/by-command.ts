import { commandParts } from './command-parts.ts';
import type { CommandPart } from './command-parts.ts';
import type { CaseTexts } from './case-texts.ts';

/** What commands that only list objects printed. */
export function listingOnly({ text }: CaseTexts): string | undefined {
  return joined(commandParts(text).filter(({ shows }) => shows === 'listing'));
}

/** The first description that tells of a warning: what people paste when something does not start. */
export function oneDescribe({ text }: CaseTexts): string | undefined {
  const part = commandParts(text).find(({ shows, lines }) => shows === 'describe' && lines.some((line) => /^\s+Warning\s/.test(line)));
  return part === undefined ? undefined : joined([part]);
}

/** A table of events, or the events of descriptions. */
export function eventsOnly({ text, events }: CaseTexts): string | undefined {
  const parts = commandParts(text);
  const tables = joined(parts.filter(({ shows }) => shows === 'events'));
  if (tables !== undefined || events !== undefined) return tables ?? events;
  const lines = parts.filter(({ shows }) => shows === 'describe').flatMap((part) => kept(part.lines, true));
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

export function logsOnly({ text }: CaseTexts): string | undefined {
  return joined(commandParts(text).filter(({ shows }) => shows === 'logs'));
}

/** Manifests, or objects in YAML, and a table of events. */
export function yamlAndEvents(texts: CaseTexts): string | undefined {
  const parts = commandParts(texts.text);
  const yaml = texts.yaml ?? joined(parts.filter(({ shows }) => shows === 'yaml'));
  const events = joined(parts.filter(({ shows }) => shows === 'events')) ?? texts.events;
  return yaml === undefined || events === undefined ? undefined : `${yaml}\n${events}`;
}

/** All descriptions, each without the events at its end: they expire after an hour. */
export function withoutEvents({ text }: CaseTexts): string | undefined {
  const parts = commandParts(text).filter(({ shows }) => shows === 'describe');
  return joined(parts.map((part) => ({ ...part, lines: kept(part.lines, false) })));
}

function kept(lines: readonly string[], ofEvents: boolean): readonly string[] {
  const marks = eventLines(lines);
  return lines.filter((_, index) => marks[index] === ofEvents);
}

/** Which lines are of events: the last section of a description, which goes on until the first line of the next object. */
function eventLines(lines: readonly string[]): readonly boolean[] {
  let within = false;
  return lines.map((line) => {
    if (line.startsWith('Events:')) within = true;
    else if (line.startsWith('Name:')) within = false;
    return within;
  });
}

function joined(parts: readonly CommandPart[]): string | undefined {
  return parts.length === 0 ? undefined : `${parts.flatMap(({ lines }) => lines).join('\n')}\n`;
}
