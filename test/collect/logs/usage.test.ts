import { describe, expect, it } from 'vitest';
import { beforeUsage } from '../../../src/collect/logs/usage.ts';

const WRONG = 'flag provided but not defined: -till-name';
const USAGE = ['Usage of /till:', '-alsologtostderr', 'log to standard error as well as files', '-v value', 'log level for V logs'];

describe('the list of options at the end of a log', () => {
  it('is left out, so that what was wrong is said last', () => {
    expect(beforeUsage(['starting', WRONG, ...USAGE])).toEqual(['starting', WRONG]);
    const cobra = ['Usage:', 'till serve [flags]', 'Flags:', '-h, --help   help for serve', '--port int   port (default 80)'];
    expect(beforeUsage(['Error: unknown flag: --prot', ...cobra])).toEqual(['Error: unknown flag: --prot']);
    expect(beforeUsage([WRONG, 'usage: till [-h]', 'Commands:', 'serve   serves the shop'])).toEqual([WRONG]);
  });

  it('stays where there is nothing before it', () => {
    expect(beforeUsage(USAGE)).toEqual(USAGE);
    expect(beforeUsage([WRONG])).toEqual([WRONG]);
    expect(beforeUsage([])).toEqual([]);
  });

  it('stays where the program went on behind it', () => {
    for (const line of [
      '2026-01-15T11:58:02Z listening',
      'I0115 11:58:02.1 1 main.go:9] up',
      '{"level":"info"}',
      'level=info msg=up',
      '[main] up',
    ])
      expect(beforeUsage([WRONG, ...USAGE, line])).toHaveLength(USAGE.length + 2);
    const words = ['it works', 'like this', 'for ever', 'and ever'];
    expect(beforeUsage([WRONG, 'Usage:', '-v', ...words.slice(1)])).toEqual([WRONG]);
    expect(beforeUsage([WRONG, 'Usage:', '-v', ...words])).toHaveLength(7);
  });
});
