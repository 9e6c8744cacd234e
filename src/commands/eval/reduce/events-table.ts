import { formatDuration } from '../../../base/duration.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asText, dig } from '../../../base/json.ts';
import { largest } from '../../../base/lists.ts';
import { involvedIn } from '../../../model/event-fields.ts';

const COLUMNS = ['NAMESPACE', 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT'] as const;

/** Events as `kubectl get events -A` prints them a second after the last. Source: pkg/printers/internalversion/printers.go (printEvent). */
export function eventsTable(events: readonly Json[]): string {
  const now = largest([0, ...events.map(seenAt)]) + 1000;
  const rows = events
    .toSorted((a, b) => seenAt(a) - seenAt(b))
    .map((event) => {
      const involved = involvedIn(event);
      const object = `${(asText(dig(involved, 'kind')) ?? '').toLowerCase()}/${asText(dig(involved, 'name')) ?? ''}`;
      const cells = [
        asText(dig(involved, 'namespace')) ?? 'default',
        formatDuration(Math.round((now - seenAt(event)) / 1000)),
        asText(dig(event, 'type')) ?? '',
        asText(dig(event, 'reason')) ?? '',
        object,
      ];
      return { cells, message: (asText(dig(event, 'message')) ?? asText(dig(event, 'note')) ?? '').trim() };
    });
  const widths = COLUMNS.map((title, column) => largest([title.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)]) + 3);
  const line = (cells: readonly string[], message: string): string =>
    `${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('')}${message}\n`;
  return line(COLUMNS, 'MESSAGE') + rows.map(({ cells, message }) => line(cells, message)).join('');
}

function seenAt(event: Json): number {
  return (
    parseInstant(dig(event, 'series', 'lastObservedTime')) ??
    parseInstant(dig(event, 'lastTimestamp')) ??
    parseInstant(dig(event, 'eventTime')) ??
    parseInstant(dig(event, 'metadata', 'creationTimestamp')) ??
    0
  );
}
