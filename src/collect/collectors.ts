import type { Collector } from './collect.ts';
import { collectCalls } from './calls.ts';
import { collectConditions } from './conditions.ts';
import { collectContainers } from './containers.ts';
import { collectDependencies } from './dependencies.ts';
import { collectDns } from './dns.ts';
import { collectEvents } from './events.ts';
import { collectImages } from './images.ts';
import { collectLogs } from './logs.ts';
import { collectMilestones } from './milestones.ts';
import { collectNetworkPolicies } from './network-policies.ts';
import { collectPods } from './pods.ts';
import { collectReferences } from './references.ts';
import { collectRoutes } from './routes.ts';
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
  collectImages,
  collectLogs,
  collectMilestones,
  collectServices,
  collectDependencies,
  collectCalls,
  collectDns,
  collectRoutes,
  collectNetworkPolicies,
];
