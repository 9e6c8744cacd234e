import type { ComponentDefinition } from '../../../src/simulator/components/component.ts';
import { THIN_KUBELET, THIN_SCHEDULER } from './nodes.ts';
import { THIN_DEPLOYMENT, THIN_REPLICASET, THIN_SERVICE_ACCOUNT } from './workloads.ts';

/** A cluster of the shortest components: enough for a Deployment to become running pods. */
export const THIN_COMPONENTS: readonly ComponentDefinition[] = [
  THIN_SERVICE_ACCOUNT,
  THIN_DEPLOYMENT,
  THIN_REPLICASET,
  THIN_SCHEDULER,
  THIN_KUBELET,
];
