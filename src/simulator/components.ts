import type { ComponentDefinition } from './component.ts';

/** Every component a cluster runs, in the order those of one process are started. A new one is one line here. */
export const COMPONENTS: readonly ComponentDefinition[] = [];
