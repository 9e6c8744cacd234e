import type { FactKindSpec } from './spec.ts';

/** Facts about what the request path showed: client answers, manifests, admission, quota, controllers. */
export const REQUEST_FACTS = {} as const satisfies Record<string, FactKindSpec>;
