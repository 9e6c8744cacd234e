import { formatDuration } from '../../base/duration.ts';
import { printable } from '../../base/text.ts';
import { hanging } from '../../report/diagnosis/cause-lines.ts';
import { clusterLine } from '../../report/format/cluster-text.ts';
import type { Mark, Paint } from '../../report/format/text-style.ts';
import { mark, paint, shown } from '../../report/format/text-style.ts';
import type { ShownOutcome, View } from '../../runbook/ports.ts';
import type { CommandContext } from '../context.ts';

const MARKS: Readonly<Record<string, readonly [Mark, Paint]>> = {
  passed: ['passed', 'green'],
  done: ['passed', 'green'],
  failed: ['blocked', 'red'],
  unknown: ['unknown', 'yellow'],
  declined: ['not-reached', 'yellow'],
  skipped: ['not-reached', 'dim'],
  'not-evaluated': ['not-reached', 'dim'],
};

const SECOND = 1000;

/** Says every second how long it has taken. */
async function withElapsed<T>(title: string, say: (words: string) => void, work: (say: (words: string) => void) => Promise<T>): Promise<T> {
  let [seconds, words] = [0, ''];
  const timer = setInterval(() => {
    seconds += 1;
    say(`${title} ${formatDuration(seconds)}${words === '' ? '' : `: ${words}`}`);
  }, SECOND);
  try {
    return await work((now) => {
      words = now;
    });
  } finally {
    clearInterval(timer);
  }
}

/** Shows a run step by step: on a terminal what goes on is seen while it does, elsewhere each step is a line when it is done. */
export function runView({ look, progress }: CommandContext, write: (text: string) => void): View {
  return {
    during: (title, work) => {
      const doing = clusterLine(title).replace(/[.?!]$/, '');
      return progress(doing, (say) => withElapsed(doing, say, work));
    },
    ended: (outcome) => write(outcomeText(outcome) + linesText(outcome.lines)),
    lines: (lines) => write(linesText(lines)),
  };

  /** Not wrapped: a command is copied, and a list has columns. */
  function linesText(lines: readonly string[]): string {
    return lines
      .flatMap((line) => printable(line).split('\n'))
      .map((line) => `    ${paint(look, 'dim', line)}\n`)
      .join('');
  }

  function outcomeText({ step, title, result, words, milliseconds }: ShownOutcome): string {
    const [name, color] = MARKS[result] ?? ['unknown', 'yellow'];
    const elapsed = milliseconds < 1000 ? '' : ` ${formatDuration(milliseconds / 1000)}`;
    const sign = mark(look, name);
    const state = `(${step}: ${result.toUpperCase().replace('-', '_')}${elapsed})`;
    const head = hanging(`${sign} `, `${clusterLine(title)} ${state}`, look).map((line, index) =>
      index === 0 ? paint(look, color, sign) + line.slice(sign.length) : line,
    );
    return shown(look, [...head, ...(words === '' || words === title ? [] : hanging('    ', words, look))]);
  }
}
