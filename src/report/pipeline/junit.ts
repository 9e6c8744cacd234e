import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import { clusterLine } from '../format/cluster-text.ts';
import type { Check } from './check.ts';
import { problemLines } from './check.ts';

/**
 * A JUnit report: a suite for each file, or one for the cluster, and in it a case for each object. What could not be decided is skipped,
 * with the reason.
 */
export function junitXml(checks: readonly Check[], at: Instant): string {
  const suites = new Map<string, Check[]>();
  for (const check of checks) {
    const name = check.place?.file ?? 'cluster';
    suites.set(name, [...(suites.get(name) ?? []), check]);
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="podcheck"${counts(checks)}>`,
    ...[...suites].flatMap(([name, own]) => [
      `  <testsuite name="${xml(name)}" timestamp="${formatInstant(at).replace('Z', '')}"${counts(own)}>`,
      ...own.map(caseXml),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function counts(checks: readonly Check[]): string {
  const of = (wanted: Check['verdict']): number => checks.filter(({ verdict }) => verdict === wanted).length;
  return ` tests="${checks.length}" failures="${of('failed')}" errors="0" skipped="${of('unknown')}"`;
}

function caseXml({ ref: { kind, namespace, name }, place, verdict, reason, problems }: Check): string {
  const where =
    place === undefined ? '' : ` file="${xml(place.file)}"${place.line === undefined ? '' : ` line="${Math.trunc(place.line)}"`}`;
  const open = `    <testcase classname="${xml(namespace === undefined ? kind : `${namespace}.${kind}`)}" name="${xml(name)}"${where}`;
  if (verdict === 'passed') return `${open}/>`;
  const [first] = problems;
  const said = reason ?? first?.says ?? '';
  if (verdict === 'unknown') return `${open}><skipped message="${xml(said)}"/></testcase>`;
  const all = problems.map((problem) => [`${problem.title} (${problem.rule})`, ...problemLines(problem)].map(xml).join('\n'));
  return `${open}><failure type="${xml(first?.rule ?? '')}" message="${xml(first?.title ?? said)}">${all.join('\n\n')}</failure></testcase>`;
}

/** Text for an attribute or between tags. Control characters, which XML has no words for, are written out before. */
function xml(text: string): string {
  return clusterLine(text, 1400)
    .replaceAll(/[\uFFFE\uFFFF]/g, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
