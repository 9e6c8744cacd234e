import { CERTIFICATE_FACTS } from './fact-kinds/certificate.ts';
import { COMMON_FACTS } from './fact-kinds/seen.ts';
import { PLACEMENT_FACTS } from './fact-kinds/placement.ts';
import { REQUEST_FACTS } from './fact-kinds/request.ts';
import { RUNNING_FACTS } from './fact-kinds/running.ts';
import { SERVING_FACTS } from './fact-kinds/serving.ts';
import type { FactKindSpec, FieldSpec } from './fact-kinds/spec.ts';
import { text } from './fact-kinds/spec.ts';

/** The whole vocabulary a rule may use: every kind of fact with its fields. */
export const FACT_KINDS = {
  ...COMMON_FACTS,
  ...REQUEST_FACTS,
  ...PLACEMENT_FACTS,
  ...RUNNING_FACTS,
  ...SERVING_FACTS,
  ...CERTIFICATE_FACTS,
} as const satisfies Record<string, FactKindSpec>;

export type FactKind = keyof typeof FACT_KINDS;

/** Fields every fact has because of the object it is about; a rule may name them in any pattern. */
export const IMPLICIT_FIELDS: Readonly<Record<string, FieldSpec>> = {
  objectKind: text('kind of the object the fact is about'),
  namespace: text('its namespace; absent for cluster-scoped kinds'),
  name: text('its name'),
  pod: text('its name, if it is a Pod'),
  workload: text('`Kind/namespace/name` of the top controller it belongs to or is, or of a pod that has none'),
};

export function isFactKind(word: string): word is FactKind {
  return Object.hasOwn(FACT_KINDS, word);
}

/** Whether one fact of the kind about an object means that all of them were seen. */
export function isReadWhole(kind: FactKind): boolean {
  const spec: FactKindSpec = FACT_KINDS[kind];
  return spec.whole === true;
}

/** What a field of a kind of fact is; undefined when the kind has no such field. */
export function fieldSpec(kind: FactKind, field: string): FieldSpec | undefined {
  const spec: FactKindSpec = FACT_KINDS[kind];
  return Object.hasOwn(spec.fields, field)
    ? spec.fields[field]
    : Object.hasOwn(IMPLICIT_FIELDS, field)
      ? IMPLICIT_FIELDS[field]
      : undefined;
}
