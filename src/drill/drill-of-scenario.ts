import type { Difficulty, Drill, DrillFault } from '../model/drill.ts';
import type { Scenario } from '../model/scenario.ts';
import type { StageId } from '../model/stage.ts';
import { isStage } from '../model/stage.ts';

/** A scenario with a fault as a drill; undefined when it cannot be one (noDrillBecause). */
export function drillOfScenario(scenario: Scenario): Drill | undefined {
  const { id, expect, cured } = scenario;
  const target = expect?.target ?? expect?.object;
  if (noDrillBecause(scenario) !== undefined || expect?.cause === undefined || target === undefined) return undefined;
  const fault: DrillFault = {
    cause: expect.cause,
    target,
    object: expect.object,
    ...(expect.scan === undefined ? {} : { scan: expect.scan }),
    ...(cured === undefined ? {} : { cured }),
  };
  return { id, difficulty: difficultyOf(expect.cause), story: undefined, scenario, faults: [fault], lookAlikes: [] };
}

/** Why a scenario cannot be a drill, as a clause; undefined when it is a drill. */
export function noDrillBecause({ expect, cure }: Scenario): string | undefined {
  if (expect === undefined) return 'it does not name its fault';
  if (expect.outcome === 'healthy' || expect.outcome === 'waiting') return 'it has no fault';
  if (expect.outcome !== 'explained' || expect.cause === undefined) return 'no rule names its fault, so no answer can be judged';
  if (expect.target === undefined && expect.object === undefined) return 'it does not name a target';
  return cure.length === 0 ? 'it has no cure, so it cannot be fixed' : undefined;
}

/** How hard a cause is to find: shown by an event of the pod, shown elsewhere, or with no pod to look at. */
function difficultyOf(cause: string): Difficulty {
  const [stage = ''] = cause.split('/');
  return isStage(stage) ? DIFFICULTY[stage] : 'medium';
}

const DIFFICULTY: Readonly<Record<StageId, Difficulty>> = {
  apply: 'medium',
  authentication: 'medium',
  authorization: 'medium',
  'mutating-admission': 'hard',
  'schema-validation': 'easy',
  'validating-admission': 'medium',
  persistence: 'hard',
  controllers: 'hard',
  scheduling: 'easy',
  kubelet: 'medium',
  volumes: 'easy',
  sandbox: 'hard',
  network: 'hard',
  images: 'easy',
  containers: 'easy',
  probes: 'medium',
  endpoints: 'medium',
  traffic: 'hard',
};
