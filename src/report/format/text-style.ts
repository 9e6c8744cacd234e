/** How a report may look, decided once by whoever knows the terminal. */
export interface Look {
  /** Columns. */
  readonly width: number;
  readonly color: boolean;
  /** Whether marks beyond ASCII can be shown. */
  readonly unicode: boolean;
}

export const PLAIN: Look = { width: 80, color: false, unicode: true };

export type Paint = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** SGR codes, on and off. */
const CODES: Readonly<Record<Paint, readonly [number, number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export function paint(look: Look, color: Paint, text: string): string {
  if (!look.color || text === '') return text;
  const [on, off] = CODES[color];
  return `\u001B[${on}m${text}\u001B[${off}m`;
}

/** Marks and lines: what is shown, and what stands in for it where only ASCII can be. */
const MARKS = {
  passed: ['✔', '+'],
  blocked: ['✖', 'x'],
  waiting: ['…', '~'],
  unknown: ['?', '?'],
  'not-reached': ['·', '.'],
  bar: ['│', '|'],
  dash: ['–', '-'],
  through: ['…', '..'],
} as const;

/** A whole report as the terminal can show it: what is not ASCII where only that can be is shown as `?`. */
export function shown(look: Look, lines: readonly string[]): string {
  const text = `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
  return look.unicode ? text : text.replaceAll('…', '...').replaceAll(/[^\n\u001B -~]/g, '?');
}

export type Mark = keyof typeof MARKS;

export function mark(look: Look, name: Mark): string {
  return MARKS[name][look.unicode ? 0 : 1];
}
