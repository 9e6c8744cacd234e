import { clusterLine } from '../format/cluster-text.ts';
import { objectWords } from '../format/object-words.ts';
import { diagnosisPage } from '../html/diagnosis-page.ts';
import type { Section } from '../html/sections.ts';
import type { RunReport } from './run-text.ts';
import { assumedWords, leftOutWords, restWords } from './run-text.ts';
import { sinceStart } from './stage-story.ts';

const ROWS = 200;

/** A run as one page: the diagnosis of what it is about, then what was done and when, and what is not as in a real cluster. */
export function runPage(report: RunReport): string {
  const { start, now, steps, settled, refusals, leftOut, others, alsoHealthy } = report;
  const sections: readonly Section[] = [
    {
      heading: 'Steps',
      table: [
        ['after the start', 'what'],
        ...steps.slice(0, ROWS).map(({ at, what }) => [sinceStart(at - start), what]),
        [sinceStart(now - start), restWords(settled)],
      ],
    },
    { heading: 'Also unhealthy', lines: others.slice(0, ROWS).map(({ ref, reason }) => `${objectWords(ref)}: ${clusterLine(reason)}`) },
    { heading: 'Also healthy', lines: alsoHealthy.slice(0, ROWS).map(objectWords) },
    {
      heading: 'Rejected',
      table: refusals.length === 0 ? [] : [['where', 'answer'], ...refusals.map(({ file, line, said }) => [`${file}:${line}`, said])],
    },
    { heading: 'Not in the simulated cluster', lines: leftOutWords(leftOut) },
    { heading: 'Assumed', lines: assumedWords(report) },
  ];
  return diagnosisPage(
    report.diagnosis,
    sections.filter(({ lines = [], table = [] }) => lines.length + table.length > 0),
  );
}
