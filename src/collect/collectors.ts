import type { Collector } from './collect.ts';
import { collectConditions } from './conditions.ts';
import { collectContainers } from './containers.ts';
import { collectEvents } from './events.ts';
import { collectLogs } from './logs.ts';
import { collectMilestones } from './milestones.ts';
import { collectPods } from './pods.ts';
import { collectReferences } from './references.ts';
import { collectServices } from './services.ts';
import { collectTargets } from './targets.ts';
import { collectWorkloads } from './workloads.ts';

/** Everything that is looked at, in the order of the facts: evidence quoted first is what was seen first. */
export const COLLECTORS: readonly Collector[] = [
  collectTargets,
  collectWorkloads,
  collectPods,
  collectContainers,
  collectConditions,
  collectReferences,
  collectEvents,
  collectLogs,
  collectMilestones,
  collectServices,
];
