import { collectBlindSpots } from './objects/blind-spots.ts';
import type { Collector } from './survey/collector.ts';
import { collectCertificates } from './objects/unsound-certificates.ts';
import { collectBlockedCalls } from './serving/blocked-calls.ts';
import { collectCalls } from './serving/calls.ts';
import { collectConditions } from './objects/conditions.ts';
import { collectContainers } from './containers/containers.ts';
import { collectDependencies } from './serving/dependencies.ts';
import { collectDns } from './serving/dns.ts';
import { collectEvents } from './events/events.ts';
import { collectExits } from './containers/exits.ts';
import { collectHooks } from './containers/hooks.ts';
import { collectImages } from './images/images.ts';
import { collectListeners } from './logs/listeners.ts';
import { collectLogs } from './logs/logs.ts';
import { collectMilestones } from './objects/milestones.ts';
import { collectNetworkPolicies } from './serving/network-policies.ts';
import { collectClaims } from './placement/claims/claims.ts';
import { collectDeviceClaims } from './placement/devices/device-claims.ts';
import { collectDevicePreparations } from './placement/devices/device-preparations.ts';
import { collectNodeFit } from './placement/fit/node-fit.ts';
import { collectPodTroubles } from './placement/nodes/node-troubles.ts';
import { collectNodes } from './placement/nodes/nodes.ts';
import { collectRuntimeClasses } from './placement/nodes/runtime-classes.ts';
import { collectUnscheduled } from './placement/fit/unscheduled.ts';
import { collectOutOfMemory } from './containers/out-of-memory.ts';
import { collectPods } from './objects/pod-facts.ts';
import { collectProbes } from './probes/probes.ts';
import { collectReadinessGates } from './objects/readiness-gates.ts';
import { collectReferences } from './objects/references.ts';
import { collectAnswers, collectLooseAnswers } from './request/answers/answers.ts';
import { collectAutoscalers } from './request/controllers/autoscalers.ts';
import { collectCronJobs } from './request/controllers/cron-jobs.ts';
import { collectDeletions } from './request/controllers/deletions.ts';
import { collectDisruptionBudgets } from './request/controllers/disruption-budgets.ts';
import { collectIdleWorkloads } from './request/controllers/idle-workloads.ts';
import { collectInjectedParts } from './request/refusals/injected-parts.ts';
import { collectLimitRanges } from './request/quotas/limit-ranges.ts';
import { collectMadeObjects } from './request/answers/made-objects.ts';
import { collectManifests } from './request/answers/manifests.ts';
import { collectOrphans } from './request/controllers/orphans.ts';
import { collectQuotas } from './request/quotas/quotas.ts';
import { collectRefusals } from './request/refusals/refusals.ts';
import { collectTemplateReferences } from './request/controllers/template-references.ts';
import { collectUnobserved } from './request/controllers/unobserved-workloads.ts';
import { collectWebhooks } from './request/refusals/webhooks.ts';
import { collectProvisioners } from './placement/nodes/provisioners.ts';
import { collectProxies } from './serving/proxies.ts';
import { collectReach } from './serving/traffic-milestones.ts';
import { collectRoutes } from './serving/routes.ts';
import { collectServices } from './serving/services.ts';
import { collectTries } from './serving/address-tests.ts';
import { collectStartFailures } from './containers/start-failures.ts';
import { collectTargets } from './objects/targets.ts';
import { collectTexts } from './objects/texts.ts';
import { collectWaitingVolumes } from './volumes/waiting-volumes.ts';
import { collectWorkloads } from './objects/workloads.ts';

/** Everything that is looked at, in the order of the facts: evidence quoted first is what was seen first. */
export const COLLECTORS: readonly Collector[] = [
  collectTargets,
  collectWorkloads,
  collectPods,
  collectContainers,
  collectConditions,
  collectReferences,
  collectEvents,
  collectProvisioners,
  collectAnswers,
  collectMadeObjects,
  collectRefusals,
  collectCertificates,
  collectNodes,
  collectPodTroubles,
  collectUnscheduled,
  collectNodeFit,
  collectClaims,
  collectDeviceClaims,
  collectDevicePreparations,
  collectRuntimeClasses,
  collectManifests,
  collectQuotas,
  collectLimitRanges,
  collectTemplateReferences,
  collectWebhooks,
  collectUnobserved,
  collectCronJobs,
  collectAutoscalers,
  collectDisruptionBudgets,
  collectDeletions,
  collectOrphans,
  collectInjectedParts,
  collectBlindSpots,
  collectWaitingVolumes,
  collectImages,
  collectStartFailures,
  collectOutOfMemory,
  collectExits,
  collectLogs,
  collectListeners,
  collectProbes,
  collectReadinessGates,
  collectHooks,
  collectMilestones,
  collectServices,
  collectDependencies,
  collectIdleWorkloads,
  collectCalls,
  collectDns,
  collectRoutes,
  collectNetworkPolicies,
  collectBlockedCalls,
  collectTries,
  collectReach,
  collectProxies,
  collectLooseAnswers,
  collectTexts,
];
