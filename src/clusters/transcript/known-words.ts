import { append } from '../../base/lists.ts';
import type { Gathering } from './gathering.ts';
import { unnamed } from './loose/involved.ts';
import { isAboutClients } from './loose/program-lines.ts';
import type { OpeningSearch } from './loose/opening-search.ts';

/** Programs, kubectl and runtimes say this of a certificate in the same words. */
const OF_ANYBODY = /\bx509: /;

/** Where a text is nothing but words of a program: lines with words that rules know from logs are of its log, too. */
export function takeKnownWords(gathering: Gathering, search: () => OpeningSearch): void {
  const { looseTexts, logs } = gathering;
  if (looseTexts.length === 0 || !isBare(gathering)) return;
  const pod = unnamed('Pod').name;
  if (logs.some(({ of, filtered }) => !filtered || of.by !== 'pod' || of.pod !== pod)) return;
  const known = search();
  const seen = new Set(logs.flatMap(({ lines }) => lines));
  const left = looseTexts.filter(({ text }) => !seen.has(text) && !isAboutClients(text) && !OF_ANYBODY.test(text));
  const own = new Set(left.flatMap(({ text, line }) => (known.in(text) === undefined ? [] : [line])));
  if (own.size === 0) return;
  // What stands next to such a line is of the same log.
  const lines = left.filter(({ line }) => [line - 1, line, line + 1].some((number) => own.has(number)));
  const taken = new Set(lines.map(({ line }) => line));
  for (const line of taken) gathering.explain(line, 'line of a log');
  append(
    gathering.notes,
    gathering.notes.splice(0).filter(({ line }) => line === undefined || !taken.has(line)),
  );
  logs.push({
    of: { by: 'pod', pod },
    all: false,
    previous: false,
    lines: lines.map(({ text }) => text),
    filtered: true,
    segment: gathering.segment,
  });
}

/** Whether nothing was found but lines. */
function isBare({ sightings, events, answers, services, manifests, refused, absent }: Gathering): boolean {
  return [sightings, events, answers, services, manifests, refused, absent].every(({ length }) => length === 0);
}
