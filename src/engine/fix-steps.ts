import type { Cause } from '../model/diagnosis.ts';
import type { Scalar } from '../model/fact.ts';
import type { Rule } from '../model/rule.ts';
import { fill, fillCommand } from '../model/words.ts';

type Step = Cause['fix'][number];

/** The rule's fix with its words filled in, in commands that work on the kind of workload there is. A step whose words are all about what nobody knows is none, and so is such a command. */
export function fixSteps(rule: Rule, params: Readonly<Record<string, Scalar>>): readonly Step[] {
  return rule.fix.flatMap(({ say, run }): readonly Step[] | Step => {
    const step = { say: fill(say, params) };
    if (step.say.trim() === '') return [];
    if (run === undefined || fill(run, params) === '') return step;
    const kind = String(params['workload'] ?? '').split('/')[0];
    const made = kind === 'Pod' || kind === 'Job' ? replacing(kind, run) : undefined;
    if (made === undefined) return { ...step, run: fillCommand(kind === 'CronJob' ? inJobTemplate(run) : run, params) };
    const said = made.say === undefined ? step : { say: `${step.say} ${made.say}` };
    return made.run === undefined ? said : { ...said, run: fillCommand(made.run, params) };
  });
}

const CHANGE = /\b(edit|patch|set (?!image)\w+|set image|rollout \w+) \{\{ workload \}\}/;
const IN_PLACE = 'kubectl[[ -n {{ namespace }}]]';

/** A CronJob has its pod template below spec.jobTemplate. Source: staging/src/k8s.io/api/batch/v1/types.go (CronJobSpec). */
function inJobTemplate(run: string): string {
  return run
    .replace(/(patch \{\{ workload \}\}.*)'\{"spec":(\{"template":.*\})\}'/, `$1'{"spec":{"jobTemplate":{"spec":$2}}}'`)
    .replace(/(patch \{\{ workload \}\}.*"path":")\/spec\/template\//, '$1/spec/jobTemplate/spec/template/');
}

/**
 * A pod's containers (but for their image) and a Job's template cannot be changed, and neither has a rollout; a Job's own labels and
 * selector name its uid. Source: pkg/apis/core/validation/validation.go (ValidatePodUpdate), pkg/apis/batch/validation/validation.go.
 */
function replacing(kind: 'Pod' | 'Job', run: string): { readonly say?: string; readonly run?: string } | undefined {
  const change = CHANGE.exec(run)?.[1];
  if (change === undefined || (kind === 'Pod' && change === 'set image')) return undefined;
  if (change === 'rollout undo') return {};
  const [read, file] =
    kind === 'Pod'
      ? [`${IN_PLACE} get {{ workload }} -o yaml`, 'pod.yaml']
      : [`${IN_PLACE} get {{ workload }} -o json | jq 'del(.spec.selector, .spec.template.metadata.labels)'`, 'job.json'];
  if (change.startsWith('rollout')) return { run: `${read} | kubectl replace --force -f -` };
  return { say: `A ${kind} cannot be changed in place: edit a copy and replace it.`, run: `${read} > ${file} && "\${EDITOR:-vi}" ${file} && kubectl replace --force -f ${file}` };
}
