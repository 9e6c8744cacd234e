import { clusterLine } from '../format/cluster-text.ts';
import { objectWords } from '../format/object-words.ts';
import type { Check, KnownProblem, Level } from './check.ts';
import { problemLines, problemsOf } from './check.ts';

/** GitHub shows so many annotations of one level for one step. */
const SHOWN = 10;
const COMMANDS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** Workflow commands of GitHub Actions, one a line. More of one level than it shows are listed in the last one. */
export function githubAnnotations(checks: readonly Check[]): string {
  const problems = problemsOf(checks);
  return (['error', 'warning', 'note'] as const)
    .flatMap((level) => {
      const own = problems.filter((problem) => problem.level === level);
      if (own.length <= SHOWN) return own.map(annotation);
      return [...own.slice(0, SHOWN - 1).map(annotation), more(own.slice(SHOWN - 1), level)];
    })
    .join('');
}

function annotation(problem: KnownProblem): string {
  const { level, title, subject, place } = problem;
  const { file, line, column } = place ?? {};
  const properties = { file, line, col: column, title: `${objectWords(subject)}: ${title}` };
  return command(level, properties, problemLines(problem));
}

function more(problems: readonly KnownProblem[], level: Level): string {
  const lines = problems.slice(0, LISTED).map(({ title, subject }) => clusterLine(`${objectWords(subject)}: ${title}`));
  const left = problems.length - LISTED;
  return command(level, { title: `and ${problems.length} more` }, left > 0 ? [...lines, `and ${left} more`] : lines);
}

const LISTED = 200;

function command(level: Level, properties: Readonly<Record<string, string | number | undefined>>, lines: readonly string[]): string {
  const words = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined
      ? []
      : `${name}=${escaped(clusterLine(String(value)))
          .replaceAll(':', '%3A')
          .replaceAll(',', '%2C')}`,
  );
  return `::${COMMANDS[level]} ${words.join(',')}::${escaped(lines.join('\n'))}\n`;
}

/** As the runner reads it: source actions/toolkit, packages/core/src/command.ts. */
function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
