import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AttackResult } from './attack-case.ts';
import { CANARY } from './attack-case.ts';

const CODES: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 130]);
/** Longer than anything takes on a machine that is busy with other things. */
const MAX_MILLISECONDS = 30_000;
export const MAX_MEGABYTES = 1500;
/** Characters of all outputs together: nobody reads more. */
const MAX_OUTPUT = 8 * 1024 * 1024;
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Words after which something else than data is printed. */
const NO_DATA: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-V', 'completion', '__complete', 'help']);
const STACK = /^\s+at .{1,200}(?::\d+:\d+\)?|\(native\)|<anonymous>\)?)$/m;

/** What of the promises the result breaks, in words; empty when all hold. */
export function broken(
  argv: readonly string[],
  secrets: readonly string[],
  { code, out, err, milliseconds, megabytes }: AttackResult,
  folder: string,
): readonly string[] {
  const said = `${out}\n${err}`;
  const hidden = HIDDEN.exec(said);
  const checks: readonly (readonly [boolean, string])[] = [
    [!CODES.has(code), `exit code ${String(code)}: ${lastLines(err)}`],
    [code !== 70 && STACK.test(said), `a stack: ${lastLines(said)}`],
    [
      hidden !== null,
      `U+${hidden?.[0].codePointAt(0)?.toString(16) ?? ''} in the output: ${JSON.stringify(around(said, hidden?.index ?? 0))}`,
    ],
    [milliseconds > MAX_MILLISECONDS, `${String(Math.round(milliseconds / 1000))} s`],
    [megabytes > MAX_MEGABYTES, `${String(megabytes)} MB`],
    [said.length > MAX_OUTPUT, `${String(said.length)} characters of output`],
    [existsSync(join(folder, CANARY)), 'a program was run that nobody asked for'],
    [said.includes('[object Object]'), `an object as text: ${around(said, said.indexOf('[object Object]'))}`],
    [argv.includes('json') && !argv.some((word) => NO_DATA.has(word)) && code < 2 && !isJson(out), `not JSON: ${out.slice(0, 200)}`],
    ...secrets.map(
      (secret) => [said.includes(secret), `the secret ${secret} in the output: ${around(said, said.indexOf(secret))}`] as const,
    ),
  ];
  return checks.flatMap(([isBroken, words]) => (isBroken ? [words] : []));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - 80), at + 80);
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(0, 12).join('\n      ').slice(0, 1500);
}
