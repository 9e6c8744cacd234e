import type { FactKindSpec } from './spec.ts';
import { flag, text } from './spec.ts';

/** Facts about endpoints, traffic, dependencies and what applications log. */
export const SERVING_FACTS = {
  dependency: {
    says: 'A workload calls another by an address in its configuration or its log.',
    fields: {
      on: text('`Kind/namespace/name` of the Service or workload that answers there, if it resolves'),
      host: text('the host as written'),
      port: text('the port as written'),
      variable: text('the variable, key or argument that holds the address'),
      exists: flag('a Service of that name exists'),
    },
  },
} as const satisfies Record<string, FactKindSpec>;
