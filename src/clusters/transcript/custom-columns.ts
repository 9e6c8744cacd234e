import type { Line } from './clean-lines.ts';
import type { Row, Table } from './tables.ts';
import { readTable } from './tables.ts';

/** What kubectl itself calls a column of events, by the field that a person chose for it. */
const TITLES: Readonly<Record<string, string>> = {
  'metadata.namespace': 'NAMESPACE',
  'involvedObject.namespace': 'NAMESPACE',
  'regarding.namespace': 'NAMESPACE',
  'involvedObject.kind': 'KIND',
  'regarding.kind': 'KIND',
  'involvedObject.name': 'NAME',
  'regarding.name': 'NAME',
  'involvedObject.fieldPath': 'SUBOBJECT',
  lastTimestamp: 'LAST SEEN',
  'metadata.creationTimestamp': 'FIRST SEEN',
  type: 'TYPE',
  reason: 'REASON',
  message: 'MESSAGE',
  note: 'MESSAGE',
  count: 'COUNT',
};

/** The table of events that `-o custom-columns=SPEC` printed, with kubectl's own titles; none where the first line has not the titles of SPEC. */
export function customEvents(spec: string, lines: readonly Line[]): Table | undefined {
  const chosen = spec.split(',').map((part) => {
    const colon = part.indexOf(':');
    return {
      title: part.slice(0, colon),
      field: part
        .slice(colon + 1)
        .replaceAll(/[{}]/g, '')
        .replace(/^\./, ''),
    };
  });
  if (lines[0]?.text.trim().split(/\s+/).join(' ') !== chosen.map(({ title }) => title).join(' ')) return undefined;
  const { rows } = readTable(lines, 0).table;
  const own = new Map(chosen.map(({ title, field }) => [title, TITLES[field] ?? title] as const));
  return { columns: [...own.values()], rows: rows.map((row) => renamed(row, own)) };
}

function renamed({ line, cells }: Row, own: ReadonlyMap<string, string>): Row {
  return { line, cells: new Map([...cells].map(([title, cell]) => [own.get(title) ?? title, cell] as const)) };
}
