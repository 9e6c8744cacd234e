import type { Difficulty, Drill } from '../model/drill.ts';
import type { Scenario } from '../model/scenario.ts';
import type { StageId } from '../model/stage.ts';
import { isStage } from '../model/stage.ts';

/**
 * A scenario in which something goes wrong, as a drill; undefined when nothing goes wrong in it, when nobody can say what is asked
 * about, or when whoever mends it cannot be judged by that: it is gone afterwards, or well in the eyes of a single look, or its
 * trouble was in somebody's terminal before anything reached the cluster.
 */
export function drillOfScenario(scenario: Scenario): Drill | undefined {
  const { id, expect } = scenario;
  if (expect?.outcome !== 'explained' || expect.cause === undefined) return undefined;
  const target = expect.target ?? expect.object;
  const beforeTheCluster = BEFORE_THE_CLUSTER.some((stage) => expect.cause?.startsWith(`${stage}/`));
  if (target === undefined || expect.scan !== undefined || scenario.cured !== undefined || beforeTheCluster) return undefined;
  return { id, difficulty: difficultyOf(expect.cause), story: undefined, scenario, faults: [{ cause: expect.cause, target, object: expect.object }], lookAlikes: [] };
}

const BEFORE_THE_CLUSTER: readonly StageId[] = ['apply', 'authentication'];

/** How hard a cause is to find: whether an event of the pod says it, one has to look elsewhere, or there is no pod to look at. */
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
