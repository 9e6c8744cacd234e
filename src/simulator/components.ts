import type { ComponentDefinition } from './component.ts';
import { KUBELET } from './kubelet/kubelet.ts';
import { KUBE_PROXY } from './network/kube-proxy.ts';

/** Every component a cluster runs, in the order those of one process are started. A new one is one line here. */
export const COMPONENTS: readonly ComponentDefinition[] = [
  KUBELET,
  KUBE_PROXY,
];
