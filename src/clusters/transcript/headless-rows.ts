import type { Line } from './clean-lines.ts';
import type { Reading } from './reading.ts';
import { tableObjects } from './table-objects.ts';
import type { Row } from './tables.ts';

const NAME = '([a-z0-9][a-z0-9.-]{0,252})';
/** Words of the STATUS column of a pod. Source: pkg/printers/internalversion/printers.go (printPod). */
const POD_ROW = new RegExp(
  `^\\s{0,12}(?:${NAME}\\s+)?${NAME}\\s+(\\d{1,3}/\\d{1,3})\\s+((?:Init:)?[A-Z][A-Za-z]{3,60}|Init:\\d{1,3}/\\d{1,3}|Init:Exit[A-Za-z]*:\\d{1,3})\\s+(\\d{1,9}(?: \\([\\w]{1,20} ago\\))?)(?:\\s+(\\d\\w{0,20}|<invalid>|<unknown>)|\\s*$)(.*)$`,
);
const NODE_ROW = new RegExp(
  `^\\s{0,12}${NAME}\\s+((?:Not)?Ready(?:,SchedulingDisabled)?|Unknown)\\s+(\\S{1,100})\\s+(\\d\\w{0,20})\\s+(v1\\.\\d{1,3}\\.\\S{1,40})(?:\\s|$)`,
);

/**
 * Takes in rows of pods and nodes whose title line is not there, after `grep` for instance. Gives the other lines. What a command listed is
 * for its reader to say.
 */
export function withoutRows(
  lines: readonly Line[],
  namespace: string | undefined,
  { gathering, at }: Reading,
  isOfCommand = false,
): readonly Line[] {
  const rest: Line[] = [];
  for (const line of lines) {
    const found = podRow(line) ?? nodeRow(line);
    const objects =
      found === undefined ? [] : tableObjects({ columns: [...found.row.cells.keys()], rows: [found.row] }, found.kind, namespace, at);
    if (found === undefined || objects.length === 0) {
      rest.push(line);
      continue;
    }
    gathering.explain(line.number, 'row of a table');
    for (const { object } of objects) gathering.see(object, 'table');
    if (!isOfCommand)
      gathering.collect({ kind: found.kind, ...(found.kind === 'Node' ? {} : { namespace: namespace ?? '' }), complete: false });
  }
  return rest;
}

interface FoundRow {
  readonly kind: string;
  readonly row: Row;
}

function podRow({ text, number }: Line): FoundRow | undefined {
  const parts = POD_ROW.exec(text);
  if (parts === null) return undefined;
  const [, namespace, name = '', ready = '', status = '', restarts = '', age, wide = ''] = parts;
  const [ip, node] = wide.trim().split(/\s+/);
  const cells = [
    // A person may write the kind in front.
    ['NAMESPACE', namespace === 'pod' ? undefined : namespace],
    ['NAME', name],
    ['READY', ready],
    ['STATUS', status],
    ['RESTARTS', restarts],
    ['AGE', age],
    ['IP', isAddress(ip) ? ip : undefined],
    ['NODE', isAddress(ip) ? node : undefined],
  ] as const;
  return {
    kind: 'Pod',
    row: {
      line: number,
      cells: new Map(cells.flatMap(([title, cell]) => (cell === undefined || cell === '' ? [] : [[title, cell] as const]))),
    },
  };
}

function isAddress(text: string | undefined): boolean {
  return text !== undefined && (text === '<none>' || /^[\d.]{7,15}$|^[0-9a-f:]{3,39}$/.test(text));
}

function nodeRow({ text, number }: Line): FoundRow | undefined {
  const parts = NODE_ROW.exec(text);
  if (parts === null) return undefined;
  const [, name = '', status = '', roles = '', age = '', version = ''] = parts;
  return {
    kind: 'Node',
    row: {
      line: number,
      cells: new Map([
        ['NAME', name],
        ['STATUS', status],
        ['ROLES', roles],
        ['AGE', age],
        ['VERSION', version],
      ]),
    },
  };
}
