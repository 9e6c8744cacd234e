import type { JsonObject } from '../../base/json.ts';
import { printableUpTo } from '../../base/text.ts';
import { formatRef } from '../../model/kube-object.ts';
import { clusterLine } from '../format/cluster-text.ts';
import type { Check, KnownProblem, Place } from './check.ts';
import { problemLines, problemsOf } from './check.ts';

/**
 * A log in the Static Analysis Results Interchange Format 2.1.0 (OASIS). What was read from a file stands there; what was read from a
 * cluster has a logical location.
 */
export function sarifJson(checks: readonly Check[], version: string): JsonObject {
  const problems = problemsOf(checks);
  const rules = new Map(problems.map((problem) => [problem.rule, problem]));
  const ids = [...rules.keys()];
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'podcheck', version, rules: [...rules.values()].map(ruleJson) } },
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => resultJson(problem, ids.indexOf(problem.rule))),
      },
    ],
  };
}

function ruleJson({ rule, title, level, says, references }: KnownProblem): JsonObject {
  const uri = references.find((one) => /^https:\/\/[\w./#?=&%-]+$/.test(one));
  return {
    id: rule,
    shortDescription: { text: clusterLine(title) },
    help: { text: clusterLine(says, 1200) },
    ...(uri === undefined ? {} : { helpUri: uri }),
    defaultConfiguration: { level },
  };
}

function resultJson(problem: KnownProblem, ruleIndex: number): JsonObject {
  const { rule, level, fingerprint, subject, object, place } = problem;
  const names = [...new Set([formatRef(subject), formatRef(object)])];
  return {
    ruleId: rule,
    ruleIndex,
    level,
    message: { text: problemLines(problem).join('\n') },
    locations: [
      {
        ...(place === undefined ? {} : { physicalLocation: physical(place) }),
        logicalLocations: names.map((name) => ({ fullyQualifiedName: clusterLine(name), kind: 'resource' })),
      },
    ],
    partialFingerprints: { 'podcheck/v1': fingerprint },
  };
}

function physical({ file, line, column }: Place): JsonObject {
  return {
    artifactLocation: { uri: uriOf(file) },
    ...(line === undefined ? {} : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } }),
  };
}

/** A path as a reference in a URI: relative ones stay relative. */
function uriOf(file: string): string {
  const path = printableUpTo(file, 4000).replaceAll('\\', '/');
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${escaped}` : escaped;
}
