import type { FactKindSpec } from './spec.ts';

/** Facts about scheduling, nodes and their services, claims, sandbox and network. */
export const PLACEMENT_FACTS = {} as const satisfies Record<string, FactKindSpec>;
