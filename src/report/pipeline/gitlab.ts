import type { Json } from '../../base/json.ts';
import { formatRef } from '../../model/kube-object.ts';
import { clusterLine } from '../format/cluster-text.ts';
import type { Check, Level } from './check.ts';
import { problemLines, problemsOf } from './check.ts';

const SEVERITIES: Readonly<Record<Level, string>> = { error: 'critical', warning: 'minor', note: 'info' };

/** A code quality report of GitLab. It must have a path: without a file that is the object. */
export function gitlabJson(checks: readonly Check[]): Json {
  return problemsOf(checks).map((problem) => ({
    description: clusterLine(`${problem.title}: ${problemLines(problem)[0] ?? ''}`, 1400),
    check_name: problem.rule,
    fingerprint: problem.fingerprint,
    severity: SEVERITIES[problem.level],
    location: {
      path: clusterLine(problem.place?.file ?? formatRef(problem.subject), 1400),
      lines: { begin: problem.place?.line ?? 1 },
    },
  }));
}
