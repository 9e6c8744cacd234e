import type { JsonObject } from '../../base/json.ts';
import { counted } from '../../base/counted.ts';
import { onceFor } from '../../base/once.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Cause, Diagnosis } from '../../model/diagnosis.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf, parseRef } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import type { ChangeAction } from '../../model/playbook-change.ts';
import { planFix } from '../../runbook/change-plan.ts';
import { asFirst } from '../../engine/fix-steps.ts';
import { changesOfFix, replacementOfFix } from '../../runbook/fix-command.ts';
import { fixWords } from '../../report/format/fix-words.ts';
import { Looker } from '../../runbook/look-at-target.ts';
import { remakeable } from '../../runbook/object-diff.ts';
import { simulatedChanger } from '../../runbook/simulated-changer.ts';
import type { Cluster } from '../../simulator/index.ts';
import { applyStrategicMerge } from '../../simulator/index.ts';
import { cloneOf } from '../sim/clone-source.ts';

type Step = Cause['fix'][number];

/** What of a cluster is cloned, and by which rules its clone is judged. */
export interface Tried {
  readonly reader: ClusterReader;
  readonly rules: readonly Rule[];
  readonly namespace?: string;
}

/** A rollout that a quota held back is tried again within 17 min. */
export const PATIENCE_MILLISECONDS = 20 * 60_000;
const LOOK_AFTER_MILLISECONDS = 30_000;
/** Until a clone shows what is wrong with its original. */
const ONSET_MILLISECONDS = 120_000;
const MOST_NODES = 8;
const MOST_STEPS = 3;

/**
 * The diagnosis with the alternatives of its first cause tried, each in a simulated clone of its own: one that helps says so, one that
 * does not is left out where another does. Unchanged where no clone shows the same cause: then nothing can be said.
 */
export async function withTriedFixes(diagnosis: Diagnosis, { reader, rules, namespace }: Tried): Promise<Diagnosis> {
  const [cause, ...others] = diagnosis.causes;
  if (cause === undefined) return diagnosis;
  const once = readingOnce(reader);
  const trial: Trial = {
    diagnosis,
    rule: cause.rule,
    rules,
    clone: async (more) => {
      const source = more === undefined ? once : withMoreNodes(once, more.like, more.count);
      return (await cloneOf(source, { seed: 1, wanted: [], ...(namespace === undefined ? {} : { namespace }) })).clone.cluster;
    },
  };
  const tried: { readonly step: Step; readonly helps: boolean | undefined }[] = [];
  for (const step of cause.fix) tried.push({ step, helps: await tryStep(step, trial) });
  const more =
    tried.some(({ helps }) => helps !== undefined) || cause.params['node'] !== undefined ? await tryNodes(cause, trial) : undefined;
  const fix = toldFix(tried, more, diagnosis);
  return { ...diagnosis, causes: [{ ...cause, fix }, ...others] };
}

type Replacement = Extract<ChangeAction, { readonly change: 'patch' }>;

interface Trial {
  readonly diagnosis: Diagnosis;
  readonly rule: string;
  readonly rules: readonly Rule[];
  readonly clone: (more?: { readonly like: string; readonly count: number }) => Promise<Cluster>;
}

/** Whether a step cures a clone; undefined for one that is no change, or where no clone can tell. */
async function tryStep({ run }: Step, trial: Trial): Promise<boolean | undefined> {
  if (run === undefined) return undefined;
  const replaced = replacementOfFix(run);
  if (replaced === undefined && changesOfFix(run) === undefined) return undefined;
  const cluster = await trial.clone();
  if (!(await showsCause(cluster, trial))) return undefined;
  const done = replaced === undefined ? await changed(cluster, run) : await replacedPod(cluster, replaced);
  if (done !== true) return done;
  const { outcome, causes } = await watched(cluster, trial, PATIENCE_MILLISECONDS);
  // What stops the pods then may only be missing in the clone.
  return outcome === 'healthy' ? true : causes[0]?.rule === trial.rule ? false : undefined;
}

/** Whether the cluster took the changes; undefined where they cannot be made out. */
async function changed(cluster: Cluster, run: string): Promise<boolean | undefined> {
  const plan = await planFix(run, cluster.reader(), cluster.now());
  if (!plan.ok) return undefined;
  const changer = simulatedChanger(cluster);
  for (const { request } of plan.writes) if (!(await changer.send(request, false)).ok) return false;
  return true;
}

/** A pod that is deleted and created again with the change. */
async function replacedPod(cluster: Cluster, { object, type, body }: Replacement): Promise<boolean | undefined> {
  const ref = parseRef(object);
  const read = ref === undefined ? undefined : await cluster.reader().get(ref);
  if (ref === undefined || read?.ok !== true || type === 'json') return undefined;
  const model = cluster.server.resources.named(ref.kind)?.model;
  if (model === undefined) return undefined;
  const pod = applyStrategicMerge(model, remakeable(read.value), body as JsonObject);
  const changer = simulatedChanger(cluster);
  const place = { kind: ref.kind, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }), name: ref.name };
  if (!(await changer.send({ verb: 'delete', apiVersion: 'v1', ...place, graceSeconds: 0 }, false)).ok) return undefined;
  return (await changer.send({ verb: 'create', apiVersion: 'v1', ...place, body: pod }, false)).ok;
}

