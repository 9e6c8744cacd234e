import type { Line } from '../clean-lines.ts';

const TITLES = ['Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message'];
const TITLE = /^\s{0,40}Type\s+Status\s+LastHeartbeatTime\s/;
const RULE = /^\s{0,40}-{2,40}(?:\s{1,80}-{2,40}){1,8}\s{0,40}$/;
/** A condition of a node as `kubectl describe` prints it, with the time of its heartbeat. Source: kubectl pkg/describe/describe.go. */
const ROW = /^\s{0,40}[A-Z]\w{2,60}\s{1,80}(?:True|False|Unknown)\s{1,80}[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /;

/** The conditions of a node of which the rest of its description was left out, as by `grep`, from the line at `index` on. */
export function conditionLines(lines: readonly Line[], index: number): readonly Line[] {
  const first = lines[index]?.text ?? '';
  if (!TITLE.test(first) && !ROW.test(first)) return [];
  let end = index + 1;
  while (end < lines.length && [RULE, ROW].some((form) => form.test(lines[end]?.text ?? ''))) end++;
  const found = lines.slice(index, end);
  return found.some(({ text }) => ROW.test(text)) ? found : [];
}

/** These lines with the head that was left out. */
export function withHead(found: readonly Line[], name: string): readonly Line[] {
  const number = found[0]?.number ?? 0;
  const rows = found.flatMap((line) => (ROW.test(line.text) ? [{ ...line, text: row(cellsOf(line.text)) }] : []));
  return [...[`Name:  ${name}`, 'Conditions:', row(TITLES)].map((text) => ({ number, text })), ...rows];
}

function cellsOf(text: string): readonly string[] {
  return text.split(/\t| {2,}/).flatMap((cell) => (cell.trim() === '' ? [] : [cell.trim()]));
}

const WIDTH = 42;
function row(cells: readonly string[]): string {
  return `  ${cells.map((cell) => cell.padEnd(WIDTH)).join('')}`;
}
