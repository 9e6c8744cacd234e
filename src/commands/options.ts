/** Flags every command that looks at a cluster takes; named as kubectl names them. */
export interface SourceOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly kubeconfig?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly asUid?: string;
  readonly requestTimeout?: string;
  /** Files, folders, `-`, `example:NAME`; a live cluster without any. */
  readonly from?: readonly string[];
  /** A scenario to play instead of a cluster, and how long after its start to look at it. */
  readonly scenario?: string;
  readonly at?: string;
  readonly seed?: string;
  /** RFC 3339: the time to take for now. */
  readonly now?: string;
}

export interface RuleOptions {
  /** Folders with rules that are added to those shipped. */
  readonly rules?: readonly string[];
}

export interface OutputOptions {
  readonly output?: string;
}
