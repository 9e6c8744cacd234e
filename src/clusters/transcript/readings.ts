import type { Note } from '../note.ts';
import type { Gathering } from './gathering.ts';
import type { Segment } from './segments.ts';

const SNIPPET = 80;

/** How each line of a transcript was read, in their order; blank lines are left out. */
export function readingsOf(segments: readonly Segment[], gathering: Gathering): readonly Note[] {
  const told = new Map(gathering.readings.map(({ line, as }) => [line, as] as const));
  const noted = new Map(gathering.notes.map(({ line, text }) => [line, text] as const));
  return segments.flatMap(({ command, line, output }) => [
    ...(command === undefined ? [] : [noteOf(line, 'command', command.text)]),
    ...output.flatMap(({ number, text }) => {
      if (text.trim() === '') return [];
      const unread = noted.get(number) === undefined ? undefined : 'not read';
      const byCommand =
        command === undefined
          ? 'not read'
          : `output of ${command.tool === 'other' ? 'another program' : `${command.tool} ${command.verb}`.trim()}`;
      return [noteOf(number, told.get(number) ?? unread ?? byCommand, text)];
    }),
  ]);
}

function noteOf(line: number, as: string, text: string): Note {
  const shown = text.trim();
  return { line, text: `${as}: ${shown.length > SNIPPET ? `${shown.slice(0, SNIPPET)}…` : shown}` };
}
