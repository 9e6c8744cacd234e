import type { ComponentDefinition } from './component.ts';
import { CONTROLLERS } from '../controllers/controllers.ts';
import { UnwrittenCrashes } from '../fast-forward/skipped-crashes.ts';
import { kubeletWith } from '../kubelet/kubelet.ts';
import { KUBE_PROXY } from '../network/kube-proxy.ts';
import { SCHEDULER } from '../scheduler/scheduler.ts';

/** A kubelet that does not live through crashes which nobody sees. */
export const KUBELET = kubeletWith((uid, parts) => new UnwrittenCrashes(uid, parts));

/** Every component a cluster runs, in the order those of one process are started. A new one is one line here. */
export const COMPONENTS: readonly ComponentDefinition[] = [...CONTROLLERS, SCHEDULER, KUBELET, KUBE_PROXY];
