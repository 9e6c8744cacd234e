import type { FilterPlugin } from '../view.ts';
import { DYNAMIC_RESOURCES } from './dynamic-resources.ts';
import { INTER_POD_AFFINITY } from './inter-pod-affinity.ts';
import { NODE_AFFINITY, NODE_NAME, NODE_PORTS, NODE_UNSCHEDULABLE, TAINT_TOLERATION } from './node.ts';
import { RESOURCES_FIT } from './resources-fit.ts';
import { TOPOLOGY_SPREAD } from './topology-spread.ts';
import { VOLUME_BINDING } from './volume-binding.ts';
import { VOLUME_LIMITS } from './volume-limits.ts';
import { VOLUME_RESTRICTIONS } from './volume-restrictions.ts';
import { VOLUME_ZONE } from './volume-zone.ts';

/** In the order they are asked: the first that rejects a node gives the reason. Source: pkg/scheduler/apis/config/v1/default_plugins.go. */
export const FILTERS: readonly FilterPlugin[] = [
  NODE_UNSCHEDULABLE,
  NODE_NAME,
  TAINT_TOLERATION,
  NODE_AFFINITY,
  NODE_PORTS,
  RESOURCES_FIT,
  VOLUME_RESTRICTIONS,
  VOLUME_LIMITS,
  VOLUME_BINDING,
  VOLUME_ZONE,
  TOPOLOGY_SPREAD,
  INTER_POD_AFFINITY,
  DYNAMIC_RESOURCES,
];
