/** When waiting for a cluster to settle ends without that. */
export interface SettleLimits {
  /** Tasks run at most; 5 million when not given. */
  readonly tasks?: number;
  /** Virtual time passed at most, in milliseconds; 30 minutes when not given. */
  readonly milliseconds?: number;
  /** Counts as settled when no object but Events changed for so long, whatever is still tried again and again. */
  readonly quietMilliseconds?: number;
  /** Whether to say what was still to be done when the time is over, which costs a look at all of it; true when not given. */
  readonly pending?: boolean;
}

export interface Settled {
  readonly settled: boolean;
  /** Which limit ended it when it did not settle. */
  readonly limit?: 'tasks' | 'milliseconds';
  /** What was still to be done, soonest first, a few of it. */
  readonly pending: readonly string[];
}
