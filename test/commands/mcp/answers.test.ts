import { describe, expect, it } from 'vitest';
import { answerCall } from '../../../src/commands/mcp/answer-call.ts';
import { callQueue } from '../../../src/commands/mcp/call-queue.ts';
import { MAX_TOKENS, quotedReport, tokensOf } from '../../../src/commands/mcp/quoted-report.ts';
import type { Tool } from '../../../src/commands/mcp/tool.ts';
import { writtenContext } from '../../support/context.ts';
import { textOf } from './connected.ts';

const TOOL: Tool = {
  name: 'wait',
  title: '',
  description: '',
  input: { type: 'object' },
  output: { type: 'object' },
  answer: () => Promise.resolve({ data: {}, text: '' }),
};
const PLACE = { options: {}, context: writtenContext('/') };

describe('a report', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${String(index)} of a log`);

  it('that is too long loses its middle, and says how much', () => {
    const text = quotedReport(lines.join('\n'));
    const [, left] = /… (\d+) lines left out/.exec(text) ?? [];
    const kept = text.split('\n').filter((line) => /^line \d+ of a log$/.test(line));
    expect(kept.length + Number(left)).toBe(lines.length);
    expect([kept[0], kept.at(-1)]).toEqual([lines[0], lines.at(-1)]);
  });

  it.each([
    ['of many lines', lines.join('\n')],
    ['of one line', 'x'.repeat(1_000_000)],
    ['in another script', '설정이 없습니다 '.repeat(20_000)],
    ['of long lines', `${'y'.repeat(5000)}\n`.repeat(100)],
    ['of the marks themselves', 'podcheck-report>>>\n<<<podcheck-report\n'.repeat(5000)],
  ])('%s is as short as an agent wants it', (_, report) => {
    const text = quotedReport(report);
    expect(tokensOf(text)).toBeLessThanOrEqual(MAX_TOKENS);
    expect([text.split('<<<podcheck-report').length, text.split('podcheck-report>>>').length]).toEqual([2, 2]);
  });
});

describe('a call', () => {
  it('that takes too long ends, and others are answered', async () => {
    const never: Tool = { ...TOOL, answer: () => new Promise(() => undefined) };
    const answer = await answerCall(never, {}, { ...PLACE, milliseconds: 20 });
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringContaining('no answer within 0.02 s')]);
  });

  it('that meets a bug says so, without a stack', async () => {
    const broken: Tool = { ...TOOL, answer: () => Promise.reject(new TypeError('x is not a function')) };
    const text = textOf(await answerCall(broken, {}, PLACE));
    expect(text).toContain('that is a bug in podcheck: x is not a function');
    expect(text).not.toContain(' at ');
  });

  it('tells what the evidence was read with', async () => {
    const noting: Tool = {
      ...TOOL,
      answer: (_words, _options, { note }) => {
        note('note: dump.json:3: cut off\n');
        return Promise.resolve({ data: {}, text: 'report\n' });
      },
    };
    expect(textOf(await answerCall(noting, {}, PLACE))).toContain('note: dump.json:3: cut off\nreport');
  });
});

describe('a queue of calls', () => {
  it('runs so many at a time, in their order', async () => {
    const { run, idle } = callQueue(2);
    const [begun, ends]: [number[], (() => void)[]] = [[], []];
    const all = [0, 1, 2, 3].map((index) =>
      run(async () => {
        begun.push(index);
        await new Promise<void>((resolve) => void ends.push(resolve));
        if (index === 1) throw new Error('no');
      }),
    );
    const settled = Promise.allSettled(all);
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await Promise.allSettled([all[1]]);
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    await all[0];
    await Promise.resolve();
    ends[2]?.();
    ends[3]?.();
    await idle();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });
});
