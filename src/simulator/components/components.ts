import type { ComponentDefinition } from './component.ts';
import { CONTROLLERS } from '../controllers/controllers.ts';
import { KUBELET } from '../kubelet/kubelet.ts';
import { KUBE_PROXY } from '../network/kube-proxy.ts';
import { SCHEDULER } from '../scheduler/scheduler.ts';

/** Every component a cluster runs, in the order those of one process are started. A new one is one line here. */
export const COMPONENTS: readonly ComponentDefinition[] = [
  ...CONTROLLERS,
  SCHEDULER,
  KUBELET,
  KUBE_PROXY,
];
