import type { StageId } from '../../model/stage.ts';

/** A reason of Kubernetes that people look up: where it is seen, its stage, and what it means. */
export interface Reason {
  readonly reason: string;
  readonly stage: StageId;
  readonly seen: 'container state' | 'event' | 'condition' | 'scheduler' | 'API answer' | 'pod status' | 'STATUS column' | 'exit code';
  readonly means: string;
  /** Path in the Kubernetes repository that defines it. */
  readonly source: string;
  /** Rules to list first; rules whose patterns contain the reason follow. */
  readonly rules: readonly string[];
}

/** A row of the table: where the reason is defined, and then rules that name it. */
export function row(
  reason: string,
  stage: StageId,
  seen: Reason['seen'],
  ...[means, source, ...rules]: readonly [means: string, source: string, ...rules: string[]]
): Reason {
  return { reason, stage, seen, means, source, rules };
}
