import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';
import { Prng } from '../../base/prng.ts';
import { diagnoseTarget } from '../../library/diagnose-target.ts';
import type { Difficulty, Drill, DrillFault } from '../../model/drill.ts';
import { sameObject } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import type { ScenarioStep } from '../../model/scenario.ts';
import type { StageId } from '../../model/stage.ts';
import type { Cluster } from '../../simulator/index.ts';
import { cureScenario, playScenario } from '../../simulator/index.ts';
import { yieldToEvents } from '../yield-to-events.ts';
import type { Application, Part } from './application.ts';
import { drawApplication, manifestsOf } from './application.ts';
import type { FaultKind } from './faults.ts';
import { FAULT_KINDS } from './faults.ts';
import { drawNoise } from './noise.ts';

export interface ComposeWishes {
  readonly seed: number | string;
  readonly stage?: StageId;
  readonly difficulty?: Difficulty;
}

/**
 * A drill nobody has written: an application, faults in it and noise around it, drawn from a seed. It is played before it is
 * handed out: each fault must be named by its own cause, and the cure must make everything well; what fails that is drawn again.
 */
export async function composeDrill(wishes: ComposeWishes, rules: readonly Rule[]): Promise<Drill> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await yieldToEvents();
    const drill = draw(new Prng(`${wishes.seed}/${wishes.stage ?? ''}/${wishes.difficulty ?? ''}/${attempt}`), wishes);
    if (drill !== undefined && (await isSolvable(drill, rules))) return drill;
  }
  throw new PodcheckError(
    'usage',
    `no drill could be composed${wishes.stage === undefined ? '' : ` for the stage ${wishes.stage}`}`,
    `random drills have faults in ${[...new Set(FAULT_KINDS.map(({ stage }) => stage))].join(', ')}; \`podcheck drill list\` has written ones for all stages`,
  );
}

const ATTEMPTS = 60;

interface Broken {
  readonly kind: FaultKind;
  readonly part: Part;
}

function draw(prng: Prng, wishes: ComposeWishes): Drill | undefined {
  const app = drawApplication(prng.split('application'));
  const difficulty = wishes.difficulty ?? prng.pick(['easy', 'medium', 'hard'] as const) ?? 'medium';
  const broken = drawFaults(prng.split('faults'), app, wishes.stage, difficulty);
  if (broken === undefined) return undefined;
  const noise = drawNoise(prng.split('noise'), app.namespace, difficulty === 'easy' ? 0 : difficulty === 'medium' ? 1 : 2);
  const meant = manifestsOf(app);
  let manifests = meant;
  for (const { kind, part } of broken) manifests = kind.breaks(manifests, part, app, prng.split(kind.cause));
  const late = broken.every(({ kind }) => kind.late) && prng.below(2) === 0;
  const different = manifests.filter((object) => !meant.some((other) => sameJson(object, other)));
  const cure = meant.filter((object) => !manifests.some((other) => sameJson(object, other)));
  const quiet = noise.flatMap(({ manifests: own }) => own);
  const id = ['random', String(wishes.seed), wishes.stage, wishes.difficulty].filter((word) => word !== undefined).join('/');
  return {
    id,
    difficulty,
    story: late
      ? `${app.namespace} was healthy until the latest deployment, a few minutes ago.`
      : `${app.namespace} was installed a few minutes ago and has not been healthy yet.`,
    faults: broken.map(({ kind, part }) => kind.fault(part, app)),
    lookAlikes: noise.map(({ lookAlike }) => lookAlike),
    scenario: {
      id,
      title: `${broken.length === 1 ? '1 fault' : `${broken.length} faults`} in ${app.namespace}`,
      cluster: { preset: 'three-nodes', configuration: {} },
      setup: [registryOf(app)],
      steps: [
        ...(late ? [apply([...meant, ...quiet]), WAIT, apply(different)] : [apply([...manifests, ...quiet])]),
        ...noise.flatMap(({ steps }) => steps),
      ],
      untilMilliseconds: undefined,
      expect: undefined,
      cure: [apply(cure)],
    },
  };
}

/** Faults in different parts, the first of the wished stage. */
function drawFaults(prng: Prng, app: Application, stage: StageId | undefined, difficulty: Difficulty): readonly Broken[] | undefined {
  const count = difficulty === 'hard' ? 2 + prng.below(2) : 1;
  const drawn: Broken[] = [];
  const parts = [...app.parts];
  while (drawn.length < count && parts.length > 0) {
    const wanted = drawn.length === 0 ? stage : undefined;
    const choices = FAULT_KINDS.filter((kind) => wanted === undefined || kind.stage === wanted).flatMap((kind) =>
      parts.filter((part) => kind.fits(part, app)).map((part) => ({ kind, part })),
    );
    const free = choices.filter(
      ({ kind }) => !drawn.some((other) => other.kind === kind || (other.kind.wide === true && kind.wide === true)),
    );
    const choice = prng.pick(free);
    if (choice === undefined) return drawn.length === 0 || difficulty === 'hard' ? undefined : drawn;
    drawn.push(choice);
    parts.splice(parts.indexOf(choice.part), 1);
  }
  return drawn;
}

const WAIT: ScenarioStep = { do: 'wait', atMilliseconds: undefined, place: 'random' };

function apply(documents: readonly JsonObject[]): ScenarioStep {
  return { do: 'apply', documents, namespace: undefined, as: undefined, create: false, atMilliseconds: undefined, place: 'random' };
}

/** A registry that has the images as they are meant to be. */
function registryOf({ registry, parts }: Application): { readonly place: string; readonly fault: JsonObject } {
  const repositories = Object.fromEntries(parts.map(({ name, tag }) => [name, { open: true, tags: [tag] }]));
  return { place: 'random', fault: { fault: 'part', part: 'registry', what: registry, with: { repositories } } };
}

/** Each fault is named by its own cause, what looks odd is well, and the cure makes all of it well. */
async function isSolvable(drill: Drill, rules: readonly Rule[]): Promise<boolean> {
  const { cluster } = playScenario(drill.scenario, { seed: drill.id });
  await yieldToEvents();
  for (const fault of drill.faults) if (!(await isNamed(fault, cluster, rules))) return false;
  for (const target of drill.lookAlikes)
    if (target.kind !== 'Node' && (await diagnoseTarget(cluster.reader(), rules, target)).outcome !== 'healthy') return false;
  await yieldToEvents();
  cureScenario(cluster, drill.scenario);
  await yieldToEvents();
  for (const { target } of drill.faults) if ((await diagnoseTarget(cluster.reader(), rules, target)).outcome !== 'healthy') return false;
  return true;
}

async function isNamed(fault: DrillFault, cluster: Cluster, rules: readonly Rule[]): Promise<boolean> {
  const [cause] = (await diagnoseTarget(cluster.reader(), rules, fault.target)).causes;
  return cause?.rule === fault.cause && (fault.object === undefined || sameObject(cause.object, fault.object));
}
