import { parseInteger } from '../base/number.ts';
import type { Look } from '../report/format/text-style.ts';
import type { Streams } from './streams.ts';

const DEFAULT_WIDTH = 80;
const MAX_WIDTH = 120;
const MIN_WIDTH = 40;

/**
 * How to write for whatever stdout is: decided once. A flag wins over NO_COLOR, which wins over FORCE_COLOR, which wins over the terminal.
 */
export function lookOf({ stdout, env }: Pick<Streams, 'stdout' | 'env'>, colorFlag: boolean | undefined): Look {
  return { width: widthOf(stdout, env), color: colorOf(stdout, env, colorFlag), unicode: unicodeOf(env) };
}

function widthOf({ isTTY, columns }: Streams['stdout'], env: Streams['env']): number {
  const given = parseInteger(env['COLUMNS']) ?? 0;
  const known = isTTY === true && columns !== undefined && columns > 0 ? columns : given > 0 ? given : DEFAULT_WIDTH;
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, known));
}

/** https://no-color.org and https://force-color.org: set and not empty. */
function colorOf({ isTTY }: Streams['stdout'], env: Streams['env'], flag: boolean | undefined): boolean {
  if (flag === false) return false;
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return isTTY === true && env['TERM'] !== 'dumb';
}

/** The locale's character set as POSIX finds it; without any locale set, marks are shown: pipes and CI logs are UTF-8 today. */
function unicodeOf(env: Streams['env']): boolean {
  if (env['TERM'] === 'linux') return false;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '');
  return locale === undefined || /utf-?8/i.test(locale);
}
