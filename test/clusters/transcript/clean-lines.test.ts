import { expect, it } from 'vitest';
import { cleanLines } from '../../../src/clusters/transcript/clean-lines.ts';

const PODS = [
  'NAME     READY   STATUS    RESTARTS   AGE',
  'till-0   0/1     Pending   0          5m',
  'till-1   1/1     Running   0          6m',
];
const STEPS = ['starting', 'connecting to db', 'no connection'];

function cleaned(lines: readonly string[]): readonly string[] {
  return [...cleanLines(`${lines.join('\n')}\n`)].map(({ text }) => text);
}

it.each([
  ['the name of the file, as grep does', (line: string) => `out/pods.txt:${line}`],
  ['file and line', (line: string, index: number) => `pods.log:${String(index + 7)}:${line}`],
  ['the number of the line', (line: string, index: number) => `${String(index + 1)}:${line}`],
  ['the mark of a diff', (line: string) => `+${line}`],
  ['the time, as runners do', (line: string, index: number) => `2026-11-20T10:00:0${String(index)}.123Z ${line}`],
  ['the time and the stream, as runners do', (line: string) => `2026-11-20T10:00:00.123456Z 01O ${line}`],
  ['the job and the step', (line: string) => `deploy\tShow pods\t2026-11-20T10:00:00.1234567Z ${line}`],
  ['the name of the step', (line: string) => `[deploy : show-pods] ${line}`],
  ['the hour', (line: string) => `10:00:00  ${line}`],
  ['the head of the journal', (line: string) => `Nov 20 10:00:00 build-1 deploy[812]: ${line}`],
  ['the marks of a quotation of a quotation', (line: string) => `>> ${line}`],
])('takes away %s from in front of each line', (_, before) => {
  expect(cleaned(PODS.map(before))).toEqual(PODS);
});

it.each([
  ['times of a log', STEPS.map((line, index) => `2026-11-20T10:00:0${String(index)}Z ${line}`)],
  ['hours of a log', STEPS.map((line, index) => `10:00:0${String(index)} ${line}`)],
  ['the trace of a script among what it printed', ['+ kubectl get pods', ...PODS, '+ exit 1']],
  ['the file that a log names', STEPS.map((line, index) => `main.go:${String(index + 7)}: ${line}`)],
  ['one file that is named', ['see pods.txt:12', ...STEPS]],
])('keeps %s', (_, lines) => {
  expect(cleaned(lines)).toEqual(lines);
});

it('reads the quotation marks of a field of CSV, and leaves empty texts', () => {
  expect(cleaned(['"x","secret ""db"" not found: ""a b"""', 'a="" b="", c: ["" ""]'])).toEqual([
    '"x","secret "db" not found: "a b""',
    'a="" b="", c: ["" ""]',
  ]);
});

it('takes a heading of Markdown that is a command for one', () => {
  expect(cleaned(['### `cat web.yaml`', 'text', '- `kubectl get pods`'])).toEqual(['$ cat web.yaml', 'text', '$ kubectl get pods']);
});
