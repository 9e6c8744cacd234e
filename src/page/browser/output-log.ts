import { made } from './element.ts';

const CLASSES: Readonly<Record<string, string>> = { 1: 'bold', 2: 'muted', 31: 'blocked', 32: 'passed', 33: 'waiting', 36: 'unknown' };
const OFF: Readonly<Record<string, readonly string[]>> = {
  22: ['bold', 'muted'],
  39: ['blocked', 'passed', 'waiting', 'unknown'],
  0: Object.values(CLASSES),
};
const [MOST_ENTRIES, MOST_CHARACTERS] = [300, 200_000];

/** Adds what was typed and what was printed; the oldest entries go. SGR colours become classes, all else stays text. */
export function print(log: HTMLElement, text: string, className = ''): void {
  const entry = made('pre', '', className);
  const shown =
    text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n… ${String(text.length - MOST_CHARACTERS)} more characters` : text;
  const on = new Set<string>();
  for (const piece of shown.split(/(\u001B\[\d+m)/)) {
    const code = /^\u001B\[(\d+)m$/.exec(piece)?.[1];
    if (code === undefined) entry.append(on.size === 0 ? piece : made('span', piece, [...on].join(' ')));
    else if (CLASSES[code] !== undefined) on.add(CLASSES[code]);
    else for (const name of OFF[code] ?? []) on.delete(name);
  }
  log.append(entry);
  while (log.childElementCount > MOST_ENTRIES) log.firstElementChild?.remove();
  log.scrollTop = log.scrollHeight;
}
