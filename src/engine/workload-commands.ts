import type { Scalar } from '../model/fact.ts';

export interface Command {
  /** A sentence to add to the step; added once, because all changes to the object become the same command. */
  readonly say?: string;
  readonly run?: string;
  /** The step has nothing to say of such a kind. */
  readonly isPointless?: true;
}

const IN_ORDER = 'A StatefulSet does not replace a pod that is not ready: this deletes it.';
const ON_DELETE = 'With updateStrategy OnDelete each pod keeps its template until it is deleted: this deletes one.';

/**
 * The command of a fix as it works for this kind of workload; without `run` when the kind has no equivalent. `held`: why the workload does
 * not replace the pod at fault (`pod` facts, `held`).
 */
export function commandFor(kind: string | undefined, run: string, held?: Scalar): Command {
  if (held !== undefined && (kind === 'StatefulSet' || kind === 'DaemonSet') && changesTemplate(run))
    return { say: held === 'on-delete' ? ON_DELETE : IN_ORDER, run: `${run} && ${DELETE_POD}` };
  if (kind === 'Pod' || kind === 'Job') return replacing(kind, run) ?? { run };
  // A ReplicaSet of no Deployment has no rollout: its pods are replaced when they are deleted.
  if (kind === 'ReplicaSet' && ROLLOUT.test(run)) return without(run);
  if (kind !== 'CronJob') return { run };
  return CHANGE.exec(run)?.[1]?.startsWith('rollout') === true
    ? without(run)
    : { run: templateAt(run, '/spec/jobTemplate/spec/template', ['spec', 'jobTemplate', 'spec', 'template']) };
}

function changesTemplate(run: string): boolean {
  return TEMPLATE_CHANGE.test(run) || (run.includes('patch {{ workload }}') && /\btemplate\b/.test(run));
}

/** Who has no rollout has no revisions either; to be restarted is something that people may see to in another way. */
function without(run: string): Command {
  return /\brollout (?:undo|history) /.test(run) ? { isPointless: true } : {};
}

const CHANGE = /\b(edit|patch|set (?!image|env --list)\w+|set image|rollout \w+) \{\{ workload \}\}/;
const ROLLOUT = /\brollout \w+ \{\{ workload \}\}/;
const TEMPLATE_CHANGE = /\b(?:edit|set (?!env --list)\w+|rollout (?:undo|restart)) \{\{ workload/;
export const DELETE_POD = 'kubectl[[ -n {{ namespace }}]] delete pod {{ pod }}';
const IN_PLACE = 'kubectl[[ -n {{ namespace }}]]';

/**
 * A patch of a pod template for a kind that has it elsewhere: below spec.jobTemplate in a CronJob, which has no rollout, because its next
 * run
 * uses the change; a pod is its own. Source: staging/src/k8s.io/api/batch/v1/types.go (CronJobSpec).
 */
function templateAt(run: string, pointer: string, fields: readonly string[]): string {
  const at = run.indexOf('patch {{ workload }}');
  if (at < 0) return run;
  const patch = run.slice(at).replaceAll('"path":"/spec/template/', `"path":"${pointer}/`);
  const [begin, end] = [patch.indexOf(MERGED), patch.lastIndexOf(`}}'`)];
  if (begin < 0 || end < begin) return run.slice(0, at) + patch;
  const template = patch.slice(begin + MERGED.length, end);
  let body = template;
  for (const field of fields.toReversed()) body = `{"${field}":${body}}`;
  return `${run.slice(0, at)}${patch.slice(0, begin)}'${body}'${patch.slice(end + `}}'`.length)}`;
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
  if (change === 'rollout undo' || change === 'rollout history') return without(run);
  if (change === 'edit') return edited(kind);
  const replace = `${kind === 'Pod' ? '' : ` | ${UNBOUND}`} | kubectl replace --force -f -`;
  if (change.startsWith('rollout')) return { run: `${IN_PLACE} get {{ workload }} -o yaml${replace}` };
  const changed = kind === 'Pod' ? templateAt(run, '', []) : run;
  return { say: `A ${kind} cannot be changed in place: this replaces it.`, run: `${changed} --dry-run=client -o yaml${replace}` };
}

/** A Job without what names its uid, so that it can be created again. */
const UNBOUND = `kubectl patch -f - --local -o yaml --type=merge -p '{"spec":{"selector":null,"template":{"metadata":{"labels":{"controller-uid":null,"batch.kubernetes.io/controller-uid":null}}}}}'`;

function edited(kind: 'Pod' | 'Job'): Command {
  const [read, file] =
    kind === 'Pod'
      ? [`${IN_PLACE} get {{ workload }} -o yaml`, 'pod.yaml']
      : [`${IN_PLACE} get {{ workload }} -o yaml | ${UNBOUND}`, 'job.yaml'];
  return {
    say: `A ${kind} cannot be changed in place: edit a copy and replace it.`,
    run: `${read} > ${file} && "\${EDITOR:-vi}" ${file} && kubectl replace --force -f ${file}`,
  };
}
