import { deploymentOf } from '../base/template-hash.ts';
import type { Cause } from '../model/diagnosis.ts';
import type { Scalar } from '../model/fact.ts';
import type { Rule } from '../model/rule.ts';
import { fill, fillCommand } from '../model/placeholders.ts';

type Step = Cause['fix'][number];

/** The rule's fix with its values filled in, with commands that work for the kind of the workload. A step or a command that consists only of optional parts without values is left out. */
export function fixSteps(rule: Rule, params: Readonly<Record<string, Scalar>>): readonly Step[] {
  const [kind, ...name] = String(params['workload'] ?? '').split('/');
  const deployment = kind === 'ReplicaSet' ? deploymentOf(name.join('/')) : undefined;
  const named = deployment === undefined ? params : { ...params, workload: `Deployment/${deployment}` };
  const replaced = new Set<string>();
  return rule.fix.flatMap(({ say, run, by }): readonly Step[] | Step => {
    const step = { say: fill(say, params), ...(by === undefined ? {} : { by }) };
    if (step.say.trim() === '') return [];
    if (run === undefined || fill(run, params) === '') return step;
    const made = commandFor(deployment === undefined ? kind : 'Deployment', run);
    if (made.run === undefined || replaced.has(made.run)) return step;
    if (made.say !== undefined) replaced.add(made.run);
    return { ...step, say: made.say === undefined ? step.say : `${step.say} ${made.say}`, run: fillCommand(made.run, named) };
  });
}

interface Command {
  /** A sentence to add to the step; added once, because all changes to the object become the same command. */
  readonly say?: string;
  readonly run?: string;
}

/** The command as it works for this kind of workload; without `run` when the kind has no equivalent. */
function commandFor(kind: string | undefined, run: string): Command {
  if (kind === 'Pod' || kind === 'Job') return replacing(kind, run) ?? { run };
  // A ReplicaSet of no Deployment has no rollout: its pods are replaced when they are deleted.
  if (kind === 'ReplicaSet' && ROLLOUT.test(run)) return {};
  if (kind !== 'CronJob') return { run };
  return CHANGE.exec(run)?.[1]?.startsWith('rollout') === true ? {} : { run: inJobTemplate(run) };
}

const CHANGE = /\b(edit|patch|set (?!image)\w+|set image|rollout \w+) \{\{ workload \}\}/;
const ROLLOUT = /\brollout \w+ \{\{ workload \}\}/;
const IN_PLACE = 'kubectl[[ -n {{ namespace }}]]';

/** A CronJob has its pod template below spec.jobTemplate, and no rollout: its next run uses the change. Source: staging/src/k8s.io/api/batch/v1/types.go (CronJobSpec). */
function inJobTemplate(run: string): string {
  const at = run.indexOf('patch {{ workload }}');
  if (at < 0) return run;
  const patch = run.slice(at).replaceAll('"path":"/spec/template/', '"path":"/spec/jobTemplate/spec/template/');
  const [begin, end] = [patch.indexOf(MERGED), patch.lastIndexOf(`}}'`)];
  if (begin < 0 || end < begin) return run.slice(0, at) + patch;
  const template = patch.slice(begin + `'{"spec":`.length, end + 1);
  return `${run.slice(0, at)}${patch.slice(0, begin)}'{"spec":{"jobTemplate":{"spec":${template}}}}'${patch.slice(end + `}}'`.length)}`;
}

/** A merge patch of a pod template, up to the template. */
const MERGED = `'{"spec":{"template":`;

/**
 * A pod's containers (but for their image) and a Job's template cannot be changed, and neither has a rollout; a Job's own labels and
 * selector name its uid. Source: pkg/apis/core/validation/validation.go (ValidatePodUpdate), pkg/apis/batch/validation/validation.go.
 */
function replacing(kind: 'Pod' | 'Job', run: string): Command | undefined {
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
