import type { Sequence } from './operation.ts';
import type { Mechanism, Tally } from './tally.ts';
import { mechanismsOf } from './tally.ts';

/** A mechanism with what both said and the sequence that shows it. */
export function differenceLines(
  { name, about, count, times, real, simulated, because, first }: Mechanism,
  sequence: Sequence,
): readonly string[] {
  return [
    `${name}  (${about}, ${count} ${count === 1 ? 'sequence' : 'sequences'}, ${times} ${times === 1 ? 'time' : 'times'})`,
    `  replay: npm run differ -- --seed ${first.seed}`,
    ...(because === undefined ? [] : [`  stays: ${because}`]),
    ...indented('  real:      ', real),
    ...indented('  simulated: ', simulated),
    ...operationLines(sequence).map((line) => `    ${line}`),
  ];
}

function operationLines({ operations, namespace }: Sequence): readonly string[] {
  const labels = JSON.stringify(namespace['metadata']);
  const around = labels.includes('labels":{}') ? [] : [`namespace ${labels}`];
  return [
    ...around,
    ...operations.map(({ method, path, contentType, body, edit }) => {
      const sent = body === undefined ? (edit === undefined ? '' : ` edit ${JSON.stringify(edit)}`) : ` ${JSON.stringify(body)}`;
      return `${method} ${path}${contentType === undefined ? '' : ` (${contentType})`}${sent}`;
    }),
  ];
}

function indented(head: string, text: string): readonly string[] {
  return text.split('\n').map((line, index) => `${index === 0 ? head : ' '.repeat(13)}${line}`);
}

export function summaryLines(tally: Tally): readonly string[] {
  const mechanisms = mechanismsOf(tally);
  const explained = mechanisms.filter(({ because }) => because !== undefined).length;
  return [
    `operations:            ${tally.operations}`,
    `answers equal:         ${share(tally.answersEqual, tally.operations)}`,
    `fields equal:          ${share(tally.fieldsEqual, tally.fields)} of ${tally.fields}`,
    `accepted differently:  ${tally.acceptedDifferently}`,
    `mechanisms:            ${mechanisms.length}, ${explained} with a reason`,
    `gone when repeated:    ${tally.passing}`,
    ...(tally.broken === 0 ? [] : [`broken connections:    ${tally.broken}`]),
    ...tally.leftOut.map(({ seed, because }) => `left out:              ${seed}: ${because}`),
  ];
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : (part / whole).toFixed(4);
}
