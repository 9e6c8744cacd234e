import { deploymentOf, ordinalIn } from '../base/template-hash.ts';
import type { Cause } from '../model/diagnosis.ts';
import type { Scalar } from '../model/fact.ts';
import type { Rule } from '../model/rule.ts';
import { fill, fillCommand } from '../model/placeholders.ts';
import { commandFor, DELETE_POD } from './workload-commands.ts';

type Step = Cause['fix'][number];

/**
 * The rule's fix with its values filled in, with commands that work for the kind of the workload. A step is left out when a value that it
 * needs is not known, or when it consists only of optional parts without values; so is a command. A container that ran once has no previous
 * run.
 */
export function fixSteps(
  rule: Rule,
  params: Readonly<Record<string, Scalar>>,
  { once = false }: { readonly once?: boolean } = {},
): readonly Step[] {
  const [printed, ...name] = String(params['workload'] ?? '').split('/');
  // Nobody knows what makes a pod without a name; what replaces a pod would delete a Deployment.
  const kind = name[0]?.startsWith('<') === true ? undefined : printed;
  const deployment = kind === 'ReplicaSet' ? deploymentOf(name.join('/')) : undefined;
  const named = deployment === undefined ? params : { ...params, workload: `Deployment/${deployment}` };
  const [replaced, said] = [new Set<string>(), new Set<string>()];
  const steps = rule.fix.flatMap(({ say, run, by, needs }): readonly Step[] | Step => {
    const step = { say: fill(say, params), ...(by === undefined ? {} : { by }) };
    if (step.say.trim() === '' || needs?.some((variable) => !Object.hasOwn(params, variable)) === true) return [];
    if (run === undefined || fill(run, params) === '') return step;
    const made = commandFor(deployment === undefined ? kind : 'Deployment', inItsList(run, params), params[HELD_POD]);
    if (made.isPointless === true) return [];
    if (made.run === undefined || replaced.has(made.run)) return step;
    if (made.say !== undefined) replaced.add(made.run);
    return {
      ...step,
      say: saidOnce(step.say, made.say, said),
      run: fillCommand(once ? made.run.replace(' --previous', '') : made.run, named),
    };
  });
  const all = [...(madeRoom(named) ?? outdated(named) ?? belowPartition(named) ?? rollback(steps, named)), ...steps];
  return withOwnerNamed(all, named).map((step, index) => (index === 0 ? { ...step, say: asFirst(step.say) } : step));
}

/** The variable of a match whose workload something else writes again: what that is, in words. */
export const BELONGS_TO = 'belongsTo';

/** Whoever corrects only the workload sees its operator, release or application take that back. */
function withOwnerNamed(steps: readonly Step[], { [BELONGS_TO]: whole, workload }: Readonly<Record<string, Scalar>>): readonly Step[] {
  if (whole === undefined || workload === undefined) return steps;
  const changing = steps.findIndex(({ run = '' }) => isChange(run) && run.includes(String(workload)));
  const more = `${String(workload)} belongs to ${String(whole)}, which may undo this: make the change there, too.`;
  return steps.map((step, index) => (index === changing ? { ...step, say: `${step.say} ${more}` } : step));
}

function isChange(run: string): boolean {
  const words = run.split(' ');
  return words.some((word) => CHANGING.has(word)) && !words.includes('--list');
}

/** Subcommands of kubectl that change an object. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'patch', 'replace', 'scale', 'set', 'undo', 'label', 'annotate']);

/** The variable of a match whose pod its StatefulSet waits for: whether it was made from the present template (`pod` facts, `held`). */
export const HELD_POD = 'heldPod';

/** What was corrected since does not reach the pod. */
function outdated(params: Readonly<Record<string, Scalar>>): readonly Step[] | undefined {
  if (params[HELD_POD] !== 'outdated') return undefined;
  return [
    {
      say: 'The pod template has changed since. First delete the pod: a StatefulSet does not replace one that is not ready.',
      run: fillCommand(DELETE_POD, params),
    },
  ];
}

/** What is corrected does not reach the pod before its ordinal is in the range of the update. Pods below it stay as they are. */
function belowPartition(params: Readonly<Record<string, Scalar>>): readonly Step[] | undefined {
  const ordinal = ordinalIn(String(params['pod'] ?? ''));
  if (params[HELD_POD] !== 'partition' || ordinal === undefined) return undefined;
  const body = `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":${String(ordinal)}}}}}`;
  return [
    {
      say: `Lower the partition of the updates to ${String(ordinal)}: below it, pods keep the earlier template.`,
      run: fillCommand(`kubectl[[ -n {{ namespace }}]] patch {{ workload }} -p '${body}'`, params),
    },
  ];
}

/** The variable of a match that is true when its container is one of the initContainers. */
export const INIT_CONTAINER = 'initContainer';

/** A sentence that holds for several steps stands with the first. */
function saidOnce(say: string, more: string | undefined, said: Set<string>): string {
  if (more === undefined || said.has(more)) return say;
  said.add(more);
  return `${say} ${more}`;
}

/** A patch names the list in which the container stands: one that is not in the list would be added, and has no image. */
function inItsList(run: string, params: Readonly<Record<string, Scalar>>): string {
  if (params[INIT_CONTAINER] !== true) return run;
  return run
    .replaceAll(/"containers":(?=\[\{"name":"\{\{ container\b)/g, '"initContainers":')
    .replaceAll('{.spec.containers[', '{.spec.initContainers[');
}

/** The variable of a match that is known when the workload can be rolled back. */
export const EARLIER_REVISION = 'earlierRevision';

/**
 * What a developer or owner must correct came with the present revision where an earlier one still works: going back to it cures at once.
 */
function rollback([first]: readonly Step[], params: Readonly<Record<string, Scalar>>): readonly Step[] {
  if ((first?.by !== 'developer' && first?.by !== 'owner') || !Object.hasOwn(params, EARLIER_REVISION)) return [];
  const run = fillCommand('kubectl[[ -n {{ namespace }}]] rollout undo {{ workload }} --to-revision={{ earlierRevision }}', params);
  return [{ say: fill('Roll back to revision {{ earlierRevision }}, whose pods are ready; then correct the new one.', params), run }];
}

/**
 * A rolling update that starts its new pod first waits for ever where only the old one is in its way: `older` says so. Source:
 * pkg/controller/deployment/rolling.go (reconcileOldReplicaSets).
 */
function madeRoom(params: Readonly<Record<string, Scalar>>): readonly Step[] | undefined {
  if (params['older'] !== true) return undefined;
  const run = fillCommand(
    `kubectl[[ -n {{ namespace }}]] patch {{ workload }} -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}'`,
    params,
  );
  return [{ say: 'Let the update end an old pod before it starts a new one.', run }];
}

/** What stood behind other alternatives that are left out is none any more. */
export function asFirst(say: string): string {
  return say.replace(/^(?:Or,? |Otherwise,? )(\S)/, (_, letter: string) => letter.toUpperCase());
}
