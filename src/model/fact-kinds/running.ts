import type { FactKindSpec } from './spec.ts';

/** Facts about volumes, images, containers and probes. */
export const RUNNING_FACTS = {} as const satisfies Record<string, FactKindSpec>;
