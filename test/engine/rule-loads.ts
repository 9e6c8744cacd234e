import { loadRules } from '../../src/catalog/load-rules.ts';
import { loadScenarios } from '../../src/catalog/load-scenarios.ts';
import { vocabularyOf } from '../../src/collect/survey/vocabulary.ts';
import { earFor } from '../../src/engine/wording-index.ts';
import { examine, requestAbout } from '../../src/library/examine.ts';
import { isSaidIn } from '../../src/model/wording.ts';
import { played, targetOf } from '../support/scenario-runs.ts';

const LINES = 100_000;
const RUNS = 21;
const TROUBLE = 'volumes/configmap-not-found';

/** Seconds that all wordings of all rules take on 100,000 lines of a log, and how many lines say something. */
export async function logSeconds(): Promise<{ readonly seconds: number; readonly heard: number }> {
  const { rules } = await loadRules('rules');
  const [ear, vocabulary] = [earFor(rules), vocabularyOf(rules)];
  const kinds = [
    ...new Set(
      rules.flatMap(({ tells }) =>
        tells.flatMap((wording) => (wording.fact !== undefined && isSaidIn(wording, 'log') ? [wording.fact] : [])),
      ),
    ),
  ];
  const lines = Array.from({ length: LINES }, (_, index) => lineOf(index));
  const start = performance.now();
  const heard = lines.filter(
    (text) =>
      kinds.some((kind) => vocabulary.read(kind, text, 'log') !== undefined) ||
      ear.hears({ place: 'log', reason: undefined, text }) !== undefined,
  ).length;
  return { seconds: (performance.now() - start) / 1000, heard };
}

/** One line in a hundred says what went wrong; the others are what a program says on a good day. */
function lineOf(index: number): string {
  const stamp = `2026-11-20T09:${String(index % 60).padStart(2, '0')}:07.${String(index % 1000).padStart(3, '0')}Z`;
  if (index % 100 === 0) return `${stamp} ERROR dial tcp 10.96.4.${index % 250}:5432: connect: connection refused`;
  return `${stamp} INFO request ${index} of client ${index % 977}: GET /orders/${index * 31} 200 in ${index % 90} ms, ${index % 4096} bytes, pool 7 of 20`;
}

/** Milliseconds that the rules take on a workload in trouble that was read: the median of many runs. */
export async function workloadMilliseconds(): Promise<{ readonly milliseconds: number; readonly cause: string | undefined }> {
  const { rules } = await loadRules('rules');
  const {
    scenarios: [scenario],
  } = await loadScenarios('rules', (id) => id === TROUBLE);
  if (scenario === undefined) throw new Error(`${TROUBLE} is gone`);
  const target = targetOf(scenario.expect);
  const { diagnosisOf } = await examine(played(scenario).reader(), rules, requestAbout(target));
  const runs = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    const { causes } = diagnosisOf(target);
    return { milliseconds: performance.now() - start, cause: causes[0]?.rule };
  });
  return runs.toSorted((a, b) => a.milliseconds - b.milliseconds)[(RUNS - 1) / 2] ?? { milliseconds: Infinity, cause: undefined };
}
