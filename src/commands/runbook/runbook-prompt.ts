import { printable } from '../../base/text.ts';
import type { AskedValue } from '../../model/playbook.ts';
import { hanging } from '../../report/diagnosis/cause-lines.ts';
import { clusterLine } from '../../report/format/cluster-text.ts';
import { paint } from '../../report/format/text-style.ts';
import type { Confirmation, Confirmed, ManualAnswer, ManualTask, Prompt } from '../../runbook/ports.ts';
import type { CommandContext } from '../context.ts';
import type { Typing } from '../typed-lines.ts';

/** Asks the person at the terminal. Without a clear yes the answer is no. */
export function askingPrompt(typing: Typing, { write, look }: CommandContext, who: string): Prompt {
  // A text with lines of its own must not look like something that podcheck says.
  const lines = (texts: readonly string[]): void =>
    write(
      texts
        .flatMap((text) => printable(text).split('\n'))
        .map((text) => `  ${text}\n`)
        .join(''),
    );
  return {
    who,
    confirm: async ({ question, lines: shown, typed }: Confirmation): Promise<Confirmed> => {
      lines(shown);
      const answer = await typing.line(
        typed === undefined
          ? `${paint(look, 'bold', clusterLine(question))} [y/N, s to stop] `
          : `${paint(look, 'bold', clusterLine(question))} Type ${clusterLine(typed)} to confirm, s to stop: `,
      );
      if (answer === undefined || /^s(top)?$/i.test(answer.trim())) return 'stop';
      if (typed !== undefined) return answer.trim() === typed ? 'yes' : 'no';
      return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
    },
    value: async (question: string, asked: AskedValue) => {
      const hint = [
        asked.oneOf === undefined ? (asked.type === 'flag' ? 'yes or no' : asked.type) : `one of ${asked.oneOf.join(', ')}`,
        asked.default === undefined ? undefined : `Enter for ${asked.default}`,
      ]
        .filter((word) => word !== undefined)
        .join('; ');
      const words = `${paint(look, 'bold', clusterLine(question))} (${clusterLine(hint)}) `;
      const answer = (await (asked.secret ? typing.hidden(words) : typing.line(words)))?.trim();
      return answer === undefined || answer === '' ? asked.default : answer;
    },
    manual: async ({ say, commands }: ManualTask): Promise<ManualAnswer> => {
      write(
        `${hanging('  ', clusterLine(say), look)
          .map((line) => paint(look, 'bold', line))
          .join('\n')}\n`,
      );
      for (const line of commands.flatMap((command) => printable(command).split('\n'))) write(`  ${paint(look, 'green', line)}\n`);
      const answer = await typing.line('Done? [y/N, s to stop; text after the answer is saved as a note] ');
      if (answer === undefined) return { word: 'stop' };
      const [word = ''] = answer.trim().split(/\s/, 1);
      const note = answer.trim().slice(word.length).trim();
      const noted = note === '' ? {} : { note };
      if (/^s(top)?$/i.test(word)) return { word: 'stop', ...noted };
      return { word: /^(y(es)?|done)$/i.test(word) ? 'done' : 'not-done', ...noted };
    },
    paste: (node, command) => pasted(typing, { node, command, write, lines }),
  };
}

function pasted(
  typing: Typing,
  {
    node,
    command,
    write,
    lines,
  }: {
    readonly node: string;
    readonly command: string;
    readonly write: (text: string) => void;
    readonly lines: (texts: readonly string[]) => void;
  },
): Promise<string | undefined> {
  write(`  Run this on node ${clusterLine(node)}:\n`);
  lines([command]);
  write('  Paste its output; end with a line that contains only a dot.\n  If you cannot run it, enter only the dot.\n');
  return typing.block();
}

/** Nobody is there: what is asked gets its default, nothing is confirmed. */
export function absentPrompt(): Prompt {
  return { ...NOBODY, who: 'nobody' };
}

/** Stands in for the person in a simulated clone, where nothing can be lost: says yes to every change, does nothing by hand. */
export function simulatedPrompt(): Prompt {
  return { ...NOBODY, who: 'the simulation', confirm: () => Promise.resolve('yes') };
}

const NOBODY: Omit<Prompt, 'who'> = {
  confirm: () => Promise.resolve('nobody'),
  value: (_question, asked) => Promise.resolve(asked.default),
  manual: () => Promise.resolve({ word: 'nobody' }),
  paste: () => Promise.resolve(undefined),
};