/** How many nodes like the one that is nearest to fitting let all pods start; undefined where nodes do not help. */
async function tryNodes({ rule, params }: Cause, trial: Trial): Promise<string | undefined> {
  const like = params['node'];
  if (!rule.startsWith('scheduling/') || typeof like !== 'string' || !(await showsCause(await trial.clone(), trial))) return undefined;
  let ready = trial.diagnosis.pods?.ready ?? 0;
  for (let count = 1; count <= MOST_NODES; count *= 2) {
    const end = await watched(await trial.clone({ like, count }), trial, ONSET_MILLISECONDS);
    if (end.outcome === 'healthy') return `${count === 1 ? 'a node' : counted(count, 'node')} like ${like}`;
    // Where one more serves no pod, others do not either.
    if ((end.pods?.ready ?? 0) <= ready) return undefined;
    ready = end.pods?.ready ?? 0;
  }
  return undefined;
}

/** Whether a clone comes to show the cause of its original. */
export async function showsCause(
  cluster: Cluster,
  { diagnosis, rule, rules }: Pick<Trial, 'diagnosis' | 'rule' | 'rules'>,
): Promise<boolean> {
  const looker = new Looker(cluster.reader(), rules);
  for (let waited = 0; waited <= ONSET_MILLISECONDS; waited += LOOK_AFTER_MILLISECONDS) {
    const seen = (await looker.look(diagnosis.target)).diagnosis;
    if (seen.causes[0]?.rule === rule) return true;
    cluster.advance(LOOK_AFTER_MILLISECONDS);
  }
  return false;
}

/** The first diagnosis that is healthy, or the one at the limit. */
export async function watched(
  cluster: Cluster,
  { diagnosis, rules }: Pick<Trial, 'diagnosis' | 'rules'>,
  limit: number,
): Promise<Diagnosis> {
  const looker = new Looker(cluster.reader(), rules);
  let pause = LOOK_AFTER_MILLISECONDS;
  for (let waited = pause; ; waited += pause) {
    cluster.advance(pause);
    const seen = (await looker.look(diagnosis.target)).diagnosis;
    if (seen.outcome === 'healthy' || waited >= limit) return seen;
    pause *= 2;
  }
}

/** The steps with what came of them; what does not help is left out where something does. */
function toldFix(
  tried: readonly { readonly step: Step; readonly helps: boolean | undefined }[],
  nodes: string | undefined,
  { target }: Diagnosis,
): Cause['fix'] {
  const starts = target.kind === 'Pod' ? 'the pod starts' : 'the pods start';
  const isSolved = nodes !== undefined || tried.some(({ helps }) => helps === true);
  const own = tried.flatMap(({ step, helps }): readonly Step[] => {
    if (helps === undefined) return nodes !== undefined && ADDS_NODES.test(step.say) ? [] : [step];
    if (!helps && isSolved) return [];
    return [{ ...step, say: `${step.say} ${TRIED}: ${helps ? starts : 'it does not help'}.` }];
  });
  const added: readonly Step[] =
    nodes === undefined
      ? []
      : [{ say: `${own.length === 0 ? 'Add' : 'Or add'} ${nodes}. Tried in a simulated clone: ${starts}.`, by: 'cluster-admin' }];
  return short([...own.slice(0, MOST_STEPS - added.length), ...added]).map((step, index) =>
    index === 0 ? { ...step, say: asFirst(step.say) } : step,
  );
}

/** What was tried makes the words longer: what was not tried is left out first. */
function short(steps: readonly Step[]): readonly Step[] {
  const lines = steps.map((step) => (step.run === undefined ? 0 : 1) + Math.ceil(fixWords(step).length / COLUMNS));
  const untried = steps.findLastIndex(({ say }) => !say.includes(TRIED));
  const isLong = lines.reduce((sum, count) => sum + count, 0) > MOST_LINES;
  return isLong && untried > 0 ? short(steps.toSpliced(untried, 1)) : steps;
}

const TRIED = 'Tried in a simulated clone';
const MOST_LINES = 6;
/** Of the words of a fix on a terminal of 80 columns, broken between words. */
const COLUMNS = 64;

/** What says the same without a number. */
const ADDS_NODES = /\badd (?:a )?nodes?\b/i;

/** Each list is read once, however many clones are made of it. */
function readingOnce(reader: ClusterReader): ClusterReader {
  const lists = onceFor((key: string) => {
    const [kind = '', scope = ''] = key.split('\n');
    return reader.list(kind, JSON.parse(scope) as JsonObject);
  });
  return { ...bound(reader), list: (kind, scope) => lists(`${kind}\n${JSON.stringify(scope)}`) };
}

/** The cluster as it would be with more nodes like one that it has. */
function withMoreNodes(reader: ClusterReader, like: string, count: number): ClusterReader {
  return {
    ...bound(reader),
    list: async (kind, scope) => {
      const list = await reader.list(kind, scope);
      const node = kind === 'Node' && list.ok ? list.value.find(({ metadata }) => metadata.name === like) : undefined;
      if (!list.ok || node === undefined) return list;
      return {
        ...list,
        value: [...list.value, ...Array.from({ length: count }, (_, index) => named(node, `${like}-more-${String(index + 1)}`))],
      };
    },
  };
}

/** A machine of its own, which no label takes for the first one. */
function named(node: KubeObject, name: string): KubeObject {
  const { uid: _uid, ...metadata } = node.metadata;
  const labels = labelsOf(node);
  return {
    ...node,
    metadata: { ...metadata, name, labels: labels[HOSTNAME] === undefined ? labels : { ...labels, [HOSTNAME]: name } },
  };
}

const HOSTNAME = 'kubernetes.io/hostname';

function bound(reader: ClusterReader): ClusterReader {
  return {
    get: (ref) => reader.get(ref),
    list: (kind, scope) => reader.list(kind, scope),
    logs: (pod, container, options) => reader.logs(pod, container, options),
    now: () => reader.now(),
    ...(reader.stored === undefined ? {} : { stored: reader.stored }),
  };
}
