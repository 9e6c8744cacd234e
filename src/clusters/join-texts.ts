import type { Note } from './note.ts';
import type { TranscriptText } from './snapshot/read-files.ts';

/** Several texts as one, so that what one of them shows (a pod's namespace, its labels) helps to read the others. */
export interface JoinedTexts {
  readonly text: string;
  /** A note about a line of the whole as one about a line of its file. */
  readonly placed: (note: Note) => Note;
}

/** An empty line and a fence of Markdown end whatever command the text before ended with. */
const BETWEEN = '\n\n```\n';

/** Commands come first: outputs without any, and logs, are read with what these have shown. */
export function joinTexts(texts: readonly TranscriptText[]): JoinedTexts {
  const ordered = texts.toSorted((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  const starts: { readonly path: string; readonly line: number }[] = [];
  let line = 1;
  for (const { path, text } of ordered) {
    starts.push({ path, line });
    line += linesIn(text) + linesIn(BETWEEN);
  }
  return {
    text: ordered.map(({ text }) => text).join(BETWEEN),
    placed: (note) => {
      const start = starts.findLast((one) => one.line <= (note.line ?? 1));
      return start === undefined
        ? note
        : { ...note, file: start.path, ...(note.line === undefined ? {} : { line: note.line - start.line + 1 }) };
    },
  };
}

function rank({ path }: TranscriptText): number {
  if (/(?:^|\/)(?:transcript|commands)\.txt$/.test(path)) return 0;
  return /(?:^|\/)logs?\.txt$/.test(path) ? 2 : 1;
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
