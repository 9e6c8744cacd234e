import type { Instant } from '../../../base/instant.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import { given } from '../draft.ts';
import { eventObject } from '../events.ts';
import { eventRow } from '../loose/event-row.ts';
import { cellsOf } from '../tables.ts';
import type { Section } from './sections.ts';

/**
 * The Events table at the end of a describe. Undefined when the text does not come to it; none for `<none>`. Lines that begin no
 * row belong to the message above them.
 */
export function describedEvents(section: Section | undefined, object: KubeObject, at: Instant): readonly KubeObject[] | undefined {
  if (section === undefined) return undefined;
  if (section.value !== '') return given(section.value) === undefined ? [] : undefined;
  const header = section.body.findIndex(({ text }) => /^\s*Type\s+Reason\s+Age\s+From\s+Message/.test(text));
  if (header < 0) return oldRows(section.body, object, at);
  const columns = [...(section.body[header]?.text ?? '').matchAll(/\S+/g)].map((match) => ({ title: match[0], start: match.index }));
  const about = refOf(object);
  // A page or a chat leaves one blank of several, and nothing stands under its title any more.
  const isCollapsed = /Type[ \t]Reason[ \t]Age[ \t]From[ \t]Message/.test(section.body[header]?.text ?? '');
  const rows = rowsOf(section.body.slice(header + 1));
  // kubectl prints the titles only above events: without one the text was cut off.
  return rows.length === 0
    ? undefined
    : rows.map(({ line, more }) => {
        const row = isCollapsed ? eventRow(line.text) : undefined;
        if (row !== undefined) return eventObject({ ...row, about, at, message: [row.message, ...more].join('\n').trimEnd() }, line.number);
        const cells = cellsOf(line.text, columns);
        const message = [cells.get('Message') ?? '', ...more].join('\n').trimEnd();
        return eventObject(
          {
            about,
            at,
            message,
            type: cells.get('Type') ?? '',
            reason: cells.get('Reason') ?? '',
            age: cells.get('Age') ?? '',
            source: given(cells.get('From')) ?? '',
          },
          line.number,
        );
      });
}

/**
 * The layout before 1.7, in which a row begins with the times it was first and last seen, and one whose title row was broken. Source:
 * pkg/kubectl/describe.go of 1.6 (DescribeEvents).
 */
function oldRows(lines: readonly Line[], object: KubeObject, at: Instant): readonly KubeObject[] | undefined {
  if (!lines.some(({ text }) => /^\s*(?:FirstSeen\s+LastSeen\s|Type\s+Reason\s+Age\s+From\s*$)/.test(text))) return undefined;
  return lines.flatMap(({ text, number }) => {
    const row = eventRow(text);
    return row === undefined ? [] : [eventObject({ ...row, about: refOf(object), at }, number)];
  });
}

/** A row begins with its type; a type of one's own is possible but not seen. */
function rowsOf(lines: readonly Line[]): readonly { readonly line: Line; readonly more: string[] }[] {
  const rows: { line: Line; more: string[] }[] = [];
  for (const line of lines) {
    if (/^\s*-{2,}/.test(line.text)) continue;
    if (/^\s*(?:Normal|Warning)\s+\S/.test(line.text)) rows.push({ line, more: [] });
    else if (line.text.trim() !== '' || rows.length > 0) rows.at(-1)?.more.push(line.text);
  }
  return rows;
}
