import type { Cause } from '../../model/diagnosis.ts';

/** What scoring looks at of a cause; those of a case come in the order of their rank. */
export type ScoredCause = Pick<Cause, 'rule' | 'object' | 'workload' | 'params' | 'evidence' | 'affected'>;
