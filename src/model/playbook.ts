/** What a person on call does about one kind of trouble, step by step. `playbooks/<name>.yaml` holds one; its file name is its name. */
export interface Playbook {
  readonly name: string;
  readonly title: string;
  /** When it is the right one. */
  readonly use: string;
  readonly steps: readonly PlaybookStep[];
  /** When to call somebody else, and whom. */
  readonly escalate: string;
}

/** One thing to do: in words, as a command with `<placeholders>` where there is one, and what its answer tells. */
export interface PlaybookStep {
  readonly say: string;
  readonly run?: string;
  readonly tells?: string;
}
